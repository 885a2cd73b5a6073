"""Words of the generated languages: filler by Zipf's law, and the forms of concepts, which no filler can hold.

The two are kept apart by letters. In `en`, filler words are made of l n r s h w f j c, and each syllable of a form
begins with b d g k m p t v or z; forms have three syllables, so that none stands inside another. In `zh`, `ja` and
`ko`, filler words and forms are made of different characters (in `ja` of kana and kanji), no pair of neighbouring
characters belongs to two forms, and the characters of forms differ from language to language. So a form stands in a
text where it was put and nowhere else, whether words, parts of words or pairs of characters are compared.

Characters come from the coded character sets of each language, by way of Python's codecs: Big5 level 1, JIS X 0208
level 1 and the syllables of KS X 1001.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate
from random import Random

from memeval.testbed.generator.streams import draw_below, open_stream

LANGUAGES = ("en", "zh", "ja", "ko")

VOCABULARY_WORDS = 2_000
_VOWELS = "aeiou"
_LAST_VOWELS = "aiou"
"""A stemmer may strip a final e."""
_FILLER_ONSETS = tuple("lnrshwfjc")
_FORM_ONSETS = (*"bdgkmptvz", "bl", "gl", "kl", "pl", "br", "dr", "gr", "kr", "pr", "tr")
_HIRAGANA = "".join(chr(code) for code in range(0x3042, 0x3094) if chr(code) not in "ぃぅぇぉっゃゅょゎゐゑ")
_KATAKANA = "".join(chr(ord(character) + 0x60) for character in _HIRAGANA)
_ZH_FILLERS = 600
_ZH_PARTICLES = frozenset("的了嗎吗呢吧啊喔哦嘛啦")
"""No part of a form: a tokeniser may cut a run of characters at them."""
_KO_FILLER_STEP = 4
_LONG_FORMS = 0.2
"""Share of the forms of three characters instead of two."""

_TOPICS = 200
"""Subjects, and aspects, of the facts that nobody asks for."""


@cache
def _zh_filler_characters() -> str:
    return _big5_level_1()[:_ZH_FILLERS]


@cache
def _zh_form_characters() -> str:
    candidates = (character for character in _big5_level_1()[_ZH_FILLERS:] if character not in _ZH_PARTICLES)
    return "".join(character for character in candidates if ord(character) % 2 == 0)


@cache
def _ja_form_characters() -> str:
    kanji = _decode("euc_jp", range(0xB0, 0xD0), (range(0xA1, 0xFF),))
    return "".join(character for character in kanji if ord(character) % 2 and character not in _zh_filler_characters())


@cache
def _ko_characters() -> tuple[str, str]:
    """Of filler words, of forms."""
    syllables = _decode("euc_kr", range(0xB0, 0xC9), (range(0xA1, 0xFF),))
    return syllables[::_KO_FILLER_STEP], "".join(
        character for place, character in enumerate(syllables) if place % _KO_FILLER_STEP
    )


@cache
def _big5_level_1() -> str:
    """By number of strokes, so that the first are simple and common ones."""
    return _decode("big5", range(0xA4, 0xC6), (range(0x40, 0x7F), range(0xA1, 0xFF)))


def _decode(codec: str, rows: range, cells: tuple[range, ...]) -> str:
    """The letters in the rows of a coded character set, in its order."""
    decoded = (bytes((row, cell)).decode(codec, "ignore") for row in rows for part in cells for cell in part)
    return "".join(character for character in decoded if len(character) == 1 and character.isalpha())


@dataclass(frozen=True, slots=True)
class Concept:
    """Something that can be meant, with the forms it is written in."""

    id: str
    forms: tuple[str, ...]
    stored: int
    """How many of the forms, from the first, a file about it holds."""

    @property
    def stored_forms(self) -> tuple[str, ...]:
        """The forms that a file about it holds."""
        return self.forms[: self.stored]

    @property
    def unseen_forms(self) -> tuple[str, ...]:
        """The forms that it does not hold."""
        return self.forms[self.stored :]


@dataclass(frozen=True, slots=True)
class Style:
    """How words become a line."""

    space: str
    comma: str
    colon: str
    stop: str
    words: tuple[int, int]
    """Fewest and most words of a line: at most 140 bytes of UTF-8, whatever the words."""
    particles: int = 0
    """How many of the most frequent words may follow a form without a space."""


_STYLES = {
    "en": Style(" ", ", ", ": ", ".", (7, 12)),
    "zh": Style("", "，", "：", "。", (8, 16)),
    "ja": Style("", "、", "：", "。", (6, 9)),
    "ko": Style(" ", ", ", ": ", ".", (6, 11), particles=12),
}

_WordMaker = Callable[[Random], str]


class Weighted:
    """Ranks drawn by Zipf's law with exponent 1: the item of rank r has a weight of 1 / r.

    With this exponent a division is enough, whose last bit is the same on every machine; that of a power is not.
    """

    def __init__(self, count: int) -> None:
        self._bounds = list(accumulate(1 / rank for rank in range(1, count + 1)))

    def draw(self, stream: Random, count: int) -> list[int]:
        """Ranks from 0."""
        bounds, total, last, draw = self._bounds, self._bounds[-1], len(self._bounds) - 1, stream.random
        return [bisect(bounds, draw() * total, 0, last) for _ in range(count)]


class Lexicon:
    """The words of one language in one world.

    `draw_words` and `make_line` are for text, `make_concept` and `draw_topic` for what facts are about.
    """

    def __init__(self, language: str, seed: int) -> None:
        self.language = language
        self.style = _STYLES[language]
        self._seed = seed
        self._forms = _FORMS[language](open_stream(seed, "forms", language))
        topics = range(_TOPICS)
        self._subjects = [self.make_concept(f"{language}-subject-{i}", 2, stored=2) for i in topics]
        self._aspects = [self.make_concept(f"{language}-aspect-{i}", 1, stored=1) for i in topics]
        self._topic_weights = Weighted(_TOPICS)

    @cached_property
    def _words(self) -> list[str]:
        # a stream of its own, made when text is written: needs alone have none
        return _make_vocabulary(self.language, open_stream(self._seed, "vocabulary", self.language))

    @cached_property
    def _weights(self) -> Weighted:
        return Weighted(len(self._words))

    def make_concept(self, concept_id: str, forms: int, *, stored: int) -> Concept:
        """A concept with forms that no other has."""
        return Concept(concept_id, tuple(self._forms.make() for _ in range(forms)), stored)

    def draw_topic(self, stream: Random) -> tuple[Concept, Concept]:
        """A subject and an aspect that many files are about."""
        subject, aspect = self._topic_weights.draw(stream, 2)
        return self._subjects[subject], self._aspects[aspect]

    def draw_words(self, stream: Random, count: int) -> list[str]:
        """Filler words."""
        words = self._words
        return [words[rank] for rank in self._weights.draw(stream, count)]

    def draw_length(self, stream: Random) -> int:
        """A number of words for a line."""
        fewest, most = self.style.words
        return fewest + draw_below(stream, most - fewest + 1)

    def make_line(self, words: Sequence[str]) -> str:
        """The words as a sentence with a comma in the middle."""
        space, half = self.style.space, len(words) // 2
        return f"{space.join(words[:half])}{self.style.comma}{space.join(words[half:])}{self.style.stop}"

    def join(self, words: Iterable[str]) -> str:
        """The words as they stand beside each other in a sentence."""
        return self.style.space.join(words)

    def inflect(self, stream: Random, form: str) -> str:
        """The form as it stands in a sentence: in Korean a particle follows it without a space."""
        particles = self.style.particles
        return form + self._words[draw_below(stream, particles)] if particles else form


def draw_name(stream: Random) -> str:
    """A name for a file in letters that forms do not have."""
    return "".join(_draw_syllable(stream, _FILLER_ONSETS, _VOWELS) for _ in range(3))


class _LatinForms:
    def __init__(self, stream: Random) -> None:
        self._stream = stream
        self._used: set[str] = set()

    def make(self) -> str:
        """A pronounceable word of three syllables that was not made before."""
        while True:
            syllables = (
                _draw_syllable(self._stream, _FORM_ONSETS, vowels) for vowels in (_VOWELS, _VOWELS, _LAST_VOWELS)
            )
            word = "".join(syllables)
            if word not in self._used:
                self._used.add(word)
                return word


class _PairedForms:
    def __init__(self, stream: Random, characters: str) -> None:
        self._stream = stream
        self._characters = characters
        self._used: set[str] = set()

    def make(self) -> str:
        """A word of two or three characters, no two neighbours of which stand so in a word made before."""
        while True:
            length = 3 if self._stream.random() < _LONG_FORMS else 2
            word = _draw_characters(self._stream, self._characters, length)
            pairs = {word[place : place + 2] for place in range(length - 1)}
            if len(set(word)) == length and pairs.isdisjoint(self._used):
                self._used |= pairs
                return word


_FORMS: dict[str, Callable[[Random], _LatinForms | _PairedForms]] = {
    "en": _LatinForms,
    "zh": lambda stream: _PairedForms(stream, _zh_form_characters()),
    "ja": lambda stream: _PairedForms(stream, _ja_form_characters()),
    "ko": lambda stream: _PairedForms(stream, _ko_characters()[1]),
}


def _make_vocabulary(language: str, stream: Random) -> list[str]:
    """Distinct filler words, the most frequent first and, as in real languages, the shortest."""
    words: dict[str, None] = {}
    for last_rank, maker in _FILLERS[language]:
        while len(words) < last_rank:
            words[maker(stream)] = None
    return list(words)


def _draw_syllable(stream: Random, onsets: Sequence[str], vowels: str) -> str:
    return onsets[draw_below(stream, len(onsets))] + vowels[draw_below(stream, len(vowels))]


def _draw_characters(stream: Random, characters: str, count: int) -> str:
    return "".join(characters[draw_below(stream, len(characters))] for _ in range(count))


def _latin(syllables: int) -> _WordMaker:
    return lambda stream: "".join(_draw_syllable(stream, _FILLER_ONSETS, _VOWELS) for _ in range(syllables))


def _run_of(characters: Callable[[], str], count: int) -> _WordMaker:
    return lambda stream: _draw_characters(stream, characters(), count)


def _kana(stream: Random) -> str:
    return _draw_characters(stream, _HIRAGANA if stream.random() < 0.5 else _KATAKANA, 3 + draw_below(stream, 2))


_FILLERS: dict[str, tuple[tuple[int, _WordMaker], ...]] = {
    "en": ((30, _latin(1)), (600, _latin(2)), (VOCABULARY_WORDS, _latin(3))),
    "zh": (
        (50, _run_of(_zh_filler_characters, 1)),
        (VOCABULARY_WORDS, _run_of(_zh_filler_characters, 2)),
    ),
    "ja": ((30, _run_of(lambda: _HIRAGANA, 1)), (600, _run_of(lambda: _HIRAGANA, 2)), (VOCABULARY_WORDS, _kana)),
    "ko": (
        (30, _run_of(lambda: _ko_characters()[0], 1)),
        (1_400, _run_of(lambda: _ko_characters()[0], 2)),
        (VOCABULARY_WORDS, _run_of(lambda: _ko_characters()[0], 3)),
    ),
}
"""Up to which rank words are made in which way."""
