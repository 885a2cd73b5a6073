"""LanceDB itself: its full-text index and vectors over sections, fused by its own ranker."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Sequence
from functools import partial
from typing import Any

from memeval.embedding.base import make_encodable
from memeval.errors import advise_install
from memeval.memory.document import Document
from memeval.retrieval.base import Answer, Settings, Variant
from memeval.retrieval.chunking import chunk_by_headings, make_units, rank_units
from memeval.retrieval.dense import take_embedder
from memeval.retrieval.external.systems import System, lack_packages
from memeval.retrieval.passages import PassageCut
from memeval.retrieval.peers.memsearch import MAX_CHUNK_CHARS, MIN_BODY_CHARS, OVERLAP_LINES

INSTALL = f"pip install lancedb, or {advise_install('external')}"
LIMIT = 10
"""Its default: rows given back, and candidates of each leg."""

_TABLE = "passages"


class LanceDbRetriever:
    """A table of sections with their vectors and a full-text index, asked as `hybrid`; everything else as it comes."""

    def __init__(self, documents: Sequence[Document], settings: Settings) -> None:
        import lancedb
        import pyarrow as pa
        from lancedb.rerankers import RRFReranker

        self._embedder = take_embedder(settings)
        by_headings = partial(
            chunk_by_headings, max_chars=MAX_CHUNK_CHARS, overlap_lines=OVERLAP_LINES, min_chars=MIN_BODY_CHARS
        )
        units = make_units(documents, by_headings)
        self._cut = PassageCut({document.doc_id: document for document in documents}, units, LIMIT)
        self._table: Any = None
        self._reranker = RRFReranker()
        if not units:
            return
        folder = tempfile.mkdtemp(prefix="memeval-lancedb-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        texts = [make_encodable(unit.text) for unit in units]
        vectors = self._embedder.embed_passages(texts)
        columns = {
            "place": pa.array(range(len(texts)), pa.int64()),
            "text": pa.array(texts, pa.string()),
            "vector": pa.array([row.tolist() for row in vectors], pa.list_(pa.float32(), self._embedder.dimension)),
        }
        self._table = lancedb.connect(folder).create_table(_TABLE, pa.table(columns))
        self._table.create_fts_index("text")

    def search(self, query: str) -> Answer:
        """The files of the rows it gives back, and these; nothing for a blank query, which its full text refuses."""
        text = make_encodable(query)
        if self._table is None or not text.strip():
            return Answer((), (), "")
        vector = self._embedder.embed_queries([text])[0].tolist()
        asked = self._table.search(query_type="hybrid").vector(vector).text(text)
        rows = asked.distance_type("cosine").rerank(self._reranker).limit(LIMIT).to_list()
        return self._cut.show(rank_units((row["place"], float(row["_relevance_score"])) for row in rows))


LANCEDB = System(
    Variant(
        name="lancedb",
        description="LanceDB itself: sections by its full text and vectors, fused by its ranker; ten whole",
        source="lancedb, its Python package",
        build=LanceDbRetriever,
        configuration={
            "max_chunk_chars": MAX_CHUNK_CHARS,
            "overlap_lines": OVERLAP_LINES,
            "min_body_chars": MIN_BODY_CHARS,
            "full_text": "its defaults: English stems and stop words",
            "fusion": "RRFReranker",
            "limit": LIMIT,
            "shown": "sections whole",
            "numbers_from": "sections as memsearch cuts them, since it brings no rule; the rest its defaults",
        },
        needs_embedder=True,
        always_answers=True,
        has_own_cap=True,
    ),
    partial(lack_packages, ("lancedb", "pyarrow"), INSTALL),
)
