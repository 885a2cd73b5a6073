"""The CUSUM's designs: the published figures by exact computation and by simulation, and what cannot be designed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.statistics.cusum import (
    DEFAULT_DESIGN,
    CusumDesign,
    correlated_run,
    design_cusum,
    mean_run,
    steady_delay,
)

SMALL = CusumDesign(tolerated=0.2, alarmed=0.4, up=2, down=1, alarm=4)


def simulate_runs(rate, start, generator):
    """Needs until the alarm from each starting score."""
    design = DEFAULT_DESIGN
    score, length = start.copy(), np.zeros(len(start), dtype=int)
    alive = np.ones(len(start), dtype=bool)
    while alive.any():
        rises = generator.random(len(start)) < rate
        score = np.where(rises, score + design.up, np.maximum(score - design.down, 0))
        length += alive
        alive &= score < design.alarm
    return length


def test_the_published_design_is_found():
    """Twice a tolerated 5 %, 2,000 needs apart: +51, -4, alarm at 248, and no lower alarm has that spacing."""
    assert design_cusum() == DEFAULT_DESIGN == CusumDesign(tolerated=0.05, alarmed=0.10, up=51, down=4, alarm=248)
    lower = CusumDesign(tolerated=0.05, alarmed=0.10, up=51, down=4, alarm=247)
    assert mean_run(lower, 0.05) < 2_000 <= mean_run(DEFAULT_DESIGN, 0.05)


def test_the_published_figures_are_exact():
    """A false alarm every 2,023 needs; after a doubling it rings 118 needs later."""
    assert round(mean_run(DEFAULT_DESIGN, 0.05)) == 2_023
    assert round(steady_delay(DEFAULT_DESIGN)) == 118


@pytest.mark.slow
def test_a_simulation_confirms_spacing_and_delay_within_a_fifth():
    """2,000 watches of independent needs, and 2,000 doublings after 1,000 needs at the tolerated rate."""
    generator = np.random.default_rng(5)
    zeros = np.zeros(2_000, dtype=int)
    spacing = simulate_runs(0.05, zeros, generator).mean()
    assert spacing == pytest.approx(2_023, rel=0.2)
    score = zeros.copy()
    for _ in range(1_000):
        rises = generator.random(len(score)) < 0.05
        score = np.where(rises, score + 51, np.maximum(score - 4, 0))
        score[score >= 248] = 0
    assert simulate_runs(0.10, score, generator).mean() == pytest.approx(118, rel=0.2)


@pytest.mark.slow
def test_a_simulation_confirms_the_spacing_under_session_correlation():
    """Sessions of one, two and four needs whose rates differ: the exact spacing within a fifth, and far below 2,023."""
    sizes, correlation = {1: 3, 2: 2, 4: 1}, 0.2
    exact = correlated_run(DEFAULT_DESIGN, 0.05, correlation, sizes)
    generator = np.random.default_rng(6)
    first, second = 0.05 * (1 - correlation) / correlation, 0.95 * (1 - correlation) / correlation
    score, runs = np.zeros(1_000, dtype=int), np.zeros(1_000, dtype=int)
    alive = score < DEFAULT_DESIGN.alarm
    while alive.any():
        rates, needs = generator.beta(first, second, 1_000), generator.choice([1, 1, 1, 2, 2, 4], 1_000)
        for seen in range(4):
            alive = (score < DEFAULT_DESIGN.alarm) & (seen < needs)
            rises = generator.random(1_000) < rates
            score = np.where(alive, np.where(rises, score + 51, np.maximum(score - 4, 0)), score)
            runs += alive
        alive = score < DEFAULT_DESIGN.alarm
    assert np.mean(runs) == pytest.approx(exact, rel=0.2)
    assert exact < 2_023 / 1.5


def test_a_small_chain_by_hand():
    """Up 2, down 1, alarm at 4, rate 1/2: on paper a run from 0 takes 5.6 needs.

    a0 = 1 + a0/2 + a2/2, a1 = 1 + a0/2 + a3/2, a2 = 1 + a1/2, a3 = 1 + a2/2 give a2 = 3.6 and a0 = 2 + a2.
    """
    assert mean_run(SMALL, 0.5) == pytest.approx(5.6)


def test_a_certain_retry_rings_after_as_many_as_fit():
    """With every need a retry the run is the alarm divided by the step, rounded up."""
    assert mean_run(DEFAULT_DESIGN, 1.0) == pytest.approx(math.ceil(248 / 51))


def test_sessions_of_unrelated_needs_change_nothing():
    """A correlation of 0, and sessions of one need, both give the spacing of independent needs."""
    independent = mean_run(SMALL, 0.2)
    assert correlated_run(SMALL, 0.2, 0.0, {3: 1, 5: 2}) == pytest.approx(independent)
    assert correlated_run(SMALL, 0.2, 0.7, {1: 9}) == pytest.approx(independent)


@given(st.floats(0.05, 0.9), st.floats(0.05, 0.9))
def test_a_higher_rate_rings_sooner(one, other):
    """The mean run falls as the rate rises, and so does the delay."""
    low, high = sorted((one, other))
    assert mean_run(SMALL, high) <= mean_run(SMALL, low) * (1 + 1e-9)
    assert steady_delay(SMALL, high) <= steady_delay(SMALL, low) * (1 + 1e-9)


@pytest.mark.parametrize("tolerated", [0.02, 0.1, 0.3])
def test_a_design_keeps_its_spacing(tolerated):
    """At any tolerated rate the spacing is at least what was asked for, and a doubling is noticed well before."""
    design = design_cusum(tolerated, spacing=500)
    assert mean_run(design, tolerated) >= 500
    assert steady_delay(design) < 150


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"tolerated": 0.0}, "0.0"),
        ({"tolerated": 0.6}, "1.2"),
        ({"factor": 1.0}, "0.05"),
        ({"spacing": 0}, "spacing 0"),
        ({"spacing": math.inf}, "spacing inf"),
        ({"spacing": 1e300}, "1e\\+300"),
    ],
)
def test_impossible_designs_are_refused(arguments, named):
    """Rates outside (0, 1), no rise, and a spacing that no alarm has name the value."""
    with pytest.raises(ValueError, match=named):
        design_cusum(**arguments)


def test_impossible_numbers_are_refused():
    """Steps below 1, rates and correlations that are none, sessions without a need."""
    with pytest.raises(ValueError, match="down 0"):
        CusumDesign(down=0)
    with pytest.raises(ValueError, match=r"rate 0\.0"):
        mean_run(SMALL, 0.0)
    with pytest.raises(ValueError, match="correlation 1"):
        correlated_run(SMALL, 0.2, 1.0, {1: 1})
    for sizes in ({}, {0: 1}, {2: 0}):
        with pytest.raises(ValueError, match="session sizes"):
            correlated_run(SMALL, 0.2, 0.1, sizes)
