"""Every file in context: complete and predictable, and paid for with each question."""

from __future__ import annotations

from collections.abc import Sequence

from memeval.memory.document import Document
from memeval.retrieval.base import Answer, Hit, Retriever, Settings, Variant
from memeval.retrieval.reading import SEPARATOR, show_whole


class LoadAll:
    """All files whole, by doc_id, whatever is asked. Nothing is ranked: the score of a file is its place from the end.

    A file without a word is loaded like any other. The price is the answer's bytes.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        ordered = sorted(documents, key=lambda document: document.doc_id)
        blocks = tuple(show_whole(document) for document in ordered)
        hits = tuple(Hit(document.doc_id, float(len(ordered) - place)) for place, document in enumerate(ordered))
        self._answer = Answer(hits, blocks, SEPARATOR.join(block.text for block in blocks))

    def search(self, query: str) -> Answer:
        """The same for every query."""
        return self._answer


def build_load_all(documents: Sequence[Document], settings: Settings) -> Retriever:
    """All files, over any budget."""
    return LoadAll(documents)


LOAD_ALL: tuple[Variant, ...] = (
    Variant(
        name="load-all",
        description="every file whole in context: nothing is missed, everything is paid for",
        source="how files-or-vectors began: all knowledge files loaded at the start",
        build=build_load_all,
        configuration={"unit": "file", "order": "doc_id", "cap": "none"},
        always_answers=True,
        has_own_cap=True,
    ),
)
