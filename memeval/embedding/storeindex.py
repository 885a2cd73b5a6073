"""The index of a store on disk: one file beside it, up to date at each search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from memeval.embedding.background import BACKGROUND, SENTENCES
from memeval.embedding.base import Embedder
from memeval.embedding.bm25 import Postings, TextCounts
from memeval.embedding.index import VectorIndex
from memeval.embedding.indexfile import FILE_NAME, Entry, FileState, IndexFile, digest_text
from memeval.embedding.kept import KeptEmbedder, digest_query
from memeval.embedding.passages import Passage, Source, cut_document

_GONE = FileState()
_TIMES = 2**63
"""SQLite counts up to here; a file may be dated before 1970 or after 2262."""


class StoreIndex:
    """The index of a store, made when first asked for.

    Whether what is kept of a document still holds is told by the SHA-256 of its text and by nothing else: the text has
    been read anyway, a hundred notes are hashed in half a millisecond, and a file can change and keep its size and its
    time, in one tick of the clock or by a tool that restores it. Of the files that are not among the documents, such as
    another project's, no text is at hand: there size and time decide whether it is dropped, and never what is answered.

    Args:
        folder: the root of the store, which the file stands in.
        embedder: a change of model empties the file.
    """

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        self._folder = folder
        self._embedder = embedder
        self._file: IndexFile | None = None
        self._last: tuple[tuple[Source, ...], VectorIndex] | None = None

    @property
    def problem(self) -> str | None:
        """Why what was read last is not kept, in a few words; None where it is."""
        return self._file.problem if self._file else None

    def read(self, documents: Sequence[Source]) -> VectorIndex:
        """The index of these documents as they are now; what did not change is neither cut nor embedded again."""
        last = self._last  # another thread may read meanwhile
        if last is None or last[0] != tuple(documents):
            file = IndexFile(self._folder / FILE_NAME, self._embedder.identity)  # without problems of before
            digests = {document.doc_id: digest_text(document.text) for document in documents}
            passages = self._update(file, documents, digests)
            embedder = KeptEmbedder(self._embedder, file)
            index = VectorIndex(documents, embedder, passages, StoredTerms(file, digests, passages))
            embedder.flush()
            last = tuple(documents), index
            self._file, self._last = file, last
        return last[1]

    def _update(
        self, file: IndexFile, documents: Sequence[Source], digests: Mapping[str, bytes]
    ) -> dict[str, tuple[Passage, ...]]:
        """{doc_id: passages} of the documents, in their order; what was not kept as it is now is kept from here on."""
        held = file.read_passages(digests)
        passages: dict[str, tuple[Passage, ...]] = {}
        entries: dict[str, Entry] = {}
        for document in documents:
            doc_id = document.doc_id
            passages[doc_id] = held.passages[doc_id] if doc_id in held.passages else cut_document(document)
            state = self._look(doc_id) or _GONE
            if (doc_id not in held.passages or held.states[doc_id] != state) and _is_encodable(document):
                entries[doc_id] = Entry(digests[doc_id], state, passages[doc_id])

        def is_stale(doc_id: str, state: FileState) -> bool:
            now = None if doc_id in digests else self._look(doc_id)
            return now is not None and (now == _GONE or now != state)

        if entries or any(is_stale(doc_id, state) for doc_id, state in held.states.items()):
            needed = {*map(digest_text, BACKGROUND), *map(digest_query, SENTENCES)}
            file.write_passages(entries, is_stale, needed)
        return passages

    def _look(self, doc_id: str) -> FileState | None:
        """What a file is now, `_GONE` where it is not there; None where that cannot be told."""
        try:
            found = (self._folder / doc_id).stat()
        except (FileNotFoundError, NotADirectoryError):
            return _GONE
        except (OSError, ValueError):
            return None
        return FileState(found.st_size, found.st_mtime_ns % _TIMES)


class StoredTerms:
    """Tokens of passages from the file, as long as it holds the very texts; else counted in memory, to the same sums.

    Another process may change the file between two queries, so each look at it compares the digests first.

    Args:
        file: what was kept.
        digests: {doc_id: digest of its text}.
        passages: {doc_id: its passages}, in the order they are numbered in.
    """

    def __init__(
        self, file: IndexFile, digests: Mapping[str, bytes], passages: Mapping[str, Sequence[Passage]]
    ) -> None:
        self._file = file
        self._digests = digests
        places = [(doc_id, ordinal) for doc_id, own in passages.items() for ordinal in range(len(own))]
        self._numbers = {place: number for number, place in enumerate(places)}
        self._texts = TextCounts(passage.text for own in passages.values() for passage in own)

    @cached_property
    def lengths(self) -> Sequence[int]:
        """Tokens of each passage."""
        kept = self._file.read_lengths(self._digests)
        if kept is None or kept.keys() != self._numbers.keys():
            return self._texts.lengths
        return [kept[place] for place in self._numbers]

    def count(self, tokens: Sequence[str]) -> Postings:
        """Where these tokens stand."""
        kept = self._file.count_terms(tokens, self._digests)
        if kept is None:
            return self._texts.count(tokens)
        return {
            token: {self._numbers[place]: tf for place, tf in found.items() if place in self._numbers}
            for token, found in kept.items()
        }


def _is_encodable(document: Source) -> bool:
    """Whether SQLite can hold it: not with half a character in it."""
    try:
        f"{document.doc_id}{document.name}{document.text}".encode()
    except UnicodeEncodeError:
        return False
    return True
