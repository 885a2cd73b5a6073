"""Tokens of a text, and a query's tokens in a line. One rule for every language, without a dictionary or stop words.

A *paired* character is a letter or number of Han, kana or Hangul, sound and iteration marks included (ー 々 〆 ゝ and
half-width forms; by Unicode script extensions). A maximal run of paired characters gives every pair of neighbours, or
itself when it is one character. A maximal run of any other letters and numbers gives one token, lower-cased. A
combining mark belongs to the character before it and splits nothing (Thai, Devanagari, decomposed accents); after
anything but a letter or number it is ignored. Text is not normalised: full-width and half-width, composed and
decomposed spellings are different tokens.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

_SCRIPTS = r"\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}"
_PAIRED = rf"[\p{{L}}\p{{N}}]&&[{_SCRIPTS}]"
_OTHER = rf"[\p{{L}}\p{{N}}]--[{_SCRIPTS}]"
_RUN = regex.compile(rf"(?V1)(?P<paired>[{_PAIRED}][[{_PAIRED}]\p{{M}}]*)|[{_OTHER}][[{_OTHER}]\p{{M}}]*")
_CHARACTER = regex.compile(r"\P{M}\p{M}*")


def locate_tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """(token, start, end) for each token in order of its start; `text[start:end]` is what it stands for."""
    for run in _RUN.finditer(text):
        start = run.start()
        if run.lastgroup is None:
            yield run.group().lower(), start, run.end()
            continue
        ends = [character.end() for character in _CHARACTER.finditer(run.group())]
        starts = [0, *ends]
        for first, last in zip(starts, ends[1:] or ends, strict=False):
            yield run.group()[first:last], start + first, start + last


def tokenise(text: str) -> list[str]:
    """The tokens of a text in order, repeats kept; empty when it holds no letter or number."""
    return [token for token, _, _ in locate_tokens(text)]
