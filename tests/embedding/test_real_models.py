"""The hub's models themselves, where MEMEVAL_MODELS names a folder that holds them; skipped elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memeval.embedding.index import VectorIndex
from memeval.embedding.sources import MODELS_VARIABLE, ModelPlaces, open_embedder
from tests.embedding.conftest import Page

pytestmark = pytest.mark.slow

NOTES = (
    Page("a.md", "# Redis\nThe in-memory store listens on 6380, because the scale's daemon holds 6379.\n"),
    Page("b.md", "# Billing\nInvoices leave on the third of the month.\n"),
    Page("c.md", "# 締め処理\n月末の請求書は翌月三日までに経理へ送る。\n"),
    Page("d.md", "# 발주\n저울은 오월까지 주문한다.\n"),
    Page("e.md", "# 值班\n週末的值班在星期五傍晚交接。\n"),
)


def load(model):
    folder = os.environ.get(MODELS_VARIABLE)
    if not folder or not (Path(folder) / model).is_dir():
        pytest.skip(f"{MODELS_VARIABLE} names no folder with {model} in it")
    return open_embedder(model, ModelPlaces(models_folder=Path(folder)))


@pytest.mark.parametrize(
    ("model", "query", "doc_id"),
    [
        ("all-MiniLM-L6-v2", "why is our cache not on the usual number", "a.md"),
        ("multilingual-e5-small", "why is our cache not on the usual number", "a.md"),
        ("multilingual-e5-small", "支払いの締切はいつ", "c.md"),
        ("multilingual-e5-small", "언제까지 장비를 사야 하나", "d.md"),
        ("multilingual-e5-small", "禮拜六誰負責", "e.md"),
    ],
)
def test_found_without_a_shared_word(model, query, doc_id):
    """A question in other words finds its note first, above the floor."""
    best = VectorIndex(NOTES, load(model)).search(query)[0]
    assert (best.doc_id, best.nearness > 0) == (doc_id, True)


@pytest.mark.parametrize("model", ["all-MiniLM-L6-v2", "multilingual-e5-small"])
def test_the_same_vectors_on_every_load(model):
    """Two loads of one model give the same bytes under the same identity."""
    first, second = load(model), load(model)
    texts = ["redis port", "監視設定はどこ", "word " * 600]
    assert first.embed_passages(texts).tobytes() == second.embed_passages(texts[::-1])[::-1].tobytes()
    assert first.identity == second.identity
    assert first.dimension == 384
