"""The registry, and one query scored by all of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.errors import UnknownNameError
from memeval.metrics.registry import METRICS, Kind, Outcome, find_metric, score_query

NAMES = [
    "found",
    "found_all",
    "success@k",
    "recall@k",
    "full-recall@k",
    "precision@k",
    "mrr",
    "ndcg@k",
    "judged@k",
    "silent-miss-rate",
    "false-hit-rate",
    "evidence-in-snippet",
    "documents-shown",
    "bytes-shown",
]


def test_the_names_are_those_of_a_summary():
    """Names and their order are what reports and readers of the JSON rely on."""
    assert [metric.name for metric in METRICS] == NAMES


def test_every_metric_says_what_it_is():
    """Each carries a kind, a unit and a formula; shares are discovery or ranking, cost is not."""
    for metric in METRICS:
        assert metric.unit in {"share", "documents", "bytes"}
        assert (metric.kind is Kind.COST) == (metric.unit != "share")
        assert metric.formula
        assert metric.has_cutoff == ("@k" in metric.name)


IDS = st.sampled_from("abcdef")


@given(
    st.builds(
        Outcome,
        grades=st.dictionaries(IDS, st.integers(0, 2)),
        ranked=st.lists(IDS, unique=True),
        first_rank=st.none() | st.integers(1, 9),
        matched=st.integers(0, 6),
        shown=st.lists(IDS, unique=True),
        bytes_shown=st.integers(0, 9),
        evidence_shown=st.none() | st.booleans(),
    )
)
def test_a_binary_metric_is_yes_or_no(outcome):
    """Where a metric says that it is binary, no query scores anything between 0 and 1: its mean is a rate."""
    scores = score_query(outcome, [1, 3])
    for name, score in scores.items():
        assert not find_metric(name).is_binary or score in (None, 0, 1), name


def test_one_query_scored_by_hand():
    """Ranked x, a with a expected, only x shown: not found, success@2 but not success@1."""
    outcome = Outcome(
        grades={"a": 1}, ranked=["x", "a"], first_rank=2, matched=7, shown=["x"], bytes_shown=120, evidence_shown=False
    )
    assert score_query(outcome, [1, 2]) == {
        "found": 0.0,
        "found_all": 0.0,
        "success@1": 0.0,
        "success@2": 1.0,
        "recall@1": 0.0,
        "recall@2": 1.0,
        "full-recall@1": 0.0,
        "full-recall@2": 1.0,
        "precision@1": 0.0,
        "precision@2": 0.5,
        "mrr": 0.5,
        "ndcg@1": 0.0,
        "ndcg@2": pytest.approx(0.6309297535714575),
        "judged@1": 0.0,
        "judged@2": 0.5,
        "silent-miss-rate": 0.0,
        "false-hit-rate": None,
        "evidence-in-snippet": 0.0,
        "documents-shown": 1,
        "bytes-shown": 120,
    }


@pytest.mark.parametrize(("first_rank", "mrr"), [(1, 1.0), (4, 0.25), (None, 0.0)])
def test_mrr_stands_on_the_rank_beyond_the_stored_ranking(first_rank, mrr):
    """How deep the ranking is stored moves no figure without a cutoff."""
    outcome = Outcome(grades={"a": 1}, ranked=["x"], first_rank=first_rank, matched=7, shown=[], bytes_shown=0)
    assert score_query(outcome, [1])["mrr"] == mrr


def test_with_nothing_stored_only_false_hits_and_cost_are_defined():
    """Nothing to find: no share of it is 0 or 1."""
    outcome = Outcome(grades={}, ranked=["x"], first_rank=None, matched=1, shown=["x"], bytes_shown=9)
    scores = score_query(outcome, [5])
    assert {name for name, value in scores.items() if value is not None} == {
        "false-hit-rate",
        "documents-shown",
        "bytes-shown",
    }
    assert scores["false-hit-rate"] == 1.0


@pytest.mark.parametrize(("name", "family"), [("mrr", "mrr"), ("recall@k", "recall@k"), ("recall@10", "recall@k")])
def test_a_metric_is_found_with_or_without_its_cutoff(name, family):
    """recall@k and recall@10 are one metric."""
    assert find_metric(name).name == family


@pytest.mark.parametrize("name", ["recal@10", "mrr@10", "recall@0", "recall", ""])
def test_an_unknown_metric_is_refused_with_the_choices(name):
    """A name that is not measured never passes as another."""
    with pytest.raises(UnknownNameError, match=r"unknown metric .*known: .*recall@k"):
        find_metric(name)
