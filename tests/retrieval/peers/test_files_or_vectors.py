"""The article's vector store: entries of 500 characters, a floor that rules fall under, five shown."""

from __future__ import annotations

import pytest

from memeval.retrieval.base import Settings
from memeval.retrieval.peers.files_or_vectors import FilesOrVectors


@pytest.fixture
def ask(make_document, embedder):
    """(texts, query) -> the answer over notes/0.md, notes/1.md, …"""

    def search(texts, query):
        documents = [make_document(f"notes/{place}.md", text) for place, text in enumerate(texts)]
        return FilesOrVectors(documents, Settings(embedder=embedder)).search(query)

    return search


def test_a_rule_in_other_words_falls_below_the_floor(ask):
    """Cosine 0: 0.7 * 0.35 = 0.245. Cosine 1 / sqrt(12) = 0.29: 0.7 * 0.7 / 1.71 + 0.3 * 0.29 = 0.37 passes."""
    rule = "controllers end in handler"
    assert ask([rule], "how are endpoints named").hits == ()
    assert [hit.score for hit in ask(["physician x y z"], "doctor a b").hits] == [pytest.approx(0.373, abs=1e-3)]


def test_one_common_word_always_passes(ask):
    """The least of both sides: 0.7 * (0.7 * 0.5 + 0.3 * 0.5) is the floor itself, and any cosine is above 0."""
    long = "port " + " ".join(f"w{n}" for n in range(60))
    assert [hit.doc_id for hit in ask([long, "x", "y"], "port").hits] == ["notes/0.md"]


def test_a_long_file_is_several_entries(ask):
    """Of at most 500 characters; the answer's is shown, the others only where they pass."""
    text = "\n\n".join(" ".join(f"{word}{n}" for n in range(60)) for word in ("alpha", "beta", "gamma"))
    answer = ask([text], "beta1 beta2 beta3 beta4 beta5 beta6 beta7 beta8 beta9")
    assert "beta1 beta2" in answer.text
    assert "gamma1 gamma2" not in answer.text
    assert len(answer.blocks[0].snippet) <= 501


def test_near_copies_fill_the_first_five(ask):
    """Nothing tells copies apart: the sixth text, as near as they are, is not shown."""
    answer = ask([f"port conflict {n}" for n in range(5)] + ["port conflict answer"], "port conflict")
    assert answer.shown == tuple(f"notes/{n}.md" for n in range(5))
    assert len(answer.hits) == 6
