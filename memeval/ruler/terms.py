"""The ruler's tokeniser: one, fixed, and never a variant's. What is a term of a text.

1. NFKC, case folding, NFKC again; a typographic apostrophe becomes a plain one.
2. A *paired* character is a letter or number of Han, kana or Hangul (by Unicode script extensions, ー and 々 included).
   A run of paired characters is cut at the function characters of the stop list and around each Katakana word. A
   Katakana word is one term, as a word in Latin letters is, without its last ー (サーバー is サーバ): two loan words
   nearly always have a pair in common that means nothing (ョン, ート). Every other piece gives its pairs of neighbours,
   or itself when it is one character. Not counted: a pair of two Hiragana (endings and particles), a single
   Hiragana, a pair of the stop list, and a pair of the shipped list of the most frequent ones.
   A Hangul run of two characters that ends in a particle (키를) also gives its first character.
3. Any other run of letters and numbers gives one term, inner apostrophes included: its `'s` is cut off, stop words are
   left out, English words are stemmed. Not counted: a single ASCII letter, and a number of one or two digits,
   which stand in most files as times and dates.

The stop list and the list of frequent pairs are one for all languages: recorded queries carry no language.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import regex

from memeval.ruler.stem import stem

FREQUENT_SHARE = 0.25
"""A pair is frequent when it stands in more than this share of the files of a language's store."""

_STOP_WORDS = Path(__file__).with_name("stop_words.txt")
_FREQUENT_PAIRS = Path(__file__).with_name("frequent_pairs.txt")

_SCRIPTS = r"\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}"
_PAIRED = rf"[\p{{L}}\p{{N}}]&&[{_SCRIPTS}]"
_OTHER = rf"[\p{{L}}\p{{N}}]--[{_SCRIPTS}]"
_RUN = regex.compile(
    rf"(?V1)(?P<paired>[{_PAIRED}]+)|[{_OTHER}][[{_OTHER}]\p{{M}}]*(?:'[{_OTHER}][[{_OTHER}]\p{{M}}]*)*"
)
_HIRAGANA = regex.compile(r"[\p{Hiragana}ー]+")
_KATAKANA = r"[\p{Katakana}--ヶ][[\p{Katakana}ー]--ヶ]*"
_KATAKANA_WORD = regex.compile(rf"(?V1){_KATAKANA}")
_UNCOUNTED = regex.compile(r"[a-z]|\p{Nd}{1,2}")
_PARTICLE_WORD = regex.compile(r"\p{Hangul}[은는이가을를의에도로와과만]")
_APOSTROPHES = str.maketrans("‘’ʼ", "'''")


def ruler_terms(text: str) -> tuple[str, ...]:
    """The distinct terms of a text, in order; empty when it holds none but uncounted ones."""
    return tuple(dict.fromkeys(term for term in _find_terms(normalise(text)) if term not in _read_frequent_pairs()))


class TermPlace(NamedTuple):
    """Where a term stands in a text that is NFKC, as characters from 0."""

    term: str
    start: int
    end: int
    is_paired: bool
    """It is a pair of neighbours, or a character, of a run of Han, kana or Hangul."""


def locate_terms(text: str) -> tuple[str, tuple[TermPlace, ...]]:
    """(the text as it is read, every place of each of its terms, in order).

    The text comes back in NFKC, in its own case; folded where folding alters its length, so that places hold. Its
    terms are those of `ruler_terms`.
    """
    normalised = normalise(text)
    composed = unicodedata.normalize("NFKC", text)
    shown = composed if len(composed) == len(normalised) else normalised
    frequent = _read_frequent_pairs()
    return shown, tuple(place for place in _find_places(normalised) if place.term not in frequent)


def locate_stopped(normalised: str) -> frozenset[int]:
    """The places, as characters from 0, that a CJK function word of the stop list takes up, as far as it is a pair.

    A term is no word by itself where it begins or ends in one: of `怎么要回` the ruler counts `么要`, too. That stays,
    since every kind rests on it; a phrase made of terms is cut here.

    Args:
        normalised: a text as `normalise` gives it.
    """
    pairs = _read_stop_list()["pairs"]
    starts = [at for at in range(len(normalised) - 1) if normalised[at : at + 2] in pairs]
    return frozenset(at + step for at in starts for step in (0, 1))


