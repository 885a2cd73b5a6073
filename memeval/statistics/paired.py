"""Two runs over the same needs: the difference of their rates, with its interval."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from memeval.statistics.intervals import DEFAULT_CONFIDENCE, Interval


class Pairs(NamedTuple):
    """How many needs both, only the first, only the second and neither of two runs answer with yes."""

    both: int
    only_first: int
    only_second: int
    neither: int

    @property
    def n(self) -> int:
        """The needs."""
        return sum(self)

    @property
    def first(self) -> float | None:
        """The rate of the first; None without any need."""
        return (self.both + self.only_first) / self.n if self.n else None

    @property
    def second(self) -> float | None:
        """The rate of the second; None without any need."""
        return (self.both + self.only_second) / self.n if self.n else None

    @property
    def difference(self) -> float | None:
        """The rate of the first less that of the second, in [-1, 1]; None without any need."""
        return (self.only_first - self.only_second) / self.n if self.n else None


def count_pairs(answers: Iterable[tuple[bool, bool]]) -> Pairs:
    """The four counts of (answer of the first, answer of the second), one pair a need."""
    pairs = [(bool(first), bool(second)) for first, second in answers]
    return Pairs(*(pairs.count(cell) for cell in ((True, True), (True, False), (False, True), (False, False))))


def paired_interval(pairs: Pairs, confidence: float = DEFAULT_CONFIDENCE) -> Interval | None:
    """The two-sided interval of the difference first - second, within [-1, 1]; None without any need.

    Adjusted Wald: half a need is added to each of the four counts, then
    difference +- z sqrt(b + c - (b - c)^2 / n) / n, with b and c the counts of needs that only one of the two has.
    It lies around (b - c) / n of the counts as they were raised, a little nearer to 0 than the difference itself.

    Raises:
        ValueError: a count below 0, or a confidence that is none.

    Source: Agresti and Min, Statistics in Medicine 24 (2005) 729-740.
    """
    tail = (1 - confidence) / 2
    low, high = _bound(pairs, tail, -1), _bound(pairs, tail, 1)
    return None if low is None or high is None else Interval(low, high)


def paired_low(pairs: Pairs, confidence: float = DEFAULT_CONFIDENCE) -> float | None:
    """The one-sided lower bound of the difference: above it with this confidence; None without any need.

    The formula is that of `paired_interval`.
    """
    return _bound(pairs, 1 - confidence, -1)


def _bound(pairs: Pairs, tail: float, side: int) -> float | None:
    if min(pairs) < 0:
        raise ValueError(f"{pairs}: no count may be below 0")
    if not 0 < tail < 0.5:
        raise ValueError(f"confidence leaves {tail} beyond a bound: allowed is what lies between 0 and 0.5")
    if pairs.n == 0:
        return None
    from scipy.special import ndtri

    n, b, c = pairs.n + 2, pairs.only_first + 0.5, pairs.only_second + 0.5
    error = math.sqrt(b + c - (b - c) ** 2 / n) / n
    return min(1.0, max(-1.0, (b - c) / n + side * float(ndtri(1 - tail)) * error))
