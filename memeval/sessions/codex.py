"""Codex's rollouts: `sessions/YYYY/MM/DD/rollout-*.jsonl`, and flat in `archived_sessions/`.

A line has `timestamp`, `type` and `payload`. Two logs stand interleaved: `response_item` (messages, `function_call`
with `arguments` as a text of JSON, `function_call_output`, custom tools) and `event_msg` (`user_message`,
`exec_command_end`, …), so that prompts and answers come twice. Older files have the payloads without the wrapping.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from memeval.sessions.answers import Answer
from memeval.sessions.events import SessionContent, UserTurn
from memeval.sessions.jsonfiles import Line, as_mapping, as_text, parse_json, read_content, read_lines
from memeval.sessions.memoryfiles import MemoryFiles
from memeval.sessions.times import parse_time
from memeval.sessions.transcript import Call, Transcript

NAME = "codex"
_WRAPPERS = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_ANSWERS = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output"})
_BARE = frozenset({"message", "reasoning"}) | _CALLS | _ANSWERS
_NOT_TYPED = ("<environment_context>", "<turn_aborted>", "<permissions instructions>")
_INSTRUCTIONS = ("<user_instructions>", "# AGENTS.md instructions")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)", re.MULTILINE)
_OUTPUT = re.compile(r"^(?:Total output lines: .*\n+)?Output:\n", re.MULTILINE)


def recognise(path: Path, lines: Iterable[Mapping[str, Any]]) -> bool:
    """Whether lines have a payload and a type of these, or the file is called `rollout-…` and has lines at all."""
    return any(
        (line.get("type") in _WRAPPERS and isinstance(line.get("payload"), dict))
        or (path.name.startswith("rollout-") and (line.get("type") in _BARE or "instructions" in line))
        for line in lines
    )


def read_codex(path: Path, memory: MemoryFiles) -> SessionContent:
    """The events of one rollout; see Transcript for what is dropped.

    Raises:
        OSError: the file cannot be read.
    """
    lines, problems = read_lines(path)
    rollout = _Rollout(path, Transcript(NAME, memory))
    for line in lines:
        rollout.add(line)
    return rollout.transcript.finish(problems)


@dataclass(slots=True)
class _Rollout:
    """One file as far as it is read."""

    path: Path
    transcript: Transcript
    session: str = ""
    agent: str | None = None
    folder: str | None = None
    batch: int = 0
    is_answered: bool = False
    """An answer has come since the last call: the next call begins a new batch."""
    said: set[str] = field(default_factory=set)
    """Prompts since anything else was said; a second copy of one is none."""

    def __post_init__(self) -> None:
        name = _UUID.search(self.path.stem)
        self.session = name.group() if name else self.path.stem

    def add(self, line: Line) -> None:
        kind, payload = as_text(line.value.get("type")), as_mapping(line.value.get("payload"))
        if not payload and (kind in _BARE or kind is None):
            kind, payload = "response_item" if kind else "session_meta", line.value
        time = parse_time(line.value.get("timestamp"))
        if kind == "session_meta":
            self._begin(payload, line, time)
        elif kind == "turn_context":
            self.folder = as_text(payload.get("cwd")) or self.folder
        elif kind == "response_item":
            self._add_item(payload, line, time)
        elif kind == "event_msg" and payload.get("type") == "user_message":
            self._add_prompt(as_text(payload.get("message")), line, time)
        elif kind == "event_msg" and payload.get("type") == "exec_command_end":
            self._add_end(payload)

    def _begin(self, payload: Mapping[str, Any], line: Line, time: datetime | None) -> None:
        own = as_text(payload.get("id")) or self.session
        spawned = as_mapping(payload.get("source")).get("subagent")
        parents = [as_text(as_mapping(part).get("parent_thread_id")) for part in as_mapping(spawned).values()]
        parent = next((name for name in parents if name), None)
        self.session, self.agent = (parent or own, own) if spawned else (own, None)
        self.folder = as_text(payload.get("cwd")) or self.folder
        base = payload.get("base_instructions")
        for text in (payload.get("instructions"), base, as_mapping(base).get("text")):
            self._add_turn(as_text(text), line, time, is_instruction=True)

    def _add_item(self, payload: Mapping[str, Any], line: Line, time: datetime | None) -> None:
        kind, key = payload.get("type"), as_text(payload.get("call_id")) or as_text(payload.get("id"))
        if kind == "message" and payload.get("role") == "user":
            self._add_prompt(read_content(payload.get("content")), line, time)
            return
        if kind == "message" and payload.get("role") in ("developer", "system"):
            self._add_turn(read_content(payload.get("content")), line, time, is_instruction=True)
            return
        if kind != "reasoning":
            self.said.clear()
        if kind in _CALLS and key:
            self._add_call(key, payload, line, time)
        elif kind in _ANSWERS and key:
            self.is_answered = True
            self.transcript.add_answer(key, _read_output(payload.get("output")))

    def _add_call(self, key: str, payload: Mapping[str, Any], line: Line, time: datetime | None) -> None:
        if self.is_answered:
            self.batch, self.is_answered = self.batch + 1, False
        written = payload.get("arguments")
        arguments = as_mapping(parse_json(written) if isinstance(written, str) else written)
        if payload.get("type") == "custom_tool_call":
            arguments = {"input": payload.get("input")}
        elif payload.get("type") == "local_shell_call":
            arguments = as_mapping(payload.get("action"))
        self.transcript.add_call(
            Call(
                key=key,
                session=self.session,
                agent=self.agent,
                time=time,
                place=f"{self.path}:{line.number}",
                batch=f"{self.session}:{self.agent or ''}:{self.batch}",
                folder=as_text(arguments.get("workdir")) or self.folder,
                name=as_text(payload.get("name")) or "shell",
                arguments=arguments,
            )
        )

    def _add_end(self, payload: Mapping[str, Any]) -> None:
        key, code = as_text(payload.get("call_id")), payload.get("exit_code")
        if key:
            self.is_answered = True
            text = as_text(payload.get("aggregated_output")) or as_text(payload.get("stdout"))
            self.transcript.add_answer(key, Answer(text=text or "", exit_code=code if isinstance(code, int) else None))

    def _add_prompt(self, text: str | None, line: Line, time: datetime | None) -> None:
        if text and not text.startswith(_NOT_TYPED):
            self._add_turn(text, line, time, is_instruction=text.startswith(_INSTRUCTIONS))

    def _add_turn(self, text: str | None, line: Line, time: datetime | None, *, is_instruction: bool) -> None:
        if not text or text in self.said:
            return
        self.said.add(text)
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        turn = UserTurn(
            reader=NAME,
            session=self.session,
            agent=self.agent,
            time=time,
            place=f"{self.path}:{line.number}",
            is_instruction=is_instruction or self.agent is not None,
        )
        self.transcript.add_turn(f"{line.value.get('timestamp')}:{digest}", text, turn)


def _read_output(output: object) -> Answer:
    """An answer as it is written for the model: plain, with a heading about the process, or JSON with either in it."""
    values = as_mapping(parse_json(output) if isinstance(output, str) and output.lstrip()[:1] == "{" else output)
    text = as_text(values.get("output")) or as_text(values.get("content")) or as_text(output) or read_content(output)
    code = as_mapping(values.get("metadata")).get("exit_code")
    is_error = values.get("success") is False
    head = _EXIT.search(text or "")
    if head is not None and text is not None and (body := _OUTPUT.search(text, head.end())):
        code, text = int(head[1]), text[body.end() :]
    if text is None and values:
        text = ""
    return Answer(text=text, is_error=is_error, exit_code=code if isinstance(code, int) else None)
