"""The first of a ranking in the order of a model that reads query and passage together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memeval.embedding.base import Reranker

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
    """
    head = [doc_id for doc_id, _ in ranking[:depth] if doc_id in passages]
    scores = dict(zip(head, reranker.score(query, [passages[doc_id] for doc_id in head]), strict=True))
    ordered = sorted(head, key=lambda doc_id: -scores[doc_id])  # stable: equal scores keep the order they had
    ordered += [doc_id for doc_id, _ in ranking if doc_id not in scores]
    return [(doc_id, float(len(ordered) - place)) for place, doc_id in enumerate(ordered)]
