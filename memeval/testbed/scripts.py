"""Scripts: which ones a text is written in, and whether Chinese is simplified or traditional."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

import regex

SCRIPTS = ("Latin", "Han", "Hiragana", "Katakana", "Hangul")
"""Scripts told apart; every other one is `other`."""

LANGUAGE_SCRIPTS = {
    "en": frozenset({"Latin"}),
    "zh": frozenset({"Han", "Latin"}),
    "ja": frozenset({"Han", "Hiragana", "Katakana", "Latin"}),
    "ko": frozenset({"Hangul", "Han", "Latin"}),
}
"""Scripts that a text in a language may be written in; Latin stands in all for names, commands and messages."""

OWN_SCRIPTS = {
    "en": frozenset({"Latin"}),
    "zh": frozenset({"Han"}),
    "ja": frozenset({"Han", "Hiragana", "Katakana"}),
    "ko": frozenset({"Hangul"}),
}
"""Scripts of which a text in a language holds at least a letter, unless it is all names and commands."""

_LETTER = regex.compile(
    "|".join(rf"(?P<{script}>\p{{{script}}})" for script in SCRIPTS) + r"|(?P<long>ー)|(?P<other>\p{L})"
)


def base_language(tag: str) -> str:
    """The language of a tag without script or region: `zh` of `zh-Hant-TW`."""
    return tag.replace("_", "-").split("-")[0].lower()


def count_scripts(text: str) -> dict[str, int]:
    """{script: its letters} for each of SCRIPTS, and `other`, that the text has a letter of.

    ー, which several scripts share, is not counted.
    """
    counts = Counter(match.lastgroup for match in _LETTER.finditer(text))
    return {script: counts[script] for script in (*SCRIPTS, "other") if counts[script]}


def find_simplified(text: str) -> tuple[str, ...]:
    """The distinct Han characters that only simplified Chinese uses, in order; see `find_traditional`."""
    only = _list_characters("gb2312", without="big5")
    return tuple(dict.fromkeys(character for character in text if character in only))


def find_traditional(text: str) -> tuple[str, ...]:
    """The distinct Han characters that only traditional Chinese uses, in order.

    Only traditional: in the character set Big5 and not in GB 2312; only simplified: the other way round. Characters of
    both (台, 里) or of neither tell nothing.
    """
    only = _list_characters("big5", without="gb2312")
    return tuple(dict.fromkeys(character for character in text if character in only))


def may_differ_in_script(query: str, texts: Iterable[str]) -> bool:
    """Whether a query may ask for these texts in the other characters of Chinese; told without a dictionary.

    It may where both have Han and one of them has a character that only traditional Chinese uses, unless both have
    such and neither has one that only simplified uses. A text with Hiragana, a tenth of its Han or more, is Japanese.
    """
    traditional, simplified = bool(find_traditional(query)), bool(find_simplified(query))
    if "Han" not in count_scripts(query):
        return False
    for text in texts:
        scripts = count_scripts(text)
        if scripts.get("Han", 0) > 10 * scripts.get("Hiragana", 0):
            has_traditional = bool(find_traditional(text))
            is_mixed = not (traditional and has_traditional) or simplified or bool(find_simplified(text))
            if (traditional or has_traditional) and is_mixed:
                return True
    return False


@cache
def _list_characters(character_set: str, *, without: str) -> frozenset[str]:
    ideographs = map(chr, range(0x4E00, 0x9FFF + 1))
    return frozenset(c for c in ideographs if c.encode(character_set, "ignore") and not c.encode(without, "ignore"))
