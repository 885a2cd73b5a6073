"""The index: found by meaning, by words and by both, from exactly the texts it was given."""

from __future__ import annotations

import pytest

from memeval.embedding.background import SENTENCES
from memeval.embedding.index import VectorIndex, rank_by_ranks
from memeval.embedding.nearness import Calibration
from memeval.errors import EmbeddingError
from tests.embedding.conftest import Page, TopicEmbedder

PAGES = (
    Page("MEMORY.md", "# Rules\nrice rice\n\n# Box\nredis redis buffer\n"),
    Page("notes/ports.md", "# Ports\nlisten 6380 port\n"),
    Page("notes/release.md", "ship ship deploy\n"),
)


def found(index, query):
    return [passage.doc_id for passage in index.search(query) if passage.nearness >= 0]


def test_found_by_meaning(embedder):
    """A query that shares no word with the file finds it, and where in it."""
    (passage,) = (p for p in VectorIndex(PAGES, embedder).search("cache") if p.nearness >= 0)
    assert (passage.doc_id, passage.first_line, passage.last_line) == ("MEMORY.md", 5, 5)
    assert passage.text == "MEMORY > Box\nredis redis buffer"
    assert found(VectorIndex(PAGES, embedder), "release") == ["notes/release.md"]


def test_nothing_near(embedder):
    """A query about something else, nonsense and a blank one find nothing."""
    index = VectorIndex(PAGES, embedder)
    assert found(index, "whales") == []
    assert found(index, "qwsdrt") == []
    assert index.search(" \n") == ()
    assert index.rank_cosines("") == []


def test_a_model_is_not_asked_in_a_language_it_does_not_read():
    """To an English model a Chinese query is noise, near to whatever is noise too."""
    pages = (*PAGES, Page("notes/監視.md", "監視 設定\n"))
    english = VectorIndex(pages, TopicEmbedder(calibration=Calibration(0.2, 0.9, reads_cjk=False)))
    assert english.search("監視") == ()
    assert found(english, "cache") == ["MEMORY.md"]
    assert VectorIndex(pages, TopicEmbedder()).search("監視") != ()


def test_a_question_of_another_dimension(embedder):
    """What an embedder gives for a query is held to its passages."""
    index = VectorIndex(PAGES, embedder)
    embedder._embed = lambda texts: [[1.0, 0.0]] * len(texts)
    with pytest.raises(EmbeddingError, match="the embedder 'topics' gave 1 x 2 numbers for 1 text; expected are 1 x 9"):
        index.search("cache")


def test_empty_store(embedder):
    """No documents, or none with text in it: nothing found, no model asked."""
    for pages in ((), (Page("a.md", ""), Page("b.md", " \n"))):
        index = VectorIndex(pages, embedder)
        assert index.search("cache") == ()
        assert index.rank_cosines("cache") == []
    assert embedder.passages == embedder.queries == []


def test_cosines_rank_every_document(embedder):
    """The plain ranking by cosine leaves no document out, the empty one apart."""
    ranked = VectorIndex((*PAGES, Page("void.md", "")), embedder).rank_cosines("cache")
    assert ranked[0][0] == "MEMORY.md"
    assert {doc_id for doc_id, _ in ranked} == {page.doc_id for page in PAGES}
    assert [score for _, score in ranked] == sorted((score for _, score in ranked), reverse=True)


def test_equal_documents_stand_by_id(embedder):
    """Copies have the same nearness, so that their ids decide."""
    copies = [Page(f"{name}.md", "# x\nredis cache\n") for name in "ba"]
    same = [Page(f"{folder}/x.md", "redis cache\n") for folder in "ba"]
    assert [p.doc_id for p in VectorIndex(same, embedder).search("buffer")] == ["a/x.md", "b/x.md"]
    assert len(VectorIndex(copies, embedder).search("buffer")) == 2


def test_words_rank_documents_by_their_best_passage(embedder):
    """BM25 over passages: a document counts by its best one; file names and headings are among its words."""
    index = VectorIndex(PAGES, embedder)
    assert [doc_id for doc_id, _ in index.rank_terms("redis")] == ["MEMORY.md"]
    assert [doc_id for doc_id, _ in index.rank_terms("Ports of a release")] == ["notes/ports.md", "notes/release.md"]
    assert index.rank_terms("nothing of it") == index.rank_terms("…") == index.rank_terms("") == []
    same = [Page(f"{folder}/x.md", "redis cache\n") for folder in "ba"]
    assert [doc_id for doc_id, _ in VectorIndex(same, embedder).rank_terms("redis")] == ["a/x.md", "b/x.md"]


def test_plain_rank_fusion_by_hand(embedder):
    """1/(60 + rank) by BM25 and by cosine, added; every document is in it, whatever is asked."""
    index = VectorIndex(PAGES, embedder)
    assert [doc_id for doc_id, _ in index.rank_cosines("cache cache deploy")] == [
        "MEMORY.md",
        "notes/release.md",
        "notes/ports.md",
    ]
    assert rank_by_ranks("cache cache deploy", index) == [
        ("notes/release.md", pytest.approx(1 / 61 + 1 / 62)),
        ("MEMORY.md", pytest.approx(1 / 61)),
        ("notes/ports.md", pytest.approx(1 / 63)),
    ]
    assert len(rank_by_ranks("qwsdrt", index)) == len(PAGES)
    assert rank_by_ranks(" ", index) == []


def test_plain_rank_fusion_without_cosines():
    """Where the model does not read the query, the order is that of BM25."""
    pages = (*PAGES, Page("notes/監視.md", "監視 設定\n"))
    english = VectorIndex(pages, TopicEmbedder(calibration=Calibration(0.2, 0.9, reads_cjk=False)))
    assert rank_by_ranks("監視", english) == [("notes/監視.md", pytest.approx(1 / 61))]
    assert len(rank_by_ranks("監視", VectorIndex(pages, TopicEmbedder()))) == 4


def test_a_model_without_calibration(embedder):
    """A model that nobody measured is calibrated on the store by sentences that it cannot answer."""
    raw = TopicEmbedder(calibration=None)
    index = VectorIndex(PAGES, raw)
    assert raw.queries == list(SENTENCES)
    assert index.calibration.certain > index.calibration.floor
    assert found(index, "cache")[0] == "MEMORY.md"


def test_a_query_of_another_thread_is_none_of_this_one(embedder):
    """Whatever is asked between the vector of a query and its use, a query is answered by its own."""

    class Busy(VectorIndex):
        def __setattr__(self, name, value):
            super().__setattr__(name, value)
            if name == "_question" and value is not None:  # what another thread does right behind it
                super().__setattr__(name, ("other", embedder.embed_queries(["whales"])))

    quiet, busy = VectorIndex(PAGES, embedder), Busy(PAGES, embedder)
    for query in ("cache", "6380"):
        assert busy.search(query) == quiet.search(query)
        assert busy.rank_cosines(query) == quiet.rank_cosines(query)
