"""Offline retries: how many searches it takes until a need is found, its wordings asked in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from memeval.bench.asked import (
    AskedNeed,
    ask_needs,
    count_misses,
    find_kinds,
    find_place,
    is_apart,
    is_unmatched,
    round_interval,
    share_needs,
)
from memeval.bench.evaluation import QueryResult, Value, VariantResult
from memeval.bench.mixing import measure_mix
from memeval.bench.shares import Misses, Mix, Share
from memeval.bench.summary import INTERVAL_DIGITS
from memeval.metrics.mean import mean
from memeval.metrics.orbit import orbit_score
from memeval.statistics.resampling import resample
from memeval.statistics.survival import Life, found_curve, mean_searches
from memeval.statistics.trigger import DEFAULT_THRESHOLD
from memeval.testbed.needs import Suite

DEFAULT_BUDGET = 5
"""Searches an agent makes before it gives a need up."""
UNLABELLED = "unlabelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """When the agent stops wording a need anew."""

    read: int | None = None
    """It reads the first so many files displayed, and stops when one of them is expected; None: it stops when an
    expected file is displayed."""

    def is_reached(self, query: QueryResult) -> bool:
        """Whether this search is the last one."""
        shown = query.shown if self.read is None else query.shown[: self.read]
        return any(query.expected.get(doc_id, 0) >= 1 for doc_id in shown)

    def __str__(self) -> str:
        if self.read is None:
            return "stops when an expected file is shown"
        return f"reads the first {self.read} shown" if self.read > 1 else "reads the first file shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveRow:
    """The share of needs found by one of their first wordings."""

    wordings: int
    at_risk: int
    """Needs with a wording of that number which no earlier one had found."""
    found: int
    """Those of them it finds."""
    share: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryFigures:
    """What it takes to find the needs of one group."""

    dimension: str
    """`all`, `lang`, `script` (of the first wording) or `first wording` (its kind, as the ruler finds)."""
    label: str
    needs: int
    curve: tuple[CurveRow, ...]
    """Kaplan-Meier: a need that runs out of wordings counts as far as it was asked."""
    searches: Value
    """Mean searches until found, never found within the budget counting budget + 1; its interval by drawing needs
    again."""
    budget: int
    """As far as the wordings reach."""
    is_coarse: bool
    """Fewer than ten needs differ from the commonest one, so that the interval of `searches` is too narrow."""
    paraphrase_retries: Share
    """Missed at first, found by a later wording."""
    zero_overlap_retries: Share
    """Those of them whose wording shares no word with the first."""
    never_found: Share
    """By none of their wordings."""
    orbit: Value
    """Found by the worst of three wordings, over needs that have three."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantRetries:
    """One variant on one suite."""

    suite: str
    variant: str
    is_free: bool
    """Whether first wordings are free ones; else the order is as given."""
    unstored: int
    ungradable: int
    without_free: int
    groups: tuple[RetryFigures, ...]
    """All needs first."""
    kinds: tuple[Misses, ...]
    """Wordings that do not reach their file, by the kind a writer was asked for or said; free ones by `free`."""
    mix: Mix
    """What the mix of first searches must be for the trigger to fire."""


def measure_retries(
    suite: Suite,
    variant: VariantResult,
    *,
    policy: Policy | None = None,
    budget: int = DEFAULT_BUDGET,
    threshold: float = DEFAULT_THRESHOLD,
    seed: int = 0,
) -> VariantRetries:
    """What it takes to find the needs of a suite with one variant that was run on it.

    Args:
        suite: that was run.
        variant: its results.
        policy: when the agent stops; by default when an expected file is shown.
        budget: searches before a need is given up, from 1.
        threshold: the tolerated rate, for the break-even share.
        seed: of the intervals that are drawn.
    """
    rule = policy or Policy()
    asked = ask_needs(variant.queries)
    kinds = find_kinds(suite)
    groups = []
    for dimension, labels_of in _list_dimensions(kinds):
        parts: dict[str, list[AskedNeed]] = {}
        for need in asked.needs:
            label = labels_of(need)
            if label is not None:
                parts.setdefault(label, []).append(need)
        groups += [_measure(dimension, label, parts[label], rule, budget, seed) for label in sorted(parts)]
    return VariantRetries(
        suite=suite.name,
        variant=variant.name,
        is_free=asked.is_labelled,
        unstored=asked.unstored,
        ungradable=asked.ungradable,
        without_free=asked.without_free,
        groups=tuple(groups),
        kinds=count_kinds(asked.needs, lambda query: not rule.is_reached(query)),
        mix=measure_mix(asked.needs, kinds, threshold=threshold),
    )


