"""A moved ruler: both runs scored by yesterday's grades and by today's, from the stored rankings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memeval.bench.matching import MatchedCell, Pair
from memeval.bench.measures import ANY, FIRST, Measure
from memeval.bench.standing import Standing, judge
from memeval.statistics.intervals import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class RulerEffect:
    """How much of a difference is the ruler's and how much the subject's, in means over needs.

    With M(R, Q) the mean of run R by ruler Q, 0 for base and 1 for head. The ends of each differ only where a document
    that the new ruler asks for lies beyond the stored depth.
    """

    suite: str
    variant: str
    metric: str
    needs: int
    """Those that both rulers have, with the wordings that both have."""
    total: Interval
    """M(R1, Q1) - M(R0, Q0): ruler + subject."""
    ruler: Interval
    """M(R0, Q1) - M(R0, Q0)."""
    subject: Interval
    """M(R1, Q1) - M(R0, Q1): what the gates look at."""
    interaction: Interval
    """The subject's effect by the new ruler less the one by the old, M(R1, Q0) - M(R0, Q0)."""


def split_effect(cell: MatchedCell, measure: Measure) -> RulerEffect | None:
    """The parts of a difference under a moved ruler; None where no need is defined under both."""
    scored = [need for need in (_score_need(pairs, measure) for pairs in cell.needs().values()) if need]
    if not scored:
        return None
    base_old, head_old, base_new, head_new = (_mean([need[place] for need in scored]) for place in range(4))
    ruler, subject = _subtract(base_new, base_old), _subtract(head_new, base_new)
    return RulerEffect(
        suite=cell.suite.name,
        variant=cell.head.name,
        metric=measure.name,
        needs=len(scored),
        total=_subtract(head_new, base_old),
        ruler=ruler,
        subject=subject,
        interaction=_subtract(subject, _subtract(head_old, base_old)),
    )


def _score_need(pairs: Sequence[Pair], measure: Measure) -> tuple[Interval, ...]:
    """(base and head by the old grades, base and head by the new) of a need; () where one of them is not defined."""
    rows: list[tuple[Standing, ...]] = []
    for pair in pairs:
        if measure.aggregation == FIRST and pair.head.wording != 0:
            continue
        old, new = pair.base.expected, pair.head.expected
        row = [judge(run, grades, measure) for grades in (old, new) for run in (pair.base, pair.head)]
        known = tuple(standing for standing in row if standing is not None)
        if len(known) == len(row):
            rows.append(known)
    if not rows:
        return ()
    return tuple(_join([row[place] for row in rows], measure) for place in range(4))


def _join(standings: Sequence[Standing], measure: Measure) -> Interval:
    """The least and the most that the stored record allows."""
    low = [standing.value for standing in standings]
    high = [standing.value or not standing.is_known for standing in standings]
    if measure.aggregation == ANY:
        return Interval(float(any(low)), float(any(high)))
    return Interval(sum(low) / len(low), sum(high) / len(high))


def _mean(intervals: Iterable[Interval]) -> Interval:
    rows = list(intervals)
    return Interval(math.fsum(row.low for row in rows) / len(rows), math.fsum(row.high for row in rows) / len(rows))


def _subtract(first: Interval, second: Interval) -> Interval:
    return Interval(first.low - second.high, first.high - second.low)
