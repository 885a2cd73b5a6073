"""The exact paired test and its interval: against enumeration, published values, other tests, and simulation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.statistics.differences import count_work, mcnemar_p, net_interval, sign_flip_p
from memeval.statistics.paired import Pairs, paired_interval

DIFFERENCES = st.lists(st.integers(-6, 6), max_size=9)


def enumerate_signs(differences: list[int]) -> float:
    """The p by writing down every choice of signs."""
    sizes = [abs(value) for value in differences if value]
    sums = [sum(map(int.__mul__, sizes, signs)) for signs in product((-1, 1), repeat=len(sizes))]
    return sum(abs(one) >= abs(sum(differences)) for one in sums) / len(sums)


@pytest.mark.parametrize(
    ("lost", "won", "p"),
    [(0, 0, 1.0), (1, 0, 1.0), (4, 0, 0.125), (5, 0, 0.0625), (6, 0, 0.03125), (5, 2, 58 / 128), (1, 1, 1.0)],
)
def test_mcnemar_by_hand(lost, won, p):
    """Two tails of a fair coin: of 2^7 throws 1 + 7 + 21 lie as far out as five to two, on each side."""
    assert mcnemar_p(lost, won) == p == mcnemar_p(won, lost)


@pytest.mark.slow
@given(st.integers(0, 200), st.integers(0, 200))
def test_mcnemar_is_the_binomial_test(lost, won):
    """The same as another implementation of the exact test, for any split."""
    from scipy.stats import binomtest  # takes a second to load

    expected = binomtest(lost, lost + won).pvalue if lost + won else 1.0
    assert mcnemar_p(lost, won) == pytest.approx(expected, rel=1e-9)


@given(DIFFERENCES)
def test_sign_flips_are_enumerated(differences):
    """The p is the share of sign choices as far out, tie included, to the last bit."""
    assert sign_flip_p(differences) == enumerate_signs(differences)


@given(DIFFERENCES, st.integers(1, 60))
def test_sign_flips_keep_their_p(differences, factor):
    """A common factor, needs that do not differ, another order and the other direction change nothing."""
    p = sign_flip_p(differences)
    assert 0 < p <= 1
    assert p == sign_flip_p([factor * value for value in differences])
    assert p == sign_flip_p([-value for value in reversed(differences)] + [0, 0])


@given(st.lists(st.integers(1, 13).flatmap(lambda m: st.integers(-m, m).map(lambda k: Fraction(k, m))), max_size=9))
def test_shares_of_any_numbers_of_wordings_are_enumerated(differences):
    """Needs of one to thirteen wordings: to the last bit what whole numbers over a common denominator give."""
    common = math.lcm(*(difference.denominator for difference in differences))
    whole = [int(difference * common) for difference in differences]
    assert sign_flip_p(differences) == enumerate_signs(whole) == sign_flip_p(whole)


def list_shares(most_wordings: int) -> list[Fraction]:
    """Every share of one to so many wordings, twice."""
    return [Fraction(part, size) for size in range(1, most_wordings + 1) for part in range(1, size + 1)] * 2


def test_uneven_numbers_of_wordings_are_counted_in_two_parts():
    """The same p as from one long row of sums, which a hundred needs of up to nine wordings can still have."""
    uneven = list_shares(9)
    lost, won = uneven[::3], [one for place, one in enumerate(uneven) if place % 3]
    p = sign_flip_p([-one for one in lost] + won)
    assert p == sign_flip_p(lost + [-one for one in won])
    assert p == pytest.approx(count_with_floats(lost, won), rel=1e-9)


def test_uneven_numbers_of_wordings_take_little():
    """Two hundred needs of one to thirteen: the sums of all are millions, those of either part thousands."""
    uneven = list_shares(13)
    assert 1_000 * count_work(uneven) < len(uneven) ** 2 * math.lcm(*range(1, 14)) * sum(uneven)
    assert 0.2 < sign_flip_p([one if place % 11 < 5 else -one for place, one in enumerate(uneven)]) < 1


def count_with_floats(lost: Sequence[Fraction], won: Sequence[Fraction]) -> float:
    """The p by one long row of shares, over a common denominator."""
    common = math.lcm(*(size.denominator for size in (*lost, *won)))
    sizes = sorted(int(size * common) for size in (*lost, *won))
    most = (sum(sizes) - abs(int((sum(won) - sum(lost)) * common))) // 2
    shares = np.zeros(most + 1)
    shares[0] = 1.0
    reached = 0
    for size in sizes:
        low = shares[: min(reached, most) + 1] / 2
        shares[: len(low)] = low
        end = min(size + len(low), most + 1)
        shares[size:end] += low[: max(0, end - size)]
        reached += size
    return min(1.0, 2 * float(shares.sum()))


@given(st.integers(0, 40), st.integers(0, 40))
def test_hits_and_misses_are_mcnemar(lost, won):
    """For differences of one size the sign-flip test is the exact McNemar test."""
    assert sign_flip_p([-3] * lost + [3] * won) == mcnemar_p(lost, won)


def test_identical_runs_differ_in_nothing():
    """Equal scores give p 1 and an interval around 0: no division of 0 by 0, no NaN."""
    assert sign_flip_p([0, 0, 0]) == sign_flip_p([]) == 1.0
    low, high = net_interval([0.0, 0.0, 0.0])
    assert low == -high < 0 < high < 1
    assert net_interval([]) is None


def test_many_changed_needs_are_still_exact():
    """Three hundred unequal differences are counted, not drawn: all of one sign are the two ends of 2^300."""
    assert sign_flip_p([12, 15, 20] * 100) == 2.0**-299


@given(st.builds(Pairs, *[st.integers(0, 40)] * 4).filter(lambda pairs: pairs.n))
def test_the_interval_of_hits_and_misses(pairs):
    """For -1, 0 and 1 it is the adjusted Wald interval of two paired rates."""
    differences = [1] * pairs.only_first + [-1] * pairs.only_second + [0] * (pairs.both + pairs.neither)
    assert net_interval(differences) == pytest.approx(paired_interval(pairs))


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=40))
def test_the_interval_lies_within_its_bounds(sixths):
    """Within [-1, 1], never of zero width, mirrored when the runs change places, the same in any order."""
    differences = [value / 6 for value in sixths]
    low, high = net_interval(differences)
    assert -1 <= low < high <= 1
    assert net_interval([-value for value in differences]) == pytest.approx((-high, -low))
    assert net_interval(sorted(differences)) == (low, high)


def test_impossible_numbers_are_refused():
    """Counts below 0, differences of more than a need and a confidence that is none."""
    with pytest.raises(ValueError, match="-1 needs lost"):
        mcnemar_p(-1, 2)
    with pytest.raises(ValueError, match="-1, 1"):
        net_interval([0.5, float("nan")])
    with pytest.raises(ValueError, match="confidence 1"):
        net_interval([0.5], 1)


def draw_differences(generator: np.random.Generator, n: int, churn: float, gap: float, wordings: int) -> np.ndarray:
    """Of n needs the wordings won less those lost, won at the churn and lost `gap` more often.

    In half of the needs all wordings move together.
    """
    moved = generator.random((n, wordings))
    alike = generator.random(n) < 0.5
    moved[alike] = moved[alike, :1]
    return (moved < churn).sum(axis=1) - (moved > 1 - churn - gap).sum(axis=1)


@pytest.mark.slow
@pytest.mark.parametrize("wordings", [1, 3])
def test_false_positives_by_simulation(wordings):
    """Without a true difference 5 % of worlds or fewer reach p 0.05, for any churn, number of needs and of wordings.

    The figures stand in docs/statistics.md.
    """
    generator = np.random.default_rng(20261130)
    for n in (30, 72, 135):
        for churn in (0.02, 0.05, 0.2):
            rejected = 0
            for _ in range(2000):
                differences = draw_differences(generator, n, churn, 0.0, wordings)
                rejected += sign_flip_p(map(int, differences)) <= 0.05
            assert rejected / 2000 <= 0.05 + 1.65 * (0.05 * 0.95 / 2000) ** 0.5, (n, churn, rejected)


@pytest.mark.slow
@pytest.mark.parametrize("wordings", [1, 3])
def test_coverage_by_simulation(wordings):
    """The interval holds the true difference in 93 % of worlds or more on average, in no cell below 90 %."""
    generator = np.random.default_rng(20261130)
    covered = []
    for n in (72, 135):
        for churn in (0.02, 0.1):
            for gap in (0.0, 0.05, 0.2):
                hits = 0
                for _ in range(2000):
                    differences = draw_differences(generator, n, churn, gap, wordings) / wordings
                    low, high = net_interval(list(differences))
                    hits += low <= -gap <= high
                covered.append(hits / 2000)
    assert min(covered) >= 0.90
    assert 0.93 <= sum(covered) / len(covered) <= 0.99
