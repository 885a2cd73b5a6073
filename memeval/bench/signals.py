"""The signals and their verdict: is plain text still enough, and if not, which is the cheapest stage that cures?"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memeval.bench.asked import Asked, AskedNeed, ask_needs, find_kinds, mean_bytes, share_needs, split_languages
from memeval.bench.census import take_census
from memeval.bench.climbing import climb
from memeval.bench.evaluation import Evaluation, QueryResult, SuiteResult
from memeval.bench.gaps import ScriptGap, find_script_gaps
from memeval.bench.ladder import Step, list_steps, measure_megabytes
from memeval.bench.manifest import describe_run
from memeval.bench.mixing import measure_mix
from memeval.bench.replay import Replay
from memeval.bench.retries import count_unmatched
from memeval.bench.run import Clock, Progress, build_suite_result, evaluate
from memeval.bench.shares import Mix, Share
from memeval.bench.signalrecord import (
    BY_COUNT,
    BY_EVIDENCE,
    BY_MIX,
    INSUFFICIENT,
    NEITHER,
    RECORDED,
    STAGES,
    STAY,
    WATCH,
    WRITTEN,
    ScriptDifference,
    SignalVerdict,
)
from memeval.bench.signalrules import SignalRules
from memeval.bench.summary import DEFAULT_DEPTH, DEFAULT_KS, INTERVAL_DIGITS
from memeval.retrieval.base import DEFAULT_BUDGET_BYTES, Variant
from memeval.statistics.evidence import Evidence, follow_evidence
from memeval.statistics.intervals import clopper_pearson_high, clopper_pearson_low
from memeval.statistics.trigger import (
    State,
    fires_from,
    judge_bounds,
    judge_count,
    needs_to_decide,
    quiet_up_to,
)
from memeval.testbed.needs import Suite
from memeval.testbed.scripts import base_language

if TYPE_CHECKING:
    from memeval.embedding.base import Embedder, Reranker

MIN_MIX_NEEDS = 20
"""Recorded needs from which on their mix replaces the author's."""


def measure_signals(
    suites: Sequence[Suite],
    variants: Sequence[Variant],
    rules: SignalRules | None = None,
    *,
    replays: Mapping[str, Replay] | None = None,
    embedder: Embedder | None = None,
    models: Mapping[str, Embedder] | None = None,
    reranker: Reranker | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    clock: Clock = time.perf_counter,
) -> Evaluation:
    """The evaluation of the variants under test, with a verdict for each suite, language and variant in `signals`.

    Where the trigger fires, the steps of the ladder are run on the same suite, and stand in the evaluation, too.

    Args:
        suites: loaded suites, of different names.
        variants: those under test.
        rules: threshold, ladder and limits.
        replays: {name of a suite: recorded needs over its store}.
        embedder: the model of the steps that need one; without it they are named as not run.
        models: {name: model} for variants under test that bring one of their own.
        reranker: of variants under test that read their first hits again.
        seed: of the bounds that are drawn.
        progress: told after each query.
        clock: seconds, for the timings alone.

    Raises:
        MemevalError: two suites of one name, a broken overlay of aliases.
    """
    chosen = rules or SignalRules()
    replays = replays or {}
    asked = [one.suite for suite in suites if (one := replays.get(suite.name)) is not None and one.suite.needs]
    everything = [*suites, *asked]

    def ask(some: Sequence[Suite], of: Sequence[Variant]) -> Evaluation:
        return evaluate(
            some,
            of,
            seed=seed,
            embedder=embedder,
            models=models,
            reranker=reranker,
            progress=progress,
            clock=clock,
        )

    evaluation = ask(everything, variants)
    gaps = find_script_gaps(evaluation)
    results = {result.name: result for result in evaluation.suites}
    timings: dict[str, dict[str, dict[str, object]]] = {
        suite: {name: dict(one) for name, one in of_suite.items()} for suite, of_suite in evaluation.timings.items()
    }
    run: dict[str, Variant] = {variant.name: variant for variant in variants}
    verdicts: list[SignalVerdict] = []
    for suite in suites:
        replay = replays.get(suite.name)
        for variant in variants:
            for verdict in _settle(_judge_suite(suite, replay, results, variant, chosen, gaps, seed)):
                if not verdict.decides or verdict.state != State.FIRING.value:
                    verdicts.append(verdict)
                    continue
                own = replay.suite if replay is not None and verdict.basis == RECORDED else suite
                steps = list_steps(variant, own, chosen, embedder=embedder)
                missing = _find_missing(steps, results[own.name])
                if missing:
                    more = ask([own], missing)
                    timings[own.name] |= more.timings[own.name]
                    results[own.name] = build_suite_result(own, results[own.name].variants + more.suites[0].variants)
                    run |= {one.name: one for one in missing}
                for step in steps:
                    timings[own.name].get(step.name, {})["megabytes"] = measure_megabytes(step.packages)
                verdicts.append(climb(verdict, own, results[own.name], steps, chosen, embedder=embedder))
    return Evaluation(
        manifest=describe_run(
            everything,
            list(run.values()),
            ks=DEFAULT_KS,
            budget_bytes=DEFAULT_BUDGET_BYTES,
            depth=DEFAULT_DEPTH,
            seed=seed,
            embedder=embedder,
            models=models,
            reranker=reranker,
        ),
        versions=evaluation.versions,
        timings=timings,
        suites=tuple(results[suite.name] for suite in everything),
        signals=tuple(verdicts),
    )


