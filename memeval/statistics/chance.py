"""What a shuffled order would find, so that a figure of a small store can be read like one of a large store."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple


class Chance(NamedTuple):
    """What one query gets by chance, and the most it can get."""

    expected: float
    ceiling: float = 1.0


def success_by_chance(documents: int, relevant: int, k: int) -> Chance:
    """The chance that one of g relevant documents is among k drawn from N: 1 - C(N - g, k) / C(N, k).

    1 where k or fewer documents are searched, 0 for k = 0, as where nothing was shown.

    Raises:
        ValueError: a number of relevant documents or a cutoff that cannot be.
    """
    _check(documents, relevant, k)
    drawn = min(k, documents)
    return Chance(1 - math.comb(documents - relevant, drawn) / math.comb(documents, drawn))


def recall_by_chance(documents: int, relevant: int, k: int) -> Chance:
    """The recall of k documents drawn from N, k / N, with the ceiling min(1, k / g).

    Raises:
        ValueError: a number of relevant documents or a cutoff that cannot be.
    """
    _check(documents, relevant, k)
    return Chance(min(1.0, k / documents), min(1.0, k / relevant))


def adjust_for_chance(scores: Iterable[tuple[float, Chance]]) -> float | None:
    """The mean score where 0 is a shuffled order and 1 the best: (sum S - sum c) / (sum of ceilings - sum c).

    Below 0 it is worse than shuffled. None without any score, and where every order is the best: where no more
    documents are searched than the cutoff has places.

    Args:
        scores: (score of a query, what it gets by chance).
    """
    pairs = list(scores)
    expected = math.fsum(chance.expected for _, chance in pairs)
    room = math.fsum(chance.ceiling for _, chance in pairs) - expected
    return (math.fsum(score for score, _ in pairs) - expected) / room if room > 0 else None


def _check(documents: int, relevant: int, k: int) -> None:
    if not 1 <= relevant <= documents or k < 0:
        raise ValueError(f"{relevant} relevant of {documents} documents, cutoff {k}: no query has these")
