"""Calls and their answers, gathered line by line, into events. The same rules for every format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memeval.memory.searchlog import redact
from memeval.sessions.answers import Answer, is_failure, read_answer
from memeval.sessions.events import (
    DUPLICATE,
    ELSEWHERE,
    FAILED,
    NAMELESS,
    UNANSWERED,
    WORDLESS,
    Event,
    Problem,
    Read,
    Search,
    SessionContent,
    UserTurn,
    Write,
)
from memeval.sessions.memoryfiles import MemoryFiles, normalise_path
from memeval.sessions.prompts import orders_rewording
from memeval.sessions.tools import ToolUse, describe_call
from memeval.text import cut_utf8, utf8_length

MAX_QUERY_BYTES = 4096
"""Of a longer query the beginning is kept, as the engine's log does."""
_WILD = frozenset("*?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a tool, as a line of a transcript states it."""

    key: str
    """What its answer names; and two lines with one key are copies of one call."""
    session: str
    place: str
    name: str
    arguments: Mapping[str, Any]
    agent: str | None = None
    time: datetime | None = None
    began: datetime | None = None
    batch: str | None = None
    folder: str | None = None
    """The agent's working directory."""
    is_answer_kept: bool = True
    """Whether the format keeps answers to such calls; where not, each call counts as answered."""


@dataclass(slots=True)
class Transcript:
    """Gathers what a reader finds. A reader adds lines in the order of the file; nothing is lost without being counted.

    Of several copies of a call the last before its answer holds, since streamed copies grow; of an answer the first.
    Only what was answered becomes an event, so that a transcript cut off anywhere has no event the whole one lacks.
    """

    reader: str
    memory: MemoryFiles
    _calls: dict[str, Call] = field(default_factory=dict)
    _answers: dict[str, Answer] = field(default_factory=dict)
    _turns: dict[str, UserTurn] = field(default_factory=dict)
    _order: dict[tuple[str, str], int] = field(default_factory=dict)
    _dropped: Counter[str] = field(default_factory=Counter)

    def add_call(self, call: Call) -> None:
        """Note a call, or a further copy of one."""
        known = self._calls.get(call.key)
        if known is None:
            self._order["call", call.key] = len(self._order)
            self._calls[call.key] = call
            return
        self._dropped[DUPLICATE] += 1
        if call.key not in self._answers:
            self._calls[call.key] = replace(call, time=known.time, place=known.place, batch=known.batch)

    def add_answer(self, key: str, answer: Answer) -> None:
        """Note the answer to a call, which may stand before it."""
        if key in self._answers:
            self._dropped[DUPLICATE] += 1
        else:
            self._answers[key] = answer

    def add_turn(self, key: str, text: str, turn: UserTurn) -> None:
        """Note a prompt, of whose text only this is kept: whether it orders rewording."""
        if key in self._turns:
            self._dropped[DUPLICATE] += 1
            return
        self._order["turn", key] = len(self._order)
        self._turns[key] = replace(turn, reader=self.reader, call=key, orders_rewording=orders_rewording(text))

    def finish(self, problems: Iterable[Problem] = ()) -> SessionContent:
        """The events, in order, and what was left out."""
        events: list[Event] = []
        for kind, key in self._order:
            if kind == "turn":
                events.append(self._turns[key])
            else:
                events += self._read_call(self._calls[key])
        return SessionContent(sort_events(events), tuple(problems), dict(self._dropped))

    def _read_call(self, call: Call) -> list[Event]:
        uses = describe_call(call.name, call.arguments)
        found: list[tuple[ToolUse, tuple[str, ...]]] = []
        for use in uses:
            paths = _find_places(use, call.folder)
            if use.is_memory_tool or any(map(self.memory.holds, paths)):
                found.append((use, paths))
            else:
                self._dropped[ELSEWHERE] += 1
        answer = self._answers.get(call.key) or (None if call.is_answer_kept else Answer())
        if found and answer is None:
            self._dropped[UNANSWERED] += len(found)
            return []
        events: list[Event] = []
        for place, (use, paths) in enumerate(found):
            if answer is None or is_failure(use, answer):
                self._dropped[FAILED] += 1
                continue
            own = call.key if place == 0 else f"{call.key}#{place}"
            event = self._make_event(call, own, use, paths, answer)
            if isinstance(event, str):
                self._dropped[event] += 1
            else:
                events.append(event)
        return events

    def _make_event(self, call: Call, key: str, use: ToolUse, paths: tuple[str, ...], answer: Answer) -> Event | str:
        """The event, or why there is none."""
        common: dict[str, Any] = {
            "reader": self.reader,
            "session": call.session,
            "agent": call.agent,
            "time": call.time,
            "began": call.began,
            "place": call.place,
            "call": key,
            "batch": call.batch,
        }
        if use.kind == "search":
            if use.query is None:
                return WORDLESS
            found = read_answer(use, answer, () if use.is_memory_tool else paths, self.memory)
            return Search(
                **common,
                tool=use.tool,
                query=cut_utf8(redact(use.query), MAX_QUERY_BYTES),
                pattern=None if use.pattern is None else cut_utf8(redact(use.pattern), MAX_QUERY_BYTES),
                where=" ".join(paths) or None,
                shown=found.shown,
                matched=found.matched,
                shown_bytes=found.shown_bytes,
                is_store_empty=found.is_store_empty,
            )
        if use.file is None or _WILD & set(use.file):
            return NAMELESS
        if use.kind == "write":
            return Write(**common, file=paths[0], is_new=use.is_new if answer.is_new is None else answer.is_new)
        size = None if answer.text is None else utf8_length(answer.text)
        return Read(**common, file=paths[0], shown_bytes=size)


def _find_places(use: ToolUse, folder: str | None) -> tuple[str, ...]:
    """The normalised paths a call reaches; of a search that names none the folder it begins in."""
    if use.is_memory_tool:
        written = use.where if use.kind == "search" else (use.file,) if use.file else ()
        return tuple(normalise_path(path) for path in written)
    start = normalise_path(use.folder, folder) if use.folder else folder
    written = use.where if use.kind == "search" else (use.file,) if use.file else ()
    if not written and use.kind == "search" and start:
        return (normalise_path(start),)
    return tuple(normalise_path(path, start) for path in written)


def sort_events(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events by stream, within each in order of time, then as they stand; one without a time stays behind the one
    before it."""
    latest: dict[tuple[str, str, str], float] = {}
    keyed: list[tuple[tuple[str, str, str], float, int, Event]] = []
    for place, event in enumerate(events):
        if event.time is not None:
            latest[event.stream] = event.time.timestamp()
        keyed.append((event.stream, latest.get(event.stream, float("-inf")), place, event))
    return tuple(event for *_, event in sorted(keyed, key=lambda item: item[:3]))
