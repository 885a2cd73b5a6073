"""Bytes and percentiles at their edges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.metrics.cost import bytes_shown, documents_shown, percentile, summarise_seconds


def test_nearest_rank_hand_worked():
    """Of 15, 20, 35, 40, 50: p30 = 20 (rank 1.5 up), p40 = 20 (rank 2), p50 = 35 (rank 2.5 up), p100 = 50."""
    values = [35, 15, 50, 20, 40]
    assert [percentile(values, p) for p in (1, 30, 40, 50, 100)] == [15, 20, 20, 35, 50]


def test_whole_ranks_are_not_pushed_up_by_floats():
    """7 % of 100 values is the 7th, although 7 / 100 * 100 is above 7 in floating point."""
    assert [percentile(range(1, 101), p) for p in range(1, 101)] == list(range(1, 101))


@given(st.lists(st.floats(0, 10), min_size=1), st.integers(1, 100))
def test_a_percentile_is_one_of_the_values_and_covers_its_share(values, percent):
    """It was measured, and at least its share of the values does not exceed it."""
    chosen = percentile(values, percent)
    assert chosen in values
    assert sum(value <= chosen for value in values) * 100 >= percent * len(values)


@pytest.mark.parametrize("percent", [0, 101, 0.5, -5])
def test_a_percent_outside_its_range_is_refused(percent):
    """p0 has no rank, and a fraction is more likely a mistake than half a percent."""
    with pytest.raises(ValueError, match="whole number from 1 to 100"):
        percentile([1.0], percent)


def test_latency_is_in_milliseconds_and_undefined_without_values():
    """Seconds in, p50, p95 and the maximum in milliseconds out; None when nothing ran."""
    assert summarise_seconds([0.25, 0.5, 1.0]) == {"p50_ms": 500.0, "p95_ms": 1000.0, "max_ms": 1000.0, "queries": 3}
    assert summarise_seconds([]) == {"p50_ms": None, "p95_ms": None, "max_ms": None, "queries": 0}


def test_bytes_and_documents():
    """Bytes are UTF-8 bytes, and a document shown twice is one document."""
    assert bytes_shown("設定 ok…") == 6 + 3 + 3
    assert documents_shown(["a", "b", "a"]) == 2
