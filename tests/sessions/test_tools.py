"""Tools by name: what a call asks for."""

from __future__ import annotations

import pytest

from memeval.sessions.tools import describe_call


def tell(name, arguments):
    """(kind, query, file, where) of each thing a call does."""
    return [(use.kind, use.query, use.file, use.where) for use in describe_call(name, arguments)]


@pytest.mark.parametrize(
    ("name", "arguments", "uses"),
    [
        ("memory_search", {"query": "redis"}, [("search", "redis", None, ())]),
        ("mcp__notes_memory__recall", {"keywords": ["a", "b"]}, [("search", "a b", None, ())]),
        ("journalSearch", {"text": "x1"}, [("search", "x1", None, ())]),
        ("memory_search", {}, []),
        ("memory_read", {"source": "note", "name": "redis"}, [("read", None, "notes/redis.md", ())]),
        ("memory_read", {"source": "daily", "name": "2026-07-03.md"}, [("read", None, "daily/2026-07-03.md", ())]),
        ("memory_read", {"source": "long_term"}, [("read", None, "MEMORY.md", ())]),
        ("memory_get", {"path": "a.md"}, [("read", None, "a.md", ())]),
        ("memory_write", {"target": "daily", "content": "x"}, [("write", None, None, ())]),
        ("memory_list", {}, []),
        ("Grep", {"pattern": "a|b", "path": "/m"}, [("search", "a b", None, ("/m",))]),
        ("grep", {"pattern": ".*", "path": "/m"}, [("search", None, None, ("/m",))]),
        ("Grep", {"path": "/m"}, []),
        ("Glob", {"pattern": "memory/**/*redis*"}, [("search", "redis", None, ("memory/**/*redis*",))]),
        ("find_files", {"pattern": "*redis*", "path": "/m"}, [("search", "redis", None, ("/m",))]),
        ("Read", {"file_path": "/m/a.md"}, [("read", None, "/m/a.md", ())]),
        ("read", {"filePath": "/m/a.md"}, [("read", None, "/m/a.md", ())]),
        ("Read", {}, []),
        ("Write", {"file_path": "/m/a.md"}, [("write", None, "/m/a.md", ())]),
        ("bash", {"command": "rg x1 /m"}, [("search", "x1", None, ("/m",))]),
        ("shell", {"command": ["bash", "-lc", "cat /m/a.md"]}, [("read", None, "/m/a.md", ())]),
        ("shell", {"command": ["cat", "/m/a b.md"]}, [("read", None, "/m/a b.md", ())]),
        ("Bash", {}, []),
        ("WebSearch", {"query": "redis"}, []),
        ("Task", {"prompt": "search memory"}, []),
    ],
)
def test_what_a_call_asks_for(name, arguments, uses):
    """The memory's own tools, tools for files, shells; any other, or one without its argument, asks for nothing."""
    assert tell(name, arguments) == uses


def test_what_a_write_says_of_its_file():
    """An edit needs the file, a patch says whether it adds it, a write says nothing."""
    patch = "*** Begin Patch\n*** Add File: a.md\n+x\n*** Update File: b.md\n*** End Patch"
    assert [(use.file, use.is_new) for use in describe_call("apply_patch", {"input": patch})] == [
        ("a.md", True),
        ("b.md", False),
    ]
    assert [use.is_new for use in describe_call("Edit", {"file_path": "a.md"})] == [False]
    assert [use.is_new for use in describe_call("memory_edit", {"target": "note", "name": "a"})] == [False]
    assert [use.is_new for use in describe_call("Write", {"file_path": "a.md"})] == [None]


def test_the_engine_called_by_a_shell_is_its_tool():
    """`memeval memory …` searches and reads as the tools do."""
    search, read = describe_call(
        "Bash",
        {"command": "memeval memory search 'port clash' --root m; memeval memory read note --name redis --root m"},
    )
    assert (search.query, search.is_memory_tool, search.where) == ("port clash", True, ("m",))
    assert (read.kind, read.file) == ("read", "notes/redis.md")


@pytest.mark.parametrize("value", [None, 3, [], {}, [1], {"a": 1}, ""])
def test_arguments_of_the_wrong_kind_say_nothing(value):
    """Whatever stands under a key."""
    for name in ("Grep", "Read", "Write", "Bash", "memory_search", "apply_patch", "Glob"):
        keys = ("pattern", "file_path", "command", "query", "input")
        assert describe_call(name, dict.fromkeys(keys, value)) == ()
