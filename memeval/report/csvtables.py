"""The report's tables as CSV, for spreadsheets: every wording under every variant, and every figure of every variant.

UTF-8, a comma between cells, one line a row. No cell can be taken for a formula by a spreadsheet.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from memeval.bench.diagnosisfile import MissKey, ToldMiss
from memeval.bench.evaluation import Evaluation, QueryResult
from memeval.memory.disk import replace_file
from memeval.report.notation import make_visible
from memeval.report.pagedata import find_rank, list_expected, tell_why

NEEDS_FILE, VARIANTS_FILE = "needs.csv", "variants.csv"
MAX_FILES = 5
"""Files listed of what a search shows; `files_shown` counts all."""
BETWEEN = " | "
"""Stands between files in one cell."""

NEEDS_HEAD = (
    "suite",
    "need",
    "wording",
    "query",
    "lang",
    "kind",
    "elicited",
    "must_find",
    "variant",
    "verdict",
    "expected",
    "best_rank",
    "files_shown",
    "bytes_shown",
    "matched",
    "first_files",
    "reason",
    "diagnosis",
)
VARIANTS_HEAD = ("suite", "variant", "control", "metric", "value", "n", "low", "high")

_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")
"""What a spreadsheet takes for the start of a formula; full-width signs are taken for the others by some."""

Cell = str | int | float | bool | None


def write_tables(
    evaluation: Evaluation, folder: Path, diagnoses: Mapping[MissKey, ToldMiss] | None = None
) -> list[Path]:
    """The paths of needs.csv and variants.csv, written into `folder`.

    Raises:
        OSError: the folder or a file in it cannot be written.
    """
    tables = ((NEEDS_FILE, render_needs(evaluation, diagnoses)), (VARIANTS_FILE, render_variants(evaluation)))
    for name, text in tables:
        replace_file(folder / name, text, str(folder / name))
    return [folder / name for name, _ in tables]


def render_needs(evaluation: Evaluation, diagnoses: Mapping[MissKey, ToldMiss] | None = None) -> str:
    """A row for each suite, variant and wording, in the order of the record."""
    told = diagnoses or {}
    rows = (
        _list_cells(suite.name, variant.name, query, tell_why(told, suite.name, variant.name, query))
        for suite in evaluation.suites
        for variant in suite.variants
        for query in variant.queries
    )
    return _render(NEEDS_HEAD, rows)


def render_variants(evaluation: Evaluation) -> str:
    """A row for each suite, variant and metric, with its n and the ends of its interval."""

    def list_rows() -> Iterator[Sequence[Cell]]:
        for suite in evaluation.suites:
            for variant in suite.variants:
                for metric, value in variant.summary.items():
                    ends = value.interval or (None, None)
                    yield suite.name, variant.name, variant.control, metric, value.value, value.n, *ends

    return _render(VARIANTS_HEAD, list_rows())


def write_cell(cell: Cell) -> str:
    """A value as a spreadsheet reads it: nothing for None, true and false, and text that starts no formula."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int | float):
        return repr(cell)
    text = make_visible(cell)
    return f"'{text}" if _FORMULA.match(text) else text


def _list_cells(suite: str, variant: str, query: QueryResult, diagnosis: str | None) -> tuple[Cell, ...]:
    expected = list_expected(query)
    ranks = [rank for rank in (find_rank(query, doc_id) for doc_id in expected) if rank is not None]
    return (
        suite,
        query.need,
        query.wording + 1,
        query.text,
        query.lang,
        query.kind,
        query.elicited,
        query.must_find or query.need_must_find,
        variant,
        query.verdict,
        BETWEEN.join(expected),
        min(ranks, default=None),
        len(query.shown),
        query.bytes,
        query.matched,
        BETWEEN.join(query.shown[:MAX_FILES]),
        query.reason,
        diagnosis,
    )


def _render(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([write_cell(cell) for cell in row] for row in rows)
    return target.getvalue()
