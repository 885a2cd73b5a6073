"""The dense leg: cosines in order, and each text embedded once."""

from __future__ import annotations

import pytest

from memeval.embedding.kept import share_vectors
from memeval.errors import EmbedderUnavailableError, EmbeddingError
from memeval.retrieval.base import Settings
from memeval.retrieval.dense import DenseLeg, take_embedder


class CountingEmbedder:
    """Another model, of an identity of its own, that remembers what it was asked to embed."""

    def __init__(self, model, identity):
        self.model = model
        self.identity = identity
        self.dimension = model.dimension
        self.passages = []

    def embed_passages(self, texts):
        self.passages += texts
        return self.model.embed_passages(texts)

    def embed_queries(self, texts):
        return self.model.embed_queries(texts)


def test_texts_come_by_cosine_then_place(embedder):
    """A text of m and a query of n words with k in common have the cosine k / sqrt(m n), to six decimals."""
    leg = DenseLeg(["red", "red blue", "green", "blue red"], embedder)
    assert leg.rank("red blue") == [(1, 1.0), (3, 1.0), (0, 0.707107), (2, 0.0)]
    assert leg.rank("red blue", 2) == [(1, 1.0), (3, 1.0)]


def test_equal_texts_score_alike_wherever_they_stand(embedder):
    """No bit of a cosine depends on the place of its text."""
    for size in (1, 7, 64, 333):
        leg = DenseLeg(["one two three four five six seven"] * size, embedder)
        assert len({score for _, score in leg.rank("one two nine")}) == 1


def test_no_texts_give_no_ranking(embedder):
    """An empty store is searched like any other."""
    assert DenseLeg([], embedder).rank("anything") == []


def test_a_text_is_embedded_once_by_a_shared_model(embedder):
    """By its content: a second leg, or an index of another variant, embeds new texts alone."""
    first = CountingEmbedder(embedder, "first")
    shared = share_vectors(first)
    DenseLeg(["a a", "b", "a a"], shared)
    leg = DenseLeg(["b", "c"], shared)
    assert first.passages == ["a a", "b", "c"]
    assert leg.rank("c")[0] == (1, 1.0)
    DenseLeg(["b", "b"], first)
    assert first.passages == ["a a", "b", "c", "b"]


def test_vectors_that_do_not_fit_are_refused(embedder, monkeypatch):
    """A row too few, or a query of another dimension: the model and the numbers are named."""
    few = CountingEmbedder(embedder, "few")
    monkeypatch.setattr(few, "embed_passages", lambda texts: embedder.embed_passages(texts[1:]))
    with pytest.raises(EmbeddingError, match="the embedder 'few' gave 1 x 8192 numbers for 2 texts; expected are 2 x"):
        DenseLeg(["x1", "x2"], few)
    short = CountingEmbedder(embedder, "short")
    monkeypatch.setattr(short, "embed_queries", lambda texts: [[1.0, 0.0]] * len(texts))
    with pytest.raises(EmbeddingError, match="the embedder 'short' gave 1 x 2 numbers for 1 text; expected are 1 x"):
        DenseLeg(["x1"], short).rank("x1")


def test_a_run_without_an_embedder_is_told_how_to_get_one(embedder):
    """The message is what the report shows for an ungradable variant."""
    with pytest.raises(EmbedderUnavailableError, match="open_embedder"):
        take_embedder(Settings())
    assert take_embedder(Settings(embedder=embedder)) is embedder
