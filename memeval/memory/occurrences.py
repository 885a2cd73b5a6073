"""Where a term stands in a folded text: as a whole word, or inside a longer one."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Sequence
from string import ascii_lowercase, digits
from typing import NamedTuple

from memeval.memory.folding import FoldedText
from memeval.memory.terms import Term, TermKind, is_edgeless, stem_word

_MAX_ENDING = 9
"""Characters that a form of a word has more than the stem: `-abilities`. What follows is not read."""
_DERIVED = re.compile(r"[eiy]?(?:[eo]r|ment|(?:[ai]t)?ion|abilit(?:y|ie)|[ai]ble|al|ive|[ae]nce|ness|ity|ful|ly)s?")
"""Endings that make another word of a stem, which is less than the word itself: `migrate` in `migration`."""
_ALPHANUMERIC = frozenset(ascii_lowercase + digits)
_EDGES = frozenset(map(chr, range(128))) - _ALPHANUMERIC
_POINTS = frozenset("._")


class Occurrences(NamedTuple):
    """Where a term stands in one text."""

    starts: Sequence[int]
    """Ascending places in the folded text; occurrences do not overlap."""
    is_whole: bool
    """False where it stands inside longer words only; where it also stands as a whole, only those places are given."""


def find_occurrences(term: Term, folded: FoldedText, start: int = 0) -> Occurrences:
    """The occurrences of a term in a text, from a place on. None is given by no starts.

    Each is judged as by `judge_occurrence`, the plain ones here: most texts are mostly ASCII, and a call for each would
    take four times as long.
    """
    text, stored, key, size = folded.text, folded.stored, term.key, len(term.key)
    whole = array("I")
    inside = array("I")
    start = text.find(key, start)
    if not term.has_edges:
        while start >= 0:
            whole.append(start)
            start = text.find(key, start + size)
        return Occurrences(whole, bool(whole))
    is_word = term.kind is TermKind.WORD
    is_plain = is_word and _is_same_word(term, key)
    has_same_places = is_word and not folded.places
    last = len(text) - size
    while start >= 0:
        before = text[start - 1] if start else "\n"
        after = text[start + size] if start < last else "\n"
        if is_plain and before in _EDGES and after in _EDGES:
            whole.append(start)
        elif has_same_places and before in _ALPHANUMERIC and not stored[start].isupper():
            if not whole and term.inside and text.startswith(term.inside, start):
                inside.append(start)
        else:
            is_whole = judge_occurrence(term, folded, start)
            if is_whole:
                whole.append(start)
            elif is_whole is False and not whole:
                inside.append(start)
        start = text.find(key, start + size)
    return Occurrences(whole or inside, bool(whole))


def judge_occurrence(term: Term, folded: FoldedText, start: int) -> bool | None:
    """What the key of a term is at a place of a text: True as a whole, False inside a longer word, None another word.

    A word begins and ends at anything but a letter, number or mark, at a script without word edges, and at a hump of
    `camelCase`. It is the term as a whole in any inflection; a derivation of it counts as a longer word. A compound is
    no whole inside a longer version number: `2.1` in `2.1.7` and in `v1.2.1`.
    """
    if not term.has_edges:
        return True
    is_word = term.kind is TermKind.WORD
    text = folded.text
    end = start + len(term.key)
    goes_on = end < len(text) and _continues(text, end)
    if start == 0 or not _continues(text, start - 1) or _is_hump(folded, start):
        if not is_word:
            if not goes_on and _stands_apart(text, start, end):
                return True
        elif not goes_on:
            if _is_same_word(term, term.key):
                return True
        else:
            word_end = _find_end(text, end)
            if _is_form(term, folded, start, end, word_end):
                return True
            if _DERIVED.fullmatch(text, end, word_end):
                return False
    return False if term.inside and text.startswith(term.inside, start) else None


def _find_end(text: str, place: int) -> int:
    """The end of the word that goes on at a place, as far as it is read."""
    last = min(len(text), place + _MAX_ENDING + 1)
    while place < last and _continues(text, place):
        place += 1
    return place


def _is_form(term: Term, folded: FoldedText, start: int, key_end: int, end: int) -> bool:
    """Whether a word, or its part before the first hump, is a form of the term."""
    if end - key_end <= _MAX_ENDING and _is_same_word(term, folded.text[start:end]):
        return True
    for place in range(key_end, end):
        if _is_hump(folded, place):
            return _is_same_word(term, folded.text[start:place])
    return False


def _is_same_word(term: Term, word: str) -> bool:
    return word == term.text or stem_word(word) == term.stem


def _stands_apart(text: str, start: int, end: int) -> bool:
    """Whether a compound is no part of a longer number."""
    goes_on = text[end : end + 1] in _POINTS and text[end + 1 : end + 2].isdigit()
    came_on = text[start].isdigit() and start > 1 and text[start - 1] in _POINTS and text[start - 2].isdigit()
    return not (goes_on or came_on)


def _continues(text: str, place: int) -> bool:
    """Whether the character at a place is inside a word: no edge on either side of it but at a hump."""
    character = text[place]
    if character in _ALPHANUMERIC:
        return True
    if character < "\x80":
        return False
    return unicodedata.category(character)[0] == "M" or (character.isalnum() and not is_edgeless(character))


def _is_hump(folded: FoldedText, place: int) -> bool:
    """Whether an upper-case letter stands there after a lower-case one, or before two after an upper-case one."""
    stored = folded.stored
    here = folded.find_origin(place)
    if not stored[here].isupper():
        return False
    if not stored[folded.find_origin(place - 1)].isupper():
        return True
    after = stored[here + 1 : here + 3]
    return len(after) == 2 and after.isalpha() and after.islower()
