"""The evidence that is looked at again and again: values by hand, and how seldom it is ever wrong."""

from __future__ import annotations

from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.statistics.evidence import FIRES_AT, follow_evidence, weigh

ANSWERS = st.lists(st.booleans(), max_size=80)


def test_values_by_hand():
    """One trigger: mean of 1.5, 2, 3, 4. One need without: mean of 0.85, 0.8, 0.7, 0.6, each over 0.9."""
    assert weigh(0, 0) == 1
    assert weigh(1, 1) == pytest.approx(10.5 / 4)
    assert weigh(0, 1) == pytest.approx((0.85 + 0.8 + 0.7 + 0.6) / 4 / 0.9)
    expected = (1.5**2 * 0.85 + 2**2 * 0.8 + 3**2 * 0.7 + 4**2 * 0.6) / 4 / 0.9
    assert weigh(2, 3) == pytest.approx(expected)
    assert weigh(1, 1, 0.2) == pytest.approx(10.5 / 4), "a multiple is a multiple of any threshold"


@given(st.integers(0, 60), st.integers(0, 60))
def test_it_is_a_fair_bet_at_the_threshold(triggers, others):
    """What the next need is expected to make of it, at the threshold, is what it was: so it is seldom ever large."""
    n = triggers + others
    after = 0.1 * weigh(triggers + 1, n + 1) + 0.9 * weigh(triggers, n + 1)
    assert after == pytest.approx(weigh(triggers, n), rel=1e-9)


def alone(answers):
    """Each need in a session of its own."""
    return [[answer] for answer in answers]


def test_three_triggers_in_a_row_fire_and_nothing_takes_it_back():
    """(1.5^3 + 2^3 + 3^3 + 4^3) / 4 = 25.6 >= 20, at the third need; two are 7.8. Later needs lower the value."""
    found = follow_evidence(alone([True, True, True, *[False] * 30]))
    assert (found.fired_at, found.peak) == (3, pytest.approx(25.59375))
    assert found.value < FIRES_AT
    assert follow_evidence(alone([True, True])).fired_at is None


@given(ANSWERS)
def test_following_needs_of_their_own_sessions_is_weighing(answers):
    """The last value is that of the counts; the peak is the highest on the way, 1 included."""
    found = follow_evidence(alone(answers))
    values = [weigh(sum(answers[:n]), n) for n in range(len(answers) + 1)]
    assert found.value == pytest.approx(values[-1])
    assert found.peak == pytest.approx(max(values))
    assert (found.fired_at is not None) == (max(values) >= FIRES_AT)


def test_needs_of_one_session_are_one_look():
    """Three that fail together are one failure; one of two is the mean of both: (1.5 + 0.85/0.9) / 2 and so on."""
    together = follow_evidence([[True, True, True]])
    assert together.value == pytest.approx(weigh(1, 1))
    halves = [(multiple + (1 - multiple / 10) / 0.9) / 2 for multiple in (1.5, 2, 3, 4)]
    assert follow_evidence([[True, False], []]).value == pytest.approx(sum(halves) / 4)
    assert follow_evidence([[True, True], [True], [True, True]]).fired_at == 5, (
        "the number of the need, not the session"
    )


@given(st.floats(0, 1), st.integers(1, 5))
def test_a_session_is_a_fair_bet_however_its_needs_depend_on_each_other(common, size):
    """At the threshold, whether all of its needs fail at once or each by itself, the expectation is 1."""
    at_once = 0.1 * follow_evidence([[True] * size]).value + 0.9 * follow_evidence([[False] * size]).value
    apart = sum(
        comb(size, failed)
        * 0.1**failed
        * 0.9 ** (size - failed)
        * follow_evidence([[place < failed for place in range(size)]]).value
        for failed in range(size + 1)
    )
    assert common * at_once + (1 - common) * apart == pytest.approx(1)


def test_a_thousand_needs_are_a_number():
    """Neither overflow nor zero breaks it."""
    assert weigh(0, 100_000) == 0.0
    assert weigh(400, 1_000) > 1e20


@pytest.mark.slow
@pytest.mark.parametrize(("rate", "least", "most"), [(0.05, 0.0, 0.01), (0.1, 0.01, 0.05), (0.3, 0.97, 1.0)])
def test_how_often_it_ever_fires_within_150_needs(rate, least, most):
    """At the threshold in fewer than one world in twenty, at half of it hardly ever, at three times nearly always."""
    stream = Random(f"evidence/{rate}")
    runs = ([[stream.random() < rate] for _ in range(150)] for _ in range(1_000))
    fired = sum(follow_evidence(run).fired_at is not None for run in runs)
    assert least <= fired / 1_000 <= most


def test_impossible_counts_are_refused():
    """More triggers than needs are no evidence of anything."""
    with pytest.raises(ValueError, match="3 triggers of 2"):
        weigh(3, 2)
