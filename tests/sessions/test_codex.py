"""Codex's rollouts: shell commands that touch the memories, answers that come twice, prompts that come twice."""

from __future__ import annotations

import json

from memeval.sessions.codex import read_codex
from memeval.sessions.events import DUPLICATE, WORDLESS, UserTurn
from memeval.sessions.memoryfiles import MemoryFiles

WHOLE = "codex/rollout-2026-07-04T09-00-00-0a1b2c3d-0000-4000-8000-00000000c0de"
DAMAGED = "codex/rollout-2026-07-04T09-10-00-0a1b2c3d-0000-4000-8000-00000000dead"


def read_items(tmp_path, *items):
    path = tmp_path / "rollout-x.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return read_codex(path, MemoryFiles())


def test_what_was_asked_read_and_written(read, describe):
    """A grep without a match, one with, a read by `bash -lc cat`, a file added by a patch; each prompt once."""
    content = read(WHOLE)
    assert describe(content) == [
        ("userturn", None, None, None),
        ("userturn", None, None, None),
        ("search", None, "auth loop", []),
        ("search", None, "single sign-on", ["sso-callback.md"]),
        ("read", None, "sso-callback.md", None),
        ("write", None, "login-loop.md", None),
    ]
    assert content.problems == ()
    assert content.dropped == {DUPLICATE: 1}
    instruction, prompt = (event for event in content.events if isinstance(event, UserTurn))
    assert (instruction.is_instruction, instruction.orders_rewording) == (True, True)
    assert (prompt.is_instruction, prompt.orders_rewording) == (False, False)


def test_damage_costs_only_what_is_damaged(read, describe):
    """Without its first line a rollout is called as its file is; arguments that are no JSON say nothing; a line
    without a time keeps its place; a listing is no search."""
    content = read(DAMAGED)
    assert describe(content) == [
        ("userturn", None, None, None),
        ("search", None, "release train", []),
        ("search", None, "release day", ["MEMORY.md"]),
        ("read", None, "MEMORY.md", None),
    ]
    assert {event.session for event in content.events} == {"0a1b2c3d-0000-4000-8000-00000000dead"}
    assert [(problem.line, problem.is_tail) for problem in content.problems] == [(1, False), (7, False), (15, True)]
    assert content.dropped == {WORDLESS: 1}


def test_calls_before_an_answer_are_one_batch(read):
    """Two calls sent off before either answer came share a batch; the next does not."""
    first, second, third = (event.batch for event in read(DAMAGED).events if not isinstance(event, UserTurn))
    assert first == second != third


def test_a_spawned_agent_is_apart(tmp_path):
    """A rollout that names the thread it was spawned by belongs to that session, as its agent."""
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "main"}}}
    content = read_items(
        tmp_path,
        {"type": "session_meta", "payload": {"id": "own", "cwd": "/home/ada/.codex/memories", "source": source}},
        {"type": "response_item", "payload": {"type": "function_call", "name": "shell", "call_id": "c",
                                              "arguments": json.dumps({"command": ["grep", "x1", "MEMORY.md"]})}},
        {"type": "response_item", "payload": {"type": "function_call_output", "call_id": "c", "output": "x1 here"}},
    )  # fmt: skip
    assert [event.stream for event in content.events] == [("codex", "main", "own")]


def test_older_files_have_no_wrapping(tmp_path, describe):
    """The first line is the heading, items stand bare; they are read all the same."""
    content = read_items(
        tmp_path,
        {"id": "old", "timestamp": "2025-05-05T05:05:05Z", "instructions": None},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]},
        {"type": "local_shell_call", "call_id": "c", "action": {"type": "exec", "command": ["rg", "port", "memory/"]}},
        {"type": "local_shell_call_output", "call_id": "c", "output": '{"output":"","metadata":{"exit_code":1}}'},
    )
    assert describe(content) == [("userturn", None, None, None), ("search", None, "port", [])]
    assert content.events[0].session == "old"
