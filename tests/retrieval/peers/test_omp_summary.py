"""oh-my-pi's local memory: what is injected, where it is cut, and which files are read."""

from __future__ import annotations

import pytest

from memeval.retrieval.base import Settings
from memeval.retrieval.peers.omp_summary import truncate_middle
from memeval.retrieval.recipes import find_variant


def search(documents, query, **settings):
    return find_variant("omp-summary").build(documents, Settings(**settings)).search(query)


@pytest.mark.parametrize(
    ("text", "max_chars", "expected"),
    [
        ("0123456789", 10, "0123456789"),
        ("0123456789ab", 10, "012345\n...[truncated]...\n89ab"),
        ("日本語日本語", 5, "日本語\n...[truncated]...\n本語"),
        ("abc", 0, ""),
        ("", 0, ""),
    ],
)
def test_the_middle_is_what_is_lost(text, max_chars, expected):
    """60 % of the budget from the beginning, 40 % from the end, in characters."""
    assert truncate_middle(text, max_chars) == expected


def test_the_summary_is_in_context_and_files_are_read_by_their_paths(make_document):
    """Most distinct words first, then by path; the text of a file does not count, nor do fillers."""
    documents = [
        make_document("MEMORY.md", "rules"),
        make_document("notes/redis-port.md", "a"),
        make_document("notes/ports.md", "port"),
        make_document("notes/port.md", "b"),
        make_document("notes/about-the-port.md", "c"),
        make_document("notes/how-to.md", "redis port"),
    ]
    answer = search(documents, "about the Redis port: how to?")
    assert [hit.doc_id for hit in answer.hits] == [
        "MEMORY.md",
        "notes/redis-port.md",
        "notes/about-the-port.md",
        "notes/port.md",
    ]
    assert answer.text.startswith("store/MEMORY.md\nrules\n\nstore/notes/redis-port.md\na\n\n")
    assert search(documents, "md").shown == ("MEMORY.md",)


def test_a_file_too_long_for_the_budget_is_ranked_and_not_read(make_document):
    """The budget is for what is read; what is injected has its own."""
    documents = [make_document("MEMORY.md", "r" * 500), make_document("port.md", "x" * 200)]
    answer = search(documents, "port", budget_bytes=100)
    assert [hit.doc_id for hit in answer.hits] == ["MEMORY.md", "port.md"]
    assert answer.shown == ("MEMORY.md",)


def test_summary_and_lessons_share_5000_tokens(make_document):
    """Of four characters each: lessons get what the summary leaves, and nothing where it fills the budget."""
    lessons = make_document("learned.md", "z" * 3000)
    answer = search([make_document("memory_summary.md", "s" * 19_000), lessons], "")
    assert answer.shown == ("memory_summary.md", "learned.md")
    assert answer.blocks[1].snippet == "\n" + "z" * 600 + "\n...[truncated]...\n" + "z" * 400
    full = search([make_document("memory_summary.md", "s" * 20_001), lessons], "")
    assert full.shown == ("memory_summary.md",)
    assert full.blocks[0].snippet.count("s") == 20_000


def test_a_summary_of_its_own_goes_before_memory(make_document):
    """MEMORY.md is then one of the files to read, in a store without it nothing is injected."""
    documents = [make_document("memory_summary.md", "s"), make_document("MEMORY.md", "m")]
    assert search(documents, "").shown == ("memory_summary.md",)
    assert search(documents, "memory").shown == ("memory_summary.md", "MEMORY.md")
    assert search([make_document("a.md", "x")], "b").hits == ()
