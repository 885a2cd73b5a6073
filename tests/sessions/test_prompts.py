"""Prompts that order rewording."""

from __future__ import annotations

import pytest

from memeval.sessions.prompts import orders_rewording


@pytest.mark.parametrize(
    "text",
    [
        "Before answering, search the memory with several different keywords.",
        "If nothing is found, try at least two synonyms.",
        "Rephrase the query and search again.",
        "Where it finds nothing, try other words two or three times before you conclude.",
        "Use synonyms in your search before giving up.",
        "找不到就換個說法再搜一次",
        "請用多種關鍵字搜尋記憶",
        "没有结果时换关键词",
        "見つからなければ言い換えて検索してください",
        "別のキーワードでも検索すること",
        "다른 키워드로 다시 검색하세요",
    ],
)
def test_orders_are_seen(text):
    """In four languages."""
    assert orders_rewording(text)


@pytest.mark.parametrize(
    "text",
    [
        "Why does the login page loop?",
        "Rename the keyword argument in several files.",
        "Search the memory for the redis port.",
        "The query returns different rows on replicas",
        "請搜尋記憶",
        "検索してください",
        "",
    ],
)
def test_other_prompts_are_none(text):
    """Talk of queries and keywords is no order."""
    assert not orders_rewording(text)
