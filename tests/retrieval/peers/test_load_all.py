"""Load-all: complete, and its price."""

from __future__ import annotations

from memeval.retrieval.base import Settings
from memeval.retrieval.recipes import find_variant
from memeval.text import utf8_length


def test_every_file_is_shown_whole_whatever_is_asked(make_document):
    """By doc_id, line ends made one, each with its path; the same for any query and over any budget."""
    documents = [make_document("notes/b.md", "two\r\nlines\r\n"), make_document("MEMORY.md", "rule\n")]
    retriever = find_variant("load-all").build(documents, Settings(budget_bytes=1))
    answer = retriever.search("anything")
    assert answer.text == "store/MEMORY.md\nrule\n\nstore/notes/b.md\ntwo\nlines"
    assert [(hit.doc_id, hit.score) for hit in answer.hits] == [("MEMORY.md", 2), ("notes/b.md", 1)]
    assert retriever.search("") == answer


def test_the_price_is_the_store(documents):
    """Every byte of every file is paid for, and the paths."""
    answer = find_variant("load-all").build(documents, Settings()).search("port")
    assert len(answer.shown) == len(documents)
    stored = sum(utf8_length(document.text) for document in documents)
    assert stored * 0.98 < utf8_length(answer.text) < stored + 50 * len(documents)
