"""The limits and rules of one engine generation, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from memeval.errors import UnknownNameError


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What one generation of the engine does, and how much of it."""

    name: str
    max_inject_bytes: int
    """Cap on the injected block, on one read and on one search, in UTF-8 bytes."""
    context_lines: int
    """Lines shown above and below each matched line."""
    max_regions: int
    """Regions shown of one file."""
    max_write_bytes: int | None
    """Cap on the content of one write; None = no cap."""
    has_edit: bool
    """Text may be replaced, and a note deleted."""
    keeps_backup: bool
    """Long-term memory and scratchpad are copied to `.bak` before they are overwritten or edited, a note before
    it is deleted."""
    drops_duplicates: bool
    """An append to long-term memory leaves out lines that stand there already."""
    injects_by_priority: bool
    """True: scratchpad, newest log, long-term memory, second newest log, each cut or left out with a mark of its
    own. False: long-term memory, scratchpad, yesterday's and today's log, cut at the end."""


_ARTICLE = Profile(
    name="article",
    max_inject_bytes=16 * 1024,  # sent again on every turn: about 4,000 tokens of a model's window
    context_lines=1,  # a snippet is to be recognised, the file is read in a second step
    max_regions=3,
    max_write_bytes=None,
    has_edit=False,
    keeps_backup=False,
    drops_duplicates=False,
    injects_by_priority=False,
)

_CURRENT = Profile(
    name="current",
    max_inject_bytes=32 * 1024,  # windows have grown: about 8,000 tokens
    context_lines=3,  # more of each file is seen without a second call
    max_regions=5,
    max_write_bytes=64 * 1024,  # twice what a read can give back; more is a paste by accident
    has_edit=True,
    keeps_backup=True,
    drops_duplicates=True,
    injects_by_priority=True,
)

PROFILES: Mapping[str, Profile] = MappingProxyType({"article": _ARTICLE, "current": _CURRENT})
"""Every profile by name."""

DEFAULT_PROFILE = "current"


def find_profile(name: str) -> Profile:
    """The profile of that name. Raises UnknownNameError, which lists the names there are."""
    try:
        return PROFILES[name]
    except KeyError:
        raise UnknownNameError("profile", name, PROFILES) from None
