"""What a search over passages shows: the best ones, each cut at a number of characters, told by file and lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memeval.memory.document import Document
from memeval.retrieval.base import Answer, Block
from memeval.retrieval.chunking import Scored, Unit, rank_files
from memeval.text import CLIPPED

_SEPARATOR = "\n\n"


@dataclass(frozen=True, slots=True)
class PassageCut:
    """The first passages of a ranking, as many as a system gives back.

    Passages of one file stand together at the place of the best one, with a line `…` between them; each file begins
    with its path and the lines of its passages: `notes/redis.md#L1-L9,L30-L41`.
    """

    documents: Mapping[str, Document]
    units: Sequence[Unit]
    limit: int
    """Passages, not files."""
    max_chars: int | None = None
    """Code points of one passage that are shown; None = all of it."""

    def show(self, scored: Scored, chosen: Scored | None = None) -> Answer:
        """The files of all passages, best first, and what is displayed.

        Args:
            scored: every candidate.
            chosen: those given back, in their order, when they are not the first of these.
        """
        shown: dict[str, list[Unit]] = {}
        for place, _ in (scored if chosen is None else chosen)[: self.limit]:
            shown.setdefault(self.units[place].doc_id, []).append(self.units[place])
        blocks = tuple(self._show_file(doc_id, units) for doc_id, units in shown.items())
        return Answer(rank_files(self.units, scored), blocks, _SEPARATOR.join(block.text for block in blocks))

    def _show_file(self, doc_id: str, units: Sequence[Unit]) -> Block:
        lines = ",".join(f"L{unit.piece.first_line}-L{unit.piece.last_line}" for unit in units)
        heading = f"{self.documents[doc_id].path}#{lines}"
        snippet = f"\n{CLIPPED}\n".join(unit.text[: self.max_chars].replace("\r\n", "\n") for unit in units)
        return Block(doc_id, f"{heading}\n{snippet}", heading=heading)
