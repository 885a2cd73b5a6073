"""Claude Code's auto memory: the beginning of MEMORY.md in context, and files found by a search for any word."""

from __future__ import annotations

from collections.abc import Sequence

from memeval.memory.document import Document
from memeval.memory.layout import MEMORY_FILE
from memeval.retrieval.base import Answer, Block, Hit, Retriever, Settings, Variant
from memeval.retrieval.reading import SEPARATOR, read_files
from memeval.text import cut_utf8, fold, split_lines, split_terms, utf8_length

MAX_LINES = 200
MAX_BYTES = 25_000
"""25 KB; of thousand bytes each, as the unit is written."""


class ClaudeGrep:
    """One Grep for any word of the query, whatever its case, then a Read of the files it names.

    Grep names files and shows no line of them. Which files are read, in which order and how far, is up to the agent:
    here it is by path, whole, while the budget of the run lasts. A file that is named and not read is known by its
    path alone.
    """

    def __init__(self, documents: Sequence[Document], budget_bytes: int) -> None:
        self._documents = sorted(documents, key=lambda document: document.doc_id)
        self._texts = [fold(document.text) for document in self._documents]
        self._budget_bytes = budget_bytes

    def search(self, query: str) -> Answer:
        """The files with a word of the query, by path: a score is a place from the end."""
        words = [fold(word) for word in split_terms(query)]
        found = [
            document
            for document, text in zip(self._documents, self._texts, strict=True)
            if any(word in text for word in words)
        ]
        hits = tuple(Hit(document.doc_id, float(len(found) - place)) for place, document in enumerate(found))
        listed = self._list(found)
        listing = "\n".join(document.path for document in listed)
        whole = read_files(listed, self._budget_bytes - utf8_length(listing))
        opened = {block.doc_id for block in whole}
        named = [Block(file.doc_id, file.path, heading=file.path) for file in listed if file.doc_id not in opened]
        text = SEPARATOR.join([listing, *(block.text for block in whole)])
        return Answer(hits, (*named, *whole), text)

    def _list(self, found: Sequence[Document]) -> list[Document]:
        """The files whose paths fit, one a line."""
        listed = []
        used = 0
        for document in found:
            used += utf8_length(document.path) + 1
            if used - 1 > self._budget_bytes:
                break
            listed.append(document)
        return listed


class ClaudeInject:
    """The first 200 lines of MEMORY.md or its first 25 KB, whichever is less, in context before anything is asked."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._answer = Answer((), (), "")
        for document in documents:
            if document.doc_id == MEMORY_FILE:
                shown = cut_utf8("\n".join(split_lines(document.text)[:MAX_LINES]), MAX_BYTES)
                block = Block(document.doc_id, f"{document.path}\n{shown}", heading=document.path)
                self._answer = Answer((Hit(document.doc_id, 1.0),), (block,), block.text)

    def search(self, query: str) -> Answer:
        """The same for every query; nothing for a store without MEMORY.md at its root."""
        return self._answer


def build_grep(documents: Sequence[Document], settings: Settings) -> Retriever:
    """A search and reads within the budget of the run."""
    return ClaudeGrep(documents, settings.budget_bytes)


def build_inject(documents: Sequence[Document], settings: Settings) -> Retriever:
    """What is loaded at the start of a session."""
    return ClaudeInject(documents)


CLAUDE: tuple[Variant, ...] = (
    Variant(
        name="claude-grep",
        description="one grep for any word of the query names files, which are read whole by path",
        source="Claude Code 2.1.59 and later, auto memory; Grep with its default output, then Read",
        build=build_grep,
        configuration={
            "unit": "file",
            "terms": "words, any of them, inside words too",
            "case": "simple folding",
            "order": "path",
            "order_from": "not known of the system: time of change or path",
            "shown": "paths of all, then files whole while the budget lasts",
        },
    ),
    Variant(
        name="claude-inject",
        description="the first 200 lines or 25 KB of MEMORY.md, whatever is asked",
        source="Claude Code 2.1.59 and later, auto memory: what is loaded at the start",
        build=build_inject,
        configuration={"unit": MEMORY_FILE, "max_lines": MAX_LINES, "max_bytes": MAX_BYTES},
        always_answers=True,
        has_own_cap=True,
    ),
)
