"""Curves of one variant with their bands: recall over k, and needs found over searches made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memeval.bench.asked import ask_needs, find_place
from memeval.bench.evaluation import QueryResult, VariantResult
from memeval.bench.summary import UNGRADABLE, group_by_need
from memeval.metrics.ranking import recall_at
from memeval.statistics.bands import mean_interval
from memeval.statistics.intervals import Interval
from memeval.statistics.survival import Life, found_curve


@dataclass(frozen=True, slots=True)
class BandPoint:
    """A point of a curve with the ends of its 95 % interval, all within [0, 1]."""

    x: int
    """k, or how many wordings were searched with."""
    value: float
    low: float
    high: float
    n: int
    """Wordings or needs it stands on."""


def band_recall(variant: VariantResult) -> tuple[BandPoint, ...]:
    """The recorded recall curve with its bands, the wordings of a need as one cluster; () where it was not recorded."""
    points = []
    needs = group_by_need(query for query in variant.queries if query.verdict != UNGRADABLE)
    for k, value in variant.recall_curve:
        interval = mean_interval(_recalls(queries, k) for queries in needs.values())
        if value.value is not None and interval is not None:
            points.append(_point(k, value.value, interval, value.n))
    return tuple(points)


def band_searches(variant: VariantResult) -> tuple[BandPoint, ...]:
    """The Kaplan-Meier curve of findable needs found, over the searches made for them; () without such a need.

    A need that runs out of wordings counts as far as it was asked; n is the needs still looked for.
    """
    lives = []
    for need in ask_needs(variant.queries).needs:
        place = find_place(need.queries, lambda query: bool(query.found))
        lives.append(Life(len(need.queries), False) if place is None else Life(place + 1, True))
    return tuple(_point(point.place, point.share, point.interval, point.at_risk) for point in found_curve(lives))


def _point(x: int, value: float, interval: Interval, n: int) -> BandPoint:
    # the point is the recorded one; at an end the interval may miss it by rounding
    return BandPoint(x, value, min(interval.low, value), max(interval.high, value), n)


def _recalls(queries: Sequence[QueryResult], k: int) -> list[float]:
    values = (recall_at([doc_id for doc_id, _ in query.ranking], query.expected, k) for query in queries)
    return [value for value in values if value is not None]
