"""Reranking: the model's order in front, nobody lost."""

from __future__ import annotations

import math

import numpy as np
import pytest

from memeval.embedding.reranking import rerank
from memeval.embedding.sources import open_reranker_choice
from memeval.errors import EmbeddingError
from tests.embedding.tinymodel import write_model

RANKING = [("a", 9.0), ("b", 8.0), ("c", 7.0), ("d", 6.0)]


class ByLength:
    """The longer passage is the better one."""

    identity = "length"

    def score(self, query, passages):
        return [float(len(passage)) for passage in passages]


def test_order_of_the_model():
    """The first three by the model, the fourth stays behind, whatever it would score."""
    passages = {"a": "x", "b": "xxx", "c": "xx", "d": "xxxxx"}
    ranked = rerank("q", RANKING, passages, ByLength(), depth=3)
    assert ranked == [("b", 4.0), ("c", 3.0), ("a", 2.0), ("d", 1.0)]


def test_equal_scores_and_documents_without_a_passage():
    """Equal scores keep their order; a document that nothing is known of is not lost."""
    assert [d for d, _ in rerank("q", RANKING, {"a": "x", "c": "y", "d": "z"}, ByLength())] == ["a", "c", "d", "b"]
    assert rerank("q", [], {}, ByLength()) == []


def test_with_a_cross_encoder(tmp_path):
    """A model folder whose graph scores pairs reorders a ranking, the same way every time."""
    folder = write_model(tmp_path / "cross", output="logits", classes=1, pooling=None)
    passages = {"a": "redis cache", "b": "river rice", "c": "監視設定", "d": "deploy"}
    reranker = open_reranker_choice(folder)
    scores = dict(zip(passages, reranker.score("redis port", list(passages.values())), strict=True))
    assert len(set(scores.values())) == 4
    ranked = rerank("redis port", RANKING, passages, reranker)
    assert [doc_id for doc_id, _ in ranked] == sorted(scores, key=lambda doc_id: -scores[doc_id])
    assert rerank("redis port", RANKING, passages, open_reranker_choice(folder)) == ranked


class Says:
    """Gives the same scores whatever it is asked."""

    identity = "odd"

    def __init__(self, scores):
        self.scores = scores

    def score(self, query, passages):
        return self.scores


@pytest.mark.parametrize(
    ("scores", "given"),
    [
        ([0.5], "gave 1 score for 2 passages; expected is one finite number for each"),
        ([0.5, 0.1, 0.2], "gave 3 scores for 2 passages"),
        ([0.5, math.nan], "gave the score nan for 2 passages"),
        ([0.5, "high"], "gave the score 'high' for 2 passages"),
        ([0.5, 10**400], "gave the score 1000"),
        (np.zeros((2, 2)), "gave the score array"),
        (None, "gave the score None for 2 passages"),
        (0.5, "gave 1 score for 2 passages"),
    ],
)
def test_scores_that_do_not_fit_are_refused(scores, given):
    """The model and the numbers are named."""
    with pytest.raises(EmbeddingError, match=f"the reranker 'odd' {given}"):
        rerank("q", RANKING[:2], {"a": "x", "b": "y"}, Says(scores))
    assert rerank("q", RANKING, {}, Says(scores)) == [("a", 4.0), ("b", 3.0), ("c", 2.0), ("d", 1.0)]
