"""Fusion of legs: by rank alone, and by a formula over their scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memeval.retrieval.chunking import Scored, rank_units


def fuse_ranks(legs: Sequence[Scored], *, k: int, limit: int | None = None) -> list[tuple[int, float]]:
    """(place, score) of every unit that a leg ranks, best first, at most `limit` of them.

    score = sum over the legs that rank it of (k + 1) / (k + rank), over the number of legs: reciprocal rank fusion,
    brought to 1 for a unit that every leg ranks first. Ranks count from 1. Source: Cormack et al., SIGIR 2009.
    """
    scores: dict[int, float] = {}
    for leg in legs:
        for rank, (place, _) in enumerate(leg, start=1):
            scores[place] = scores.get(place, 0.0) + (k + 1) / (k + rank) / len(legs)
    return rank_units(scores.items(), limit)


Combine = Callable[[float, float], float]
"""(vector score, text score) -> score."""


def fuse_scores(dense: Scored, lexical: Scored, combine: Combine) -> list[tuple[int, float]]:
    """(place, score) of each unit that one of two legs found, by place; a side that did not find it counts 0."""
    vectors, texts = dict(dense), dict(lexical)
    places = sorted(vectors.keys() | texts.keys())
    return [(place, combine(vectors.get(place, 0.0), texts.get(place, 0.0))) for place in places]
