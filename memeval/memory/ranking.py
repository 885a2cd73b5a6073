"""Which files hold the terms of a query, and in what order: rarity-weighted evidence of text, file name and aliases.

    score = sum over the terms of  weight x idf x tf x (K1 + 1) / (tf + K1 x (1 - B + B x bytes / mean bytes))
    idf   = ln(1 + (files - df + 0.5) / (df + 0.5)),  df = files that hold the term as a whole word
    tf    = occurrences in the text + NAME_WEIGHT x those in the file name + ALIAS_WEIGHT x those in the aliases

A file that holds a word only inside longer words gets INSIDE_WEIGHT of that, with its own df. Fillers count only where
the query has nothing else. Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond"
(2009), with fields summed before saturation; the idf of Lucene, which is never negative.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from memeval.memory.aliases import find_aliases
from memeval.memory.document import Document
from memeval.memory.folding import FoldedText, fold_width
from memeval.memory.occurrences import Occurrences, find_occurrences
from memeval.memory.terms import Term, TermKind
from memeval.text import utf8_length

K1 = 1.2
"""A second occurrence adds about a third of the first. Measured, as the others, in docs/ranking.md."""
B = 0.75
"""Long files need more."""
NAME_WEIGHT = 2
"""A name is written to be found by. Without it success@5 falls by 0.9 points, twice as much adds 0.1."""
ALIAS_WEIGHT = 2
"""An alias is, too."""
INSIDE_WEIGHT = 0.2
"""`CI` in `decision` is seldom meant, `auth` in `oauth2` often; below any whole word all the same."""
_NOWHERE = Occurrences((), False)
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

    @property
    def mask(self) -> int:
        """Bit i is set when the document holds `terms[i]` in either way."""
        return self.whole_mask | self.inside_mask

    @property
    def held(self) -> Iterator[tuple[Term, bool]]:
        """(term, whether inside longer words only) for each term it holds, in the order of the query."""
        for number, term in enumerate(self.terms):
            if self.mask >> number & 1:
                yield term, bool(self.inside_mask >> number & 1)


@dataclass(frozen=True, slots=True)
class _Found:
    """Where a term stands."""

    whole: Mapping[int, int]
    """{document: occurrences in all fields, weighted}."""
    inside: Mapping[int, int]
    """Of documents that hold it inside longer words only."""
    texts: Mapping[int, Occurrences]
    """{document: where in its text}."""


class Ranker:
    """A ranking over one fixed set of documents. Each distinct term is looked up once and kept."""

    def __init__(self, documents: Sequence[Document], characters: Mapping[str, str] | None = None) -> None:
        self._documents = documents
        self.texts = [fold_width(document.text, characters) for document in documents]
        """The folded text of each document, for whoever shows what was found."""
        self.aliases = {
            place: fold_width("\n".join(aliases), characters)
            for place, document in enumerate(documents)
            if (aliases := find_aliases(document.text))
        }
        """The folded aliases of those documents that have some, one to a line."""
        self.names = [fold_width(_strip_ending(document.name), characters) for document in documents]
        """Their folded file names, without the ending."""
        self._body = _Field(dict(enumerate(self.texts)))
        self._fields = (
            (1, self._body),
            (NAME_WEIGHT, _Field(dict(enumerate(self.names)))),
            (ALIAS_WEIGHT, _Field(self.aliases)),
        )
        sizes = [utf8_length(document.text) for document in documents]
        mean = sum(sizes) / len(sizes) if sizes else 0
        self._norms = [K1 * (1 - B + B * size / mean) if mean else K1 for size in sizes]
        self._tie = _order_ties(documents)
        self._found: dict[tuple[TermKind, str], _Found] = {}
        self._line_counts: dict[str, int] = {}

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
        characters = {1 << n: term.key for n, term in enumerate(terms) if term.kind is TermKind.CHARACTER}
        words = sum(1 << n for n, term in enumerate(terms) if term.kind is TermKind.WORD)
        return [
            match
            for match in self.rank(terms)
            if match.mask & words
            or self._share_line(match.place, [text for bit, text in characters.items() if match.mask & bit])
        ]

    def _share_line(self, place: int, characters: Sequence[str]) -> bool:
        if len(characters) < 2:
            return False
        fields = [self.texts[place], self.names[place], *([self.aliases[place]] if place in self.aliases else [])]
        lines = (line for field in fields for line in field.text.split("\n"))
        return any(sum(character in line for character in characters) > 1 for line in lines)

    def count_lines(self, literal: str, terms: Sequence[Term] = ()) -> int:
        """The lines, over all documents, that hold a folded text.

        Of its terms those that were looked up before tell which documents need not be read.
        """
        if literal not in self._line_counts:
            telling = [term for term in terms if term.inside or term.kind is TermKind.GRAM]
            held = [self._found[key] for key in map(_key, telling) if key in self._found]
            if held:
                rarest = min(held, key=lambda found: len(found.whole) + len(found.inside))
                places = [*rarest.whole, *rarest.inside]
                count = sum(_count_lines(self.texts[place].text, literal) for place in places)
            else:
                count = self._body.count_lines(literal)
            self._line_counts[literal] = count
        return self._line_counts[literal]

    def count_whole_lines(self, term: Term) -> int:
        """The lines, over all documents, that hold a term as a whole."""
        count = 0
        for place, occurrences in self._find(term).texts.items():
            if occurrences.is_whole:
                text, starts = self.texts[place].text, occurrences.starts
                count += 1 + sum("\n" in text[one:other] for one, other in pairwise(starts))
        return count

    def weigh(self, term: Term) -> float:
        """How rare a term is: its idf, by the documents that hold it as a whole, else by those that hold it inside."""
        found = self._find(term)
        return self._idf(len(found.whole) or len(found.inside))

    def locate(self, term: Term, place: int) -> Occurrences:
        """Where a term stands in the text of one document."""
        return self._find(term).texts.get(place, _NOWHERE)

    def count(self, term: Term) -> int:
        """The documents that hold a term, inside longer words included."""
        found = self._find(term)
        return len(found.whole) + len(found.inside)

    def stands(self, literal: str) -> bool:
        """Whether a folded text stands in any field of any document."""
        return any(field.holds(literal) for _, field in self._fields)

    def _idf(self, holders: int) -> float:
        return math.log(1 + (len(self._documents) - holders + 0.5) / (holders + 0.5))

    def _find(self, term: Term) -> _Found:
        key = _key(term)
        if key not in self._found:
            whole: dict[int, int] = {}
            inside: dict[int, int] = {}
            texts: dict[int, Occurrences] = {}
            for weight, field in self._fields:
                for place, occurrences in field.find(term):
                    held = whole if occurrences.is_whole else inside
                    held[place] = held.get(place, 0) + weight * len(occurrences.starts)
                    if field is self._body:
                        texts[place] = occurrences
            for place in whole:
                inside.pop(place, None)
            self._found[key] = _Found(whole, inside, texts)
        return self._found[key]


def _key(term: Term) -> tuple[TermKind, str]:
    return term.kind, term.text


class _Field:
    """One field of the documents, laid end to end so that one scan walks all of them."""

    def __init__(self, texts: Mapping[int, FoldedText]) -> None:
        self._places = list(texts)
        self._texts = list(texts.values())
        self._text = "\n".join(folded.text for folded in self._texts)
        self._begins = [0, *accumulate(len(folded.text) + 1 for folded in self._texts)]

    def find(self, term: Term) -> Iterator[tuple[int, Occurrences]]:
        """(document, where the term stands in its field) for each one that holds it."""
        start = self._text.find(term.key)
        while start >= 0:
            number = bisect_right(self._begins, start) - 1
            occurrences = find_occurrences(term, self._texts[number], start - self._begins[number])
            if occurrences.starts:
                yield self._places[number], occurrences
            start = self._text.find(term.key, self._begins[number + 1])

    def holds(self, literal: str) -> bool:
        """Whether any document holds a literal."""
        return literal in self._text

    def count_lines(self, literal: str) -> int:
        """The lines that hold a literal, which is on one line."""
        return _count_lines(self._text, literal)


def _count_lines(text: str, literal: str) -> int:
    count, start = 0, text.find(literal) if literal else -1
    while start >= 0:
        count += 1
        line_end = text.find("\n", start)
        start = text.find(literal, line_end) if line_end >= 0 else -1
    return count


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
