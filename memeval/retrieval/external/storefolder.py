"""The documents of a run as files in a temporary folder, and which document a path or a text from outside means."""

from __future__ import annotations

import posixpath
import re
import shutil
import tempfile
import unicodedata
import weakref
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from memeval.errors import ExternalSystemError
from memeval.memory.disk import encode_path
from memeval.memory.document import Document

ENDING = ".md"


class StoreFolder:
    """A folder of its own with every document at its doc_id, removed when the object is.

    A system from outside never sees the store itself: it searches what the run searches (aliases put in, rows of a
    BEIR folder) and can change nothing of it. A doc_id that does not end in `.md` gets that ending, since most systems
    look at Markdown files alone.

    Raises:
        ExternalSystemError: a doc_id is no path below a folder, or two cannot stand side by side on this disk.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        made = tempfile.mkdtemp(prefix="memeval-store-")
        weakref.finalize(self, shutil.rmtree, made, ignore_errors=True)
        self.path = Path(made).resolve()
        self._prefixes = tuple({f"{Path(root).as_posix()}/" for root in (made, self.path)})
        self._doc_ids: dict[str, str] = {}
        for document in sorted(documents, key=lambda document: document.doc_id):
            self._write(document)
        self._composed = {unicodedata.normalize("NFC", name): doc_id for name, doc_id in self._doc_ids.items()}
        forms = {
            unicodedata.normalize(form, name): doc_id
            for name, doc_id in self._composed.items()
            for form in ("NFD", "NFC")
        } | self._doc_ids  # where a form is another file's name, it is that file
        self._spelled = {spelling: doc_id for name, doc_id in forms.items() for spelling in (quote_name(name), name)}

    def _write(self, document: Document) -> None:
        doc_id = document.doc_id
        parts = doc_id.split("/")
        if not set(parts).isdisjoint({"", ".", ".."}) or "\0" in doc_id or "\\" in doc_id:
            raise ExternalSystemError(f"{doc_id!r} cannot be written as a file for another system: it is no plain path")
        name = doc_id if doc_id.endswith(ENDING) else doc_id + ENDING
        try:
            target = self.path / encode_path(name)
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as file:
                file.write(document.text.encode("utf-8", "replace"))
        except (OSError, UnicodeError) as error:
            raise ExternalSystemError(f"{doc_id!r} cannot be written as a file for another system: {error}") from error
        self._doc_ids[name] = doc_id

    @property
    def names(self) -> tuple[str, ...]:
        """The paths of the files relative to the folder, sorted."""
        return tuple(self._doc_ids)

    def find(self, written: str) -> str | None:
        """The doc_id of a path, absolute or relative to the folder, or of a doc_id itself; None for any other.

        Accents may be composed otherwise than in the doc_id, as some systems give them back.
        """
        relative = self.shorten(written.replace("\\", "/"))
        name = posixpath.normpath(relative) if relative else ""
        composed = unicodedata.normalize("NFC", name)
        tried = [(self._doc_ids, name), (self._doc_ids, name + ENDING)]
        tried += [(self._composed, composed), (self._composed, composed + ENDING)]
        return next((names[path] for names, path in tried if path in names), None)

    def shorten(self, text: str) -> str:
        """The text with the path of the folder taken out: it is another one in every run."""
        for prefix in self._prefixes:
            text = text.replace(prefix, "")
        return text

    def find_mentions(self, text: str) -> list[tuple[int, str]]:
        """(place, doc_id) of every file that a text names, in order.

        A name counts where it stands alone or at the end of a longer path, as it is, with its accents composed
        otherwise, or as in an address (%20); of two that end one path, the longer. `a.md` is not named by `a.md.bak`,
        nor by `extra.md`.
        """
        named = [spelling for spelling in self._spelled if spelling in text]
        if not named:
            return []
        names = "|".join(re.escape(name) for name in sorted(named, key=lambda name: (-len(name), name)))
        pattern = rf"(?<![\w.\-])(?:{names})(?![\w\-/]|\.\w)"
        return [(found.start(), self._spelled[found.group()]) for found in re.finditer(pattern, text)]


def quote_name(name: str) -> str:
    """The path as it stands in an address."""
    return quote(name, errors="replace")
