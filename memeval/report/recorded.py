"""What recorded sessions show, as lines for a terminal and as values for JSON. Finished values only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memeval.bench.recorded import NEED_RATES, SEARCH_RATES, RecordedRate, RecordedSummary, list_searches
from memeval.report.notation import UNDEFINED, add_interval, format_mean, format_rate, make_visible, pad, shorten
from memeval.sessions import Existence, RecordedNeed
from memeval.statistics.cusum import steady_delay
from memeval.statistics.watch import ALARM, NOT_ENOUGH, Watch
from memeval.text import count

NOTE = "Recorded rates inform and gate nothing: abandoned needs hide misses, and prompts may order rewording."
_DIGITS = 6


def write_summary(summary: RecordedSummary) -> list[str]:
    """The report, the first line of which says what was measured on what."""
    lines = [_write_sources(summary), _write_counts(summary), _write_needs(summary), ""]
    lines += _write_rates("needs", NEED_RATES, summary.rates)
    lines += _write_rates("searches", SEARCH_RATES, summary.rates)
    if summary.changes:
        told = ", ".join(f"{change.value} {number}" for change, number in sorted(summary.changes.items()))
        lines.append(f"further searches: {told}")
    if summary.evidence or summary.unknown_existence:
        told = ", ".join(f"{source} {number}" for source, number in sorted(summary.evidence.items()))
        unknown = f"unknown for {summary.unknown_existence}" if summary.unknown_existence else ""
        lines.append(
            f"that the file was there before is said by: {'; '.join(part for part in (told, unknown) if part)}"
        )
    for place, one in enumerate(summary.watches, start=1):
        lines += ["", *_write_watch(one, place, len(summary.watches), summary.searches_per_need)]
    return [*lines, "", NOTE]


def write_needs(needs: Iterable[RecordedNeed], existence: Mapping[str, Existence]) -> list[str]:
    """Each need with its searches and where they stand, so that every figure can be traced."""
    lines = []
    for need in needs:
        end = "satisfied" if need.is_satisfied else "abandoned"
        known = existence.get(need.id)
        there = "" if known is None else f", there before: {_write_existence(known)}"
        read = "" if need.answer is None else f", read {make_visible(need.answer)}{there}"
        lines.append(f"{make_visible(need.id)}  {end}, closed by {need.closing.value}{read}")
        for attempt in need.attempts:
            change = "first" if attempt.change is None else attempt.change.value
            for search in attempt.searches:
                shown = UNDEFINED if search.shown is None else count(len(search.shown), "file")
                asked = "(hashes)" if search.query is None else shorten(make_visible(search.query))
                lines.append(f"    {change}: {asked}  [{shown}]  {make_visible(search.place)}")
                change = "together with it"
        lines += [f"    beside: {shorten(make_visible(one.query or ''))}  {one.place}" for one in need.asked_beside]
    return lines


def describe_summary(
    summary: RecordedSummary, needs: Iterable[RecordedNeed], existence: Mapping[str, Existence]
) -> dict[str, Any]:
    """The figures and the needs they come from, for JSON; what is undefined is None."""
    return {
        "sources": dict(summary.sources),
        "first": summary.first and summary.first.isoformat(),
        "last": summary.last and summary.last.isoformat(),
        "sessions": summary.sessions,
        "agents": summary.agents,
        "events": dict(summary.kinds),
        "tools": dict(summary.tools),
        "prompts": summary.prompts,
        "orders": summary.orders,
        "needs": summary.needs,
        "needs_of_empty_store": summary.needs_of_empty_store,
        "rates": {name: _describe_rate(rate) for name, rate in summary.rates.items()},
        "changes": {change.value: number for change, number in sorted(summary.changes.items())},
        "evidence": dict(summary.evidence),
        "unknown_existence": summary.unknown_existence,
        "searches_per_need": summary.searches_per_need,
        "searches_per_session": summary.searches_per_session,
        "searches_per_prompt": summary.searches_per_prompt,
        "watches": [_describe_watch(one) for one in summary.watches],
        "recorded_needs": [_describe_need(need, existence.get(need.id)) for need in needs],
    }


def _write_sources(summary: RecordedSummary) -> str:
    read = sum(summary.sources.values())
    named = ", ".join(f"{name} {number}" for name, number in summary.sources.items())
    when = ""
    if summary.first is not None and summary.last is not None:
        days = dict.fromkeys((summary.first.date().isoformat(), summary.last.date().isoformat()))
        when = f", {' to '.join(days)}"
    return f"{count(read, 'recording')} ({named}){when}"


def _write_counts(summary: RecordedSummary) -> str:
    searches = count(summary.kinds["search"], "search", "searches")
    tools = ", ".join(f"{make_visible(tool)} {number}" for tool, number in summary.tools.items())
    others = f"{count(summary.kinds['read'], 'read')}, {count(summary.kinds['write'], 'write')}"
    agents = f", {count(summary.agents, 'sub-agent or branch', 'sub-agents and branches')}" if summary.agents else ""
    prompts = count(summary.prompts, "prompt") if summary.prompts else "no prompts recorded"
    if summary.orders:
        prompts += f", {summary.orders} of them or of the instructions order rewording"
    return f"{count(summary.sessions, 'session')}{agents}, {prompts}; {searches} ({tools or 'none'}), {others}"


def _write_needs(summary: RecordedSummary) -> str:
    means = f"searches: {format_mean(summary.searches_per_need)} a need, {format_mean(summary.searches_per_session)} a "
    means += f"session, {format_mean(summary.searches_per_prompt)} a prompt"
    empty = summary.needs_of_empty_store
    left = f"; {empty} asked of an empty store left out below" if empty else ""
    return f"{count(summary.needs, 'need')}{left}; {means}"


def _write_rates(of: str, names: Mapping[str, str], rates: Mapping[str, RecordedRate]) -> list[str]:
    width = max(map(len, (*NEED_RATES.values(), *SEARCH_RATES.values()))) + 2
    lines = [f"{pad(of, width)}share [95 %]         of"]
    for name, label in names.items():
        rate = rates.get(name)
        if rate is not None:
            lines.append(f"{pad(label, width)}{pad(_write_rate(rate), 19)}  {rate.successes:,} of {rate.n:,}")
    return [*lines, ""]


def _write_rate(rate: RecordedRate) -> str:
    if rate.interval is None:
        return UNDEFINED
    return add_interval(format_rate(rate.value), *map(format_rate, rate.interval))


def _write_watch(one: Watch, place: int, of: int, searches_per_need: float | None) -> list[str]:
    stretch = f", stretch {place} of {of}" if of > 1 else ""
    state = one.state
    if state == ALARM:
        state = f"ALARM at need {', '.join(map(str, one.alarms))}"
    elif state == NOT_ENOUGH:
        state = f"{NOT_ENOUGH}: {one.n} of {one.min_needs} needs"
    design, last = one.design, one.points[-1]
    tolerated = format_rate(design.tolerated)
    spacing = f"{one.spacing:,.0f} needs"
    if searches_per_need is not None:
        spacing += f" (about {one.spacing * searches_per_need:,.0f} searches)"
    if one.session_spacing is not None:
        spacing += f", {one.session_spacing:,.0f} with the needs of a session as alike as these"
    return [
        f"watch of zero-overlap retries{stretch}: {state}",
        f"  score {last.score} of {design.alarm}; moving average {format_rate(last.ewma)}; rate "
        f"{add_interval(format_rate(one.rate), *map(format_rate, one.interval))}; probability of "
        f"{format_rate(design.alarmed)} or more {format_rate(one.probability_alarmed)}",
        f"  at a rate of {tolerated} a false alarm every {spacing}; at {format_rate(design.alarmed)} it rings after "
        f"{steady_delay(design):,.0f}",
    ]


def _write_existence(existence: Existence) -> str:
    if existence.value is None:
        return "unknown"
    source = "" if existence.evidence is None else f" ({existence.evidence.value})"
    return f"{'yes' if existence.value else 'no'}{source}"


def _describe_rate(rate: RecordedRate) -> dict[str, Any]:
    return {
        "value": _round(rate.value),
        "successes": rate.successes,
        "n": rate.n,
        "interval": None if rate.interval is None else _round_all(rate.interval),
    }


def _describe_watch(one: Watch) -> dict[str, Any]:
    return {
        "state": one.state,
        "needs": one.n,
        "retries": one.retries,
        "min_needs": one.min_needs,
        "alarms": list(one.alarms),
        "tolerated": one.design.tolerated,
        "alarmed": one.design.alarmed,
        "up": one.design.up,
        "down": one.design.down,
        "alarm": one.design.alarm,
        "interval": _round_all(one.interval),
        "probability_alarmed": _round(one.probability_alarmed),
        "spacing": _round(one.spacing),
        "session_spacing": _round(one.session_spacing),
        "correlation": _round(one.correlation),
        "scores": [point.score for point in one.points],
        "ewma": [_round(point.ewma) for point in one.points],
    }


def _describe_need(need: RecordedNeed, existence: Existence | None) -> dict[str, Any]:
    return {
        "id": need.id,
        "reader": need.reader,
        "satisfied": need.is_satisfied,
        "closed_by": need.closing.value,
        "found_at": need.found_at,
        "zero_overlap": need.is_zero_overlap,
        "ordered": need.is_ordered,
        "read": list(need.reads),
        "read_unshown": list(need.unshown_reads),
        "existed_before": None if existence is None else existence.value,
        "evidence": None if existence is None or existence.evidence is None else existence.evidence.value,
        "wordings": [
            {
                "query": attempt.search.query,
                "change": None if attempt.change is None else attempt.change.value,
                "time": attempt.search.time and attempt.search.time.isoformat(),
                "shown": None if attempt.shown is None else list(attempt.shown),
                "places": [search.place for search in attempt.searches],
            }
            for attempt in need.attempts
        ],
        "searches": len(list_searches(need)),
    }


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _round_all(values: Sequence[float]) -> list[float | None]:
    return [_round(value) for value in values]
