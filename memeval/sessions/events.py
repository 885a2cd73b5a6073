"""Events: what an agent asked of its memory, read there and wrote there; and that a person spoke, not what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What every event has."""

    reader: str
    """Name of the reader that found it."""
    session: str
    agent: str | None = None
    """Of a sub-agent its id; None = the session's own agent. Sub-agents' needs are their own."""
    time: datetime | None = None
    """With its offset from UTC; None where the format keeps none."""
    began: datetime | None = None
    """When the session began, for an event without a time: it was not before."""
    place: str = field(default="", compare=False)
    """`path:line` where it stands, for whoever wants to see it."""
    call: str | None = None
    """What tells it from others of its kind and reader: two events that share it are copies of one. None = unknown."""
    batch: str | None = None
    """Searches of one batch were sent off together: none of them can be an answer to what another brought. None =
    unknown."""

    @property
    def stream(self) -> tuple[str, str, str]:
        """Whose events follow one another: (reader, session, agent or '')."""
        return self.reader, self.session, self.agent or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search(Event):
    """One search of the memory that was answered: by a search tool, or by looking through its files."""

    tool: str
    """`memory_search`, `Grep`, `rg`, …"""
    query: str | None
    """What was asked, secrets redacted; of a regular expression its words. None in a log that keeps hashes."""
    pattern: str | None = None
    """The regular expression or file pattern as it was typed; None for a query in words."""
    term_hashes: tuple[str, ...] | None = None
    where: str | None = None
    """Folder, file or project it was kept to; None = all of the memory, or unknown."""
    shown: tuple[str, ...] | None = None
    """The memory files that came back, in order, as they were written there; None where that was not recorded."""
    matched: int | None = None
    """Files that matched, shown or not; None where nobody said."""
    shown_bytes: int | None = None
    """UTF-8 bytes of the text that came back."""
    is_store_empty: bool | None = None
    """Whether there was no memory to search, as far as the answer says; None where it does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read(Event):
    """One memory file read, with success."""

    file: str
    shown_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Write(Event):
    """One memory file written or edited, with success."""

    file: str
    is_new: bool | None = None
    """Whether it did not exist before; None where nobody said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTurn(Event):
    """A prompt, without its words."""

    orders_rewording: bool = False
    """It tells the agent to search in several wordings."""
    is_instruction: bool = False
    """It was written for the agent once, not typed by a person in the session: a system prompt, a sub-agent's task."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that could not be read."""

    path: str
    line: int | None
    reason: str
    is_tail: bool = False
    """It is the end of the file, as a writer leaves it that was stopped; damage anywhere else is worse."""

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.reason}{' (the end of the file: a writer was stopped)' if self.is_tail else ''}"


DUPLICATE = "copy of a line or call that is counted already"
UNANSWERED = "call of the memory without a recorded answer"
FAILED = "call of the memory that failed or was refused"
WORDLESS = "listing of the memory: a pattern without a word in it"
NAMELESS = "read or write of the memory that names no file"
ELSEWHERE = "search, read or write outside the memory"


@dataclass(frozen=True, slots=True)
class SessionContent:
    """What a reader found in a file or folder."""

    events: tuple[Event, ...]
    """By stream, within it in order of time, then of the file."""
    problems: tuple[Problem, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    """{what was left out, one of the reasons above: how often}."""
