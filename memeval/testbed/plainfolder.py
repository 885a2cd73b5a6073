"""Markdown files below a folder as documents, and the plain folder: any tree of notes that is no memory store."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from memeval.errors import CorpusError
from memeval.memory.disk import load_text
from memeval.memory.document import Document, Tier, UnreadableFile

ENDINGS = (".md", ".markdown")
REPORT_MARK = "evaluation.json"
"""What lies in every folder a report was written to. A report quotes each query, so it would answer all of them."""
_LEADING_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")


def read_plain_folder(root: Path) -> list[Document]:
    """A document for every `*.md` and `*.markdown` file below `root`, in no particular order.

    Names that begin with a dot are skipped. A `MEMORY.md` directly under the root is long-term memory, a file named
    after a day (`2026-01-31.md`) is that day's log, the others are notes. Links are followed, except a link to a
    folder that holds it. A byte order mark is left out of the text; line ends stay as they are.

    Raises:
        CorpusError: a file or folder that cannot be read, is not UTF-8, or has a name that is not UTF-8.
    """
    documents = []
    for path in walk_markdown(root, endings=ENDINGS):
        doc_id = path.relative_to(root).as_posix()
        tier, day = (Tier.LONG_TERM, None) if doc_id == "MEMORY.md" else sort_by_day(path)
        documents.append(read_document(path, doc_id, tier, day))
    return documents


def walk_markdown(root: Path, *, endings: tuple[str, ...] = (".md",), follow_links: bool = True) -> Iterator[Path]:
    """The files below `root` with one of the endings, in any case, as they are found.

    Hidden names are skipped, and folders that hold a written report (`evaluation.json`).

    Raises:
        CorpusError: a folder that cannot be listed.
    """
    yield from _walk(root, (os.path.realpath(root),), endings, follow_links)


def read_document(path: Path, doc_id: str, tier: Tier, day: str | None = None) -> Document:
    """The file as a document, its byte order mark left out as the engine does.

    Raises:
        CorpusError: it cannot be read, is not UTF-8, or has a name that is not UTF-8.
    """
    if any("\ud800" <= char <= "\udfff" for char in doc_id):  # bytes that Python could not decode
        raise CorpusError(f"{doc_id!a} at {str(path)!a}: the file name is not UTF-8; rename the file")
    text = load_text(path, str(path))
    if text is None or isinstance(text, UnreadableFile):
        raise CorpusError(f"cannot read {text or path}; make it readable UTF-8 text, or move it out of the folder")
    return Document(doc_id=doc_id, path=doc_id, tier=tier, name=path.name, text=text.removeprefix("\ufeff"), date=day)


def sort_by_day(path: Path) -> tuple[Tier, str | None]:
    """The tier and date of a file that is a log when it is named after a day (`2026-01-31.md`), else a note."""
    day = find_day(path.stem)
    return (Tier.DAILY, day) if day == path.stem else (Tier.NOTE, None)


def find_day(stem: str) -> str | None:
    """The day of the calendar that a file name begins with, `YYYY-MM-DD`; None without one."""
    match = _LEADING_DAY.match(stem)
    try:
        return date.fromisoformat(match[0]).isoformat() if match else None
    except ValueError:
        return None


def _walk(folder: Path, real_parents: tuple[str, ...], endings: tuple[str, ...], follow_links: bool) -> Iterator[Path]:
    try:
        paths = [path for path in folder.iterdir() if not path.name.startswith(".")]
        paths = [path for path in paths if follow_links or not path.is_symlink()]
        folders = {path for path in paths if path.is_dir()}
    except OSError as exc:
        raise CorpusError(f"{folder}: cannot be read ({exc.strerror}); make it readable or move it away") from exc
    if any(path.name == REPORT_MARK for path in paths):
        return
    for path in paths:
        if path in folders:
            real = os.path.realpath(path)
            if real not in real_parents:  # a link back up would never end
                yield from _walk(path, (*real_parents, real), endings, follow_links)
        elif path.suffix.lower() in endings:
            yield path
