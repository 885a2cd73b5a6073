"""Fusion: hand-worked sums, and which side has the last word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.embedding.fusion import LEXICAL_WEIGHT, NEARNESS_ALONE, fuse_gated, fuse_ranks, measure_strength


def ids(ranking):
    return [doc_id for doc_id, _ in ranking]


def test_reciprocal_ranks_by_hand():
    """1/61 + 1/62 for b, 1/61 for a, 1/62 for c; equal sums stand by id."""
    fused = fuse_ranks([["a", "b"], ["b", "c"]])
    assert fused == [
        ("b", pytest.approx(1 / 61 + 1 / 62)),
        ("a", pytest.approx(1 / 61)),
        ("c", pytest.approx(1 / 62)),
    ]
    assert fuse_ranks([["z"], ["a"]]) == [("a", pytest.approx(1 / 61)), ("z", pytest.approx(1 / 61))]
    assert fuse_ranks([["a", "b", "a"]], k=1) == [("a", 0.5), ("b", pytest.approx(1 / 3))]
    assert fuse_ranks([]) == []


def test_gated_by_hand():
    """Nearness above -0.3, plus the lexical share of the best score, weighted by strength squared."""
    fused = dict(fuse_gated([("a", 8.0), ("b", 4.0)], 0.5, [("c", 0.9), ("b", 0.2), ("d", -0.4)]))
    assert fused == {
        "c": pytest.approx(1.2),
        "b": pytest.approx(0.5 + LEXICAL_WEIGHT * 0.25 * 0.5),
        "a": pytest.approx(LEXICAL_WEIGHT * 0.25),
    }


def test_fillers_do_not_drown_the_meaning():
    """Lexical hits without strength stand behind every document that is near."""
    fused = fuse_gated([(f"filler{n}", 9.0 - n) for n in range(9)], 0.1, [("meant", 0.6), ("near", 0.3)])
    assert ids(fused)[:2] == ["meant", "near"]
    assert len(fused) == 11


def test_exact_words_outweigh_the_meaning():
    """A document with every word of the query stands before the nearest one without any."""
    assert ids(fuse_gated([("words", 5.0)], 1.0, [("meaning", 1.0), ("words", -0.9)])) == ["words", "meaning"]


def test_nothing_found_stays_possible():
    """Nothing near and no words: nothing. Words alone: their ranking as it is. Nonsense needs more than the floor."""
    assert fuse_gated([], 0.0, []) == []
    assert fuse_gated([], 0.0, [("a", -0.01), ("b", -0.2)]) == []
    assert fuse_gated([], 0.0, [("a", NEARNESS_ALONE - 0.01)]) == []
    assert ids(fuse_gated([], 0.0, [("a", NEARNESS_ALONE), ("b", 0.0), ("c", -0.5)])) == ["a", "b"]
    assert fuse_gated([("b", 3.0), ("a", 1.0)], 0.9, [("a", -0.01)]) == [("b", 3.0), ("a", 1.0)]
    assert ids(fuse_gated([("b", 1.0)], 0.5, [("a", 0.01)])) == ["b", "a"]


@pytest.mark.parametrize("strength", [-0.1, 1.1, float("nan")])
def test_strength_is_a_share(strength):
    """What is no share is refused."""
    with pytest.raises(ValueError, match="from 0 to 1"):
        fuse_gated([("a", 1.0)], strength, [])


def test_strength():
    """The best single document counts, by weight; without weight there is no strength."""
    weights = {"redis": 3.0, "port": 1.0, "the": 0.0}
    assert measure_strength(weights, [{"redis"}, {"port", "the"}]) == 0.75
    assert measure_strength(weights, [{"redis", "port"}]) == 1.0
    assert measure_strength(weights, []) == 0.0
    assert measure_strength({"the": 0.0}, [{"the"}]) == 0.0
    assert measure_strength({}, [{"the"}]) == 0.0


_SCORES = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.floats(0.1, 9)), unique_by=lambda item: item[0])


@given(
    lexical=_SCORES,
    strength=st.floats(0, 1),
    near=st.lists(st.tuples(st.sampled_from("abcdefgh"), st.floats(-2, 2)), unique_by=lambda item: item[0]),
)
def test_fused_ranking_is_well_formed(lexical, strength, near):
    """Every lexical hit is kept, each document stands once, scores fall, and the order of the input does not matter."""
    fused = fuse_gated(lexical, strength, near)
    assert len(set(ids(fused))) == len(fused)
    assert {doc_id for doc_id, _ in lexical} <= set(ids(fused))
    if fused != lexical:
        assert [score for _, score in fused] == sorted((score for _, score in fused), reverse=True)
        assert fuse_gated(lexical[::-1], strength, near[::-1]) == fused
