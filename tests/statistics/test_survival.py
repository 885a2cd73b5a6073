"""The found-by-wording curve and the mean number of searches, against hand-worked tables."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.statistics.intervals import wilson
from memeval.statistics.survival import Life, found_curve, mean_searches

LIVES = st.lists(st.builds(Life, st.integers(1, 6), st.booleans()), min_size=1, max_size=40)


def test_a_curve_by_hand():
    """Of ten needs six are found at once, one has no second wording; of the three left two are found by the second:
    1 - 0.4 * 1/3."""
    curve = found_curve([*[Life(1, True)] * 6, Life(1, False), *[Life(2, True)] * 2, Life(2, False)])
    assert [(point.place, point.at_risk, point.found) for point in curve] == [(1, 10, 6), (2, 3, 2)]
    assert [point.share for point in curve] == pytest.approx([0.6, 1 - 0.4 / 3])
    assert curve[0].interval == pytest.approx(wilson(6, 10))
    size = (1 - 0.4 / 3) / ((0.4 / 3) * (6 / (10 * 4) + 2 / (3 * 1)))
    centre, z = 1 - 0.4 / 3, 1.959963984540054
    low = (centre + z * z / (2 * size)) / (1 + z * z / size) - z / (1 + z * z / size) * math.sqrt(
        centre * (1 - centre) / size + z * z / (4 * size * size)
    )
    assert curve[1].interval.low == pytest.approx(low)


def test_running_out_of_wordings_is_not_never_found():
    """A need with one wording says nothing of the second: the share is that of those that have one."""
    curve = found_curve([Life(1, False)] * 50 + [Life(2, True)] * 5 + [Life(2, False)] * 5)
    assert [point.share for point in curve] == [0.0, pytest.approx(0.5)]
    assert curve[0].interval.high == pytest.approx(wilson(0, 60).high)


def test_all_found_and_none_found_have_a_width():
    """None of 30: Wilson's. All, half of them at the second wording: of the 30 left Wilson's bound may be missed."""
    assert found_curve([Life(1, False)] * 30)[0].interval == pytest.approx(wilson(0, 30))
    assert found_curve([Life(1, True)] * 30)[0].interval == pytest.approx(wilson(30, 30))
    low, high = found_curve([Life(2, True)] * 30 + [Life(1, True)] * 30)[1].interval
    assert (low, high) == (pytest.approx(1 - 0.5 * (1 - wilson(30, 30).low)), 1.0)
    assert found_curve([]) == ()


def test_two_that_are_found_at_the_end_say_little_of_those_that_ran_out():
    """Half of 100 are found at once, 48 have no second wording and the two that have one are found by it."""
    curve = found_curve([Life(1, True)] * 50 + [Life(1, False)] * 48 + [Life(2, True)] * 2)
    assert curve[1].share == 1
    assert curve[1].interval.low < 0.7


def test_mean_searches_by_hand():
    """Found at 1, 1, 2 and never, under a budget of 2: (1 + 1 + 2 + 3) / 4."""
    lives = [Life(1, True), Life(1, True), Life(2, True), Life(2, False)]
    assert mean_searches(lives, 2) == pytest.approx(1.75)
    assert mean_searches(lives, 1) == pytest.approx((1 + 1 + 2 + 2) / 4)


def test_a_budget_beyond_the_wordings_is_undefined_unless_all_are_found():
    """What a third wording would find is not known where some need was found by neither of two."""
    assert mean_searches([Life(1, True), Life(2, False)], 3) is None
    assert mean_searches([Life(1, True), Life(2, True)], 3) == pytest.approx(1.5)
    assert mean_searches([], 3) is None
    with pytest.raises(ValueError, match="budget of 0"):
        mean_searches([], 0)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=30), st.integers(1, 4))
def test_without_running_out_it_is_the_plain_mean(places, budget):
    """Needs that are all found: the mean of min(place, budget + 1)."""
    expected = sum(min(place, budget + 1) for place in places) / len(places)
    assert mean_searches([Life(place, True) for place in places], budget) == pytest.approx(expected)


@given(LIVES)
def test_the_curve_rises_within_its_intervals(lives):
    """Shares never fall; each lies within its interval, which lies within [0, 1] and has a width."""
    curve = found_curve(lives)
    shares = [point.share for point in curve]
    assert shares == sorted(shares)
    for point in curve:
        assert 0 <= point.interval.low <= point.share + 1e-12
        assert point.share - 1e-12 <= point.interval.high <= 1
        assert point.interval.low < point.interval.high


@given(LIVES, st.randoms())
def test_the_order_of_needs_plays_no_part(lives, random):
    """The same needs in another order give the same curve."""
    other = list(lives)
    random.shuffle(other)
    assert found_curve(other) == found_curve(lives)


def test_a_wording_number_begins_at_one():
    """Place 0 is a fault of the caller."""
    with pytest.raises(ValueError, match="1 or more"):
        found_curve([Life(0, True)])
