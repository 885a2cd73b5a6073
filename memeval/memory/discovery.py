"""Search as discovery: as many recognisable candidates as the cap holds, best first. Pure over documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memeval.memory.candidate import Candidate, Pages, name_term
from memeval.memory.document import Document, UnreadableFile, describe_unreadable
from memeval.memory.fillers import FILLER_WORDS
from memeval.memory.folding import fold_width
from memeval.memory.profile import Profile
from memeval.memory.ranking import Match, Ranker
from memeval.memory.result import Display, DisplayedBlock
from memeval.memory.shelf import SEPARATOR, Shelf
from memeval.memory.terms import Term, TermKind, extend_run, parse_query, shorten_words, split_grams
from memeval.text import CLIPPED, cut_utf8, split_terms, split_words, utf8_length

MAX_TERMS = 128
"""Looked up of one query: each costs a walk through the store, and a pasted log has thousands."""
MAX_FILLER_FILES = 10
"""Shown of a query that has nothing but fillers: where more files hold all of them, they tell none from another."""
MIN_BEGINNING_SHARE = 0.5
"""Of a word that stands nowhere, for its beginning to count beside words that do."""
_MAX_TERMS_NAMED, _MAX_PARTS_NAMED, _MAX_HINTS = 12, 8, 3
_MIN_LINE_BYTES = 24
"""Of a line that is shown at all: three or four words, eight Han characters."""
_MAX_QUERY_BYTES = 200
"""Of a query that is given back."""
_OPENING = "([{<\"'`“”‘’„‚«‹「『（［｛〈《【"
_CLOSING = ")]}>\"'`“”‘’»›」』）］｝〉》】,.;:!?…、。，．；：！？"
_ANOTHER_WORD = ". Try another word for it."
_TELLING_WORD = "Add a word that says what you look for."
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
    advice: str = _ANOTHER_WORD
    """What ends the sentence that nothing was found."""

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
        said = [f"No matches for '{query}{clipped}'{self.advice}"]
        said += [hint for hint in self.hints if hint == _TOO_LONG]
        return Display(cut_utf8("\n".join(said) + describe_unreadable(self.unreadable), cap), ())

    def _cap(self, max_bytes: int | None) -> int:
        return self.profile.max_search_bytes if max_bytes is None else max_bytes

    def _arrange(self, cap: int) -> Display:
        """The summary in half of the cap at most; without it where no file would fit below."""
        mark_bytes = utf8_length(SEPARATOR + _mark_omitted(len(self.hits))) if len(self.hits) > 1 else 0
        for max_head_bytes in (min(cap // 2, cap - mark_bytes), 0):
            display = self._fit(cap - mark_bytes, max_head_bytes)
            if display.blocks:
                return display
        return self._name_first(cap)

    def _fit(self, max_bytes: int, max_head_bytes: int) -> Display:
        """Summary and files in so many bytes, then the mark of those left out, for which room was kept."""
        heads = self._write_heads(len(self.hits))
        form = next(form for form, head in enumerate(heads) if utf8_length(head) <= max(max_head_bytes, 0))
        head_bytes = utf8_length(heads[form])
        below = "".join(f"\n{note}" for note in self._choose_notes(max_head_bytes - head_bytes)) if head_bytes else ""
        shelf = Shelf(max_bytes - head_bytes - utf8_length(below) + (0 if head_bytes else utf8_length(SEPARATOR)))
        shelf.take(self.hits)
        blocks = shelf.blocks()
        parts = [self._write_heads(len(blocks))[form] + below, *shelf.parts()]
        omitted = len(self.hits) - len(blocks)
        if omitted:
            parts.append(_mark_omitted(omitted))
        return Display(SEPARATOR.join(part for part in parts if part), tuple(blocks))

    def _write_heads(self, shown: int) -> tuple[str, ...]:
        """What was searched for, and how much is shown; the same without the words; nothing."""
        counts = [f"{name_term(term)}({count})" for term, count in self.terms[:_MAX_TERMS_NAMED]]
        more = len(self.terms) - len(counts)
        listed = " ".join(counts + [f"and {more} more"] * (more > 0))
        begin, end = f"Searched {_count(len(self.terms), 'term')}: ", f" across {_count(len(self.hits), 'file')}."
        end += f" Showing top {shown} by relevance."
        return begin + listed + end, begin + CLIPPED + end, ""

    def _name_first(self, cap: int) -> Display:
        """Of the first file its path, and as much of its best line and of what was left out as fits.

        Where the path does not fit its file name stands, cut at its beginning.
        """
        first, omitted = self.hits[0], len(self.hits) - 1
        mark = f"\n{CLIPPED}{_count(omitted, 'more file')} omitted" if omitted else ""
        room = cap - utf8_length(first.path)
        if room < 0:
            name = first.path.rpartition("/")[2]
            short = f"{CLIPPED}{name}"
            return Display(short if utf8_length(short) <= cap else cut_utf8(name, cap), ())
        if utf8_length(mark) > room:
            return Display(first.path, (DisplayedBlock(first.doc_id, first.path),))
        room -= utf8_length(mark) + 1
        line = first.page.show_line(first.spots, room) if room >= _MIN_LINE_BYTES else ""
        block = f"{first.path}\n{line}" if line else first.path
        return Display(block + mark, (DisplayedBlock(first.doc_id, block),))

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
        characters of its pairs on one line are looked for, too. Symbols are looked up where nothing else is found, and
        fillers where the query has nothing else: as whole words, all in one file, and if that leaves a few files.
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
        advice = _ANOTHER_WORD
        if not matches:
            matches, advice = self._rank_fillers(asked)
        words = [(word, parse_query(word, self._characters)[:MAX_TERMS]) for word in _split_query(query)[:MAX_TERMS]]
        words = [(word, parts) for word, parts in words if not _are_fillers(parts)] or words
        counts = [self._count_lines(word, parts) for word, parts in words]
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
            advice,
        )

    def _rank_fillers(self, asked: Sequence[Term]) -> tuple[list[Match], str]:
        """(what is found by symbols or, where there is nothing else, by fillers; what to say where that is nothing)."""
        has_telling = any(not term.filler for term in asked)
        is_symbols = has_telling or all(term.kind is TermKind.SYMBOL for term in asked)
        terms = [term for term in asked if term.filler and (term.kind is TermKind.SYMBOL or not is_symbols)][:MAX_TERMS]
        matches = self._ranker.rank(terms)
        if not has_telling and is_symbols:
            return matches, _ANOTHER_WORD
        all_of_them = (1 << len(terms)) - 1
        matches = [match for match in matches if match.whole_mask == all_of_them]
        if len(matches) <= MAX_FILLER_FILES:
            return matches, _ANOTHER_WORD if has_telling else f". {_TELLING_WORD}"
        return [], _ANOTHER_WORD if has_telling else f" alone: {len(matches)} files hold it. {_TELLING_WORD}"

    def _count_lines(self, word: str, terms: Sequence[Term]) -> int:
        """The lines, over all documents, that hold a word; a filler as a whole word, other ones anywhere."""
        if _are_fillers(terms) and len(terms) == 1:
            return self._ranker.count_whole_lines(terms[0])
        return self._ranker.count_lines(fold_width(word, self._characters).text, terms)

    def _advise(self, absent: Iterable[tuple[str, Sequence[Term]]], beginnings: Sequence[Term]) -> list[str]:
        """A hint for each of the first words that stand on no line as they were asked, by (word, its terms)."""
        hints: list[str] = []
        for word, asked in absent:
            terms = [term for term in asked if not term.filler]
            held = [term for term in terms if self._ranker.count(term)]
            if not terms or _is_found_whole(asked, held):  # in another form, in a name, or as an alias
                continue
            if len(hints) == _MAX_HINTS:
                break
            parts = self._join_parts(term for term in held if term.kind is not TermKind.COMPOUND)
            parts += [part.text for part in beginnings if any(term.text.startswith(part.key) for term in terms)]
            if parts:
                named = " ".join(map(name_term, parts[:_MAX_PARTS_NAMED]))
                hints.append(f"No exact hit for {name_term(word)}: matched by {named}")
            else:
                hints.append(f"Nowhere: {name_term(word)}. Try another word for it.")
        return hints

    def _join_parts(self, terms: Iterable[Term]) -> list[str]:
        """The texts of terms; pairs that go on from each other are one, where what they make stands somewhere."""
        parts: list[str] = []
        for term in terms:
            run = extend_run(parts[-1], term) if parts and term.kind is TermKind.GRAM else None
            if run is not None and self._ranker.stands(run):
                parts[-1] = run
            else:
                parts.append(term.text)
        return parts


def _are_fillers(terms: Iterable[Term]) -> bool:
    return all(term.filler for term in terms)


def _is_found_whole(asked: Sequence[Term], held: Sequence[Term]) -> bool:
    """Whether what was found of a word is the word: its one term or its joined spelling, clipped endings aside."""
    compounds = [term for term in asked if term.kind is TermKind.COMPOUND]
    others = [term for term in asked if term.kind is not TermKind.COMPOUND and not term.filler]
    missing = {part for term in compounds for part in term.parts} - FILLER_WORDS - {term.text for term in held}
    return any(term in held for term in compounds) or (len(others) <= 1 and bool(held) and not missing)


def _split_query(query: str) -> tuple[str, ...]:
    """The distinct words of a query without the punctuation around them; those of punctuation alone only if all are."""
    words = [word.lstrip(_OPENING).rstrip(_CLOSING) for word in split_words(query)]
    telling = [word for word in words if any(character.isalnum() for character in word)]
    return split_terms(" ".join(telling or split_words(query)))


def _mark_omitted(count: int) -> str:
    return f"…[search truncated, {_count(count, 'more file')} omitted]"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
