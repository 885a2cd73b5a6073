"""The watch of a retry rate: what it says before, when and after it rings, and what stands beside it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.statistics.cusum import CusumDesign
from memeval.statistics.watch import (
    ALARM,
    NOT_ENOUGH,
    QUIET,
    Observation,
    beta_interval,
    freeze_rate,
    session_correlation,
    watch,
)

RETRIES = st.lists(st.booleans(), max_size=60)


def observe(*retries, ruler=""):
    """Observations, one session each."""
    return [Observation(bool(is_retry), f"s{place}", ruler) for place, is_retry in enumerate(retries)]


def test_nothing_watched_is_no_watch():
    """Without a need there is nothing to say."""
    assert watch([]) == ()


def test_silence_says_nothing_before_a_doubling_would_have_rung():
    """At 130 needs, not one less, the default watch is quiet: so many a doubled rate takes to ring from the start."""
    (early,) = watch(observe(*[False] * 130))
    (late,) = watch(observe(*[False] * 131))
    assert (early.min_needs, early.state, late.state) == (131, NOT_ENOUGH, QUIET)


def test_it_rings_whenever_it_rings():
    """Five retries in a row ring at the fifth, however few needs there were; the score then begins anew."""
    (found,) = watch(observe(1, 1, 1, 1, 1, 0, 1))
    assert found.state == ALARM
    assert found.alarms == (5,)
    assert [point.score for point in found.points] == [51, 102, 153, 204, 255, 0, 51]
    assert (found.n, found.retries, found.rate) == (7, 6, 6 / 7)


def test_an_alarm_stays_until_the_ruler_changes():
    """What came after an alarm does not take it back; another ruler begins with an empty score."""
    first, second = watch([*observe(*[True] * 5, *[False] * 200, ruler="a"), *observe(True, ruler="b")])
    assert (first.ruler, first.state) == ("a", ALARM)
    assert (second.ruler, second.state, second.points[0].score) == ("b", NOT_ENOUGH, 51)


def test_the_average_begins_at_the_tolerated_rate():
    """EWMA by hand: 0.05, then a twentieth of the way to each need."""
    (found,) = watch(observe(1, 0))
    assert [point.ewma for point in found.points] == pytest.approx([0.0975, 0.0975 * 0.95])


def test_the_interval_is_that_of_the_beta_distribution():
    """Of no retry in n needs the upper end is 1 - 0.025^(1/(n+1)); without needs it is [0.025, 0.975]."""
    assert beta_interval(0, 20) == pytest.approx((1 - 0.975 ** (1 / 21), 1 - 0.025 ** (1 / 21)))
    assert beta_interval(0, 0) == pytest.approx((0.025, 0.975))
    with pytest.raises(ValueError, match="3 retries of 2"):
        beta_interval(3, 2)


def test_the_probability_of_a_doubled_rate_rises_with_the_retries():
    """Of 20 needs: none makes a rate of 10 % or more unlikely (0.9^21), half make it nearly certain."""
    (none,), (half,) = watch(observe(*[0] * 20)), watch(observe(*[0, 1] * 10))
    assert none.probability_alarmed == pytest.approx(0.9**21)
    assert half.probability_alarmed > 0.999


def test_sessions_that_agree_shorten_the_spacing():
    """Retries that come in the same sessions are told: a correlation, and a spacing below that of unrelated needs."""
    together = [Observation(session < 2, f"s{session}") for session in range(20) for _ in range(3)]
    (found,) = watch(together)
    assert found.correlation == pytest.approx(0.99)
    assert found.session_spacing < found.spacing / 2


def test_correlation_by_hand():
    """Two sessions that differ in nothing have none, nor do lone needs; (2 of 2, 0 of 2) agree wholly."""
    assert session_correlation([[True, True], [False, False]]) == pytest.approx(0.99)
    assert session_correlation([[True, False], [True, False]]) == 0.0
    for untold in ([], [[True, False]], [[True], [False]], [[True, True], [True]]):
        assert session_correlation(untold) is None


def test_a_frozen_rate_is_an_upper_bound():
    """80 % upper bound of the baseline; below 40 retries it is provisional."""
    assert freeze_rate(0, 0) is None
    rate, is_provisional = freeze_rate(0, 10)
    assert rate == pytest.approx(1 - 0.2**0.1)
    assert is_provisional
    assert not freeze_rate(40, 800).is_provisional
    assert freeze_rate(40, 800).rate > 0.05


@given(RETRIES, st.integers(1, 9), st.integers(1, 9), st.integers(1, 40))
def test_a_watch_follows_its_design(retries, up, down, alarm):
    """Scores never fall below 0, it rings exactly where a score reaches the alarm, and every need is a point."""
    design = CusumDesign(up=up, down=down, alarm=alarm)
    for found in watch(observe(*retries), design):
        assert [point.is_retry for point in found.points] == retries
        assert all(point.score >= 0 and 0 <= point.ewma <= 1 for point in found.points)
        assert found.alarms == tuple(point.number for point in found.points if point.score >= alarm)
        assert 0 < found.interval.low < found.interval.high < 1
