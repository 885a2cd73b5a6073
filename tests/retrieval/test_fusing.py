"""Fusion by rank."""

from __future__ import annotations

import pytest

from memeval.retrieval.fusing import fuse_ranks, fuse_scores


def test_scores_say_how_many_legs_agree():
    """First in both legs is 1, in one of two 0.5; first and second is 0.9919. Scores of the legs do not count."""
    lexical, dense = [(0, 9.0), (1, 8.0)], [(1, 0.9), (0, 0.1), (2, 0.05)]
    assert fuse_ranks([lexical, dense], k=60) == [
        (0, pytest.approx(0.99194, abs=1e-5)),
        (1, pytest.approx(0.99194, abs=1e-5)),
        (2, pytest.approx(0.48413, abs=1e-5)),
    ]
    assert fuse_ranks([[(5, 1.0)], [(5, 1.0)]], k=60) == [(5, 1.0)]


def test_at_most_as_many_as_asked_for():
    """After fusion; equal scores by place."""
    assert fuse_ranks([[(3, 1.0)], [(2, 1.0)]], k=60, limit=1) == [(2, 0.5)]
    assert fuse_ranks([[], []], k=60) == []


def test_a_leg_that_did_not_find_it_counts_nothing():
    """Each unit of either leg once, by place."""
    fused = fuse_scores([(2, 0.5), (0, 0.4)], [(1, 1.0), (2, 0.2)], lambda vector, text: vector + text)
    assert fused == [(0, 0.4), (1, 1.0), (2, 0.7)]
