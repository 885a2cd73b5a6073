"""A comparison as text for a terminal: what was compared on what, what was lost and won, and the exit code last."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from memeval.bench.comparison import CellMoves, Comparison, Fault
from memeval.bench.figures import EXACT_TIE, LOST, SOLID, WON, Figure, Flip
from memeval.bench.front import FrontPoint
from memeval.bench.matching import Difference
from memeval.bench.outcome import Outcome
from memeval.bench.promises import Promise
from memeval.bench.rulers import RulerEffect
from memeval.bench.subjects import MULTI_VAR
from memeval.report.legend import COMPARISON, write_legend
from memeval.report.notation import (
    count,
    format_difference,
    format_kibibytes,
    format_milliseconds,
    format_rate,
    list_names,
    make_visible,
    measure_width,
    pad,
    shorten,
)
from memeval.statistics.intervals import Interval

MAX_FLIPS = 10
"""Wordings named of what a variant lost on a suite, and of what it won; the JSON has all."""
MAX_PARTS = 20
MAX_CELLS = 6
"""Variants on suites whose wordings are named; of the others that changed the figures alone are told."""
MAX_TEXT = 60
MAX_NAMES = 4


def render_comparison(comparison: Comparison, *, front: bool = False) -> str:
    """The text for a terminal, without a final newline and without colour.

    Args:
        comparison: what is told.
        front: with the table of found against bytes against time, for every variant of head.
    """
    blocks = [
        _write_heading(comparison),
        _write_faults(comparison),
        _write_absences(comparison),
        _write_promises(comparison.lost_promises),
        *_write_cells(comparison),
        _write_front(comparison.front) if front else "",
        "\n".join(f"note: {_clean(caution.text, 400)}" for caution in comparison.cautions),
    ]
    told = "\n\n".join(filter(None, blocks))
    return "\n\n".join(filter(None, [told, "\n".join(write_legend(told, COMPARISON)), write_verdict(comparison)]))


def list_changes(comparison: Comparison) -> tuple[str, ...]:
    """One line a change, for the record of why a baseline was accepted; () where nothing changed."""
    lines = [
        f"lost, and must be found: {_place(one.suite, one.variant)}: {one.name}" for one in comparison.lost_promises
    ]
    lines += [f"vanished: {_tell_part(absence.part)}" for absence in comparison.absences]
    lines += [f"new: {_tell_part(part)}" for part in comparison.added]
    lines += [f"moved: {_place(one.suite, one.variant)}: {'; '.join(map(str, one.moves))}" for one in comparison.moves]
    lines += [f"not compared: {_place(fault.suite, fault.variant)}: {fault.text}" for fault in comparison.faults]
    lines += [
        f"{_place(figure.suite, figure.variant)}: {figure.metric} {format_rate(figure.base)} → "
        f"{format_rate(figure.head)}, {_format_net(figure.net)} of {count(figure.needs, 'need')}"
        for figure in comparison.figures
        if figure.flips
    ]
    return tuple(lines)


def write_verdict(comparison: Comparison) -> str:
    """The last line: the exit code and the reason for it."""
    code = comparison.exit_code
    over = [figure for figure in comparison.figures if figure.outcome is Outcome.REGRESSION]
    vanished = [absence.part for absence in comparison.absences if not absence.is_allowed]
    deep = [figure for figure in comparison.figures if figure.outcome is Outcome.INVALID]
    reasons = []
    if code == 3:
        reasons = [_tell_fault(fault) for fault in comparison.faults if fault.outcome is Outcome.INVALID]
        reasons += [f"{_place(f.suite, f.variant)}: {f.metric} lies beyond the depth that base stores" for f in deep]
    elif code == 2:
        reasons = [_tell_fault(fault) for fault in comparison.faults]
    elif code == 1:
        if comparison.lost_promises:
            reasons.append(_tell_lost(len(comparison.lost_promises)))
        reasons += [
            f"{_place(f.suite, f.variant)}: {f.metric} {_format_net(f.net)}, {_budget(f)} may be lost" for f in over[:2]
        ]
        reasons += [f"{count(len(over) - 2, 'more gate')} failed"] if len(over) > 2 else []
        reasons += [f"{count(len(vanished), 'part')} vanished (--allow {_allowance(vanished[0])})"] if vanished else []
    else:
        undecided = [f for f in comparison.figures if f.outcome is Outcome.UNDECIDED]
        if undecided:
            reasons = [f"undecided: {f.metric} on {_place(f.suite, f.variant)}" for f in undecided[:2]]
            reasons.append("judge what came up (--patch FILE)")
        elif comparison.rules.gates:
            reasons = ["every gate holds"]
        else:
            reasons = ["no must-find need was lost; no budget was set (--gate success@5:2needs sets one)"]
    return f"exit {code}: {_clean('; '.join(reasons), 600)}"


def _write_heading(comparison: Comparison) -> str:
    sides = f"{_clean(comparison.base.label)} → {_clean(comparison.head.label)}"
    if not comparison.suites:
        return f"{sides} · nothing was compared"
    measured = [
        sides,
        _count_or_name(comparison.suites, "suite"),
        _count_or_name(comparison.variants, "variant"),
        f"{count(comparison.needs, 'need')}, {count(comparison.wordings, 'wording')} in both",
    ]
    lines = [" · ".join(measured), f"{_tell_ruler(comparison)} · {_tell_subject(comparison)}"]
    for gate in comparison.rules.gates:
        told = f"gate {gate}: fails above {count(gate.budget, 'need')} lost, net"
        fewest = [f.fewest for f in comparison.figures if f.metric == gate.measure.name and f.fewest is not None]
        if fewest and comparison.rules.require_significance:
            told += f"; {fewest[0]} at the least, for p {comparison.rules.alpha:g} or less (Holm)"
        lines.append(told)
    return "\n".join(lines)


def _tell_ruler(comparison: Comparison) -> str:
    moved = comparison.moved_rulers
    return f"ruler moved: {_names(moved)}" if moved else "ruler unchanged"


def _tell_subject(comparison: Comparison) -> str:
    """What moved of the subject, where it is the same on all suites; else that it is told with each."""
    moves = dict.fromkeys(move for cell in comparison.moves for move in cell.moves)
    old, new = comparison.base.commit, comparison.head.commit
    code = f"code {old[:7]} → {new[:7]}" if old and new and old != new else ""
    if not moves:
        return f"subject: {code}" if code else "subject: its configuration is unchanged"
    told = [str(move) for move in moves]
    return f"subject: {_clean(', '.join(told[:MAX_NAMES]))}{' …' if len(told) > MAX_NAMES else ''}"


def list_cures(comparison: Comparison) -> tuple[str, ...]:
    """What to do about what was not compared, each once; () where nothing is to be said."""
    return tuple(dict.fromkeys(fault.cure for fault in comparison.faults if fault.cure is not None))


def _write_faults(comparison: Comparison) -> str:
    lines = [f"{fault.outcome.value.upper()}  {_clean(_tell_fault(fault), 400)}" for fault in comparison.faults]
    return "\n".join([*lines, *list_cures(comparison)])


def _tell_fault(fault: Fault) -> str:
    place = _place(fault.suite, fault.variant)
    return f"{place}: {fault.text}" if place else fault.text


def _write_absences(comparison: Comparison) -> str:
    lines = []
    for absence in comparison.absences[:MAX_PARTS]:
        choice = f", or choose with --{absence.part.kind}" if absence.part.kind in ("suite", "variant") else ""
        allowed = "allowed" if absence.is_allowed else f"--allow {_allowance(absence.part)}{choice}"
        lines.append(f"vanished  {_tell_part(absence.part)}  ({allowed})")
    lines += _tell_rest(len(comparison.absences), MAX_PARTS)
    added = [_tell_part(part) for part in comparison.added]
    lines += [f"new, not compared  {text}" for text in added[:MAX_PARTS]] + _tell_rest(len(added), MAX_PARTS)
    return "\n".join(lines)


def _tell_part(part: Difference) -> str:
    place = f" of {_clean(part.suite)}" if part.suite is not None else ""
    text = f": {_clean(part.text)}" if part.text else ""
    return f"{part.kind} {_clean(part.name)}{place}{text}"


def _allowance(part: Difference) -> str:
    return f"{part.kind}:{_clean(part.name)}"


def _write_promises(promises: Sequence[Promise]) -> str:
    lines = []
    for promise in promises[:MAX_PARTS]:
        texts = ", ".join(f'"{_clean(text)}"' for text in promise.texts[:MAX_NAMES])
        how = f"no wording finds it now ({texts})" if promise.is_need else f"{texts} does not find it now"
        lines.append(f"MUST FIND  {_place(promise.suite, promise.variant)}: {_clean(promise.name)}: {how}")
    return "\n".join([*lines, *_tell_rest(len(promises), MAX_PARTS)])


def _write_cells(comparison: Comparison) -> list[str]:
    """A block for each variant and suite in which anything is not as it was, and a line for the rest."""
    moves = {(one.suite, one.variant): one for one in comparison.moves}
    effects: dict[tuple[str, str], list[RulerEffect]] = {}
    for effect in filter(_is_any, comparison.ruler_effects):
        effects.setdefault((effect.suite, effect.variant), []).append(effect)
    cells: dict[tuple[str, str], list[Figure]] = {}
    for figure in comparison.figures:
        cells.setdefault((figure.suite, figure.variant), []).append(figure)
    several = len(comparison.gated_figures) > 1
    blocks: list[str] = []
    for key, figures in cells.items():
        if _has_moved(figures) or key in effects:
            named = len(blocks) < MAX_CELLS
            blocks.append(_write_cell(key, figures, moves.get(key), effects.get(key, []), several=several, named=named))
    if comparison.ruler_effects and not effects:
        blocks.append("the moved needs change no figure")
    same = len(cells) - sum(key in effects or _has_moved(figures) for key, figures in cells.items())
    if same:
        others = count(same, "other pair") if blocks else count(same, "pair")
        blocks.append(f"nothing changed on {others} of suite and variant")
    return blocks


def _has_moved(figures: Sequence[Figure]) -> bool:
    return any(figure.flips or figure.outcome is not Outcome.CLEAN for figure in figures)


def _is_any(effect: RulerEffect) -> bool:
    """Whether any part of it is more than zero."""
    return any(end for part in (effect.ruler, effect.subject, effect.interaction) for end in (part.low, part.high))


def _write_cell(
    key: tuple[str, str],
    figures: Sequence[Figure],
    moves: CellMoves | None,
    effects: Sequence[RulerEffect],
    *,
    several: bool,
    named: bool,
) -> str:
    mark = f" · {MULTI_VAR}" if moves is not None and moves.is_multi_var else ""
    lines = [f"{_place(*key)}{mark}"]
    for direction in (LOST, WON) if named else ():
        lines += _write_flips([(flip, figure.metric) for figure in figures for flip in figure.flips], direction)
    told = [figure for figure in figures if figure.needs and (figure.flips or figure.is_gated)]
    width = max((len(figure.metric) for figure in told), default=0)
    lines += [f"  {_write_figure(figure, width, several)}" for figure in told]
    lines += [
        f"  {effect.metric}: ruler {_format_effect(effect.ruler)} · subject {_format_effect(effect.subject)} · "
        f"interaction {_format_effect(effect.interaction)} · total {_format_effect(effect.total)} "
        f"(means over {count(effect.needs, 'need')} that both rulers have)"
        for effect in effects
    ]
    return "\n".join(lines)


def _write_flips(flips: Sequence[tuple[Flip, str]], direction: str) -> list[str]:
    """What was lost, or won: a line a wording, with the measures that say so."""
    grouped: dict[str, list[tuple[Flip, str]]] = {}
    for flip, metric in flips:
        if flip.direction == direction:
            grouped.setdefault(flip.query, []).append((flip, metric))
    if not grouped:
        return []
    needs = {flip.need for rows in grouped.values() for flip, _ in rows}
    head = f"  {direction}  {count(len(grouped), 'wording')} of {count(len(needs), 'need')}"
    rows = [(f'    {_clean(query)}  "{_clean(rows[0][0].text)}"', _tell_flip(rows)) for query, rows in grouped.items()]
    width = min(max(measure_width(left) for left, _ in rows[:MAX_FLIPS]), 90)
    lines = [head, *(f"{pad(left, width)}  {right}" for left, right in rows[:MAX_FLIPS])]
    return lines + [f"    {line}" for line in _tell_rest(len(rows), MAX_FLIPS)]


def _tell_flip(rows: Sequence[tuple[Flip, str]]) -> str:
    flip = rows[0][0]
    moved = f"rank {_format_rank(flip.base_rank)} → {_format_rank(flip.head_rank)}  "
    ranks = moved if flip.base_rank or flip.head_rank else ""
    strengths = dict.fromkeys(one.strength for one, _ in rows)
    told = []
    for strength in strengths:
        metrics = list_names([metric for one, metric in rows if one.strength == strength])
        does_not = ", does not count" if strength == EXACT_TIE else ""
        told.append(metrics if strength == SOLID else f"{metrics} ({strength}{does_not})")
    must = "  must find" if any(one.must_find for one, _ in rows) else ""
    return f"{ranks}{', '.join(told)}{must}"


def _write_figure(figure: Figure, width: int, several: bool) -> str:
    n = figure.needs
    parts = [
        f"{figure.metric:<{width}}  {format_rate(figure.base)} → {format_rate(figure.head)}",
        f"{_format_net(figure.net)} of {count(n, 'need')} {_format_interval(figure.interval)}",
        f"p {_format_p(figure.p)}",
    ]
    if figure.adjusted_p is not None and several:
        parts[-1] += f" (Holm {_format_p(figure.adjusted_p)})"
    if figure.is_gated:
        parts.append(_tell_gate(figure))
    parts.append(_tell_detectable(figure))
    return "   ".join(parts)


def _tell_gate(figure: Figure) -> str:
    allowed = f"{_budget(figure)} may be lost"
    if figure.outcome is Outcome.REGRESSION:
        return f"OVER THE BUDGET: {allowed}"
    if figure.outcome is Outcome.UNDECIDED:
        ends = f"{_format_net(figure.worst_net)} to {_format_net(figure.best_net)}"
        return f"UNDECIDED: {allowed}; {ends} by what nobody judged"
    if figure.outcome is Outcome.INVALID:
        return f"INVALID: {count(figure.unknown, 'wording')} decided beyond the stored depth"
    if -figure.net > (figure.budget or 0):
        return f"over the budget ({allowed}), and not significant"
    return f"holds: {allowed}"


def _tell_detectable(figure: Figure) -> str:
    if figure.detectable is None:
        return f"on new needs, {count(figure.needs, 'need')} can show no loss"
    return f"this suite can see a loss of {math.ceil(100 * figure.detectable / figure.needs)} pt or more on new needs"


def _write_front(points: Sequence[FrontPoint]) -> str:
    lines = []
    for suite in dict.fromkeys(point.suite for point in points):
        of_suite = [point for point in points if point.suite == suite]
        width = max(measure_width(_clean(point.variant)) for point in of_suite)
        lines.append(f"{_clean(suite)}: found, KiB shown, ms a search")
        for point in of_suite:
            beaten = f"  dominated by {_names(point.dominated_by)}" if point.dominated_by else ""
            lines.append(
                f"  {pad(_clean(point.variant), width)}  {format_rate(point.found)}  "
                f"{format_kibibytes(point.bytes_shown):>6}  {format_milliseconds(point.milliseconds):>6}{beaten}"
            )
    return "\n".join(lines)


def _count_or_name(names: Sequence[str], noun: str) -> str:
    return _names(names) if len(names) <= 2 else count(len(names), noun)


def _names(names: Iterable[str]) -> str:
    every = [_clean(name) for name in names]
    more = f" and {len(every) - MAX_NAMES} more" if len(every) > MAX_NAMES else ""
    return f"{', '.join(every[:MAX_NAMES])}{more}" if more else list_names(every)


def _tell_rest(number: int, shown: int) -> list[str]:
    return [f"… {number - shown:,} more (--json has all)"] if number > shown else []


def _place(suite: str | None, variant: str | None) -> str:
    return " · ".join(_clean(part) for part in (suite, variant) if part is not None)


def _tell_lost(number: int) -> str:
    return f"{count(number, 'must-find need')} {'was' if number == 1 else 'were'} lost"


def _budget(figure: Figure) -> str:
    return count(figure.budget or 0, "need")


def _format_net(net: Fraction) -> str:
    if net == 0:
        return "±0"
    value = f"{abs(net)}" if net.denominator == 1 else f"{abs(float(net)):.2f}"
    return f"{'+' if net > 0 else '−'}{value}"


def _format_interval(interval: Interval | None) -> str:
    """In whole needs, outwards: never narrower than it is."""
    if interval is None:
        return ""
    ends = (math.floor(interval.low), math.ceil(interval.high))
    return "[" + ", ".join(f"{end:+d}".replace("-", "−") if end else "0" for end in ends) + "]"


def _format_effect(effect: Interval) -> str:
    if effect.low == effect.high:
        return format_difference(effect.low)
    return f"{format_difference(effect.low)} to {format_difference(effect.high)}"


def _format_p(p: float) -> str:
    return "1" if p >= 1 else "<0.001" if p < 0.001 else f"{p:.2g}" if p < 0.1 else f"{p:.2f}"


def _format_rank(rank: int | None) -> str:
    return "none" if rank is None else str(rank)


def _clean(text: str, limit: int = MAX_TEXT * 2) -> str:
    return shorten(make_visible(text), limit)
