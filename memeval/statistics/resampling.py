"""The interval of a figure that is no rate: needs are drawn again, with what was seen of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple, TypeVar

from memeval.statistics.intervals import DEFAULT_CONFIDENCE, Interval

RESAMPLES = 1_000
MIN_VARYING = 10
"""Needs that differ from the commonest one: with fewer, the interval is known to be too narrow."""

Item = TypeVar("Item")


class Resampled(NamedTuple):
    """The interval of a figure over needs."""

    interval: Interval | None
    """None where all needs are alike: then drawing them again says nothing."""
    is_coarse: bool
    """Fewer than MIN_VARYING needs differ from the commonest one."""


def resample(
    needs: Sequence[Item],
    figure: Callable[[Sequence[Item]], float | None],
    *,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    resamples: int = RESAMPLES,
) -> Resampled:
    """The percentile bootstrap by need: the same whatever the order of the needs.

    Not for rates: there it covers too seldom. Draws for which the figure is undefined are left out.

    Args:
        needs: what was seen of each, in a form that can be sorted and hashed.
        figure: of some needs, the value.
        seed: of the draws.
        confidence: between 0 and 1.
        resamples: how many times to draw.

    Raises:
        ValueError: a confidence that is none.

    Source: Efron, Annals of Statistics 7 (1979) 1-26.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence}: allowed is what lies between 0 and 1, such as 0.95")
    counts = Counter(needs)
    varying = len(needs) - max(counts.values(), default=0)
    if varying == 0:
        return Resampled(None, True)
    ordered = sorted(needs)  # type: ignore[type-var]
    stream = Random(f"resample/{seed}")
    n = len(ordered)
    drawn = (figure([ordered[int(stream.random() * n)] for _ in range(n)]) for _ in range(resamples))
    values = sorted(value for value in drawn if value is not None)
    if not values or values[0] == values[-1]:
        return Resampled(None, True)
    place = int((1 - confidence) / 2 * len(values))
    return Resampled(Interval(values[place], values[-1 - place]), varying < MIN_VARYING)
