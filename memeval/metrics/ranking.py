"""Ranking metrics as trec_eval defines them, per query. They see ids and grades, never a score or a text.

`ranked` holds doc_ids, best first; `grades` maps the judged doc_ids to a grade; relevant = grade >= 1. A doc_id
that comes back twice counts where it stands first, and its repeat uses up a place. Without a relevant document every
metric but `judged_at` is undefined and returns None: it is left out of a mean, never counted as 0 or 1. A cutoff
below 1 raises ValueError.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence


def relevant_ids(grades: Mapping[str, int]) -> frozenset[str]:
    """The doc_ids with a grade of 1 or more."""
    return frozenset(doc_id for doc_id, grade in grades.items() if grade >= 1)


def success_at(ranked: Sequence[str], grades: Mapping[str, int], k: int) -> float | None:
    """1.0 when a relevant document stands in the first k places, else 0.0 (trec_eval success)."""
    top, relevant = _top(ranked, k), relevant_ids(grades)
    return float(not relevant.isdisjoint(top)) if relevant else None


def recall_at(ranked: Sequence[str], grades: Mapping[str, int], k: int) -> float | None:
    """Share of the relevant documents that stand in the first k places, in [0, 1] (trec_eval recall)."""
    top, relevant = _top(ranked, k), relevant_ids(grades)
    return len(relevant.intersection(top)) / len(relevant) if relevant else None


def full_recall_at(ranked: Sequence[str], grades: Mapping[str, int], k: int) -> float | None:
    """1.0 when every relevant document stands in the first k places, else 0.0 (LongMemEval recall_all)."""
    top, relevant = _top(ranked, k), relevant_ids(grades)
    return float(relevant.issubset(top)) if relevant else None


def precision_at(ranked: Sequence[str], grades: Mapping[str, int], k: int) -> float | None:
    """Share of k places that hold a relevant document, in [0, 1] (trec_eval P).

    A ranking shorter than k is divided by k all the same.
    """
    top, relevant = _top(ranked, k), relevant_ids(grades)
    return len(relevant.intersection(top)) / k if relevant else None


def reciprocal_rank(ranked: Sequence[str], grades: Mapping[str, int]) -> float | None:
    """1 / rank of the first relevant document, 0.0 when none is ranked (trec_eval recip_rank).

    Its mean over queries is the mrr.
    """
    relevant = relevant_ids(grades)
    rank = next((rank for rank, doc_id in enumerate(ranked, start=1) if doc_id in relevant), None)
    return invert_rank(rank) if relevant else None


def invert_rank(rank: int | None) -> float:
    """1 / rank, 0.0 without a rank: the reciprocal rank of a first relevant document whose rank is known."""
    return 0.0 if rank is None else 1 / rank


def ndcg_at(ranked: Sequence[str], grades: Mapping[str, int], k: int) -> float | None:
    """Discounted cumulative gain over its ideal, in [0, 1] (trec_eval ndcg_cut).

    The gain is the grade itself, the discount log2(rank + 1); the ideal ranks all judged documents by grade.
    """
    top = _top(ranked, k)
    best = sorted((grade for grade in grades.values() if grade >= 1), reverse=True)
    if not best:
        return None
    gained = math.fsum(max(0, grades.get(d, 0)) / math.log2(rank + 1) for d, rank in _first_ranks(top).items())
    ideal = math.fsum(grade / math.log2(rank + 1) for rank, grade in enumerate(best[:k], start=1))
    return gained / ideal


def judged_at(ranked: Sequence[str], grades: Mapping[str, int], k: int) -> float | None:
    """Share of the first k places whose document has a grade, 0 included, in [0, 1] (ir_measures Judged).

    A ranking shorter than k is divided by its own length. None when nothing is ranked or nothing is judged.
    """
    top = _top(ranked, k)
    if not top or not grades:
        return None
    return sum(doc_id in grades for doc_id in top) / len(top)


def _top(ranked: Sequence[str], k: int) -> Sequence[str]:
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k!r}")
    return ranked[:k]


def _first_ranks(ranked: Sequence[str]) -> dict[str, int]:
    ranks: dict[str, int] = {}
    for rank, doc_id in enumerate(ranked, start=1):
        ranks.setdefault(doc_id, rank)
    return ranks
