"""Search as discovery: as many recognisable candidates as the cap holds, best first. Pure over documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from memeval.memory.aliases import find_aliases
from memeval.memory.document import Document, UnreadableFile, describe_unreadable
from memeval.memory.folding import FoldedText, fold_width
from memeval.memory.profile import Profile
from memeval.memory.ranking import INSIDE_WEIGHT, Match, Ranker
from memeval.memory.result import Display, DisplayedBlock
from memeval.memory.snippet import Page, Spot
from memeval.memory.terms import Term, TermKind, loosen_terms, parse_query
from memeval.text import CLIPPED, cut_utf8, split_terms, utf8_length

FULL_SHARE = 0.4
"""Of the cap for the first files, shown with their surroundings; the rest is for one line each of as many as fit."""


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
_PREVIEW_LINES = 3
_MAX_TERMS_NAMED, _MAX_TERM_BYTES, _MAX_MATCHED = 12, 60, 8
_SEPARATOR = "\n\n"
_WEAK = "No file holds these words; closest are files with parts of them."


@dataclass(frozen=True)  # without slots: what is shown is worked out once, when asked for
class DiscoveryHit:
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
    def weights(self) -> Mapping[Term, float]:
        """How rare each matched term is, in the order of the query."""
        return {
            term: self.ranker.weigh(term) * (INSIDE_WEIGHT if self.match.holds_inside(number) else 1)
            for number, term in enumerate(self.match.terms)
            if self.match.holds(number)
        }

    @cached_property
    def spots(self) -> Sequence[Spot]:
        """The lines that hold a matched term, in order."""
        return self.page.find_spots(self.weights)

    @property
    def total_hits(self) -> int:
        """Number of lines that hold a matched term, lines of aliases aside."""
        return len(self.spots)

    @property
    def filename_only(self) -> bool:
        """True when neither text nor aliases hold anything of the query, only the file name does."""
        return not self.spots and not self._found_in_aliases()

    @property
    def matched_terms(self) -> tuple[str, ...]:
        """What of the query was found, in its order, each with where it was found unless that is the text.

        Neighbouring pairs that stand together are written together; the parts of a compound found whole are left out.
        """
        in_aliases = self._found_in_aliases()
        inside = {term for number, term in enumerate(self.match.terms) if self.match.holds_inside(number)}
        labels: dict[str, None] = {}
        for text, term in self._join_terms():
            where = " in a word" if term in inside else ""
            labels[f"alias {text}" if term in in_aliases else f"{text}{where}"] = None
        return tuple(labels)

    @cached_property
    def heading(self) -> str:
        """The first line of the block: the path and what was found."""
        shown = [cut_utf8(label, _MAX_TERM_BYTES) for label in self.matched_terms]
        more = [CLIPPED] if len(shown) > _MAX_MATCHED else []
        return f"{self.path}  [matched: {', '.join(shown[:_MAX_MATCHED] + more)}]"

    @property
    def lead(self) -> str:
        """What stands in the block before the document's own text."""
        return self.heading

    @cached_property
    def body(self) -> str:
        """The lines around the rarest terms, long ones clipped; the beginning, where only name or aliases matched."""
        return self._show(SURROUNDINGS)

    @property
    def wide_body(self) -> str:
        """More of them, for where room is left."""
        return self._show(WIDE)

    def _show(self, extent: Extent) -> str:
        if self.spots:
            return self.page.show_windows(self.spots, extent.max_windows, extent.margin_lines, extent.max_bytes)
        return self.page.show_beginning(_PREVIEW_LINES, extent.max_bytes)

    @property
    def line(self) -> str:
        """The best line alone."""
        return self.page.show_line(self.spots, MAX_TAIL_BYTES)

    def _found_in_aliases(self) -> list[Term]:
        """The matched terms that stand in the aliases and not in the text."""
        aliases = fold_width("\n".join(find_aliases(self.document.text))).text
        if not aliases:
            return []
        in_text = self.page.find_terms(self.weights)
        return [term for term in self.weights if term not in in_text and term.key in aliases]

    def _join_terms(self) -> list[tuple[str, Term]]:
        compounds = [term.text for term in self.weights if term.kind is TermKind.COMPOUND]
        joined: list[tuple[str, Term]] = []
        for term in self.weights:
            if term.kind is TermKind.WORD and any(term.text in compound for compound in compounds):
                continue
            if term.kind is TermKind.PAIR and joined and joined[-1][1].kind is TermKind.PAIR:
                run, first = joined[-1]
                if run[-1] == term.text[0] and self.page.holds(run + term.text[1]):
                    joined[-1] = (run + term.text[1], first)
                    continue
            joined.append((term.text, term))
        return joined


