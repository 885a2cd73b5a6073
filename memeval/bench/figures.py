"""One measure of one variant in two runs: the needs it lost and won, counted, and what that says of other needs.

Every need counts one, and its wordings share it. A change counts when it would be there under every order of equal
scores; sums are fractions, so that "exactly at the limit" is no matter of rounding.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from memeval.bench.debt import bound_need
from memeval.bench.judging import Judged, judge_needs
from memeval.bench.matching import MatchedCell
from memeval.bench.measures import ANY, Gate, Measure
from memeval.bench.outcome import Outcome
from memeval.bench.standing import first_rank, is_close, judge
from memeval.statistics.chance import Chance, adjust_for_chance, success_by_chance
from memeval.statistics.coarsening import coarsen
from memeval.statistics.differences import net_interval, sign_flip_p
from memeval.statistics.intervals import Interval
from memeval.statistics.power import detectable_loss, fewest_losses

LOST, WON = "lost", "won"
EXACT_TIE, MARGIN_FRAGILE, SOLID = "exact tie", "margin-fragile", "solid"
"""How much of a flip is the subject's: another order of equal scores, hardly anything of a score, or more than that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """A wording, or a need where one wording is enough, that only one of two runs has."""

    need: str
    query: str
    """Its id; that of the need where the measure is one of needs."""
    text: str
    direction: str
    strength: str
    """EXACT_TIE, which does not count, MARGIN_FRAGILE or SOLID."""
    must_find: bool
    """Of the wording or of its need."""
    base_rank: int | None
    """Of the best relevant document, from 1; None where it is not known to be a candidate."""
    head_rank: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measure of one variant on one suite, in two runs."""

    suite: str
    variant: str
    metric: str
    higher_is_better: bool
    needs: int
    """Those for which it is defined in both runs."""
    base: float | None
    """Mean over the needs as recorded, by today's grades; None without any need."""
    head: float | None
    base_over_ties: float | None
    """The same over all orders of equal scores."""
    head_over_ties: float | None
    base_over_chance: float | None
    """Where 0 is a shuffled order and 1 the best; None where that is not defined."""
    head_over_chance: float | None
    net: Fraction
    """Needs won less needs lost, as far as they count: below 0 is a loss, whatever the metric's direction."""
    worst_net: Fraction
    """The same under the grades of unjudged documents that are worst for head."""
    best_net: Fraction
    interval: Interval | None
    """95 % interval of `net` on other needs of the sort, in needs of as many."""
    p: float
    """Two-sided exact p of the paired test; 1 where nothing counts."""
    adjusted_p: float | None
    """By Holm over all gated figures; None for one without a gate."""
    detectable: int | None
    """Net loss, in needs of as many, that the test would call one with a power of 80 % at this churn; None = none."""
    budget: int | None
    """Net loss that is allowed; None without a gate."""
    fewest: int | None
    """The fewest needs, net, that can fail the gate; None without one."""
    flips: tuple[Flip, ...]
    """In the order of head."""
    unknown: int
    """Wordings that a document beyond the stored depth decides."""
    outcome: Outcome

    @property
    def is_gated(self) -> bool:
        """Whether it has a budget."""
        return self.budget is not None

    @property
    def changed(self) -> bool:
        """Whether anything of it is not as it was, an exact tie included."""
        return bool(self.flips) or self.worst_net != 0 or self.best_net != 0


def compare_figure(
    cell: MatchedCell,
    measure: Measure,
    gate: Gate | None = None,
    *,
    is_complete: bool = False,
    alpha: float | None = None,
) -> Figure:
    """The figure of a variant by a measure; `adjusted_p` and `outcome` are for `decide_figure`.

    Args:
        cell: the variant in both runs.
        measure: what is compared.
        gate: with its budget; None = nothing can fail.
        is_complete: take a document without a grade for no answer, even where documents were judged.
        alpha: with it, a loss over the budget fails only where the test calls it one, too.
    """
    needs = judge_needs(cell, measure)
    n, documents = len(needs), cell.suite.documents
    changes = [_share(one.change for one in need) for need in needs]
    bounds = [bound_need(need, measure, documents, is_complete=is_complete) for need in needs]
    gains = sum((change for change in changes if change > 0), Fraction(0))
    spread = net_interval([float(change) for change in changes])
    return Figure(
        suite=cell.suite.name,
        variant=cell.head.name,
        metric=measure.name,
        higher_is_better=measure.higher_is_better,
        needs=n,
        base=_mean([_share(one.base.value for one in need) for need in needs]),
        head=_mean([_share(one.head.value for one in need) for need in needs]),
        base_over_ties=_mean_chance(needs, is_head=False),
        head_over_ties=_mean_chance(needs, is_head=True),
        base_over_chance=_adjust(needs, measure, documents, is_head=False),
        head_over_chance=_adjust(needs, measure, documents, is_head=True),
        net=sum(changes, Fraction(0)),
        worst_net=sum((worst for worst, _ in bounds), Fraction(0)),
        best_net=sum((best for _, best in bounds), Fraction(0)),
        interval=None if spread is None else Interval(spread.low * n, spread.high * n),
        p=sign_flip_p(coarsen(changes)),
        adjusted_p=None,
        detectable=_detect(n, float(gains / n)) if n else None,
        budget=None if gate is None else gate.budget,
        fewest=None if gate is None else fewest_losses(gate.budget, alpha=alpha),
        flips=tuple(_describe_flip(one, measure) for need in needs for one in need if one.is_flip),
        unknown=sum(not (one.base.is_known and one.head.is_known) for need in needs for one in need),
        outcome=Outcome.CLEAN,
    )


