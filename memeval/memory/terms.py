"""From a query to the terms a search looks up: words and their stems, parts of identifiers, pairs of CJK characters."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import pairwise

import regex

from memeval.memory.fillers import ASKING, FILLER_PAIRS, FILLER_WORDS
from memeval.memory.folding import drop_ignorable
from memeval.text import CLIPPED

_IN_PAIRS = r"\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}"
_IN_TRIPLES = r"\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}"
_PAIRED = rf"[[\p{{L}}\p{{N}}]&&[{_IN_PAIRS}]]"
_TRIPLED = rf"[[\p{{L}}\p{{N}}]&&[{_IN_TRIPLES}]]"
_SPACED = rf"[[\p{{L}}\p{{N}}]--[{_IN_PAIRS}{_IN_TRIPLES}]]"
_JOINERS = r"[._\-/:@#+'’]+"
_WORD = rf"{_SPACED}[{_SPACED}\p{{M}}]*"
_RUN = regex.compile(
    rf"(?V1)(?P<paired>{_PAIRED}[{_PAIRED}\p{{M}}]*)"
    rf"|(?P<tripled>{_TRIPLED}[{_TRIPLED}\p{{M}}]*)"
    rf"|(?P<words>{_WORD}(?:{_JOINERS}{_WORD})*)"
    r"|(?P<symbol>(?<!\S)[^\s\p{L}\p{N}]++(?!\S))"
)
_LETTER = regex.compile(r"\P{M}\p{M}*|\p{M}+")
_EDGELESS = regex.compile(rf"(?V1){_PAIRED}|{_TRIPLED}")
_JOINER = re.compile(_JOINERS)
_HUMP = regex.compile(r"(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})")
_HIRAGANA_PAIR = regex.compile(r"[\p{Hiragana}ー]{2}")
_TELLING = regex.compile(r"[\p{Han}\p{Katakana}\p{Hangul}]")
_HAN = regex.compile(r"\p{Han}")
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
    GRAM = "gram"
    """Neighbouring characters of a script that is written without word edges: two of Han, kana and Hangul, three
    letters with their marks of Thai, Lao, Khmer and Burmese."""
    CHARACTER = "character"
    """One such character that stands alone in the query."""
    SYMBOL = "symbol"
    """A word without a letter or number, as it stands: an emoji, `->`."""


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
    inside: str = ""
    """Of a word or compound, the literal that means it inside a longer one; empty where none does."""
    parts: tuple[str, ...] = ()
    """Of a compound, its words."""

    @property
    def has_edges(self) -> bool:
        """Whether what stands before and after it matters: of a word or compound it does."""
        return self.kind is TermKind.WORD or self.kind is TermKind.COMPOUND

    @property
    def is_beginning(self) -> bool:
        """Whether it stands for the words that begin so, and is none itself; `…` is part of no term of a query."""
        return self.text.endswith(CLIPPED)


def parse_query(query: str, characters: Mapping[str, str] | None = None) -> tuple[Term, ...]:
    """The distinct terms of a query, in order; () for white space alone.

    A run of Han, kana or Hangul gives each pair of neighbours, or itself when it is one character; Thai, Lao, Khmer
    and Burmese give triples. Any other run of letters and numbers gives its words: cut at joining marks and at the
    humps of `camelCase`; a run of several words is also looked up whole. Single letters are left out of a longer run.
    What has neither letters nor numbers between white space is a symbol.

    Args:
        query: as it was asked.
        characters: as for `fold_width`.
    """
    terms: dict[tuple[TermKind, str], Term] = {}
    for run in _RUN.finditer(drop_ignorable(query)):
        for term in _CUTS[run.lastgroup or ""](run.group(), characters or {}):
            key = term.kind, term.stem
            if key not in terms or terms[key].filler:
                terms[key] = term
    return tuple(terms.values())


def shorten_words(terms: Iterable[Term], stands: Callable[[str], bool], min_share: float = 0.0) -> list[Term]:
    """For words that stand nowhere their longest beginnings that do, four letters or more, as `beginn…`.

    Args:
        terms: none of them is held by any document.
        stands: whether a folded text stands in any document.
        min_share: of the word, for a beginning to count.
    """
    words = [term.text for term in terms if term.kind is TermKind.WORD]
    beginnings = [_find_beginning(word, stands, math.ceil(len(word) * min_share)) for word in words]
    return [
        Term(f"{text}{CLIPPED}", text, TermKind.WORD, f"{text}{CLIPPED}", False, text)
        for text in dict.fromkeys(beginnings)
        if text
    ]


def split_grams(terms: Iterable[Term]) -> list[Term]:
    """The distinct characters of pairs, each a term; but for hiragana and letters, which tell too little alone."""
    grams = "".join(term.text for term in terms if term.kind is TermKind.GRAM)
    return [_make_plain(character, TermKind.CHARACTER) for character in dict.fromkeys(_TELLING.findall(grams))]


def _find_beginning(word: str, stands: Callable[[str], bool], min_characters: int) -> str:
    """The longest beginning of a word that stands somewhere, by halving: where one stands, a shorter one does."""
    found, low, high = "", max(MIN_BEGINNING_CHARACTERS, min_characters), len(word) - 1
    while low <= high:
        middle = (low + high) // 2
        if stands(word[:middle]):
            found, low = word[:middle], middle + 1
        else:
            high = middle - 1
    return found


def extend_run(run: str, gram: Term) -> str | None:
    """The run with the last letter of a gram that goes on from it; None when it does not."""
    last = _LETTER.findall(gram.text)[-1]
    return run + last if run.endswith(gram.text.removesuffix(last)) else None


def is_edgeless(character: str) -> bool:
    """Whether a character is a letter or number of a script without word edges: CJK, Thai, Lao, Khmer, Burmese."""
    return character > "\u0dff" and _EDGELESS.match(character) is not None


@lru_cache(maxsize=8192)
def stem_word(word: str) -> str:
    """The stem that English inflections of a folded word share, a beginning of it; other words, and short ones, as is.

    Plural, -ed, -ing, a doubled last letter and a final e, y, i or ie go, so that `policies` meets `policy`,
    `controlled` meets `control` and `running` meets `run`. Derivations (-er, -ment, -tion) stay, since they often mean
    something else.
    """
    if not _ENGLISH.fullmatch(word):
        return word
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        word = _cut_ending(word, "es")
    elif _is_plural(word):
        word = word[:-1]
    for ending in ("ing", "ed"):
        base = _cut_ending(word, ending)
        if base != word and not word.endswith("eed") and _VOWEL.search(base):
            word = base
            break
    if len(word) > MIN_STEM_CHARACTERS and word[-1] == word[-2] and not _VOWEL.match(word[-1]):
        word = word[:-1]
    for ending in ("ie", "e", "y", "i"):
        base = _cut_ending(word, ending)
        if base != word:
            return base
    return word


def _cut_ending(word: str, ending: str) -> str:
    base = word.removesuffix(ending)
    return base if len(base) >= MIN_STEM_CHARACTERS else word


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _cut_pairs(run: str, characters: Mapping[str, str]) -> list[Term]:
    """The pairs of a run; those that touch what asks are fillers, since across its edge they mean nothing.

    Where that leaves no other, the Han characters beside what asks are terms: of `如何改` the last one.
    """
    run = "".join(characters.get(character, character) for character in run.casefold())
    asking = [found.span() for found in ASKING.finditer(run)]
    letters = [
        (letter.group(), any(begin < letter.end() and letter.start() < end for begin, end in asking))
        for letter in _LETTER.finditer(run)
    ]
    if len(letters) == 1:
        return [_make_plain(run, TermKind.CHARACTER, bool(asking))]
    terms = [
        _make_plain(one + other, TermKind.GRAM, asks or asks_too or _is_filler_pair(one + other))
        for (one, asks), (other, asks_too) in pairwise(letters)
    ]
    if asking and all(term.filler for term in terms):
        terms += [_make_plain(one, TermKind.CHARACTER) for one, asks in letters if not asks and _HAN.match(one)]
    return terms


def _cut_triples(run: str, _characters: Mapping[str, str]) -> list[Term]:
    letters = _LETTER.findall(run.casefold())
    if len(letters) == 1:
        return [_make_plain(letters[0], TermKind.CHARACTER)]
    places = range(max(len(letters) - 3, 0) + 1)
    return [_make_plain("".join(letters[place : place + 3]), TermKind.GRAM) for place in places]


def _cut_words(run: str, _characters: Mapping[str, str]) -> list[Term]:
    words = [word.casefold() for part in _JOINER.split(run) for word in _HUMP.split(part) if word]
    if len(words) == 1:
        return [_make_word(words[0])]
    whole = run.casefold()
    compound = Term(whole, whole, TermKind.COMPOUND, whole, FILLER_WORDS.issuperset(words), whole, tuple(words))
    return [compound, *(_make_word(word) for word in words if len(word) > 1)]


def _cut_symbol(run: str, _characters: Mapping[str, str]) -> list[Term]:
    return [_make_plain(run.casefold(), TermKind.SYMBOL, filler=True)]


_CUTS: Mapping[str, Callable[[str, Mapping[str, str]], list[Term]]] = {
    "paired": _cut_pairs,
    "tripled": _cut_triples,
    "words": _cut_words,
    "symbol": _cut_symbol,
}


def _make_plain(text: str, kind: TermKind, filler: bool = False) -> Term:
    return Term(text, text, kind, text, filler)


def _make_word(word: str) -> Term:
    stem = stem_word(word)
    inside = word[:-1] if stem != word and _is_plural(word) else word
    return Term(word, stem, TermKind.WORD, stem, word in FILLER_WORDS, inside if len(word) > 1 else "")


def _is_filler_pair(pair: str) -> bool:
    return pair in FILLER_PAIRS or _HIRAGANA_PAIR.fullmatch(pair) is not None
