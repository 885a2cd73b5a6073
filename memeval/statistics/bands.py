"""The interval of a mean of shares, several of which belong to one need: the bands of a curve."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from memeval.statistics.intervals import DEFAULT_CONFIDENCE, Interval, clopper_pearson


def mean_interval(needs: Iterable[Sequence[float]], confidence: float = DEFAULT_CONFIDENCE) -> Interval | None:
    """The two-sided interval of the mean share over all wordings, within [0, 1]; None without any.

    That of Korn and Graubard for a rate, with shares in the place of yes and no: the exact interval on the effective
    sample size, mean x (1 - mean) / variance between needs, kept within [needs, wordings]. Shares between 0 and 1 vary
    less than answers of yes and no, so that it is too wide for them rather than too narrow. For shares of 0 and 1 it is
    `korn_graubard`.

    Args:
        needs: the shares of each need's wordings; a need without any is left out.
        confidence: between 0 and 1.

    Raises:
        ValueError: a share outside [0, 1], or a confidence that is none.

    Source: Korn and Graubard, Survey Methodology 24 (1998) 193-201, with the linearised variance of a ratio.
    """
    groups = [tuple(shares) for shares in needs if shares]
    if any(not 0 <= share <= 1 for shares in groups for share in shares):
        raise ValueError("a share lies within [0, 1]")
    if not groups:
        return None
    wordings = sum(map(len, groups))
    mean = math.fsum(share for shares in groups for share in shares) / wordings
    size = _effective_size(groups, mean, wordings)
    return clopper_pearson(min(mean * size, size), size, confidence)


def _effective_size(groups: Sequence[Sequence[float]], mean: float, wordings: int) -> float:
    needs = len(groups)
    if needs < 2:
        return float(needs)
    spread = math.fsum((math.fsum(shares) - mean * len(shares)) ** 2 for shares in groups)
    variance = needs / (needs - 1) * spread / wordings**2
    if variance == 0:
        return float(needs)
    return min(max(mean * (1 - mean) / variance, float(needs)), float(wordings))
