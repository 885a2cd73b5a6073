"""The ladder climbed: what each step makes of the same needs, and which of them is recommended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memeval.bench.asked import AskedNeed, ask_needs, find_kinds, mean_bytes, share_needs, split_languages
from memeval.bench.evaluation import QueryResult, SuiteResult, VariantResult
from memeval.bench.ladder import ALIASES, Step
from memeval.bench.mixing import measure_mix
from memeval.bench.signalrecord import NEITHER, STAGES, SignalVerdict, StageOutcome
from memeval.bench.signalrules import SignalRules
from memeval.bench.summary import INTERVAL_DIGITS, UNGRADABLE, score_result
from memeval.statistics import ladder
from memeval.statistics.trigger import judge_count
from memeval.testbed.needs import Suite

if TYPE_CHECKING:
    from memeval.embedding.base import Embedder

FIRST = 5
"""What a wording may lose elsewhere: its place among the first five hits."""


def climb(
    verdict: SignalVerdict,
    suite: Suite,
    result: SuiteResult,
    steps: Sequence[Step],
    rules: SignalRules,
    *,
    embedder: Embedder | None = None,
) -> SignalVerdict:
    """A firing verdict with the steps of the ladder, S4 and S5, and what is recommended.

    Args:
        verdict: on the needs of one language.
        suite: whose needs these are.
        result: of the variant under test and of every step that could be run.
        steps: of the ladder, the cheapest first.
        rules: threshold and limits.
        embedder: the model that the steps were run with.
    """
    found = {variant.name: variant for variant in result.variants}
    needs = _pick_needs(found[verdict.variant], verdict)
    kinds = find_kinds(suite)
    silent = _list_unstored(found[verdict.variant], verdict)
    outcomes, counted = [], []
    for step in steps:
        outcome = _try_step(step, found.get(step.name), needs, silent, verdict, kinds, rules, embedder)
        outcomes.append(outcome)
        if outcome.left is not None and outcome.refused is None:
            counted.append(_count(outcome))
    best = ladder.choose_step(counted, verdict.not_matched.count, verdict.n, rules.threshold)
    aliases = _find(outcomes, verdict.variant + ALIASES)
    after = next((one.left for one in outcomes if one.stage == 2 and one.left is not None), None)
    return replace(
        verdict,
        stages=tuple(outcomes),
        aliases_remove=None if aliases is None else _share_removed(verdict.not_matched.count, aliases),
        aliases_net=None if aliases is None else len(aliases.won) - len(aliases.lost),
        embedding_removes=None
        if aliases is None or aliases.left is None or after is None
        else _round(ladder.removed_share(aliases.left.count, after.count)),
        decision=NEITHER if best is None else STAGES[best.stage],
        chosen=None if best is None else best.name,
    )


def _pick_needs(variant: VariantResult, verdict: SignalVerdict) -> tuple[AskedNeed, ...]:
    """The findable needs of the verdict's language."""
    asked = ask_needs(variant.queries)
    return tuple(need for need in asked.needs if need.lang == verdict.lang)


def _list_unstored(variant: VariantResult, verdict: SignalVerdict) -> list[QueryResult]:
    """The wordings of the verdict's language for which nothing is stored."""
    queries = split_languages(variant.queries, None).get(verdict.lang, [])
    return [query for query in queries if query.found is None and query.verdict != UNGRADABLE]


def _try_step(
    step: Step,
    result: VariantResult | None,
    before: Sequence[AskedNeed],
    silent: Sequence[QueryResult],
    verdict: SignalVerdict,
    kinds: Mapping[str, str],
    rules: SignalRules,
    embedder: Embedder | None,
) -> StageOutcome:
    not_run = step.not_run or (_find_fault(result, before) if result is not None else "it was not run")
    if not_run is not None or result is None:
        return StageOutcome(variant=step.name, stage=step.stage, not_run=not_run, packages=step.packages)
    after = _pick_needs(result, verdict)
    left = share_needs(after, lambda need: need.is_trigger)
    triggered = {need.first.id for need in before if need.is_trigger}
    lost, won, others = _compare(before, after, triggered)
    outcome = StageOutcome(
        variant=step.name,
        stage=step.stage,
        refused=step.refused,
        left=left,
        new=tuple(need for need in left.needs if need not in verdict.not_matched.needs),
        others=others,
        lost=lost,
        won=won,
        false_hits=tuple(query.id for query in _list_unstored(result, verdict) if query.shown),
        false_hits_before=sum(bool(query.shown) for query in silent),
        unstored_wordings=len(silent),
        state=judge_count(left.count, left.n, rules.threshold).value,
        mix=measure_mix(after, kinds, threshold=rules.threshold, recorded=verdict.mix.recorded),
        packages=step.packages,
        model=embedder.identity if embedder is not None and step.variant and step.variant.needs_embedder else None,
        store_bytes=step.store_bytes,
        bytes_shown=mean_bytes(after),
    )
    counted, x = _count(outcome), verdict.not_matched.count
    return replace(outcome, helps=ladder.helps(counted, x), cures=ladder.cures(counted, x, verdict.n, rules.threshold))


def _find_fault(result: VariantResult, before: Sequence[AskedNeed]) -> str | None:
    """Why a step that was run says nothing: it could not be built, or broke on one of the needs."""
    if result.error is not None:
        return result.error
    asked = {query.id for need in before for query in need.queries}
    broken = [query for query in result.queries if query.id in asked and query.verdict == UNGRADABLE]
    return f"{len(broken)} wordings were ungradable: {broken[0].reason}" if broken else None


def _compare(
    before: Sequence[AskedNeed], after: Sequence[AskedNeed], triggered: set[str]
) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """(wordings that fall out of the first five, those that come in, how many there are) of those not triggered."""
    now = {query.id: _is_first(query) for need in after for query in need.queries}
    lost, won, others = [], [], 0
    for need in before:
        for query in need.queries:
            was = _is_first(query)
            if query.id not in triggered and was is not None:
                others += 1
                is_now = bool(now.get(query.id))
                lost += [query.id] if was and not is_now else []
                won += [query.id] if is_now and not was else []
    return tuple(lost), tuple(won), others


def _is_first(query: QueryResult) -> bool | None:
    score = score_result(query, (FIRST,))[f"success@{FIRST}"]
    return None if score is None else bool(score)


def _count(outcome: StageOutcome) -> ladder.Step:
    assert outcome.left is not None
    return ladder.Step(
        name=outcome.variant,
        stage=outcome.stage,
        left=frozenset(outcome.left.needs),
        others=outcome.others,
        net_loss=len(outcome.lost) - len(outcome.won),
    )


def _find(outcomes: Sequence[StageOutcome], name: str) -> StageOutcome | None:
    return next((one for one in outcomes if one.variant == name and one.left is not None), None)


def _share_removed(before: int, outcome: StageOutcome) -> float | None:
    return None if outcome.left is None else _round(ladder.removed_share(before, outcome.left.count))


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, INTERVAL_DIGITS)
