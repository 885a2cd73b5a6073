"""Tokens as the terms of a query and of a line; the rule itself is tested where it stands."""

from __future__ import annotations

from memeval.retrieval.tokens import TokenTerms


def test_terms_of_a_query_are_its_distinct_tokens():
    """Repeats in any case are one term, in the order of their first."""
    assert TokenTerms().of_query("Port of port 設定 設定") == ("port", "of", "設定")


def test_the_first_term_of_a_line_is_located():
    """Also inside an unbroken run of Han; (0, 0) when the line has none of them."""
    terms = TokenTerms()
    assert terms.locate_first("夜間監視設定 port", frozenset({"設定", "port"})) == (4, 6)
    assert terms.locate_first("supported Port", frozenset({"port"})) == (10, 14)
    assert terms.locate_first("support", frozenset({"port"})) == (0, 0)
