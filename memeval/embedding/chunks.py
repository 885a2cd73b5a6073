"""Chunks: a Markdown text in passages that an embedding model can take, each a slice of it with its headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memeval.text import utf8_length

MAX_SIZE = 80
"""Tokens of one chunk, about: a short paragraph. Chunks of 200 find 0.02 to 0.07 less, of 40 cost twice as much."""
OVERLAP = 12
"""Tokens that a chunk repeats of the one before in its section, about: a sentence or a list item."""
MAX_FENCE = 200
"""A code fence stays whole up to this size. The smallest model reads 256 tokens, file name and headings among them;
of a longer one it would never see the end, so that it is split by lines."""

_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<title>.*?))??(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(?:(?P<first>=+)|-+)[ \t]*")
_FENCE = re.compile(r"[ \t>]*(?P<marks>`{3,}|~{3,})(?P<info>.*)")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)")
_NO_PARAGRAPH = re.compile(r"[ \t]*(?:[-*+>|#]|[0-9]{1,9}[.)](?:[ \t]|$))| {4}|\t")
_SENTENCE = re.compile(r".+?(?:[.!?…]+(?=\s)|[。！？]+|$)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A slice of one text."""

    text: str
    """As it stands there, without the white space around it."""
    headings: tuple[str, ...]
    """The headings it stands under, outermost first."""
    first_line: int
    """From 1."""
    last_line: int
    """Inclusive."""
    is_front_matter: bool = False

    def render_passage(self, title: str = "") -> str:
        """What a model is given to read: the title and the headings in one line, then the text."""
        lead = " > ".join(part for part in (title, *self.headings) if part)
        return f"{lead}\n{self.text}" if lead else self.text


@dataclass(frozen=True, slots=True)
class _Span:
    """Part of the text that may begin or end a chunk."""

    start: int
    end: int


@dataclass(slots=True)
class _Section:
    """What stands under one heading, up to the next one."""

    level: int
    headings: tuple[str, ...]
    heading: _Span
    spans: list[_Span]


def weigh(text: str) -> float:
    """How many tokens a text is, about: one to four ASCII characters, one to a CJK character (three bytes of UTF-8)."""
    return (3 * utf8_length(text) - len(text)) / 8


def chunk_markdown(text: str, *, max_size: float = MAX_SIZE, overlap: float = OVERLAP) -> tuple[Chunk, ...]:
    """The chunks of a Markdown text in order; none where it holds nothing but white space.

    Front matter is a chunk of its own. No chunk reaches over a heading; a heading with nothing below it is a chunk.
    Within a section, paragraphs, list items and whole code fences are put together up to `max_size` tokens (as
    `weigh` counts them), and each chunk repeats up to `overlap` tokens of the one before. What is larger than a chunk
    is split between lines, then sentences, then anywhere; a code fence only above `MAX_FENCE`.
    """
    chunks: list[Chunk] = []
    body = _find_front_matter(text)
    if body:
        chunks += _make_chunk(text, 0, body, (), is_front_matter=True)
    sections = list(_read_sections(text, body, max_size))
    for section, following in zip(sections, [*sections[1:], None], strict=True):
        if section.spans:
            for start, end in _pack(text, section.spans, max_size, overlap):
                chunks += _make_chunk(text, start, end, section.headings)
        elif following is None or following.level <= section.level:
            chunks += _make_chunk(text, section.heading.start, section.heading.end, section.headings[:-1])
    return tuple(chunks)


def _make_chunk(
    text: str, start: int, end: int, headings: tuple[str, ...], *, is_front_matter: bool = False
) -> Iterator[Chunk]:
    part = text[start:end]
    kept = part.strip()
    if kept:
        start += len(part) - len(part.lstrip())
        first_line = text.count("\n", 0, start) + 1
        yield Chunk(kept, headings, first_line, first_line + kept.count("\n"), is_front_matter)


def _find_front_matter(text: str) -> int:
    """Where the body begins: behind the front matter, or 0 where there is none."""
    if not re.match(r"---[ \t]*\r?\n", text):
        return 0
    close = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$\n?", re.MULTILINE).search(text, text.index("\n") + 1)
    return close.end() if close else 0


