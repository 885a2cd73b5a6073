"""Claude Code's transcripts: `projects/<folder>/<session>.jsonl`, sub-agents' in `<session>/subagents/agent-*.jsonl`.

A line has `type`, `uuid`, `parentUuid`, `sessionId`, `timestamp`, `cwd`, `isSidechain`, `isMeta` and a `message` whose
`content` is a text or a list of blocks: `tool_use` in what the assistant says, `tool_result` in a later line of the
user. Several lines may share one `message.id`; resumed sessions copy lines of older ones. The format is internal to
that program and may change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from memeval.sessions.answers import Answer
from memeval.sessions.events import SessionContent, UserTurn
from memeval.sessions.jsonfiles import Line, as_list, as_mapping, as_text, read_content, read_lines
from memeval.sessions.memoryfiles import MemoryFiles
from memeval.sessions.times import parse_time
from memeval.sessions.transcript import Call, Transcript

NAME = "claude-code"
_NOT_TYPED = ("<command-", "<local-command-", "<bash-", "<system-reminder>", "Caveat: ", "[Request interrupted")
"""How lines begin that stand under a user's name and were not typed by one."""


def recognise(path: Path, lines: Iterable[Mapping[str, Any]]) -> bool:
    """Whether a file has lines with a `sessionId` and a `uuid` or `message`, as these transcripts do."""
    return any("sessionId" in line and ("parentUuid" in line or "message" in line) for line in lines)


def read_claude_code(path: Path, memory: MemoryFiles) -> SessionContent:
    """The events of one transcript; see Transcript for what is dropped.

    Raises:
        OSError: the file cannot be read.
    """
    lines, problems = read_lines(path)
    transcript = Transcript(NAME, memory)
    parents = {
        uuid: as_text(value.get("parentUuid"))
        for _, value in lines
        if value.get("isSidechain") is True and (uuid := as_text(value.get("uuid")))
    }
    for line in lines:
        message = as_mapping(line.value.get("message"))
        content = message.get("content")
        blocks = [as_mapping(block) for block in as_list(content)]
        if line.value.get("type") == "assistant":
            _add_calls(transcript, path, line, message, blocks, parents)
        elif line.value.get("type") == "user":
            answers = [block for block in blocks if block.get("type") == "tool_result"]
            for block in answers:
                _add_answer(transcript, block, line.value.get("toolUseResult") if len(answers) == 1 else None)
            if not answers:
                _add_turn(transcript, path, line, content, blocks, parents)
    return transcript.finish(problems)


def _add_calls(
    transcript: Transcript,
    path: Path,
    line: Line,
    message: Mapping[str, Any],
    blocks: list[Mapping[str, Any]],
    parents: Mapping[str, str | None],
) -> None:
    for block in blocks:
        key, name = as_text(block.get("id")), as_text(block.get("name"))
        if block.get("type") == "tool_use" and key and name:
            transcript.add_call(
                Call(
                    key=key,
                    session=_find_session(path, line),
                    agent=_find_agent(line, parents),
                    time=parse_time(line.value.get("timestamp")),
                    place=f"{path}:{line.number}",
                    batch=as_text(message.get("id")) or as_text(line.value.get("uuid")),
                    folder=as_text(line.value.get("cwd")),
                    name=name,
                    arguments=as_mapping(block.get("input")),
                )
            )


def _add_answer(transcript: Transcript, block: Mapping[str, Any], structured: object) -> None:
    key = as_text(block.get("tool_use_id"))
    if key is None:
        return
    values = as_mapping(structured)
    files = [file for file in as_list(values.get("filenames")) if isinstance(file, str)]
    text = read_content(block.get("content"))
    is_new = {"create": True, "update": False}.get(as_text(values.get("type")) or "")
    if is_new is None and (text or "").startswith("File created"):
        is_new = True
    is_error = block.get("is_error") is True
    transcript.add_answer(
        key, Answer(text=text, is_error=is_error, files=tuple(files) if files else None, is_new=is_new)
    )


def _add_turn(
    transcript: Transcript,
    path: Path,
    line: Line,
    content: object,
    blocks: list[Mapping[str, Any]],
    parents: Mapping[str, str | None],
) -> None:
    text = content if isinstance(content, str) else read_content(blocks)
    if not text or line.value.get("isMeta") is True or line.value.get("isCompactSummary") is True:
        return
    if text.startswith(_NOT_TYPED):
        return
    agent = _find_agent(line, parents)
    turn = UserTurn(
        reader=NAME,
        session=_find_session(path, line),
        agent=agent,
        time=parse_time(line.value.get("timestamp")),
        place=f"{path}:{line.number}",
        is_instruction=agent is not None,
    )
    transcript.add_turn(as_text(line.value.get("uuid")) or turn.place, text, turn)


def _find_session(path: Path, line: Line) -> str:
    return as_text(line.value.get("sessionId")) or path.stem


def _find_agent(line: Line, parents: Mapping[str, str | None]) -> str | None:
    """The id of the sub-agent a line belongs to: the one it names, else the first line of its side chain."""
    if line.value.get("isSidechain") is not True:
        return None
    named = as_text(line.value.get("agentId"))
    if named:
        return named
    place, seen = as_text(line.value.get("uuid")) or "side", set[str]()
    while (parent := parents.get(place)) in parents and parent is not None and place not in seen:
        seen.add(place)
        place = parent
    return place
