"""Why misses were missed, as text for a terminal: a block a need, then what they are and what would cure them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby

from memeval.bench.counterfactuals import COUNTERFACTUALS
from memeval.bench.missdiagnosis import DiagnosedMiss, Diagnosis, Outcome, Trial
from memeval.report.notation import UNDEFINED, count, make_visible, pad, shorten

MAX_DETAIL = 90
"""Characters of a query or a cure beside its ranks."""
MAX_FILES_NAMED = 3
MAX_WORDINGS_NAMED = 5
_INDENT = "  "


def render_diagnosis(diagnosis: Diagnosis) -> str:
    """The misses need by need, then classes, cures, what was left out and what could not be graded.

    One line where nothing is missed.
    """
    found = "found" if diagnosis.k is None else f"among the first {diagnosis.k}"
    title = f"{diagnosis.suite} · {diagnosis.variant}: {count(len(diagnosis.misses), 'miss', 'misses')}"
    head = f"{title} of {count(diagnosis.wordings, 'wording')}"
    broken = _render_ungraded(diagnosis)
    if broken:
        head += f", {len(diagnosis.ungraded):,} ungradable"
    elif not diagnosis.misses:
        return f"{head}: every one is {found}"
    if not diagnosis.misses:
        return f"{head}\n\n{broken}"
    needs = [list(misses) for _, misses in groupby(diagnosis.misses, key=lambda miss: miss.need)]
    blocks = [_render_need(misses) for misses in needs]
    ends = [_render_classes(diagnosis), _render_cures(diagnosis), _render_left_out(diagnosis)]
    return "\n\n".join([head, *blocks, *filter(None, [*ends, broken])])


def _render_need(misses: Sequence[DiagnosedMiss]) -> str:
    expected = misses[0].expected
    named = [make_visible(doc_id) for doc_id in expected[:MAX_FILES_NAMED]]
    more = [f"{len(expected) - MAX_FILES_NAMED} more"] * (len(expected) > MAX_FILES_NAMED)
    lines = [f"{misses[0].need}, expected {', '.join(named + more)}"]
    for miss in misses:
        lines += [f"{_INDENT}{line}" for line in _render_miss(miss)]
    return "\n".join(lines)


def _render_miss(miss: DiagnosedMiss) -> list[str]:
    stood = "no candidate" if miss.rank is None else f"rank {miss.rank}"
    lines = [
        f"{miss.id} “{make_visible(miss.query)}”: {stood} of {miss.matched}, {count(miss.shown, 'file')} shown",
        f"{_INDENT}class: {miss.miss_class.value} ({miss.rule})",
        f"{_INDENT}cure:  {make_visible(miss.cure) if miss.cure is not None else 'none of those tried'}",
    ]
    return lines + _align([_render_trial(trial, miss) for trial in miss.trials if trial.reason is None])


def _render_trial(trial: Trial, miss: DiagnosedMiss) -> tuple[str, ...]:
    asked = trial.query is not None and trial.query != miss.query
    detail = trial.cure if trial.cure is not None else f"“{trial.query}”" if asked else ""
    ranks = f"{_write_rank(trial.before)} -> {_write_rank(trial.after)}"
    verdict = "cures" if trial.outcome is Outcome.CURES else "–"
    return trial.name, ranks, verdict, shorten(make_visible(detail), MAX_DETAIL)


def _render_classes(diagnosis: Diagnosis) -> str:
    total = len(diagnosis.misses)
    rows = [("class", "misses", "share")]
    rows += [(name, f"{number:,}", _write_share(number, total)) for name, number in diagnosis.classes.items()]
    return "\n".join(_align(rows, indent=""))


def _render_cures(diagnosis: Diagnosis) -> str:
    if not diagnosis.cures:
        return "No cure that was tried works."
    costs = {each.name: each.cost.value for each in COUNTERFACTUALS}
    rows = [("cure, cheapest first", "cures", "cheapest for", "takes")]
    rows += [
        (name, f"{working:,}", f"{cheapest:,}", costs[name]) for name, (working, cheapest) in diagnosis.cures.items()
    ]
    return "\n".join(_align(rows, indent=""))


def _render_left_out(diagnosis: Diagnosis) -> str:
    """What was not run, by reason, and what did not apply, each with its misses; empty without any."""
    trials = [trial for miss in diagnosis.misses for trial in miss.trials]
    reasons: dict[str, Counter[str]] = {}
    for trial in trials:
        if trial.outcome is Outcome.NOT_RUN:
            reasons.setdefault(trial.reason or "", Counter())[trial.name] += 1
    lines = [
        f"{Outcome.NOT_RUN.value} (misses): {_name_counts(named)}: {make_visible(reason)}"
        for reason, named in reasons.items()
    ]
    unfit = Counter(trial.name for trial in trials if trial.outcome is Outcome.NOT_APPLICABLE)
    lines += [f"{Outcome.NOT_APPLICABLE.value} (misses): {_name_counts(unfit)}"] * bool(unfit)
    return "\n".join(lines)


def _render_ungraded(diagnosis: Diagnosis) -> str:
    """What cannot be graded, a line a reason with its wordings; empty without any."""
    reasons: dict[str, list[str]] = {}
    for one in diagnosis.ungraded:
        reasons.setdefault(one.reason, []).append(one.id)
    lines = []
    for reason, ids in reasons.items():
        more = f" and {len(ids) - MAX_WORDINGS_NAMED} more" if len(ids) > MAX_WORDINGS_NAMED else ""
        lines.append(f"ungradable: {', '.join(ids[:MAX_WORDINGS_NAMED])}{more}: {make_visible(reason)}")
    return "\n".join(lines)


def _name_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in counts.items())


def _align(rows: Sequence[tuple[str, ...]], indent: str = _INDENT) -> list[str]:
    """The rows in columns, two spaces between them."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))] if rows else []
    return [
        indent + "  ".join(pad(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


def _write_share(number: int, total: int) -> str:
    return "<1%" if 200 * number < total else f"{number / total:.0%}"


def _write_rank(rank: int | None) -> str:
    return UNDEFINED if rank is None else str(rank)
