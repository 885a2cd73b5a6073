"""Searches until found, when some needs run out of wordings: the curve, its intervals, the mean under a budget."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
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


class _Step(NamedTuple):
    place: int
    at_risk: int
    found: int
    missing: float
    """Not found by one of the first wordings."""
    spread: float
    """Greenwood's sum: the variance of `missing` is missing^2 * spread."""
    before: float
    """Not found by one of the wordings before."""


def found_curve(lives: Iterable[Life], confidence: float = DEFAULT_CONFIDENCE) -> tuple[CurvePoint, ...]:
    """The Kaplan-Meier curve of needs found, a point for each wording number that a need not yet found has.

    A need that runs out of wordings counts as far as it was asked, and not as one that would never be found. () without
    any need. The interval is Wilson's on the effective number of needs, share * (1 - share) / Greenwood's variance.
    Where nothing is found it is Wilson's on the needs at risk; where all is, the share of those at risk may be as low
    as Wilson's bound. So it lies within [0, 1] and is never of zero width.

    Raises:
        ValueError: a place below 1, or a confidence that is none.

    Source: Kaplan and Meier, JASA 53 (1958) 457-481; Rothman, Journal of Chronic Diseases 31 (1978) 557-560.
    """
    return tuple(
        CurvePoint(step.place, step.at_risk, step.found, 1 - step.missing, _interval(step, confidence))
        for step in _follow(lives)
    )


def mean_searches(lives: Iterable[Life], budget: int) -> float | None:
    """The mean number of searches until found, within [1, budget + 1]: never found within the budget is budget + 1.

    The restricted mean 1 + S(1) + ... + S(budget), with S(j) the share that the first j wordings do not find, from the
    curve. None where the wordings do not reach the budget, though some need is not found; and without any need.

    Raises:
        ValueError: a budget or a place below 1.

    Source: Irwin, Journal of Hygiene 47 (1949) 188-189.
    """
    if budget < 1:
        raise ValueError(f"a budget of {budget} searches: 1 is the least")
    missing = [step.missing for step in _follow(lives)][:budget]
    if not missing or (len(missing) < budget and missing[-1] > 0):
        return None
    return 1 + math.fsum(missing)


def _follow(lives: Iterable[Life]) -> Iterator[_Step]:
    needs = list(lives)
    if any(life.place < 1 for life in needs):
        raise ValueError("a wording's number is 1 or more")
    ends, hits = Counter(life.place for life in needs), Counter(life.place for life in needs if life.is_found)
    at_risk, missing, spread = len(needs), 1.0, 0.0
    for place in range(1, max(ends, default=0) + 1):
        found = hits[place]
        before = missing
        missing *= (at_risk - found) / at_risk
        spread += found / (at_risk * (at_risk - found)) if found < at_risk else 0.0
        yield _Step(place, at_risk, found, missing, spread, before)
        at_risk -= ends[place]


def _interval(step: _Step, confidence: float) -> Interval:
    if step.missing == 0:
        low, _ = _score_interval(1.0, step.at_risk, confidence)
        return Interval(1 - step.before * (1 - low), 1.0)
    share = 1 - step.missing
    n = share / (step.missing * step.spread) if share > 0 else float(step.at_risk)
    return _score_interval(share, n, confidence)


def _score_interval(share: float, n: float, confidence: float) -> Interval:
    """Wilson's interval of a share of n needs, a number that may be a fraction."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence}: allowed is what lies between 0 and 1, such as 0.95")
    from scipy.special import ndtri

    z = float(ndtri((1 + confidence) / 2))
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return Interval(0.0 if share == 0 else max(0.0, centre - half), 1.0 if share == 1 else min(1.0, centre + half))
