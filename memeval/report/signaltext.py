"""Signals on a terminal: each signal with its interval, the state, the verdict and what the others would do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memeval.bench.evaluation import Evaluation, SuiteResult
from memeval.bench.replay import ENDING
from memeval.bench.signalrecord import (
    BY_EVIDENCE,
    BY_MIX,
    INSUFFICIENT,
    NEITHER,
    RECORDED,
    STAY,
    WATCH,
    SignalVerdict,
    StageOutcome,
)
from memeval.report.legend import INTERVAL, Word, write_legend
from memeval.report.notation import (
    UNDEFINED,
    count,
    format_kibibytes,
    format_milliseconds,
    list_names,
    make_visible,
    shorten,
)
from memeval.report.retries import write_mix, write_percent, write_share
from memeval.statistics.evidence import FIRES_AT
from memeval.statistics.trigger import State, min_needs

_LABEL = 28
"""Columns of a signal's name."""
MAX_NEEDS = 8
"""Needs named in a line; the record has all."""
_MAX_NAME = 60

STAGE_WORDS = {
    0: "take {name}",
    1: "write aliases: {name}",
    2: "add the local embedding: {name}",
}
LEGEND = (
    Word("S1 first", "S1 first wording misses", "the first search for a need shows no file that answers"),
    Word("[", "[low, high]", INTERVAL),
    Word(
        "S2 zero",
        "S2 zero-overlap retries",
        "missed at first, and found by a wording that shares no word with the first",
    ),
    Word(
        "trigger ",
        "trigger",
        "needs whose first wording no file that answers matches, however deep one looks: it alone decides",
    ),
    Word("   FIRING", "FIRING", "the trigger is above the threshold with 95 % confidence"),
    Word("   QUIET", "QUIET", "the trigger is at most twice the threshold with 95 % confidence"),
    Word("   WATCH", "WATCH", "the trigger may lie on either side of the threshold"),
    Word("   INSUFFICIENT", "INSUFFICIENT", "too few needs to say anything of the trigger"),
    Word("evidence ", "evidence", "recorded needs weighed one by one, since they are looked at again and again"),
    Word("S3 script", "S3 script gap", "found at first when asked in that suite's language, and not in this one"),
    Word(
        "S4 aliases", "S4 aliases remove", "share of the trigger's needs that other words kept in the files would find"
    ),
    Word("S5 beyond", "S5 beyond them an embedding", "share of the rest that search by meaning would find"),
    Word("S6 store", "S6 store", "what is searched; it explains and decides nothing"),
    Word(
        "mix: unmatched",
        "mix",
        "misses among wordings without a word of the file, and among those with one; "
        "behind the colon: from which share of the former the trigger fires",
    ),
    Word(
        "author's mix", "author's mix", "that share among the suite's first wordings; among real searches it may differ"
    ),
    Word("recorded mix", "recorded mix", "that share among the recorded searches"),
    Word(
        "STAGE ",
        "stage",
        "the cheapest step that helps enough: 0 another profile or tokeniser, 1 aliases, 2 a local embedding",
    ),
    Word(" would leave ", "would leave n", "the trigger's needs that remain if that step were taken instead"),
)
"""The words of the verdicts."""


def render_signals(evaluation: Evaluation) -> str:
    """The text of all verdicts, a block for each suite and variant, then a legend; without a final newline."""
    if not evaluation.signals:
        return "nothing was measured: the evaluation holds no verdict"
    suites = {suite.name: suite for suite in evaluation.suites}
    blocks: dict[tuple[str, str], list[SignalVerdict]] = {}
    for verdict in evaluation.signals:
        blocks.setdefault((verdict.suite, verdict.variant), []).append(verdict)
    told = "\n\n".join(
        "\n".join(_render_block(suites[suite], variant, verdicts, evaluation))
        for (suite, variant), verdicts in blocks.items()
    )
    return "\n\n".join([told, "\n".join(write_legend(told, LEGEND))])


