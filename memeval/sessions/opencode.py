"""opencode's sessions: the database `opencode.db`, or of older versions the folder `storage`.

The database has the tables `session` (`id`, `parent_id`, `directory`), `message` and `part`, whose `data` is JSON; the
folder has the same as files: `session/<project>/<id>.json`, `message/<session>/<id>.json`, `part/<message>/<id>.json`.
A part of type `tool` holds call and answer: `tool`, `callID` and `state` with `status`, `input`, `output`, `metadata`.
A session with a parent is a sub-agent's.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memeval.sessions.answers import Answer
from memeval.sessions.events import Problem, SessionContent, UserTurn
from memeval.sessions.jsonfiles import as_mapping, as_text, parse_json
from memeval.sessions.memoryfiles import MemoryFiles
from memeval.sessions.times import parse_time
from memeval.sessions.transcript import Call, Transcript

NAME = "opencode"
_SQLITE = b"SQLite format 3\x00"
_MESSAGES, _PARTS, _SESSIONS = "message", "part", "session"


def recognise(path: Path, lines: Iterable[Mapping[str, Any]]) -> bool:
    """Whether it is a folder with `message` and `part` in it, or a database of SQLite called `opencode….db`."""
    if path.is_dir():
        return (path / _MESSAGES).is_dir() and (path / _PARTS).is_dir()
    if not path.name.startswith("opencode") or path.suffix != ".db":
        return False
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def read_opencode(path: Path, memory: MemoryFiles) -> SessionContent:
    """The events of a database or of a storage folder; see Transcript for what is dropped.

    The database is opened to be read only.

    Raises:
        OSError: the file cannot be read.
    """
    rows = _read_folder(path) if path.is_dir() else _read_database(path)
    transcript = Transcript(NAME, memory)
    parts: dict[str, list[_Row]] = {}
    for row in sorted(rows.parts, key=lambda row: row.order):
        parts.setdefault(row.parent, []).append(row)
    for message in sorted(rows.messages, key=lambda row: row.order):
        _add_message(transcript, message, parts.get(message.id, []), rows.sessions)
    return transcript.finish(rows.problems)


@dataclass(frozen=True, slots=True)
class _Row:
    """A message or a part."""

    id: str
    parent: str
    """The session of a message, the message of a part."""
    created: float
    data: Mapping[str, Any]
    place: str

    @property
    def order(self) -> tuple[float, str]:
        return self.created, self.id


@dataclass(slots=True)
class _Rows:
    sessions: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    messages: list[_Row] = field(default_factory=list)
    parts: list[_Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def _add_message(
    transcript: Transcript, message: _Row, parts: list[_Row], sessions: Mapping[str, Mapping[str, Any]]
) -> None:
    session, agent = _find_chain(message.parent, sessions)
    if message.data.get("role") == "user":
        texts = [
            text
            for part in parts
            if part.data.get("type") == "text"
            and part.data.get("synthetic") is not True
            and (text := as_text(part.data.get("text")))
        ]
        if texts:
            turn = UserTurn(
                reader=NAME,
                session=session,
                agent=agent,
                time=parse_time(message.created),
                place=message.place,
                is_instruction=agent is not None,
            )
            transcript.add_turn(message.id, "\n".join(texts), turn)
        return
    step = 0
    own = as_mapping(sessions.get(message.parent))
    folder = as_text(as_mapping(message.data.get("path")).get("cwd")) or as_text(own.get("directory"))
    for part in parts:
        step += part.data.get("type") == "step-start"
        name, state = as_text(part.data.get("tool")), as_mapping(part.data.get("state"))
        if part.data.get("type") != "tool" or not name:
            continue
        key = as_text(part.data.get("callID")) or part.id
        transcript.add_call(
            Call(
                key=key,
                session=session,
                agent=agent,
                time=parse_time(as_mapping(state.get("time")).get("start"))
                or parse_time(part.created)
                or parse_time(message.created),
                place=part.place,
                batch=f"{message.id}:{step}",
                folder=folder,
                name=name,
                arguments=as_mapping(state.get("input")),
            )
        )
        answer = _read_state(state)
        if answer is not None:
            transcript.add_answer(key, answer)


def _read_state(state: Mapping[str, Any]) -> Answer | None:
    """The answer a tool part holds; None while it is pending or running."""
    if state.get("status") == "error":
        return Answer(text=as_text(state.get("error")) or "", is_error=True)
    if state.get("status") != "completed":
        return None
    metadata = as_mapping(state.get("metadata"))
    existed, code = metadata.get("exists"), metadata.get("exit")
    return Answer(
        text=as_text(state.get("output")) or "",
        exit_code=code if isinstance(code, int) else None,
        is_new=not existed if isinstance(existed, bool) else None,
    )


def _find_chain(session: str, sessions: Mapping[str, Mapping[str, Any]]) -> tuple[str, str | None]:
    """(the session a person began, the sub-agent's own or None)."""
    place, seen = session, {session}
    while True:
        values = as_mapping(sessions.get(place))
        parent = as_text(values.get("parentID")) or as_text(values.get("parent_id"))
        if parent is None or parent in seen:
            return place, None if place == session else session
        seen.add(parent)
        place = parent


def _read_folder(root: Path) -> _Rows:
    rows = _Rows()
    for path in sorted((root / _SESSIONS).glob("*/*.json")):
        value = _read_file(path, rows.problems)
        rows.sessions[as_text(value.get("id")) or path.stem] = value
    for kind, target in ((_MESSAGES, rows.messages), (_PARTS, rows.parts)):
        for path in sorted((root / kind).glob("*/*.json")):
            value = _read_file(path, rows.problems)
            # parts have no time of their own here; their ids rise with it
            created = _number(as_mapping(value.get("time")).get("created")) if kind == _MESSAGES else 0.0
            if value:
                own = as_text(value.get("id")) or path.stem
                target.append(_Row(own, path.parent.name, created, value, str(path)))
    return rows


def _read_file(path: Path, problems: list[Problem]) -> Mapping[str, Any]:
    try:
        value = parse_json(path.read_bytes().decode("utf-8", "replace"))
    except OSError as error:
        problems.append(Problem(str(path), None, f"it cannot be read: {error.strerror or error}"))
        return {}
    if not isinstance(value, dict):
        reason = "not JSON: cut off" if value is None else "not a JSON object"
        problems.append(Problem(str(path), None, reason, is_tail=value is None))
        return {}
    return value


def _read_database(path: Path) -> _Rows:
    path.open("rb").close()  # sqlite would say no more than "unable to open"
    rows = _Rows()
    # a database in use keeps its newest rows in a second file; one that is not is left wholly untouched
    mode = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "immutable=1"
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True)) as database:
            database.text_factory = lambda data: data.decode("utf-8", "replace")
            for session, parent, folder in _select(database, path, rows, "id, parent_id, directory", _SESSIONS):
                rows.sessions[str(session)] = {"parent_id": parent, "directory": folder}
            for kind, parent_key, target in (
                (_MESSAGES, "session_id", rows.messages),
                (_PARTS, "message_id", rows.parts),
            ):
                columns = f"id, {parent_key}, time_created, data"
                for own, parent, created, data in _select(database, path, rows, columns, kind):
                    value = parse_json(data) if isinstance(data, str) else None
                    place = f"{path}:{kind} {own}"
                    if isinstance(value, dict):
                        target.append(_Row(str(own), str(parent), _number(created), value, place))
                    else:
                        rows.problems.append(Problem(place, None, "its data is no JSON object"))
    except sqlite3.Error as error:
        rows.problems.append(Problem(str(path), None, f"it cannot be opened as a database: {error}"))
    return rows


def _select(
    database: sqlite3.Connection, path: Path, rows: _Rows, columns: str, table: str
) -> Iterator[tuple[Any, ...]]:
    """The rows of a table, as many as can be read."""
    try:
        yield from database.execute(f"SELECT {columns} FROM {table}")
    except sqlite3.Error as error:
        rows.problems.append(Problem(str(path), None, f"table {table}: {error}"))


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0
