"""Markdown files below a folder as documents, and the plain folder: any tree of notes that is no memory store."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import date
from heapq import heappop, heappush
from pathlib import Path

from memeval.errors import CorpusError
from memeval.memory.disk import decode_name, load_text
from memeval.memory.document import Document, Tier, UnreadableFile

ENDINGS = (".md", ".markdown")
REPORT_MARK = "evaluation.json"
"""What lies in every folder a report was written to. A report quotes each query, so it would answer all of them."""
_LEADING_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")


def read_plain_folder(root: Path) -> list[Document]:
    """A document for every `*.md` and `*.markdown` file below `root`, as `walk_markdown` finds them.

    Names that begin with a dot are skipped. A `MEMORY.md` directly under the root is long-term memory, a file named
    after a day (`2026-01-31.md`) is that day's log, the others are notes. A byte order mark is left out of the text;
    line ends stay as they are.

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
    """The files below `root` with one of the endings, in any case, the same on every machine.

    Hidden names are skipped, and folders that hold a written report (`evaluation.json`). Each file and folder comes
    once, by its own name where that is not hidden. A link adds only what lies below `root` and was not met by another
    name; of several links to it, the first by path. Links that lead out of `root` are not followed.

    Raises:
        CorpusError: a folder that cannot be listed.
    """
    real_root = Path(os.path.realpath(root))
    own: list[tuple[Path, Path]] = [(root, real_root)]  # (path, real path), the next one last
    links: list[tuple[str, Path, Path]] = []  # a heap: the first by path comes next, once no own name is left
    met: set[Path] = set()
    while own or links:
        path, real = own.pop() if own else heappop(links)[1:]
        if real in met:
            continue
        entries = _list_folder(path)
        if entries is None:
            if path.suffix.lower() in endings:
                met.add(real)
                yield path
            continue
        met.add(real)
        if any(entry.name == REPORT_MARK for entry in entries):
            continue
        for entry in entries:
            if not entry.is_symlink():
                own.append((entry, real / entry.name))
            elif follow_links and (target := Path(os.path.realpath(entry))).is_relative_to(real_root):
                heappush(links, (entry.as_posix(), entry, target))


def read_document(path: Path, doc_id: str, tier: Tier, day: str | None = None) -> Document:
    """The file as a document, its byte order mark left out as the engine does.

    Raises:
        CorpusError: it cannot be read, is not UTF-8, or has a name that is not UTF-8.
    """
    doc_id = decode_name(doc_id)
    if any("\ud800" <= char <= "\udfff" for char in doc_id):  # bytes that are no UTF-8
        raise CorpusError(f"{doc_id!a} at {str(path)!a}: the file name is not UTF-8; rename the file")
    text = load_text(path, str(path))
    if text is None or isinstance(text, UnreadableFile):
        raise CorpusError(f"cannot read {text or path}; make it readable UTF-8 text, or move it out of the folder")
    name, text = decode_name(path.name), text.removeprefix("\ufeff")
    return Document(doc_id=doc_id, path=doc_id, tier=tier, name=name, text=text, date=day)


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


def _list_folder(path: Path) -> list[Path] | None:
    """What is in a folder but for hidden names, last name first; None for what is no folder."""
    try:
        if not path.is_dir():
            return None
        return sorted((each for each in path.iterdir() if not each.name.startswith(".")), key=_name_of, reverse=True)
    except OSError as exc:
        raise CorpusError(f"{path}: cannot be read ({exc.strerror}); make it readable or move it away") from exc


def _name_of(path: Path) -> str:
    return path.name  # a path itself compares without regard to case on Windows
