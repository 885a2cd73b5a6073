"""Values worked by hand, and what holds for any ranking."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.metrics.ranking import (
    full_recall_at,
    judged_at,
    ndcg_at,
    precision_at,
    recall_at,
    reciprocal_rank,
    relevant_ids,
    success_at,
)

AT_K = (success_at, recall_at, full_recall_at, precision_at, ndcg_at)
DOC_IDS = [f"notes/{letter}.md" for letter in "abcdefghij"]
RANKED = st.lists(st.sampled_from(DOC_IDS), max_size=14)
GRADES = st.dictionaries(st.sampled_from(DOC_IDS), st.integers(0, 3), max_size=8)
RELEVANT_GRADES = GRADES.filter(relevant_ids)
KS = st.integers(1, 12)


def test_hand_worked_values():
    """Ranked x, a, b, y; grades a 2, b 1, c 1, y 0 (x unjudged).

    relevant = {a, b, c}. At k = 3: success 1, recall 2/3, full recall 0, precision 2/3, judged 2/3.
    Reciprocal rank 1/2. DCG@3 = 2/log2(3) + 1/log2(4); ideal@3 = 2/log2(2) + 1/log2(3) + 1/log2(4).
    """
    ranked, grades = ["x", "a", "b", "y"], {"a": 2, "b": 1, "c": 1, "y": 0}
    assert success_at(ranked, grades, 3) == 1.0
    assert success_at(ranked, grades, 1) == 0.0
    assert recall_at(ranked, grades, 3) == pytest.approx(2 / 3)
    assert full_recall_at(ranked, grades, 3) == 0.0
    assert full_recall_at([*ranked, "c"], grades, 5) == 1.0
    assert precision_at(ranked, grades, 3) == pytest.approx(2 / 3)
    assert reciprocal_rank(ranked, grades) == 0.5
    assert judged_at(ranked, grades, 3) == pytest.approx(2 / 3)
    assert judged_at(ranked, grades, 4) == 0.75
    gain = 2 / math.log2(3) + 1 / 2
    ideal = 2 + 1 / math.log2(3) + 1 / 2
    assert ndcg_at(ranked, grades, 3) == pytest.approx(gain / ideal, abs=1e-15)


def test_precision_divides_by_k_and_judged_by_the_places_filled():
    """One relevant document alone in the ranking: precision@5 = 1/5, judged@5 = 1/1."""
    assert precision_at(["a"], {"a": 1}, 5) == 0.2
    assert judged_at(["a"], {"a": 1}, 5) == 1.0


def test_reported_fault_b11_a_repeated_hit_counts_once_and_uses_up_a_place():
    """Ranked a, a, b with a expected: recall@3 = 1, precision@2 = 1/2, nDCG@3 = 1, at most 1 at any k."""
    ranked, grades = ["notes/a.md", "notes/a.md", "notes/b.md"], {"notes/a.md": 1}
    assert recall_at(ranked, grades, 3) == 1.0
    assert precision_at(ranked, grades, 2) == 0.5
    assert ndcg_at(ranked, grades, 3) == 1.0
    assert recall_at(ranked, {"notes/a.md": 1, "notes/b.md": 1}, 2) == 0.5


def test_nothing_ranked_scores_zero_not_undefined():
    """A query without hits that has an answer: every metric is 0.0, and judged has no place to look at."""
    assert [metric([], {"a": 1}, 5) for metric in AT_K] == [0.0] * len(AT_K)
    assert reciprocal_rank([], {"a": 1}) == 0.0
    assert judged_at([], {"a": 1}, 5) is None


def test_no_relevant_document_is_undefined():
    """Without a grade of 1 or more a metric is None; judged needs only a judgement."""
    for grades in ({}, {"a": 0}):
        assert [metric(["a"], grades, 5) for metric in AT_K] == [None] * len(AT_K)
        assert reciprocal_rank(["a"], grades) is None
    assert judged_at(["a", "b"], {"a": 0}, 5) == 0.5
    assert judged_at(["a"], {}, 5) is None


@pytest.mark.parametrize("metric", [*AT_K, judged_at])
@pytest.mark.parametrize("k", [0, -1])
def test_a_cutoff_below_one_is_refused(metric, k):
    """k = 0 has no first place to look at."""
    with pytest.raises(ValueError, match=f"k must be at least 1, not {k}"):
        metric(["a"], {"a": 1}, k)


@given(RANKED, GRADES, KS)
def test_values_stay_between_zero_and_one(ranked, grades, k):
    """Whatever is ranked, repeats included, a metric is None or in [0, 1]."""
    values = [metric(ranked, grades, k) for metric in (*AT_K, judged_at)] + [reciprocal_rank(ranked, grades)]
    assert all(value is None or 0.0 <= value <= 1.0 for value in values)


@given(RANKED, RELEVANT_GRADES, KS)
def test_success_and_recall_never_fall_with_k(ranked, grades, k):
    """Looking further down never loses a document."""
    for metric in (success_at, recall_at, full_recall_at):
        assert metric(ranked, grades, k) <= metric(ranked, grades, k + 1)


@given(RANKED, RELEVANT_GRADES, KS)
def test_full_recall_recall_and_success_are_ordered(ranked, grades, k):
    """All of them <= share of them <= any of them."""
    values = [metric(ranked, grades, k) for metric in (full_recall_at, recall_at, success_at)]
    assert values == sorted(values)


@given(RANKED, GRADES, KS, st.permutations(DOC_IDS))
def test_names_of_documents_do_not_matter(ranked, grades, k, other):
    """Renaming every document leaves every value as it is."""
    names = dict(zip(DOC_IDS, other, strict=True))
    renamed = [names[doc_id] for doc_id in ranked], {names[doc_id]: grade for doc_id, grade in grades.items()}
    for metric in (*AT_K, judged_at):
        assert metric(ranked, grades, k) == metric(*renamed, k)
    assert reciprocal_rank(ranked, grades) == reciprocal_rank(*renamed)


@given(st.lists(st.sampled_from(DOC_IDS), unique=True), RELEVANT_GRADES, KS, st.integers(1, 5))
def test_an_irrelevant_tail_changes_nothing(ranked, grades, k, length):
    """Unjudged documents behind the last hit move no metric but judged."""
    tail = [f"tail/{i}.md" for i in range(length)]
    for metric in AT_K:
        assert metric(ranked, grades, k) == metric([*ranked, *tail], grades, k)
    assert reciprocal_rank(ranked, grades) == reciprocal_rank([*ranked, *tail], grades)


@given(RELEVANT_GRADES)
def test_the_ideal_ranking_is_perfect(grades):
    """By falling grade, cut at the number of relevant documents, everything is 1."""
    ranked = sorted(grades, key=lambda doc_id: (-grades[doc_id], doc_id))
    k = len(relevant_ids(grades))
    assert [metric(ranked, grades, k) for metric in AT_K] == pytest.approx([1.0] * len(AT_K), abs=1e-15)
    assert reciprocal_rank(ranked, grades) == 1.0


@given(RANKED, RELEVANT_GRADES)
def test_ndcg_rewards_the_better_order(ranked, grades):
    """Sorting a ranking without repeats by grade never lowers nDCG."""
    unique = list(dict.fromkeys(ranked))
    better = sorted(unique, key=lambda doc_id: -grades.get(doc_id, 0))
    assert ndcg_at(unique, grades, 5) <= ndcg_at(better, grades, 5) + 1e-15
