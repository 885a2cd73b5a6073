"""qmd without its models: stemmed full text over path, title and body, every word required."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from memeval.memory.document import Document
from memeval.retrieval.base import Hit, Retriever, Settings, Variant, rank_hits
from memeval.retrieval.cut import MAX_EXCERPT_BYTES, Cut, Pipeline
from memeval.retrieval.fulltext import FullText, quote_term
from memeval.retrieval.peers.titles import find_title
from memeval.retrieval.tokens import TokenTerms

TOKENIZER = "porter unicode61"
LIMIT = 5

_WORD = regex.compile(r"[\p{L}\p{N}]+")


class QmdRanking:
    """The five documents with every word of the query, English words by their stem, by SQLite's BM25."""

    def __init__(self, documents: Sequence[Document]) -> None:
        ordered = sorted(documents, key=lambda document: document.doc_id)
        self._doc_ids = [document.doc_id for document in ordered]
        self._index = FullText(
            ((document.doc_id, find_title(document), document.text) for document in ordered), TOKENIZER
        )

    def rank(self, query: str) -> tuple[Hit, ...]:
        """At most five; a word is a run of letters and digits, so that `DEC-0054` is two."""
        expression = " AND ".join(quote_term(word) for word in _WORD.findall(query))
        return rank_hits((self._doc_ids[place], -rank) for place, rank in self._index.match(expression, LIMIT))


def build_qmd(documents: Sequence[Document], settings: Settings) -> Retriever:
    """Lexical search alone."""
    return Pipeline(QmdRanking(documents).rank, Cut(documents, TokenTerms(), settings.budget_bytes))


QMD: tuple[Variant, ...] = (
    Variant(
        name="qmd-lexical",
        description="stemmed full text over path, title and body, every word required; five files",
        source="tobi/qmd, its documentation and issues 417, 617, 976",
        build=build_qmd,
        configuration={"tokenizer": TOKENIZER, "limit": LIMIT, "max_excerpt_bytes": MAX_EXCERPT_BYTES},
    ),
)
