"""What is shown of one document: the lines around its rarest terms, each clipped around what was found."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import cache, cached_property
from heapq import nsmallest
from itertools import accumulate, islice
from typing import NamedTuple

from memeval.memory.aliases import locate_aliases
from memeval.memory.folding import FoldedText
from memeval.memory.occurrences import Occurrences
from memeval.memory.ranking import INSIDE_WEIGHT
from memeval.text import CLIPPED, clip_line, cut_utf8, utf8_length

MAX_LINE_BYTES = 240
"""Of one line among others: 80 Han characters, some 40 English words."""
_MAX_LINES = 200
"""That hold one term in one document: a log that repeats a word ten thousand times is not read to its end."""
_NEIGHBOUR_SHARE = 0.4
"""What a line gains from the lines beside it, which are shown with it."""
_BLOCK = re.compile(r" {0,3}(?:(?P<heading>#{1,6}[ \t]+\S)|(?P<fence>`{3,}|~{3,})(?P<rest>[^\n]*))")


class Spot(NamedTuple):
    """A line that holds terms of the query."""

    line: int
    """From 0."""
    weight: float
    """Sum over its distinct terms of how rare they are; less for those inside longer words."""
    start: int
    """Where the term of most weight begins in the folded text."""
    end: int


class Page:
    """One document's lines, and where terms stand in them."""

    def __init__(self, folded: FoldedText) -> None:
        self._folded = folded
        self._lines = folded.stored.split("\n")
        self._begins = _find_begins(self._lines)
        self._folded_begins = _find_begins(folded.text.split("\n")) if folded.places else self._begins

    def find_spots(self, found: Iterable[tuple[Occurrences, int, float]]) -> list[Spot]:
        """The lines that hold a term, in order; lines of aliases are none. Of each term 200 are read.

        Args:
            found: (where a term stands, characters of it, how rare it is) for each term.
        """
        weights: dict[int, float] = {}
        best: dict[int, tuple[float, int, int]] = {}
        for occurrences, size, weight in found:
            gain = weight if occurrences.is_whole else weight * INSIDE_WEIGHT
            for line, start in islice(self._group(occurrences), _MAX_LINES):
                weights[line] = weights.get(line, 0.0) + gain
                if line not in best or gain > best[line][0]:
                    best[line] = gain, start, start + size
        return [Spot(line, weights[line], *best[line][1:]) for line in sorted(weights)]

    def count_lines(self, found: Iterable[Occurrences]) -> int:
        """How many lines hold a term, lines of aliases aside."""
        return len({line for occurrences in found for line, _ in self._group(occurrences)})

    def holds(self, occurrences: Occurrences) -> bool:
        """Whether a term stands elsewhere than in lines of aliases."""
        return next(self._group(occurrences), None) is not None

    def _group(self, occurrences: Occurrences) -> Iterator[tuple[int, int]]:
        """(line, the first occurrence in it), lines of aliases aside."""
        begins, aliases = self._folded_begins, self._alias_lines
        line_end = 0
        for start in occurrences.starts:
            if start >= line_end:
                line = bisect_right(begins, start) - 1
                line_end = begins[line + 1]
                if line not in aliases:
                    yield line, start

    def list_telling(self, first: int, last: int) -> list[tuple[int, int]]:
        """(line, where it begins in the folded text) of the lines from `first` to `last` that can tell something."""
        lines = (line for line in range(first, last + 1) if self._is_filled(line) and self._tells(line))
        return [(line, self._folded_begins[line]) for line in lines]

    def show_windows(self, spots: Sequence[Spot], max_windows: int, margin: int, max_bytes: int) -> str:
        """Windows of a line and `margin` lines on each side, the best ones chosen, in the order of the text.

        Before the first stands the heading of its section, when it is not in sight; between windows that do not touch
        stands a line `…`. A window that does not fit in what is left of `max_bytes` is left out; the first is shown
        alone and clipped before it is left out.
        """
        by_line = {spot.line: spot for spot in spots}
        clip = cache(lambda line: self._clip(line, by_line.get(line), MAX_LINE_BYTES))
        chosen: frozenset[int] = frozenset()
        text = ""
        for spot in self._choose(spots, max_windows):
            around = {line for line in range(spot.line - margin, spot.line + margin + 1) if self._is_filled(line)}
            for lines in (chosen | around, chosen | {spot.line}):
                longer = self._write(lines, clip)
                if utf8_length(longer) <= max_bytes:
                    chosen, text = lines, longer
                    break
        return text if chosen else self.show_line(spots, max_bytes)

    def show_line(self, spots: Sequence[Spot], max_bytes: int) -> str:
        """The best line, clipped around its best term; where no term stands, the first line that can tell something."""
        if spots:
            best = self._choose(spots, 1)[0]
            return self._clip(best.line, best, max_bytes)
        return self.show_beginning(1, max_bytes)

    def show_beginning(self, lines: int, max_bytes: int) -> str:
        """The first lines that hold a letter or number, for a document of which only name or aliases were found."""
        telling = (number for number in range(len(self._lines)) if self._is_filled(number) and self._tells(number))
        shown = (self._clip(number, None, min(MAX_LINE_BYTES, max_bytes)) for number in islice(telling, lines))
        return cut_utf8("\n".join(shown), max_bytes)

    def _choose(self, spots: Sequence[Spot], count: int) -> list[Spot]:
        """The best, best first: their own terms, then some of what their neighbours hold; of equal ones the first."""
        weights = {spot.line: spot.weight for spot in spots}

        def place(spot: Spot) -> tuple[float, int]:
            beside = weights.get(spot.line - 1, 0.0) + weights.get(spot.line + 1, 0.0)
            return -spot.weight - _NEIGHBOUR_SHARE * beside, spot.line

        return nsmallest(count, spots, key=place)

    def _write(self, lines: Set[int], clip: Callable[[int], str]) -> str:
        shown: list[str] = []
        previous = self._find_heading(min(lines))
        if previous is not None and previous not in lines:
            shown.append(self._clip(previous, None, MAX_LINE_BYTES))
        for line in sorted(lines):
            if shown and previous is not None and any(map(self._is_filled, range(previous + 1, line))):
                shown.append(CLIPPED)
            shown.append(clip(line))
            previous = line
        return "\n".join(shown)

    def _find_heading(self, line: int) -> int | None:
        """The nearest heading above a line, or the line itself if it is one; None without any."""
        place = bisect_right(self._headings, line)
        return self._headings[place - 1] if place else None

    @cached_property
    def _headings(self) -> list[int]:
        return _find_headings(self._lines)

    @cached_property
    def _alias_lines(self) -> frozenset[int]:
        places = locate_aliases(self._folded.stored)
        numbers = [[bisect_right(self._begins, place) - 1 for place in ends] for ends in places]
        return frozenset(line for first, last in numbers for line in range(first, last + 1))

    def _is_filled(self, line: int) -> bool:
        return 0 <= line < len(self._lines) and bool(self._lines[line].strip()) and line not in self._alias_lines

    def _tells(self, line: int) -> bool:
        return any(character.isalnum() for character in self._lines[line])

    def _clip(self, line: int, spot: Spot | None, max_bytes: int) -> str:
        text = self._lines[line].removesuffix("\r")
        if len(text) <= max_bytes and utf8_length(text) <= max_bytes:
            return text
        if spot is None:
            return clip_line(text, 0, 0, max_bytes)
        start, end = self._folded.locate(spot.start, spot.end)
        begin = self._begins[line]
        return clip_line(text, start - begin, min(end - begin, len(text)), max_bytes)


def _find_begins(lines: Sequence[str]) -> list[int]:
    """Where each line begins, then where one more would."""
    return [0, *accumulate(len(line) + 1 for line in lines)]


def _find_headings(lines: Sequence[str]) -> list[int]:
    """The numbers of the lines that are headings; a comment in front matter or in a code fence is none.

    Source: CommonMark 0.31, ATX headings and fenced code blocks; one within a list item is not looked for.
    """
    found: list[int] = []
    fence = ""
    begin = 0
    if lines[0].strip("\ufeff \t\r") == "---":
        begin = next((number for number, line in enumerate(lines[1:], 2) if line.rstrip() in ("---", "...")), 0)
    for number in range(begin, len(lines)):
        block = _BLOCK.match(lines[number]) if lines[number].startswith(("#", " ", "`", "~")) else None
        if block is None:
            continue
        mark, rest = block["fence"] or "", (block["rest"] or "").strip()
        if fence:
            if mark.startswith(fence) and not rest:
                fence = ""
        elif block["heading"]:
            found.append(number)
        elif "`" not in rest or mark[0] == "~":
            fence = mark
    return found
