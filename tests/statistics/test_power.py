"""What a suite can see: by hand, against enumeration, and confirmed by simulation."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.statistics.differences import mcnemar_p
from memeval.statistics.power import detectable_loss, fewest_losses, paired_power, visible_gap


def test_the_fewest_losses_that_can_fail():
    """A budget of two fails at three; p 0.05 needs six losses without a gain, nine net beside four gains."""
    assert fewest_losses(2) == 3
    assert fewest_losses(2, alpha=0.05) == 6
    assert fewest_losses(7, alpha=0.05) == 8
    assert fewest_losses(0, gains=4, alpha=0.05) == 9
    assert mcnemar_p(13, 4) <= 0.05 < mcnemar_p(12, 4)


def test_significance_on_top_of_a_budget_lets_losses_pass():
    """Four of 72 needs are over a budget of two points, and p is 0.125: so significance is opt-in."""
    assert 4 / 72 > 0.02
    assert mcnemar_p(4, 0) == 0.125
    assert fewest_losses(1) == 2 < 4 < fewest_losses(1, alpha=0.05)


@pytest.mark.parametrize(("loss_rate", "gain_rate"), [(0.0, 0.0), (0.4, 0.1), (0.7, 0.3), (1.0, 0.0)])
def test_power_is_enumerated(loss_rate, gain_rate):
    """The chances of all outcomes of seven needs that are significant, with more lost than won."""
    chances = {-1: loss_rate, 1: gain_rate, 0: 1 - loss_rate - gain_rate}
    expected = 0.0
    for outcome in product(chances, repeat=7):
        lost, won = outcome.count(-1), outcome.count(1)
        if lost > won and mcnemar_p(lost, won) <= 0.05:
            expected += np.prod([chances[one] for one in outcome])
    assert paired_power(7, loss_rate, gain_rate) == pytest.approx(expected, abs=1e-12)


def test_the_detectable_loss():
    """Five needs see nothing; six see the loss of all. The table of figures in docs/statistics.md, in needs."""
    assert detectable_loss(5, 0.0) is None
    assert detectable_loss(6, 0.0) == 6
    assert detectable_loss(0, 0.0) is None
    assert detectable_loss(20, 0.5) is None
    table = {(30, 0.01): 9, (50, 0.01): 9, (72, 0.01): 10, (100, 0.05): 15, (135, 0.03): 14, (200, 0.03): 16}
    assert {case: detectable_loss(*case) for case in table} == table


@given(st.integers(1, 120), st.integers(0, 10))
def test_the_detectable_loss_is_the_smallest(n, gains):
    """At it the power is reached, one need below it is not."""
    loss = detectable_loss(n, gains / n) if 2 * gains < n else None
    if loss is not None:
        assert paired_power(n, (gains + loss) / n, gains / n) >= 0.8
        assert paired_power(n, (gains + loss - 1) / n, gains / n) < 0.8


def test_impossible_numbers_are_refused():
    """A level, a rate or a budget that is none."""
    with pytest.raises(ValueError, match="alpha 0"):
        paired_power(10, 0.1, 0.1, alpha=0)
    with pytest.raises(ValueError, match="gain rate 2"):
        detectable_loss(10, 2)
    with pytest.raises(ValueError, match="are lost"):
        paired_power(10, 0.8, 0.8)
    with pytest.raises(ValueError, match="budget of -1"):
        fewest_losses(-1)


@pytest.mark.slow
@pytest.mark.parametrize("gain_rate", [0.01, 0.05])
def test_the_detectable_loss_by_simulation(gain_rate):
    """In drawn worlds the loss it names is called one in 80 % of them."""
    generator = np.random.default_rng(20261130)
    for n in (72, 135, 200):
        rate = gain_rate + detectable_loss(n, gain_rate) / n
        drawn = generator.multinomial(n, [rate, gain_rate, 1 - rate - gain_rate], 4000)
        seen = sum(lost > won and mcnemar_p(int(lost), int(won)) <= 0.05 for lost, won, _ in drawn) / 4000
        assert seen == pytest.approx(paired_power(n, rate, gain_rate), abs=0.025)
        assert seen >= 0.78


def test_a_visible_gap_by_hand():
    """0.2 against 0.35 with 150 cases each is the textbook's order of size: 138 each without the correction."""
    gap = visible_gap(0.2, 138, 138)
    assert gap == pytest.approx(0.15, abs=0.001)
    assert visible_gap(0.1, 0, 50) is None
    assert visible_gap(1.0, 50, 50) is None
    assert visible_gap(0.5, 2, 2) is None
    with pytest.raises(ValueError, match="no comparison has these"):
        visible_gap(1.5, 10, 10)


@given(st.floats(0, 0.9), st.integers(1, 400), st.integers(1, 400))
def test_more_cases_see_smaller_gaps(rate, first, second):
    """And no gap leads out of [0, 1]."""
    gap, finer = visible_gap(rate, first, second), visible_gap(rate, 2 * first, 2 * second)
    if gap is not None:
        assert 0 < gap <= 1 - rate
        assert finer is not None
        assert finer <= gap + 1e-9
