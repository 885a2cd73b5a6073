"""What nobody has judged: how far a difference between two runs may lie from the one that is counted."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple


class Unjudged(NamedTuple):
    """How many documents of unknown grade stand within the cutoff of which run."""

    only_base: int
    only_head: int
    both: int
    neither: int = 0


class DifferenceRange(NamedTuple):
    """A difference head - base of yes or no, under the worst grades for head and under the best."""

    worst: int
    best: int


def success_difference(base: bool, head: bool, unjudged: Unjudged) -> DifferenceRange:
    """The range of head - base, where yes is a relevant document within the cutoff.

    One unknown grade is one unknown in both runs: what stands within both cutoffs turns both into yes, or neither.

    Args:
        base: yes, by the grades that are known.
        head: the same of the other run.
        unjudged: where the others stand.
    """
    return _range(
        int(head or only_head or both) - int(base or only_base or both)
        for only_base, only_head, both, _ in _assignments(unjudged)
    )


def full_difference(base: bool, head: bool, unjudged: Unjudged) -> DifferenceRange:
    """The range of head - base, where yes is every relevant document within the cutoff: one more may stand outside.

    Args:
        base: yes, by the grades that are known.
        head: the same of the other run.
        unjudged: where the others stand.
    """
    return _range(
        int(head and not (only_base or neither)) - int(base and not (only_head or neither))
        for only_base, only_head, _, neither in _assignments(unjudged)
    )


def _assignments(unjudged: Unjudged) -> product[tuple[bool, ...]]:
    """Every choice of which of the four places hold a relevant document; only this matters, not how many."""
    return product(*((False, True) if number else (False,) for number in unjudged))


def _range(differences: Iterable[int]) -> DifferenceRange:
    values = list(differences)
    return DifferenceRange(min(values), max(values))
