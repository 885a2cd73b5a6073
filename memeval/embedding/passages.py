"""A document as a model reads it: its passages, each with the file's name and the headings it stands under."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from memeval.embedding.chunks import chunk_markdown


class Source(Protocol):
    """What an index sees of a document."""

    @property
    def doc_id(self) -> str:
        """Which one it is."""
        ...

    @property
    def name(self) -> str:
        """Its file name; part of what is embedded."""
        ...

    @property
    def text(self) -> str:
        """All of it."""
        ...


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of one document."""

    first_line: int
    """From 1."""
    last_line: int
    """Inclusive."""
    headings: tuple[str, ...]
    """Those it stands under, outermost first."""
    text: str
    """As the model reads it: file name and headings, then the text."""


def cut_document(document: Source) -> tuple[Passage, ...]:
    """The passages of a document in order; none where it holds nothing but white space."""
    title = _read_title(document.name)
    return tuple(
        Passage(chunk.first_line, chunk.last_line, chunk.headings, chunk.render_passage(title))
        for chunk in chunk_markdown(document.text)
    )


def _read_title(name: str) -> str:
    """A file name as words: `redis-usage.md` is `redis usage`."""
    return name.removesuffix(".md").replace("-", " ").replace("_", " ").strip()
