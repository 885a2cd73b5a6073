"""The wordings of each need judged in two runs by one measure: what `figures` counts and `debt` bounds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memeval.bench.matching import MatchedCell, Pair
from memeval.bench.measures import ANY, FIRST, Measure
from memeval.bench.standing import Standing, judge


@dataclass(frozen=True, slots=True)
class Judged:
    """What counts as one answer of a need: a wording, or all of them where one is enough."""

    pairs: tuple[Pair, ...]
    """The wordings behind it, one at least."""
    base: Standing
    head: Standing
    higher_is_better: bool

    @property
    def change(self) -> int:
        """1 where it is won under every order of ties, -1 where it is lost under every one, 0 else."""
        change = int(self.head.worst and not self.base.best) - int(self.base.worst and not self.head.best)
        return change if self.higher_is_better else -change

    @property
    def is_flip(self) -> bool:
        """Whether the two runs differ, though it may be by an order of ties alone."""
        return self.base.value != self.head.value


def judge_needs(cell: MatchedCell, measure: Measure) -> tuple[tuple[Judged, ...], ...]:
    """Per need what counts of it, in the order of head; needs for which the measure is not defined are left out."""
    judged = (_judge_need(pairs, measure) for pairs in cell.needs().values())
    return tuple(one for one in judged if one)


def _judge_need(pairs: Sequence[Pair], measure: Measure) -> tuple[Judged, ...]:
    asked = [pair for pair in pairs if measure.aggregation != FIRST or pair.head.wording == 0]
    judged = []
    for pair in asked:
        base, head = judge(pair.base, pair.grades, measure), judge(pair.head, pair.grades, measure)
        if base is not None and head is not None:
            judged.append(Judged((pair,), base, head, measure.higher_is_better))
    if measure.aggregation != ANY or not judged:
        return tuple(judged)
    together = Judged(
        tuple(pair for one in judged for pair in one.pairs),
        join_standings(one.base for one in judged),
        join_standings(one.head for one in judged),
        measure.higher_is_better,
    )
    return (together,)


def join_standings(standings: Iterable[Standing]) -> Standing:
    """How a need stands that one of its wordings, one at least, is enough for.

    The ties of one wording know nothing of another's.
    """
    rows = list(standings)
    value = any(row.value for row in rows)
    return Standing(
        value=value,
        worst=any(row.worst for row in rows),
        best=any(row.best for row in rows),
        chance=1 - math.prod(1 - row.chance for row in rows),
        is_known=value or all(row.is_known for row in rows),
    )
