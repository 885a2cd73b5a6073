"""The interval of a mean of shares."""

from __future__ import annotations

import pytest

from memeval.statistics.bands import mean_interval
from memeval.statistics.intervals import Cluster, clopper_pearson, korn_graubard


def test_of_yes_and_no_it_is_that_of_korn_and_graubard():
    """Shares of 0 and 1 are a rate over wordings of needs."""
    needs = [(1, 0, 1), (0, 0), (1,), (1, 1, 1, 0), (0, 1)]
    assert mean_interval(needs) == korn_graubard(Cluster(sum(need), len(need)) for need in needs)


def test_where_nothing_varies_every_need_counts_one():
    """The interval of a mean of 1 has a width."""
    assert mean_interval([(1.0, 1.0)] * 4) == clopper_pearson(4, 4)
    assert mean_interval([(0.5,)] * 4) == clopper_pearson(2, 4)


def test_it_holds_the_mean():
    """Fractions are no yes or no, and the mean of them lies within."""
    needs = [(0.25, 0.5), (1.0,), (0.0, 1 / 3, 2 / 3)]
    shares = [share for need in needs for share in need]
    interval = mean_interval(needs)
    assert interval is not None
    assert interval.low < sum(shares) / len(shares) < interval.high


def test_without_a_wording_there_is_none():
    """Needs without a share are left out."""
    assert mean_interval([(), ()]) is None
    assert mean_interval([(), (1.0,)]) == clopper_pearson(1, 1)


def test_a_share_beyond_one_is_refused():
    """It can be none."""
    with pytest.raises(ValueError, match="within"):
        mean_interval([(1.5,)])
