"""Prompts that tell an agent to search in several wordings: after one, rewording says little about the memory."""

from __future__ import annotations

import re

_MANY = r"(?:several|multiple|different|various|alternative|other|varied|two|three|four|five|[2-9])"
_WORDINGS = (
    r"(?:wordings?|phrasings?|keywords?|key words|search terms|search words|synonyms?|spellings?|quer(?:y|ies)"
    r"|terms|searches|formulations?|ways of asking)"
)
_ORDERS: tuple[str, ...] = (
    rf"\b(?:try|use|search|query|run|issue|make|attempt)\b[^.\n]{{0,60}}\b{_MANY}\b[^.\n]{{0,30}}\b{_WORDINGS}\b",
    rf"\b(?:rephrase|reword|paraphrase|reformulate|vary)\b[^.\n]{{0,60}}\b(?:search|memory|{_WORDINGS})",
    r"\b(?:try|use|search|query)\b[^.\n]{0,60}\b(?:other|different|alternative) words\b",
    r"\b(?:search|query|look)\b[^.\n]{0,40}\b(?:again|twice|more than once)\b[^.\n]{0,40}\bother words\b",
    r"\bsynonyms?\b[^.\n]{0,40}\b(?:search|memory|before giving up)\b",
    r"換[個句一種]{0,2}(?:說法|關鍵字|關鍵詞|詞|措辭|寫法)|换[个句一种]{0,2}(?:说法|关键字|关键词|词|措辞|写法)",
    r"(?:多種|多种|不同|其他|幾種|几种|多個|多个)的?(?:說法|说法|關鍵字|關鍵詞|关键字|关键词|措辭|措辞|寫法|写法)",
    r"同義詞|同义词|近義詞|近义词",
    r"言い換え|類義語|同義語|(?:別|他|複数|違う)の?(?:言葉|キーワード|表現|単語|検索語)",
    r"동의어|유의어|(?:다른|여러) ?(?:단어|키워드|표현|검색어|말)(?:로|를|을)?",
)
"""What such an order looks like, in English, Chinese, Japanese and Korean. A list is never complete."""

_MOST_CHARACTERS = 10_000

_ORDER = re.compile("|".join(f"(?:{order})" for order in _ORDERS), re.IGNORECASE)


def orders_rewording(text: str) -> bool:
    """Whether a prompt tells the agent to search in several wordings, as far as its words show.

    Of a long prompt the beginning and the end are looked at: what lies between is mostly pasted.
    """
    looked_at = text if len(text) <= 2 * _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}\n{text[-_MOST_CHARACTERS:]}"
    return _ORDER.search(looked_at) is not None
