"""The readers there are, one visible list; and what they find in files and folders, put together."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from memeval.errors import TranscriptError, UnknownNameError
from memeval.sessions import claudecode, codex, enginelog, neutral, ohmypi, opencode, zerostack
from memeval.sessions.events import DUPLICATE, Event, Problem, Read, Search, SessionContent, UserTurn
from memeval.sessions.jsonfiles import find_lines
from memeval.sessions.memoryfiles import MemoryFiles, is_same_file
from memeval.sessions.transcript import sort_events

_ENDINGS = (".jsonl", ".json", ".db")
_SAME_MOMENT = timedelta(seconds=10)
LOGGED_TWICE = "line of a search log whose call a transcript holds as well"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReader:
    """One format of recorded sessions."""

    name: str
    description: str
    recognised: str
    """How to tell a file or folder of it, in words."""
    recognise: Callable[[Path, Sequence[Mapping[str, Any]]], bool]
    """(path, the first JSON lines of the file) -> whether it is one. Raises OSError where it cannot be read."""
    read: Callable[[Path, MemoryFiles], SessionContent]
    """Raises OSError where it cannot be read; damage is told, never raised."""


READERS: tuple[SessionReader, ...] = (
    SessionReader(
        name=opencode.NAME,
        description="opencode's database, or its older storage folder",
        recognised="opencode.db, or a folder with message/ and part/",
        recognise=opencode.recognise,
        read=opencode.read_opencode,
    ),
    SessionReader(
        name=zerostack.NAME,
        description="zerostack's sessions, one JSON file each",
        recognised="a JSON object with messages and working_dir",
        recognise=zerostack.recognise,
        read=zerostack.read_zerostack,
    ),
    SessionReader(
        name=enginelog.NAME,
        description="the engine's own search log",
        recognised="JSON lines with kind (search or read) and shown",
        recognise=enginelog.recognise,
        read=enginelog.read_engine_log,
    ),
    SessionReader(
        name=neutral.NAME,
        description="the neutral form, which `memeval sessions import` writes",
        recognised="JSON lines with event (search, read, write or turn) and session",
        recognise=neutral.recognise,
        read=neutral.read_neutral,
    ),
    SessionReader(
        name=codex.NAME,
        description="Codex's rollouts",
        recognised="JSON lines with type (session_meta, response_item, …) and payload",
        recognise=codex.recognise,
        read=codex.read_codex,
    ),
    SessionReader(
        name=ohmypi.NAME,
        description="oh-my-pi's sessions",
        recognised="JSON lines, one of type session with id and cwd",
        recognise=ohmypi.recognise,
        read=ohmypi.read_oh_my_pi,
    ),
    SessionReader(
        name=claudecode.NAME,
        description="Claude Code's transcripts, sub-agents' included",
        recognised="JSON lines with sessionId and message",
        recognise=claudecode.recognise,
        read=claudecode.read_claude_code,
    ),
)
"""Every format, in the order in which a file is tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What was found in all files and folders together."""

    events: tuple[Event, ...]
    """By stream, within it in order of time."""
    sources: Mapping[str, int]
    """{reader: files or folders it read}, in the order of the registry."""
    problems: tuple[Problem, ...] = ()
    dropped: Mapping[str, int]
    """{what was left out and why: how often}."""
    unknown: tuple[Path, ...] = ()
    """Files below a folder that no reader takes, though their names end as recorded sessions' do."""


def find_reader(name: str) -> SessionReader:
    """The reader of that name.

    Raises:
        UnknownNameError: there is none; the message lists those there are.
    """
    for reader in READERS:
        if reader.name == name:
            return reader
    raise UnknownNameError("reader", name, [reader.name for reader in READERS])


def detect_reader(path: Path) -> SessionReader | None:
    """The first reader that takes a file or folder; None without one.

    Raises:
        OSError: it cannot be read.
    """
    lines = () if path.is_dir() or path.suffix == ".db" else find_lines(path)
    return next((reader for reader in READERS if reader.recognise(path, lines)), None)


