"""The mean over defined values."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memeval.metrics.mean import mean


def test_undefined_values_leave_the_denominator():
    """None is neither 0 nor counted; a truth value counts as 0 or 1."""
    assert mean([1.0, None, 0.0]) == (0.5, 2)
    assert mean([True, False, None, True]) == (2 / 3, 3)


def test_no_defined_value_has_no_mean():
    """Unmeasured is None, never 0."""
    assert mean([]) == (None, 0)
    assert mean([None]) == (None, 0)


@given(st.lists(st.floats(0, 1), min_size=1).flatmap(lambda xs: st.tuples(st.just(xs), st.permutations(xs))))
def test_the_order_of_queries_does_not_matter(pair):
    """The same values in any order have the same mean to the last bit."""
    values, shuffled = pair
    assert mean(values) == mean(shuffled)
