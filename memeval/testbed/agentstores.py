"""Stores of other agents, read in place: Claude Code's memory folders, OpenClaw workspaces, memory banks.

Nothing is copied or written, and no file outside what a reader names is opened. As in a plain folder, hidden names are
skipped, links within the folder are followed (OpenClaw's reader skips them, as OpenClaw does), and a file that cannot
be read as UTF-8 comes as an UnreadableFile that says why.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from memeval.errors import CorpusError
from memeval.memory.disk import load_text
from memeval.memory.document import Document, Tier, UnreadableFile
from memeval.testbed.plainfolder import find_day, read_document, sort_by_day, walk_markdown

_INDEX = "MEMORY.md"
_MEMORY = "memory"
_PROJECTS = "projects"
_LINK = re.compile(r"\]\(<?([^()<>\s]+\.md)\b")
_OPENCLAW_INDEXES = ("MEMORY.md", "memory.md")
_OPENCLAW_FILES = (*_OPENCLAW_INDEXES, "USER.md")
_HIDDEN_BANK = ".memory-bank"
_BANK_NAME = re.compile(r"\.?memory[-_]?bank", re.IGNORECASE)
_SESSIONS = "session"


def is_claude_code(root: Path) -> bool:
    """Whether `MEMORY.md` links a Markdown file below `root`, or a `memory/MEMORY.md` is here or in a project."""
    if (root / _INDEX).is_file():
        text = load_text(root / _INDEX, _INDEX)
        links = {unquote(link).removeprefix("./") for link in _LINK.findall(text)} if isinstance(text, str) else set()
        return bool(links) and any(path.relative_to(root).as_posix() in links for path in walk_markdown(root))
    if (root / _MEMORY / _INDEX).is_file():
        return True
    holds_projects = (root / _PROJECTS).is_dir() or root.resolve().name == _PROJECTS
    return holds_projects and bool(list_claude_code_projects(root))


def list_claude_code_projects(root: Path) -> tuple[str, ...]:
    """The project folders below `root`, or below `root`/projects, that have a `memory/MEMORY.md`, sorted by name."""
    folder = root / _PROJECTS if (root / _PROJECTS).is_dir() else root
    return tuple(sorted(path.name for path in _list(folder) if (path / _MEMORY / _INDEX).is_file()))


def read_claude_code(root: Path, project: str | None) -> list[Document | UnreadableFile]:
    """The files of one Claude Code memory folder: its index `MEMORY.md` and every other `*.md` below it.

    `root` is the memory folder itself, the project's folder that holds it as `memory/`, or, with `project`, the folder
    that holds `projects/<project>/memory` or `<project>/memory`. Transcripts, settings and `CLAUDE.md` files are not
    searched. `MEMORY.md` is long-term memory, a file named after a day is that day's log, topic files are notes.
    """
    if project is not None:
        folder = (root / _PROJECTS if (root / _PROJECTS).is_dir() else root) / project / _MEMORY
    elif (root / _INDEX).is_file() or not (root / _MEMORY).is_dir():
        folder = root
    else:
        folder = root / _MEMORY
    documents = []
    for path in walk_markdown(folder):
        tier, day = (Tier.LONG_TERM, None) if path == folder / _INDEX else sort_by_day(path)
        documents.append(read_document(path, path.relative_to(root).as_posix(), tier, day))
    return documents


def is_openclaw(root: Path) -> bool:
    """Whether `memory/`, no link, holds Markdown, and a `MEMORY.md` is beside it or a file in it begins with a day."""
    folder = root / _MEMORY
    if not folder.is_dir() or folder.is_symlink() or (folder / _INDEX).is_file():
        return False
    has_index = any((root / name).is_file() for name in _OPENCLAW_INDEXES)
    return any(has_index or find_day(path.stem) for path in walk_markdown(folder, follow_links=False))


def read_openclaw(root: Path, extra_paths: tuple[str, ...] = ()) -> list[Document | UnreadableFile]:
    """The files that OpenClaw indexes of a workspace.

    These are `MEMORY.md`, `memory.md` and `USER.md` directly under the root (long-term memory); every `*.md` below
    `memory/` (the log of a day when its name begins with that day, `2026-01-31-vendor-call.md` too, else a note); and
    the extra paths, files or folders with their `*.md`, absolute or relative to the root (notes). Links are skipped,
    and a file reached twice counts once. `AGENTS.md`, `DREAMS.md` and other files of the workspace are not searched.

    A doc_id of an extra path outside the workspace is that path as it was given, then the place below it.

    Raises:
        CorpusError: an extra path that does not exist, is no Markdown file, or begins with `~`.
    """
    documents: list[Document | UnreadableFile] = []
    seen: set[str] = set()
    for path, doc_id, tier, day in _find_openclaw_files(root, extra_paths):
        real = os.path.realpath(path)
        if real not in seen:
            seen.add(real)
            documents.append(read_document(path, doc_id, tier, day))
    return documents


def is_memory_bank(root: Path) -> bool:
    """Whether the folder is called `.memory-bank` or `memory-bank`, or holds a `.memory-bank`, with Markdown below."""
    bank = _find_bank(root)
    return bank is not None and any(True for _ in walk_markdown(bank))


def read_memory_bank(root: Path) -> list[Document | UnreadableFile]:
    """Every `*.md` below a memory bank, at any depth: `root`, or the `.memory-bank` in it.

    Hidden folders in the bank, where tools leave backups and indexes, are skipped. Files directly in the bank, which an
    agent reads when it begins, are long-term memory; a file named after a day, or one below `session/` whose name
    begins with a day, is that day's log; the others (`notes/`, `plans/`, …) are notes.
    """
    bank = _find_bank(root) or root
    documents = []
    for path in walk_markdown(bank):
        parts = path.relative_to(bank).parts
        tier, day = sort_by_day(path)
        if parts[0] == _SESSIONS and len(parts) > 1 and find_day(path.stem):
            tier, day = Tier.DAILY, find_day(path.stem)
        elif tier is Tier.NOTE and len(parts) == 1:
            tier = Tier.LONG_TERM
        documents.append(read_document(path, path.relative_to(root).as_posix(), tier, day))
    return documents


def _find_bank(root: Path) -> Path | None:
    if _BANK_NAME.fullmatch(root.resolve().name):
        return root
    return root / _HIDDEN_BANK if (root / _HIDDEN_BANK).is_dir() else None


def _find_openclaw_files(root: Path, extra_paths: tuple[str, ...]) -> Iterator[tuple[Path, str, Tier, str | None]]:
    """(path, doc_id, tier, day) of each file, some of them twice."""
    for path in _list(root):  # the names as they are on disk: some systems find MEMORY.md as memory.md, too
        if path.name in _OPENCLAW_FILES and path.is_file() and not path.is_symlink():
            yield path, path.name, Tier.LONG_TERM, None
    folder = root / _MEMORY
    if folder.is_dir() and not folder.is_symlink():
        for path in sorted(walk_markdown(folder, follow_links=False)):
            day = find_day(path.stem)
            yield path, path.relative_to(root).as_posix(), Tier.DAILY if day else Tier.NOTE, day
    for written in extra_paths:
        if written.startswith("~"):
            raise CorpusError(
                f"{root}: extra path {written!r}: ~ is not expanded here; write the path from / or from {root}"
            )
        place, base = root / written, _name_extra_path(root, written)
        if place.is_dir():
            for path in sorted(walk_markdown(place, follow_links=False)):
                doc_id = posixpath.normpath(f"{base}/{path.relative_to(place).as_posix()}")
                yield path, doc_id, Tier.NOTE, None
        elif place.is_file() and place.suffix.lower() == ".md":
            yield place, base, Tier.NOTE, None
        else:
            what = "is no *.md file" if place.exists() else "does not exist"
            raise CorpusError(f"{root}: extra path {written!r} {what}; give a folder or a Markdown file")


def _name_extra_path(root: Path, written: str) -> str:
    """The extra path as a doc_id begins with it: relative to the root where it lies below, else as written."""
    try:
        below = Path(os.path.realpath(root / written)).relative_to(os.path.realpath(root))
    except ValueError:
        return posixpath.normpath(Path(written).as_posix())
    return below.as_posix()


def _list(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as exc:
        raise CorpusError(f"{folder}: cannot be read ({exc.strerror}); make it readable or move it away") from exc
