"""Searches until found, when some needs run out of wordings: the curve, its intervals, the mean under a budget."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memeval.statistics.intervals import DEFAULT_CONFIDENCE, Interval


class Life(NamedTuple):
    """One need: found at the wording of this number, or not by this many. From 1."""

    place: int
    is_found: bool


class CurvePoint(NamedTuple):
    """The share of needs found by one of the first wordings."""

    place: int
    """How many wordings, from 1."""
    at_risk: int
    """Needs with a wording of that number that no earlier one had found."""
    found: int
    """Those of them that it finds."""
    share: float
    """Found by one of the first `place` wordings, in [0, 1]."""
    interval: Interval


def found_curve(lives: Iterable[Life], confidence: float = DEFAULT_CONFIDENCE) -> tuple[CurvePoint, ...]:
    """The Kaplan-Meier curve of needs found, a point for each wording number that a need not yet found has.

    A need that runs out of wordings counts as far as it was asked, and not as one that would never be found. () without
    any need. The interval is Wilson's on the effective number of needs, share * (1 - share) / Greenwood's variance, or,
    where the share is 0 or 1, on the needs that had not run out of wordings: within [0, 1], never of zero width.

    Raises:
        ValueError: a place below 1, or a confidence that is none.

    Source: Kaplan and Meier, JASA 53 (1958) 457-481; Rothman, Journal of Chronic Diseases 31 (1978) 557-560.
    """
    needs = list(lives)
    if any(life.place < 1 for life in needs):
        raise ValueError("a wording's number is 1 or more")
    ends, hits = Counter(life.place for life in needs), Counter(life.place for life in needs if life.is_found)
    points = []
    at_risk, known, missing, spread = len(needs), len(needs), 1.0, 0.0
    for place in range(1, max(ends, default=0) + 1):
        found = hits[place]
        missing *= (at_risk - found) / at_risk
        spread += found / (at_risk * (at_risk - found)) if found < at_risk else 0.0
        interval = _interval(1 - missing, spread, known, confidence)
        points.append(CurvePoint(place, at_risk, found, 1 - missing, interval))
        at_risk -= ends[place]
        known -= ends[place] - found
    return tuple(points)


def mean_searches(curve: Sequence[CurvePoint], budget: int) -> float | None:
    """The mean number of searches until found, within [1, budget + 1]: never found within the budget is budget + 1.

    The restricted mean 1 + S(1) + ... + S(budget), with S(j) the share that the first j wordings do not find. None
    where the curve does not reach the budget, though some need is not found; and without a curve.

    Raises:
        ValueError: a budget below 1.

    Source: Irwin, Journal of Hygiene 47 (1949) 188-189.
    """
    if budget < 1:
        raise ValueError(f"a budget of {budget} searches: 1 is the least")
    if not curve:
        return None
    missing = [1 - point.share for point in curve[:budget]]
    if len(missing) < budget and missing[-1] > 0:
        return None
    return 1 + math.fsum(missing)


def _interval(share: float, spread: float, known: int, confidence: float) -> Interval:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence}: allowed is what lies between 0 and 1, such as 0.95")
    from scipy.special import ndtri

    missing = 1 - share
    # Greenwood's variance of the share is missing^2 * spread
    n = share / (missing * spread) if 0 < share < 1 and spread > 0 else float(known)
    z = float(ndtri((1 + confidence) / 2))
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * missing / n + z * z / (4 * n * n))
    return Interval(0.0 if share == 0 else max(0.0, centre - half), 1.0 if share == 1 else min(1.0, centre + half))
