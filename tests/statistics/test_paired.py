"""Differences of paired rates: hand-worked and published values, their ends, and what the bound is for."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.statistics.paired import Pairs, count_pairs, paired_interval, paired_low

COUNTS = st.builds(Pairs, *[st.integers(0, 80)] * 4).filter(lambda pairs: pairs.n)


def test_pairs_are_counted():
    """Each pair of answers falls into one of four cells; the rates and their difference follow."""
    pairs = count_pairs([(True, True), (True, False), (True, False), (False, True), (False, False)])
    assert pairs == Pairs(both=1, only_first=2, only_second=1, neither=1)
    assert (pairs.n, pairs.first, pairs.second) == (5, 3 / 5, 2 / 5)
    assert pairs.difference == pytest.approx(1 / 5)


def test_nothing_paired_is_undefined():
    """Without a need there is neither a rate nor a bound."""
    nothing = count_pairs([])
    assert (nothing.first, nothing.second, nothing.difference) == (None, None, None)
    assert (paired_interval(nothing), paired_low(nothing)) == (None, None)


def test_the_bounds_by_hand():
    """40 both, 12 only first, 3 only second, 17 neither, worked on paper.

    n = 74, b = 12.5, c = 3.5: (b - c) / n = 9/74 = 0.121622; sqrt(16 - 81/74) / 74 = 3.860752 / 74 = 0.052172;
    1.959964 x 0.052172 = 0.102256 and 1.644854 x 0.052172 = 0.085816.
    """
    pairs = Pairs(40, 12, 3, 17)
    assert paired_interval(pairs) == pytest.approx((0.019366, 0.223878), abs=2e-6)
    assert paired_low(pairs) == pytest.approx(0.035806, abs=2e-6)


def test_no_difference_at_all_still_has_a_width():
    """Twenty needs found by both: b = c = 0.5, n = 22, the bound is z / 22; half a need is never nothing."""
    pairs = Pairs(20, 0, 0, 0)
    assert paired_interval(pairs) == pytest.approx((-1.959964 / 22, 1.959964 / 22), abs=1e-6)
    assert paired_low(pairs) == pytest.approx(-1.644854 / 22, abs=1e-6)


def test_the_published_example():
    """Approval of a prime minister, 794 150 86 570: 64/1602 +- 1.96 sqrt(237 - 64^2/1602) / 1602."""
    error = 1.959964 * math.sqrt(237 - 64**2 / 1602) / 1602
    expected = (64 / 1602 - error, 64 / 1602 + error)
    assert paired_interval(Pairs(794, 150, 86, 570)) == pytest.approx(expected, abs=1e-8)
    assert expected == pytest.approx((0.0212, 0.0587), abs=5e-5)


@given(COUNTS)
def test_bounds_lie_in_order(pairs):
    """Within [-1, 1], never of zero width; the one-sided bound lies inside the two-sided one; sides mirror."""
    low, high = paired_interval(pairs)
    assert -1 <= low < high <= 1
    assert low <= paired_low(pairs) < high
    mirrored = paired_interval(Pairs(pairs.both, pairs.only_second, pairs.only_first, pairs.neither))
    assert mirrored == pytest.approx((-high, -low))


def test_impossible_numbers_are_refused():
    """A count below 0 and a confidence that is none name the value."""
    with pytest.raises(ValueError, match="only_second=-1"):
        paired_low(Pairs(1, 1, -1, 1))
    with pytest.raises(ValueError, match="beyond a bound"):
        paired_interval(Pairs(1, 1, 1, 1), 1.0)


@pytest.mark.slow
@pytest.mark.parametrize(("gap", "least", "most"), [(0.1, 0.0, 0.07), (0.2, 0.40, 0.65), (0.3, 0.85, 1.0)])
def test_a_bound_above_ten_points(gap, least, most):
    """With 72 needs: at a true gap of 10 points it fires in 5 % of worlds, at 20 in half, at 30 nearly always."""
    generator = np.random.default_rng(20261130)
    fired = 0
    for _ in range(2000):
        ease = generator.random(72) < 0.5  # half of what decides a need is common to both
        common = generator.random(72)
        first, second = (
            np.where(ease, common, generator.random(72)) < 0.85,
            np.where(ease, common, generator.random(72)) < 0.85 - gap,
        )
        fired += paired_low(count_pairs(zip(first, second, strict=True))) > 0.10
    assert least <= fired / 2000 <= most
