"""The memory engine as a variant: its own order, its own text, its own cap."""

from __future__ import annotations

from memeval.memory.result import Search
from memeval.retrieval.base import Answer, Block, Hit


class EngineRetriever:
    """A search of the engine. Its order is a tuple of keys, so a hit scores n - rank + 1 over all that matched."""

    def __init__(self, search: Search) -> None:
        self._search = search

    def search(self, query: str) -> Answer:
        """What the engine matched and what its search tool shows, the sentence for no match included."""
        result = self._search.search(query)
        display = result.display()
        n = len(result.hits)
        return Answer(
            hits=tuple(Hit(hit.doc_id, float(n - place)) for place, hit in enumerate(result.hits)),
            blocks=tuple(  # the documents displayed are the first of the hits
                Block(block.doc_id, block.text, hit.lead[: len(block.text)])
                for hit, block in zip(result.hits, display.blocks, strict=False)
            ),
            text=display.text,
        )
