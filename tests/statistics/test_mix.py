"""The mix: the break-even share by hand, and the bounds of the rate at a recorded mix."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.statistics.mix import Counts, find_break_even, mix_rate

RATES = st.floats(0, 1)
COUNTS = st.integers(1, 80).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))).map(lambda c: Counts(*c))


def test_break_even_by_hand():
    """(0.1 - 0.02) / (0.5 - 0.02) = 1/6: with more than one in six unseen-words it fires."""
    found = find_break_even(0.5, 0.02)
    assert found.share == pytest.approx(1 / 6)
    assert not found.fires_at_any_mix
    assert not found.is_quiet_at_any_mix


def test_where_the_mix_does_not_matter():
    """Both rates above the threshold: it fires at any mix. Neither: at none; exactly at the threshold is not above."""
    assert find_break_even(0.6, 0.2).fires_at_any_mix
    assert find_break_even(0.09, 0.01).is_quiet_at_any_mix
    assert find_break_even(0.1, 0.1).is_quiet_at_any_mix
    assert find_break_even(0.6, 0.2).share is None


@given(RATES, RATES)
def test_at_the_break_even_share_the_rate_is_the_threshold(unseen, other):
    """Where there is a share, it lies in [0, 1] and gives exactly the threshold."""
    found = find_break_even(unseen, other)
    if found.share is None:
        assert found.fires_at_any_mix or found.is_quiet_at_any_mix
    else:
        assert 0 <= found.share <= 1
        assert found.share * unseen + (1 - found.share) * other == pytest.approx(0.1)


def test_a_mixed_rate_by_hand():
    """A quarter at 0.5 and three quarters at 0.02 are 0.14; the bounds lie on both sides."""
    found = mix_rate(Counts(20, 80), Counts(30, 60), Counts(2, 100), draws=500)
    assert found.value == pytest.approx(0.25 * 0.5 + 0.75 * 0.02)
    assert found.low < found.value < found.high
    assert found == mix_rate(Counts(20, 80), Counts(30, 60), Counts(2, 100), draws=500), "seeded"


def test_nothing_missed_is_bounded_by_nothing():
    """Without a miss the lower bound is 0 and the upper one is not; all missed mirrors it."""
    none = mix_rate(Counts(0, 30), Counts(0, 30), Counts(0, 30), draws=200)
    assert (none.value, none.low) == (0.0, 0.0)
    assert 0 < none.high < 0.2
    everything = mix_rate(Counts(30, 30), Counts(30, 30), Counts(30, 30), draws=200)
    assert (everything.value, everything.high) == (1.0, 1.0)
    assert 0.8 < everything.low < 1


@given(COUNTS, COUNTS, COUNTS)
def test_bounds_hold_the_rate_and_are_rates(recorded, unseen, other):
    """Within [0, 1], and around the rate itself, whichever kind is missed more."""
    found = mix_rate(recorded, unseen, other, draws=60)
    assert 0 <= found.low <= found.value <= found.high <= 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("records", "share", "least", "most"), [(80, 0.2, 0.005, 0.05), (80, 0.733, 0.9, 1.0), (150, 0.733, 0.98, 1.0)]
)
def test_how_often_the_lower_bound_passes_the_threshold(records, share, least, most):
    """Unseen-words wordings missed at 0.4, others at 0.025: a share of 0.2 gives the threshold itself, 0.733 about
    three times it."""
    stream = Random(f"mix/{records}/{share}")

    def draw(n, rate):
        return Counts(sum(stream.random() < rate for _ in range(n)), n)

    worlds = 400
    fired = sum(
        mix_rate(draw(records, share), draw(60, 0.4), draw(108, 0.025), draws=1_000).low > 0.1 for _ in range(worlds)
    )
    assert least <= fired / worlds <= most


def test_counts_that_cannot_be_are_refused():
    """A rate needs cases."""
    with pytest.raises(ValueError, match="0 of 0"):
        mix_rate(Counts(0, 0), Counts(1, 2), Counts(1, 2))
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        find_break_even(1.2, 0)