def count_kinds(needs: Iterable[AskedNeed], is_missed: Callable[[QueryResult], bool]) -> tuple[Misses, ...]:
    """The misses of each kind of wording, sorted by its name; a wording without a kind is `free` or `unlabelled`."""
    answers: dict[str, list[tuple[str, bool]]] = {}
    for need in needs:
        for query in need.queries:
            kind = query.kind or query.elicited or UNLABELLED
            answers.setdefault(kind, []).append((need.id, is_missed(query)))
    return tuple(count_misses(kind, answers[kind]) for kind in sorted(answers))


def count_unmatched(needs: Iterable[AskedNeed]) -> tuple[Misses, ...]:
    """By kind, the wordings that have no expected file among their candidates."""
    return count_kinds(needs, is_unmatched)


Labels = Callable[[AskedNeed], str | None]


def _list_dimensions(kinds: Mapping[str, str]) -> tuple[tuple[str, Labels], ...]:
    return (
        ("all", lambda need: "all"),
        ("lang", lambda need: need.lang),
        ("script", lambda need: need.script),
        ("first wording", lambda need: kinds.get(need.first.id)),
    )


def _measure(
    dimension: str, label: str, needs: Sequence[AskedNeed], policy: Policy, budget: int, seed: int
) -> RetryFigures:
    places = {need.id: find_place(need.queries, policy.is_reached) for need in needs}
    lives = [_live(need, places[need.id]) for need in needs]
    curve = found_curve(lives)
    within = budget if mean_searches(lives, budget) is not None else min(budget, len(curve))
    drawn = resample(lives, lambda some: mean_searches(some, within), seed=seed)
    searches = mean_searches(lives, within)
    return RetryFigures(
        dimension=dimension,
        label=label,
        needs=len(needs),
        curve=tuple(
            CurveRow(
                wordings=point.place,
                at_risk=point.at_risk,
                found=point.found,
                share=round(point.share, INTERVAL_DIGITS),
                interval=round_interval(point.interval) or (0.0, 1.0),
            )
            for point in curve
        ),
        searches=Value(
            None if searches is None else round(searches, INTERVAL_DIGITS), len(needs), round_interval(drawn.interval)
        ),
        budget=within,
        is_coarse=drawn.is_coarse,
        paraphrase_retries=share_needs(needs, lambda need: bool(places[need.id])),
        zero_overlap_retries=share_needs(needs, lambda need: is_apart(need.queries, places[need.id])),
        never_found=share_needs(needs, lambda need: places[need.id] is None),
        orbit=_measure_orbit(needs, policy, seed),
    )


def _live(need: AskedNeed, place: int | None) -> Life:
    return Life(len(need.queries), False) if place is None else Life(place + 1, True)


def _measure_orbit(needs: Sequence[AskedNeed], policy: Policy, seed: int) -> Value:
    scores = [orbit_score(sum(map(policy.is_reached, need.queries)), len(need.queries)) for need in needs]
    defined = [score for score in scores if score is not None]
    average = mean(defined)
    drawn = resample(defined, lambda some: mean(some).value, seed=seed)
    value = None if average.value is None else round(average.value, INTERVAL_DIGITS)
    return Value(value, average.n, round_interval(drawn.interval))
