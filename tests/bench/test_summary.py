"""Summaries: which figures are rates, and the interval each of them carries."""

from __future__ import annotations

import json

import pytest

import memeval
from memeval.bench.evaluation import Evaluation
from memeval.bench.record import decode_evaluation
from memeval.metrics.registry import METRICS, find_metric
from memeval.statistics.intervals import Cluster, korn_graubard, wilson

RATES_OF_NEEDS = {"found-first-wording", "found-any-wording"}
RATES = {
    "found",
    "found_all",
    "success@k",
    "full-recall@k",
    "silent-miss-rate",
    "false-hit-rate",
    "evidence-in-snippet",
}


@pytest.fixture
def summary(small_suite) -> dict:
    """The summary of the article engine on the small suite: needs of two, one, two and two wordings."""
    return dict(memeval.evaluate(small_suite, ["article"]).suites[0].variants[0].summary)


def rounded(interval) -> tuple[float, float]:
    """An interval as it is recorded."""
    return (round(interval.low, 6), round(interval.high, 6))


def test_rates_carry_an_interval_and_nothing_else_does(summary):
    """What is yes or no per query has an interval around its value; means of anything else have none."""
    assert {metric.name for metric in METRICS if metric.is_binary} == RATES
    for name, value in summary.items():
        if name in RATES_OF_NEEDS or find_metric(name).is_binary:
            low, high = value.interval
            assert 0 <= low <= value.value <= high <= 1, name
            assert low < high, name
        else:
            assert value.interval is None, name


def test_several_wordings_of_a_need_are_one_cluster(summary):
    """Found 1 of 2, 1 of 1 and 1 of 2: Korn-Graubard; one wording a need, or one answer a need: Wilson."""
    assert summary["found"].interval == rounded(korn_graubard([Cluster(1, 2), Cluster(1, 1), Cluster(1, 2)]))
    assert summary["found"].interval != rounded(wilson(3, 5))
    assert summary["false-hit-rate"].interval == rounded(korn_graubard([Cluster(1, 2)]))
    assert summary["found-first-wording"].interval == rounded(wilson(2, 3))
    assert summary["found-any-wording"].interval == rounded(wilson(3, 3))


def test_slices_and_the_curve_of_wordings_carry_intervals(small_suite):
    """A slice with one wording a need has Wilson's interval; so has each point of the curve."""
    variant = memeval.evaluate(small_suite, ["article"]).suites[0].variants[0]
    slices = {(part.dimension, part.label): part.summary["found"] for part in variant.slices}
    assert slices["kind", "spaced"].interval == rounded(wilson(1, 1))
    assert slices["lang", "en"].interval == rounded(korn_graubard([Cluster(1, 2), Cluster(1, 1)]))
    assert [share.interval for _, share in variant.found_by_wording] == [
        rounded(wilson(2, 3)),
        rounded(wilson(2, 2)),
    ]
    assert all(share.interval is None for _, share in variant.recall_curve)


def test_a_rate_without_a_case_has_no_interval(small_suite):
    """Undefined is null in both places."""
    part = next(
        part
        for part in memeval.evaluate(small_suite, ["article"]).suites[0].variants[0].slices
        if part.label == "unseen-words"
    )
    assert (part.summary["false-hit-rate"].value, part.summary["false-hit-rate"].interval) == (None, None)


def test_intervals_in_json(small_suite):
    """A rate has its interval beside value and n, null where it is undefined; what is no rate has no such key."""
    evaluation = memeval.evaluate(small_suite, ["article"])
    data = json.loads(evaluation.to_json())
    recorded = data["suites"][0]["variants"][0]["summary"]
    summary = evaluation.suites[0].variants[0].summary
    assert recorded["found"] == {"value": 0.6, "n": 5, "interval": list(summary["found"].interval)}
    assert recorded["mrr"].keys() == {"value", "n"}
    kinds = {part["label"]: part["summary"] for part in data["suites"][0]["variants"][0]["slices"]}
    assert kinds["unseen-words"]["false-hit-rate"] == {"value": None, "n": 0, "interval": None}
    assert decode_evaluation(data) == evaluation


def test_a_record_without_intervals_still_loads(small_suite):
    """Files of before have no interval anywhere; they are read, and written as they were."""
    data = json.loads(memeval.evaluate(small_suite, ["article"]).to_json())

    def strip(value):
        if isinstance(value, dict):
            return {key: strip(item) for key, item in value.items() if key != "interval"}
        return [strip(item) for item in value] if isinstance(value, list) else value

    old = decode_evaluation(strip(data))
    assert isinstance(old, Evaluation)
    assert old.suites[0].variants[0].summary["found"].interval is None
    assert json.loads(old.to_json())["suites"][0]["variants"][0]["summary"]["found"] == {"value": 0.6, "n": 5}
