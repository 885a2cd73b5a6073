"""The first of a ranking in the order of a model that reads query and passage together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import SupportsFloat

from memeval.embedding.base import Reranker
from memeval.errors import EmbeddingError
from memeval.text import count

DEPTH = 20
"""Documents read again: each costs one run of the model."""


def rerank(
    query: str,
    ranking: Sequence[tuple[str, float]],
    passages: Mapping[str, str],
    reranker: Reranker,
    depth: int = DEPTH,
) -> list[tuple[str, float]]:
    """(doc_id, n - rank + 1) of the same documents: the first `depth` by the model's score, the others behind them.

    Args:
        query: what was asked.
        ranking: (doc_id, score), best first.
        passages: {doc_id: what the model reads of it}; a document without one keeps its place behind those that have.
        reranker: the model.
        depth: how many of the ranking are read again.

    Raises:
        EmbeddingError: the model does not give one finite number for each passage.
    """
    head = [doc_id for doc_id, _ in ranking[:depth] if doc_id in passages]
    scores = dict(zip(head, ask_reranker(reranker, query, [passages[doc_id] for doc_id in head]), strict=True))
    ordered = sorted(head, key=lambda doc_id: -scores[doc_id])  # stable: equal scores keep the order they had
    ordered += [doc_id for doc_id, _ in ranking if doc_id not in scores]
    return [(doc_id, float(len(ordered) - place)) for place, doc_id in enumerate(ordered)]


def ask_reranker(reranker: Reranker, query: str, passages: Sequence[str]) -> list[float]:
    """One finite score for each passage; the model is not asked about none.

    Raises:
        EmbeddingError: it gives anything else.
    """
    answer = reranker.score(query, list(passages)) if passages else []
    scores = list(answer) if isinstance(answer, Iterable) else [answer]
    wrong = [score for score in scores if not _is_finite(score)]
    if wrong or len(scores) != len(passages):
        given = f"the score {wrong[0]!r}" if wrong else count(len(scores), "score")
        raise EmbeddingError(
            f"the reranker {reranker.identity!r} gave {given} for {count(len(passages), 'passage')}; "
            "expected is one finite number for each"
        )
    return [float(score) for score in scores]


def _is_finite(score: object) -> bool:
    try:
        return isinstance(score, SupportsFloat) and isfinite(score)
    except (TypeError, ValueError, OverflowError):  # an array of several numbers, a whole number beyond all floats
        return False
