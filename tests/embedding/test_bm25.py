"""BM25 over passages: the formula by hand, and the same scores wherever counts are kept."""

from __future__ import annotations

import math

import pytest

from memeval.embedding.bm25 import TextCounts, score_passages


def test_the_formula_by_hand():
    """idf ln(1 + 2.5/1.5) of one passage in three, tf 2, length 3 of a mean of 2; a repeated query word counts once."""
    terms = TextCounts(["redis Redis port", "port", "ship it"])
    wanted = math.log(1 + 2.5 / 1.5) * 2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2))
    assert score_passages("REDIS redis", terms) == {0: pytest.approx(wanted)}
    assert terms.lengths == [3, 1, 2]
    assert terms.count(["port", "nothing"]) == {"port": {0: 1, 1: 1}, "nothing": {}}


def test_a_rare_token_counts_more_and_a_common_one_counts():
    """Every passage holds `note`: its weight is small and above 0."""
    scores = score_passages("note redis", TextCounts(["note redis", "note ship", "note port"]))
    assert scores[0] > scores[1] == scores[2] > 0


def test_pairs_of_han():
    """A query in Chinese is found by the pairs of characters that it shares."""
    scores = score_passages("監視設定", TextCounts(["夜間の監視", "設定を監視設定で", "no pair"]))
    assert scores[1] > scores[0]
    assert 2 not in scores


@pytest.mark.parametrize(("texts", "query"), [((), "redis"), (("", "…"), "redis"), (("redis",), "…!?"), (("a",), "")])
def test_nothing_to_score(texts, query):
    """No passages, none with a token, a query without one."""
    assert score_passages(query, TextCounts(texts)) == {}
