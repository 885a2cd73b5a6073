"""Tantivy itself: its BM25 over whole files, in memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from memeval.embedding.base import make_encodable
from memeval.errors import advise_install
from memeval.memory.document import Document
from memeval.retrieval.base import Hit, Retriever, Settings, Variant, rank_hits
from memeval.retrieval.cut import MAX_EXCERPT_BYTES, Cut, Pipeline
from memeval.retrieval.external.systems import System, lack_packages
from memeval.retrieval.tokens import TokenTerms
from memeval.text import split_terms

INSTALL = f"pip install tantivy, or {advise_install('external')}"
_HEAP_BYTES = 15_000_000
"""The least that its writer takes."""


class TantivyRanking:
    """Documents by tantivy's score of their text for any of the words of a query, each a phrase."""

    def __init__(self, documents: Sequence[Document]) -> None:
        import tantivy

        ordered = sorted(documents, key=lambda document: document.doc_id)
        self._doc_ids = [document.doc_id for document in ordered]
        schema = tantivy.SchemaBuilder()
        schema.add_integer_field("place", stored=True)
        schema.add_text_field("text")
        self._index: Any = tantivy.Index(schema.build())
        # One thread, one commit: several would be several segments, in an order of their own.
        writer = self._index.writer(heap_size=_HEAP_BYTES, num_threads=1)
        for place, document in enumerate(ordered):
            writer.add_document(tantivy.Document(place=place, text=make_encodable(document.text)))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher: Any = self._index.searcher()

    def rank(self, query: str) -> tuple[Hit, ...]:
        """Every document with one of them, best first."""
        terms = split_terms(make_encodable(query))
        if not terms or not self._doc_ids:
            return ()
        parsed = self._index.parse_query(" ".join(map(quote_term, terms)), ["text"])
        found = self._searcher.search(parsed, len(self._doc_ids)).hits
        return rank_hits((self._doc_ids[self._searcher.doc(address)["place"][0]], score) for score, address in found)


def quote_term(term: str) -> str:
    """The term as a string of tantivy's query language: a phrase of the tokens it holds."""
    return '"' + term.replace("\\", "\\\\").replace('"', '\\"') + '"'


def build_tantivy(documents: Sequence[Document], settings: Settings) -> Retriever:
    """Tantivy over these documents."""
    return Pipeline(TantivyRanking(documents).rank, Cut(documents, TokenTerms(), settings.budget_bytes))


TANTIVY = System(
    Variant(
        name="tantivy",
        description="tantivy itself: BM25 over whole files; a run of CJK is one word",
        source="tantivy, its Python package",
        build=build_tantivy,
        configuration={
            "tokenizer": "default",
            "k1": 1.2,
            "b": 0.75,
            "query": "any word, split at white space, each a phrase",
            "max_excerpt_bytes": MAX_EXCERPT_BYTES,
        },
    ),
    partial(lack_packages, ("tantivy",), INSTALL),
)
