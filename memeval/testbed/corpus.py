"""A corpus: files to search, and what is known about them. No needs and no ranking here."""

from __future__ import annotations

from dataclasses import dataclass

from memeval.memory.document import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """The documents every variant searches, with their provenance."""

    name: str
    documents: tuple[Document, ...]
    """Sorted by doc_id."""
    digest: str
    """SHA-256 over doc_ids and texts: `sha256:<hex>`."""
    kind: str = "store"
    """`store` (a memory store on disk), `plain` (a folder of Markdown) or `beir`."""
    languages: tuple[str, ...] = ()
    project: str | None = None
    """Slug of the project whose notes and logs are searched, for a store."""
    description: str = ""
    licence: str = ""
