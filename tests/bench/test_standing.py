"""How a wording stands: by the recorded order, by the other orders of equal scores, and by another ruler."""

from __future__ import annotations

import dataclasses
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.bench.measures import find_measure
from memeval.bench.standing import first_rank, is_close, is_cut_in_ties, is_listed, judge, list_top
from memeval.metrics.ranking import full_recall_at, success_at

SUCCESS = find_measure("success@2")
FULL = find_measure("full-recall@2")
FOUND = find_measure("found")


def test_a_cutoff_that_splits_equal_scores(made):
    """Second of three equals: yes as recorded, no if it came last, and a yes in two orders of three."""
    query = made.ask("port", ("a", 5.0), ("x", 5.0), ("b", 5.0))
    standing = judge(query, {"x": 1}, SUCCESS)
    assert (standing.value, standing.worst, standing.best) == (True, False, True)
    assert standing.chance == pytest.approx(2 / 3)
    standing = judge(query, {"x": 1}, find_measure("success@3"))
    assert (standing.worst, standing.best, standing.chance) == (True, True, 1.0)


@given(
    st.lists(st.tuples(st.sampled_from([3.0, 2.0, 1.0]), st.booleans()), min_size=1, max_size=6),
    st.integers(1, 6),
    st.sampled_from(["success", "full-recall"]),
)
def test_every_order_of_ties_is_between_worst_and_best(made, hits, k, family):
    """The ends are those of all orders, each scored by the metric itself; the share is the share of them."""
    ranked = [(f"d{place}", score, relevant) for place, (score, relevant) in enumerate(hits)]
    ranked.sort(key=lambda hit: -hit[1])
    grades = {doc_id: 1 for doc_id, _, relevant in ranked if relevant}
    query = made.ask("x", *[(doc_id, score) for doc_id, score, _ in ranked])
    standing = judge(query, grades, find_measure(f"{family}@{k}"))
    if not grades:
        assert standing is None
        return
    score = success_at if family == "success" else full_recall_at
    orders = [order for order in permutations(ranked) if [hit[1] for hit in order] == [hit[1] for hit in ranked]]
    values = [bool(score([hit[0] for hit in order], grades, k)) for order in orders]
    assert standing.value == bool(score([hit[0] for hit in ranked], grades, k))
    assert (standing.worst, standing.best) == (all(values), any(values))
    assert standing.chance == pytest.approx(sum(values) / len(values))


def test_what_is_displayed_has_ties_at_its_end(made):
    """Two files fit under the cap; the second and the third are equal, so that another order shows the other one."""
    query = made.ask("port", ("a", 5.0), ("x", 3.0), ("b", 3.0), shown=2)
    standing = judge(query, {"x": 1}, FOUND)
    assert (standing.value, standing.worst, standing.best) == (True, False, True)
    standing = judge(query, {"a": 1}, FOUND)
    assert (standing.worst, standing.best) == (True, True)
    elsewhere = dataclasses.replace(query, shown=("b", "a"))  # not the head of the ranking: a rule of its own
    assert judge(elsewhere, {"x": 1}, FOUND).best is False


def test_an_order_without_scores_has_no_ties(made):
    """A list numbers its places n, n - 1, …: every place is its own."""
    query = made.ask("port", ("a", 3.0), ("x", 2.0), ("b", 1.0))
    assert is_listed(query)
    assert not is_listed(made.ask("port", ("a", 3.1), ("x", 2.0), ("b", 1.0)))
    standing = judge(query, {"x": 1}, find_measure("success@1"))
    assert (standing.value, standing.best) == (False, False)


def test_measures_without_a_cutoff(made):
    """Silence and false hits are what they are; a ranking says nothing of evidence."""
    silent = made.ask("port")
    assert judge(silent, {"x": 1}, find_measure("silent-miss-rate")).value is True
    assert judge(silent, {}, find_measure("false-hit-rate")).value is False
    assert judge(silent, {"x": 1}, find_measure("false-hit-rate")) is None
    assert judge(silent, {}, FOUND) is None
    assert judge(silent, {"x": 1}, FOUND).value is False
    assert judge(silent, {"x": 1}, find_measure("evidence-in-snippet")) is None
    known = dataclasses.replace(silent, evidence_shown=True)
    assert judge(known, {"x": 1}, find_measure("evidence-in-snippet")).value is True
    assert judge(dataclasses.replace(silent, verdict="ungradable"), {"x": 1}, FOUND) is None


def test_an_expected_file_below_the_stored_depth(made):
    """Its own run knows the rank at any depth; for a file that only a later ruler asks for, nobody knows."""
    query = made.ask("port", "a", "b", matched=9, expected_ranks={"x": 4})
    assert judge(query, {"x": 1}, find_measure("success@3")).value is False
    assert judge(query, {"x": 1}, find_measure("success@4")).value is True
    assert first_rank(query, {"x": 1, "y": 1}) == 4
    unknown = judge(query, {"y": 1}, find_measure("success@5"))
    assert (unknown.value, unknown.best, unknown.is_known) == (False, True, False)
    assert judge(query, {"y": 1}, SUCCESS).is_known
    assert judge(query, {"y": 1, "a": 1}, find_measure("full-recall@5")).is_known is False
    assert judge(query, {"y": 1, "a": 1}, find_measure("success@5")).is_known
    assert first_rank(query, {"y": 1}) is None
    whole = dataclasses.replace(query, matched=2)  # everything that matched is stored
    assert judge(whole, {"y": 1}, find_measure("success@5")).is_known


def test_equal_scores_that_the_depth_cuts(made):
    """Two equals at the end of what is stored go on below: the second may stand anywhere there."""
    query = made.ask("port", ("a", 5.0), ("b", 3.0), ("x", 3.0), matched=9)
    standing = judge(query, {"x": 1}, find_measure("success@3"))
    assert (standing.value, standing.worst) == (True, False)
    assert is_cut_in_ties(query, find_measure("success@3"))
    assert not is_cut_in_ties(query, SUCCESS)


def test_what_stands_near_the_cutoff(made):
    """A hundredth of the best score decides nothing solid; where there are no scores, the next place does not."""
    near = made.ask("port", ("a", 10.0), ("x", 5.0), ("b", 4.95))
    assert is_close(near, {"x": 1}, SUCCESS)
    assert is_close(near, {"b": 1}, SUCCESS)
    assert not is_close(near, {"a": 1}, SUCCESS)
    assert not is_close(near, {"y": 1}, SUCCESS)
    assert not is_close(made.ask("port", ("a", 10.0), ("x", 5.0), ("b", 4.8)), {"x": 1}, SUCCESS)
    assert not is_close(made.ask("port", ("a", 10.0), ("x", 9.99)), {"x": 1}, SUCCESS)  # nothing below it
    listed = made.ask("port", ("a", 3.0), ("x", 2.0), ("b", 1.0))
    assert [is_close(listed, {doc_id: 1}, SUCCESS) for doc_id in "axb"] == [False, True, True]
    assert is_close(near, {"a": 1, "b": 1}, FULL)
    assert not is_close(near, {"x": 1}, find_measure("silent-miss-rate"))


def test_the_top_is_what_the_measure_looks_at(made):
    """The first k, or what is displayed."""
    query = made.ask("port", "a", "b", "c", shown=1)
    assert list_top(query, SUCCESS) == ("a", "b")
    assert list_top(query, FOUND) == ("a",)
