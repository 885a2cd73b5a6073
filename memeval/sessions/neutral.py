"""The neutral form: one event a line of JSON, which anything can write, and what `memeval sessions import` writes.

Every line has `event`, `session`, and, where it is known, `time` (ISO 8601 with its offset). Further keys, all of them
optional but those marked *:

    search   query* (or term_hashes), pattern, tool, where, shown (list of files, in order), matched, shown_bytes,
             store_empty (true or false)
    read     file*, shown_bytes
    write    file*, new (true or false)
    turn     orders_rewording, instruction (true or false); or text, which is looked at and not kept

and for all: `agent` (a sub-agent's id), `id` (copies of one call share it), `batch` (searches sent off together share
it), `began` (when the session began, for events without a time), `reader` and `place` (where it was found). `shown` may
also be called `hits`. A line with another `event` is passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from memeval.sessions.events import (
    DUPLICATE,
    NAMELESS,
    WORDLESS,
    Event,
    Problem,
    Read,
    Search,
    SessionContent,
    UserTurn,
    Write,
)
from memeval.sessions.jsonfiles import Line, as_text, read_lines
from memeval.sessions.memoryfiles import MemoryFiles, normalise_path
from memeval.sessions.prompts import orders_rewording
from memeval.sessions.times import parse_time
from memeval.sessions.transcript import sort_events

NAME = "neutral"
KINDS = ("search", "read", "write", "turn")


def recognise(path: Path, lines: Iterable[Mapping[str, Any]]) -> bool:
    """Whether lines have `event`, one of KINDS, and `session`."""
    return any(line.get("event") in KINDS and "session" in line for line in lines)


def read_neutral(path: Path, memory: MemoryFiles) -> SessionContent:
    """The events of a file in the neutral form; every file in it is one of memory.

    Raises:
        OSError: the file cannot be read.
    """
    lines, problems = read_lines(path)
    events: list[Event] = []
    odd: list[Problem] = []
    dropped: dict[str, int] = {}
    seen: set[tuple[object, ...]] = set()
    for line in lines:
        if line.value.get("event") not in KINDS:
            continue
        event = _read_event(path, line)
        if isinstance(event, Problem):
            odd.append(event)
            continue
        reason = event if isinstance(event, str) else None
        if isinstance(event, Event) and (event.call or event.time):
            key = (type(event), *event.stream, event.call) if event.call else (event,)
            reason = DUPLICATE if key in seen else None
            seen.add(key)
        if isinstance(event, Event) and reason is None:
            events.append(event)
        elif reason is not None:
            dropped[reason] = dropped.get(reason, 0) + 1
    told = sorted((*problems, *odd), key=lambda problem: problem.line or 0)
    return SessionContent(sort_events(events), tuple(told), dropped)


def write_line(event: Event) -> bytes:
    """An event as one line in UTF-8, with its line end; `read_neutral` gives it back."""
    values: dict[str, object] = {"event": _find_kind(event), "session": event.session, "reader": event.reader}
    for key, value in (("time", event.time), ("began", event.began)):
        if value is not None:
            values[key] = value.isoformat()
    texts = (("agent", event.agent), ("id", event.call), ("batch", event.batch), ("place", event.place))
    values.update((key, text) for key, text in texts if text)
    values.update((key, value) for key, value in _list_fields(event) if value is not None)
    return json.dumps(values, ensure_ascii=False, allow_nan=False).encode("utf-8", "backslashreplace") + b"\n"


def _find_kind(event: Event) -> str:
    return {Search: "search", Read: "read", Write: "write", UserTurn: "turn"}[type(event)]


def _list_fields(event: Event) -> Iterable[tuple[str, object]]:
    if isinstance(event, Search):
        return (
            ("tool", event.tool),
            ("query", event.query),
            ("pattern", event.pattern),
            ("term_hashes", event.term_hashes),
            ("where", event.where),
            ("shown", event.shown),
            ("matched", event.matched),
            ("shown_bytes", event.shown_bytes),
            ("store_empty", event.is_store_empty),
        )
    if isinstance(event, Read):
        return (("file", event.file), ("shown_bytes", event.shown_bytes))
    if isinstance(event, Write):
        return (("file", event.file), ("new", event.is_new))
    if isinstance(event, UserTurn):
        return (("orders_rewording", event.orders_rewording), ("instruction", event.is_instruction))
    return ()


def _read_event(path: Path, line: Line) -> Event | Problem | str:
    """The event of a line; else what is wrong with it, or why it is none."""
    value, kind = line.value, line.value["event"]
    session = as_text(value.get("session"))
    if session is None:
        return Problem(str(path), line.number, f"session {value.get('session')!r} is no text")
    time, began = parse_time(value.get("time")), parse_time(value.get("began"))
    if time is None and value.get("time") is not None:
        return Problem(str(path), line.number, f"time {value.get('time')!r} is no ISO 8601 time")
    common: dict[str, Any] = {
        "reader": as_text(value.get("reader")) or NAME,
        "session": session,
        "agent": as_text(value.get("agent")),
        "time": time,
        "began": began,
        "place": as_text(value.get("place")) or f"{path}:{line.number}",
        "call": as_text(value.get("id")),
        "batch": as_text(value.get("batch")),
    }
    if kind == "turn":
        text = as_text(value.get("text"))
        orders = value.get("orders_rewording") is True or (text is not None and orders_rewording(text))
        return UserTurn(**common, orders_rewording=orders, is_instruction=value.get("instruction") is True)
    if kind == "search":
        query, hashes = as_text(value.get("query")), _as_texts(value.get("term_hashes"))
        if not (query and query.strip()) and hashes is None:
            return WORDLESS
        shown = _as_texts(value.get("shown", value.get("hits")))
        return Search(
            **common,
            tool=as_text(value.get("tool")) or "search",
            query=query,
            pattern=as_text(value.get("pattern")),
            term_hashes=hashes,
            where=as_text(value.get("where")),
            shown=None if shown is None else tuple(map(normalise_path, shown)),
            matched=_as_count(value.get("matched")),
            shown_bytes=_as_count(value.get("shown_bytes")),
            is_store_empty=_as_truth(value.get("store_empty")),
        )
    file = as_text(value.get("file"))
    if not file:
        return NAMELESS
    if kind == "write":
        return Write(**common, file=normalise_path(file), is_new=_as_truth(value.get("new")))
    return Read(**common, file=normalise_path(file), shown_bytes=_as_count(value.get("shown_bytes")))


def _as_texts(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return None
    return tuple(value)


def _as_count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _as_truth(value: object) -> bool | None:
    return value if isinstance(value, bool) else None
