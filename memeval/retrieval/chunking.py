"""Units: documents cut into passages by each system's own rule, and a ranking of passages turned into one of files.

Every system counts in its own unit and cuts at its own places, so a chunker here is a rule with numbers; the numbers
stand in the recipes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

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


_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<title>.+)")


def read_heading(line: str) -> tuple[int, str]:
    """(level, title) of a line of one to six `#`, white space and a title; (0, "") for any other line.

    Code fences are not looked at: a comment of a shell script is a heading of level 1.
    """
    heading = _HEADING.fullmatch(line)
    return (len(heading["marks"]), heading["title"].strip()) if heading else (0, "")


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
    rows: list[tuple[int, str, int]] = []  # line, text, size
    size = 0
    for row in _split_rows(text, max_size, weigh):
        if rows and size + row[2] > max_size:
            yield from _join_rows(rows)
            rows = _keep_last(rows, overlap, max_overlap_share * max_size)
            size = sum(kept for _, _, kept in rows)
        rows.append(row)
        size += row[2]
    yield from _join_rows(rows)


def _split_rows(text: str, max_size: int, weigh: Callable[[str], int]) -> Iterator[tuple[int, str, int]]:
    for number, line in enumerate(split_lines(text), start=1):
        size = weigh(line)
        if size <= max_size:
            yield number, line, size + 1
            continue
        start = size = 0
        for place, character in enumerate(line):
            weight = weigh(character)
            if place > start and size + weight > max_size:
                yield number, line[start:place], size + 1
                start, size = place, 0
            size += weight
        yield number, line[start:], size + 1


def _keep_last(rows: Sequence[tuple[int, str, int]], overlap: int, cap: float) -> list[tuple[int, str, int]]:
    first, size = len(rows), 0
    while first and size < overlap and size + rows[first - 1][2] - 1 <= cap:
        first -= 1
        size += rows[first][2]
    return list(rows[first:])


def _join_rows(rows: Sequence[tuple[int, str, int]]) -> Iterator[Piece]:
    text = "\n".join(text for _, text, _ in rows)
    if text.strip():
        yield Piece(text, rows[0][0], rows[-1][0])


def chunk_by_headings(text: str, *, max_chars: int, overlap_lines: int, min_chars: int) -> Iterator[Piece]:
    """One piece for each section, from its heading to the next one of any level; a long section in several.

    A piece knows its own heading line and none above it. Code fences are not looked at. Sections are stripped, and
    left out where without HTML comments and headings fewer than `min_chars` characters remain. Of one above
    `max_chars`, lines are gathered until they reach it: a blank line is the last of its piece, any other the first of
    the next, and each further piece begins with the last `overlap_lines` lines of the one before. What is too long all
    the same is split after sentences, or anywhere; such pieces carry the same lines.
    """
    lines = text.split("\n")
    starts = [place for place, line in enumerate(lines) if read_heading(line)[0]]
    for start, end in pairwise(sorted({0, *starts, len(lines)})):
        section = lines[start:end]
        level, heading = read_heading(section[0])
        content = "\n".join(section).strip()
        if _count_meaningful(content) < min_chars:
            continue
        if len(content) <= max_chars:
            yield Piece(content, start + 1, end, heading, level)
            continue
        for first, last, gathered in _gather_lines(section, max_chars, overlap_lines):
            for part in split_sentences(gathered, max_chars):
                yield Piece(part, start + first + 1, start + last, heading, level)


_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def strip_comments(text: str) -> str:
    """The text without HTML comments, at most one blank line in a row, stripped."""
    return re.sub(r"\n{3,}", "\n\n", _COMMENT.sub("", text)).strip()


def _count_meaningful(content: str) -> int:
    lines = _COMMENT.sub("", content).split("\n")
    return len("\n".join(line for line in lines if not read_heading(line)[0]).strip())


def _gather_lines(lines: Sequence[str], max_chars: int, overlap_lines: int) -> Iterator[tuple[int, int, str]]:
    """(first line, behind the last line, text) of each piece of a section that is too long."""
    first = 0
    for place, line in enumerate(lines):
        gathered = "\n".join(lines[first : place + 1])
        if len(gathered) < max_chars:
            continue
        if place == first:  # one long line: its indentation counts, and nothing of it is repeated
            yield first, place + 1, gathered
            first = place + 1
            continue
        last = place + 1 if not line.strip() and place + 1 < len(lines) else place
        yield first, last, "\n".join(lines[first:last]).strip()
        first = max(last - overlap_lines, first)
    yield first, len(lines), "\n".join(lines[first:]).strip()


_SENTENCE_END = re.compile(r"…|[。！？；]\s*|[.!?;](?:\s+|$|(?=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]))")


def split_sentences(text: str, max_chars: int) -> Iterator[str]:
    """Parts of at most `max_chars` characters, each up to the last sentence end that fits, else cut anywhere; stripped.

    `. ! ? ;` end a sentence before white space, kana, Han or Hangul only, so that versions and paths stay whole; a part
    that is just as long as allowed may end at them anywhere.
    """
    while len(text) > max_chars:
        ends = [end.end() for end in _SENTENCE_END.finditer(text[:max_chars])]
        cut = ends[-1] if ends else max_chars
        if part := text[:cut].strip():
            yield part
        text = text[cut:]
    if part := text.strip():
        yield part


_BREAKS = ("\n\n", "\n", ". ", "。", " ")
"""Where a text is best cut, best first."""


def chunk_by_breaks(text: str, *, max_chars: int, overlap_chars: int) -> Iterator[Piece]:
    """Pieces of at most `max_chars`, cut at the last blank line, line end, sentence end or blank in their second half.

    The best kind of break that is there decides; without any the cut is at `max_chars`. A piece begins up to
    `overlap_chars` before the end of the one before, at the start of a word where there is one.
    """
    start = 0
    while start < len(text):
        end = _find_break(text, start, max_chars)
        part = text[start:end]
        if kept := part.strip():
            first = text.count("\n", 0, start + len(part) - len(part.lstrip())) + 1
            yield Piece(kept, first, first + kept.count("\n"))
        if end == len(text):
            return
        overlapped = min(max(end - overlap_chars, start + 1), end)
        start = text.find(" ", overlapped - 1, end) + 1 or overlapped


def _find_break(text: str, start: int, max_chars: int) -> int:
    end = start + max_chars
    if end >= len(text):
        return len(text)
    for mark in _BREAKS:
        place = text.rfind(mark, start + max_chars // 2, end)
        if place >= 0:
            return place + len(mark)
    return end
