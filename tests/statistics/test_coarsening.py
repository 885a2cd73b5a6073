"""Differences as whole numbers."""

from __future__ import annotations

from fractions import Fraction

from memeval.statistics.coarsening import coarsen
from memeval.statistics.differences import sign_flip_p


def test_what_can_be_counted_with_is_exact():
    """Halves and thirds are sixths."""
    assert coarsen([Fraction(1, 2), Fraction(-1, 3), Fraction(0), Fraction(1)]) == [3, -2, 0, 6]
    assert coarsen([]) == []


def test_too_many_are_rounded_and_keep_their_signs():
    """In twelfths, where sixtieths would be too fine; the least is one part."""
    differences = [Fraction(sign, size) for sign in (1, -1) for size in (7, 11, 13, 100)] * 250
    rounded = coarsen(differences)
    assert rounded[:4] == [2, 1, 1, 1]
    assert all(abs(part) <= 12 and (part > 0) == (one > 0) for part, one in zip(rounded, differences, strict=True))


def test_of_very_many_only_the_signs_count():
    """Then the test is the sign test, which takes no time."""
    differences = [Fraction(1, 3)] * 3_000 + [Fraction(-1, 7)] * 3_000
    assert coarsen(differences) == [1] * 3_000 + [-1] * 3_000
    assert sign_flip_p(coarsen(differences)) == 1.0


def test_opposite_differences_stay_opposite():
    """The size does not depend on the sign, which is what makes the test exact."""
    differences = [Fraction(number, 97) for number in range(-96, 97)] * 30
    rounded = coarsen(differences)
    assert rounded == [-part for part in coarsen([-one for one in differences])]
