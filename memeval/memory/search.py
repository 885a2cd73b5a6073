"""From a query to ranked hits to text under a byte cap. Pure: documents and a profile in, a result out."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING

from memeval.errors import MemoryStoreError
from memeval.memory.discovery import DiscoverySearch
from memeval.memory.document import Document, Tier, UnreadableFile, describe_unreadable
from memeval.memory.inject import truncate
from memeval.memory.profile import Profile, Rule
from memeval.memory.result import Display, DisplayedBlock, Search
from memeval.text import cut_utf8, fold, split_lines, split_terms, split_words, utf8_length

if TYPE_CHECKING:
    from memeval.embedding.base import Embedder, Reranker
    from memeval.memory.hybrid import HybridStore

_SUMMARY_RESERVE_BYTES = 256
"""Kept free of the cap for the summary when blocks are fitted. A longer summary is paid for by the final cut."""

LEXICAL, HYBRID = "lexical", "hybrid"
RETRIEVALS = (LEXICAL, HYBRID)
"""How a search may rank."""
GATED, RANKS = "gated", "ranks"
FUSIONS = (GATED, RANKS)
"""How words and meaning become one order: each by how much it has to say, or by the ranks of both alone."""

_FILENAME_MATCH = "(filename match)"
_PREVIEW_LINES = 3
_SEPARATOR = "\n\n"


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A document that holds a term of the query, in its text or, failing that, in its file name."""

    document: Document
    matched_terms: tuple[str, ...]
    """The terms found in the text, in the order of the query; if there are none, those found in the file name."""
    line_mask: int
    """Bit i is set when line i (from 0) holds a term; 0 when only the file name matched."""
    profile: Profile

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

    @property
    def total_hits(self) -> int:
        """Number of lines that hold at least one term."""
        return self.line_mask.bit_count()

    @property
    def filename_only(self) -> bool:
        """True when the text holds no term, only the file name does."""
        return not self.line_mask

    @property
    def body(self) -> str:
        """The regions around the matched lines, each ended by a line `…`; for a file-name match, a short preview.

        Worked out when asked for: a search ranks thousands of documents and shows a few.
        """
        lines = split_lines(self.document.text)
        if self.filename_only:
            filled = (line for line in lines if split_words(line))
            return f"{_FILENAME_MATCH}\n" + "\n".join(islice(filled, _PREVIEW_LINES))
        shown: list[str] = []
        for start, end in self._regions(len(lines)):
            shown += lines[start:end]
            shown.append("…")
        return "\n".join(shown)

    @property
    def heading(self) -> str:
        """The first line of the block: the path and the terms found."""
        return f"{self.path}  [matched: {', '.join(self.matched_terms)}]"

    @property
    def lead(self) -> str:
        """What stands in the block before the document's own text: the heading, and how a file name matched."""
        return f"{self.heading}\n{_FILENAME_MATCH}" if self.filename_only else self.heading

    @property
    def block(self) -> str:
        """All that a search shows of the document: heading and body."""
        return f"{self.heading}\n{self.body}"

    def _regions(self, line_count: int) -> list[tuple[int, int]]:
        margin = self.profile.context_lines
        regions: list[tuple[int, int]] = []
        for line in _set_bits(self.line_mask):
            start, end = max(line - margin, 0), min(line + margin + 1, line_count)
            if regions and start <= regions[-1][1]:
                regions[-1] = (regions[-1][0], end)
            elif len(regions) < self.profile.max_regions:
                regions.append((start, end))
            else:
                break
        return regions


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Everything one search found, at any depth; `render`, `text` and `display` put it under a cap."""

    query: str
    terms: list[tuple[str, int]]
    """Each distinct term of the query with the number of lines that hold it, over all documents."""
    hits: list[SearchHit]
    """Best first."""
    profile: Profile
    unreadable: tuple[UnreadableFile, ...] = ()
    """Files that belong to the store but could not be searched."""

    def render(self, max_bytes: int | None = None) -> str:
        """Summary, then the blocks that fit, then how many files were left out.

        `max_bytes` is in UTF-8 bytes, None = the profile's cap. 256 of them are kept for the summary; the first
        block is always taken; a text still over the cap is cut there and marked, the mark coming on top.
        """
        return self._render(max_bytes)[0]

    def text(self, max_bytes: int | None = None) -> str:
        """What the search tool says: the rendered result, or one sentence when nothing was found."""
        return self.display(max_bytes).text

    def display(self, max_bytes: int | None = None) -> Display:
        """The same text as `text(max_bytes)`, with the documents displayed in it."""
        if not self.hits:
            sentence = f"No matches for '{self.query}'.{describe_unreadable(self.unreadable)}"
            return Display(truncate(sentence, self._cap(max_bytes)), ())
        text, blocks = self._render(max_bytes)
        return Display(text, blocks)

    def _cap(self, max_bytes: int | None) -> int:
        return self.profile.max_search_bytes if max_bytes is None else max_bytes

    def _render(self, max_bytes: int | None) -> tuple[str, tuple[DisplayedBlock, ...]]:
        cap = self._cap(max_bytes)
        note = describe_unreadable(self.unreadable)
        parts = self._fit(cap - _SUMMARY_RESERVE_BYTES - utf8_length(note))
        shown = self.hits[: len(parts)]
        counts = " ".join(f"{term}({count})" for term, count in self.terms)
        summary = (
            f"Searched {_count(len(self.terms), 'term')}: {counts} across {_count(len(self.hits), 'file')}."
            f" Showing top {len(shown)} by relevance.{note}"
        )
        omitted = len(self.hits) - len(shown)
        if omitted:
            parts.append(f"…[search truncated, {_count(omitted, 'more file')} omitted]")
        text = summary + _SEPARATOR + _SEPARATOR.join(parts)
        kept = cut_utf8(text, cap)
        blocks: list[DisplayedBlock] = []
        start = len(summary) + len(_SEPARATOR)
        for hit, part in zip(shown, parts, strict=False):
            if start + len(hit.heading) > len(kept):
                break
            blocks.append(DisplayedBlock(hit.doc_id, kept[start : start + len(part)]))
            start += len(part) + len(_SEPARATOR)
        return truncate(text, cap), tuple(blocks)

    def _fit(self, budget: int) -> list[str]:
        blocks: list[str] = []
        used = -len(_SEPARATOR)
        for hit in self.hits:
            block = hit.block
            used += len(_SEPARATOR) + utf8_length(block)
            if blocks and used > budget:
                break
            blocks.append(block)
        return blocks


def open_search(documents: Sequence[Document], profile: Profile, unreadable: Iterable[UnreadableFile] = ()) -> Search:
    """A search over the documents by the rule of the profile."""
    if profile.finds_by is Rule.DISCOVERY:
        return DiscoverySearch(documents, profile, unreadable)
    return Searcher(documents, profile, unreadable)


def open_hybrid(
    retrieval: str,
    embedder: Embedder | str | os.PathLike[str] | None,
    profile: Profile,
    folder: Path,
    reranker: Reranker | str | os.PathLike[str] | None = None,
    fusion: str = GATED,
) -> HybridStore | None:
    """What searches a store on disk by words and meaning; None for a search by words.

    Args:
        retrieval: one of RETRIEVALS.
        embedder: the model, its name, a folder that holds it, or `NAME=FOLDER`; None = the default one.
        profile: of the store.
        folder: its root, which the index stands in.
        reranker: the model that reads the first again, named in the same ways; None = none does.
        fusion: one of FUSIONS.

    Raises:
        MemoryStoreError: there is no such retrieval or fusion, or it does not go with a model or the profile.
        EmbeddingError: a model is not to be had, and the message says how to get it; or what is given is none.
    """
    if retrieval not in RETRIEVALS:
        raise MemoryStoreError(f"unknown retrieval {retrieval!r}; known: {', '.join(RETRIEVALS)}")
    if fusion not in FUSIONS:
        raise MemoryStoreError(f"unknown fusion {fusion!r}; known: {', '.join(FUSIONS)}")
    if retrieval == LEXICAL:
        idle = {"an embedder": embedder, "a reranker": reranker, "a fusion": fusion if fusion != GATED else None}
        for name, given in idle.items():
            if given is not None:
                raise MemoryStoreError(f"{name} changes nothing in a search by words; give retrieval='hybrid' with it")
        return None
    from memeval.embedding.base import check_embedder, check_reranker
    from memeval.embedding.sources import open_choice, open_embedder, open_reranker_choice
    from memeval.memory.hybrid import HybridStore

    if isinstance(embedder, str | os.PathLike):
        embedder = open_choice(embedder)
    if isinstance(reranker, str | os.PathLike):
        reranker = open_reranker_choice(reranker)
    model = open_embedder() if embedder is None else check_embedder(embedder)
    return HybridStore(folder, profile, model, None if reranker is None else check_reranker(reranker), fusion)


class Searcher:
    """A search over one fixed set of documents.

    Each distinct term is looked up once and kept, so that many queries over many documents stay fast.
    """

    def __init__(
        self, documents: Sequence[Document], profile: Profile, unreadable: Iterable[UnreadableFile] = ()
    ) -> None:
        self._documents = tuple(documents)
        self._profile = profile
        self._unreadable = tuple(unreadable)
        lines = [fold(document.text).split("\n") for document in self._documents]
        self._lines = _Segments([line for text in lines for line in text])
        self._owner = [index for index, text in enumerate(lines) for _ in text]
        self._first_line = [0, *accumulate(len(text) for text in lines)]
        self._names = _Segments([fold(document.name) for document in self._documents])
        self._classes = [0 if _is_memory_file(document) else 1 for document in self._documents]
        self._places = _place_ties(self._documents)
        self._found: dict[str, _TermMatches] = {}

    def search(self, query: str) -> SearchResult:
        """Every document that holds a term of the query, best first; see `SearchResult`.

        Terms are the query's words (Unicode white space apart, repeats in another ASCII case dropped), each a
        literal, compared under Unicode simple case folding. Order: MEMORY.md; more distinct terms; text before
        file name; more matching lines; newer daily log; path.
        """
        terms = split_terms(query)
        matches = [self._find(term) for term in terms]
        line_masks: dict[int, int] = {}
        term_masks: dict[int, int] = {}
        for bit, found in enumerate(matches):
            for index, mask in found.line_masks.items():
                line_masks[index] = line_masks.get(index, 0) | mask
                term_masks[index] = term_masks.get(index, 0) | 1 << bit
        for bit, found in enumerate(matches):
            for index in found.names:
                if index not in line_masks:
                    term_masks[index] = term_masks.get(index, 0) | 1 << bit
        spelled = {mask: tuple(terms[bit] for bit in _set_bits(mask)) for mask in set(term_masks.values())}
        hits = [
            SearchHit(self._documents[index], spelled[term_masks[index]], line_masks.get(index, 0), self._profile)
            for index in self._order(term_masks, line_masks)
        ]
        counts = [(term, found.line_count) for term, found in zip(terms, matches, strict=True)]
        return SearchResult(query, counts, hits, self._profile, self._unreadable)

    def _order(self, term_masks: dict[int, int], line_masks: dict[int, int]) -> list[int]:
        keys = []
        for index, term_mask in term_masks.items():
            lines = line_masks.get(index, 0).bit_count()
            keys.append((self._classes[index], -term_mask.bit_count(), not lines, -lines, self._places[index], index))
        keys.sort()
        return [key[-1] for key in keys]

    def _find(self, term: str) -> _TermMatches:
        key = fold(term)
        if key not in self._found:
            self._found[key] = self._look_up(key)
        return self._found[key]

    def _look_up(self, folded: str) -> _TermMatches:
        line_masks: dict[int, int] = {}
        count = 0
        for index, lines in groupby(self._lines.find(folded), key=self._owner.__getitem__):
            numbers = [line - self._first_line[index] for line in lines]
            line_masks[index] = _mask(numbers)
            count += len(numbers)
        return _TermMatches(line_masks, tuple(self._names.find(folded)), count)


@dataclass(frozen=True, slots=True)
class _TermMatches:
    line_masks: dict[int, int]
    """Document -> its matching lines as a bit mask."""
    names: tuple[int, ...]
    """Documents whose file name matches."""
    line_count: int


class _Segments:
    """Strings laid end to end, so that one `str.find` walks all of them."""

    def __init__(self, segments: Sequence[str]) -> None:
        self._text = "\n".join(segments)
        self._starts = [0, *accumulate(len(segment) + 1 for segment in segments)]

    def find(self, term: str) -> Iterator[int]:
        """The numbers of the segments that hold the term, ascending. A term has no white space, so none spans two."""
        position = self._text.find(term)
        while position >= 0:
            segment = bisect_right(self._starts, position) - 1
            yield segment
            position = self._text.find(term, self._starts[segment + 1])


def _place_ties(documents: Sequence[Document]) -> list[int]:
    """For each document its place among all when everything else ties: newer date, then undated, then path."""
    by_path = sorted(range(len(documents)), key=lambda index: documents[index].path)
    by_path.sort(key=lambda index: documents[index].date or "", reverse=True)
    places = [0] * len(documents)
    for place, index in enumerate(by_path):
        places[index] = place
    return places


def _is_memory_file(document: Document) -> bool:
    return document.tier is Tier.LONG_TERM and document.name == "MEMORY.md"


def _mask(numbers: Sequence[int]) -> int:
    octets = bytearray(numbers[-1] // 8 + 1)
    for number in numbers:
        octets[number // 8] |= 1 << number % 8
    return int.from_bytes(octets, "little")


def _set_bits(mask: int) -> Iterator[int]:
    digits = bin(mask)[:1:-1]
    position = digits.find("1")
    while position >= 0:
        yield position
        position = digits.find("1", position + 1)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