def normalise(text: str) -> str:
    """The text as the tokeniser sees it: NFKC, case folded, NFKC again, plain apostrophes."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", folded).translate(_APOSTROPHES)


def find_frequent_pairs(texts: Iterable[str]) -> tuple[str, ...]:
    """The CJK pairs that stand in more than FREQUENT_SHARE of the texts, in code point order.

    Pairs of the stop list, of two Hiragana, and across a function character are none to begin with.
    """
    held = [{term for term in _find_terms(normalise(text)) if _is_pair(term)} for text in texts]
    counts = Counter(pair for pairs in held for pair in pairs)
    return tuple(sorted(pair for pair, count in counts.items() if count > FREQUENT_SHARE * len(held)))


def render_frequent_pairs(stores: Mapping[str, Iterable[str]]) -> str:
    """The content of the shipped list, from {language: the texts of its store's files}."""
    lines = [
        "# The most frequent CJK pairs: a wording that shares one of them with a file shares nothing worth a name.",
        f"# Rule: the pair stands in more than {FREQUENT_SHARE:.0%} of the files that a search sees in the bundled "
        "store of that language.",
    ]
    for language, texts in stores.items():
        lines += ["", f"[{language}]", *_wrap(find_frequent_pairs(texts))]
    return "\n".join(lines) + "\n"


def _find_terms(normalised: str) -> Iterator[str]:
    return (place.term for place in _find_places(normalised))


def _find_places(normalised: str) -> Iterator[TermPlace]:
    for run in _RUN.finditer(normalised):
        if run.lastgroup:
            yield from _find_pairs(run.group(), run.start())
            continue
        word = run.group().removesuffix("'s")
        if not {run.group(), word} & _read_stop_list()["words"] and not _UNCOUNTED.fullmatch(word):
            yield TermPlace(stem(word), run.start(), run.start() + len(word), False)


def _find_pairs(run: str, begin: int) -> Iterator[TermPlace]:
    stops = _read_stop_list()
    if run in stops["words"]:
        return
    for found in _piece_pattern().finditer(run):
        piece, start = found.group(), begin + found.start()
        if found.lastgroup:
            word = piece[:-1] if len(piece) > 2 and piece.endswith("ー") else piece
            yield TermPlace(word, start, start + len(piece), False)
            continue
        for at in range(max(len(piece) - 1, 1)):
            term = piece[at : at + 2]
            if term not in stops["pairs"] and not _HIRAGANA.fullmatch(term):
                yield TermPlace(term, start + at, start + at + len(term), True)
    if _PARTICLE_WORD.fullmatch(run) and run not in stops["pairs"] and run[0] not in stops["words"]:
        yield TermPlace(run[0], begin, begin + 1, True)


def is_katakana(term: str) -> bool:
    """Whether a term is a Katakana word."""
    return _KATAKANA_WORD.fullmatch(term) is not None


def _is_pair(term: str) -> bool:
    run = _RUN.fullmatch(term)
    return len(term) == 2 and run is not None and run.lastgroup is not None and not is_katakana(term)


def _wrap(words: Iterable[str], width: int = 20) -> list[str]:
    ordered = list(words)
    return [" ".join(ordered[at : at + width]) for at in range(0, len(ordered), width)]


@cache
def _read_stop_list() -> Mapping[str, frozenset[str]]:
    """{`words`, `characters`, `pairs`: entries}."""
    return _read_sections(_STOP_WORDS)


@cache
def _read_frequent_pairs() -> frozenset[str]:
    return frozenset().union(*_read_sections(_FREQUENT_PAIRS).values())


@cache
def _piece_pattern() -> regex.Pattern[str]:
    """A Katakana word (the named group), or a stretch of anything else without a function character."""
    stops = "".join(sorted(_read_stop_list()["characters"]))
    return regex.compile(rf"(?V1)(?P<katakana>{_KATAKANA})|(?:(?!{_KATAKANA})[^{stops}])+")


def _read_sections(path: Path) -> dict[str, frozenset[str]]:
    """{heading in brackets: the words below it} of a list that ships with the ruler."""
    sections: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            words = sections.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            words += line.split()
    return {name: frozenset(words) for name, words in sections.items()}
