"""memsearch: sections of 1500 characters, BM25 and vectors, five of each fused by rank; then a section around a hit."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from memeval.memory.document import Document
from memeval.retrieval.base import Answer, Retriever, Settings, Variant
from memeval.retrieval.chunking import Piece, Scored, Unit, chunk_by_headings, make_units, rank_units, strip_comments
from memeval.retrieval.dense import DenseLeg, take_embedder
from memeval.retrieval.fusing import fuse_ranks
from memeval.retrieval.lexical import Bm25Index
from memeval.retrieval.passages import PassageCut
from memeval.text import split_lines

MAX_CHUNK_CHARS = 1500
OVERLAP_LINES = 2
MIN_BODY_CHARS = 2
BM25_K1 = 1.5
BM25_B = 0.75
RRF_K = 60
TOP_K = 5
"""Default of its command line: chunks given back, and candidates of each leg."""

_WORD = re.compile(r"\w+")
_WORD_WITHOUT_UNDERSCORE = re.compile(r"[^\W_]+")
_SEPARATOR = "\n\n"

Split = Callable[[str], Sequence[str]]


def split_words(text: str) -> list[str]:
    r"""Runs of `\w`, lower-cased: `memory_search` is one token, and so is a run of CJK without spaces."""
    return _WORD.findall(text.lower())


def split_at_underscores(text: str) -> list[str]:
    """Runs of letters and digits, lower-cased: `memory_search` is two tokens; a run of CJK is still one."""
    return _WORD_WITHOUT_UNDERSCORE.findall(text.lower())


def find_section(lines: Sequence[str], piece: Piece) -> Piece:
    """What `expand` gives for a hit: the text around it between headings as high as its own, or higher.

    It begins at the nearest such heading before the first line of the hit, and ends before the next one after that
    line; a line counts by the `#` it begins with, code fences are not looked at. So a hit that begins with its own
    heading brings the section before it along, where one is as high. A hit above the first heading of a file is
    expanded to the end of the file.
    """
    first, last = piece.first_line - 1, len(lines)
    if piece.level:
        above, below = range(first - 1, -1, -1), range(first + 1, len(lines))
        first = next((place for place in above if _ends_section(lines[place], piece.level)), first)
        last = next((place for place in below if _ends_section(lines[place], piece.level)), last)
    return Piece("\n".join(lines[first:last]), first + 1, last, piece.heading, piece.level)


def _ends_section(line: str, level: int) -> bool:
    return 0 < len(line) - len(line.lstrip("#")) <= level


class MemSearch:
    """`memsearch search`: the best five chunks of both legs by rank, each whole. There is no floor: it always answers.

    Comments are left out of what is embedded; BM25 sees them. A chunk does not know the headings above its own.
    """

    def __init__(self, documents: Sequence[Document], settings: Settings, split: Split) -> None:
        by_headings = partial(
            chunk_by_headings, max_chars=MAX_CHUNK_CHARS, overlap_lines=OVERLAP_LINES, min_chars=MIN_BODY_CHARS
        )
        self._documents = {document.doc_id: document for document in documents}
        self._units = make_units(documents, by_headings)
        texts = [unit.text for unit in self._units]
        self._words = Bm25Index(texts, split, k1=BM25_K1, b=BM25_B)
        self._dense = DenseLeg([strip_comments(text) for text in texts], take_embedder(settings))
        self._cut = PassageCut(self._documents, self._units, TOP_K)

    def search(self, query: str) -> Answer:
        """The files of the five chunks, and these."""
        return self._cut.show(self.rank(query))

    def rank(self, query: str) -> Scored:
        """The five chunks, best first; a score above 0.5 says that both legs found it."""
        words = rank_units(self._words.score(query), TOP_K)
        return fuse_ranks([words, self._dense.rank(query, TOP_K)], k=RRF_K, limit=TOP_K)


class MemSearchExpand(MemSearch):
    """A search, then `expand` for each hit: the sections are read after the hits, and both are paid for."""

    def search(self, query: str) -> Answer:
        """The same files as without; the text of both steps, the sections as what is displayed."""
        scored = self.rank(query)
        found = self._cut.show(scored)
        sections: dict[Unit, int] = {}
        units = list(self._units)
        for place, _ in scored:
            lines = split_lines(self._documents[units[place].doc_id].text)
            units[place] = Unit(units[place].doc_id, find_section(lines, units[place].piece))
            sections.setdefault(units[place], place)  # two chunks of one section: it is read once
        cut = PassageCut(self._documents, units, TOP_K)
        expanded = cut.show(scored, [(place, 0.0) for place in sections.values()])
        return Answer(found.hits, expanded.blocks, _SEPARATOR.join(filter(None, (found.text, expanded.text))))


def build_search(documents: Sequence[Document], settings: Settings, *, split: Split) -> Retriever:
    """The first level: search."""
    return MemSearch(documents, settings, split)


def build_expand(documents: Sequence[Document], settings: Settings) -> Retriever:
    """The first and the second level: search, then the section of each hit."""
    return MemSearchExpand(documents, settings, split_words)


_SOURCE = "memsearch 0.4.18, zilliztech/memsearch at 72c7c3ae"
_CONFIGURATION: dict[str, str | int | float] = {
    "max_chunk_chars": MAX_CHUNK_CHARS,
    "overlap_lines": OVERLAP_LINES,
    "min_body_chars": MIN_BODY_CHARS,
    "bm25_k1": BM25_K1,
    "bm25_b": BM25_B,
    "rrf_k": RRF_K,
    "top_k": TOP_K,
    "candidates_per_leg": TOP_K,
    "numbers_from": "its chunker and store; BM25 of Milvus Lite; top_k of its command line",
}

MEMSEARCH: tuple[Variant, ...] = (
    Variant(
        name="memsearch",
        description="sections, BM25 and vectors five deep each, fused by rank; five chunks whole",
        source=f"{_SOURCE}; tokens of Milvus Lite 3.2.2",
        build=partial(build_search, split=split_words),
        configuration={**_CONFIGURATION, "tokens": r"\w+, lower-cased", "shown": "chunks whole"},
        needs_embedder=True,
        always_answers=True,
        has_own_cap=True,
    ),
    Variant(
        name="memsearch-2.5",
        description="memsearch over the tokens of an older store: underscores split words",
        source=f"{_SOURCE}; tokens of Milvus Lite 2.5.1",
        build=partial(build_search, split=split_at_underscores),
        configuration={**_CONFIGURATION, "tokens": r"\w+ without _, lower-cased", "shown": "chunks whole"},
        needs_embedder=True,
        always_answers=True,
        has_own_cap=True,
    ),
    Variant(
        name="memsearch-expand",
        description="memsearch, then the section around each of the five chunks is read as well",
        source=f"{_SOURCE}; levels L1 and L2",
        build=build_expand,
        configuration={**_CONFIGURATION, "tokens": r"\w+, lower-cased", "shown": "chunks whole, then their sections"},
        needs_embedder=True,
        always_answers=True,
        has_own_cap=True,
    ),
)