def find_status(verdicts: Iterable[SignalVerdict]) -> int:
    """1 where a deciding verdict is a stage or neither; else 2 where one has too little data, or something was
    ungradable, or there is none; else 0."""
    deciding = [verdict for verdict in verdicts if verdict.decides]
    if any(verdict.decision in (*STAGES, NEITHER) for verdict in deciding):
        return 1
    is_open = any(verdict.decision == INSUFFICIENT or verdict.ungradable for verdict in deciding)
    return 2 if is_open or not deciding else 0


def _find_missing(steps: Iterable[Step], result: SuiteResult) -> list[Variant]:
    """The variants of the steps that can be run and were not."""
    there = {variant.name for variant in result.variants}
    return [
        step.variant
        for step in steps
        if step.variant is not None and step.not_run is None and step.variant.name not in there
    ]


def _judge_suite(
    suite: Suite,
    replay: Replay | None,
    results: Mapping[str, SuiteResult],
    variant: Variant,
    rules: SignalRules,
    gaps: Sequence[ScriptGap],
    seed: int,
) -> list[SignalVerdict]:
    """The verdicts on the written and on the recorded needs, language by language, as if each decided."""
    recorded = results.get(replay.suite.name) if replay is not None else None
    records: dict[str | None, Share] = {}
    verdicts = []
    if replay is not None and recorded is not None:
        kinds = find_kinds(replay.suite)
        for lang, queries in split_languages(_queries_of(recorded, variant), None).items():
            asked = ask_needs(queries)
            abandoned = sum(n for other, n in replay.abandoned.items() if _base(other) == _base(lang))
            verdict = _judge(
                suite, lang, variant, asked, kinds, rules, sessions=replay.sessions, abandoned=abandoned, seed=seed
            )
            records[_base(lang)] = verdict.mix.first_unseen
            verdicts.append(verdict)
    kinds = find_kinds(suite)
    for lang, queries in split_languages(_queries_of(results[suite.name], variant), suite.lang).items():
        gap = next((gap for gap in gaps if (gap.second, gap.variant) == (suite.name, variant.name)), None)
        verdicts.append(
            _judge(
                suite,
                lang,
                variant,
                ask_needs(queries),
                kinds,
                rules,
                gap=gap if lang == suite.lang else None,
                recorded=records.get(_base(lang)),
                seed=seed,
            )
        )
    return verdicts


def _settle(verdicts: Sequence[SignalVerdict]) -> list[SignalVerdict]:
    """The verdicts, written before recorded, those marked that decide: the recorded ones where there are enough of
    them, the written ones elsewhere."""
    enough = {_base(one.lang) for one in verdicts if one.basis == RECORDED and one.decision != INSUFFICIENT}
    written = {_base(one.lang) for one in verdicts if one.basis == WRITTEN}
    settled = []
    for one in sorted(verdicts, key=lambda one: (str(one.lang), one.basis == RECORDED)):
        base = _base(one.lang)
        decides = base not in enough if one.basis == WRITTEN else base in enough or base not in written
        settled.append(replace(one, decides=decides))
    return settled


