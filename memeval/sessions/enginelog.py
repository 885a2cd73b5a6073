"""The engine's own search log: `searchlog.jsonl` under the root of a store, and `searchlog.jsonl.1`, the part before.

It names no session: a new one begins, for each project, after half an hour without an event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from memeval.errors import UnreadableFileError
from memeval.memory.searchlog import LogEvent, read_search_log
from memeval.sessions.events import DUPLICATE, FAILED, Event, Problem, Read, Search, SessionContent
from memeval.sessions.memoryfiles import MemoryFiles
from memeval.sessions.transcript import sort_events

NAME = "search-log"
SESSION_GAP = timedelta(minutes=30)


def recognise(path: Path, lines: Iterable[Mapping[str, Any]]) -> bool:
    """Whether lines have a `kind` of search or read and the list `shown`."""
    return any(line.get("kind") in ("search", "read") and isinstance(line.get("shown"), list) for line in lines)


def read_engine_log(path: Path, memory: MemoryFiles) -> SessionContent:
    """The events of a log, and of the older part beside it; every file in it is one of memory.

    Raises:
        OSError: the log cannot be read.
    """
    older = path.with_name(f"{path.name}.1")
    problems: list[Problem] = []
    found: list[tuple[LogEvent, str]] = []
    for part in (older, path):
        if part == path or part.is_file():
            found += _read_part(part, problems)
    unique: dict[bytes, tuple[LogEvent, str]] = {}
    for event, place in found:
        unique.setdefault(event.to_line(), (event, place))
    ordered = sorted(unique.values(), key=lambda pair: pair[0].time)
    events: list[Event] = []
    latest: dict[str, tuple[datetime, str]] = {}
    for event, place in ordered:
        scope = event.scope or ""
        last, session = latest.get(scope, (None, ""))
        if last is None or event.time - last > SESSION_GAP:
            session = f"{scope or path.stem} {event.time.isoformat(timespec='seconds')}"
        latest[scope] = event.time, session
        if event.kind == "search" or event.shown:
            events.append(_make_event(event, session, place))
    counts = {DUPLICATE: len(found) - len(unique), FAILED: len(unique) - len(events)}
    return SessionContent(sort_events(events), tuple(problems), {name: n for name, n in counts.items() if n})


def _read_part(path: Path, problems: list[Problem]) -> Iterator[tuple[LogEvent, str]]:
    """(event, `path:line`) of each event."""
    try:
        events, found = read_search_log(path)
        pieces = path.read_bytes().split(b"\n")
    except UnreadableFileError as error:
        raise OSError(str(error)) from error
    broken: set[int] = set()
    for problem in found:
        written, _, reason = problem.removeprefix(f"{path}:").partition(": ")
        number = int(written)
        broken.add(number)
        reason = reason.split(" (the line has no end")[0]
        problems.append(Problem(str(path), number, reason, is_tail=number == len(pieces)))
    whole = [number for number, piece in enumerate(pieces, start=1) if piece.strip() and number not in broken]
    for event, number in zip(events, whole, strict=True):
        yield event, f"{path}:{number}"


def _make_event(event: LogEvent, session: str, place: str) -> Event:
    if event.kind == "read":
        return Read(
            reader=NAME,
            session=session,
            time=event.time,
            place=place,
            file=event.shown[0],
            shown_bytes=event.shown_bytes,
        )
    return Search(
        reader=NAME,
        session=session,
        time=event.time,
        place=place,
        tool="memory_search",
        query=event.query,
        term_hashes=event.term_hashes,
        where=event.scope,
        shown=event.shown,
        matched=event.matched,
        shown_bytes=event.shown_bytes,
    )
