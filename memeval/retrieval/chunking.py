"""Units: documents cut into passages by each system's own rule, and a ranking of passages turned into one of files.

Every system counts in its own unit and cuts at its own places, so a chunker here is a rule with numbers; the numbers
stand in the recipes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from memeval.memory.document import Document
from memeval.retrieval.base import Hit, rank_hits
from memeval.text import split_lines


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage of one text: some of its lines, or part of a line."""

    text: str
    first_line: int
    """From 1."""
    last_line: int
    """Inclusive."""
    heading: str = ""
    """Title of the heading it stands under, without its marks; empty before the first heading."""
    level: int = 0
    """Of that heading, from 1; 0 before the first heading."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a document of the corpus: what legs score."""

    doc_id: str
    piece: Piece

    @property
    def text(self) -> str:
        """The text of the piece."""
        return self.piece.text


Chunker = Callable[[str], Iterable[Piece]]
"""A text -> its pieces in order."""

Scored = Sequence[tuple[int, float]]
"""(place of a unit, from 0; score), best first: what a leg over units gives back."""


def make_units(documents: Sequence[Document], chunk: Chunker) -> tuple[Unit, ...]:
    """The pieces of all documents by doc_id and then in their order, whatever the order of the documents."""
    ordered = sorted(documents, key=lambda document: document.doc_id)
    return tuple(Unit(document.doc_id, piece) for document in ordered for piece in chunk(document.text))


def rank_units(scores: Iterable[tuple[int, float]], limit: int | None = None) -> list[tuple[int, float]]:
    """(place, score) by score descending, then place ascending, at most `limit` of them."""
    return sorted(scores, key=lambda scored: (-scored[1], scored[0]))[:limit]


def rank_files(units: Sequence[Unit], scored: Iterable[tuple[int, float]]) -> tuple[Hit, ...]:
    """The files of the units, each with the score of its best one."""
    best: dict[str, float] = {}
    for place, score in scored:
        doc_id = units[place].doc_id
        best[doc_id] = max(score, best.get(doc_id, score))
    return rank_hits(best)


def chunk_whole(text: str) -> Iterator[Piece]:
    """The text as one piece; nothing for one of white space alone."""
    if text.strip():
        yield Piece(text, 1, max(len(split_lines(text)), 1))


_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<title>.+?)\s*")


def read_heading(line: str) -> tuple[int, str]:
    """(level, title) of a line of one to six `#`, white space and a title; (0, "") for any other line.

    Code fences are not looked at: a comment of a shell script is a heading of level 1.
    """
    heading = _HEADING.fullmatch(line)
    return (len(heading["marks"]), heading["title"]) if heading else (0, "")


def chunk_by_lines(
    text: str, *, max_size: int, overlap: int, weigh: Callable[[str], int] = len, max_overlap_share: float = 1.0
) -> Iterator[Piece]:
    """Whole lines packed greedily, without regard to headings, lists or front matter.

    A line counts `weigh(line)` and one for its end. Only a line above `max_size` is cut inside, at `max_size`. Each
    piece begins with whole last lines of the one before, until these weigh `overlap` or more; where they would weigh
    more than `max_overlap_share` of `max_size`, no further line is taken.

    Args:
        text: any text.
        max_size: of a piece, in the unit of `weigh`.
        overlap: what a piece repeats of the one before, in the same unit; 0 = nothing.
        weigh: the size of a text.
        max_overlap_share: of `max_size`.
    """
    raise NotImplementedError


def chunk_by_headings(text: str, *, max_chars: int, overlap_lines: int, min_chars: int) -> Iterator[Piece]:
    """One piece for each section, from its heading to the next one; a long section in several.

    A section whose text, without HTML comments and headings, is below `min_chars` is left out. One above `max_chars`
    is read line by line: see the code for where it is cut.
    """
    raise NotImplementedError


def chunk_by_breaks(text: str, *, max_chars: int, overlap_chars: int) -> Iterator[Piece]:
    """Pieces of at most `max_chars`, cut at the last blank line, line end, sentence end or blank that fits."""
    raise NotImplementedError
