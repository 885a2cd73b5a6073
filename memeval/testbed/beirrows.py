"""Rows of a BEIR folder's JSON Lines files, and the documents of its `corpus.jsonl`. No queries, no grades here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memeval.errors import BenchmarkFormatError
from memeval.memory.document import Document, Tier

CORPUS = "corpus.jsonl"
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Row:
    """One object of a JSON Lines file and where it stands."""

    path: Path
    line: int
    values: Mapping[str, Any]

    def fail(self, message: str) -> BenchmarkFormatError:
        """The error to raise for this row."""
        return BenchmarkFormatError(message, path=str(self.path), line=self.line)

    def text(self, key: str, *, default: str | None = None) -> str:
        """The text of a key, or the default where the key is missing or null."""
        value = self.values.get(key)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            found = f"has no {key!r}" if value is None else f"has {key!r} {value!r}"
            raise self.fail(f"the object {found}; {key!r} must be a text, in double quotes")
        return value

    def id(self) -> str:
        """The row's `_id`, not empty."""
        value = self.text("_id")
        if not value:
            raise self.fail("'_id' is empty")
        return value


def is_beir(path: Path | str) -> bool:
    """Whether a folder holds a `corpus.jsonl`."""
    return (Path(path) / CORPUS).is_file()


def read_documents(path: Path) -> dict[str, Document]:
    """{doc_id: document} of a `corpus.jsonl`, in file order, at least one.

    A document's text is its title, a blank line and its text, or the text alone without a title; it is a note, whatever
    its `_id` looks like.

    Raises:
        BenchmarkFormatError: no such file, a broken or repeated row, or no document.
    """
    documents: dict[str, Document] = {}
    for doc_id, row in read_rows(path).items():
        title, text = row.text("title", default=""), row.text("text")
        documents[doc_id] = Document(
            doc_id=doc_id,
            path=doc_id,
            tier=Tier.NOTE,
            name=doc_id.rsplit("/", 1)[-1],
            text=f"{title}\n\n{text}" if title else text,
        )
    if not documents:
        raise BenchmarkFormatError("holds no document", path=str(path))
    return documents


def read_rows(path: Path) -> dict[str, Row]:
    """{_id: row} of a JSON Lines file, in file order.

    Raises:
        BenchmarkFormatError: no such file, a line that is no JSON object, half of a surrogate pair, a repeated `_id`.
    """
    rows: dict[str, Row] = {}
    for line, text in read_lines(path):
        if not text.strip():
            continue
        try:
            values = json.loads(text)
        except (ValueError, RecursionError) as exc:
            raise BenchmarkFormatError(f"no JSON object on one line ({exc})", path=str(path), line=line) from exc
        if not isinstance(values, dict):
            raise BenchmarkFormatError("a JSON object ({…}) is needed on each line", path=str(path), line=line)
        row = Row(path, line, values)
        if _SURROGATE.search(text) and not _is_encodable(values):
            raise row.fail(
                "half of a surrogate pair (\\ud800 to \\udfff) is no character; write the pair or the character"
            )
        row_id = row.id()
        if row_id in rows:
            raise row.fail(f"'_id' {row_id!r} stands twice; the first is in line {rows[row_id].line}")
        rows[row_id] = row
    return rows


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """(number from 1, text with its end) of each line; only a line feed ends one, since JSON may hold U+2028."""
    try:
        with path.open("rb") as handle:
            for number, content in enumerate(handle, start=1):
                yield number, content.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as exc:
        raise BenchmarkFormatError("is not UTF-8", path=str(path), line=number) from exc
    except OSError as exc:
        raise BenchmarkFormatError(f"cannot be read ({exc.strerror})", path=str(path)) from exc


def _is_encodable(values: Mapping[str, Any]) -> bool:
    try:
        json.dumps(values, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
