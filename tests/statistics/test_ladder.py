"""Which stage is recommended: each rule by a case of its own, and what holds for any steps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.statistics.ladder import Step, choose_step, cures, helps, mcnemar_one_sided, removed_share

N = 135


def step(name: str, stage: int, left: int | set[int], *, net_loss: int = 0, others: int = 400) -> Step:
    """A step that leaves the first so many needs, or those of a set."""
    needs = range(left) if isinstance(left, int) else left
    return Step(name=name, stage=stage, left=frozenset(map(str, needs)), others=others, net_loss=net_loss)


def test_mcnemar_by_hand():
    """5 won and 0 lost: 1/32. 4 and 1: (1 + 5)/32. None changed: 1."""
    assert mcnemar_one_sided(5, 0) == 1 / 32
    assert mcnemar_one_sided(4, 1) == 6 / 32
    assert mcnemar_one_sided(0, 0) == 1
    assert mcnemar_one_sided(0, 3) == 1


@pytest.mark.slow
@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_equals_scipy(won, lost):
    """The exact one-sided binomial test, to 1e-12."""
    from scipy.stats import binomtest  # takes a second to load

    expected = binomtest(won, won + lost, alternative="greater").pvalue if won + lost else 1.0
    assert mcnemar_one_sided(won, lost) == pytest.approx(expected, abs=1e-12)


def test_helping_is_half_of_the_triggers():
    """20 of 40 gone help, 19 do not; new triggers count, so that a stage may make it worse."""
    assert helps(step("a", 0, 20), 40)
    assert not helps(step("a", 0, 21), 40)
    assert removed_share(40, 50) == -0.25
    assert removed_share(0, 0) is None
    assert not helps(step("a", 0, 0), 0)


def test_helping_costs_one_in_a_hundred_at_most():
    """4 of 400 other wordings may be lost, 5 may not; a gain never stands in the way."""
    assert helps(step("a", 0, 0, net_loss=4), 40)
    assert not helps(step("a", 0, 0, net_loss=5), 40)
    assert helps(step("a", 0, 0, net_loss=-30), 40)


def test_curing_is_no_longer_above_the_threshold():
    """Of 135 needs 19 left are no longer above 10 % for certain, 20 are."""
    assert cures(step("a", 0, 19), 60, N)
    assert not cures(step("a", 0, 20), 60, N)


def test_the_cheapest_that_cures_is_taken():
    """A dearer one that leaves less is not."""
    steps = [step("profile", 0, 15), step("aliases", 1, 10), step("embedding", 2, 0)]
    assert choose_step(steps, 54, N).name == "profile"
    assert choose_step(steps[1:], 54, N).name == "aliases"


def test_a_stage_that_does_not_cure_is_passed_over():
    """The next one that does is taken, though the cheaper one helps."""
    steps = [step("profile", 0, 25), step("aliases", 1, 50), step("embedding", 2, 3)]
    assert choose_step(steps, 54, N).name == "embedding"


def test_none_cures_and_the_best_beats_the_cheaper_ones():
    """30 left against 24, all of them among the 30: 6 won and 0 lost, p = 1/64, so that the dearer one is taken."""
    steps = [step("aliases", 1, 30), step("embedding", 2, 24)]
    assert choose_step(steps, 80, N).name == "embedding"


def test_none_cures_and_the_best_does_not_beat_the_cheaper_one():
    """30 against 26 is p = 1/16: the cheapest that helps is taken."""
    steps = [step("aliases", 1, 30), step("embedding", 2, 26)]
    assert choose_step(steps, 80, N).name == "aliases"
    apart = [step("aliases", 1, 30), step("embedding", 2, set(range(100, 124)))]
    assert choose_step(apart, 80, N).name == "aliases", "30 won and 24 lost are no victory"


def test_none_helps():
    """Then there is nothing to recommend, whatever was run."""
    assert choose_step([step("profile", 0, 54), step("aliases", 1, 40)], 54, N) is None
    assert choose_step([], 54, N) is None


STEPS = st.lists(
    st.builds(
        lambda stage, left, loss: step(f"s{stage}", stage, left, net_loss=loss),
        st.integers(0, 2),
        st.sets(st.integers(0, N - 1), max_size=60),
        st.integers(-5, 8),
    ),
    max_size=5,
)


@given(STEPS, st.integers(1, 60))
def test_what_is_recommended_helps_and_nothing_cheaper_cures(steps, before):
    """The chosen step helps; where a step cures, the first that does is chosen."""
    chosen = choose_step(steps, before, N)
    curing = [one for one in steps if cures(one, before, N)]
    if curing:
        assert chosen is curing[0]
    elif chosen is not None:
        assert helps(chosen, before)
    else:
        assert not any(helps(one, before) for one in steps)
