"""Documents by meaning: their passages as vectors, and which of them are near to a query."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from memeval.embedding.background import BACKGROUND, SENTENCES
from memeval.embedding.base import Embedder, check_vectors
from memeval.embedding.bm25 import TermCounts, TextCounts, score_passages
from memeval.embedding.fusion import LEAST_NEARNESS, fuse_ranks
from memeval.embedding.kept import share_vectors
from memeval.embedding.nearness import CROWD_SHARE, NOISE_SHARE, blend_topics, calibrate, measure_noise
from memeval.embedding.passages import Passage, Source, cut_document
from memeval.embedding.scripts import has_cjk

if TYPE_CHECKING:
    from memeval.embedding.base import Vectors

_DIGITS = 6
"""A row's last bits differ with its place in a matrix product, and from one machine to the next; ties must not."""


@dataclass(frozen=True, slots=True)
class NearPassage:
    """The passage of a document that is nearest to a query."""

    doc_id: str
    nearness: float
    """0 = at the floor, 1 = certain; see `nearness.py`."""
    first_line: int
    """From 1."""
    last_line: int
    """Inclusive."""
    text: str
    """As the model read it: file name and headings, then the text."""


class VectorIndex:
    """One fixed set of documents, embedded. It answers from exactly the texts it was given.

    Args:
        documents: each doc_id once.
        embedder: the model; one that keeps vectors is asked for no text twice.
        passages: {doc_id: passages} of documents that are cut already; of the others it cuts the text.
        terms: tokens of the passages, in the order of documents, that are counted already; None = it counts them.
    """

    def __init__(
        self,
        documents: Sequence[Source],
        embedder: Embedder,
        passages: Mapping[str, Sequence[Passage]] | None = None,
        terms: TermCounts | None = None,
    ) -> None:
        cut = passages or {}
        by_document = [(one.doc_id, cut[one.doc_id] if one.doc_id in cut else cut_document(one)) for one in documents]
        filled = [(doc_id, passages) for doc_id, passages in by_document if passages]
        self._embedder = share_vectors(embedder)
        self._doc_ids = [doc_id for doc_id, _ in filled]
        self._passages = [passage for _, passages in filled for passage in passages]
        self._bounds = list(accumulate((len(passages) for _, passages in filled), initial=0))
        self._terms = terms or TextCounts(passage.text for passage in self._passages)
        self._question: tuple[str, Vectors] | None = None
        if not self._passages:
            return

        self._vectors = self._embedder.embed_passages([passage.text for passage in self._passages])
        self._background = self._embedder.embed_passages(BACKGROUND)
        self._blended, self._crowd = blend_topics(self._vectors, self._bounds[:-1])
        self.calibration = self._embedder.calibration or calibrate(
            self._embedder.recall_queries(SENTENCES), self._background, self._blended, self._crowd
        )

    def search(self, query: str, least: float = LEAST_NEARNESS) -> tuple[NearPassage, ...]:
        """The nearest passage of each document, nearest first; documents below `least` are left out.

        Nothing for a blank query, nor for one with CJK letters that the model does not read. Equal nearness stands by
        doc_id.
        """
        if not self._is_readable(query):
            return ()
        import numpy as np

        question = self._embed_question(query)
        closeness = (self._blended @ question[0]) - CROWD_SHARE * self._crowd
        closeness = (closeness - NOISE_SHARE * measure_noise(question, self._background)[0]).round(_DIGITS)
        found = []
        for document, best in enumerate(np.maximum.reduceat(closeness, self._bounds[:-1]).tolist()):
            nearness = round(self.calibration.scale(best), _DIGITS)
            if nearness >= least:
                start, end = self._bounds[document : document + 2]
                passage = self._passages[start + int(np.argmax(closeness[start:end]))]
                doc_id = self._doc_ids[document]
                found.append(NearPassage(doc_id, nearness, passage.first_line, passage.last_line, passage.text))
        return tuple(sorted(found, key=lambda passage: (-passage.nearness, passage.doc_id)))

    def rank_cosines(self, query: str) -> list[tuple[str, float]]:
        """(doc_id, highest cosine of its passages) of every document that has one, best first.

        Nothing for a blank query, nor for one with CJK letters that the model does not read.
        """
        if not self._is_readable(query):
            return []
        import numpy as np

        cosines = (self._vectors @ self._embed_question(query)[0]).round(_DIGITS)
        best = np.maximum.reduceat(cosines, self._bounds[:-1]).astype(float).round(_DIGITS).tolist()
        return _order(zip(self._doc_ids, best, strict=True))

    def rank_terms(self, query: str) -> list[tuple[str, float]]:
        """(doc_id, highest BM25 of its passages) of every document that holds a token of the query, best first."""
        best: dict[str, float] = {}
        for number, score in score_passages(query, self._terms).items():
            doc_id = self._doc_ids[bisect_right(self._bounds, number) - 1]
            best[doc_id] = max(best.get(doc_id, 0.0), score)
        return _order(best.items())

    def _is_readable(self, query: str) -> bool:
        return bool(query.strip() and self._passages) and (self.calibration.reads_cjk or not has_cjk(query))

    def _embed_question(self, query: str) -> Vectors:
        question = self._question  # another thread may ask meanwhile
        if question is None or question[0] != query:
            rows = self._embedder.embed_queries([query])
            question = query, check_vectors(rows, (1, self._vectors.shape[1]), self._embedder.identity)
            self._question = question
        return question[1]


def rank_by_ranks(query: str, index: VectorIndex) -> list[tuple[str, float]]:
    """(doc_id, score) by reciprocal rank fusion of BM25 and cosines, best first: the plain hybrid, without a gate.

    Every document that has text is in it, whatever is asked, since a cosine has no floor. Where there are no cosines,
    the order is that of BM25.
    """
    terms, cosines = index.rank_terms(query), index.rank_cosines(query)
    return fuse_ranks([[doc_id for doc_id, _ in ranking] for ranking in (terms, cosines)])


def _order(scores: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    return sorted(scores, key=lambda item: (-item[1], item[0]))
