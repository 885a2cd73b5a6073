"""Which files are memory, when an agent has no tool of its own for it; and which written paths mean the same file."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

NAMES = frozenset(
    {"memory.md", "claude.md", "claude.local.md", "scratchpad.md", "memory_summary.md", "raw_memories.md"}
)
"""Files that are memory wherever they lie, without regard to case."""
FOLDERS = frozenset({"memory", "memories", "memory-bank", "memory_bank", ".memory-bank", "rollout_summaries"})
"""Folders whose Markdown is memory; as a folder to search, `memory` only where CODE_FOLDERS does not speak against."""
CODE_FOLDERS = frozenset(
    {"src", "lib", "pkg", "crates", "packages", "internal", "include", "node_modules", "app", "cmd"}
)
"""`memory` below one of these is more likely a module of a program than the memory of an agent."""
SCHEME = "memory://"
ENDINGS = (".md", ".markdown")

_HOME = re.compile(r"^(?:\$HOME|\$\{HOME\})(?=/|$)")
_DRIVE = re.compile(r"^[A-Za-z]:[\\/]")
_ENDING = re.compile(r"\.[A-Za-z0-9]{1,8}$")
_WILD = frozenset("*?[{")


@dataclass(frozen=True, slots=True)
class MemoryFiles:
    """The rule by which a path is one of memory."""

    roots: tuple[str, ...] = ()
    """Folders all of whose files are memory, whatever they are called; absolute, or as transcripts write them."""

    def holds(self, path: str) -> bool:
        """Whether a normalised path, or file pattern, is a memory file or folder, or lies in one."""
        if path.startswith(SCHEME) or any(is_within(path, normalise_path(root)) for root in self.roots):
            return True
        parts = [part for part in path.lower().split("/") if part]
        if not parts:
            return False
        name = parts[-1]
        if name in NAMES:
            return True
        at = next((place for place, part in enumerate(parts) if part in FOLDERS), None)
        if at is None:
            return False
        if name.endswith(ENDINGS):
            return True
        if _ENDING.search(name) and not _WILD & set(name) and at < len(parts) - 1:
            return False
        return parts[at] != "memory" or not CODE_FOLDERS & set(parts[:at])


def normalise_path(path: str, folder: str | None = None) -> str:
    """A path as it is compared: `/` separators, without `.` and `..`; a relative one below `folder`, if that is given.

    `$HOME` becomes `~`. Nothing is looked up on disk.
    """
    if path.startswith(SCHEME):
        return path
    text = _HOME.sub("~", path.strip().removeprefix("file://"))
    if _DRIVE.match(text) or ("\\" in text and "/" not in text):
        text = text.replace("\\", "/")
    if folder and not text.startswith(("/", "~")) and not _DRIVE.match(text):
        text = f"{normalise_path(folder)}/{text}"
    return posixpath.normpath(text) if text else ""


def is_within(path: str, folder: str) -> bool:
    """Whether a normalised path is the folder or lies below it."""
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


def is_same_file(one: str, other: str) -> bool:
    """Whether two normalised paths may mean one file: they are equal, or one ends with the other, part by part.

    Agents are shown `notes/redis.md` and read `/home/me/memory/notes/redis.md`, or `memory://root/notes/redis.md`.
    """
    one, other = _drop_scheme(one), _drop_scheme(other)
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")


def _drop_scheme(path: str) -> str:
    """Of `memory://<root>/<file>` the file."""
    return path.removeprefix(SCHEME).partition("/")[2] if path.startswith(SCHEME) else path
