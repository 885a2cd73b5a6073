"""What was foretold of recorded sessions against what came, as lines for a terminal and as values for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memeval.bench.prediction import INSUFFICIENT, Outcome, Prediction
from memeval.report.notation import UNDEFINED, add_interval, format_difference, format_rate, make_visible
from memeval.statistics.trigger import min_needs
from memeval.text import count


def write_predictions(came: Outcome, predictions: Sequence[Prediction]) -> list[str]:
    """A line on what came, then two on each prediction; the last line is what that was measured by."""
    lines = [f"asked again in other words: {_tell(came)} of {count(came.n, 'need')} that ended in a read"]
    for one in predictions:
        lines += [
            "",
            f"foretold by {make_visible(one.source)}: {_tell(one.foretold)} of {count(one.foretold.n, 'need')}",
        ]
        if one.came != came:
            lines.append(f"  then came {_tell(one.came)} of {count(one.came.n, 'need')}")
        if one.difference is None or one.interval is None:
            lines.append(f"  {INSUFFICIENT}: a rate needs needs on both sides")
            continue
        ends = f"{format_difference(one.interval.low)}, {format_difference(one.interval.high)}"
        lines.append(
            f"  came − foretold {format_difference(one.difference)} [{ends}]: {one.verdict}{_tell_limits(one)}"
        )
    return lines


def _tell_limits(one: Prediction) -> str:
    limits = []
    if one.verdict == INSUFFICIENT:
        limits.append(f"below {min_needs()} needs on a side nothing is decided")
    if one.visible is not None:
        limits.append(f"the smallest rise that so many needs show is {format_difference(one.visible)}")
    else:
        limits.append("so many needs show no rise at all")
    return f" ({'; '.join(limits)})"


def describe_predictions(came: Outcome, predictions: Sequence[Prediction]) -> dict[str, Any]:
    """All of it as JSON values; what is undefined is None."""
    return {
        "came": _describe(came),
        "predictions": [
            {
                "source": one.source,
                "foretold": _describe(one.foretold),
                "came": _describe(one.came),
                "difference": one.difference,
                "interval": None if one.interval is None else list(one.interval),
                "visible_gap": one.visible,
                "verdict": one.verdict,
            }
            for one in predictions
        ],
    }


def _tell(outcome: Outcome) -> str:
    if outcome.value is None:
        return UNDEFINED
    rate = format_rate(outcome.value)
    if outcome.interval is None:
        return rate
    return add_interval(rate, format_rate(outcome.interval.low), format_rate(outcome.interval.high))


def _describe(outcome: Outcome) -> dict[str, Any]:
    return {
        "retries": outcome.retries,
        "n": outcome.n,
        "value": outcome.value,
        "interval": None if outcome.interval is None else list(outcome.interval),
    }
