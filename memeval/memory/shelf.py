"""What a search displays: the files taken so far, and the bytes they use. Files that show the same lines are one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
        return "\n".join([self.block, *map(_mention, self.same)])


class Shelf:
    """The parts of the text, within a room in UTF-8 bytes, a separator before each of them included."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._used = 0
        self._taken: list[Candidate] = []
        self._places: list[_Place] = []
        self._by_body: dict[str, _Place] = {}

    def take(self, hits: Iterable[Candidate]) -> None:
        """Take the first of the hits, as many as fit: the best with their surroundings, the others with one line.

        Where all of them fit, what room is left goes to the first.
        """
        for hit in hits:
            in_full = self._used < self._room * FULL_SHARE
            if not ((in_full and self._add(hit, hit.body)) or self._add(hit, hit.line)):
                return
            self._taken.append(hit)
        self._unfold()
        self._widen(lambda hit: hit.body)
        self._widen(lambda hit: hit.wide_body)

    def blocks(self) -> list[DisplayedBlock]:
        """What is displayed of each document, best first."""
        own = {place.hit.doc_id: place.block for place in self._places}
        return [DisplayedBlock(hit.doc_id, own.get(hit.doc_id, hit.path)) for hit in self._taken]

    def parts(self) -> list[str]:
        """The parts of the text, in order: fewer than blocks, where several files show the same lines."""
        return [place.text for place in self._places]

    def _add(self, hit: Candidate, body: str) -> bool:
        """Whether it fitted."""
        twin = self._by_body.get(body) if hit.spots else None
        place = _Place(hit, body)
        if not self._spend(_MENTION_BYTES + utf8_length(hit.path) if twin else utf8_length(SEPARATOR + place.block)):
            return False
        if twin:
            twin.same.append(hit)
        else:
            self._places.append(place)
            if hit.spots:
                self._by_body[body] = place
        return True

    def _unfold(self) -> None:
        """Give those a part of their own that share one line with others but not what surrounds it."""
        for place in tuple(self._places):
            for hit in tuple(place.same):
                own = _Place(hit, hit.body)
                growth = utf8_length(SEPARATOR + own.block) - _MENTION_BYTES - utf8_length(hit.path)
                if hit.body != place.hit.body and self._spend(growth):
                    place.same.remove(hit)
                    self._places.append(own)
        ranks = {hit.doc_id: rank for rank, hit in enumerate(self._taken)}
        self._places.sort(key=lambda place: ranks[place.hit.doc_id])

    def _widen(self, show: Callable[[Candidate], str]) -> None:
        """Show more of each file, unless what others share with it would be no longer the same."""
        for place in self._places:
            body = show(place.hit)
            growth = utf8_length(body) - utf8_length(place.body)
            if growth > 0 and all(show(hit) == body for hit in place.same) and self._spend(growth):
                place.body = body

    def _spend(self, added: int) -> bool:
        """Whether so many bytes more fit."""
        if self._used + added > self._room:
            return False
        self._used += added
        return True


def _mention(hit: Candidate) -> str:
    return f"(the same lines in {hit.path})"


_MENTION_BYTES = len("\n(the same lines in )")
