"""What a search gives back, whatever its rule: hits, their number, and text under a byte cap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class DisplayedBlock(NamedTuple):
    """What is displayed of one document; unpacks as a pair."""

    doc_id: str
    text: str
    """As it stands in the displayed text: after the final cut, without the mark of the cut."""


@dataclass(frozen=True, slots=True)
class Display:
    """What a search shows, and which part of it belongs to which document."""

    text: str
    blocks: tuple[DisplayedBlock, ...]
    """Those of the first hits, in their order. A document counts as displayed only when the whole heading of its block
    survived the cap."""


class Hit(Protocol):
    """One document found."""

    @property
    def doc_id(self) -> str:
        """The document's path relative to the store root."""
        ...

    @property
    def path(self) -> str:
        """The document's path as shown."""
        ...

    @property
    def date(self) -> str | None:
        """The stem of a file in `daily/`; None for others."""
        ...

    @property
    def matched_terms(self) -> tuple[str, ...]:
        """What of the query was found, in its order."""
        ...

    @property
    def total_hits(self) -> int:
        """Number of lines that hold something of it."""
        ...

    @property
    def filename_only(self) -> bool:
        """True when the text holds nothing of it, only the file name does."""
        ...

    @property
    def body(self) -> str:
        """What is shown of the document where there is room."""
        ...

    @property
    def lead(self) -> str:
        """What stands in the block before the document's own text."""
        ...


class Result(Protocol):
    """Everything one search found, at any depth."""

    @property
    def query(self) -> str:
        """As it was asked."""
        ...

    @property
    def terms(self) -> list[tuple[str, int]]:
        """Each word of the query, white space apart, with the number of lines that hold it, over all documents."""
        ...

    @property
    def hits(self) -> Sequence[Hit]:
        """Best first."""
        ...

    def render(self, max_bytes: int | None = None) -> str:
        """The result under a cap in UTF-8 bytes, None = the profile's."""
        ...

    def text(self, max_bytes: int | None = None) -> str:
        """What the search tool says: the rendered result, or one sentence when nothing was found."""
        ...

    def display(self, max_bytes: int | None = None) -> Display:
        """The same text as `text(max_bytes)`, with the documents displayed in it."""
        ...


class Search(Protocol):
    """A search over one fixed set of documents."""

    def search(self, query: str) -> Result:
        """What the query finds."""
        ...
