"""Documents by meaning: their passages as vectors, and which of them are near to a query."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from memeval.embedding.background import BACKGROUND, SENTENCES
from memeval.embedding.base import Embedder, check_vectors
from memeval.embedding.chunks import chunk_markdown
from memeval.embedding.fusion import LEAST_NEARNESS, fuse_gated
from memeval.embedding.nearness import CROWD_SHARE, NOISE_SHARE, calibrate, measure_crowd, measure_noise
from memeval.embedding.scripts import has_cjk
from memeval.embedding.vectorfile import VectorFile, digest_passage

if TYPE_CHECKING:
    from memeval.embedding.base import Vectors

_DIGITS = 6
"""A row's last bits differ with its place in a matrix product, and from one machine to the next; ties must not."""
_BATCH = 128
"""Vectors written at once: an index that is interrupted goes on where it was."""
_QUERY = "query\0"
"""Stands before a text whose vector is that of a query, in what is digested."""


class Source(Protocol):
    """What an index sees of a document."""

    @property
    def doc_id(self) -> str:
        """Which one it is."""
        ...

    @property
    def name(self) -> str:
        """Its file name; part of what is embedded."""
        ...

    @property
    def text(self) -> str:
        """All of it."""
        ...


@dataclass(frozen=True, slots=True)
class Passage:
    """The part of a document that is nearest to a query."""

    doc_id: str
    nearness: float
    """0 = at the floor, 1 = certain; see `nearness.py`."""
    first_line: int
    """From 1."""
    last_line: int
    """Inclusive."""
    text: str
    """As the model read it: file name and headings, then the text."""


@dataclass(frozen=True, slots=True)
class _Part:
    place: int
    """Number of its document."""
    first_line: int
    last_line: int
    text: str


class VectorIndex:
    """One fixed set of documents, embedded. It answers from exactly the texts it was given.

    Args:
        documents: each doc_id once.
        embedder: gives the vectors of what is not kept yet.
        file: where vectors are kept from one process to the next; None = they are not.
        is_gone: for a file that stands beside a store: whether a document that is not given does no longer exist, so
            that its vectors may go; None = the file keeps everything.
    """

    def __init__(
        self,
        documents: Sequence[Source],
        embedder: Embedder,
        file: VectorFile | None = None,
        is_gone: Callable[[str], bool] | None = None,
    ) -> None:
        self._embedder = embedder
        self._doc_ids = [document.doc_id for document in documents]
        self._parts = list(_split(documents))
        self._question: tuple[str, Vectors] | None = None
        if not self._parts:
            return

        vectors = _Vectors(embedder, file)
        self._vectors = vectors.collect([part.text for part in self._parts])
        self._background = vectors.collect(BACKGROUND)
        self._crowd = measure_crowd(self._vectors)
        self.calibration = embedder.calibration or calibrate(
            vectors.collect(SENTENCES, as_queries=True), self._background, self._vectors, self._crowd
        )
        if is_gone is not None:
            vectors.forget_unneeded(self._list_needs(), is_gone)
        self._starts = [0, *(number for number in range(1, len(self._parts)) if self._begins(number))]
        self._ends = [*self._starts, len(self._parts)]

    def search(self, query: str, least: float = LEAST_NEARNESS) -> tuple[Passage, ...]:
        """The nearest passage of each document, nearest first; documents below `least` are left out.

        Nothing for a blank query, nor for one with CJK letters that the model does not read. Equal nearness stands by
        doc_id.
        """
        if not query.strip() or not self._parts or (has_cjk(query) and not self.calibration.reads_cjk):
            return ()
        import numpy as np

        question = self._embed_question(query)
        closeness = (self._vectors @ question[0]) - CROWD_SHARE * self._crowd
        closeness = (closeness - NOISE_SHARE * measure_noise(question, self._background)[0]).round(_DIGITS)
        found = []
        for document, best in enumerate(np.maximum.reduceat(closeness, self._starts).tolist()):
            nearness = round(self.calibration.scale(best), _DIGITS)
            if nearness >= least:
                start, end = self._ends[document : document + 2]
                part = self._parts[start + int(np.argmax(closeness[start:end]))]
                doc_id = self._doc_ids[part.place]
                found.append(Passage(doc_id, nearness, part.first_line, part.last_line, part.text))
        return tuple(sorted(found, key=lambda passage: (-passage.nearness, passage.doc_id)))

    def rank_cosines(self, query: str) -> list[tuple[str, float]]:
        """(doc_id, highest cosine of its passages) of every document that has one, best first."""
        if not query.strip() or not self._parts:
            return []
        import numpy as np

        cosines = (self._vectors @ self._embed_question(query)[0]).round(_DIGITS)
        best = np.maximum.reduceat(cosines, self._starts).astype(float).round(_DIGITS).tolist()
        doc_ids = (self._doc_ids[self._parts[start].place] for start in self._starts)
        return sorted(zip(doc_ids, best, strict=True), key=lambda item: (-item[1], item[0]))

    def _embed_question(self, query: str) -> Vectors:
        if self._question is None or self._question[0] != query:
            rows = self._embedder.embed_queries([query])
            self._question = query, check_vectors(rows, (1, self._vectors.shape[1]), self._embedder.identity)
        return self._question[1]

    def _begins(self, number: int) -> bool:
        return self._parts[number].place != self._parts[number - 1].place

    def _list_needs(self) -> dict[str, list[str]]:
        needs: dict[str, list[str]] = {doc_id: [] for doc_id in self._doc_ids}
        for part in self._parts:
            needs[self._doc_ids[part.place]].append(part.text)
        return needs


