"""What a search displays: the files taken so far, and the bytes they use. Files that show the same lines are one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from memeval.memory.candidate import Candidate
from memeval.memory.result import DisplayedBlock
from memeval.text import utf8_length

SEPARATOR = "\n\n"
"""Between two parts of the text."""
FULL_SHARE = 0.4
"""Of the room for the first files, shown with their surroundings; the rest is for one line each of as many as fit."""


@dataclass(slots=True)
class _Place:
    """One part of the text: a file, and others that show the same lines."""

    hit: Candidate
    body: str
    same: list[Candidate] = field(default_factory=list)

    @property
    def block(self) -> str:
        return f"{self.hit.heading}\n{self.body}" if self.body else self.hit.heading

    @property
    def text(self) -> str:
        return "\n".join([self.block, *map(_refer, self.same)])


class Shelf:
    """The parts of the text, within a room in UTF-8 bytes, a separator before each of them included."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._used = 0
        self._places: list[_Place] = []
        self._order: list[tuple[Candidate, _Place]] = []
        self._by_body: dict[str, _Place] = {}

    def take(self, hits: Iterable[Candidate]) -> None:
        """Take the first of the hits, as many as fit: the best with their surroundings, the others with one line.

        Where all of them fit, what room is left goes to the first.
        """
        for hit in hits:
            in_full = self._used < self._room * FULL_SHARE
            if not ((in_full and self._add(hit, hit.body)) or self._add(hit, hit.line)):
                return
        self._fill()

    def blocks(self) -> list[DisplayedBlock]:
        """What is displayed of each document, best first."""
        return [DisplayedBlock(hit.doc_id, place.block if place.hit is hit else hit.path) for hit, place in self._order]

    def parts(self) -> list[str]:
        """The parts of the text, in order: fewer than blocks, where several files show the same lines."""
        return [place.text for place in self._places]

    def _add(self, hit: Candidate, body: str) -> bool:
        """Whether it fitted."""
        twin = self._by_body.get(body) if hit.spots else None
        place = twin or _Place(hit, body)
        added = utf8_length(f"\n{_refer(hit)}" if twin else SEPARATOR + place.text)
        if self._used + added > self._room:
            return False
        self._used += added
        if twin:
            twin.same.append(hit)
        else:
            self._places.append(place)
            if hit.spots:
                self._by_body[body] = place
        self._order.append((hit, place))
        return True

    def _fill(self) -> None:
        """Surroundings for those shown with one line, then more lines for all; what stands for others stays."""
        for is_wide in (False, True):
            for place in self._places:
                if place.same:
                    continue
                body = place.hit.wide_body if is_wide else place.hit.body
                growth = utf8_length(body) - utf8_length(place.body)
                if 0 < growth <= self._room - self._used:
                    self._used += growth
                    place.body = body


def _refer(hit: Candidate) -> str:
    return f"(the same lines in {hit.path})"
