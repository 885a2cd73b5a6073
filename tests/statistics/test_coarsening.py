"""Differences that an exact test can count with."""

from __future__ import annotations

from fractions import Fraction

import pytest

from memeval.statistics.coarsening import MAX_WORK, coarsen
from memeval.statistics.differences import count_work, sign_flip_p


def test_what_can_be_counted_with_is_left_as_it_is():
    """Halves and thirds, and hundreds of needs that were asked in anything from one to thirteen wordings."""
    few = [Fraction(1, 2), Fraction(-1, 3), Fraction(0), Fraction(1)]
    assert coarsen(few) == few
    assert coarsen([]) == []
    uneven = [Fraction(part, size) for size in range(1, 14) for part in range(-size, size + 1) if part] * 2
    assert len(uneven) > 300
    assert coarsen(uneven) == uneven


def test_too_many_are_rounded_and_keep_their_signs():
    """In sixtieths; the least is one part."""
    differences = [Fraction(sign, size) for sign in (1, -1) for size in (7, 11, 13, 100)] * 250
    rounded = coarsen(differences)
    assert rounded[:4] == [Fraction(part, 60) for part in (9, 5, 5, 1)]
    assert all((part > 0) == (one > 0) for part, one in zip(rounded, differences, strict=True))
    assert count_work(rounded) <= MAX_WORK < count_work(differences)


def test_of_very_many_only_the_signs_count():
    """Then the test is the sign test, which takes no time."""
    differences = [Fraction(number, 97) for number in range(-96, 97)] * 40
    rounded = coarsen(differences)
    assert rounded[:193] == [-1] * 96 + [0] + [1] * 96
    assert sign_flip_p(rounded) == 1.0


@pytest.mark.slow
def test_opposite_differences_stay_opposite():
    """The size does not depend on the sign, which is what makes the test exact."""
    differences = [Fraction(number, 97) for number in range(-96, 97)] * 30
    rounded = coarsen(differences)
    assert rounded != differences
    assert rounded == [-part for part in coarsen([-one for one in differences])]
