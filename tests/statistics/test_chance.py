"""The chance of a shuffled order: by hand, against drawing, and what the adjustment makes of it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.statistics.chance import Chance, adjust_for_chance, recall_by_chance, success_by_chance


def test_by_hand():
    """Two of ten relevant, five drawn: 1 - C(8, 5) / C(10, 5) = 1 - 56/252; recall 5/10, at most all."""
    assert success_by_chance(10, 2, 5).expected == pytest.approx(196 / 252)
    assert recall_by_chance(10, 2, 5) == Chance(0.5, 1.0)
    assert recall_by_chance(10, 8, 2) == Chance(0.2, 0.25)
    assert success_by_chance(10, 2, 0).expected == 0.0


@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 9))
def test_every_draw_is_counted(documents, relevant, k):
    """The share of the draws of k documents that hold one of the relevant."""
    relevant = min(relevant, documents)
    draws = list(combinations(range(documents), min(k, documents)))
    hits = sum(any(one < relevant for one in draw) for draw in draws)
    assert success_by_chance(documents, relevant, k).expected == pytest.approx(hits / len(draws))


def test_the_adjustment_by_hand():
    """Scores 1 and 0 with chances 0.25 and 0.5: (1 - 0.75) / (2 - 0.75) = 0.2."""
    assert adjust_for_chance([(1.0, Chance(0.25)), (0.0, Chance(0.5))]) == pytest.approx(0.2)
    assert adjust_for_chance([(1.0, Chance(0.25)), (1.0, Chance(0.5))]) == 1.0


def test_where_every_order_is_right_nothing_is_said():
    """No more documents than places, or no query at all: undefined, not 0 and not 1."""
    assert adjust_for_chance([(1.0, success_by_chance(5, 1, 5)), (1.0, success_by_chance(5, 2, 8))]) is None
    assert adjust_for_chance([(1.0, recall_by_chance(5, 1, 9))]) is None
    assert adjust_for_chance([]) is None


def test_impossible_numbers_are_refused():
    """More relevant documents than there are."""
    with pytest.raises(ValueError, match="6 relevant of 5"):
        success_by_chance(5, 6, 1)


@pytest.mark.slow
def test_a_shuffled_order_is_near_zero():
    """Over 400 drawn suites of 72 needs the adjusted figure of a shuffled order has the mean 0."""
    generator = np.random.default_rng(20261130)
    figures = []
    for _ in range(400):
        scores = []
        for _ in range(72):
            relevant = int(generator.integers(1, 4))
            first = int(generator.permutation(20)[:relevant].min())
            scores.append((float(first < 5), success_by_chance(20, relevant, 5)))
        figures.append(adjust_for_chance(scores))
    assert abs(sum(figures) / len(figures)) <= 4 * np.std(figures) / 20
