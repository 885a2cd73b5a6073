"""Intervals of rates: hand-worked and published values, their ends, and their coverage by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.statistics.intervals import (
    Cluster,
    Rate,
    clopper_pearson,
    clopper_pearson_high,
    clopper_pearson_low,
    difference_interval,
    effective_size,
    korn_graubard,
    rate_interval,
    wilson,
)

COUNTS = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
NEEDS = st.lists(
    st.integers(1, 5).flatmap(lambda m: st.tuples(st.integers(0, m), st.just(m))).map(lambda pair: Cluster(*pair)),
    min_size=1,
    max_size=30,
)


@pytest.mark.slow
@given(COUNTS)
def test_both_intervals_equal_scipy(count):
    """Wilson and Clopper-Pearson agree with an independent implementation to 1e-9."""
    from scipy.stats import binomtest  # takes a second to load

    test = binomtest(*count)
    for ours, method in ((wilson(*count), "wilson"), (clopper_pearson(*count), "exact")):
        theirs = test.proportion_ci(0.95, method=method)
        assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_one_sided_bounds_are_where_the_tail_is_five_percent():
    """By hand: of n needs without a success the upper bound is 1 - 0.05^(1/n), and the lower one mirrors it."""
    assert clopper_pearson_high(0, 10) == pytest.approx(1 - 0.05**0.1)
    assert clopper_pearson_low(10, 10) == pytest.approx(0.05**0.1)
    assert (clopper_pearson_low(0, 10), clopper_pearson_high(10, 10)) == (0.0, 1.0)


def test_the_threshold_of_the_trigger_is_the_published_one():
    """With 135 needs 20 triggers lie above 10 % for certain and 19 do not; with 72 it is 13."""
    assert clopper_pearson_low(20, 135) > 0.10 > clopper_pearson_low(19, 135)
    assert clopper_pearson_low(13, 72) > 0.10 > clopper_pearson_low(12, 72)


@given(COUNTS)
def test_an_interval_holds_its_rate_and_has_a_width(count):
    """Never outside [0, 1], never of zero width, and the observed rate lies in it."""
    rate = count[0] / count[1]
    for low, high in (wilson(*count), clopper_pearson(*count)):
        assert 0 <= low <= rate <= high <= 1
        assert high > low


def test_nothing_asked_has_no_interval():
    """Undefined is None, not the whole range."""
    assert wilson(0, 0) is None
    assert clopper_pearson(0, 0) is None
    assert korn_graubard([]) is None
    assert korn_graubard([Cluster(0, 0)]) is None


@pytest.mark.parametrize("function", [wilson, clopper_pearson])
def test_impossible_numbers_are_refused(function):
    """More successes than needs, fewer than none, and a confidence outside (0, 1) name the value."""
    for successes, n in ((3, 2), (-1, 2)):
        with pytest.raises(ValueError, match=str(successes)):
            function(successes, n)
    with pytest.raises(ValueError, match="confidence 1"):
        function(1, 2, 1)


def test_effective_size_by_hand():
    """Needs whose wordings agree are worth one answer each; (2,2), (1,2), (0,2) worked on paper."""
    assert effective_size([Cluster(2, 2), Cluster(0, 2), Cluster(2, 2), Cluster(0, 2)]) == 4
    # rate 1/2; spread 1 + 0 + 1 = 2; variance 3/2 x 2/36 = 1/12; 1/4 : 1/12 = 3 = the number of needs
    assert effective_size([Cluster(2, 2), Cluster(1, 2), Cluster(0, 2)]) == pytest.approx(3)
    # rate 1/2; spread 2; variance 4/3 x 2/64 = 1/24; 1/4 : 1/24 = 6
    assert effective_size([Cluster(2, 2), Cluster(1, 2), Cluster(1, 2), Cluster(0, 2)]) == pytest.approx(6)


@given(NEEDS)
def test_the_effective_size_lies_between_needs_and_wordings(needs):
    """Never fewer than the needs, never more than the wordings."""
    assert len(needs) <= effective_size(needs) <= sum(need.n for need in needs)


@given(NEEDS.flatmap(lambda needs: st.tuples(st.just(needs), st.permutations(needs))))
def test_the_order_of_needs_does_not_matter(pair):
    """The same needs in any order have the same interval."""
    assert korn_graubard(pair[0]) == korn_graubard(pair[1])


@given(st.lists(st.booleans(), min_size=2, max_size=60))
def test_single_wordings_have_the_exact_interval(answers):
    """With one wording a need it is Clopper-Pearson itself, up to the n - 1 of the variance."""
    needs = [Cluster(int(answer), 1) for answer in answers]
    assert korn_graubard(needs) == pytest.approx(clopper_pearson(sum(answers), len(answers)), abs=1e-9)


def test_the_method_follows_the_number_of_wordings():
    """One wording a need: Wilson, needs without any left out; two of one need anywhere: Korn-Graubard."""
    single = [Cluster(1, 1), Cluster(0, 1), Cluster(1, 1), Cluster(0, 0)]
    assert rate_interval(single) == wilson(2, 3)
    several = [*single, Cluster(1, 2)]
    assert rate_interval(several) == korn_graubard(several) != wilson(3, 5)
    assert rate_interval([]) is None


def rate_of(successes, n):
    """A rate with its Wilson interval."""
    return Rate(successes / n, wilson(successes, n))


def test_the_difference_of_two_rates_is_the_published_one():
    """Newcombe's table II: 56/70 - 48/80 has 0.0524 to 0.3339, 9/10 - 3/10 has 0.1705 to 0.8090."""
    assert difference_interval(rate_of(56, 70), rate_of(48, 80)) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert difference_interval(rate_of(9, 10), rate_of(3, 10)) == pytest.approx((0.1705, 0.8090), abs=5e-5)