def write_state(verdict: SignalVerdict) -> str:
    """The trigger, what it is judged by, and the state in capitals."""
    mix = verdict.mix
    needs = f"trigger {write_percent(verdict.not_matched.value)} of {count(verdict.n, 'need')}"
    told = []
    if verdict.state_by == BY_EVIDENCE:
        fired = "" if verdict.fired_at is None else f", reached at need {verdict.fired_at}"
        told.append(f"evidence {verdict.evidence_peak or 0.0:.3g}, fires at {FIRES_AT:g}{fired}")
    elif verdict.state_by == BY_MIX and mix.recorded is not None:
        told.append(
            f"{write_percent(mix.rate)} [{_cent(mix.low)}, {_cent(mix.high)}] at the recorded mix, "
            f"{write_percent(mix.recorded.value)} of {mix.recorded.n} without a word of the file"
        )
    else:
        fires, quiet = verdict.fires_from, verdict.quiet_up_to
        if verdict.state == State.INSUFFICIENT:  # the limits of so few needs hold for nothing
            limits = [f"below {min_needs(verdict.threshold)} needs nothing is decided"]
        else:
            limits = [f"fires from {fires} on"] if fires is not None else []
            limits += [f"quiet up to {quiet}"] if quiet is not None else []
        needs += f" at the author's mix ({', '.join([str(verdict.not_matched.count), *limits])})"
    told = [needs, f"threshold {write_percent(verdict.threshold)}", *told]
    if verdict.needs_to_decide and verdict.state_by != BY_MIX:
        told.append(f"{count(verdict.needs_to_decide, 'more need')} like these would decide")
    return f"{', '.join(told)}   {verdict.state.upper()}"


def write_verdict(verdict: SignalVerdict) -> str:
    """The verdict in words, without its full stop."""
    if verdict.decision in (STAY, WATCH):
        return verdict.decision
    if verdict.decision == INSUFFICIENT:
        more = verdict.needs_to_decide
        return "insufficient data" + (f": {count(more, 'more need')} would do" if more else "")
    if verdict.decision == NEITHER:
        needs = verdict.not_matched.needs
        named = ", ".join(make_visible(need) for need in needs[:MAX_NEEDS])
        rest = f" and {len(needs) - MAX_NEEDS} more" if len(needs) > MAX_NEEDS else ""
        return f"NEITHER, no stage that was run helps: look at these needs: {named}{rest}"
    chosen = find_chosen(verdict)
    assert chosen is not None
    what = "the profile " if chosen.stage == 0 and chosen.variant.isalnum() else ""
    words = STAGE_WORDS[chosen.stage].format(name=f'{what}"{chosen.variant}"')
    cure = "" if chosen.cures else ", which helps and does not cure"
    return f"{verdict.decision.upper()}, {words}{cure} · {write_effect(verdict, chosen)}"


def write_effect(verdict: SignalVerdict, outcome: StageOutcome) -> str:
    """What a step does on the same needs, and what it does elsewhere."""
    left = outcome.left.count if outcome.left else 0
    new = f", {len(outcome.new)} of them new" if outcome.new else ""
    return (
        f"on the same needs it leaves {left} of {count(verdict.not_matched.count, 'miss', 'misses')}{new} "
        f"and {write_elsewhere(outcome)}"
    )


def write_elsewhere(outcome: StageOutcome) -> str:
    """What becomes of the other wordings among the first five."""
    net = len(outcome.won) - len(outcome.lost)
    of = count(outcome.others, "other wording")
    moved = f" ({len(outcome.won)} in, {len(outcome.lost)} out)" if outcome.won or outcome.lost else ""
    if net < 0:
        return f"loses {-net} of {of} from the first five{moved}"
    if outcome.lost or len(outcome.false_hits) > outcome.false_hits_before:
        return f"elsewhere brings {net} of {of} into the first five{moved}"
    return "costs nothing elsewhere" + (f": {net} more of {of} in the first five" if net else "")


