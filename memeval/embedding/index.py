"""Documents by meaning: their passages as vectors, and which of them are near to a query."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from memeval.embedding.background import BACKGROUND, SENTENCES
from memeval.embedding.base import Embedder, check_vectors
from memeval.embedding.bm25 import TermCounts, TextCounts, score_passages
from memeval.embedding.fusion import LEAST_NEARNESS, fuse_gated, fuse_ranks
from memeval.embedding.nearness import CROWD_SHARE, NOISE_SHARE, calibrate, measure_crowd, measure_noise
from memeval.embedding.passages import Source, cut_document
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
        cut = [(document.doc_id, cut_document(document)) for document in documents]
        self._doc_ids = [doc_id for doc_id, parts in cut if parts]
        self._parts = [part for _, parts in cut for part in parts]
        self._bounds = list(accumulate((len(parts) for _, parts in cut if parts), initial=0))
        self._terms: TermCounts = TextCounts(part.text for part in self._parts)
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
            needs = {doc_id: [part.text for part in parts] for doc_id, parts in cut}
            vectors.forget_unneeded(needs, is_gone)

    def search(self, query: str, least: float = LEAST_NEARNESS) -> tuple[Passage, ...]:
        """The nearest passage of each document, nearest first; documents below `least` are left out.

        Nothing for a blank query, nor for one with CJK letters that the model does not read. Equal nearness stands by
        doc_id.
        """
        if not self._is_readable(query):
            return ()
        import numpy as np

        question = self._embed_question(query)
        closeness = (self._vectors @ question[0]) - CROWD_SHARE * self._crowd
        closeness = (closeness - NOISE_SHARE * measure_noise(question, self._background)[0]).round(_DIGITS)
        found = []
        for document, best in enumerate(np.maximum.reduceat(closeness, self._bounds[:-1]).tolist()):
            nearness = round(self.calibration.scale(best), _DIGITS)
            if nearness >= least:
                start, end = self._bounds[document : document + 2]
                part = self._parts[start + int(np.argmax(closeness[start:end]))]
                doc_id = self._doc_ids[document]
                found.append(Passage(doc_id, nearness, part.first_line, part.last_line, part.text))
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
        return bool(query.strip() and self._parts) and (self.calibration.reads_cjk or not has_cjk(query))

    def _embed_question(self, query: str) -> Vectors:
        if self._question is None or self._question[0] != query:
            rows = self._embedder.embed_queries([query])
            self._question = query, check_vectors(rows, (1, self._vectors.shape[1]), self._embedder.identity)
        return self._question[1]


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


def rank_by_ranks(query: str, index: VectorIndex) -> list[tuple[str, float]]:
    """(doc_id, score) by reciprocal rank fusion of BM25 and cosines, best first: the plain hybrid, without a gate.

    Every document that has text is in it, whatever is asked, since a cosine has no floor. Where there are no cosines,
    the order is that of BM25.
    """
    terms, cosines = index.rank_terms(query), index.rank_cosines(query)
    return fuse_ranks([[doc_id for doc_id, _ in ranking] for ranking in (terms, cosines)])


def _order(scores: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    return sorted(scores, key=lambda item: (-item[1], item[0]))


def _batch(items: list[tuple[bytes, str]]) -> Iterator[list[tuple[bytes, str]]]:
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]