@given(COUNTS, COUNTS)
def test_the_difference_lies_within_its_interval(first, second):
    """Never outside [-1, 1], never of zero width, mirrored when the two change places."""
    ours = difference_interval(rate_of(*first), rate_of(*second))
    assert -1 <= ours.low < ours.high <= 1
    assert ours.low <= first[0] / first[1] - second[0] / second[1] <= ours.high
    mirrored = difference_interval(rate_of(*second), rate_of(*first))
    assert ours == pytest.approx((-mirrored.high, -mirrored.low))


@pytest.mark.slow
def test_the_difference_covers_by_simulation():
    """Two clustered rates, of the same needs and of others: covered in 94 % of worlds or more."""
    generator = np.random.default_rng(20261130)
    for shared in (False, True):
        for rate, gap in ((0.9, 0.0), (0.9, 0.3), (0.6, 0.2)):
            hits = []
            for _ in range(1000):
                uniform = generator.random((2, 90))
                own = generator.beta(3, 3, 90)  # how hard a need is, for both where they are the same needs
                rates = []
                for place, share in enumerate((rate, rate - gap)):
                    ease = np.clip(share + 0.3 * ((own if shared else generator.beta(3, 3, 90)) - 0.5), 0, 1)
                    asked = 1 + (uniform[place] < 0.3)
                    answers = zip(generator.binomial(asked, ease), asked, strict=True)
                    needs = [Cluster(int(x), int(m)) for x, m in answers]
                    value = sum(need.successes for need in needs) / sum(need.n for need in needs)
                    rates.append(Rate(value, korn_graubard(needs)))
                low, high = difference_interval(*rates)
                hits.append(low <= gap <= high)
            assert math.fsum(hits) / len(hits) >= 0.94, (shared, rate, gap)


@pytest.mark.slow
@pytest.mark.parametrize("n", [72, 135])
def test_coverage_by_simulation(n):
    """Over six rates the mean coverage is what the method promises, and no cell is under 90 %."""
    generator = np.random.default_rng(20261130)
    covered = {"wilson": [], "clopper_pearson": [], "korn_graubard": []}
    for rate in (0.05, 0.1, 0.2, 0.5, 0.8, 0.95):
        successes = generator.binomial(n, rate, 2000)
        for function in (wilson, clopper_pearson):
            ends = {int(x): function(int(x), n) for x in set(successes)}
            hits = [ends[int(x)].low <= rate <= ends[int(x)].high for x in successes]
            covered[function.__name__].append(math.fsum(hits) / len(hits))
        # Needs differ (beta-binomial, correlation 0.4) and have one to five wordings.
        spread = 1 / 0.4 - 1
        hits = []
        for _ in range(2000):
            own = generator.beta(rate * spread, (1 - rate) * spread, n)
            asked = generator.integers(1, 6, n)
            needs = [Cluster(int(x), int(m)) for x, m in zip(generator.binomial(asked, own), asked, strict=True)]
            low, high = korn_graubard(needs)
            hits.append(low <= rate <= high)
        covered["korn_graubard"].append(math.fsum(hits) / len(hits))
    means = {name: math.fsum(shares) / len(shares) for name, shares in covered.items()}
    assert 0.93 <= means["wilson"] <= 0.97
    assert 0.94 <= means["clopper_pearson"] <= 0.99
    assert 0.94 <= means["korn_graubard"] <= 0.99
    assert min(min(shares) for shares in covered.values()) >= 0.90
