"""Whether the file finally read was there before the first search, and who says so."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from enum import Enum
from pathlib import Path

from memeval.sessions.episodes import RecordedNeed
from memeval.sessions.events import Event, Read, Search, Write
from memeval.sessions.memoryfiles import is_same_file, normalise_path

_GIT_SECONDS = 60


class Evidence(str, Enum):
    """Who says when a file was there; the first that can tell is believed."""

    EVENTS = "events"
    """It was written, shown or read in a recording before; or written as a new file only later."""
    GIT = "git"
    """It was committed before, in the history of the store."""
    MTIME = "mtime"
    """It was last modified before, and is there still."""


@dataclass(frozen=True, slots=True)
class Existence:
    """An answer and its source."""

    value: bool | None
    """Whether the file existed before the first search; None where nothing tells."""
    evidence: Evidence | None


UNKNOWN = Existence(None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreHistory:
    """When the files of stores were there, from outside the recordings; paths are normalised and absolute."""

    committed: Mapping[str, datetime] = field(default_factory=dict)
    """{file: when the first commit that has it was made}."""
    modified: Mapping[str, datetime] = field(default_factory=dict)
    """{file: when it was last modified}."""
    problems: tuple[str, ...] = ()

    def first(self) -> datetime | None:
        """The earliest time at which any file is known to have been there; None without any."""
        return min((*self.committed.values(), *self.modified.values()), default=None)


def read_history(roots: Sequence[Path]) -> StoreHistory:
    """What the stores themselves tell: their git history, and the times of their files.

    A commit's own date counts, not its author's, which a rewritten history keeps: it errs towards later. A store
    without a history of git, or on a machine without git, has none here.

    Raises:
        OSError: a folder that cannot be listed.
    """
    committed: dict[str, datetime] = {}
    modified: dict[str, datetime] = {}
    problems: list[str] = []
    for root in roots:
        for path in sorted(root.rglob("*.md")):
            if path.is_file():
                modified[normalise_path(str(path.absolute()))] = _from_seconds(path.stat().st_mtime)
        committed.update(_read_git(root.absolute(), problems))
    return StoreHistory(committed=committed, modified=modified, problems=tuple(problems))


def judge_existence(
    needs: Iterable[RecordedNeed], events: Sequence[Event], history: StoreHistory | None = None
) -> dict[str, Existence]:
    """{id of a need: whether the file finally read existed before its first search} of every need with an answer.

    Args:
        needs: found in the events.
        events: all of them, also of other sessions: what one writes another finds.
        history: what the stores tell.
    """
    places: dict[Event, int] = {}
    by_name: dict[str, list[tuple[int, Event]]] = {}
    for place, event in enumerate(events):
        places.setdefault(event, place)
        for file in _list_files(event):
            by_name.setdefault(_find_name(file), []).append((place, event))
    history = history or StoreHistory()
    found: dict[str, Existence] = {}
    for need in needs:
        answer, first = need.answer, need.attempts[0].search
        if answer is not None:
            told = [pair for pair in by_name.get(_find_name(answer), ()) if _tells_of(pair[1], answer)]
            found[need.id] = _judge(answer, first, places[first], told, history)
    return found


def _judge(file: str, first: Search, start: int, told: Iterable[tuple[int, Event]], history: StoreHistory) -> Existence:
    is_created_later = False
    for place, event in told:
        if event.stream == first.stream:
            is_before: bool | None = place < start
        elif event.time is None or first.time is None:
            is_before = None
        else:
            is_before = event.time < first.time
        if is_before:
            return Existence(True, Evidence.EVENTS)
        is_created_later |= is_before is False and isinstance(event, Write) and event.is_new is True
    moment = first.time or first.began
    if moment is not None:
        for times, evidence in ((history.committed, Evidence.GIT), (history.modified, Evidence.MTIME)):
            if any(is_same_file(file, path) and time <= moment for path, time in times.items()):
                return Existence(True, evidence)
    return Existence(False, Evidence.EVENTS) if is_created_later else UNKNOWN


def _list_files(event: Event) -> tuple[str, ...]:
    """The files an event shows to have been there, then or from then on."""
    if isinstance(event, Search):
        return event.shown or ()
    return (event.file,) if isinstance(event, Read | Write) else ()


def _find_name(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def _tells_of(event: Event, file: str) -> bool:
    return any(is_same_file(file, other) for other in _list_files(event))


def _read_git(root: Path, problems: list[str]) -> dict[str, datetime]:
    """{file: when the first commit that has it was made} of the files below a folder."""
    command = ["git", "-C", str(root), "-c", "core.quotePath=false", "log", "--no-renames", "--diff-filter=A"]
    command += ["--relative", "--name-only", "--format=%x00%ct", "-z", "--", "."]
    try:
        run = subprocess.run(command, capture_output=True, timeout=_GIT_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        problems.append(f"{root}: its git history cannot be read: {error}")
        return {}
    if run.returncode != 0:
        message = run.stderr.decode("utf-8", "replace").strip().splitlines()
        if message and "not a git repository" not in message[0]:
            problems.append(f"{root}: its git history cannot be read: {message[0]}")
        return {}
    found: dict[str, datetime] = {}
    moment: datetime | None = None
    for part in run.stdout.decode("utf-8", "replace").split("\x00"):
        text = part.strip("\n")
        if text.isascii() and text.isdigit():
            moment = _from_seconds(int(text))
        elif text and moment is not None:
            path = normalise_path(f"{root}/{text}")
            found[path] = min(moment, found.get(path, moment))
    return found


def _from_seconds(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, timezone.utc)
