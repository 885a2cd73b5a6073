"""The article that moved its files into a vector store and back: short entries, 70/30, a second look, a hard floor."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from memeval.memory.document import Document
from memeval.retrieval.base import Answer, Retriever, Settings, Variant
from memeval.retrieval.chunking import chunk_by_breaks, make_units, rank_units
from memeval.retrieval.passages import PassageCut
from memeval.retrieval.peers.lancedb_pro import (
    HARD_MIN_SCORE,
    LOOKS,
    SCORING,
    TEXT_WEIGHT,
    VECTOR_WEIGHT,
    TwoSides,
)

MAX_ENTRY_CHARS = 500
TOP_K = 5
"""The article speaks of the first five that are probably relevant."""


class FilesOrVectors:
    """Entries of at most 500 characters; 0.7 * vector + 0.3 * BM25, a side without a hit counts 0; floor 0.35.

    What the article does not say is taken from the plugin it used: how a cosine and a BM25 score become numbers from 0
    to 1, and the second look. Nothing ages, and near-duplicates are not told apart.
    """

    def __init__(self, documents: Sequence[Document], settings: Settings) -> None:
        self._units = make_units(documents, partial(chunk_by_breaks, max_chars=MAX_ENTRY_CHARS, overlap_chars=0))
        self._sides = TwoSides(self._units, settings)
        self._cut = PassageCut({document.doc_id: document for document in documents}, self._units, TOP_K)

    def search(self, query: str) -> Answer:
        """The entries above the floor, five of them shown. A blank query finds nothing."""
        if not query.strip():
            return Answer((), (), "")
        cosines, vectors, texts = self._sides.rank(query)
        fused = rank_units(
            (place, VECTOR_WEIGHT * vectors.get(place, 0.0) + TEXT_WEIGHT * texts.get(place, 0.0))
            for place in sorted(vectors.keys() | texts.keys())
        )[: LOOKS * TOP_K]
        looked = self._sides.look_again(query, fused, cosines, texts)
        return self._cut.show([row for row in looked if row[1] >= HARD_MIN_SCORE])


def build_files_or_vectors(documents: Sequence[Document], settings: Settings) -> Retriever:
    """The vector store of the article; its files are `load-all`."""
    return FilesOrVectors(documents, settings)


FILES_OR_VECTORS: tuple[Variant, ...] = (
    Variant(
        name="files-or-vectors",
        description="entries of 500 characters, 0.7 vector + 0.3 BM25, looked at again, floor 0.35, five shown",
        source="files-or-vectors, the article; its plugin memory-lancedb-pro at f6e63af where it is silent",
        build=build_files_or_vectors,
        configuration={**SCORING, "max_entry_chars": MAX_ENTRY_CHARS, "top_k": TOP_K, "looked_at_again": LOOKS * TOP_K},
        needs_embedder=True,
        takes_reranker=True,
        has_own_cap=True,
    ),
)
