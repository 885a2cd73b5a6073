"""SQLite's full-text index FTS5 itself, as Python brings it: whole files, any of the words, its own bm25()."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from memeval.memory.document import Document
from memeval.retrieval.base import Hit, Retriever, Settings, Variant, rank_hits
from memeval.retrieval.cut import MAX_EXCERPT_BYTES, Cut, Pipeline
from memeval.retrieval.fulltext import TRIGRAM, UNICODE61, FullText, quote_term
from memeval.retrieval.tokens import TokenTerms
from memeval.text import split_terms


class FullTextRanking:
    """Documents by FTS5's rank of their text for any of the words of a query, each a phrase, split at white space."""

    def __init__(self, documents: Sequence[Document], tokenize: str) -> None:
        ordered = sorted(documents, key=lambda document: document.doc_id)
        self._doc_ids = [document.doc_id for document in ordered]
        self._texts = FullText([(document.text,) for document in ordered], tokenize)

    def rank(self, query: str) -> tuple[Hit, ...]:
        """Every document with one of them, best first."""
        expression = " OR ".join(quote_term(term) for term in split_terms(query.replace("\0", " ")))
        return rank_hits((self._doc_ids[place], -rank) for place, rank in self._texts.match(expression))


def build_fts5(documents: Sequence[Document], settings: Settings, *, tokenize: str) -> Retriever:
    """FTS5 with one of its tokenizers."""
    ranking = FullTextRanking(documents, tokenize)
    return Pipeline(ranking.rank, Cut(documents, TokenTerms(), settings.budget_bytes))


FTS5: tuple[Variant, ...] = tuple(
    Variant(
        name=f"fts5-{tokenize}",
        description=description,
        source="SQLite FTS5, sqlite3 of Python",
        build=partial(build_fts5, tokenize=tokenize),
        configuration={
            "tokenize": tokenize,
            "k1": 1.2,
            "b": 0.75,
            "query": "any word, split at white space, each a phrase",
            "max_excerpt_bytes": MAX_EXCERPT_BYTES,
        },
    )
    for tokenize, description in (
        (UNICODE61, "SQLite's full-text index over whole files: letters and numbers, a run of CJK as one word"),
        (TRIGRAM, "SQLite's full-text index over whole files: substrings of three characters or more"),
    )
)
"""Of Python itself, so that there is nothing to install."""
