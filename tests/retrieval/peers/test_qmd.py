"""qmd's lexical side: stems, every word required, runs of CJK as one word."""

from __future__ import annotations

import pytest

from memeval.retrieval.peers.qmd import QmdRanking
from memeval.retrieval.recipes import find_variant


@pytest.mark.parametrize(
    ("text", "query", "hit"),
    [
        ("deploying the shop", "deploy", True),
        ("decision DEC-0054 holds", "DEC-0054", True),
        ("云工开物 300 元学生券", "云工开物", True),
        ("云工开物 300 元学生券", "云工开物 优惠券", False),
        ("中文合約轉換體驗課問題", "中文合約", False),
        ("port 18789", "which port", False),
        ("text without the word", "aside", True),  # it stands in the path
        ("# Ledger\nbody", "ledger body", True),
    ],
)
def test_what_is_found(make_document, text, query, hit):
    """Stems, identifiers in parts, path and title; no part of a CJK run, and no word may be missing."""
    ranking = QmdRanking([make_document("notes/aside.md", text), make_document("notes/other.md", "x y z")])
    assert [found.doc_id for found in ranking.rank(query)] == (["notes/aside.md"] if hit else [])


def test_five_files_and_no_more(make_document):
    """The sixth is not even ranked."""
    documents = [make_document(f"notes/{n}.md", "port") for n in range(6)]
    assert [hit.doc_id for hit in QmdRanking(documents[::-1]).rank("port")] == [f"notes/{n}.md" for n in range(5)]


def test_the_variant_shows_an_excerpt(make_document, documents):
    """Of the best line."""
    from memeval.retrieval.base import Settings

    answer = find_variant("qmd-lexical").build(documents, Settings()).search("redis host port")
    assert answer.text.startswith("store/projects/shop/notes/redis-deploy.md\n# Redis\nhost port 6380")
