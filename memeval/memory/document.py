"""One Markdown file of a store, as it was read. No searching and no writing here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


class Tier(str, Enum):
    """The four tiers of a memory store."""

    LONG_TERM = "long_term"
    SCRATCHPAD = "scratchpad"
    DAILY = "daily"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A file to search."""

    doc_id: str
    """Its path relative to the store root, `/` separators."""
    path: str
    """Its path as shown to the reader (the root as it was given, then the doc_id)."""
    tier: Tier
    name: str
    """The file name, with its ending: what a file-name match looks at."""
    text: str
    date: str | None = None
    """For a file in `daily/`, its stem, whatever it looks like; None elsewhere."""


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """A file of a store that could not be read, so that nothing is known of its content."""

    path: str
    """Its path as shown to the reader."""
    reason: str
    """Why, in a few words: `not UTF-8 at byte 5`, `Permission denied`."""

    def __str__(self) -> str:
        return f"{self.path} ({self.reason})"


_MAX_UNREADABLE_NAMED = 3


def describe_unreadable(files: Sequence[UnreadableFile]) -> str:
    """A line, with the line end before it, that names what could not be searched; empty where everything could."""
    if not files:
        return ""
    named = ", ".join(str(file) for file in files[:_MAX_UNREADABLE_NAMED])
    more = len(files) - _MAX_UNREADABLE_NAMED
    return f"\nNot searched, unreadable: {named}{f' and {more} more' if more > 0 else ''}."
