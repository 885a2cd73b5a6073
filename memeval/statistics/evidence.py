"""Evidence that a rate lies above a threshold, weighed as needs come in: it may be looked at as often as one likes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memeval.statistics.trigger import DEFAULT_THRESHOLD, check_threshold

MULTIPLES = (1.5, 2.0, 3.0, 4.0)
"""The rates it is weighed against, as multiples of the threshold; each counts the same."""
FIRES_AT = 20.0
"""The evidence at which the signal fires: at the threshold it is ever reached with probability 1/20 at most."""


class Evidence(NamedTuple):
    """Where the evidence stands after the last need, and whether it ever was enough."""

    value: float
    """1 before the first need; above 1 the needs speak for a rate above the threshold."""
    peak: float
    fired_at: int | None
    """The number of the need, from 1, with which it was first enough; None where it never was. It stays so until the
    ruler changes."""


def weigh(triggers: int, n: int, threshold: float = DEFAULT_THRESHOLD) -> float:
    """The evidence of that many triggers among n independent needs: the mean likelihood ratio over MULTIPLES.

    mean over a of (a/t)^x ((1 - a)/(1 - t))^(n - x), with t the threshold and a its multiples.

    Raises:
        ValueError: more triggers than needs, or fewer than none; a threshold that can be none.

    Source: the mixture likelihood ratio; Ville's inequality bounds how often it is ever large. Wald, Sequential
    Analysis (1947); Robbins, Annals of Mathematical Statistics 41 (1970) 1397-1409.
    """
    check_threshold(threshold)
    if not 0 <= triggers <= n:
        raise ValueError(f"{triggers} triggers of {n} needs: allowed are 0 to {n}, of 0 or more")
    return math.fsum(
        math.exp(
            triggers * math.log(multiple) + (n - triggers) * math.log((1 - multiple * threshold) / (1 - threshold))
        )
        for multiple in MULTIPLES
    ) / len(MULTIPLES)


def follow_evidence(sessions: Iterable[Sequence[bool]], threshold: float = DEFAULT_THRESHOLD) -> Evidence:
    """The evidence after sessions in the order of time, with its peak and the need with which it fired.

    Needs of one session may fail together, so that they count as one look: the mean of their likelihood ratios, which
    is a fair bet at the threshold however they depend on each other. With one need in each session it is `weigh`.

    Args:
        sessions: of each the needs, True for a trigger; one without a need says nothing.
        threshold: the tolerated rate.

    Raises:
        ValueError: a threshold that can be none.
    """
    check_threshold(threshold)
    logs = [0.0] * len(MULTIPLES)
    needs, value, peak = 0, 1.0, 1.0
    fired_at = None
    for answers in sessions:
        if answers:
            needs += len(answers)
            share = sum(map(bool, answers)) / len(answers)
            for place, multiple in enumerate(MULTIPLES):
                miss, hit = multiple, (1 - multiple * threshold) / (1 - threshold)
                logs[place] += math.log(share * miss + (1 - share) * hit)
            value = math.fsum(map(math.exp, logs)) / len(MULTIPLES)
            peak = max(peak, value)
            if fired_at is None and value >= FIRES_AT:
                fired_at = needs
    return Evidence(value, peak, fired_at)