def decide_figure(figure: Figure, *, adjusted_p: float, alpha: float | None = None) -> Figure:
    """A gated figure with its outcome, a matter of its counts alone; one without a budget as it is.

    Args:
        figure: as `compare_figure` gives it.
        adjusted_p: its p after Holm.
        alpha: with it, a loss over the budget fails only where the adjusted p is as low.
    """
    if figure.budget is None:
        return figure
    outcome = Outcome.CLEAN
    if figure.unknown:
        outcome = Outcome.INVALID
    elif -figure.best_net > figure.budget:
        outcome = Outcome.REGRESSION if alpha is None or adjusted_p <= alpha else Outcome.CLEAN
    elif -figure.worst_net > figure.budget:
        outcome = Outcome.UNDECIDED
    return replace(figure, adjusted_p=adjusted_p, outcome=outcome)


def _describe_flip(judged: Judged, measure: Measure) -> Flip:
    first = judged.pairs[0]
    is_lost = judged.base.value is measure.higher_is_better  # yes turned into no, where yes is good
    grades = first.grades
    ranks = [
        min((rank for rank in (first_rank(query, grades) for query in queries) if rank is not None), default=None)
        for queries in ([pair.base for pair in judged.pairs], [pair.head for pair in judged.pairs])
    ]
    is_need = measure.aggregation == ANY
    return Flip(
        need=first.head.need,
        query=first.head.need if is_need else first.head.id,
        text=", ".join(pair.head.text for pair in judged.pairs),
        direction=LOST if is_lost else WON,
        strength=EXACT_TIE if judged.change == 0 else MARGIN_FRAGILE if _is_fragile(judged, measure) else SOLID,
        must_find=first.head.need_must_find or (not is_need and first.head.must_find),
        base_rank=ranks[0],
        head_rank=ranks[1],
    )


def _is_fragile(judged: Judged, measure: Measure) -> bool:
    """Whether what decides stands near the cutoff before and after, in every wording that changed."""
    changed = [
        pair
        for pair in judged.pairs
        if (base := judge(pair.base, pair.grades, measure)) and (head := judge(pair.head, pair.grades, measure))
        if base.value != head.value
    ]
    return all(is_close(query, pair.grades, measure) for pair in changed for query in (pair.base, pair.head))


def _share(values: Iterable[int]) -> Fraction:
    counted = list(values)
    return Fraction(sum(counted), len(counted))


def _mean(shares: Sequence[Fraction]) -> float | None:
    return float(sum(shares, Fraction(0)) / len(shares)) if shares else None


def _mean_chance(needs: Sequence[Sequence[Judged]], *, is_head: bool) -> float | None:
    shares = [math.fsum((one.head if is_head else one.base).chance for one in need) / len(need) for need in needs]
    return math.fsum(shares) / len(shares) if shares else None


def _adjust(needs: Sequence[Sequence[Judged]], measure: Measure, documents: int, *, is_head: bool) -> float | None:
    """The rate where 0 is a shuffled order; None for what has no closed form, or is undefined."""
    if measure.family not in ("found", "success@k") or measure.aggregation == ANY:
        return None
    if any(len(one.pairs[0].relevant) > documents for need in needs for one in need):
        return None  # judged against more files than there are
    scores = []
    for need in needs:
        shares = []
        for one in need:
            pair = one.pairs[0]
            query, standing = (pair.head, one.head) if is_head else (pair.base, one.base)
            k = len(query.shown) if measure.k is None else measure.k
            chance = success_by_chance(documents, len(pair.relevant), k)
            shares.append((standing.value, chance.expected))
        scores.append(
            (
                math.fsum(value for value, _ in shares) / len(need),
                Chance(math.fsum(expected for _, expected in shares) / len(need)),
            )
        )
    return adjust_for_chance(scores)


@lru_cache(maxsize=256)
def _detect(n: int, gain_rate: float) -> int | None:
    """Kept, since most figures of a comparison have the same needs and no churn at all."""
    return detectable_loss(n, gain_rate)
