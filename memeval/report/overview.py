"""All variants of a run in one Markdown table: quality, price and silence. Finished values only."""

from __future__ import annotations

from collections.abc import Sequence

from memeval.bench.evaluation import Evaluation
from memeval.bench.overview import VariantLine
from memeval.report.notation import (
    count,
    escape_prose,
    format_kibibytes,
    format_mean,
    format_rate,
)
from memeval.report.tables import render_markdown_table

HEADS = (
    "variant",
    "success@5",
    "success@10",
    "found",
    "evidence",
    "files shown",
    "KiB",
    "ms",
    "false hits",
    "silent, other letters",
    "silent, CJK",
)
LEGEND = (
    "Means over the suites, each counting the same. *success@k*: an expected file among the first k. *found*: one is "
    "displayed. *evidence*: what answers stands in the text displayed. *KiB*: displayed for a search. *ms*: median "
    "time of a search. *false hits*: something is displayed though nothing is stored. *silent*: nothing matched at "
    "all though a file answers, of wordings in Latin and other letters, and of those with Han, kana or Hangul."
)


def render_overview(lines: Sequence[VariantLine]) -> str:
    """The table, without a heading, ending without a newline."""
    rows = [
        [
            escape_prose(line.variant),
            *map(format_rate, (line.success_5, line.success_10, line.found, line.evidence)),
            format_mean(line.files_shown),
            format_kibibytes(line.bytes_shown),
            _format_time(line.milliseconds),
            *map(format_rate, (line.false_hits, line.silent.value, line.silent_own_text.value)),
        ]
        for line in lines
    ]
    return render_markdown_table(HEADS, rows)


def _format_time(milliseconds: float | None) -> str:
    """Milliseconds to a tenth, `<0.1` below: more digits in one column only say that a variant has nothing to do."""
    return "<0.1" if milliseconds is not None and milliseconds < 0.05 else format_mean(milliseconds)


def render_overview_page(
    evaluation: Evaluation, suites: Sequence[str], groups: Sequence[tuple[str, Sequence[VariantLine]]]
) -> str:
    """A page with a table for each group of suites, ending in a newline.

    Args:
        evaluation: what was measured, for its size and its model.
        suites: names of those that are told of.
        groups: (title, lines) in order.
    """
    told = [suite for suite in evaluation.suites if suite.name in suites]
    wordings = sum(suite.wordings for suite in told)
    parts = [
        "# Every variant side by side",
        f"{count(len(told), 'suite')}, {count(wordings, 'wording')}. {LEGEND}",
    ]
    embedder = evaluation.manifest.get("embedder")
    if embedder is not None:
        parts.append(f"Dense legs share one model: {escape_prose(str(embedder))}.")
    reranker = evaluation.manifest.get("reranker")
    if reranker is not None:
        parts.append(f"What reads its first hits again does so with one model: {escape_prose(str(reranker))}.")
    for title, lines in groups:
        parts += [f"## {escape_prose(title)}", render_overview(lines)]
    return "\n\n".join(parts) + "\n"
