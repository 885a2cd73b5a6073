"""SQLite's FTS5 itself over whole files: what its two tokenizers find and what they do not."""

from __future__ import annotations

import pytest

from memeval.retrieval.base import Settings
from memeval.retrieval.external.sqlite import FullTextRanking
from memeval.retrieval.recipes import find_variant

NOTES = {
    "a.md": "port conflict on redis",
    "b.md": "the port",
    "c.md": "監視設定を変更",
    "d.md": "snake_case deploying",
    "e.md": "x",
}


@pytest.mark.parametrize(
    ("query", "words", "substrings"),
    [
        ("port conflict", ["a.md", "b.md"], ["a.md", "b.md"]),
        ("PORT", ["b.md", "a.md"], ["b.md", "a.md"]),
        ("監視設定", [], ["c.md"]),
        ("設定", [], []),
        ("監視設定を変更", ["c.md"], ["c.md"]),
        ("deploy", [], ["d.md"]),
        ("case", ["d.md"], ["d.md"]),
        ('"port* OR (', ["b.md", "a.md"], []),
        ("", [], []),
        ("\0", [], []),
    ],
)
def test_what_each_tokenizer_finds(make_document, query, words, substrings):
    """Letters and numbers, where CJK without spaces is one word; or substrings of three characters; no operator."""
    documents = [make_document(doc_id, text) for doc_id, text in NOTES.items()]
    for tokenize, expected in (("unicode61", words), ("trigram", substrings)):
        assert [hit.doc_id for hit in FullTextRanking(documents, tokenize).rank(query)] == expected


def test_a_better_match_scores_higher_and_above_zero(make_document):
    """The rank of FTS5 is the lower the better; a score is its opposite."""
    documents = [make_document(doc_id, text) for doc_id, text in NOTES.items()]
    first, second = find_variant("fts5-unicode61").build(documents, Settings()).search("port conflict").hits
    assert first.score > second.score > 0
