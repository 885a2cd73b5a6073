"""What a search over passages shows."""

from __future__ import annotations

import pytest

from memeval.retrieval.chunking import chunk_by_lines, make_units
from memeval.retrieval.passages import PassageCut


@pytest.fixture
def cut(make_document):
    """Two files in chunks of one line."""
    documents = [make_document("notes/a.md", "one\r\ntwo\nthree\n"), make_document("notes/b.md", "four\n")]
    units = make_units(documents, lambda text: chunk_by_lines(text, max_size=5, overlap=0))
    return PassageCut({document.doc_id: document for document in documents}, units, limit=3, max_chars=3)


def test_passages_of_one_file_stand_together(cut):
    """At the place of the best, each cut at its number of characters, with the lines they are from."""
    answer = cut.show([(2, 4.0), (3, 3.0), (0, 2.0), (1, 1.0)])
    assert answer.text == "store/notes/a.md#L3-L3,L1-L1\nthr\n…\none\n\nstore/notes/b.md#L1-L1\nfou"
    assert [(hit.doc_id, hit.score) for hit in answer.hits] == [("notes/a.md", 4.0), ("notes/b.md", 3.0)]


def test_the_limit_counts_passages(cut):
    """Three of one file leave no place for the other, which is ranked all the same."""
    answer = cut.show([(0, 4.0), (1, 3.0), (2, 2.0), (3, 1.0)])
    assert answer.shown == ("notes/a.md",)
    assert len(answer.hits) == 2


def test_nothing_is_shown_of_nothing(cut):
    """An empty ranking is an empty text."""
    answer = cut.show([])
    assert (answer.hits, answer.blocks, answer.text) == ((), (), "")
