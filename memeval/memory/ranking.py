"""Which files hold the terms of a query, and in what order: rarity-weighted evidence of text, file name and aliases.

    score = sum over the terms of  weight x idf x tf x (K1 + 1) / (tf + K1 x (1 - B + B x bytes / mean bytes))
    idf   = ln(1 + (files - df + 0.5) / (df + 0.5)),  df = files that hold the term as a whole word
    tf    = occurrences in the text + NAME_WEIGHT x those in the file name + ALIAS_WEIGHT x those in the aliases

A file that holds a word only inside longer words gets INSIDE_WEIGHT of that, with its own df. Fillers count only where
the query has nothing else, or nothing else is found. Source: Robertson and Zaragoza, "The Probabilistic Relevance
Framework: BM25 and Beyond" (2009), with fields summed before saturation; the idf of Lucene, which is never negative.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from memeval.memory.aliases import find_aliases
from memeval.memory.document import Document
from memeval.memory.folding import FoldedText, fold_width
from memeval.memory.terms import Term, TermKind, is_paired, stem_word
from memeval.text import utf8_length

K1 = 1.2
"""A second occurrence adds about a third of the first. Between 1.0 and 2.0 nothing moves by more than 0.2 points."""
B = 0.75
"""Long files need more. Between 0.5 and 0.9 nothing moves by more than 0.2 points."""
NAME_WEIGHT = 2
"""A name is written to be found by. Without it success@1 falls by 0.7 points, twice as much adds nothing."""
ALIAS_WEIGHT = 2
"""An alias is, too."""
INSIDE_WEIGHT = 0.2
"""`CI` in `decision` is seldom meant, `auth` in `oauth2` often; below any whole word all the same."""
_SCORE_DIGITS = 9
"""Logarithms differ in the last bit from one C library to the next; ties must not."""


@dataclass(frozen=True, slots=True)
class Match:
    """What speaks for one document."""

    place: int
    """Its number among the documents."""
    score: float
    """Above 0."""
    terms: Sequence[Term]
    """All that were looked up."""
    whole_mask: int
    """Bit i is set when the document holds `terms[i]` as a whole word, as a pair, or as it stands."""
    inside_mask: int
    """Bit i is set when it holds it inside longer words only."""

    def holds(self, number: int) -> bool:
        """Whether the document holds `terms[number]` in either way."""
        return bool((self.whole_mask | self.inside_mask) >> number & 1)

    def holds_inside(self, number: int) -> bool:
        """Whether it holds `terms[number]` inside longer words only."""
        return bool(self.inside_mask >> number & 1)


@dataclass(frozen=True, slots=True)
class _Found:
    """Where a term stands: {document: weighted occurrences}."""

    whole: Mapping[int, int]
    inside: Mapping[int, int]
    """Of documents that hold it inside longer words only."""


class Ranker:
    """A ranking over one fixed set of documents. Each distinct term is looked up once and kept."""

    def __init__(self, documents: Sequence[Document], characters: Mapping[str, str] | None = None) -> None:
        self._documents = documents
        texts = [fold_width(document.text, characters) for document in documents]
        self._fields = (
            (1, _Field(texts, [document.text for document in documents])),
            (NAME_WEIGHT, _Field.of([_strip_ending(document.name) for document in documents], characters)),
            (ALIAS_WEIGHT, _Field.of(["\n".join(find_aliases(document.text)) for document in documents], characters)),
        )
        sizes = [utf8_length(document.text) for document in documents]
        mean = sum(sizes) / len(sizes) if sizes else 0
        self._norms = [K1 * (1 - B + B * size / mean) if mean else K1 for size in sizes]
        self._tie = _order_ties(documents)
        self._found: dict[tuple[TermKind, str, str], _Found] = {}
        self._line_counts: dict[str, int] = {}
        self.folded = texts
        """The folded text of each document, for whoever shows what was found."""

    def rank(self, terms: Sequence[Term]) -> list[Match]:
        """Every document that holds a term, best first; equal ones newest log first, then by path."""
        scores: dict[int, float] = {}
        whole: dict[int, int] = {}
        inside: dict[int, int] = {}
        for number, term in enumerate(terms):
            found = self._find(term)
            for held, masks, weight, holders in (
                (found.whole, whole, 1.0, len(found.whole)),
                (found.inside, inside, INSIDE_WEIGHT, len(found.whole) + len(found.inside)),
            ):
                gain = weight * self._idf(holders) * (K1 + 1)
                for place, frequency in held.items():
                    masks[place] = masks.get(place, 0) | 1 << number
                    scores[place] = scores.get(place, 0.0) + gain * frequency / (frequency + self._norms[place])
        rounded = {place: round(score, _SCORE_DIGITS) for place, score in scores.items()}
        order = sorted(rounded, key=self._tie.__getitem__)
        order.sort(key=rounded.__getitem__, reverse=True)
        return [Match(place, rounded[place], terms, whole.get(place, 0), inside.get(place, 0)) for place in order]

    def rank_loosely(self, terms: Sequence[Term]) -> list[Match]:
        """The same for parts of terms: single characters count where two of them stand on one line."""
        characters = [term.key for term in terms if term.kind is TermKind.CHARACTER]
        words = sum(1 << number for number, term in enumerate(terms) if term.kind is TermKind.WORD)
        return [
            match
            for match in self.rank(terms)
            if (match.whole_mask | match.inside_mask) & words or self._share_line(match.place, characters)
        ]

    def _share_line(self, place: int, characters: Sequence[str]) -> bool:
        lines = self.folded[place].text.split("\n")
        return any(sum(character in line for character in characters) > 1 for line in lines)

    def count_lines(self, literal: str) -> int:
        """The lines, over all documents, that hold a folded text."""
        if literal not in self._line_counts:
            self._line_counts[literal] = self._fields[0][1].count_lines(literal)
        return self._line_counts[literal]

    def weigh(self, term: Term) -> float:
        """How rare a term is: its idf, by the documents that hold it as a whole, else by those that hold it inside."""
        found = self._find(term)
        return self._idf(len(found.whole) or len(found.inside))

    def count(self, term: Term) -> int:
        """The documents that hold a term, inside longer words included."""
        found = self._find(term)
        return len(found.whole) + len(found.inside)

    def _idf(self, holders: int) -> float:
        return math.log(1 + (len(self._documents) - holders + 0.5) / (holders + 0.5))

    def _find(self, term: Term) -> _Found:
        key = (term.kind, term.text, term.stem)
        if key not in self._found:
            whole: dict[int, int] = {}
            inside: dict[int, int] = {}
            for weight, field in self._fields:
                for place, is_whole in field.find(term):
                    held = whole if is_whole else inside
                    held[place] = held.get(place, 0) + weight
            for place in whole:
                inside.pop(place, None)
            self._found[key] = _Found(whole, inside)
        return self._found[key]


class _Field:
    """One field of every document, laid end to end so that one scan walks all of them."""

    def __init__(self, texts: Sequence[FoldedText], stored: Sequence[str]) -> None:
        self._texts = texts
        self._stored = stored
        self._text = "\n".join(text.text for text in texts)
        self._begins = [0, *accumulate(len(text.text) + 1 for text in texts)]

    @classmethod
    def of(cls, stored: Sequence[str], characters: Mapping[str, str] | None) -> _Field:
        return cls([fold_width(text, characters) for text in stored], stored)

    def find(self, term: Term) -> Iterable[tuple[int, bool]]:
        """(document, whether it stands there as a whole) for each occurrence."""
        text, begins = self._text, self._begins
        step = len(term.key)
        start = text.find(term.key)
        while start >= 0:
            place = bisect_right(begins, start) - 1
            yield place, term.kind in _EDGELESS or self._stands_whole(term, start, place)
            start = text.find(term.key, start + step)

    def count_lines(self, literal: str) -> int:
        """The lines that hold a text."""
        count, start = 0, self._text.find(literal)
        while literal and start >= 0:
            count += 1
            line_end = self._text.find("\n", start)
            start = self._text.find(literal, line_end) if line_end >= 0 else -1
        return count

    def _stands_whole(self, term: Term, start: int, place: int) -> bool:
        end = start + len(term.key)
        folded, stored, base = self._texts[place], self._stored[place], self._begins[place]
        return locate_word(term, folded, stored, start - base, end - base) is not None


_EDGELESS = frozenset({TermKind.PAIR, TermKind.CHARACTER})


def locate_word(term: Term, folded: FoldedText, stored: str, start: int, end: int) -> int | None:
    """The end, in the folded text, of the word that begins with `folded.text[start:end]`, the key of a term.

    None when the key stands inside a longer word, or begins one of another stem. A word ends before anything but a
    letter or number, before Han, kana and Hangul, and at a hump of `camelCase`.
    """
    text = folded.text
    if start and _continues(text[start - 1]) and not _is_hump(folded, stored, start):
        return None
    if term.kind is TermKind.COMPOUND:
        is_cut = end < len(text) and _continues(text[end])
        goes_on = text[end : end + 1] in (".", "_") and text[end + 1 : end + 2].isdigit()
        return None if is_cut or goes_on else end
    first = end
    while end < len(text) and _continues(text[end]):
        end += 1
    if end > first and not stored[folded.starts[start] + 1 : folded.starts[end]].islower():
        end = next((place for place in range(first, end) if _is_hump(folded, stored, place)), end)
    word = text[start:end]
    return end if word == term.text or stem_word(word) == term.stem else None


def _continues(character: str) -> bool:
    return character.isalnum() and not is_paired(character)


def _is_hump(folded: FoldedText, stored: str, place: int) -> bool:
    here = folded.starts[place]
    return here > 0 and stored[here : here + 1].isupper() and not stored[here - 1].isupper()


def _strip_ending(name: str) -> str:
    stem, dot, _ = name.rpartition(".")
    return stem if dot and stem else name


def _order_ties(documents: Sequence[Document]) -> list[int]:
    """For each document its place when all evidence is equal: newer log, then what has no date, then path."""
    order = sorted(range(len(documents)), key=lambda place: documents[place].doc_id)
    order.sort(key=lambda place: documents[place].date or "", reverse=True)
    places = [0] * len(order)
    for position, place in enumerate(order):
        places[place] = position
    return places
