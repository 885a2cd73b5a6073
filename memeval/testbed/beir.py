"""BEIR folders, read as suites and written from them: `corpus.jsonl`, `queries.jsonl`, `qrels/<split>.tsv`.

Reading is lenient where published folders need it, and only there: a qrels row with a document that `corpus.jsonl`
lacks is left out (ArguAna has five) and counted when its grade is >= 1, and so is a query left with no relevant
document for that reason; a negative grade means unjudged, as to trec_eval; odd `metadata` is ignored.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memeval.errors import BenchmarkFormatError
from memeval.testbed.beirrows import CORPUS, Row, is_beir, read_documents, read_lines, read_rows
from memeval.testbed.corpus import Corpus, digest_documents
from memeval.testbed.needs import Need, Query, Suite, Wording, digest_needs

__all__ = ["CORPUS", "QRELS", "QUERIES", "export_beir", "is_beir", "load_beir"]

QUERIES = "queries.jsonl"
QRELS = "qrels"
_HEADER = ("query-id", "corpus-id", "score")
_INTEGER = re.compile(r"[-+]?[0-9]{1,9}", re.ASCII)


def load_beir(path: Path | str, *, split: str | None = None) -> Suite:
    """The suite of a BEIR folder: one need with one wording for every judged query, in the order of `queries.jsonl`.

    A document's text is its title, a blank line and its text, or the text alone without a title; it is a note, whatever
    its `_id` looks like. A query without a judgement is left out and counted; one with only 0 grades has nothing
    stored. Of a query's metadata, `lang`, `kind`, `elicited` and `tags` are taken where they are texts.

    Args:
        path: the folder; its name is the suite's.
        split: which file of `qrels/`, without `.tsv`; default `test`, else the only one.

    Raises:
        BenchmarkFormatError: a missing file, a broken or repeated row, a grade that is no whole number, a qrels row
            with an unknown query, or no query left to ask.
    """
    folder = Path(path)
    documents = read_documents(folder / CORPUS)
    queries = read_rows(folder / QUERIES)
    qrels_path = _choose_qrels(folder / QRELS, split)
    judgements = _read_judgements(qrels_path, queries)

    needs: list[Need] = []
    unknown = 0
    for query_id, row in queries.items():
        grades = judgements.get(query_id)
        if grades is None:
            continue
        expected = {doc_id: grade for doc_id, grade in grades.items() if doc_id in documents}
        lost = sum(grade >= 1 for doc_id, grade in grades.items() if doc_id not in documents)
        unknown += lost
        if not lost or any(grade >= 1 for grade in expected.values()):
            needs.append(_build_need(query_id, row, expected))
    if not needs:
        raise BenchmarkFormatError(
            f"judges no query of {QUERIES} against a document of {CORPUS} "
            f"({unknown} rows name unknown documents); do the three files belong together?",
            path=str(qrels_path),
        )
    languages = {need.lang for need in needs}
    name = folder.resolve().name or "beir"
    ordered = tuple(documents[doc_id] for doc_id in sorted(documents))
    corpus = Corpus(
        name=name,
        documents=ordered,
        digest=digest_documents(ordered),
        kind="beir",
        languages=tuple(sorted(filter(None, languages))),
        root=str(path),
    )
    return Suite(
        name=name,
        path=str(path),
        corpus=corpus,
        needs=tuple(needs),
        digest=digest_needs(needs),
        lang=languages.pop() if len(languages) == 1 else None,
        kind="beir",
        unjudged_queries=len(queries) - len(needs),
        unknown_documents=unknown,
    )


def export_beir(suite: Suite, folder: Path | str) -> None:
    """Write a suite as a BEIR folder that loads as equal documents, queries and grades.

    Every wording becomes a query; its need and its place among the wordings are kept in the metadata. Where nothing is
    stored and no grade says so, one qrels row gives grade 0 to a document that does not exist, since a query
    without a row counts as unjudged.

    Raises:
        BenchmarkFormatError: the folder already holds one of the files; nothing was written.
    """
    target = Path(folder)
    paths = (target / CORPUS, target / QUERIES, target / QRELS / "test.tsv")
    for path in paths:
        if path.exists():
            raise BenchmarkFormatError("exists already; export to an empty folder", path=str(path))
    documents = suite.corpus.documents
    nothing = "nothing-stored"
    while any(document.doc_id == nothing for document in documents):
        nothing += "-"
    paths[2].parent.mkdir(parents=True, exist_ok=True)
    _write_json_lines(
        paths[0], ({"_id": document.doc_id, "title": "", "text": document.text} for document in documents)
    )
    _write_json_lines(
        paths[1],
        (
            {"_id": query.id, "text": query.wording.text, "metadata": _describe_query(suite, query)}
            for query in suite.queries()
        ),
    )
    with paths[2].open("w", encoding="utf-8", newline="\n") as handle:
        handle.write("\t".join(_HEADER) + "\n")
        for query_id, grades in suite.qrels().items():
            for doc_id, grade in (grades or {nothing: 0}).items():
                handle.write(f"{_quote_cell(query_id)}\t{_quote_cell(doc_id)}\t{grade}\n")


def _build_need(query_id: str, row: Row, expected: Mapping[str, int]) -> Need:
    text = row.text("text")
    if not text.strip():
        raise row.fail(f"query {query_id!r} is judged but has no text")
    metadata = row.values.get("metadata")
    known = metadata if isinstance(metadata, dict) else {}
    texts = {key: value for key, value in known.items() if isinstance(value, str) and value}
    tags = known.get("tags")
    return Need(
        id=query_id,
        expected=expected,
        wordings=(Wording(text=text, kind=texts.get("kind"), elicited=texts.get("elicited")),),
        lang=texts.get("lang"),
        tags=tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
        line=row.line,
    )


def _describe_query(suite: Suite, query: Query) -> dict[str, Any]:
    need, wording = query.need, query.wording
    metadata = {
        "need": need.id,
        "wording": query.index,
        "lang": wording.lang or need.lang or suite.lang,
        "kind": wording.kind,
        "elicited": wording.elicited,
        "tags": list(need.tags) or None,
    }
    return {key: value for key, value in metadata.items() if value is not None}


def _choose_qrels(folder: Path, split: str | None) -> Path:
    splits = {path.stem: path for path in sorted(folder.glob("*.tsv"))} if folder.is_dir() else {}
    known = ", ".join(splits) or "none"
    if split is not None:
        if split not in splits:
            raise BenchmarkFormatError(f"has no split {split!r}; there: {known}", path=str(folder))
        return splits[split]
    if "test" in splits:
        return splits["test"]
    if len(splits) != 1:
        raise BenchmarkFormatError(
            f"has no test.tsv and not just one other; choose a --split, there: {known}", path=str(folder)
        )
    return next(iter(splits.values()))


def _read_judgements(path: Path, queries: Mapping[str, Row]) -> dict[str, dict[str, int]]:
    """{query id: {doc_id: grade >= 0}}; a query whose grades are all negative has no entry."""
    judgements: dict[str, dict[str, int]] = {}
    reader = csv.reader((text for _, text in read_lines(path)), delimiter="\t", strict=True)
    first_of: dict[tuple[str, str], tuple[int, int]] = {}
    line, is_first = 1, True
    try:
        for cells in reader:
            if cells:
                is_header = is_first and _is_header(cells, queries)
                is_first = False
                if not is_header:
                    query_id, doc_id, grade = _read_judgement(path, line, cells, queries)
                    seen, seen_line = first_of.setdefault((query_id, doc_id), (grade, line))
                    if seen != grade:
                        raise BenchmarkFormatError(
                            f"{doc_id!r} has grade {grade} for query {query_id!r}, and {seen} in line {seen_line}",
                            path=str(path),
                            line=line,
                        )
                    if grade >= 0:
                        judgements.setdefault(query_id, {})[doc_id] = grade
            line = reader.line_num + 1
    except csv.Error as exc:
        raise BenchmarkFormatError(f"broken tab-separated row ({exc})", path=str(path), line=line) from exc
    return judgements


def _is_header(cells: list[str], queries: Mapping[str, Row]) -> bool:
    return len(cells) == len(_HEADER) and cells[0] not in queries and not _INTEGER.fullmatch(cells[2])


def _read_judgement(path: Path, line: int, cells: list[str], queries: Mapping[str, Row]) -> tuple[str, str, int]:
    if len(cells) != len(_HEADER):
        message = f"{len(cells)} tab-separated cells where 3 are needed: query id, document id, grade"
        raise BenchmarkFormatError(message, path=str(path), line=line)
    query_id, doc_id, grade = cells
    if not _INTEGER.fullmatch(grade):
        raise BenchmarkFormatError(f"grade {grade!r} is no whole number", path=str(path), line=line)
    if query_id not in queries:
        raise BenchmarkFormatError(f"query {query_id!r} is not in {QUERIES}", path=str(path), line=line)
    return query_id, doc_id, int(grade)


def _quote_cell(text: str) -> str:
    # csv.writer leaves a lone carriage return bare, which csv.reader then refuses
    return '"' + text.replace('"', '""') + '"' if re.search('[\t\n\r"]', text) else text


def _write_json_lines(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as handle:
        for row in rows:
            handle.write(json.dumps(row, ensure_ascii=False) + "\n")
