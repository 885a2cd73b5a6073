"""Which document of a corpus a path written by hand means."""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches


class DocIds:
    """The doc_ids of a corpus, to be found by how people write them."""

    def __init__(self, doc_ids: Iterable[str]) -> None:
        self._ids = tuple(doc_ids)
        self._known = frozenset(self._ids)
        # one file name can be spelled with composed or combining characters
        self._composed = {unicodedata.normalize("NFC", doc_id): doc_id for doc_id in self._ids}

    def __len__(self) -> int:
        return len(self._ids)

    def find(self, written: str) -> str | None:
        """The doc_id that is written so, or with `./`, `//`, `..` or characters composed otherwise; None if none is."""
        if written in self._known:
            return written
        path = posixpath.normpath(written)
        return path if path in self._known else self._composed.get(unicodedata.normalize("NFC", path))

    def suggest(self, written: str) -> str:
        """` Did you mean …?` with the nearest doc_id; empty where none is near."""
        path = posixpath.normpath(written)
        near = [doc_id for doc_id in self._ids if doc_id.endswith(f"/{path}")] or get_close_matches(
            path, self._ids, n=1
        )
        return f" Did you mean {near[0]!r}?" if near else ""
