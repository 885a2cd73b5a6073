"""What OpenClaw reads at the start of a session, before anything is searched: MEMORY.md and the logs of two days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from memeval.memory.document import Document
from memeval.memory.layout import MEMORY_FILE
from memeval.retrieval.base import Answer, Block, Hit, Retriever, Settings, Variant
from memeval.retrieval.peers.titles import find_day
from memeval.retrieval.reading import SEPARATOR
from memeval.text import CLIPPED, split_lines

MAX_FILE_CHARS = 12_000
MAX_TOTAL_CHARS = 60_000
HEAD_SHARE = 0.75
TAIL_SHARE = 0.24


def cut_middle(text: str, max_chars: int = MAX_FILE_CHARS) -> str:
    """The text when it fits; else its head and its tail, 75 and 24 % of the cap, with a line `…` between them."""
    if len(text) <= max_chars:
        return text
    head, tail = int(max_chars * HEAD_SHARE), int(max_chars * TAIL_SHARE)
    return f"{text[:head]}\n{CLIPPED}\n{text[len(text) - tail :]}"


class OpenClawInject:
    """MEMORY.md at the root, then the logs of the newest day and the day before it, each within its cap.

    A file that would pass the cap of all files together is left out, and so are those after it.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        days = {document.doc_id: day for document in documents if (day := find_day(document)) is not None}
        newest = max(days.values(), default=None)
        read = [document for document in documents if document.doc_id == MEMORY_FILE]
        if newest is not None:
            recent = {newest, newest - timedelta(days=1)}
            logs = [document for document in documents if days.get(document.doc_id) in recent]
            read += sorted(logs, key=lambda document: (days[document.doc_id], document.doc_id), reverse=True)
        blocks: list[Block] = []
        used = 0
        for document in read:
            text = cut_middle("\n".join(split_lines(document.text)))
            used += len(text)
            if used > MAX_TOTAL_CHARS:
                break
            blocks.append(Block(document.doc_id, f"{document.path}\n{text}", heading=document.path))
        hits = tuple(Hit(block.doc_id, float(len(blocks) - place)) for place, block in enumerate(blocks))
        self._answer = Answer(hits, tuple(blocks), SEPARATOR.join(block.text for block in blocks))

    def search(self, query: str) -> Answer:
        """The same for every query."""
        return self._answer


def build_inject(documents: Sequence[Document], settings: Settings) -> Retriever:
    """What is in context without a search."""
    return OpenClawInject(documents)


OPENCLAW_INJECT: tuple[Variant, ...] = (
    Variant(
        name="openclaw-inject",
        description="12,000 characters of MEMORY.md, its middle cut out, and the logs of two days, whatever is asked",
        source="OpenClaw, injected files as of 2026.4 and later",
        build=build_inject,
        configuration={
            "max_file_chars": MAX_FILE_CHARS,
            "max_total_chars": MAX_TOTAL_CHARS,
            "head_share": HEAD_SHARE,
            "tail_share": TAIL_SHARE,
            "logs": "the newest day and the day before",
        },
        always_answers=True,
        has_own_cap=True,
    ),
)
