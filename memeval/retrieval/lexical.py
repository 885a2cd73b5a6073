"""Lexical legs: BM25 over tokens, and one literal over lines."""

from __future__ import annotations

import logging
from collections.abc import Callable, Container, Iterable, Sequence
from typing import TYPE_CHECKING

from memeval.memory.document import Document
from memeval.retrieval.base import Hit, rank_hits
from memeval.retrieval.tokens import tokenise
from memeval.text import WHITE_SPACE, fold, split_lines

if TYPE_CHECKING:
    from bm25s import BM25

BM25_K1 = 1.5
BM25_B = 0.75


class Bm25Index:
    """BM25 in Lucene's form over texts.

    score = sum over the tokens of the query, a repeated one counted each time, of
    ln(1 + (N - df + 0.5) / (df + 0.5)) * tf / (tf + k1 * (1 - b + b * length / mean length)); above 0.
    Source: Kamphuis et al., ECIR 2020, "Lucene (accurate)"; computed by bm25s.

    Scores are double precision. The default of bm25s, single precision, rounds differently from one NumPy generation
    to the next. What is left is the logarithm of the C library: two scores that differ in the last bit may come in
    another order on another platform; equal term statistics give equal scores everywhere and fall to the tie rule.

    Args:
        texts: what is searched.
        split: a text, or a query -> its tokens in order, repeats kept.
        k1: how much a repeated token adds.
        b: how much a long text costs, from 0 to 1.
    """

    def __init__(
        self,
        texts: Iterable[str],
        split: Callable[[str], Sequence[str]] = tokenise,
        *,
        k1: float = BM25_K1,
        b: float = BM25_B,
    ) -> None:
        self._split = split
        self._vocabulary: dict[str, int] = {}
        ids = self._vocabulary
        rows = [[ids.setdefault(token, len(ids)) for token in split(text)] for text in texts]
        self._index = _build_index(rows, self._vocabulary, k1, b) if self._vocabulary else None

    def score(self, query: str) -> list[tuple[int, float]]:
        """(place of a text, score) of every text with a token of the query, by place."""
        tokens = [self._vocabulary[token] for token in self._split(query) if token in self._vocabulary]
        if self._index is None or not tokens:
            return []
        scores = self._index.get_scores_from_ids(tokens)
        candidates = scores.nonzero()[0]
        return list(zip(candidates.tolist(), scores[candidates].tolist(), strict=True))


class Bm25Ranking:
    """Documents by the BM25 of their texts; those without a token of the query are not ranked."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._doc_ids = [document.doc_id for document in documents]
        self._index = Bm25Index(document.text for document in documents)

    def rank(self, query: str) -> tuple[Hit, ...]:
        """Every document with a token of the query, best first."""
        return rank_hits((self._doc_ids[place], score) for place, score in self._index.score(query))


def _build_index(texts: list[list[int]], vocabulary: dict[str, int], k1: float, b: float) -> BM25:
    import bm25s

    # bm25s opens its logger for debugging, so that a program which logs would repeat its steps.
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    # The backend is named, so that an installed numba changes nothing.
    index = bm25s.BM25(method="lucene", k1=k1, b=b, dtype="float64", backend="numpy")
    index.index((texts, dict(vocabulary)), show_progress=False)  # a copy: it adds a token of its own
    return index


class LiteralTerms:
    """A query's one term is its whole text, stripped of white space and case-folded; a blank query has none."""

    def of_query(self, query: str) -> tuple[str, ...]:
        """The folded literal, or nothing."""
        literal = fold(query.strip(WHITE_SPACE))
        return (literal,) if literal else ()

    def of_line(self, line: str) -> Container[str]:
        """The folded line, which holds its substrings."""
        return fold(line)

    def locate_first(self, line: str, terms: frozenset[str]) -> tuple[int, int]:
        """(start, end) of the literal in the line; folding keeps every offset."""
        for literal in terms:
            start = fold(line).find(literal)
            if start >= 0:
                return start, start + len(literal)
        return 0, 0


class LiteralRanking:
    """Documents by the number of lines that hold the whole query as one literal, whatever the case.

    Case is Unicode simple folding; lines end at line feeds only, so that a query over two lines matches nothing.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._texts = {document.doc_id: fold(document.text) for document in documents}

    def rank(self, query: str) -> tuple[Hit, ...]:
        """Every document with a matching line, best first."""
        terms = LiteralTerms().of_query(query)
        if not terms:
            return ()
        counts = (
            (doc_id, float(sum(terms[0] in line for line in split_lines(text))))
            for doc_id, text in self._texts.items()
            if terms[0] in text
        )
        return rank_hits((doc_id, count) for doc_id, count in counts if count)
