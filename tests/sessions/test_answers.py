"""Answers: which files a search showed, when it found nothing, when there was nothing to search, when it failed."""

from __future__ import annotations

import pytest

from memeval.sessions.answers import Answer, is_failure, read_answer
from memeval.sessions.memoryfiles import MemoryFiles
from memeval.sessions.tools import ToolUse

GREP = ToolUse(kind="search", tool="grep", query="x1")
TOOL = ToolUse(kind="search", tool="memory_search", query="x1", is_memory_tool=True)
READ = ToolUse(kind="read", tool="read", file="a.md")


def shown_by(text, use=GREP, where=("/m/memory",), **fields):
    """The files an answer shows."""
    return read_answer(use, Answer(text=text, **fields), where, MemoryFiles()).shown


def test_a_search_through_files_shows_the_paths_its_lines_begin_with():
    """Paths alone, with line numbers, as headings; each once, in order; what a line mentions further on is none."""
    assert shown_by("/m/memory/b.md:3:see /m/memory/z.md\n/m/memory/a.md-4-x\n/m/memory/b.md:9:x") == (
        "/m/memory/b.md",
        "/m/memory/a.md",
    )
    assert shown_by("Found 2 matches\n/m/memory/a.md:\n  Line 4: x\n\n/m/memory/c d.md:7:x") == (
        "/m/memory/a.md",
        "/m/memory/c d.md",
    )


def test_a_search_of_one_file_shows_that_file():
    """grep does not repeat the name of the only file."""
    assert shown_by("12:a line", where=("/m/memory/a.md",)) == ("/m/memory/a.md",)


def test_only_headings_of_the_engine_are_files():
    """A path in a snippet is what a note says, not what was found."""
    heading = "Searched 1 term: x1(3) across 5 files. Showing top 1 by relevance."
    text = f"{heading}\n\nm/notes/a b.md  [matched: x1]\nnotes/z.md is old\n"
    found = read_answer(TOOL, Answer(text=text), (), MemoryFiles())
    assert (found.shown, found.matched, found.is_store_empty) == (("m/notes/a b.md",), 5, False)
    assert shown_by("1. `notes/a.md` (0.83)\n2. [notes/b.md](x)\nprose about notes/c.md", use=TOOL, where=()) == (
        "notes/a.md",
        "notes/b.md",
    )


@pytest.mark.parametrize(
    "answer",
    [
        Answer(text=""),
        Answer(text="No matches for 'x1'."),
        Answer(text="No files found"),
        Answer(text="Found 0 matches"),
        Answer(text="", exit_code=1),
        Answer(text="Error: Exit code 1", is_error=True),
        Answer(text='{"results": []}'),
        Answer(text="anything", files=()),
    ],
)
def test_nothing_found_is_no_failure(answer):
    """A search without a hit was answered."""
    assert not is_failure(GREP, answer)
    found = read_answer(GREP, answer, ("/m/memory",), MemoryFiles())
    assert (found.shown, found.matched, found.is_store_empty) == ((), 0, None)


def test_no_store_is_an_empty_store():
    """A folder that is not there, or a memory that says it holds nothing."""
    for text in ("rg: /m/memory: No such file or directory (os error 2)", "The memory is empty."):
        answer = Answer(text=text, is_error=True)
        assert not is_failure(GREP, answer)
        assert read_answer(GREP, answer, ("/m/memory",), MemoryFiles()).is_store_empty


def test_a_failure_is_a_failure():
    """Errors, refusals, other exit codes; a read of a file that is not there."""
    assert is_failure(GREP, Answer(text="unknown option", exit_code=2))
    assert is_failure(GREP, Answer(text="The user said no", is_error=True))
    assert is_failure(TOOL, Answer(text="Exit code 1", is_error=True))
    assert is_failure(READ, Answer(text="No such file or directory", is_error=True))
    assert not is_failure(READ, Answer(text="No matches found is what the file says"))


def test_an_answer_nobody_can_read_is_unknown():
    """A text without a path is not nothing, and one that was not kept is unknown altogether."""
    found = read_answer(TOOL, Answer(text="The port is 6380."), (), MemoryFiles())
    assert (found.shown, found.matched, found.shown_bytes) == (None, None, 17)
    found = read_answer(TOOL, Answer(), (), MemoryFiles())
    assert (found.shown, found.matched, found.shown_bytes, found.is_store_empty) == (None, None, None, None)
