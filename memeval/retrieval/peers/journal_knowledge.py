"""Two layers: a journal of the last days, and notes by topic in the scope of the same search."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from memeval.memory.document import Document
from memeval.retrieval.base import Retriever, Settings, Variant
from memeval.retrieval.fulltext import UNICODE61
from memeval.retrieval.peers.openclaw import CLASSIC, HYBRID, OpenClaw
from memeval.retrieval.peers.titles import find_day

JOURNAL_DAYS = 5
"""A log is archived, and no longer searched, when it is so many days old. The article calls it a guess."""


def limit_journal(documents: Sequence[Document]) -> list[Document]:
    """Every file but dated logs of five days and older, the newest one standing for today."""
    days = {document.doc_id: find_day(document) for document in documents}
    today = max((day for day in days.values() if day is not None), default=date.min)
    return [
        document
        for document in documents
        if (day := days[document.doc_id]) is None or (today - day).days < JOURNAL_DAYS
    ]


def build_journal_knowledge(documents: Sequence[Document], settings: Settings) -> Retriever:
    """OpenClaw's search over what is left in both layers."""
    return OpenClaw(limit_journal(documents), CLASSIC, UNICODE61, settings)


JOURNAL_KNOWLEDGE: tuple[Variant, ...] = (
    Variant(
        name="journal-knowledge",
        description="OpenClaw's search over all notes and the logs of five days; older logs are archived",
        source="journal-and-knowledge, the article; OpenClaw with extraPaths",
        build=build_journal_knowledge,
        configuration={**HYBRID, "pool": CLASSIC.pool, "journal_days": JOURNAL_DAYS},
        needs_embedder=True,
        has_own_cap=True,
    ),
)