@dataclass(frozen=True, slots=True)
class DiscoveryResult:
    """Everything one search found, at any depth; `render`, `text` and `display` put it under a cap."""

    query: str
    terms: list[tuple[str, int]]
    """Each word of the query, white space apart, with the number of lines that hold it, over all documents."""
    hits: list[DiscoveryHit]
    """Best first."""
    profile: Profile
    hints: tuple[str, ...] = ()
    """What to know of words that were not found as they were asked."""
    unreadable: tuple[UnreadableFile, ...] = ()
    """Files that belong to the store but could not be searched."""

    def render(self, max_bytes: int | None = None) -> str:
        """Summary, hints, the files that fit, then how many were left out: never more than the cap in UTF-8 bytes."""
        return self._arrange(self._cap(max_bytes)).text

    def text(self, max_bytes: int | None = None) -> str:
        """What the search tool says: the rendered result, or what to do when nothing was found."""
        return self.display(max_bytes).text

    def display(self, max_bytes: int | None = None) -> Display:
        """The same text as `text(max_bytes)`, with the documents displayed in it."""
        cap = self._cap(max_bytes)
        if self.hits:
            return self._arrange(cap)
        note = describe_unreadable(self.unreadable)
        query = cut_utf8(self.query, cap // 2)
        clipped = CLIPPED if query != self.query else ""
        return Display(cut_utf8(f"No matches for '{query}{clipped}'. Try another word for it.{note}", cap), ())

    def _cap(self, max_bytes: int | None) -> int:
        return self.profile.max_search_bytes if max_bytes is None else max_bytes

    def _arrange(self, cap: int) -> Display:
        head = self._summarise(len(self.hits))
        room = cap - utf8_length(head) - utf8_length(_SEPARATOR + _mark_omitted(len(self.hits)))
        blocks, parts = self._fit(room)
        text = _SEPARATOR.join([self._summarise(len(blocks)), *parts])
        omitted = len(self.hits) - len(blocks)
        if omitted:
            text += _SEPARATOR + _mark_omitted(omitted)
        return Display(cut_utf8(text, cap), tuple(blocks) if utf8_length(text) <= cap else ())

    def _fit(self, room: int) -> tuple[list[DisplayedBlock], list[str]]:
        """The blocks of the first hits, and the parts of the text: fewer, where several files show the same lines."""
        shelf = _Shelf(room)
        full_room = int(room * FULL_SHARE)
        for hit in self.hits:
            in_full = shelf.used < full_room
            if not (shelf.add(hit, hit.body if in_full else hit.line) or (in_full and shelf.add(hit, hit.line))):
                break
        else:
            shelf.fill()
        return shelf.blocks(), shelf.parts()

    def _summarise(self, shown: int) -> str:
        counts = [f"{_name(term)}({count})" for term, count in self.terms[:_MAX_TERMS_NAMED]]
        more = len(self.terms) - len(counts)
        listed = " ".join(counts + [f"and {more} more"] * (more > 0))
        summary = (
            f"Searched {_count(len(self.terms), 'term')}: {listed} across {_count(len(self.hits), 'file')}."
            f" Showing top {shown} by relevance.{describe_unreadable(self.unreadable)}"
        )
        return "\n".join([summary, *self.hints])


@dataclass(slots=True)
class _Place:
    """One part of the text: a file, and others that show the same lines."""

    hit: DiscoveryHit
    body: str
    same: list[DiscoveryHit]

    @property
    def text(self) -> str:
        own = f"{self.hit.heading}\n{self.body}" if self.body else self.hit.heading
        return own + "".join(f"\n{self._same_line(other)}" for other in self.same)

    @staticmethod
    def _same_line(other: DiscoveryHit) -> str:
        return f"(the same lines in {other.path})"


class _Shelf:
    """The parts that were taken so far, and the bytes they use."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._places: list[_Place] = []
        self._order: list[tuple[DiscoveryHit, _Place]] = []
        self._by_body: dict[str, _Place] = {}
        self.used = 0

    def add(self, hit: DiscoveryHit, body: str) -> bool:
        """Whether it fitted."""
        twin = self._by_body.get(body) if body and hit.spots else None
        place = twin or _Place(hit, body, [])
        added = f"\n{place._same_line(hit)}" if twin else _SEPARATOR + place.text
        if self.used + utf8_length(added) > self._room:
            return False
        self.used += utf8_length(added)
        if twin:
            twin.same.append(hit)
        else:
            self._places.append(place)
            self._by_body.setdefault(body, place)
        self._order.append((hit, place))
        return True

    def fill(self) -> None:
        """Give the room that is left to the first files: surroundings to those shown with one line, then more lines."""
        for in_full in (False, True):
            for place in self._places:
                body = place.hit.wide_body if in_full else place.hit.body
                growth = utf8_length(body) - utf8_length(place.body)
                if growth > 0 and self.used + growth <= self._room:
                    self.used += growth
                    place.body = body

    def blocks(self) -> list[DisplayedBlock]:
        """What is displayed of each document, best first."""
        return [
            DisplayedBlock(hit.doc_id, f"{hit.heading}\n{place.body}" if place.hit is hit and place.body else hit.path)
            for hit, place in self._order
        ]

    def parts(self) -> list[str]:
        """The parts of the text, in order."""
        return [place.text for place in self._places]


class Pages:
    """The documents' lines, read when first shown and kept."""

    def __init__(self, documents: Sequence[Document], folded: Sequence[FoldedText]) -> None:
        self._documents = documents
        self._folded = folded
        self._open: dict[int, Page] = {}

    def open(self, place: int) -> Page:
        """The lines of one document."""
        if place not in self._open:
            self._open[place] = Page(self._documents[place].text, self._folded[place])
        return self._open[place]


class DiscoverySearch:
    """A search over one fixed set of documents. Each distinct term is looked up once and kept."""

    def __init__(
        self,
        documents: Sequence[Document],
        profile: Profile,
        unreadable: Iterable[UnreadableFile] = (),
        characters: Mapping[str, str] | None = None,
    ) -> None:
        self._documents = tuple(documents)
        self._profile = profile
        self._unreadable = tuple(unreadable)
        self._characters = characters
        self._ranker = Ranker(self._documents, characters)
        self._pages = Pages(self._documents, self._ranker.folded)

    def search(self, query: str) -> DiscoveryResult:
        """Every document that speaks for the query, best first; see `ranking` for the order.

        Fillers are looked up where the query has nothing else, or nothing else is found. Where no term stands
        anywhere, parts of the terms are: the beginning of a word, and two characters of a pair on one line.
        """
        asked = parse_query(query, self._characters)
        terms = tuple(term for term in asked if not term.filler)
        hints = self._advise(query)
        matches = self._ranker.rank(terms)
        if not matches and terms:
            terms = loosen_terms(terms, self._ranker.count)
            matches = self._ranker.rank_loosely(terms)
            hints = (*hints, _WEAK) if matches else hints
        if not matches:
            terms = tuple(term for term in asked if term.filler)
            matches = self._ranker.rank(terms)
        words = [(word, self._count_lines(word)) for word in split_terms(query)]
        hits = [DiscoveryHit(self._documents[match.place], match, self._ranker, self._pages) for match in matches]
        return DiscoveryResult(query, words, hits, self._profile, hints, self._unreadable)

    def _count_lines(self, word: str) -> int:
        return self._ranker.count_lines(fold_width(word, self._characters).text)

    def _advise(self, query: str) -> tuple[str, ...]:
        """A hint for each of the first words that stand nowhere as they were asked."""
        hints: list[str] = []
        for word in split_terms(query):
            terms = [term for term in parse_query(word, self._characters) if not term.filler]
            if not terms or self._count_lines(word):
                continue
            parts = [term.text for term in terms if term.kind is not TermKind.COMPOUND and self._ranker.count(term)]
            if parts:
                hints.append(
                    f"No exact hit for {_name(word)}: matched by {' '.join(map(_name, parts[:_MAX_MATCHED]))}."
                )
            else:
                hints.append(f"Nowhere: {_name(word)}. Try another word for it.")
        return tuple(hints[:3])


def _name(term: str) -> str:
    short = cut_utf8(term, _MAX_TERM_BYTES)
    return short if short == term else f"{short}{CLIPPED}"


def _mark_omitted(count: int) -> str:
    return f"…[search truncated, {_count(count, 'more file')} omitted]"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
