"""oh-my-pi's sessions: tool calls and their results, the tree of entries, damage."""

from __future__ import annotations

from memeval.sessions.events import DUPLICATE, FAILED


def test_a_branch_that_was_left_is_apart(read, describe):
    """Entries on the way to the last one are the session's own; the others are a chain of their own."""
    content = read("oh-my-pi/whole")
    assert describe(content) == [
        ("userturn", None, None, None),
        ("userturn", None, None, None),
        ("search", None, "restore", []),
        ("search", None, "recovery", ["recovery.md"]),
        ("read", None, "recovery.md", None),
        ("search", "branch-e3", "backup", ["snapshots.md"]),
        ("read", "branch-e3", "snapshots.md", None),
    ]
    assert (content.problems, content.dropped) == ((), {})


def test_damage_costs_only_what_is_damaged(read, describe):
    """Zeros, entries without a message, texts for lines, a copy, a torn end; a missing folder is an empty store."""
    content = read("oh-my-pi/damaged")
    assert describe(content) == [
        ("userturn", None, None, None),
        ("search", None, "backup plan", []),
        ("search", None, "snapshot", ["snapshots.md"]),
    ]
    assert [event.is_store_empty for event in content.events[1:]] == [True, False]
    assert [(problem.line, problem.is_tail) for problem in content.problems] == [(1, False), (5, False), (12, True)]
    assert content.dropped == {DUPLICATE: 1, FAILED: 1}
