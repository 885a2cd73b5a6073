"""Claude Code's transcripts: greps, reads and writes of memory files, side chains, copies, answers on later lines."""

from __future__ import annotations

import json

from memeval.sessions.claudecode import read_claude_code
from memeval.sessions.events import DUPLICATE, ELSEWHERE, FAILED, UNANSWERED, UserTurn
from memeval.sessions.memoryfiles import MemoryFiles

MEMORY = "/home/ada/.claude/projects/-work-shop/memory"


def line(kind, uuid, message, **fields):
    values = {"type": kind, "uuid": uuid, "sessionId": "s", "timestamp": "2026-07-03T10:00:00Z", "message": message}
    return json.dumps({**values, **fields})


def ask(uuid, key, name="Grep", **arguments):
    block = {"type": "tool_use", "id": key, "name": name, "input": arguments}
    return line("assistant", uuid, {"id": f"m-{uuid}", "content": [block]})


def answer(uuid, key, content, **fields):
    block = {"type": "tool_result", "tool_use_id": key, "content": content, **fields}
    return line("user", uuid, {"content": [block]})


def read_lines_of(tmp_path, *lines):
    path = tmp_path / "s.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_claude_code(path, MemoryFiles())


def test_what_was_asked_read_and_written(read, describe):
    """Greps by tool and by shell, reads by tool and by shell, a new file, prompts; a grep of the code is none."""
    content = read("claude-code/whole")
    assert describe(content) == [
        ("userturn", None, None, None),
        ("search", None, "cache container", []),
        ("search", None, "redis port", ["redis-deploy.md", "naming.md"]),
        ("read", None, "redis-deploy.md", None),
        ("write", None, "cache-outage.md", None),
        ("userturn", None, None, None),
        ("search", None, "queue", ["naming.md"]),
        ("read", None, "naming.md", None),
    ]
    assert content.problems == ()
    assert content.dropped == {ELSEWHERE: 1}
    assert content.events[4].is_new
    turns = [event.orders_rewording for event in content.events if isinstance(event, UserTurn)]
    assert turns == [False, True]


def test_damage_costs_only_what_is_damaged(read, describe):
    """Copies count once, a torn call is gone with its answer, times decide the order, a side chain is an agent's own,
    what failed or was never answered is counted and is no event."""
    content = read("claude-code/damaged")
    assert describe(content) == [
        ("userturn", None, None, None),
        ("search", None, "proxy port", []),
        ("search", None, "gateway", ["gateway.md"]),
        ("read", None, "gateway.md", None),
        ("userturn", "s1", None, None),
        ("search", "s1", "deploy", ["MEMORY.md"]),
    ]
    assert [(problem.line, problem.is_tail) for problem in content.problems] == [(4, False), (7, False), (19, True)]
    assert content.dropped == {DUPLICATE: 2, FAILED: 1, UNANSWERED: 1}


def test_a_streamed_call_is_the_last_copy_before_its_answer(tmp_path):
    """Copies grow while they are streamed; what comes after the answer changes nothing."""
    content = read_lines_of(
        tmp_path,
        ask("a", "k", pattern="red", path=MEMORY),
        ask("b", "k", pattern="redis port", path=MEMORY),
        answer("c", "k", "No matches found"),
        ask("d", "k", pattern="something else", path=MEMORY),
    )
    assert [event.query for event in content.events] == ["redis port"]
    assert content.events[0].batch == "m-a"
    assert content.dropped == {DUPLICATE: 2}


def test_content_lines_show_their_files(tmp_path):
    """With output_mode content the files stand before the line numbers, and blanks may be in their names."""
    text = f"{MEMORY}/a b.md:3:port, see {MEMORY}/other.md\n{MEMORY}/a b.md-4-more\n--\n{MEMORY}/c.md:9:port"
    content = read_lines_of(tmp_path, ask("a", "k", pattern="port", path=MEMORY), answer("c", "k", text))
    assert content.events[0].shown == (f"{MEMORY}/a b.md", f"{MEMORY}/c.md")


def test_a_memory_server_is_a_search_tool(tmp_path):
    """A tool of an MCP server with memory in its name searches; JSON answers show the paths of their hits."""
    hits = json.dumps({"results": [{"path": "notes/redis.md", "text": "see notes/other.md"}]})
    content = read_lines_of(
        tmp_path,
        ask("a", "k", name="mcp__team_memory__search", query="redis"),
        answer("c", "k", [{"type": "text", "text": hits}]),
        ask("e", "l", name="mcp__team_memory__search", query="cache"),
        answer("f", "l", '{"results": []}'),
    )
    assert [(event.tool, event.shown) for event in content.events] == [
        ("mcp__team_memory__search", ("notes/redis.md",)),
        ("mcp__team_memory__search", ()),
    ]


def test_what_nobody_typed_is_no_prompt(tmp_path):
    """Commands, summaries and notes of the program stand under the user's name, and are not counted."""
    content = read_lines_of(
        tmp_path,
        line("user", "a", {"content": "<command-name>/cost</command-name>"}),
        line("user", "b", {"content": "a summary"}, isCompactSummary=True),
        line("user", "c", {"content": "meta"}, isMeta=True),
        line("user", "d", {"content": [{"type": "image"}]}),
        line("user", "e", {"content": "really"}),
    )
    assert [event.call for event in content.events] == ["e"]
