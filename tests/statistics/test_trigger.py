"""The trigger's verdict by counts: the published thresholds, its power, and what more needs would decide."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.statistics.intervals import clopper_pearson_high, clopper_pearson_low
from memeval.statistics.trigger import (
    State,
    fires_from,
    judge_bounds,
    judge_count,
    min_needs,
    needs_to_decide,
    quiet_up_to,
)

COUNTS = st.integers(1, 250).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
THRESHOLDS = st.sampled_from([0.03, 0.05, 0.1, 0.15, 0.2])


@pytest.mark.parametrize(
    ("n", "triggers", "state"),
    [
        (135, 20, State.FIRING),
        (135, 19, State.QUIET),
        (135, 0, State.QUIET),
        (72, 13, State.FIRING),
        (72, 12, State.WATCH),
        (72, 9, State.WATCH),
        (72, 8, State.QUIET),
        (45, 9, State.FIRING),
        (44, 44, State.INSUFFICIENT),
        (44, 0, State.INSUFFICIENT),
        (0, 0, State.INSUFFICIENT),
    ],
)
def test_the_published_verdicts_at_ten_per_cent(n, triggers, state):
    """135 needs fire at 20 and are quiet at 19; 72 fire at 13 and are quiet at 8; fewer than 45 are insufficient."""
    assert judge_count(triggers, n) is state


def test_the_limits_are_those_of_the_verdicts():
    """`fires_from` and `quiet_up_to` give the same numbers, and None where no count would do."""
    assert [(n, fires_from(n), quiet_up_to(n)) for n in (135, 72, 45)] == [(135, 20, 19), (72, 13, 8), (45, 9, 4)]
    assert (fires_from(1), quiet_up_to(10)) == (None, None), "1 - 0.05 of one need, and 0.05^(1/10) > 20 %"
    assert (fires_from(0), quiet_up_to(0)) == (None, None)


def chance_of(least: int, n: int, rate: float) -> float:
    """The chance of `least` or more among n, term by term."""
    return sum(comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in range(least, n + 1))


def test_forty_five_needs_are_the_least_for_ten_per_cent():
    """From 45 needs on 30 % fires in 95 % of worlds; 41 would do, and 44 would not."""
    power = {n: chance_of(fires_from(n), n, 0.3) for n in range(41, 120)}
    assert min_needs() == 45
    assert power[41] > 0.95 > power[44]
    assert min(power[n] for n in range(45, 120)) > 0.95


@pytest.mark.parametrize("threshold", [0.05, 0.2])
def test_another_threshold_has_its_own_least_number(threshold):
    """Below it some number of needs has too little power, from it on none has."""
    least = min_needs(threshold)
    power = [chance_of(fires_from(n, threshold), n, 3 * threshold) for n in (least - 1, least, least + 1)]
    assert power[0] < 0.95 < min(power[1:])


@given(COUNTS, THRESHOLDS)
def test_the_limits_agree_with_the_bounds(count, threshold):
    """A count fires exactly from `fires_from` on, and is quiet exactly up to `quiet_up_to`."""
    triggers, n = count
    fires, quiet = fires_from(n, threshold), quiet_up_to(n, threshold)
    state = judge_bounds(clopper_pearson_low(triggers, n), clopper_pearson_high(triggers, n), threshold)
    assert (fires is not None and triggers >= fires) == (state is State.FIRING)
    assert (quiet is not None and triggers <= quiet) == (state is State.QUIET)


@given(COUNTS, THRESHOLDS)
def test_more_needs_decide_where_they_are_said_to(count, threshold):
    """With so many more needs at the same rate it is firing or quiet, with one fewer it is not; 0 where it was."""
    triggers, n = count
    more = needs_to_decide(triggers, n, threshold)
    if more is None:
        return

    def state(needs):
        grown = min(triggers * needs / n, needs)
        return judge_bounds(clopper_pearson_low(grown, needs), clopper_pearson_high(grown, needs), threshold)

    assert (more == 0) == (judge_count(triggers, n, threshold) in (State.FIRING, State.QUIET))
    assert state(n + more) is not State.WATCH
    if more and n + more - 1 >= min_needs(threshold):
        assert state(n + more - 1) is State.WATCH


def test_more_needs_by_hand():
    """Ten needs without a trigger lack 35 to the least number; none at all say nothing of how many."""
    assert needs_to_decide(0, 10) == 35
    assert needs_to_decide(9, 72) > 0 == needs_to_decide(8, 72)
    assert needs_to_decide(0, 0) is None


@pytest.mark.parametrize("threshold", [0, 0.25, 1, -0.1, float("nan")])
def test_what_is_no_threshold_is_refused(threshold):
    """Four times the threshold has to be a rate."""
    with pytest.raises(ValueError, match="threshold"):
        fires_from(10, threshold)


def test_impossible_counts_are_refused():
    """More triggers than needs are a fault of the caller, however few needs there are."""
    for triggers, n in ((3, 2), (-1, 2), (100, 50)):
        with pytest.raises(ValueError, match="successes"):
            judge_count(triggers, n)