class _Vectors:
    """Texts into vectors: from the file as far as it has them, else from the model, and then into the file."""

    def __init__(self, embedder: Embedder, file: VectorFile | None) -> None:
        self._embedder = embedder
        self._file = file
        self._wrote = False

    def collect(self, texts: Sequence[str], *, as_queries: bool = False) -> Vectors:
        """One row for each text, in order; at least one text."""
        import numpy as np

        embed = self._embedder.embed_queries if as_queries else self._embedder.embed_passages
        digests = [digest_passage(_QUERY + text if as_queries else text) for text in texts]
        kept = {} if self._file is None else self._file.read(dict.fromkeys(digests))
        dimension = self._embedder.dimension
        vectors = {
            digest: np.frombuffer(data, dtype="<f4") for digest, data in kept.items() if len(data) == 4 * dimension
        }
        missing = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in vectors}
        for batch in _batch(list(missing.items())):
            rows = check_vectors(embed([text for _, text in batch]), (len(batch), dimension), self._embedder.identity)
            new = dict(zip((digest for digest, _ in batch), rows, strict=True))
            vectors |= new
            if self._file is not None:
                self._file.write({digest: row.astype("<f4").tobytes() for digest, row in new.items()})
                self._wrote = True
        return np.stack([vectors[digest] for digest in digests])

    def forget_unneeded(self, needs: dict[str, list[str]], is_gone: Callable[[str], bool]) -> None:
        """Drop from the file what no document needs any more, where something was written to it anyway."""
        if self._file is not None and self._wrote:
            digests = {doc_id: [digest_passage(text) for text in texts] for doc_id, texts in needs.items()}
            digests[""] = [digest_passage(text) for text in (*BACKGROUND, *(_QUERY + text for text in SENTENCES))]
            self._file.write({}, digests, is_gone)


class StoreIndex:
    """The index of a store on disk: one file beside it, made when first asked for, up to date at each search.

    Args:
        folder: the root of the store, which the file stands in.
        embedder: a change of model empties the file.
    """

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        self._folder = folder
        self._embedder = embedder
        self._file: VectorFile | None = None
        self._last: tuple[tuple[Source, ...], VectorIndex] | None = None

    @property
    def problem(self) -> str | None:
        """Why vectors are not kept, in a few words; None as long as they are."""
        return self._file.problem if self._file else None

    def read(self, documents: Sequence[Source]) -> VectorIndex:
        """The index of these documents as they are now; what did not change is not embedded again."""
        if self._last is None or self._last[0] != tuple(documents):
            self._file = self._file or VectorFile(self._folder, self._embedder.identity)
            index = VectorIndex(documents, self._embedder, self._file, self._is_gone)
            self._last = tuple(documents), index
        return self._last[1]

    def _is_gone(self, doc_id: str) -> bool:
        return not (self._folder / doc_id).exists()


def index_documents(documents: Sequence[Source], embedder: Embedder, cache: Path | None = None) -> VectorIndex:
    """The index of documents that are in memory.

    Vectors are kept below the folder `cache`, which is made, in a folder for each model. With None, nothing is kept.
    """
    if cache is None:
        return VectorIndex(documents, embedder)
    folder = cache / hashlib.sha256(embedder.identity.encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    return VectorIndex(documents, embedder, VectorFile(folder, embedder.identity))


def rank_hybrid(
    query: str, lexical: Sequence[tuple[str, float]], strength: float, index: VectorIndex
) -> list[tuple[str, float]]:
    """(doc_id, score) from a lexical ranking and the index, best first; see `fuse_gated` for the arguments."""
    return fuse_gated(lexical, strength, [(passage.doc_id, passage.nearness) for passage in index.search(query)])


def _split(documents: Sequence[Source]) -> Iterator[_Part]:
    for place, document in enumerate(documents):
        title = _read_title(document.name)
        for chunk in chunk_markdown(document.text):
            yield _Part(place, chunk.first_line, chunk.last_line, chunk.render_passage(title))


def _read_title(name: str) -> str:
    """A file name as words: `redis-usage.md` is `redis usage`."""
    return name.removesuffix(".md").replace("-", " ").replace("_", " ").strip()


def _batch(items: list[tuple[bytes, str]]) -> Iterator[list[tuple[bytes, str]]]:
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]
