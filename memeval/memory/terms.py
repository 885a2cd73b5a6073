"""From a query to the terms a search looks up: words and their stems, parts of identifiers, pairs of CJK characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import regex

from memeval.memory.fillers import FILLER_PAIRS, FILLER_WORDS

_SCRIPTS = r"[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]"
_PAIRED = rf"[[\p{{L}}\p{{N}}]&&{_SCRIPTS}]"
_OTHER = rf"[[\p{{L}}\p{{N}}]--{_SCRIPTS}]"
_JOINERS = r"[._\-/:@#+'’]+"
_WORD = rf"{_OTHER}[{_OTHER}\p{{M}}]*"
_RUN = regex.compile(rf"(?V1)(?P<paired>{_PAIRED}[{_PAIRED}\p{{M}}]*)|{_WORD}(?:{_JOINERS}{_WORD})*")
_JOINER = re.compile(_JOINERS)
_HUMP = regex.compile(r"(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})")
_HIRAGANA_PAIR = regex.compile(r"[\p{Hiragana}ー]{2}")
_HIRAGANA = regex.compile(r"[\p{Hiragana}ー]")
_PAIRED_CHARACTER = regex.compile(rf"(?V1){_PAIRED}")
_ENGLISH = re.compile(r"[a-z]{4,}")
_VOWEL = re.compile(r"[aeiouy]")
MIN_STEM_CHARACTERS = 3
MIN_BEGINNING_CHARACTERS = 4
"""Of a word that is looked up by its beginning: three letters begin too many others."""


class TermKind(str, Enum):
    """How a term is looked up."""

    WORD = "word"
    """As a whole word, in any inflection; inside a longer word for less."""
    COMPOUND = "compound"
    """A joined spelling as it stands, such as `v2.1` or `redis-deploy`; its parts are terms too."""
    PAIR = "pair"
    """Two neighbouring characters of Han, kana or Hangul, which know no word edge."""
    CHARACTER = "character"
    """One such character that stands alone in the query."""


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look up."""

    text: str
    """As the query has it, folded."""
    key: str
    """The literal that every form of it begins with; what a text is scanned for."""
    kind: TermKind
    stem: str
    """What all its forms have in common; for anything but a word the text itself."""
    filler: bool
    """A word of almost every question, which decides nothing where there is another."""


def parse_query(query: str, characters: Mapping[str, str] | None = None) -> tuple[Term, ...]:
    """The distinct terms of a query, in order; () when it holds no letter or number.

    A run of Han, kana or Hangul gives each pair of neighbours, or itself when it is one character. Any other run of
    letters and numbers gives its words: cut at joining marks and at the humps of `camelCase`; a run of several words
    is also looked up whole. Single letters are left out of a longer run.

    Args:
        query: as it was asked.
        characters: as for `fold_width`.
    """
    terms: dict[tuple[TermKind, str], Term] = {}
    for run in _RUN.finditer(unicodedata.normalize("NFKC", query)):
        found = _cut_pairs(run.group(), characters) if run.lastgroup == "paired" else _cut_words(run.group())
        for term in found:
            terms.setdefault((term.kind, term.stem), term)
    return tuple(terms.values())


def loosen_terms(terms: Sequence[Term], count: Callable[[Term], int]) -> tuple[Term, ...]:
    """Parts of terms that stand nowhere: the longest beginning of a word that does, and the characters of pairs.

    Args:
        terms: none of them is held by any document.
        count: how many documents hold a term.
    """
    loose: dict[str, Term] = {}
    for term in terms:
        if term.kind is TermKind.WORD:
            for length in range(len(term.text) - 1, MIN_BEGINNING_CHARACTERS - 1, -1):
                beginning = term.text[:length]
                part = Term(beginning, beginning, TermKind.WORD, beginning, False)
                if count(part):
                    loose.setdefault(beginning, part)
                    break
        elif term.kind is TermKind.PAIR:
            for character in term.text:
                if not _HIRAGANA.match(character):
                    loose.setdefault(character, Term(character, character, TermKind.CHARACTER, character, False))
    return tuple(loose.values())


def is_paired(character: str) -> bool:
    """Whether a character is a letter or number of Han, kana or Hangul, between which there are no word edges."""
    return character > "\u10ff" and _PAIRED_CHARACTER.match(character) is not None


def stem_word(word: str) -> str:
    """The stem that English inflections of a folded word share; other words, and short ones, as they are.

    Plural, -ed, -ing, a final e and y go, so that `policies` meets `policy` and `running` meets `run`. Derivations
    (-er, -ment, -tion) stay, since they often mean something else.
    """
    if not _ENGLISH.fullmatch(word):
        return word
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for suffix in ("ing", "ed"):
        base = word.removesuffix(suffix)
        if base != word and len(base) >= MIN_STEM_CHARACTERS and _VOWEL.search(base):
            word = base[:-1] if len(base) > MIN_STEM_CHARACTERS and base[-1] == base[-2] not in "lsz" else base
            break
    if len(word) > MIN_STEM_CHARACTERS and word.endswith(("e", "y")):
        word = word[:-1]
    return word


def _cut_pairs(run: str, characters: Mapping[str, str] | None) -> list[Term]:
    folded = run.casefold()
    if characters:
        folded = "".join(characters.get(character, character) for character in folded)
    if len(folded) == 1:
        return [Term(folded, folded, TermKind.CHARACTER, folded, False)]
    pairs = [folded[place : place + 2] for place in range(len(folded) - 1)]
    return [Term(pair, pair, TermKind.PAIR, pair, _is_filler_pair(pair)) for pair in pairs]


def _cut_words(run: str) -> list[Term]:
    words = [word.casefold() for part in _JOINER.split(run) for word in _HUMP.split(part) if word]
    whole = run.casefold()
    if len(words) == 1:
        return [_make_word(words[0])]
    terms = [Term(whole, whole, TermKind.COMPOUND, whole, False)]
    return terms + [_make_word(word) for word in words if len(word) > 1]


def _make_word(word: str) -> Term:
    stem = stem_word(word)
    return Term(word, stem, TermKind.WORD, stem, word in FILLER_WORDS)


def _is_filler_pair(pair: str) -> bool:
    return pair in FILLER_PAIRS or _HIRAGANA_PAIR.fullmatch(pair) is not None