def _judge(
    suite: Suite,
    lang: str | None,
    variant: Variant,
    asked: Asked,
    kinds: Mapping[str, str],
    rules: SignalRules,
    *,
    sessions: Mapping[str, str] | None = None,
    gap: ScriptGap | None = None,
    recorded: Share | None = None,
    abandoned: int | None = None,
    seed: int,
) -> SignalVerdict:
    needs, n = asked.needs, len(asked.needs)
    trigger = share_needs(needs, lambda need: need.is_trigger)
    zero_overlap = share_needs(needs, lambda need: need.is_zero_overlap_retry)
    low, high = clopper_pearson_low(trigger.count, n), clopper_pearson_high(trigger.count, n)
    mix = measure_mix(needs, kinds, threshold=rules.threshold, recorded=recorded, seed=seed)
    evidence = None if sessions is None else follow_evidence(_by_session(needs, sessions), rules.threshold)
    state, state_by = _find_state(trigger.count, n, evidence, mix, rules.threshold)
    return SignalVerdict(
        suite=suite.name,
        lang=lang,
        variant=variant.name,
        basis=WRITTEN if sessions is None else RECORDED,
        decides=True,
        is_labelled=asked.is_labelled,
        n=n,
        unstored=asked.unstored,
        ungradable=asked.ungradable,
        without_free=asked.without_free,
        missed_first=share_needs(needs, lambda need: need.is_missed),
        not_matched=trigger,
        not_shown=share_needs(needs, lambda need: need.is_missed and not need.is_trigger),
        zero_overlap=zero_overlap,
        abandoned=abandoned,
        zero_overlap_most=_widen(zero_overlap, abandoned),
        script=None if gap is None else _describe_gap(gap, rules),
        census=take_census(suite.corpus, needs, variant, rules),
        threshold=rules.threshold,
        low=_round(low),
        high=_round(high),
        fires_from=fires_from(n, rules.threshold),
        quiet_up_to=quiet_up_to(n, rules.threshold),
        needs_to_decide=needs_to_decide(trigger.count, n, rules.threshold),
        evidence=evidence and _round(evidence.value),
        evidence_peak=evidence and _round(evidence.peak),
        fired_at=evidence and evidence.fired_at,
        state=state.value,
        state_by=state_by,
        kinds=count_unmatched(needs),
        mix=mix,
        bytes_shown=mean_bytes(needs),
        decision={State.QUIET: STAY, State.WATCH: WATCH, State.INSUFFICIENT: INSUFFICIENT}.get(state, NEITHER),
    )


def _by_session(needs: Iterable[AskedNeed], sessions: Mapping[str, str]) -> list[list[bool]]:
    """Whether each need triggers, by session, in the order in which the sessions began."""
    grouped: dict[str, list[bool]] = {}
    for need in needs:
        grouped.setdefault(sessions.get(need.id, need.id), []).append(need.is_trigger)
    return list(grouped.values())


def _find_state(triggers: int, n: int, evidence: Evidence | None, mix: Mix, threshold: float) -> tuple[State, str]:
    """The state, and what it stands on: evidence for recorded needs; for written ones the recorded mix where it is
    known well enough, else the count."""
    counted = judge_count(triggers, n, threshold)
    if evidence is not None:
        if evidence.fired_at is not None:
            return State.FIRING, BY_EVIDENCE
        # the count alone may not be looked at again and again
        return State.WATCH if counted is State.FIRING else counted, BY_EVIDENCE
    is_known = mix.recorded is not None and mix.recorded.n >= MIN_MIX_NEEDS and counted is not State.INSUFFICIENT
    if is_known and mix.low is not None and mix.high is not None:
        return judge_bounds(mix.low, mix.high, threshold), BY_MIX
    return counted, BY_COUNT


def _widen(share: Share, abandoned: int | None) -> float | None:
    if abandoned is None or share.n + abandoned == 0:
        return None
    return round((share.count + abandoned) / (share.n + abandoned), INTERVAL_DIGITS)


def _describe_gap(gap: ScriptGap, rules: SignalRules) -> ScriptDifference:
    value, interval = gap.difference.value or 0.0, gap.difference.interval or (-1.0, 1.0)
    return ScriptDifference(
        suite=gap.first,
        value=round(value, INTERVAL_DIGITS),
        n=gap.difference.n,
        interval=(round(interval[0], INTERVAL_DIGITS), round(interval[1], INTERVAL_DIGITS)),
        low=round(gap.low, INTERVAL_DIGITS),
        fires=gap.low > rules.script_gap,
    )


def _queries_of(result: SuiteResult, variant: Variant) -> tuple[QueryResult, ...]:
    return next(one.queries for one in result.variants if one.name == variant.name)


def _base(lang: str | None) -> str | None:
    return None if lang is None else base_language(lang)


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, INTERVAL_DIGITS)
