"""A search of one's own, as a package that memeval finds when it is installed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from memeval.memory.document import Document
from memeval.retrieval.base import Answer, Block, Settings, Variant, rank_hits


class TitleSearch:
    """Documents by the words of the query in their first lines; what is shown is these lines."""

    def __init__(self, documents: Sequence[Document], lines: int) -> None:
        self._heads = {one.doc_id: "\n".join(one.text.splitlines()[:lines]) for one in documents}

    def search(self, query: str) -> Answer:
        """Every document with a word of the query, by how many of them it has."""
        words = set(query.lower().split())
        counts = {doc_id: sum(word in head.lower() for word in words) for doc_id, head in self._heads.items()}
        hits = rank_hits((doc_id, float(count)) for doc_id, count in counts.items() if count)
        blocks = tuple(Block(hit.doc_id, f"{hit.doc_id}\n{self._heads[hit.doc_id]}", hit.doc_id) for hit in hits)
        return Answer(hits, blocks, "\n\n".join(block.text for block in blocks))


def build_titles(documents: Sequence[Document], settings: Settings, *, lines: int = 1) -> TitleSearch:
    """Words of the query in the first line of a file."""
    return TitleSearch(documents, lines)


VARIANTS = tuple(
    Variant(
        name=f"example-titles-{lines}",
        description=f"words of the query in the first {lines} lines of a file",
        source="example-retriever",
        build=partial(build_titles, lines=lines),
        configuration={"lines": lines},
        has_own_cap=True,
    )
    for lines in (2, 3)
)
