"""Where a term stands in a folded text: as a whole word, or inside a longer one."""

from __future__ import annotations

import unicodedata
from string import ascii_lowercase, digits

from memeval.memory.folding import FoldedText
from memeval.memory.terms import Term, TermKind, is_edgeless, stem_word

_MAX_INFLECTION = 8
"""Characters an inflected form has more than the stem: `-nnings`, and two to spare. What follows is not read."""
_POINTS = frozenset("._")
_ALPHANUMERIC = frozenset(ascii_lowercase + digits)


def count_occurrences(term: Term, folded: FoldedText) -> tuple[int, int]:
    """(as a whole, inside longer words): how often a term stands in a text."""
    text, key = folded.text, term.key
    if term.kind is not TermKind.WORD and term.kind is not TermKind.COMPOUND:
        return text.count(key), 0
    whole = inside = 0
    start = text.find(key)
    while start >= 0:
        found = judge_occurrence(term, folded, start)
        if found:
            whole += 1
        elif found is not None:
            inside += 1
        start = text.find(key, start + len(key))
    return whole, inside


def judge_occurrence(term: Term, folded: FoldedText, start: int) -> bool | None:
    """What the key of a term is at a place of a text: True as a whole, False inside a longer word, None another word.

    A word begins and ends at anything but a letter, number or mark, at a script without word edges, and at a hump of
    `camelCase`. It is the term as a whole in any inflection. A compound is no whole inside a longer version number:
    `2.1` in `2.1.7` and in `v1.2.1`.
    """
    is_word = term.kind is TermKind.WORD
    if not is_word and term.kind is not TermKind.COMPOUND:
        return True
    text = folded.text
    end = start + len(term.key)
    is_cut = _continues(text, start - 1) if start else False
    goes_on = _continues(text, end) if end < len(text) else False
    if not is_cut or _is_hump(folded, start):
        if is_word:
            if _is_form(term, folded, start, end) if goes_on else _is_same_word(term, term.key):
                return True
        elif not goes_on and _stands_apart(text, start, end):
            return True
    return False if term.inside and text.startswith(term.inside, start) else None


def _is_form(term: Term, folded: FoldedText, start: int, end: int) -> bool:
    """Whether the word from `start` on, which begins with the key up to `end` and goes on, is a form of the term."""
    text, first = folded.text, end
    last = min(len(text), end + _MAX_INFLECTION + 1)
    while end < last and _continues(text, end):
        end += 1
    if end - first <= _MAX_INFLECTION and _is_same_word(term, text[start:end]):
        return True
    for place in range(first, end):
        if _is_hump(folded, place):
            return _is_same_word(term, text[start:place])
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
