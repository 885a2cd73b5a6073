"""The report on a terminal: per suite what was measured, the table, and the needs that nothing finds."""

from __future__ import annotations

from memeval.bench.evaluation import Evaluation, SuiteResult
from memeval.report.misses import LostNeed, needs_missed_by_all, systems_of, ungradable_queries
from memeval.report.notation import MAX_FAULT_CHARACTERS, count, make_visible, shorten
from memeval.report.tables import render_terminal_table, write_caption

MAX_NEEDS_SHOWN = 3
MAX_FAULTS_SHOWN = 3
MAX_QUOTED = 160
"""Longest quoted text, in characters."""


def render_terminal(evaluation: Evaluation) -> str:
    """The text for a terminal, one block a suite, without a final newline and without colour."""
    if not evaluation.suites:
        return "nothing was measured: the evaluation holds no suite"
    return "\n\n".join(_render_suite(suite, evaluation) for suite in evaluation.suites)


def _render_suite(suite: SuiteResult, evaluation: Evaluation) -> str:
    lines = [write_caption(suite, evaluation, _quote(suite.name), _quote)]
    lines += [render_terminal_table(suite)] if suite.variants else ["no variant was run"]
    for variant in suite.variants:
        broken = ungradable_queries(variant)
        if broken or variant.error is not None:
            reasons = [variant.error] if variant.error is not None else [query.reason for query in broken]
            first, *others = dict.fromkeys(reason or "no reason given" for reason in reasons)
            share = f"{len(broken):,} of {count(len(variant.queries), 'wording')}"
            lines.append(f"UNGRADABLE  {_quote(variant.name)}: {share}; {_tell_fault(first)}")
            lines += [f"            {_tell_fault(other)}" for other in others[: MAX_FAULTS_SHOWN - 1]]
            if len(others) >= MAX_FAULTS_SHOWN:
                lines.append(f"            … {count(len(others) + 1 - MAX_FAULTS_SHOWN, 'more reason')} in the report")
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
