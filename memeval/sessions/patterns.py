"""What is asked by a regular expression or a file pattern: its words."""

from __future__ import annotations

import re

_REPLACED: tuple[tuple[str, str], ...] = (
    (r"\\[bBAzZ<>]|\\Q|\\E", ""),
    (r"\\[wWsSdDhHnrt]", " "),
    (r"\\\|", " "),
    (r"\(\?[a-zA-Z]*[:=!<)]?[=!]?", " "),
    (r"(?<!\\)\[\^?\]?[^\]]*\]", "["),
    (r"(?<!\\)\{\d*,?\d*\}", ""),
    (r"(?<!\\)\.[*+?]*", " "),
    (r"(?<!\\)[*+?^$]", ""),
    (r"(?<!\\)[|()\[]", " "),
    (r"\\(.)", r"\1"),
)
"""(pattern, what stands for it), applied in turn; a character class is a gap, but for one letter in both cases."""
_MAX_CHARACTERS = 4_096
_ONE_LETTER = re.compile(r"\[(\w)(\w)\]")
_LETTER = re.compile(r"\w")
_GLOB_MARKS = re.compile(r"[*?\[\]{},!]+|/")
_ENDING = re.compile(r"\.(?:md|markdown|txt|mdx)\b", re.IGNORECASE)


def find_words(pattern: str, *, is_literal: bool = False) -> str | None:
    """The words of a regular expression, alternatives one after the other; None where it has no letter or digit.

    A literal is its own words. What is common to grep, PCRE and Rust's regex is understood; of anything else a stray
    mark may remain, which is no word to the ruler.
    """
    text = pattern[:_MAX_CHARACTERS]
    if not is_literal:
        text = _ONE_LETTER.sub(_fold_letter, text)
        for mark, replacement in _REPLACED:
            text = re.sub(mark, replacement, text)
    words = " ".join(text.split())
    return words if _LETTER.search(words) else None


def find_name_words(pattern: str) -> str | None:
    """The words of a file pattern: of `**/*redis*.md` redis; None where it has none, as `*.md`, which only lists."""
    words = " ".join(_GLOB_MARKS.sub(" ", _ENDING.sub(" ", pattern.rsplit("/", 1)[-1])).split()).strip(". ")
    return words if _LETTER.search(words) else None


def _fold_letter(match: re.Match[str]) -> str:
    first, second = match.groups()
    return first if first.casefold() == second.casefold() else match.group()
