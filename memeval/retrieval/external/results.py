"""What a system from outside gave back, as an answer: files in its order, and its own words or an excerpt of ours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from memeval.errors import ContractError
from memeval.memory.document import Document
from memeval.retrieval.base import Answer, Block, Hit
from memeval.retrieval.cut import Cut, fit_blocks
from memeval.retrieval.tokens import TokenTerms
from memeval.text import CLIPPED


@dataclass(frozen=True, slots=True)
class Result:
    """One thing found: a file, or a part of one."""

    doc_id: str
    score: float | None = None
    """Higher is better; None where the system gives none."""
    text: str | None = None
    """What the system shows of it; None where it names the file alone."""


def score_files(results: Sequence[Result]) -> tuple[Hit, ...]:
    """The files in the order of their first result, each with the score of it.

    Where any result has no score, the files score n, n - 1, … 1: the order is all that is known.

    Raises:
        ContractError: a score is not finite, or rises.
    """
    first: dict[str, float | None] = {}
    previous = math.inf
    has_scores = all(result.score is not None for result in results)
    for rank, result in enumerate(results, start=1):
        first.setdefault(result.doc_id, result.score)
        if not has_scores or result.score is None:
            continue
        if not math.isfinite(result.score) or result.score > previous:
            raise ContractError(
                f"result {rank}: score {result.score!r} of {result.doc_id!r} after {previous!r}; "
                "scores are finite, the best one first, and higher is better"
            )
        previous = result.score
    if has_scores:
        return tuple(Hit(doc_id, score) for doc_id, score in first.items() if score is not None)
    return tuple(Hit(doc_id, float(len(first) - place)) for place, doc_id in enumerate(first))


class ResultCut:
    """Results as an answer under a byte budget.

    What the system shows of a file stands under its path, several parts with a line `…` between them; of a file that
    it only names, the line with most words of the query is shown, as for a ranking of ours.
    """

    def __init__(self, documents: Sequence[Document], budget_bytes: int) -> None:
        self._paths = {document.doc_id: document.path for document in documents}
        self._budget_bytes = budget_bytes
        self._cut = Cut(documents, TokenTerms(), budget_bytes)

    def show(self, query: str, results: Sequence[Result]) -> Answer:
        """The files and what is displayed of them. Raises ContractError for scores that are none."""
        hits = score_files(results)
        texts: dict[str, list[str]] = {}
        for result in results:
            texts.setdefault(result.doc_id, []).extend([] if result.text is None else [result.text])
        if not any(texts.values()):
            return self._cut.show(query, hits)
        return fit_blocks(hits, (self._show_file(hit.doc_id, texts[hit.doc_id]) for hit in hits), self._budget_bytes)

    def _show_file(self, doc_id: str, texts: Sequence[str]) -> Block:
        path = self._paths[doc_id]
        snippet = f"\n{CLIPPED}\n".join(dict.fromkeys(texts))
        return Block(doc_id, f"{path}\n{snippet}" if snippet else path, heading=path)
