"""The trigger's verdict: whether more needs than tolerated are missed at first for want of a common word."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from memeval.statistics.intervals import clopper_pearson_high, clopper_pearson_low

DEFAULT_THRESHOLD = 0.1
"""The tolerated share of needs whose first wording matches no file that answers."""
QUIET_MULTIPLE = 2
"""The rate is certainly not this many times the tolerated one, where the verdict is quiet."""
POWER_MULTIPLE = 3
"""A rate this many times the tolerated one has to be seen …"""
POWER = 0.95
"""… with this probability, or there are too few needs for a verdict."""
MAX_THRESHOLD = 0.25
"""Four times the tolerated rate, the largest that evidence is weighed against, has to be a rate, too."""

_MOST_NEEDS = 1 << 30


class State(str, Enum):
    """What the number of triggers says."""

    FIRING = "firing"
    """The rate is above the threshold, with 95 % confidence."""
    QUIET = "quiet"
    """It is at most twice the threshold, with 95 % confidence."""
    WATCH = "watch"
    """Neither is certain."""
    INSUFFICIENT = "insufficient"
    """Fewer needs than it takes to see three times the threshold."""


def check_threshold(threshold: float) -> None:
    """None for a rate that can be a threshold. Raises ValueError for any other."""
    if not 0 < threshold < MAX_THRESHOLD:
        raise ValueError(f"threshold {threshold}: allowed is what lies between 0 and {MAX_THRESHOLD}, such as 0.1")


def judge_count(triggers: int, n: int, threshold: float = DEFAULT_THRESHOLD) -> State:
    """The verdict on that many triggers of n needs, from one-sided 95 % Clopper-Pearson bounds.

    Raises:
        ValueError: more triggers than needs, or fewer than none; a threshold that can be none.
    """
    low, high = clopper_pearson_low(triggers, n), clopper_pearson_high(triggers, n)
    if low is None or high is None or n < min_needs(threshold):
        return State.INSUFFICIENT
    return judge_bounds(low, high, threshold)


def judge_bounds(low: float, high: float, threshold: float = DEFAULT_THRESHOLD) -> State:
    """The verdict on a rate that lies above `low`, and below `high`, with 95 % confidence each."""
    if low > threshold:
        return State.FIRING
    return State.QUIET if high <= QUIET_MULTIPLE * threshold else State.WATCH


def fires_from(n: int, threshold: float = DEFAULT_THRESHOLD) -> int | None:
    """The fewest triggers of n needs that lie above the threshold; None where not even n of n do.

    `min_needs` is not asked: it may be too few needs for a verdict.
    """
    check_threshold(threshold)
    if n < 1 or (clopper_pearson_low(n, n) or 0.0) <= threshold:
        return None
    low, high = 1, n
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if (clopper_pearson_low(middle, n) or 0.0) > threshold else (middle + 1, high)
    return low


def quiet_up_to(n: int, threshold: float = DEFAULT_THRESHOLD) -> int | None:
    """The most triggers of n needs that are quiet, not counting those that fire; None where not even 0 is.

    `min_needs` is not asked.
    """
    check_threshold(threshold)
    if n < 1 or (clopper_pearson_high(0, n) or 1.0) > QUIET_MULTIPLE * threshold:
        return None
    low, high = 0, n
    while low < high:
        middle = (low + high + 1) // 2
        is_quiet = (clopper_pearson_high(middle, n) or 1.0) <= QUIET_MULTIPLE * threshold
        low, high = (middle, high) if is_quiet else (low, middle - 1)
    fires = fires_from(n, threshold)
    return low if fires is None else min(low, fires - 1)


@lru_cache(maxsize=64)
def min_needs(threshold: float = DEFAULT_THRESHOLD) -> int:
    """The number of needs from which on three times the threshold fires with 95 % probability: 45 for 10 %. Exact.

    The probability falls a little with each further trigger that firing takes; below this number, 41 may do and 42
    not.

    Raises:
        ValueError: a threshold that can be none.
    """
    from scipy.special import bdtrc

    check_threshold(threshold)
    rate = POWER_MULTIPLE * threshold
    last = 0
    fires = 1
    for n in range(1, int(15 / threshold) + 1):  # at 4.5 / threshold it is reached
        while fires <= n and (clopper_pearson_low(fires, n) or 0.0) <= threshold:
            fires += 1  # it rises by 0 or 1 from one number of needs to the next
        if fires > n or float(bdtrc(fires - 1, n, rate)) < POWER:
            last = n
    return last + 1


def needs_to_decide(triggers: int, n: int, threshold: float = DEFAULT_THRESHOLD) -> int | None:
    """How many more needs it takes until the rate that was observed is firing or quiet; 0 where it is.

    The triggers grow with the needs, in fractions. None without any need, and where more than a milliard are not
    enough: at a rate a hair above the threshold.

    Raises:
        ValueError: more triggers than needs, or fewer than none.
    """
    clopper_pearson_low(triggers, n)
    if n == 0:
        return None
    least = max(n, min_needs(threshold))

    def is_decided(needs: int) -> bool:
        grown = triggers * needs / n
        low, high = clopper_pearson_low(min(grown, needs), needs), clopper_pearson_high(min(grown, needs), needs)
        return judge_bounds(low or 0.0, 1.0 if high is None else high, threshold) is not State.WATCH

    high = least
    while not is_decided(high):
        if high > _MOST_NEEDS:
            return None
        high *= 2
    low = least
    while low < high:  # what is decided stays so when the same rate is seen of more needs
        middle = (low + high) // 2
        low, high = (low, middle) if is_decided(middle) else (middle + 1, high)
    return low - n
