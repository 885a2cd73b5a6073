"""Which paths are memory, and which mean the same file."""

from __future__ import annotations

import pytest

from memeval.sessions.memoryfiles import MemoryFiles, is_same_file, is_within, normalise_path


@pytest.mark.parametrize(
    "path",
    [
        "/home/u/.claude/projects/-x/memory",
        "/home/u/.claude/projects/-x/memory/notes/a.md",
        "~/.codex/memories",
        "/x/MEMORY.md",
        "CLAUDE.md",
        "memory/*.md",
        "/w/src/app/.memory-bank/progress.md",
        "/w/.memory-bank",
        "memory://root/summary.md",
        "/r/src/memory/README.md",
    ],
)
def test_memory_is_known_by_its_names(path):
    """Files that agents keep their memory in, folders of that name, Markdown in them."""
    assert MemoryFiles().holds(path)


@pytest.mark.parametrize(
    "path", ["", "/w/README.md", "/r/src/memory", "/r/src/memory/pool.rs", "/w/memory/dump.json", "/w/notes/a.md", "/"]
)
def test_code_about_memory_is_not_memory(path):
    """A module called memory, other files in such a folder, other Markdown."""
    assert not MemoryFiles().holds(path)


def test_a_named_folder_is_memory_whatever_it_is_called():
    """Everything below it, and nothing beside it."""
    memory = MemoryFiles(("/home/u/notes/",))
    assert memory.holds("/home/u/notes/a.md")
    assert memory.holds("/home/u/notes")
    assert not memory.holds("/home/u/notes-old/a.md")


@pytest.mark.parametrize(
    ("written", "folder", "path"),
    [
        ("./a/../b.md", None, "b.md"),
        ("b.md", "/w/", "/w/b.md"),
        ("/b.md", "/w", "/b.md"),
        ("~/b.md", "/w", "~/b.md"),
        ("${HOME}/m/b.md", None, "~/m/b.md"),
        ("$HOMER/b.md", None, "$HOMER/b.md"),
        (r"C:\Users\u\memory\a.md", "/w", "C:/Users/u/memory/a.md"),
        (r"notes\a.md", None, "notes/a.md"),
        ("file:///m/a.md", None, "/m/a.md"),
        ("memory://root/a.md", "/w", "memory://root/a.md"),
        ("", "/w", "/w"),
        ("", None, ""),
    ],
)
def test_paths_are_made_comparable(written, folder, path):
    """Without dots, below the folder they are relative to, with `/`."""
    assert normalise_path(written, folder) == path


def test_one_file_may_be_written_in_several_ways():
    """Relative to the store, absolute, or by a scheme; never by the end of a name alone."""
    assert is_same_file("notes/redis.md", "/home/u/memory/notes/redis.md")
    assert is_same_file("/home/u/memory/notes/redis.md", "notes/redis.md")
    assert is_same_file("memory://root/redis.md", "/home/u/memories/redis.md")
    assert not is_same_file("redis.md", "/home/u/memory/notes/old-redis.md")
    assert is_within("/a/b", "/a")
    assert not is_within("/ab", "/a")
