"""The cut: what is displayed of a ranking under a byte budget. Pure over documents, hits and a query's terms."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from memeval.memory.document import Document
from memeval.retrieval.base import Answer, Block, Hit, Rank
from memeval.text import clip_line, split_lines, utf8_length

MAX_EXCERPT_BYTES = 240
"""Enough to recognise a file by: the line and its neighbours, or 80 Han characters."""

_SEPARATOR = "\n\n"


class Terms(Protocol):
    """How a variant sees the words of a query in a line."""

    def of_query(self, query: str) -> tuple[str, ...]:
        """The distinct terms of a query, in order."""
        ...

    def of_line(self, line: str) -> Container[str]:
        """What a line holds: `term in terms.of_line(line)`."""
        ...

    def locate_first(self, line: str, terms: frozenset[str]) -> tuple[int, int]:
        """(start, end) of the first of the terms in the line; (0, 0) when it holds none."""
        ...


def fit_blocks(hits: tuple[Hit, ...], blocks: Iterable[Block], budget_bytes: int) -> Answer:
    """The blocks of the hits, one each in their order, up to the first that does not fit the budget.

    What is left out is counted by a marker, `…[N more files omitted]`, inside the budget: the last blocks make room
    for it, and where it does not fit alone the text is empty. Blocks are taken only as far as they are needed.
    """
    fitting: list[Block] = []
    used = 0
    for block in blocks:
        used += utf8_length(_SEPARATOR if fitting else "") + utf8_length(block.text)
        if used > budget_bytes:
            break
        fitting.append(block)
    if len(fitting) == len(hits):
        return Answer(hits, tuple(fitting), _SEPARATOR.join(block.text for block in fitting))
    for shown in range(len(fitting), -1, -1):  # the last blocks may have to make room for the marker
        parts = [block.text for block in fitting[:shown]]
        text = _SEPARATOR.join([*parts, _mark_omitted(len(hits) - shown)])
        if utf8_length(text) <= budget_bytes:
            return Answer(hits, tuple(fitting[:shown]), text)
    return Answer(hits, (), "")


class Cut:
    """Blocks of `path` and one excerpt, in rank order, as many as `fit_blocks` takes.

    A document's lines are read once, when first shown.
    """

    def __init__(self, documents: Sequence[Document], terms: Terms, budget_bytes: int) -> None:
        self._documents = {document.doc_id: document for document in documents}
        self._terms = terms
        self._budget_bytes = budget_bytes
        self._lines: dict[str, tuple[list[str], list[Container[str]]]] = {}

    def show(self, query: str, hits: tuple[Hit, ...]) -> Answer:
        """The hits with what is displayed of them."""
        terms = self._terms.of_query(query)
        return fit_blocks(hits, (self._show(hit.doc_id, terms) for hit in hits), self._budget_bytes)

    def _show(self, doc_id: str, terms: Sequence[str]) -> Block:
        path, excerpt = self._documents[doc_id].path, self._excerpt(doc_id, terms)
        return Block(doc_id, f"{path}\n{excerpt}" if excerpt else path, heading=path)

    def _excerpt(self, doc_id: str, terms: Sequence[str]) -> str:
        """The line with most distinct terms, the first of equals, and the lines beside it as far as they fit.

        Without any term it is the first line that is not blank. Where three lines are too long, the one below is left
        out, then the one above, then both; a line that is too long alone is clipped around its first term.
        """
        lines, held = self._read(doc_id)
        if not lines:
            return ""
        counts = [sum(map(terms_held.__contains__, terms)) for terms_held in held]
        best = max(range(len(lines)), key=lambda i: (counts[i], bool(lines[i].strip())))
        for first, last in ((best - 1, best + 1), (best - 1, best), (best, best + 1), (best, best)):
            excerpt = "\n".join(line for line in lines[max(first, 0) : last + 1] if line.strip())
            if utf8_length(excerpt) <= MAX_EXCERPT_BYTES:
                return excerpt
        start, end = self._terms.locate_first(lines[best], frozenset(terms))
        return clip_line(lines[best], start, end, MAX_EXCERPT_BYTES)

    def _read(self, doc_id: str) -> tuple[list[str], list[Container[str]]]:
        if doc_id not in self._lines:
            lines = split_lines(self._documents[doc_id].text)
            self._lines[doc_id] = lines, [self._terms.of_line(line) for line in lines]
        return self._lines[doc_id]


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A retriever of two stages: rank every candidate, then cut what is displayed."""

    rank: Rank
    cut: Cut

    def search(self, query: str) -> Answer:
        """The ranking and what is displayed of it."""
        return self.cut.show(query, self.rank(query))


def _mark_omitted(count: int) -> str:
    return f"…[{count} more file{'' if count == 1 else 's'} omitted]"
