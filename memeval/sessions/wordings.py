"""How one wording of a need differs from those before it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from memeval.ruler import is_zero_overlap, ruler_terms, shared_terms
from memeval.testbed.scripts import count_scripts, find_simplified, find_traditional
from memeval.text import split_words

_KANA = dict(zip(range(0x3041, 0x3097), range(0x30A1, 0x30F7), strict=True))


class Change(str, Enum):
    """What a further wording is, compared with the earlier ones of its need."""

    REPEAT = "repeat"
    """The same words again, in the same place; not counted as a further wording."""
    NARROWING = "narrowing"
    """Words added to those of the wording before, or the same words kept to a smaller place."""
    WIDENING = "widening"
    """Words taken away from it, or the same words in a larger place."""
    SPACING = "spacing"
    """The same characters, white space apart."""
    SCRIPT = "script or width"
    """The same words in other characters (full width, kana, simplified), or words of another script."""
    OVERLAP = "paraphrase with overlap"
    """Other words, some of them shared with the first wording."""
    ZERO_OVERLAP = "zero-overlap"
    """No word shared with the first wording."""
    UNCLASSED = "unclassed"
    """One of the two has no words the ruler counts, or hashes that tell nothing of them."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A query as it is compared."""

    query: str | None
    """None in a log that keeps hashes."""
    hashes: tuple[str, ...] | None = None
    where: str | None = None


def classify_change(earlier: Sequence[Asked], later: Asked) -> Change:
    """The class of a wording after those of `earlier`, in order, of which there is at least one.

    Tried in this order: repeat, spacing, and the same words in other characters, against each earlier wording; words of
    another script, and zero overlap, against the first; narrowing and widening against the one before.
    """
    if any(is_repeat(one, later) for one in earlier):
        return Change.REPEAT
    first, previous = earlier[0], earlier[-1]
    same = next((one for one in earlier if _fold(one) == _fold(later) is not None), None)
    if same is not None:
        return Change.NARROWING if _is_place_within(later.where, same.where) else Change.WIDENING
    if later.query is None or any(one.query is None for one in earlier):
        return _classify_hashes(first, previous, later)
    queries = [one.query or "" for one in earlier]
    if any(_squeeze(query) == _squeeze(later.query) for query in queries):
        return Change.SPACING
    if any(_is_same_in_other_characters(query, later.query) for query in queries):
        return Change.SCRIPT
    if _has_other_script(queries[0], later.query):
        return Change.SCRIPT
    terms = set(ruler_terms(later.query))
    if not terms or not ruler_terms(queries[0]):
        return Change.UNCLASSED
    if is_zero_overlap(queries[0], later.query):
        return Change.ZERO_OVERLAP
    before = set(ruler_terms(queries[-1]))
    return _compare_sets(before, terms)


def is_repeat(one: Asked, later: Asked) -> bool:
    """Whether a query asks the same words, in the same place, as an earlier one."""
    return _fold(one) == _fold(later) is not None and one.where == later.where


def measure_closeness(one: Asked, other: Asked) -> float:
    """The share of the words of the shorter query that the other has, too, in [0, 1]; 1 where both are the same text.

    0 where one of them has no words that count.
    """
    if one.query is not None and other.query is not None:
        if _squeeze(one.query) == _squeeze(other.query) or _is_same_in_other_characters(one.query, other.query):
            return 1.0
        shared = min(len(shared_terms(one.query, other.query)), len(shared_terms(other.query, one.query)))
        shorter = min(len(ruler_terms(one.query)), len(ruler_terms(other.query)))
    else:
        first, second = set(one.hashes or ()), set(other.hashes or ())
        shared, shorter = len(first & second), min(len(first), len(second))
    return min(shared / shorter, 1.0) if shorter else 0.0


def has_overlap(first: Asked, later: Asked) -> bool | None:
    """Whether a later wording shares a word with the first; None where the ruler counts no word of one of them."""
    if first.query is not None and later.query is not None:
        if not ruler_terms(first.query) or not ruler_terms(later.query):
            return None
        return not is_zero_overlap(first.query, later.query)
    if not first.hashes or not later.hashes:
        return None
    return bool(set(first.hashes) & set(later.hashes))


def _fold(asked: Asked) -> object:
    """What is equal for queries that ask the same: their words without regard to case and order; None without any."""
    if asked.query is not None:
        words = split_words(unicodedata.normalize("NFC", asked.query).casefold())
        return frozenset(words) or None
    return frozenset(asked.hashes or ()) or None


def _is_place_within(place: str | None, other: str | None) -> bool:
    return place is not None and (other is None or place.startswith(f"{other.rstrip('/')}/"))


def _classify_hashes(first: Asked, previous: Asked, later: Asked) -> Change:
    terms, before, begun = set(later.hashes or ()), set(previous.hashes or ()), set(first.hashes or ())
    if not terms or not before or not begun:
        return Change.UNCLASSED
    return _compare_sets(before, terms) if terms & begun else Change.ZERO_OVERLAP


def _compare_sets(before: set[str], terms: set[str]) -> Change:
    if before < terms:
        return Change.NARROWING
    return Change.WIDENING if terms < before else Change.OVERLAP


def _squeeze(text: str) -> str:
    """The text without white space and case."""
    return "".join(split_words(text.casefold()))


def _is_same_in_other_characters(one: str, other: str) -> bool:
    """Whether two texts are the same but for width, for hiragana and katakana, or for simplified and traditional."""
    first, second = (_squeeze(unicodedata.normalize("NFKC", text)).translate(_KANA) for text in (one, other))
    if first == second:
        return True
    if len(first) != len(second):
        return False
    pairs = {(a, b) for a, b in zip(first, second, strict=True) if a != b}
    return all(find_simplified(a) and find_traditional(b) for a, b in pairs) or all(
        find_traditional(a) and find_simplified(b) for a, b in pairs
    )


def _has_other_script(one: str, other: str) -> bool:
    """Whether no letter of one text is of a script that the other has."""
    first, second = count_scripts(one), count_scripts(other)
    return bool(first) and bool(second) and not set(first) & set(second)