def _read_sections(text: str, start: int, max_size: float) -> Iterator[_Section]:
    section = _Section(0, (), _Span(start, start), [])
    titles: list[tuple[int, str]] = []
    lines = _read_lines(text, start)
    place = 0
    while place < len(lines):
        span = lines[place]
        line = text[span.start : span.end].rstrip("\r\n")
        level, title, used = _read_heading(text, lines, place)
        if level:
            yield section
            titles = [*((above, name) for above, name in titles if above < level), (level, title)]
            heading = _Span(span.start, lines[place + used - 1].end)
            section = _Section(level, tuple(name for _, name in titles if name), heading, [])
        elif fence := _FENCE.fullmatch(line):
            used = _count_fence(text, lines[place:], fence)
            section.spans += _split_fence(text, lines[place : place + used])
        elif line.strip():
            used = _count_paragraph(text, lines[place:])
            section.spans += _split_paragraph(text, lines[place : place + used], max_size)
        place += used
    yield section


def _read_lines(text: str, start: int) -> list[_Span]:
    spans = []
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        spans.append(_Span(start, end))
        start = end
    return spans


def _read_heading(text: str, lines: list[_Span], place: int) -> tuple[int, str, int]:
    """(level from 1, title, lines it takes) of a heading that begins at this line; level 0 and one line otherwise."""
    line = text[lines[place].start : lines[place].end].rstrip("\r\n")
    if heading := _HEADING.fullmatch(line):
        return len(heading["marks"]), (heading["title"] or "").strip(), 1
    if line.strip() and not _NO_PARAGRAPH.match(line) and place + 1 < len(lines):
        below = text[lines[place + 1].start : lines[place + 1].end].rstrip("\r\n")
        if underline := _UNDERLINE.fullmatch(below):
            return (1 if underline["first"] else 2), line.strip(), 2
    return 0, "", 1


def _count_fence(text: str, lines: list[_Span], opening: re.Match[str]) -> int:
    """How many lines the fence takes: to its closing line, or to the end."""
    marks = opening["marks"]
    if marks[0] == "`" and "`" in opening["info"]:  # ```code``` in one line
        return 1
    close = re.compile(rf"[ \t>]*{re.escape(marks[0])}{{{len(marks)},}}[ \t]*")
    for count, span in enumerate(lines[1:], start=2):
        if close.fullmatch(text[span.start : span.end].rstrip("\r\n")):
            return count
    return len(lines)


def _split_fence(text: str, lines: list[_Span]) -> list[_Span]:
    whole = _Span(lines[0].start, lines[-1].end)
    return [whole] if weigh(text[whole.start : whole.end]) <= MAX_FENCE else lines


def _count_paragraph(text: str, lines: list[_Span]) -> int:
    """How many lines belong together: to a blank line, a heading, a fence or the next list item."""
    for count, span in enumerate(lines[1:], start=1):
        line = text[span.start : span.end].rstrip("\r\n")
        if not line.strip() or _HEADING.fullmatch(line) or _FENCE.fullmatch(line) or _ITEM.match(line):
            return count
    return len(lines)


def _split_paragraph(text: str, lines: list[_Span], max_size: float) -> list[_Span]:
    start, end = lines[0].start, lines[-1].end
    if weigh(text[start:end]) <= max_size:
        return [_Span(start, end)]
    spans: list[_Span] = []
    for line in lines:
        if weigh(text[line.start : line.end]) <= max_size:
            spans.append(line)
            continue
        for sentence in _SENTENCE.finditer(text, line.start, line.end):
            spans += _split_anywhere(text, _Span(*sentence.span()), max_size)
    return spans


def _split_anywhere(text: str, span: _Span, max_size: float) -> list[_Span]:
    if weigh(text[span.start : span.end]) <= max_size:
        return [span]
    middle = (span.start + span.end) // 2
    space = text.rfind(" ", span.start + (middle - span.start) // 2, middle)
    middle = space + 1 if space >= 0 else middle
    return _split_anywhere(text, _Span(span.start, middle), max_size) + _split_anywhere(
        text, _Span(middle, span.end), max_size
    )


def _pack(text: str, spans: list[_Span], max_size: float, overlap: float) -> Iterator[tuple[int, int]]:
    """(start, end) of chunks of whole spans, each beginning with as many of the last ones as the overlap allows."""
    sizes = [weigh(text[span.start : span.end]) for span in spans]
    first = 0
    while True:
        size, last = sizes[first], first
        while last + 1 < len(spans) and size + sizes[last + 1] <= max_size:
            last += 1
            size += sizes[last]
        yield spans[first].start, spans[last].end
        if last + 1 == len(spans):
            return
        least = first + 1  # never the whole chunk before again
        first = last + 1
        repeated, room = 0.0, min(overlap, max_size - sizes[first])
        while first > least and repeated + sizes[first - 1] <= room:
            first -= 1
            repeated += sizes[first]
