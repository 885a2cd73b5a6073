"""oh-my-pi's sessions: `agent/sessions/--<folder>--/<time>_<uuid>.jsonl`, and those of its relatives.

The first line is of type `session`; entries have `id` and `parentId`, a tree whose branches are what a person went back
on. A `message` has a role: `user`; `assistant` with blocks `toolCall {id, name, arguments}`; `toolResult {toolCallId,
content, isError}`. A branch that was left is a chain of its own here, as a sub-agent is: who went on did not see it.
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

NAME = "oh-my-pi"


def recognise(path: Path, lines: Iterable[Mapping[str, Any]]) -> bool:
    """Whether there is a line of type `session` with an id and a folder, or an entry of type `message` with a role."""
    return any(
        (line.get("type") == "session" and "id" in line and "cwd" in line)
        or (line.get("type") == "message" and "parentId" in line and "role" in as_mapping(line.get("message")))
        for line in lines
    )


def read_oh_my_pi(path: Path, memory: MemoryFiles) -> SessionContent:
    """The events of one session; see Transcript for what is dropped.

    Raises:
        OSError: the file cannot be read.
    """
    lines, problems = read_lines(path)
    transcript = Transcript(NAME, memory)
    session, folder = path.stem, None
    branches = _find_branches(lines)
    for line in lines:
        value = line.value
        if value.get("type") == "session":
            session, folder = as_text(value.get("id")) or session, as_text(value.get("cwd")) or folder
        if value.get("type") != "message":
            continue
        message, entry = as_mapping(value.get("message")), as_text(value.get("id")) or f"line-{line.number}"
        time = parse_time(value.get("timestamp")) or parse_time(message.get("timestamp"))
        agent, place = branches.get(entry), f"{path}:{line.number}"
        if message.get("role") == "user" and (text := read_content(message.get("content"))):
            turn = UserTurn(reader=NAME, session=session, agent=agent, time=time, place=place)
            transcript.add_turn(entry, text, turn)
        elif message.get("role") == "assistant":
            for block in map(as_mapping, as_list(message.get("content"))):
                key, name = as_text(block.get("id")), as_text(block.get("name"))
                if block.get("type") == "toolCall" and key and name:
                    arguments = as_mapping(block.get("arguments"))
                    transcript.add_call(
                        Call(
                            key=key,
                            session=session,
                            agent=agent,
                            time=time,
                            place=place,
                            batch=entry,
                            folder=folder,
                            name=name,
                            arguments=arguments,
                        )
                    )
        elif message.get("role") == "toolResult" and (key := as_text(message.get("toolCallId"))):
            text = read_content(message.get("content"))
            transcript.add_answer(key, Answer(text=text or "", is_error=message.get("isError") is True))
    return transcript.finish(problems)


def _find_branches(lines: Iterable[Line]) -> dict[str, str]:
    """{entry: the branch it lies on} of entries that are not on the way from the last entry to the root.

    A branch is named after its first entry.
    """
    parents: dict[str, str | None] = {}
    for line in lines:
        entry = as_text(line.value.get("id"))
        if entry and "parentId" in line.value:
            parents[entry] = as_text(line.value.get("parentId"))
    trunk: set[str] = set()
    place = next(reversed(parents), None)
    while place is not None and place not in trunk:
        trunk.add(place)
        place = parents.get(place)
    branches: dict[str, str] = {}
    for entry, parent in parents.items():
        if entry not in trunk:
            branches[entry] = branches.get(parent or "", f"branch-{entry}")
    return branches
