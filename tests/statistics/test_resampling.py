"""The bootstrap by need: deterministic, independent of order, honest about few needs."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.statistics.resampling import resample

VALUES = st.lists(st.integers(0, 5), min_size=1, max_size=30)


@given(VALUES, st.randoms())
def test_the_order_of_needs_plays_no_part(values, random):
    """The same needs in another order give the same interval."""
    other = list(values)
    random.shuffle(other)
    assert resample(other, fmean, resamples=50) == resample(values, fmean, resamples=50)


def test_alike_needs_say_nothing():
    """Drawing equal values again gives no interval rather than one of no width."""
    found = resample([3] * 40, fmean)
    assert found.interval is None
    assert found.is_coarse


def test_few_that_vary_are_flagged():
    """Nine needs that differ from the others are too few, ten are not."""
    assert resample([0] * 60 + [1] * 9, fmean, resamples=100).is_coarse
    assert not resample([0] * 60 + [1] * 10, fmean, resamples=100).is_coarse


def test_the_interval_is_about_that_of_a_normal_mean():
    """Of 100 needs half 0 and half 10 the mean is 5 +- 1.96 * 0.5."""
    low, high = resample([0] * 50 + [10] * 50, fmean).interval
    assert low == pytest.approx(4.02, abs=0.15)
    assert high == pytest.approx(5.98, abs=0.15)


def test_another_seed_is_another_draw():
    """The seed is an argument."""
    values = list(range(30))
    assert resample(values, fmean, seed=1, resamples=100) != resample(values, fmean, seed=2, resamples=100)
    with pytest.raises(ValueError, match="confidence"):
        resample(values, fmean, confidence=1)
