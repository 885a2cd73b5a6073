"""The limits and rules of one engine generation, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType

from memeval.errors import UnknownNameError


class Rule(str, Enum):
    """How a search finds, ranks and shows."""

    LITERAL = "literal"
    """Any term of the query as a literal, by the number of distinct terms; whole regions, as far as they fit."""
    DISCOVERY = "discovery"
    """Words, stems, parts and character pairs by rarity; many candidates, each with the lines to know it by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What one generation of the engine does, and how much of it."""

    name: str
    max_inject_bytes: int
    """Cap on the injected block and on one read, in UTF-8 bytes."""
    max_search_bytes: int
    """Cap on what one search shows, in UTF-8 bytes."""
    finds_by: Rule
    """How a search finds, ranks and shows."""
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
    keeps_aliases: bool
    """A note that is overwritten keeps its aliases."""
    injects_by_priority: bool
    """True: scratchpad, newest log, long-term memory, second newest log, each cut or left out with a mark of its
    own. False: long-term memory, scratchpad, yesterday's and today's log, cut at the end."""


_ARTICLE = Profile(
    name="article",
    max_inject_bytes=16 * 1024,  # sent again on every turn: about 4,000 tokens of a model's window
    max_search_bytes=16 * 1024,
    finds_by=Rule.LITERAL,
    context_lines=1,  # a snippet is to be recognised, the file is read in a second step
    max_regions=3,
    max_write_bytes=None,
    has_edit=False,
    keeps_backup=False,
    drops_duplicates=False,
    keeps_aliases=False,
    injects_by_priority=False,
)

_CURRENT = Profile(
    name="current",
    max_inject_bytes=32 * 1024,  # windows have grown: about 8,000 tokens
    max_search_bytes=32 * 1024,
    finds_by=Rule.LITERAL,
    context_lines=3,  # more of each file is seen without a second call
    max_regions=5,
    max_write_bytes=64 * 1024,  # twice what a read can give back; more is a paste by accident
    has_edit=True,
    keeps_backup=True,
    drops_duplicates=True,
    keeps_aliases=False,
    injects_by_priority=True,
)

_MEMEVAL = replace(
    _CURRENT,
    name="memeval",
    max_search_bytes=16 * 1024,  # a search is read in every turn that makes one, and sixty candidates fit
    finds_by=Rule.DISCOVERY,
    keeps_aliases=True,
    context_lines=1,
    max_regions=3,
)

PROFILES: Mapping[str, Profile] = MappingProxyType(
    {profile.name: profile for profile in (_ARTICLE, _CURRENT, _MEMEVAL)}
)
"""Every profile by name. `article` and `current` are faithful to what others built; `memeval` is this engine's own."""

DEFAULT_PROFILE = "memeval"


def find_profile(name: str) -> Profile:
    """The profile of that name. Raises UnknownNameError, which lists the names there are."""
    try:
        return PROFILES[name]
    except KeyError:
        raise UnknownNameError("profile", name, PROFILES) from None
