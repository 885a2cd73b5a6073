"""Intervals of rates: of one answer per need, and of several wordings that share one."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

DEFAULT_CONFIDENCE = 0.95


class Interval(NamedTuple):
    """Both ends of an interval; for a rate within [0, 1]."""

    low: float
    high: float


def wilson(successes: int, n: int, confidence: float = DEFAULT_CONFIDENCE) -> Interval | None:
    """The two-sided score interval of a rate, for one answer per need; None without any.

    Args:
        successes: needs with the answer yes, 0 to `n`.
        n: needs.
        confidence: between 0 and 1.

    Raises:
        ValueError: numbers that no count can have.

    Source: Wilson, JASA 22 (1927) 209-212.
    """
    _check(successes, n, confidence)
    if n == 0:
        return None
    from scipy.special import ndtri

    z = float(ndtri((1 + confidence) / 2))
    rate = successes / n
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    # At the ends the formula gives 0 and 1 but for rounding.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Interval(low, high)


def clopper_pearson(successes: float, n: float, confidence: float = DEFAULT_CONFIDENCE) -> Interval | None:
    """The two-sided exact interval of a rate; None without any need.

    Its coverage is never below `confidence`. Both numbers may be fractions, as effective sample sizes are.

    Raises:
        ValueError: numbers that no count can have.

    Source: Clopper and Pearson, Biometrika 26 (1934) 404-413, through quantiles of the beta distribution.
    """
    tail = (1 - confidence) / 2
    low, high = clopper_pearson_low(successes, n, 1 - tail), clopper_pearson_high(successes, n, 1 - tail)
    return None if low is None or high is None else Interval(low, high)


def clopper_pearson_low(successes: float, n: float, confidence: float = DEFAULT_CONFIDENCE) -> float | None:
    """The one-sided exact lower bound of a rate: above it with this confidence; None without any need."""
    _check(successes, n, confidence)
    if n == 0:
        return None
    from scipy.special import betaincinv

    return float(betaincinv(successes, n - successes + 1, 1 - confidence)) if successes > 0 else 0.0


def clopper_pearson_high(successes: float, n: float, confidence: float = DEFAULT_CONFIDENCE) -> float | None:
    """The one-sided exact upper bound of a rate: below it with this confidence; None without any need."""
    _check(successes, n, confidence)
    if n == 0:
        return None
    from scipy.special import betaincinv

    return float(betaincinv(successes + 1, n - successes, confidence)) if successes < n else 1.0


class Cluster(NamedTuple):
    """The wordings of one need: how many were asked, and how many of them have the answer yes."""

    successes: int
    n: int


def korn_graubard(clusters: Iterable[Cluster], confidence: float = DEFAULT_CONFIDENCE) -> Interval | None:
    """The exact interval of a pooled rate on its effective sample size; None without any wording.

    Wordings of one need are alike, so that they count for less than as many needs. The effective size is
    rate x (1 - rate) / variance between needs, kept within [needs, wordings]; it is the number of needs where nothing
    varies, or where there is one need only.

    Args:
        clusters: one a need; those without a wording are left out.
        confidence: between 0 and 1.

    Raises:
        ValueError: a need with more successes than wordings, or with fewer than none.

    Source: Korn and Graubard, Survey Methodology 24 (1998) 193-201, with the linearised variance of a ratio.
    """
    needs = [cluster for cluster in clusters if cluster.n]
    for cluster in needs:
        _check(cluster.successes, cluster.n, confidence)
    if not needs:
        return None
    successes, wordings = sum(need.successes for need in needs), sum(need.n for need in needs)
    rate = successes / wordings
    size = effective_size(needs)
    return clopper_pearson(min(rate * size, size), size, confidence)


def rate_interval(clusters: Iterable[Cluster], confidence: float = DEFAULT_CONFIDENCE) -> Interval | None:
    """The interval of a rate over wordings: Wilson where no need has two, else Korn-Graubard; None without any.

    Raises:
        ValueError: a need with more successes than wordings, or with fewer than none.
    """
    needs = [cluster for cluster in clusters if cluster.n]
    if any(cluster.n > 1 for cluster in needs):
        return korn_graubard(needs, confidence)
    return wilson(sum(cluster.successes for cluster in needs), len(needs), confidence)


class Rate(NamedTuple):
    """A rate with its interval."""

    value: float
    interval: Interval


def difference_interval(first: Rate, second: Rate) -> Interval:
    """The interval of first - second, two rates of different cases, within [-1, 1], from an interval of each.

    Its confidence is theirs. Where the cases are of the same needs and agree, it is too wide rather than too narrow.

    Source: Newcombe, Statistics in Medicine 17 (1998) 873-890, method 10; for any intervals Zou and Donner, Statistics
    in Medicine 27 (2008) 1693-1702.
    """
    difference = first.value - second.value
    down = math.hypot(first.value - first.interval.low, second.interval.high - second.value)
    up = math.hypot(first.interval.high - first.value, second.value - second.interval.low)
    return Interval(difference - down, difference + up)


def effective_size(clusters: Iterable[Cluster]) -> float:
    """How many independent answers the wordings of these needs are worth: between needs and wordings; 0 for none."""
    needs = [cluster for cluster in clusters if cluster.n]
    wordings = sum(need.n for need in needs)
    if len(needs) < 2:
        return float(len(needs))
    rate = sum(need.successes for need in needs) / wordings
    spread = math.fsum((need.successes - rate * need.n) ** 2 for need in needs)
    variance = len(needs) / (len(needs) - 1) * spread / wordings**2
    if variance == 0:
        return float(len(needs))
    return min(max(rate * (1 - rate) / variance, float(len(needs))), float(wordings))


def _check(successes: float, n: float, confidence: float) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n}: allowed are 0 to {n}, of 0 or more")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence}: allowed is what lies between 0 and 1, such as 0.95")
