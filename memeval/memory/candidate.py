"""One file that a search found, and what is shown of it: its heading, and its lines in three sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from memeval.memory.document import Document
from memeval.memory.occurrences import Occurrences, find_occurrences
from memeval.memory.ranking import Match, Ranker
from memeval.memory.snippet import Page, Spot
from memeval.memory.terms import Term, TermKind, extend_run
from memeval.text import CLIPPED, cut_utf8


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of one file is shown."""

    max_windows: int
    margin_lines: int
    """On each side of a line that matched."""
    max_bytes: int


SURROUNDINGS = Extent(3, 1, 900)
"""Of the first files: three windows of three lines, as lines are in notes."""
WIDE = Extent(8, 3, 4000)
"""Where every candidate is shown and room is left."""
MAX_TAIL_BYTES = 120
"""Of the one line of a later file: enough to be recognised, and sixty of them fit in 16 KiB."""
MAX_TERM_BYTES = 60
"""Of a term that is named."""
_PREVIEW_LINES = 3
_MAX_MATCHED = 8


class Pages:
    """The documents' lines, read when first shown and kept."""

    def __init__(self, ranker: Ranker) -> None:
        self._ranker = ranker
        self._open: dict[int, Page] = {}

    def open(self, place: int) -> Page:
        """The lines of one document."""
        if place not in self._open:
            self._open[place] = Page(self._ranker.texts[place])
        return self._open[place]


@dataclass(frozen=True)  # without slots: what is shown is worked out once, when asked for
class Candidate:
    """A document that holds something of the query: in its text, its file name, or its aliases."""

    document: Document
    match: Match
    ranker: Ranker
    pages: Pages

    @property
    def doc_id(self) -> str:
        """The document's path relative to the store root."""
        return self.document.doc_id

    @property
    def path(self) -> str:
        """The document's path as shown."""
        return self.document.path

    @property
    def date(self) -> str | None:
        """The stem of a file in `daily/`; None for others."""
        return self.document.date

    @cached_property
    def page(self) -> Page:
        """Its lines."""
        return self.pages.open(self.match.place)

    @cached_property
    def spots(self) -> Sequence[Spot]:
        """The lines that hold a matched term, in order; of each term the first two hundred."""
        return self.page.find_spots(
            (self._locate(term), len(term.key), self.ranker.weigh(term)) for term, _ in self.match.held
        )

    @property
    def total_hits(self) -> int:
        """Number of lines that hold a matched term, lines of aliases aside."""
        return self.page.count_lines(self._locate(term) for term, _ in self.match.held)

    @property
    def filename_only(self) -> bool:
        """True when neither text nor aliases hold anything of the query, only the file name does."""
        return not self.spots and not any(self._is_alias(term) for term, _ in self.match.held)

    @cached_property
    def matched_terms(self) -> tuple[str, ...]:
        """What of the query was found, in its order, each with where it was found unless that is the text or the name.

        Neighbouring pairs that stand together are written together; the parts of a compound found whole are left out.
        """
        labels: dict[str, None] = {}
        for text, term, is_inside in self._join_terms():
            where = " in a word" if is_inside and not term.is_beginning else ""
            labels[f"{'alias ' if self._is_alias(term) else ''}{name_term(text)}{where}"] = None
        return tuple(labels)

    @cached_property
    def heading(self) -> str:
        """The first line of the block: the path and what was found."""
        more = (CLIPPED,) if len(self.matched_terms) > _MAX_MATCHED else ()
        return f"{self.path}  [matched: {', '.join(self.matched_terms[:_MAX_MATCHED] + more)}]"

    @property
    def lead(self) -> str:
        """What stands in the block before the document's own text."""
        return self.heading

    @cached_property
    def line(self) -> str:
        """The best line alone."""
        return self.page.show_line(self.spots, MAX_TAIL_BYTES)

    @cached_property
    def body(self) -> str:
        """The lines around the rarest terms, long ones clipped; the beginning, where only name or aliases matched."""
        return self._show(SURROUNDINGS)

    @cached_property
    def wide_body(self) -> str:
        """More of them, for where room is left."""
        return self._show(WIDE)

    def _show(self, extent: Extent) -> str:
        if self.spots:
            return self.page.show_windows(self.spots, extent.max_windows, extent.margin_lines, extent.max_bytes)
        return self.page.show_beginning(_PREVIEW_LINES, extent.max_bytes)

    def _is_alias(self, term: Term) -> bool:
        """Whether a matched term stands in the aliases and not in the text."""
        aliases = self.ranker.aliases.get(self.match.place)
        if aliases is None or not find_occurrences(term, aliases).starts:
            return False
        return not self.page.holds(self._locate(term))

    def _locate(self, term: Term) -> Occurrences:
        return self.ranker.locate(term, self.match.place)

    def _join_terms(self) -> list[tuple[str, Term, bool]]:
        """(what is written, the term or the first of a run of pairs, whether only inside a word)."""
        held = list(self.match.held)
        parts = {part for term, is_inside in held if not is_inside for part in term.parts}
        joined: list[tuple[str, Term, bool]] = []
        for term, is_inside in held:
            if term.kind is TermKind.WORD and term.text in parts:
                continue
            if term.kind is TermKind.GRAM and joined and joined[-1][1].kind is TermKind.GRAM:
                run = extend_run(joined[-1][0], term)
                if run is not None and self._holds(run):
                    joined[-1] = (run, joined[-1][1], False)
                    continue
            joined.append((term.text, term, is_inside))
        return joined

    def _holds(self, literal: str) -> bool:
        """Whether a folded literal stands in text, name or aliases."""
        place = self.match.place
        fields = (self.ranker.texts[place], self.ranker.names[place], self.ranker.aliases.get(place))
        return any(field is not None and literal in field.text for field in fields)


def name_term(term: str) -> str:
    """A term as it is named to the reader: what is long of it is cut, with a mark."""
    short = cut_utf8(term, MAX_TERM_BYTES)
    return short if short == term else f"{short}{CLIPPED}"
