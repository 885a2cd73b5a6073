"""The kinds of store there are: how each is recognised, and who reads it. One visible list."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from memeval.memory.document import Document, UnreadableFile
from memeval.memory.layout import MEMORY_FILE, Layout, list_projects
from memeval.memory.layout import read_documents as read_tiers
from memeval.testbed.agentstores import (
    is_claude_code,
    is_memory_bank,
    is_openclaw,
    list_claude_code_projects,
    read_claude_code,
    read_memory_bank,
    read_openclaw,
)
from memeval.testbed.beirrows import CORPUS, is_beir, read_documents
from memeval.testbed.plainfolder import ENDINGS, read_plain_folder, walk_markdown

_PROJECT_PARTS = ("notes", "daily", "SCRATCHPAD.md")

Reader = Callable[[Path, str | None, tuple[str, ...]], Sequence[Document | UnreadableFile]]
"""(root, project, extra paths) -> the documents a search of the store sees, in any order, and what cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreKind:
    """One way of laying out a memory in files."""

    name: str
    """What `kind:` in corpus.yaml says."""
    description: str
    """What it is, in a few words, for people."""
    recognised: str
    """How a folder of this kind is recognised, in words."""
    searched: str
    """Which files a search sees, in words, for messages."""
    recognise: Callable[[Path], bool]
    """Whether the folder is of this kind; asked in the order of the list."""
    read: Reader
    list_projects: Callable[[Path], tuple[str, ...]] | None = None
    """The projects of a store, of which a search sees one; None for a kind without projects."""
    takes_extra_paths: bool = False
    """Whether `extra_paths` of corpus.yaml are searched, too."""


def _has_project_parts(root: Path) -> bool:
    # a folder named projects/ alone is found in many a tree of notes
    places = (root / "projects" / slug / part for slug in list_projects(root) for part in _PROJECT_PARTS)
    return any(os.path.exists(place) for place in places)  # noqa: PTH110 - False where a project may not be entered


def _is_engine_store(root: Path) -> bool:
    if _has_project_parts(root):
        return True
    return (root / MEMORY_FILE).is_file() and all(path.parent == root for path in walk_markdown(root, endings=ENDINGS))


def _read_engine_store(root: Path, project: str | None) -> list[Document | UnreadableFile]:
    documents, unreadable = read_tiers(Layout(os.fspath(root), project))
    return [*documents, *unreadable]


STORE_KINDS = (
    StoreKind(
        name="beir",
        description="a BEIR folder",
        recognised="there is a corpus.jsonl",
        searched="each document of corpus.jsonl",
        recognise=is_beir,
        read=lambda root, project, extra_paths: list(read_documents(root / CORPUS).values()),
    ),
    StoreKind(
        name="openclaw",
        description="an OpenClaw workspace",
        recognised="there is Markdown in memory/, and a MEMORY.md beside it or a file in it that begins with a day",
        searched="MEMORY.md, memory.md and USER.md directly under the root, *.md below memory/, and extra_paths",
        recognise=is_openclaw,
        read=lambda root, project, extra_paths: read_openclaw(root, extra_paths),
        takes_extra_paths=True,
    ),
    StoreKind(
        name="claude-code",
        description="a Claude Code memory folder, or a folder with projects that have one",
        recognised="MEMORY.md links another Markdown file here, or there is a memory/MEMORY.md, here or in a project",
        searched="MEMORY.md and the other *.md below the memory folder, but for links that lead out of it",
        recognise=lambda root: not _has_project_parts(root) and is_claude_code(root),
        read=lambda root, project, extra_paths: read_claude_code(root, project),
        list_projects=list_claude_code_projects,
    ),
    StoreKind(
        name="memory-bank",
        description="a memory bank: a .memory-bank folder, or a folder with one",
        recognised="the folder is called .memory-bank or memory-bank, or holds a .memory-bank",
        searched="*.md below the memory bank; names in it that begin with a dot, and links that lead out of it, are "
        "skipped",
        recognise=is_memory_bank,
        read=lambda root, project, extra_paths: read_memory_bank(root),
    ),
    StoreKind(
        name="store",
        description="a memory root as the engine lays it out: MEMORY.md, and notes/ and daily/ of each project",
        recognised="a folder in projects/ has notes/, daily/ or SCRATCHPAD.md, or there is a MEMORY.md and no Markdown "
        "in subfolders",
        searched="*.md directly under the root and directly in notes/ and daily/ of one project; no SCRATCHPAD.md",
        recognise=_is_engine_store,
        read=lambda root, project, extra_paths: _read_engine_store(root, project),
        list_projects=list_projects,
    ),
    StoreKind(
        name="plain",
        description="a plain folder of Markdown",
        recognised="nothing else fits",
        searched="*.md and *.markdown files below the folder; names that begin with a dot, and links that lead out of "
        "it, are skipped",
        recognise=lambda root: True,
        read=lambda root, project, extra_paths: read_plain_folder(root),
    ),
)
"""Every kind, in the order in which a folder is tried; the last takes any folder."""


def find_kind(name: str) -> StoreKind | None:
    """The kind of that name; None when there is no such kind."""
    return next((kind for kind in STORE_KINDS if kind.name == name), None)


def detect_kind(root: Path) -> StoreKind:
    """The first kind that recognises the folder.

    Raises:
        CorpusError: a folder of projects that cannot be listed.
    """
    return next(kind for kind in STORE_KINDS if kind.recognise(root))
