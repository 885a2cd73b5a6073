"""Search as discovery: as many recognisable candidates as the cap holds, best first. Pure over documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memeval.memory.candidate import Candidate, Pages, name_term
from memeval.memory.document import Document, UnreadableFile, describe_unreadable
from memeval.memory.folding import fold_width
from memeval.memory.profile import Profile
from memeval.memory.ranking import Ranker
from memeval.memory.result import Display
from memeval.memory.shelf import SEPARATOR, Shelf
from memeval.memory.terms import Term, TermKind, parse_query, shorten_words, split_grams
from memeval.text import CLIPPED, cut_utf8, split_terms, split_words, utf8_length

MAX_TERMS = 128
"""Looked up of one query: each costs a walk through the store, and a pasted log has thousands."""
MIN_BEGINNING_SHARE = 0.5
"""Of a word that stands nowhere, for its beginning to count beside words that do."""
_MAX_TERMS_NAMED, _MAX_PARTS_NAMED, _MAX_HINTS = 12, 8, 3
_MAX_QUERY_BYTES = 200
"""Of a query that is given back."""
_OPENING = "([{<\"'`“”‘’„‚«‹「『（［｛〈《【"
_CLOSING = ")]}>\"'`“”‘’»›」』）］｝〉》】,.;:!?…、。，．；：！？"
_TOO_LONG = f"Only the first {MAX_TERMS} terms of this long query were looked up."
_WEAK = "No file holds these words; closest are files with parts of them."


@dataclass(frozen=True, slots=True)
class DiscoveryResult:
    """Everything one search found, at any depth; `render`, `text` and `display` put it under a cap."""

    query: str
    terms: list[tuple[str, int]]
    """The first words of the query, without the punctuation around them, each with the number of lines that hold it
    over all documents. Words without a letter or number stand there where the query has no others."""
    hits: list[Candidate]
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
        query = cut_utf8(self.query, _MAX_QUERY_BYTES)
        clipped = CLIPPED if query != self.query else ""
        said = [f"No matches for '{query}{clipped}'. Try another word for it."]
        said += [hint for hint in self.hints if hint == _TOO_LONG]
        return Display(cut_utf8("\n".join(said) + describe_unreadable(self.unreadable), cap), ())

    def _cap(self, max_bytes: int | None) -> int:
        return self.profile.max_search_bytes if max_bytes is None else max_bytes

    def _arrange(self, cap: int) -> Display:
        mark_bytes = utf8_length(SEPARATOR + _mark_omitted(len(self.hits)))
        head_bytes = min(cap // 2, cap - mark_bytes)
        head = self._write_head(len(self.hits), head_bytes)
        notes = self._choose_notes(head_bytes - utf8_length(head))
        below = "".join(f"\n{note}" for note in notes)
        used = head_bytes if head.endswith(CLIPPED) else utf8_length(head + below)
        shelf = Shelf(cap - mark_bytes - used)
        shelf.take(self.hits)
        blocks = shelf.blocks()
        parts = [self._write_head(len(blocks), head_bytes) + below, *shelf.parts()]
        omitted = len(self.hits) - len(blocks)
        if omitted:
            parts.append(_mark_omitted(omitted))
        return Display(cut_utf8(SEPARATOR.join(part for part in parts if part), cap), tuple(blocks))

    def _write_head(self, shown: int, max_bytes: int) -> str:
        """What was searched for, and how much is shown; cut with a mark where it is too long."""
        counts = [f"{name_term(term)}({count})" for term, count in self.terms[:_MAX_TERMS_NAMED]]
        more = len(self.terms) - len(counts)
        listed = " ".join(counts + [f"and {more} more"] * (more > 0))
        head = (
            f"Searched {_count(len(self.terms), 'term')}: {listed} across {_count(len(self.hits), 'file')}."
            f" Showing top {shown} by relevance."
        )
        if utf8_length(head) <= max_bytes:
            return head
        cut = cut_utf8(head, max_bytes - utf8_length(CLIPPED))
        return cut + CLIPPED if cut else ""

    def _choose_notes(self, max_bytes: int) -> list[str]:
        """What could not be searched, then the hints: those that fit, each on a line of its own."""
        chosen: list[str] = []
        for note in (describe_unreadable(self.unreadable).strip("\n"), *self.hints):
            if note and 1 + utf8_length(note) <= max_bytes:
                chosen.append(note)
                max_bytes -= 1 + utf8_length(note)
        return chosen


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
        self._pages = Pages(self._ranker)

    def search(self, query: str) -> DiscoveryResult:
        """Every document that speaks for the query, best first; see `ranking` for the order.

        Words that stand nowhere count by their longest beginning that does. Where no term stands anywhere, two
        characters of its pairs on one line are looked for, too. Fillers and symbols are looked up where the query has
        nothing else, or nothing else is found.
        """
        asked = parse_query(query, self._characters)
        telling = [term for term in asked if not term.filler]
        terms = telling[:MAX_TERMS]
        missing = [term for term in terms if not self._ranker.count(term)]
        is_found = len(missing) < len(terms)
        beginnings = shorten_words(missing, self._ranker.stands, MIN_BEGINNING_SHARE if is_found else 0)
        if is_found:
            matches = self._ranker.rank([*terms, *beginnings])
        else:
            matches = self._ranker.rank_loosely([*beginnings, *split_grams(missing)])
        is_weak = bool(matches) and not is_found
        if not matches:
            matches = self._ranker.rank([term for term in asked if term.filler][:MAX_TERMS])
        words = [(word, parse_query(word, self._characters)[:MAX_TERMS]) for word in _split_query(query)[:MAX_TERMS]]
        counts = [self._ranker.count_lines(fold_width(word, self._characters).text, parts) for word, parts in words]
        hints = [_TOO_LONG] if len(telling) > MAX_TERMS else []
        hints += self._advise([word for word, count in zip(words, counts, strict=True) if not count], beginnings)
        hints += [_WEAK] if is_weak else []
        return DiscoveryResult(
            query,
            [(word, count) for (word, _), count in zip(words, counts, strict=True)],
            [Candidate(self._documents[match.place], match, self._ranker, self._pages) for match in matches],
            self._profile,
            tuple(hints),
            self._unreadable,
        )

    def _advise(self, absent: Iterable[tuple[str, Sequence[Term]]], beginnings: Sequence[Term]) -> list[str]:
        """A hint for each of the first words that stand on no line as they were asked, by (word, its terms)."""
        hints: list[str] = []
        for word, asked in absent:
            terms = [term for term in asked if not term.filler]
            held = [term for term in terms if self._ranker.count(term)]
            if not terms or (len(terms) == 1 and held):  # found in another form, in a name, or as an alias
                continue
            if len(hints) == _MAX_HINTS:
                break
            parts = [term.text for term in held if term.kind is not TermKind.COMPOUND]
            parts += [part.text for part in beginnings if any(term.text.startswith(part.key) for term in terms)]
            if parts:
                named = " ".join(map(name_term, parts[:_MAX_PARTS_NAMED]))
                hints.append(f"No exact hit for {name_term(word)}: matched by {named}")
            else:
                hints.append(f"Nowhere: {name_term(word)}. Try another word for it.")
        return hints


def _split_query(query: str) -> tuple[str, ...]:
    """The distinct words of a query without the punctuation around them; those of punctuation alone only if all are."""
    words = [word.lstrip(_OPENING).rstrip(_CLOSING) for word in split_words(query)]
    telling = [word for word in words if any(character.isalnum() for character in word)]
    return split_terms(" ".join(telling or split_words(query)))


def _mark_omitted(count: int) -> str:
    return f"…[search truncated, {_count(count, 'more file')} omitted]"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
