"""What is shown of one document: the lines around its rarest terms, each clipped around what was found."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from memeval.memory.aliases import locate_aliases
from memeval.memory.folding import FoldedText
from memeval.memory.terms import Term
from memeval.text import CLIPPED, clip_line, cut_utf8, utf8_length

MAX_LINE_BYTES = 240
"""Of one line among others: 80 Han characters, some 40 English words."""
_MAX_LINES = 200
"""That hold one term in one document: a log that repeats a word ten thousand times is not read to its end."""
_NEIGHBOUR_SHARE = 0.4
"""What a line gains from the lines beside it, which are shown with it."""
_HEADING = re.compile(r"#{1,6}[ \t]+\S")


class Spot(NamedTuple):
    """A line that holds terms of the query."""

    line: int
    """From 0."""
    weight: float
    """Sum over its distinct terms of how rare they are."""
    start: int
    """Where its rarest term begins in the folded text."""
    end: int


class Page:
    """One document's lines, and where terms stand in them."""

    def __init__(self, text: str, folded: FoldedText) -> None:
        self._folded = folded
        self._lines = text.split("\n")
        self._begins = _find_begins(self._lines)
        self._folded_begins = _find_begins(folded.text.split("\n"))
        self._aliases = locate_aliases(text)
        self._headings = _find_headings(self._lines)

    def find_spots(self, weights: Mapping[Term, float]) -> list[Spot]:
        """The lines that hold a term, in order; lines of aliases are no such lines."""
        found: dict[int, tuple[int, int]] = {}
        sums: dict[int, float] = {}
        for term in sorted(weights, key=lambda term: -weights[term]):  # the rarest comes first to its line
            for line, start in self._locate(term):
                sums[line] = sums.get(line, 0.0) + weights[term]
                found.setdefault(line, (start, start + len(term.key)))
        return [Spot(line, sums[line], *found[line]) for line in sorted(found)]

    def find_terms(self, terms: Iterable[Term]) -> frozenset[Term]:
        """Those of the terms that stand in the text, lines of aliases aside."""
        return frozenset(term for term in terms if next(self._locate(term), None))

    def holds(self, literal: str) -> bool:
        """Whether a folded text stands in it."""
        return literal in self._folded.text

    def _locate(self, term: Term) -> Iterator[tuple[int, int]]:
        """(line, place in the folded text) of the first occurrence in each line that holds the term."""
        text, begins = self._folded.text, self._folded_begins
        start, count = text.find(term.key), 0
        while start >= 0 and count < _MAX_LINES:
            line = bisect_right(begins, start) - 1
            if not self._is_of_aliases(line):
                yield line, start
                count += 1
            start = text.find(term.key, begins[line + 1])

    def show_windows(self, spots: Sequence[Spot], max_windows: int, margin: int, max_bytes: int) -> str:
        """Windows of a line and `margin` lines on each side, the best ones chosen, in the order of the text.

        Before the first stands the heading of its section, when it is not in sight; between windows that do not touch
        stands a line `…`. A window that does not fit in what is left of `max_bytes` is left out; the first is shown
        alone and clipped before it is left out.
        """
        by_line = {spot.line: spot for spot in spots}
        chosen: set[int] = set()
        for spot in self._order(spots)[:max_windows]:
            around = {line for line in range(spot.line - margin, spot.line + margin + 1) if self._is_filled(line)}
            for lines in (chosen | around, chosen | {spot.line}):
                if utf8_length(self._write(lines, by_line)) <= max_bytes:
                    chosen = lines
                    break
        if chosen:
            return self._write(chosen, by_line)
        return self.show_line(spots, max_bytes)

    def show_line(self, spots: Sequence[Spot], max_bytes: int) -> str:
        """The best line, clipped around its rarest term; the first line that is not blank where no term stands."""
        if spots:
            best = self._order(spots)[0]
            return self._clip(best.line, best, max_bytes)
        filled = next((line for line in range(len(self._lines)) if self._is_filled(line)), None)
        return "" if filled is None else self._clip(filled, None, max_bytes)

    def show_beginning(self, lines: int, max_bytes: int) -> str:
        """The first lines that are not blank, for a document of which only the name was found."""
        filled = [number for number in range(len(self._lines)) if self._is_filled(number)][:lines]
        shown = "\n".join(self._clip(number, None, MAX_LINE_BYTES) for number in filled)
        return cut_utf8(shown, max_bytes)

    def _order(self, spots: Sequence[Spot]) -> list[Spot]:
        """Best first: its own terms, then some of what its neighbours hold; of equal ones the first."""
        weights = {spot.line: spot.weight for spot in spots}

        def value(spot: Spot) -> float:
            beside = weights.get(spot.line - 1, 0.0) + weights.get(spot.line + 1, 0.0)
            return spot.weight + _NEIGHBOUR_SHARE * beside

        return sorted(spots, key=lambda spot: (-value(spot), spot.line))

    def _write(self, lines: set[int], spots: Mapping[int, Spot]) -> str:
        shown: list[str] = []
        previous: int | None = None
        for line in sorted(lines):
            if previous is None:
                heading = self._find_heading(line)
                if heading is not None and heading not in lines:
                    shown.append(self._clip(heading, None, MAX_LINE_BYTES))
                    previous = heading
            if previous is not None and any(self._is_filled(between) for between in range(previous + 1, line)):
                shown.append(CLIPPED)
            shown.append(self._clip(line, spots.get(line), MAX_LINE_BYTES))
            previous = line
        return "\n".join(shown)

    def _find_heading(self, line: int) -> int | None:
        """The nearest heading above a line, or the line itself if it is one; None without any."""
        place = bisect_right(self._headings, line)
        return self._headings[place - 1] if place else None

    def _is_filled(self, line: int) -> bool:
        return 0 <= line < len(self._lines) and bool(self._lines[line].strip()) and not self._is_of_aliases(line)

    def _is_of_aliases(self, line: int) -> bool:
        begin = self._begins[line]
        return any(first <= begin < last for first, last in self._aliases)

    def _clip(self, line: int, spot: Spot | None, max_bytes: int) -> str:
        text = self._lines[line].removesuffix("\r")
        if spot is None or len(text) * 3 <= max_bytes:
            return clip_line(text, 0, 0, max_bytes)
        start, end = (place - self._begins[line] for place in self._folded.locate(spot.start, spot.end))
        return clip_line(text, start, min(end, len(text)), max_bytes)


def _find_begins(lines: Sequence[str]) -> list[int]:
    """Where each line begins, then where one more would."""
    return [0, *accumulate(len(line) + 1 for line in lines)]


def _find_headings(lines: Sequence[str]) -> list[int]:
    """The numbers of the lines that are headings; a comment in a code fence is none."""
    found, fenced = [], False
    for number, line in enumerate(lines):
        if line.startswith("#"):
            if not fenced and _HEADING.match(line):
                found.append(number)
        elif line[:4].lstrip(" ")[:3] in ("```", "~~~"):
            fenced = not fenced
    return found
