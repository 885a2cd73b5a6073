"""Curves with bands, from the record of a variant."""

from __future__ import annotations

from memeval.bench.curves import band_recall, band_searches
from tests.report.conftest import make_query, make_variant


def test_recall_points_are_the_recorded_ones_within_their_bands():
    """The band is of the wordings clustered by need; its n is the curve's."""
    queries = [make_query(f"n{at}", 0, f"q{at}", rank) for at, rank in enumerate((1, 3, None, 11))]
    variant = make_variant("a", queries)
    points = band_recall(variant)
    assert [(point.x, point.value) for point in points] == [(k, value.value) for k, value in variant.recall_curve]
    assert all(point.low <= point.value <= point.high and point.n == 4 for point in points)
    assert all(point.low < point.high for point in points)


def test_needs_found_over_searches():
    """By hand: of three needs one is found at once, one at the second wording, one never."""
    ranks = {"a": (1,), "b": (None, 2), "c": (None, None)}
    queries = [make_query(need, at, f"{need}{at}", rank) for need, row in ranks.items() for at, rank in enumerate(row)]
    points = band_searches(make_variant("v", queries))
    assert [(point.x, round(point.value, 3), point.n) for point in points] == [(1, 0.333, 3), (2, 0.667, 2)]
    assert all(point.low <= point.value <= point.high for point in points)


def test_without_a_findable_need_there_is_no_curve():
    """Nothing stored, nothing to be found."""
    variant = make_variant("v", [make_query("n", 0, "q", None, expected={})])
    assert band_searches(variant) == band_recall(variant) == ()
