"""Claude Code: what the start of a session loads, and what a grep names and a read shows."""

from __future__ import annotations

import pytest

from memeval.retrieval.base import Settings
from memeval.retrieval.recipes import find_variant
from memeval.text import utf8_length


def search(documents, query, variant="claude-grep", **settings):
    return find_variant(variant).build(documents, Settings(**settings)).search(query)


def test_any_word_inside_any_word_whatever_the_case(make_document):
    """Files come by path, with any of the words; marks of a pattern are letters like others."""
    documents = [
        make_document("notes/b.md", "DEPLOYING now"),
        make_document("MEMORY.md", "nothing"),
        make_document("notes/a.md", "a (.*)+[ here"),
        make_document("notes/c.md", "監視的設定"),
    ]
    answer = search(documents, "deploy (.*)+[")
    assert [(hit.doc_id, hit.score) for hit in answer.hits] == [("notes/a.md", 2), ("notes/b.md", 1)]
    assert [hit.doc_id for hit in search(documents, "監視").hits] == ["notes/c.md"]
    assert search(documents, "監視設定").hits == ()  # one literal, and nowhere without a break
    assert search(documents, "").hits == ()


def test_paths_first_then_files_whole(make_document):
    """What is named and not read is known by its path alone, so that no evidence of it is seen."""
    documents = [
        make_document("a.md", "port 1"),
        make_document("b.md", "port 2 " + "x" * 60),
        make_document("c.md", "no"),
    ]
    answer = search(documents, "port", budget_bytes=60)
    assert answer.text == "store/a.md\nstore/b.md\n\nstore/a.md\nport 1"
    assert [(block.doc_id, block.snippet) for block in answer.blocks] == [("b.md", ""), ("a.md", "\nport 1")]
    assert answer.shown == ("b.md", "a.md")


def test_a_list_too_long_is_cut_between_paths(make_document):
    """The files behind the cut are ranked and not shown."""
    documents = [make_document(f"{letter}.md", "port") for letter in "abc"]
    answer = search(documents, "port", budget_bytes=25)
    assert answer.text == "store/a.md\nstore/b.md"
    assert len(answer.hits) == 3


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\n".join(f"line {number}" for number in range(1, 222)), "line 200"),  # 21 lines are never seen
        ("x" * 30_000 + "\nlast", "x"),
        ("字" * 9_000, "字"),
    ],
    ids=["lines", "bytes", "whole characters"],
)
def test_memory_is_cut_at_200_lines_or_25_kb(make_document, text, shown):
    """Whichever comes first; the end of the file, where the newest entries stand, is what is lost."""
    answer = search([make_document("MEMORY.md", text), make_document("a.md", "port")], "port", "claude-inject")
    (block,) = answer.blocks
    assert block.heading == "store/MEMORY.md"
    assert block.snippet.endswith(shown)
    assert len(block.snippet.split("\n")) <= 1 + 200
    assert utf8_length(block.snippet) <= 1 + 25_000
    assert utf8_length(block.snippet) > 24_990 or shown == "line 200"


def test_topic_files_are_not_loaded(make_document):
    """Whatever is asked, the one file at the root is the answer; without it there is none."""
    documents = [make_document("notes/MEMORY.md", "port"), make_document("MEMORY.md", "rules")]
    for query in ("port", ""):
        answer = search(documents, query, "claude-inject")
        assert answer.text == "store/MEMORY.md\nrules"
        assert answer.shown == ("MEMORY.md",)
    assert search(documents[:1], "port", "claude-inject").hits == ()
