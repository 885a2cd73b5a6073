"""memsearch itself, its package on Milvus Lite, with the embedder of the run among its providers."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memeval.embedding.base import make_encodable
from memeval.errors import ContractError, ExternalSystemError, advise_install
from memeval.memory.document import Document
from memeval.retrieval.base import Answer, Settings, Variant
from memeval.retrieval.chunking import Piece, Unit
from memeval.retrieval.dense import take_embedder
from memeval.retrieval.external.storefolder import StoreFolder
from memeval.retrieval.external.systems import System, lack_packages
from memeval.retrieval.passages import PassageCut
from memeval.retrieval.peers.memsearch import TOP_K

if TYPE_CHECKING:
    from memeval.embedding.base import Embedder

INSTALL = f"pip install memsearch, or {advise_install('external')}"
PROVIDER = "memeval"
BATCH_SIZE = 32

_plugged: dict[str, Embedder] = {}
"""{identity: embedder}: what memsearch makes a provider of, it makes by name."""


class Provider:
    """An embedder as memsearch takes one: texts and queries are embedded alike, which is its rule."""

    def __init__(self, model: str, *, batch_size: int = 0) -> None:
        self._embedder = _plugged[model]
        self.batch_size = batch_size or BATCH_SIZE

    @property
    def model_name(self) -> str:
        """The identity of the embedder."""
        return self._embedder.identity

    @property
    def dimension(self) -> int:
        """Numbers in one vector."""
        return self._embedder.dimension

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """One vector for each text, in order."""
        return [[float(number) for number in row] for row in self._embedder.embed_passages(texts)]


class RealMemSearch:
    """`MemSearch.index` over the files, and then `MemSearch.search` with the five results of its command line.

    Raises:
        ExternalSystemError: it could not index a file.
    """

    def __init__(self, documents: Sequence[Document], settings: Settings) -> None:
        from memsearch import MemSearch
        from memsearch.embeddings import _PROVIDERS

        embedder = take_embedder(settings)
        _plugged[embedder.identity] = embedder
        _PROVIDERS[PROVIDER] = (__name__, Provider.__name__)
        self._documents = {document.doc_id: document for document in documents}
        self._folder = StoreFolder(documents)
        database = tempfile.mkdtemp(prefix="memeval-milvus-")
        self._engine: Any = MemSearch(
            # File by file: below a folder it passes over names that begin with a dot, as a store of its own may.
            paths=[self._folder.path / name for name in self._folder.names],
            embedding_provider=PROVIDER,
            embedding_model=embedder.identity,
            milvus_uri=str(Path(database) / "milvus.db"),
        )
        weakref.finalize(self, _close, self._engine, database)
        report = _run(self._engine.index_with_report())
        if report.failed_files:
            failure = report.failed_files[0]
            raise ExternalSystemError(f"memsearch cannot index {self._folder.shorten(failure.path)}: {failure.error}")

    def search(self, query: str) -> Answer:
        """The files of the five chunks, and these."""
        found = self.find(query)
        units = [unit for unit, _ in found]
        scored = [(place, score) for place, (_, score) in enumerate(found)]
        return PassageCut(self._documents, units, TOP_K).show(scored)

    def find(self, query: str) -> list[tuple[Unit, float]]:
        """The chunks it gives back, with its scores, best first."""
        found = _run(self._engine.search(make_encodable(query), top_k=TOP_K))
        return [(self._make_unit(row), float(row["score"])) for row in found]

    def _make_unit(self, row: dict[str, Any]) -> Unit:
        doc_id = self._folder.find(row["source"])
        if doc_id is None:
            raise ContractError(f"{row['source']!r} is not a document of this corpus")
        piece = Piece(row["content"], row["start_line"], row["end_line"], row["heading"], row["heading_level"])
        return Unit(doc_id, piece)


def _run(coroutine: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401 - what its interface gives back
    """What the coroutine gives back, run beside any loop that is running here, as in a notebook."""
    import asyncio

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def _close(engine: Any, database: str) -> None:  # noqa: ANN401
    engine.close()
    shutil.rmtree(database, ignore_errors=True)


MEMSEARCH_REAL = System(
    Variant(
        name="memsearch-real",
        description="memsearch itself, on Milvus Lite, with the run's embedding model",
        source="memsearch, its Python package",
        build=RealMemSearch,
        configuration={"top_k": TOP_K, "batch_size": BATCH_SIZE, "shown": "chunks whole"},
        needs_embedder=True,
        always_answers=True,
        has_own_cap=True,
    ),
    partial(lack_packages, ("memsearch", "milvus_lite"), INSTALL),
)
