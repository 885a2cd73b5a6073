"""Ties in closed form: by hand, and against every order written down."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.statistics.ties import TieGroup, TieRange, full_chance, full_range, success_chance, success_range

RANKINGS = st.lists(st.lists(st.booleans(), min_size=1, max_size=4), min_size=1, max_size=3)
"""Groups of equal score from the best on; for each document of a group whether it is relevant."""


def collect(ranking: list[list[bool]]) -> list[TieGroup]:
    """The groups that hold a relevant document, with their places."""
    groups, above = [], 0
    for group in ranking:
        if any(group):
            groups.append(TieGroup(above, len(group), sum(group)))
        above += len(group)
    return groups


def write_orders(ranking: list[list[bool]]) -> list[list[bool]]:
    """Every order of the whole ranking under which ties may stand."""
    orders: list[list[bool]] = [[]]
    for group in ranking:
        orders = [[*order, *one] for order in orders for one in permutations(group)]
    return orders


def test_two_of_six_by_hand():
    """Four places for a group of six with two relevant: 1 - C(4, 4) / C(6, 4) = 14/15; both in: C(4, 2) / C(6, 4)."""
    groups = [TieGroup(above=1, size=6, relevant=2)]
    assert success_chance(groups, 5) == pytest.approx(14 / 15)
    assert full_chance(groups, 5) == pytest.approx(6 / 15)
    assert success_range(groups, 5) == (False, True)
    assert success_range(groups, 6) == (True, True)  # five places, and only four that are not relevant
    assert success_range(groups, 1) == (False, False)
    assert full_range(groups, 5) == (False, True)


@given(RANKINGS, st.integers(1, 12))
def test_every_order_is_counted(ranking, k):
    """The closed forms are shares of the orders written down; worst and best are their least and most."""
    groups, orders = collect(ranking), write_orders(ranking)
    hits = [any(order[:k]) for order in orders]
    assert success_chance(groups, k) == pytest.approx(sum(hits) / len(hits))
    assert success_range(groups, k) == TieRange(all(hits), any(hits))
    if groups:
        full = [sum(order[:k]) == sum(order) for order in orders]
        assert full_chance(groups, k) == pytest.approx(sum(full) / len(full))
        assert full_range(groups, k) == TieRange(all(full), any(full))


def test_without_a_tie_nothing_is_open():
    """A group of one stands where it stands."""
    assert success_chance([TieGroup(4, 1, 1)], 5) == 1.0
    assert success_chance([TieGroup(5, 1, 1)], 5) == 0.0
    assert success_range([], 5) == (False, False)


def test_impossible_groups_are_refused():
    """More relevant documents than there are, a place before the first, a cutoff of none."""
    for group in (TieGroup(0, 1, 2), TieGroup(-1, 1, 1), TieGroup(0, 1, 0)):
        with pytest.raises(ValueError, match="places are counted"):
            success_chance([group], 1)
    with pytest.raises(ValueError, match="k must be"):
        success_range([TieGroup(0, 1, 1)], 0)
