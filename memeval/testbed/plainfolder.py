"""A plain folder of Markdown as documents: any tree of notes that is not laid out as a memory store."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from memeval.errors import CorpusError
from memeval.memory.disk import load_text
from memeval.memory.document import Document, Tier, UnreadableFile

ENDINGS = (".md", ".markdown")


def read_plain_folder(root: Path) -> list[Document]:
    """A document for every Markdown file below `root`, in no particular order.

    Names that begin with a dot are skipped. A `MEMORY.md` directly under the root is long-term memory, a file named
    after a day (`2026-01-31.md`) is that day's log, the others are notes. Links are followed, except a link to a
    folder that holds it. A byte order mark is left out of the text; line ends stay as they are.

    Raises:
        CorpusError: a file or folder that cannot be read, is not UTF-8, or has a name that is not UTF-8.
    """
    return [_read_document(root, path) for path in find_markdown(root)]


def find_markdown(root: Path) -> list[Path]:
    """The Markdown files below `root`, as `read_plain_folder` takes them."""
    return list(_walk(root, (os.path.realpath(root),)))


def _walk(folder: Path, real_parents: tuple[str, ...]) -> Iterator[Path]:
    try:
        paths = [path for path in folder.iterdir() if not path.name.startswith(".")]
        folders = {path for path in paths if path.is_dir()}
    except OSError as exc:
        raise CorpusError(f"{folder}: cannot be read ({exc.strerror}); make it readable or move it away") from exc
    for path in paths:
        if path in folders:
            real = os.path.realpath(path)
            if real not in real_parents:  # a link back up would never end
                yield from _walk(path, (*real_parents, real))
        elif path.suffix.lower() in ENDINGS:
            yield path


def _read_document(root: Path, path: Path) -> Document:
    doc_id = path.relative_to(root).as_posix()
    if any("\ud800" <= char <= "\udfff" for char in doc_id):  # bytes that Python could not decode
        raise CorpusError(f"{doc_id!a} below {root}: the file name is not UTF-8; rename the file")
    tier, day = Tier.NOTE, None
    if doc_id == "MEMORY.md":
        tier = Tier.LONG_TERM
    elif _is_day(path.stem):
        tier, day = Tier.DAILY, path.stem
    text = load_text(path, str(path))
    if text is None or isinstance(text, UnreadableFile):
        raise CorpusError(f"cannot read {text or path}; make it readable UTF-8 text, or move it out of the folder")
    # as in a store, a byte order mark is no part of the text
    text = text.removeprefix("\ufeff")
    return Document(doc_id=doc_id, path=doc_id, tier=tier, name=path.name, text=text, date=day)


def _is_day(stem: str) -> bool:
    try:
        # from Python 3.11 fromisoformat also takes 20260131 and 2026-W05-6
        return len(stem) == 10 and date.fromisoformat(stem).isoformat() == stem
    except ValueError:
        return False
