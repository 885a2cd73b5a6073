"""A light English stem: inflection only, so that `moved` meets `move` while `mover` and `movement` stay apart.

Steps 1 and 5 of M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980: plurals, past and -ing forms,
final y, final e, final double l. The steps between them, which cut derivations such as -ation and -ness, are left out.
"""

from __future__ import annotations

import re

_ENGLISH = re.compile(r"[a-z]{3,}")
_VOWELS = frozenset("aeiou")


def stem(word: str) -> str:
    """The stem of a lower-case word; anything but three or more letters a to z comes back as it is."""
    if not _ENGLISH.fullmatch(word):
        return word
    return _strip_final_e(_strip_final_y(_strip_past(_strip_plural(word))))


def _strip_plural(word: str) -> str:
    """Step 1a."""
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _strip_past(word: str) -> str:
    """Step 1b."""
    if word.endswith("eed"):
        return word[:-1] if _count_measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        base = word.removesuffix(suffix)
        if base != word and "v" in _shape(base):
            break
    else:
        return word
    if base.endswith(("at", "bl", "iz")):
        return f"{base}e"
    if _ends_double(base) and base[-1] not in "lsz":
        return base[:-1]
    return f"{base}e" if _count_measure(base) == 1 and _ends_short(base) else base


def _strip_final_y(word: str) -> str:
    """Step 1c."""
    return f"{word[:-1]}i" if word.endswith("y") and "v" in _shape(word[:-1]) else word


def _strip_final_e(word: str) -> str:
    """Steps 5a and 5b."""
    if word.endswith("e"):
        base = word[:-1]
        measure = _count_measure(base)
        if measure > 1 or (measure == 1 and not _ends_short(base)):
            word = base
    return word[:-1] if word.endswith("ll") and _count_measure(word) > 1 else word


def _shape(word: str) -> str:
    """`v` for each vowel and `c` for each consonant; y is a vowel behind a consonant."""
    shape = ""
    for character in word:
        is_vowel = character in _VOWELS or (character == "y" and shape.endswith("c"))
        shape += "v" if is_vowel else "c"
    return shape


def _count_measure(word: str) -> int:
    """Porter's m: how often a vowel is followed by a consonant."""
    return _shape(word).count("vc")


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _shape(word)[-1] == "c"


def _ends_short(word: str) -> bool:
    """Porter's *o: consonant, vowel, consonant, the last not w, x or y."""
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"