def write_others(verdict: SignalVerdict) -> list[str]:
    """What the other steps would leave, and which were not run or may not be recommended."""
    lines = []
    run = [one for one in verdict.stages if one.left is not None and one.variant != verdict.chosen]
    if run:
        told = [f"{one.variant} would leave {one.left.count if one.left else 0}{_note(one)}" for one in run]
        lines.append(", ".join(told))
    lines += [
        f"{one.variant} was refused: {one.refused}" for one in verdict.stages if one.refused and one.left is not None
    ]
    not_run: dict[str, list[str]] = {}
    for one in verdict.stages:
        if one.not_run is not None:
            not_run.setdefault(shorten(make_visible(one.not_run)), []).append(one.variant)
    lines += [f"not run: {', '.join(names)} ({why})" for why, names in not_run.items()]
    return lines


def write_cost(verdict: SignalVerdict, outcome: StageOutcome, evaluation: Evaluation, suite: str) -> str:
    """What a step costs: bytes, seconds, megabytes, packages."""
    parts = []
    if outcome.bytes_shown is not None and verdict.bytes_shown is not None:
        now, then = (format_kibibytes(value) for value in (outcome.bytes_shown, verdict.bytes_shown))
        parts.append(f"{now} KiB shown a search instead of {then}")
    if outcome.unstored_wordings:
        parts.append(
            f"files shown for {len(outcome.false_hits)} of {count(outcome.unstored_wordings, 'wording')} with nothing "
            f"stored instead of {outcome.false_hits_before}"
        )
    timing = evaluation.timings.get(suite, {}).get(outcome.variant, {})
    seconds, each = timing.get("build_seconds"), timing.get("p50_ms")
    if seconds is not None:
        parts.append(f"{seconds:.2g} s to start")
    if each is not None:
        parts.append(f"{format_milliseconds(each)} ms a search")
    if outcome.store_bytes:
        parts.append(f"{format_kibibytes(outcome.store_bytes)} KiB of aliases in the store")
    if outcome.packages:
        size = timing.get("megabytes")
        named = list_names(list(outcome.packages))
        parts.append(f"to install: {named}" + (f" ({size:g} MB)" if size is not None else ""))
    else:
        parts.append("nothing to install")
    if outcome.model:
        parts.append(f"model {shorten(outcome.model, _MAX_NAME)}")
    return "cost: " + ", ".join(parts)


def find_chosen(verdict: SignalVerdict) -> StageOutcome | None:
    """The step that is recommended; None where none is."""
    return next((one for one in verdict.stages if one.variant == verdict.chosen), None)


def find_result(evaluation: Evaluation, verdict: SignalVerdict) -> SuiteResult | None:
    """The results that a verdict stands on: those of its suite, or of the recorded needs over the same store."""
    name = verdict.suite + (ENDING if verdict.basis == RECORDED else "")
    return next((suite for suite in evaluation.suites if suite.name == name), None)


def write_under(outcome: StageOutcome) -> str:
    """The state of the trigger under a step, and at which mix of first searches it would fire."""
    return f"under it the trigger is {outcome.state}" + (f"; {write_mix(outcome.mix)}" if outcome.mix else "")


def name_language(verdict: SignalVerdict) -> str:
    """The language of a verdict as it stands in front of it."""
    return "all" if verdict.lang is None else make_visible(verdict.lang)


def _render_block(
    suite: SuiteResult, variant: str, verdicts: Sequence[SignalVerdict], evaluation: Evaluation
) -> Iterable[str]:
    names = [shorten(make_visible(name), _MAX_NAME) for name in (suite.name, variant)]
    needs = " · ".join(_write_needs(verdict) for verdict in verdicts)
    yield f"{names[0]} · {count(suite.documents, 'file')} · variant {names[1]} · {needs}"
    width = max(len(_head(verdict)) for verdict in verdicts)
    for verdict in verdicts:
        pad = " " * width
        for place, line in enumerate(_list_signals(verdict)):
            yield f"{_head(verdict).ljust(width) if place == 0 else pad}  {line}".rstrip()
    for verdict in verdicts:
        if verdict.decides:
            lead = f"verdict {name_language(verdict)}: "
            yield f"{lead}{write_verdict(verdict)}"
            yield from (f"{' ' * len(lead)}{line}" for line in _list_consequences(verdict, evaluation))


