"""Markdown files below a folder as documents, and the plain folder: any tree of notes that is no memory store."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import date
from heapq import heappop, heappush
from pathlib import Path

from memeval.memory.disk import decode_name, load_text
from memeval.memory.document import Document, Tier, UnreadableFile

ENDINGS = (".md", ".markdown")
REPORT_MARK = "evaluation.json"
"""What lies in every folder a report was written to. A report quotes each query, so it would answer all of them."""
_LEADING_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")


def read_plain_folder(root: Path) -> list[Document | UnreadableFile]:
    """A document, or why it cannot be read, for every `*.md` and `*.markdown` file that `walk_markdown` finds.

    Names that begin with a dot are skipped. A `MEMORY.md` directly under the root is long-term memory, a file named
    after a day (`2026-01-31.md`) is that day's log, the others are notes. A byte order mark is left out of the text;
    line ends stay as they are.
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
    name; of several links to it, the first by path. Links that lead out of `root` are not followed. A folder that
    cannot be listed comes itself, whatever its name, so that `read_document` can say so.
    """
    real_root = Path(os.path.realpath(root))
    own: list[tuple[Path, Path]] = [(root, real_root)]  # (path, real path), the next one last
    links: list[tuple[str, Path, Path]] = []  # a heap: the first by path comes next, once no own name is left
    met: set[Path] = set()
    while own or links:
        path, real = own.pop() if own else heappop(links)[1:]
        if real in met:
            continue
        try:
            entries = _list_folder(path)
        except OSError:
            met.add(real)
            yield path
            continue
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


def read_document(path: Path, doc_id: str, tier: Tier, day: str | None = None) -> Document | UnreadableFile:
    """The file as a document, its byte order mark left out as the engine does; else why it cannot be read.

    The path of a file that cannot be read is its doc_id, in ASCII where that is not UTF-8.
    """
    doc_id = decode_name(doc_id)
    if any("\ud800" <= char <= "\udfff" for char in doc_id):  # bytes that are no UTF-8
        return UnreadableFile(ascii(doc_id), "the file name is not UTF-8; rename it")
    text = load_text(path, doc_id)
    if text is None:
        return UnreadableFile(doc_id, "gone while the folder was read")
    if isinstance(text, UnreadableFile):
        is_folder = os.path.isdir(path)  # noqa: PTH112 - False where the system refuses to say, and no error
        return UnreadableFile(doc_id, "a folder that cannot be listed") if is_folder else text
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
    if not path.is_dir():
        return None
    return sorted((each for each in path.iterdir() if not each.name.startswith(".")), key=_name_of, reverse=True)


def _name_of(path: Path) -> str:
    return path.name  # a path itself compares without regard to case on Windows
