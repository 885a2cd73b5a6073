"""Which variants are worth a choice: found against what a search puts into the context against how long it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memeval.bench.evaluation import Evaluation, SuiteResult


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontPoint:
    """One variant on one suite."""

    suite: str
    variant: str
    found: float
    """Share of wordings that find an expected file, in [0, 1]."""
    bytes_shown: float
    """Mean of what a search displays."""
    milliseconds: float | None
    """Median of a search, as this machine measured it; None where it was not."""
    dominated_by: tuple[str, ...] = ()
    """Variants that are no worse in all three and better in one. () = on the front."""


def find_front(evaluation: Evaluation) -> tuple[FrontPoint, ...]:
    """Each variant of each suite, controls left out, with the variants that dominate it.

    A time that was not measured of one of two variants decides nothing between them.
    """
    return tuple(point for suite in evaluation.suites for point in _find_front(suite, evaluation.timings))


def _find_front(suite: SuiteResult, timings: Mapping[str, Any]) -> list[FrontPoint]:
    points = []
    for variant in suite.variants:
        found, shown = variant.summary.get("found"), variant.summary.get("bytes-shown")
        if variant.control or found is None or found.value is None or shown is None or shown.value is None:
            continue
        median = timings.get(suite.name, {}).get(variant.name, {}).get("p50_ms")
        points.append(
            FrontPoint(
                suite=suite.name,
                variant=variant.name,
                found=found.value,
                bytes_shown=shown.value,
                milliseconds=median,
            )
        )
    return [
        FrontPoint(
            suite=point.suite,
            variant=point.variant,
            found=point.found,
            bytes_shown=point.bytes_shown,
            milliseconds=point.milliseconds,
            dominated_by=tuple(other.variant for other in points if _dominates(other, point)),
        )
        for point in points
    ]


def _dominates(first: FrontPoint, second: FrontPoint) -> bool:
    gains = [first.found - second.found, second.bytes_shown - first.bytes_shown]
    if first.milliseconds is not None and second.milliseconds is not None:
        gains.append(second.milliseconds - first.milliseconds)
    return min(gains) >= 0 and max(gains) > 0
