"""The report on a terminal: per suite what was measured, the table, and the needs that nothing finds."""

from __future__ import annotations

from collections.abc import Sequence

from memeval.bench.evaluation import Evaluation, SuiteResult, Value
from memeval.report.arrangement import SMALL_NEEDS, arrange
from memeval.report.misses import LostNeed, needs_missed_by_all, systems_of, ungradable_queries
from memeval.report.notation import (
    MAX_FAULT_CHARACTERS,
    count,
    format_rate,
    make_visible,
    shorten,
    shorten_middle,
)
from memeval.report.retries import align_rows
from memeval.report.tables import (
    MAX_NAME_CHARACTERS,
    Series,
    read_metric,
    render_terminal_table,
    write_caption,
)

MAX_NEEDS_SHOWN = 3
MAX_FAULTS_SHOWN = 3
MAX_QUOTED = 160
"""Longest quoted text, in characters."""


def render_terminal(evaluation: Evaluation) -> str:
    """The text for a terminal, one block a suite, without a final newline and without colour.

    Of many suites those with most needs come first, and small ones have one line each, in a table at the end.
    """
    if not evaluation.suites:
        return "nothing was measured: the evaluation holds no suite"
    main, small = arrange(evaluation)
    blocks = [_render_suite(suite, evaluation) for suite in main.suites]
    return "\n\n".join([*blocks, *([_render_small(small)] if small else [])])


def _render_small(suites: Sequence[SuiteResult]) -> str:
    """A line a suite: how many of its wordings each variant finds, and the needs that none finds."""
    names = list(dict.fromkeys(variant.name for suite in suites for variant in suite.variants))
    rows = [["found", "needs", "n", *(shorten_middle(make_visible(name), MAX_NAME_CHARACTERS) for name in names), ""]]
    for suite in suites:
        asked = {variant.name: read_metric(variant, "found") for variant in suite.variants}
        column = Series("found", tuple(asked.get(name, Value(None, 0)) for name in names), format_rate)
        lost = len(needs_missed_by_all(suite))
        rows.append(
            [
                _quote(suite.name),
                f"{suite.needs:,}",
                "" if column.n is None else f"{column.n:,}",
                *column.write_cells(),
                f"{count(lost, 'need')} found by none" if lost else "",
            ]
        )
    head = f"{count(len(suites), 'small suite')}, of fewer than {SMALL_NEEDS} needs each; report.md has more of them"
    faults = [line for suite in suites for line in _tell_ungradable(suite, f"{_quote(suite.name)} · ")]
    return "\n".join([head, *align_rows(rows), *faults])


def _render_suite(suite: SuiteResult, evaluation: Evaluation) -> str:
    lines = [write_caption(suite, evaluation, _quote(suite.name), _quote)]
    lines += [render_terminal_table(suite)] if suite.variants else ["no variant was run"]
    lines += _tell_ungradable(suite)
    lost = needs_missed_by_all(suite)
    if lost:
        verb = "need is" if len(lost) == 1 else "needs are"
        shown = f" ({MAX_NEEDS_SHOWN} shown)" if len(lost) > MAX_NEEDS_SHOWN else ""
        systems = len(systems_of(suite))
        variants = f" of any of {systems} variants" if systems > 1 else ""
        lines.append(f"{len(lost):,} {verb} found by no wording{variants}{shown}:")
        for need in lost[:MAX_NEEDS_SHOWN]:
            lines += _render_need(need)
    return "\n".join(lines)


def _tell_ungradable(suite: SuiteResult, place: str = "") -> list[str]:
    """What could not be graded, each reason once; `place` stands before the variant's name."""
    lines: list[str] = []
    for variant in suite.variants:
        broken = ungradable_queries(variant)
        if broken or variant.error is not None:
            reasons = [variant.error] if variant.error is not None else [query.reason for query in broken]
            first, *others = dict.fromkeys(reason or "no reason given" for reason in reasons)
            share = f"{len(broken):,} of {count(len(variant.queries), 'wording')}"
            lines.append(f"UNGRADABLE  {place}{_quote(variant.name)}: {share}; {_tell_fault(first)}")
            lines += [f"            {_tell_fault(other)}" for other in others[: MAX_FAULTS_SHOWN - 1]]
            if len(others) >= MAX_FAULTS_SHOWN:
                lines.append(f"            … {count(len(others) + 1 - MAX_FAULTS_SHOWN, 'more reason')} in the report")
    return lines


def _render_need(lost: LostNeed) -> list[str]:
    """The need, the wording that came closest and the files; then which variant that was and why it is a miss."""
    expected, query = lost.group.expected, lost.query
    files = _quote(expected[0]) + (f" and {len(expected) - 1} more" if len(expected) > 1 else "")
    lines = [f'  {_quote(lost.group.need)}   "{_quote(query.text)}"   expected {files}']
    return lines if query.reason is None else [*lines, f"    {_quote(lost.variant)}: {_quote(query.reason)}"]


def _tell_fault(text: str) -> str:
    """The reason in full: what it says at its end is often how to mend it."""
    return shorten(make_visible(text), MAX_FAULT_CHARACTERS)


def _quote(text: str) -> str:
    return shorten(make_visible(text), MAX_QUOTED)
