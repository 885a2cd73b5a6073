"""Letters of Chinese, Japanese and Korean, which an English model takes for noise."""

from __future__ import annotations

import regex

_CJK = regex.compile(r"[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}&&\p{L}]+", regex.VERSION1)
_LETTERS = regex.compile(r"\p{L}+")


def has_cjk(text: str) -> bool:
    """Whether a text has a letter of Han, kana or Hangul."""
    return not text.isascii() and _CJK.search(text) is not None


def count_letters(text: str) -> tuple[int, int]:
    """(letters of Han, kana and Hangul, all letters) of a text."""
    cjk = 0 if text.isascii() else sum(map(len, _CJK.findall(text)))
    return cjk, sum(map(len, _LETTERS.findall(text)))
