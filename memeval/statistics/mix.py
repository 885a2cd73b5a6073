"""The mix: how many first searches share no word with the file decides what a written suite means in use."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from memeval.statistics.trigger import DEFAULT_THRESHOLD, check_threshold

DRAWS = 10_000
_CONFIDENCE = 0.95


class Counts(NamedTuple):
    """Misses of that many cases; fractions where wordings of one need count for less than as many needs."""

    misses: float
    n: float

    @property
    def rate(self) -> float:
        """The share of misses."""
        return self.misses / self.n


class BreakEven(NamedTuple):
    """At which share of unseen-words first searches the miss rate passes the threshold."""

    share: float | None
    """In [0, 1]; None where it passes at no mix."""
    at_none: bool
    """Whether the rate is above the threshold when no first search is unseen-words."""
    at_all: bool
    """Whether it is when every one is."""

    @property
    def fires_at_any_mix(self) -> bool:
        """Whether the mix does not matter, since both rates lie above the threshold."""
        return self.at_none and self.at_all

    @property
    def is_quiet_at_any_mix(self) -> bool:
        """Whether the mix does not matter, since neither does."""
        return not self.at_none and not self.at_all


class MixRate(NamedTuple):
    """The miss rate at a recorded mix, with one-sided 95 % bounds."""

    value: float
    low: float
    high: float


def find_break_even(unseen: float, other: float, threshold: float = DEFAULT_THRESHOLD) -> BreakEven:
    """The share w of unseen-words searches with w * unseen + (1 - w) * other = threshold.

    Where more unseen-words searches are missed than others, as everywhere in practice, it fires above that share; where
    fewer are, below.

    Args:
        unseen: miss rate of wordings that share no word with the file, in [0, 1].
        other: miss rate of the others.
        threshold: the tolerated rate.

    Raises:
        ValueError: a rate outside [0, 1], or a threshold that can be none.
    """
    check_threshold(threshold)
    if not 0 <= unseen <= 1 or not 0 <= other <= 1:
        raise ValueError(f"miss rates {unseen} and {other}: both lie within [0, 1]")
    at_none, at_all = other > threshold, unseen > threshold
    share = (threshold - other) / (unseen - other) if at_none != at_all else None
    return BreakEven(share, at_none, at_all)


def mix_rate(recorded: Counts, unseen: Counts, other: Counts, *, seed: int = 0, draws: int = DRAWS) -> MixRate:
    """The miss rate p * unseen + (1 - p) * other at the recorded share p of unseen-words first searches.

    Each of the three is drawn from the beta distribution of its one-sided exact bound, Beta(x, n - x + 1) for the lower
    one and Beta(x + 1, n - x) for the upper; the bound is the 5 % or the 95 % quantile of the rates that come out.
    Where unseen-words searches are missed less than others, the share is drawn from the other side.

    Args:
        recorded: unseen-words among the recorded first searches.
        unseen: misses among the unseen-words wordings of the suite.
        other: misses among its other first wordings.
        seed: of the draws.
        draws: how many.

    Raises:
        ValueError: a count without cases, or one that cannot be.
    """
    for counts in (recorded, unseen, other):
        if not 0 <= counts.misses <= counts.n or counts.n <= 0:
            raise ValueError(f"{counts.misses} of {counts.n}: a rate has cases, and no more hits than those")
    is_usual = unseen.rate >= other.rate
    stream = Random(f"mix/{seed}")
    uniform = [[stream.random() for _ in range(draws)] for _ in range(3)]
    bounds = []
    for is_low in (True, False):
        shares = _draw(recorded, uniform[0], is_low=is_low == is_usual)
        of_unseen, of_other = _draw(unseen, uniform[1], is_low=is_low), _draw(other, uniform[2], is_low=is_low)
        rates = sorted(p * u + (1 - p) * o for p, u, o in zip(shares, of_unseen, of_other, strict=True))
        place = int((1 - _CONFIDENCE) * draws)
        bounds.append(rates[place] if is_low else rates[-1 - place])
    value = recorded.rate * unseen.rate + (1 - recorded.rate) * other.rate
    return MixRate(value, min(bounds[0], value), max(bounds[1], value))


def _draw(counts: Counts, uniform: list[float], *, is_low: bool) -> list[float]:
    """Draws of the rate, by the quantile function: `Random` promises the same uniform numbers in every version."""
    from scipy.special import betaincinv

    misses, hits = counts.misses, counts.n - counts.misses
    if is_low and misses == 0:
        return [0.0] * len(uniform)
    if not is_low and hits == 0:
        return [1.0] * len(uniform)
    a, b = (misses, hits + 1) if is_low else (misses + 1, hits)
    return [float(value) for value in betaincinv(a, b, uniform)]
