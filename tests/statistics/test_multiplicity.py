"""Holm's adjustment: a published example, its properties, and what it is for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.statistics.multiplicity import holm

VALUES = st.lists(st.floats(0, 1), max_size=12)


def test_four_tests_by_hand():
    """0.005 x 4, 0.01 x 3, then 0.03 x 2 and 0.04 x 1, which may not fall below the one before."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))


@given(VALUES)
def test_adjusted_values_keep_the_order(values):
    """Never below the value itself, above 1 or in another order; one test alone is left as it is."""
    adjusted = holm(values)
    assert len(adjusted) == len(values)
    assert all(value <= one <= 1 for value, one in zip(values, adjusted, strict=True))
    ranked = sorted(zip(values, adjusted, strict=True))
    assert [one for _, one in ranked] == sorted(adjusted)
    assert all(holm([value]) == (value,) for value in values)


def test_no_test_and_no_number():
    """Nothing to adjust is nothing; NaN is refused rather than sorted somewhere."""
    assert holm([]) == ()
    with pytest.raises(ValueError, match="nan"):
        holm([0.2, float("nan")])


@pytest.mark.slow
def test_the_level_of_four_tests_together():
    """Of four primaries without a difference, two of them alike, one is called different in 5 % of worlds at most."""
    generator = np.random.default_rng(20261130)
    alarms = 0
    for _ in range(4000):
        first = generator.random()
        alarms += min(holm([first, first, *map(float, generator.random(2))])) <= 0.05
    assert alarms / 4000 <= 0.055
