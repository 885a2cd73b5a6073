"""Judgements kept beside a suite, as TREC qrels by need id: `need 0 doc_id grade`. They join what the needs expect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from memeval.errors import SuiteFileError
from memeval.testbed.docids import DocIds
from memeval.testbed.needs import Need
from memeval.testbed.trec import QrelsRow, read_qrels_rows


def add_judgements(
    needs: Iterable[Need], path: Path | str, *, doc_ids: Iterable[str], suite_path: str
) -> tuple[Need, ...]:
    """The needs, each with the grades that the file gives it added to what it expects.

    A grade of 0 is a judgement too: the document was looked at and does not answer the need.

    Args:
        needs: as the suite file has them.
        path: the qrels file; its first column is a need's id, its ids are escaped as in every TREC file here.
        doc_ids: those of the corpus.
        suite_path: the suite file, for messages.

    Raises:
        SuiteFileError: at its line in the qrels file: a need or document that does not exist, a grade below 0, a grade
            that is not the one the suite or another line gives, a grade of 1 or more for a need with nothing stored.
        BenchmarkFormatError: the file cannot be read, or a row is broken.
    """
    known = {need.id: need for need in needs}
    documents = DocIds(doc_ids)
    added: dict[str, dict[str, QrelsRow]] = {need_id: {} for need_id in known}
    for row in read_qrels_rows(path):
        need, doc_id = _find_need(row, known, path, suite_path), documents.find(row.doc_id)
        if doc_id is None:
            raise _fail(
                row,
                path,
                f"document {row.doc_id!r} is not among the {len(documents)} files of the corpus."
                f"{documents.suggest(row.doc_id)}",
            )
        _check_grade(row, need, doc_id, added[need.id].get(doc_id), path, suite_path)
        added[need.id][doc_id] = row
    return tuple(
        _add_grades(need, {doc_id: row.grade for doc_id, row in added[need.id].items()}) for need in known.values()
    )


def _add_grades(need: Need, grades: Mapping[str, int]) -> Need:
    unanswering = tuple(doc_id for doc_id, grade in grades.items() if grade == 0 and doc_id not in need.expected)
    return replace(need, expected={**need.expected, **grades}, unanswering=unanswering)


def _find_need(row: QrelsRow, known: Mapping[str, Need], path: Path | str, suite_path: str) -> Need:
    if row.query_id not in known:
        near = get_close_matches(row.query_id, known, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise _fail(row, path, f"no need {row.query_id!r} in {suite_path}; the first column is the id of a need.{hint}")
    return known[row.query_id]


def _check_grade(
    row: QrelsRow, need: Need, doc_id: str, earlier: QrelsRow | None, path: Path | str, suite_path: str
) -> None:
    place = suite_path if need.line is None else f"{suite_path}:{need.line}"
    if row.grade < 0:
        raise _fail(row, path, f"grade {row.grade} is below 0; leave an unjudged document out")
    if need.expected.get(doc_id, row.grade) != row.grade:
        raise _fail(
            row,
            path,
            f"{doc_id!r} has grade {row.grade} for need {need.id!r} here and {need.expected[doc_id]} at {place}; "
            "make them equal, or drop one",
        )
    if earlier is not None and earlier.grade != row.grade:
        raise _fail(row, path, f"{doc_id!r} has grade {row.grade} here and {earlier.grade} in line {earlier.line}")
    if row.grade and not need.relevant:
        raise _fail(
            row,
            path,
            f"grade {row.grade} for need {need.id!r}, which has nothing stored at {place}; such a need takes only 0: "
            "write the document into its `expect`, or grade it 0",
        )


def _fail(row: QrelsRow, path: Path | str, message: str) -> SuiteFileError:
    return SuiteFileError(message, path=str(path), line=row.line)
