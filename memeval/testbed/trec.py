"""TREC qrels and run files, written so that other tools score them as meant, and read back.

Columns are separated by white space, so that ids cannot hold any: in ids, white space, `%` and U+FEFF are written as
`%` and two hexadecimal digits for each UTF-8 byte (`a b` is `a%20b`, `%` is `%25`). Reading undoes exactly that.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from memeval.errors import BenchmarkFormatError
from memeval.text import WHITE_SPACE

_INTEGER = re.compile(r"[-+]?[0-9]{1,9}", re.ASCII)
_ESCAPES = {
    char: "".join(f"%{byte:02X}" for byte in char.encode())
    for char in f"%\ufeff\x1c\x1d\x1e\x1f{WHITE_SPACE}"  # str.split() also splits at U+001C to U+001F
}
_ESCAPED = re.compile("|".join(_ESCAPES.values()))
_UNESCAPES = {escape: char for char, escape in _ESCAPES.items()}
_MOST_RANKS = 2**24
"""Up to here single precision holds every whole number."""


class QrelsRow(NamedTuple):
    """One judgement of a qrels file and where it stands."""

    line: int
    query_id: str
    doc_id: str
    grade: int


def write_qrels(qrels: Mapping[str, Mapping[str, int]], path: Path | str) -> None:
    """Write {query id: {doc_id: grade}} as `query 0 document grade` rows; a query without grades has no row.

    Raises:
        BenchmarkFormatError: an empty id; nothing was written.
    """
    rows = [
        f"{_escape(query_id, path)} 0 {_escape(doc_id, path)} {grade}\n"
        for query_id, grades in qrels.items()
        for doc_id, grade in grades.items()
    ]
    _write(path, rows)


def read_qrels(path: Path | str) -> dict[str, dict[str, int]]:
    """{query id: {doc_id: grade}} of a qrels file, in file order; grades may be negative, as TREC uses them.

    Raises:
        BenchmarkFormatError: a row without four columns, a grade that is no whole number, a document judged twice.
    """
    qrels: dict[str, dict[str, int]] = {}
    for row in read_qrels_rows(path):
        qrels.setdefault(row.query_id, {})[row.doc_id] = row.grade
    return qrels


def read_qrels_rows(path: Path | str) -> list[QrelsRow]:
    """The judgements of a qrels file with their lines, in file order. Raises what `read_qrels` raises."""
    rows: list[QrelsRow] = []
    seen: dict[str, dict[str, int]] = {}
    for line, (query_id, _, doc_id, grade) in _read(path, ("query", "iteration", "document", "grade")):
        if not _INTEGER.fullmatch(grade):
            raise BenchmarkFormatError(f"grade {grade!r} is no whole number", path=str(path), line=line)
        _add(seen.setdefault(query_id, {}), doc_id, int(grade), path, line)
        rows.append(QrelsRow(line, query_id, doc_id, int(grade)))
    return rows


def write_run(rankings: Mapping[str, Sequence[str]], path: Path | str, *, tag: str = "memeval") -> None:
    """Write {query id: doc_ids, best first} as `query Q0 document rank score tag` rows.

    The score is n - rank + 1: trec_eval orders by score, ignores the rank column, breaks ties by id descending and
    compares in single precision, so that another score could reorder a ranking. A query without documents has no row.

    Raises:
        BenchmarkFormatError: an empty id, a document ranked twice, more than 2**24 ranks; nothing was written.
    """
    rows: list[str] = []
    label = _escape(tag, path)
    for query_id, doc_ids in rankings.items():
        if len(set(doc_ids)) != len(doc_ids) or len(doc_ids) > _MOST_RANKS:
            raise BenchmarkFormatError(f"query {query_id!r} ranks a document twice, or more than 2**24", path=str(path))
        first = f"{_escape(query_id, path)} Q0"
        rows.extend(
            f"{first} {_escape(doc_id, path)} {rank} {len(doc_ids) - rank + 1} {label}\n"
            for rank, doc_id in enumerate(doc_ids, start=1)
        )
    _write(path, rows)


def read_run(path: Path | str) -> dict[str, dict[str, float]]:
    """{query id: {doc_id: score}} of a run file, in file order.

    Raises:
        BenchmarkFormatError: a row without six columns, a score that is no finite number, a document ranked twice.
    """
    run: dict[str, dict[str, float]] = {}
    for line, (query_id, _, doc_id, _, score, _) in _read(path, ("query", "Q0", "document", "rank", "score", "tag")):
        try:
            value = float(score)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise BenchmarkFormatError(f"score {score!r} is no finite number", path=str(path), line=line)
        _add(run.setdefault(query_id, {}), doc_id, value, path, line)
    return run


def _add(row: dict[str, float] | dict[str, int], doc_id: str, value: float, path: Path | str, line: int) -> None:
    if doc_id in row:
        raise BenchmarkFormatError(f"document {doc_id!r} stands twice for this query", path=str(path), line=line)
    row[doc_id] = value  # type: ignore[assignment]


def _escape(text: str, path: Path | str) -> str:
    if not text:
        raise BenchmarkFormatError("an id is empty, which a TREC file cannot hold", path=str(path))
    return "".join(_ESCAPES.get(char, char) for char in text)


def _unescape(text: str) -> str:
    return _ESCAPED.sub(lambda match: _UNESCAPES[match[0]], text)


def _read(path: Path | str, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """(line number, cells) of each row that is not blank."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as exc:
        raise BenchmarkFormatError(f"cannot be read ({exc.strerror})", path=str(path)) from exc
    except UnicodeDecodeError as exc:
        line = exc.object.count(b"\n", 0, exc.start) + 1
        raise BenchmarkFormatError("is not UTF-8", path=str(path), line=line) from exc
    for number, row in enumerate(text.split("\n"), start=1):
        cells = [_unescape(cell) for cell in row.split()]
        if cells and len(cells) != len(columns):
            message = f"{len(cells)} columns where {len(columns)} are needed: {', '.join(columns)}"
            raise BenchmarkFormatError(message, path=str(path), line=number)
        if cells:
            yield number, cells


def _write(path: Path | str, rows: Sequence[str]) -> None:
    Path(path).write_text("".join(rows), encoding="utf-8", newline="\n")
