"""Equal scores in closed form: what a cutoff gives over all orders in which ties may stand."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple


class TieGroup(NamedTuple):
    """Documents of one score that hold a relevant one: they stand in the places `above` + 1 to `above` + `size`."""

    above: int
    """Documents with a higher score."""
    size: int
    relevant: int


class TieRange(NamedTuple):
    """What a yes-or-no figure is under the worst order of ties, and under the best."""

    worst: bool
    best: bool


def success_chance(groups: Iterable[TieGroup], k: int) -> float:
    """The share of the orders of ties in which a relevant document stands among the first k, in [0, 1].

    Hypergeometric: 1 - C(size - relevant, t) / C(size, t), with t the places that the cutoff leaves to the group.

    Raises:
        ValueError: a group that cannot be, or a cutoff below 1.
    """
    missed = 1.0
    for group, inside in _cut(groups, k):
        missed *= math.comb(group.size - group.relevant, inside) / math.comb(group.size, inside)
    return 1.0 - missed


def full_chance(groups: Iterable[TieGroup], k: int) -> float:
    """The share of the orders of ties in which all relevant documents of the groups stand among the first k.

    1 without any group: what is not ranked at all is for the caller to know.

    Raises:
        ValueError: a group that cannot be, or a cutoff below 1.
    """
    share = 1.0
    for group, inside in _cut(groups, k):
        if group.relevant > inside:
            return 0.0
        share *= math.comb(group.size - group.relevant, inside - group.relevant) / math.comb(group.size, inside)
    return share


def success_range(groups: Iterable[TieGroup], k: int) -> TieRange:
    """Whether a relevant document stands among the first k under the worst and under the best order of ties.

    Raises:
        ValueError: a group that cannot be, or a cutoff below 1.
    """
    cut = list(_cut(groups, k))
    return TieRange(
        worst=any(inside > group.size - group.relevant for group, inside in cut),
        best=any(inside > 0 for _, inside in cut),
    )


def full_range(groups: Iterable[TieGroup], k: int) -> TieRange:
    """Whether all relevant documents of the groups stand among the first k under the worst and the best order.

    Raises:
        ValueError: a group that cannot be, or a cutoff below 1.
    """
    cut = list(_cut(groups, k))
    return TieRange(
        worst=all(inside == group.size for group, inside in cut),
        best=all(inside >= group.relevant for group, inside in cut),
    )


def _cut(groups: Iterable[TieGroup], k: int) -> Iterable[tuple[TieGroup, int]]:
    """Each group with the number of its places within the first k."""
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k!r}")
    for group in groups:
        if group.above < 0 or not 1 <= group.relevant <= group.size:
            raise ValueError(f"{group}: places are counted from 0, and 1 to {group.size} of a group are relevant")
        yield group, min(max(k - group.above, 0), group.size)
