"""zerostack's sessions: `sessions/<id>.json`, one object that is written anew as a whole.

It has `id`, `created_at`, `working_dir` and `messages`: `{role, content, tool}` with the roles user, assistant, system,
`tool_call` (`tool` is `{id, name, args}`), `tool_result` (`{call_id, name, truncated}`; the text stands in `content`
after `name:`), and `subagent_tool_call` (`{parent_call_id, name, args}`), whose answers are not kept. Messages have no
time. Older files have no `tool`: the call is read from its summary (`memory_search …`, `read PATH`), and the next
result is its answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memeval.sessions.answers import Answer
from memeval.sessions.events import SessionContent, UserTurn
from memeval.sessions.jsonfiles import as_mapping, as_text, read_listing
from memeval.sessions.memoryfiles import MemoryFiles
from memeval.sessions.times import parse_time
from memeval.sessions.transcript import Call, Transcript

NAME = "zerostack"
_KEYS = frozenset({"working_dir", "compactions", "next_tool_call_id"})
_FAILURES = ("error:", "tool error", "failed to ", "denied", "permission denied")


def recognise(path: Path, lines: Iterable[Mapping[str, Any]]) -> bool:
    """Whether it is a JSON file whose object has `messages` with roles, and another key of such sessions there or in
    the messages."""
    if path.suffix != ".json" or path.is_dir():
        return False
    head, items, _ = read_listing(path, "messages")
    messages = [as_mapping(item) for item in items]
    is_known = bool(_KEYS & set(head)) or any("estimated_tokens" in message for message in messages)
    return is_known and all("role" in message for message in messages)


def read_zerostack(path: Path, memory: MemoryFiles) -> SessionContent:
    """The events of one session; see Transcript for what is dropped.

    Raises:
        OSError: the file cannot be read.
    """
    head, items, problem = read_listing(path, "messages")
    transcript = Transcript(NAME, memory)
    file = _File(
        path=path,
        session=as_text(head.get("id")) or path.stem,
        began=parse_time(head.get("created_at")),
        folder=as_text(head.get("working_dir")),
    )
    batch, is_answered = 0, False
    unanswered: list[str] = []
    for number, item in enumerate(items, start=1):
        message, place = as_mapping(item), f"{path}:messages[{number - 1}]"
        role, content = message.get("role"), as_text(message.get("content")) or ""
        tool = as_mapping(message.get("tool"))
        if role in ("user", "system") and content:
            turn = UserTurn(
                reader=NAME,
                session=file.session,
                began=file.began,
                place=place,
                is_instruction=role == "system",
            )
            transcript.add_turn(f"{file.session}:message-{number}", content, turn)
        elif role in ("tool_call", "subagent_tool_call"):
            if is_answered:
                batch, is_answered = batch + 1, False
            name, arguments = _read_call(tool, content)
            if role == "tool_call":
                key = f"{file.session}:{tool.get('id', f'message-{number}')}"
                transcript.add_call(file.make_call(key, place, name, arguments, f"{file.session}:{batch}"))
                unanswered += [] if "id" in tool else [key]
                continue
            parent = tool.get("parent_call_id", "?")
            key = f"{file.session}:sub-{parent}-message-{number}"
            transcript.add_call(file.make_call(key, place, name, arguments, key, agent=f"call-{parent}"))
        elif role == "tool_result":
            is_answered = True
            text = content.partition("\n")[2] if content.partition("\n")[0].endswith(":") else content
            key = f"{file.session}:{tool['call_id']}" if "call_id" in tool else (unanswered or [""]).pop(0)
            if key:
                is_error = text.lstrip().lower().startswith(_FAILURES)
                transcript.add_answer(key, Answer(text=text, is_error=is_error))
    return transcript.finish([problem] if problem else [])


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """What is true of the whole file."""

    path: Path
    session: str
    began: datetime | None
    folder: str | None

    def make_call(
        self, key: str, place: str, name: str, arguments: Mapping[str, Any], batch: str, agent: str | None = None
    ) -> Call:
        return Call(
            key=key,
            session=self.session,
            agent=agent,
            began=self.began,
            place=place,
            batch=batch,
            folder=self.folder,
            name=name,
            arguments=arguments,
            is_answer_kept=agent is None,
        )


def _read_call(tool: Mapping[str, Any], content: str) -> tuple[str, Mapping[str, Any]]:
    """(name, arguments) of a call; without `tool` as far as its summary tells them."""
    name = as_text(tool.get("name"))
    if name is not None:
        return name, as_mapping(tool.get("args"))
    name, _, rest = content.strip().partition(" ")
    if name == "grep":
        pattern, blank, place = rest.rpartition(" ")
        return name, {"pattern": pattern if blank else rest, **({"path": place} if blank else {})}
    return name, {"query": rest} if "search" in name else dict.fromkeys(("path", "command", "source"), rest)
