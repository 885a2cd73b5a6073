"""Vectors that were made already: from memory, from a file, and only then from the model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from memeval.embedding.base import Embedder, check_dimension, check_embedder, check_vectors
from memeval.embedding.indexfile import IndexFile, digest_text
from memeval.embedding.nearness import Calibration

if TYPE_CHECKING:
    from memeval.embedding.base import Vectors

_BATCH = 128
"""Vectors written at once: what is interrupted goes on where it was."""
_QUERY = "query\0"
"""Stands before a text whose vector is that of a query, in what is digested."""


class KeptEmbedder:
    """An Embedder that gives another one's vectors, bit by bit, and asks it for no text twice.

    Args:
        embedder: the model.
        file: where vectors are kept from one process to the next; None = they are not. Of the last ones, fewer than
            128, it knows after `flush`.
        keeps_queries: whether a query is embedded once as well. Its time is then that of the model the first time only.
    """

    def __init__(self, embedder: Embedder, file: IndexFile | None = None, *, keeps_queries: bool = False) -> None:
        self.identity = embedder.identity  # asked once: of a model on disk it is a digest of its weights
        self._embedder = embedder
        self._file = file
        self._keeps_queries = keeps_queries
        self._kept: dict[bytes, Vectors] = {}
        self._unwritten: dict[bytes, bytes] = {}

    @cached_property
    def dimension(self) -> int:
        """The model's."""
        return check_dimension(self._embedder.dimension, self.identity)

    @property
    def calibration(self) -> Calibration | None:
        """The model's."""
        return self._embedder.calibration

    @property
    def problem(self) -> str | None:
        """Why the file does not keep them, in a few words; None as long as it does, or where there is none."""
        return self._file.problem if self._file else None

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One row for each query, in order."""
        return self.recall_queries(texts) if self._keeps_queries else self._embedder.embed_queries(texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One row for each passage, in order."""
        return self._recall(texts, [digest_text(text) for text in texts], self._embedder.embed_passages)

    def recall_queries(self, texts: Sequence[str]) -> Vectors:
        """One row for each query, in order, kept whatever `keeps_queries` says: of texts that nobody asked."""
        return self._recall(texts, [digest_query(text) for text in texts], self._embedder.embed_queries)

    def flush(self) -> None:
        """Write what the file has not got yet."""
        if self._file is not None and self._unwritten:
            self._file.write_vectors(self._unwritten)
            self._unwritten = {}

    def _recall(
        self, texts: Sequence[str], digests: Sequence[bytes], embed: Callable[[Sequence[str]], Vectors]
    ) -> Vectors:
        import numpy as np

        dimension = self.dimension
        if not texts:
            return np.zeros((0, dimension), dtype=np.float32)
        lacking = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in self._kept}
        if self._file is not None and lacking:
            for digest, data in self._file.read_vectors(lacking).items():
                if len(data) == 4 * dimension:
                    self._kept[digest] = np.frombuffer(data, dtype="<f4").astype(np.float32)
                    del lacking[digest]
        for batch in _batch(list(lacking.items())):
            rows = check_vectors(embed([text for _, text in batch]), (len(batch), dimension), self.identity)
            self._kept |= zip((digest for digest, _ in batch), rows, strict=True)
            if self._file is not None:
                self._unwritten |= {digest: self._kept[digest].astype("<f4").tobytes() for digest, _ in batch}
                if len(self._unwritten) >= _BATCH:
                    self.flush()
        return np.stack([self._kept[digest] for digest in digests])


def share_vectors(embedder: Embedder) -> KeptEmbedder:
    """The embedder as one that is asked for no passage twice, by whomever it is shared; itself where it is one."""
    return embedder if isinstance(embedder, KeptEmbedder) else KeptEmbedder(embedder)


def digest_query(text: str) -> bytes:
    """What the vector of a query is kept under, which is not that of the same text as a passage."""
    return digest_text(_QUERY + text)


def keep_vectors(embedder: Embedder, folder: Path) -> KeptEmbedder:
    """The embedder with its vectors, those of queries too, kept in a file of its own below a folder, which is made.

    Raises:
        OSError: the folder cannot be made.
        EmbeddingError: it is no Embedder.
    """
    check_embedder(embedder)
    folder.mkdir(parents=True, exist_ok=True)
    name = hashlib.sha256(embedder.identity.encode()).hexdigest()[:16]
    return KeptEmbedder(embedder, IndexFile(folder / f"vectors-{name}.sqlite", embedder.identity), keeps_queries=True)


def _batch(items: list[tuple[bytes, str]]) -> Iterator[list[tuple[bytes, str]]]:
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]