def _list_consequences(verdict: SignalVerdict, evaluation: Evaluation) -> Iterable[str]:
    chosen, result = find_chosen(verdict), find_result(evaluation, verdict)
    if chosen is not None and result is not None:
        yield write_cost(verdict, chosen, evaluation, result.name)
        yield write_under(chosen)
    yield from write_others(verdict)


def _list_signals(verdict: SignalVerdict) -> Iterable[str]:
    yield _line(
        "S1 first wording misses",
        write_share(verdict.missed_first),
        f"not matched {write_percent(verdict.not_matched.value)} · matched but not shown "
        f"{write_percent(verdict.not_shown.value)}",
    )
    recorded = ""
    if verdict.basis == RECORDED:
        recorded = f"(recorded, {count(verdict.n, 'need')}; {verdict.abandoned} abandoned, with them "
        recorded += f"{write_percent(verdict.zero_overlap_most)} at most)"
    yield _line("S2 zero-overlap retries", write_share(verdict.zero_overlap), recorded)
    yield write_state(verdict)
    if verdict.script is not None:
        gap = verdict.script
        low, high = (f"{100 * end:.0f}" for end in gap.interval)
        yield _line(
            f"S3 script gap to {shorten(make_visible(gap.suite), 11)}",
            f"{100 * gap.value:.0f} pt [{low}, {high}]",
            f"{count(gap.n, 'need')} in both{', FIRING' if gap.fires else ''}",
        )
    if verdict.aliases_remove is not None:
        net = verdict.aliases_net or 0
        yield _line(
            "S4 aliases remove", write_percent(verdict.aliases_remove), f"{net:+d} other wordings in the first five"
        )
    if verdict.embedding_removes is not None:
        yield _line("S5 beyond them an embedding", write_percent(verdict.embedding_removes), "")
    yield _line("S6 store", *_write_census(verdict))
    yield write_mix(verdict.mix)
    yield f"author's mix: {write_share(verdict.mix.first_unseen)} of first wordings are without a word of the file"
    left_out = [
        (verdict.ungradable, "ungradable"),
        (verdict.without_free, "without a free wording"),
    ]
    told = [f"{count(number, 'need')} {why}" for number, why in left_out if number]
    if told:
        yield f"left out: {', '.join(told)}"
    if not verdict.decides:
        yield "this explains; the recorded needs decide" if verdict.basis != RECORDED else "too few to decide"


def _write_census(verdict: SignalVerdict) -> tuple[str, str]:
    census = verdict.census
    told = [f"context block cut by {write_percent(census.cut_share)}"] if census.cut_share is not None else []
    told.append(f"{write_percent(census.consistency)} of the words asked stand in the file (median)")
    told += [note.upper() for note in census.notes]
    return f"{count(census.files, 'file')}, {f'{format_kibibytes(census.bytes)} KiB'}", " · ".join(told)


def _write_needs(verdict: SignalVerdict) -> str:
    kind = "recorded need" if verdict.basis == RECORDED else "need"
    order = "" if verdict.is_labelled or verdict.basis == RECORDED else ", wordings as given"
    return f"{name_language(verdict)} {count(verdict.n, kind)}{order}"


def _head(verdict: SignalVerdict) -> str:
    return name_language(verdict) + (" recorded" if verdict.basis == RECORDED else "")


def _line(label: str, figure: str, more: str) -> str:
    return f"{label.ljust(_LABEL)} {figure.rjust(14)}   {more}".rstrip()


def _note(outcome: StageOutcome) -> str:
    """What speaks against a step, or what it takes."""
    notes = [list_names(list(outcome.packages))] if outcome.packages else []
    net = len(outcome.won) - len(outcome.lost)
    notes += [f"loses {-net} elsewhere"] if net < 0 else []
    return f" ({', '.join(notes)})" if notes else ""


def _cent(value: float | None) -> str:
    return UNDEFINED if value is None else f"{100 * value:.0f}"