def read_recordings(paths: Iterable[Path], memory: MemoryFiles, reader: SessionReader | None = None) -> Recording:
    """Every event in the files, and in all files below the folders; a call that stands in several counts once.

    Args:
        paths: files and folders; a file reached twice is read once.
        memory: which files are memory.
        reader: the one for all files named; None = by content.

    Raises:
        TranscriptError: a path that is not there, a named file that no reader takes, or nothing to read at all.
    """
    unknown: list[Path] = []
    problems: list[Problem] = []
    contents: list[SessionContent] = []
    counts: Counter[str] = Counter()
    for path, taken in _find_sources(paths, reader, unknown, problems):
        try:
            contents.append(taken.read(path, memory))
        except OSError as error:
            problems.append(Problem(str(path), None, f"it cannot be read: {error.strerror or error}"))
            continue
        counts[taken.name] += 1
    dropped: Counter[str] = Counter()
    for content in contents:
        problems += content.problems
        dropped.update(content.dropped)
    events = _drop_logged_twice(_drop_copies(contents, dropped), dropped)
    return Recording(
        events=sort_events(events),
        sources={one.name: counts[one.name] for one in READERS if counts[one.name]},
        problems=tuple(problems),
        dropped=dict(sorted(dropped.items())),
        unknown=tuple(unknown),
    )


def _find_sources(
    paths: Iterable[Path], given: SessionReader | None, unknown: list[Path], problems: list[Problem]
) -> Iterator[tuple[Path, SessionReader]]:
    seen: set[str] = set()
    for named in paths:
        if not named.exists():
            raise TranscriptError("there is no such file or folder", path=str(named))
        found = 0
        for path in _walk(named, problems):
            real = os.path.realpath(path)
            if real in seen:
                found += 1
                continue
            seen.add(real)
            try:
                reader = given or detect_reader(path)
            except OSError as error:
                problems.append(Problem(str(path), None, f"it cannot be read: {error.strerror or error}"))
                continue
            if reader is not None:
                found += 1
                yield path, reader
            elif path == named:
                raise TranscriptError(f"no reader takes it. Known are {_list_formats()}", path=str(path))
            else:
                unknown.append(path)
        if not found and not any(problem.path.startswith(str(named)) for problem in problems):
            raise TranscriptError(f"nothing in it is a recorded session. Known are {_list_formats()}", path=str(named))


def _walk(named: Path, problems: list[Problem]) -> Iterator[Path]:
    """The path itself, or what may be a source below it, sorted; a folder that is a source is not entered."""
    if not named.is_dir() or opencode.recognise(named, ()):
        yield named
        return

    def note(error: OSError) -> None:
        problems.append(Problem(str(error.filename), None, f"it cannot be listed: {error.strerror or error}"))

    for folder, folders, files in os.walk(named, onerror=note):
        folders.sort()
        for name in [name for name in folders if opencode.recognise(Path(folder, name), ())]:
            folders.remove(name)
            yield Path(folder, name)
        yield from (Path(folder, name) for name in sorted(files) if name.endswith(_ENDINGS))


def _list_formats() -> str:
    return "; ".join(f"{reader.name}: {reader.recognised}" for reader in READERS)


def _drop_copies(contents: Iterable[SessionContent], dropped: Counter[str]) -> list[Event]:
    """The events, a call that several files hold once: resumed and forked sessions copy what came before."""
    seen: set[tuple[object, ...]] = set()
    events: list[Event] = []
    for content in contents:
        for event in content.events:
            key = (type(event), event.reader, event.call)
            if event.call is not None and key in seen:
                dropped[DUPLICATE] += 1
                continue
            seen.add(key)
            events.append(event)
    return events


def _drop_logged_twice(events: Sequence[Event], dropped: Counter[str]) -> list[Event]:
    """The events without those of the engine's log that a transcript tells, too: the same words at the same time."""
    told = [event for event in events if event.reader != enginelog.NAME and event.time is not None]
    searches: dict[str | None, list[Event]] = {}
    for event in told:
        if isinstance(event, Search):
            searches.setdefault(event.query, []).append(event)
    reads: dict[str, list[Read]] = {}
    for event in told:
        if isinstance(event, Read):
            reads.setdefault(event.file.rsplit("/", 1)[-1], []).append(event)
    kept: list[Event] = []
    for event in events:
        twins: Iterable[Event] = ()
        if event.reader == enginelog.NAME and isinstance(event, Search):
            twins = searches.get(event.query, ()) if event.query is not None else ()
        elif event.reader == enginelog.NAME and isinstance(event, Read):
            near = reads.get(event.file.rsplit("/", 1)[-1], ())
            twins = (read for read in near if is_same_file(read.file, event.file))
        if any(_is_same_moment(event, twin) for twin in twins):
            dropped[LOGGED_TWICE] += 1
        else:
            kept.append(event)
    return kept


def _is_same_moment(one: Event, other: Event) -> bool:
    return one.time is not None and other.time is not None and abs(one.time - other.time) <= _SAME_MOMENT


def count_kinds(events: Iterable[Event]) -> dict[str, int]:
    """{search, read, write, turn: how many}."""
    counts = Counter("turn" if isinstance(event, UserTurn) else type(event).__name__.lower() for event in events)
    return {kind: counts[kind] for kind in neutral.KINDS}
