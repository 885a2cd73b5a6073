"""oh-my-pi's local memory: a summary in context, and files read by their address when its words call for them."""

from __future__ import annotations

from collections.abc import Sequence

from memeval.memory.document import Document
from memeval.memory.fillers import FILLER_PAIRS, FILLER_WORDS
from memeval.memory.layout import MEMORY_FILE
from memeval.retrieval.base import Answer, Block, Hit, Retriever, Settings, Variant
from memeval.retrieval.reading import SEPARATOR, read_files
from memeval.retrieval.tokens import tokenise
from memeval.text import split_lines

SUMMARY_FILES = ("memory_summary.md", MEMORY_FILE)
"""The first of these at the root is the summary; the second where a store was not written by the system."""
LESSONS_FILE = "learned.md"
MAX_TOKENS = 5000
"""Of summary and lessons together."""
CHARS_PER_TOKEN = 4
HEAD_SHARE = 0.6
"""Of the budget kept from the beginning of a text that is too long; the rest is kept from its end."""
TRUNCATED = "...[truncated]..."


def truncate_middle(text: str, max_chars: int) -> str:
    """The text, or its first 60 % and last 40 % of `max_chars` characters around a mark; empty without room."""
    if len(text) <= max_chars:
        return text
    head = int(max_chars * HEAD_SHARE)
    tail = max_chars - head
    return f"{text[:head]}\n{TRUNCATED}\n{text[len(text) - tail :]}" if max_chars else ""


class OmpSummary:
    """The summary is there before anything is asked; then files whose path shares a word with the query are read.

    There is no search: what an agent goes by are addresses, `memory://root/…`. Here it reads those with the most
    distinct words of the query in their path, fillers aside, and then by path, whole, while the budget of the run
    lasts. The injected part has a cap of its own.
    """

    def __init__(self, documents: Sequence[Document], budget_bytes: int) -> None:
        self._budget_bytes = budget_bytes
        self._injected = tuple(_inject({document.doc_id: document for document in documents}))
        injected = {block.doc_id for block in self._injected}
        self._others = [document for document in documents if document.doc_id not in injected]
        self._words = {document.doc_id: frozenset(tokenise(document.doc_id)) for document in self._others}

    def search(self, query: str) -> Answer:
        """The files injected, then those chosen by their path: a score is a place from the end."""
        terms = frozenset(tokenise(query)) - FILLER_WORDS - FILLER_PAIRS - {"md"}
        shared = {document.doc_id: len(terms & self._words[document.doc_id]) for document in self._others}
        chosen = [document for document in self._others if shared[document.doc_id]]
        chosen.sort(key=lambda document: (-shared[document.doc_id], document.doc_id))
        doc_ids = [*(block.doc_id for block in self._injected), *(document.doc_id for document in chosen)]
        hits = tuple(Hit(doc_id, float(len(doc_ids) - place)) for place, doc_id in enumerate(doc_ids))
        blocks = (*self._injected, *read_files(chosen, self._budget_bytes))
        return Answer(hits, blocks, SEPARATOR.join(block.text for block in blocks))


def _inject(files: dict[str, Document]) -> list[Block]:
    """The summary, then the lessons in what it leaves of the budget."""
    names = [name for name in SUMMARY_FILES if name in files][:1] + [LESSONS_FILE] * (LESSONS_FILE in files)
    room = MAX_TOKENS * CHARS_PER_TOKEN
    blocks = []
    for name in names:
        text = "\n".join(split_lines(files[name].text))
        shown = truncate_middle(text, room)
        room -= min(len(text), room)
        if shown:
            blocks.append(Block(name, f"{files[name].path}\n{shown}", heading=files[name].path))
    return blocks


def build_summary(documents: Sequence[Document], settings: Settings) -> Retriever:
    """Injection under its own cap, reads within the budget of the run."""
    return OmpSummary(documents, settings.budget_bytes)


OMP_SUMMARY: tuple[Variant, ...] = (
    Variant(
        name="omp-summary",
        description="a summary in context, then files whose path shares a word with the query",
        source="oh-my-pi, memory.backend local; docs/memory.md at 1cc9d0c1, memories/index.ts at 0a70a01f",
        build=build_summary,
        configuration={
            "summary": " or ".join(SUMMARY_FILES),
            "max_tokens_injected": MAX_TOKENS,
            "chars_per_token": CHARS_PER_TOKEN,
            "head_share": HEAD_SHARE,
            "read": "files whole by words of their path, while the budget lasts",
        },
        always_answers=True,
        has_own_cap=True,
    ),
)
