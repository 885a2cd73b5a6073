"""zerostack's sessions: structured calls, the older summaries, sub-agents, and a file cut off in its messages."""

from __future__ import annotations

import json

from memeval.sessions.events import ELSEWHERE, UNANSWERED
from memeval.sessions.memoryfiles import MemoryFiles
from memeval.sessions.zerostack import read_zerostack


def test_what_was_asked_read_and_written(read, describe):
    """The memory's own tools; only the headings of an answer are files, a path in a snippet is not; a note's name
    becomes its file."""
    content = read("zerostack/whole")
    assert describe(content) == [
        ("userturn", None, None, None),
        ("userturn", None, None, None),
        ("search", None, "cache down", []),
        ("search", None, "redis", ["redis-deploy.md", "naming.md"]),
        ("search", None, "redis port", ["redis-deploy.md"]),
        ("read", None, "redis-deploy.md", None),
        ("write", None, "cache-outage.md", None),
        ("search", "call-5", "deploy day", None),
    ]
    assert content.problems == ()
    assert content.dropped == {ELSEWHERE: 1}
    assert [event.is_instruction for event in content.events[:2]] == [True, False]
    assert content.events[3].matched == 2
    assert {event.began.isoformat() for event in content.events} == {"2026-07-05T08:00:00+00:00"}


def test_calls_before_an_answer_are_one_batch(read):
    """Messages have no time: two calls in a row were sent off together, the next after the answers."""
    first, second, third, *_ = (event.batch for event in read("zerostack/whole").events[2:])
    assert first != second == third


def test_a_file_cut_off_gives_what_is_whole(read, describe):
    """Messages before the cut are read, from summaries as older versions wrote them; the cut is told."""
    content = read("zerostack/torn")
    assert describe(content) == [
        ("userturn", None, None, None),
        ("search", None, "port clash", ["redis-deploy.md"]),
        ("read", None, "redis-deploy.md", None),
    ]
    assert content.events[0].session == "zs-0000"
    assert [(problem.reason, problem.is_tail) for problem in content.problems] == [("not JSON: cut off", True)]
    assert content.dropped == {UNANSWERED: 1}


def test_odd_messages_are_passed_over(tmp_path):
    """Messages that are no objects, have no role or an unknown one, and tools that are no objects."""
    path = tmp_path / "s.json"
    messages = [None, 3, {}, {"role": "robot"}, {"role": "tool_call", "tool": "x", "content": None},
                {"role": "tool_result", "tool": [], "content": 7}]  # fmt: skip
    path.write_text(json.dumps({"messages": messages, "working_dir": "/w"}), encoding="utf-8")
    assert read_zerostack(path, MemoryFiles()).events == ()
    path.write_text('{"messages": {}}', encoding="utf-8")
    assert [str(problem) for problem in read_zerostack(path, MemoryFiles()).problems] == [
        f"{path}: it has no list 'messages'"
    ]
