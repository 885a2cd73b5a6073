"""basic-memory: notes by prefixes of words and by the vectors of headings, bullets and merged prose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from memeval.memory.document import Document
from memeval.retrieval.base import Hit, Retriever, Settings, Variant, rank_hits
from memeval.retrieval.chunking import Piece, chunk_by_breaks, make_units, read_heading
from memeval.retrieval.cut import MAX_EXCERPT_BYTES, Cut, Pipeline
from memeval.retrieval.dense import DenseLeg, take_embedder
from memeval.retrieval.fulltext import FullText, quote_term
from memeval.retrieval.peers.titles import find_title
from memeval.retrieval.tokens import TokenTerms
from memeval.text import split_lines

TOKENIZER = "unicode61 tokenchars '/'"
PROSE_CHARS = 900
OVERLAP_CHARS = 120
VECTOR_POOL = 100
BOTH_BONUS = 0.3

_WORD = regex.compile(r"[\p{L}\p{N}/]+")
_BULLET = regex.compile(r"\s*[-*+]\s")


def chunk_note(text: str) -> Iterator[Piece]:
    """Its parts to embed: a heading begins one, each bullet is its own, prose is merged to 900 characters."""
    lines = split_lines(text)
    starts = [0]
    for place, line in enumerate(lines):
        after_bullet = place and _BULLET.match(lines[place - 1]) and line[:1].strip()
        if place and (read_heading(line)[0] or _BULLET.match(line) or after_bullet):
            starts.append(place)
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        part = "\n".join(lines[start:end])
        for piece in chunk_by_breaks(part, max_chars=PROSE_CHARS, overlap_chars=OVERLAP_CHARS):
            yield Piece(piece.text, start + piece.first_line, start + piece.last_line)


def fuse(vector: float, text: float) -> float:
    """The larger of both scores, and 0.3 of the smaller one."""
    return max(vector, text) + BOTH_BONUS * min(vector, text)


class BasicMemoryRanking:
    """Notes with a word beginning as each word of the query does, and those with one of the 100 nearest parts.

    The text score of a note is its rank in the full-text index as a share of the best; its vector score that of its
    nearest part, nothing below 0.
    """

    def __init__(self, documents: Sequence[Document], settings: Settings) -> None:
        ordered = sorted(documents, key=lambda document: document.doc_id)
        self._doc_ids = [document.doc_id for document in ordered]
        self._index = FullText(((find_title(document), document.text) for document in ordered), TOKENIZER)
        self._units = make_units(documents, chunk_note)
        self._dense = DenseLeg([unit.text for unit in self._units], take_embedder(settings))

    def rank(self, query: str) -> tuple[Hit, ...]:
        """Every note of either side, best first; nothing for a query without a word."""
        words = _WORD.findall(query)
        if not words:
            return ()
        expression = " AND ".join(f"{quote_term(word)}*" for word in words)
        ranks = {self._doc_ids[place]: rank for place, rank in self._index.match(expression)}
        best = min(ranks.values(), default=-1.0)
        vectors: dict[str, float] = {}
        for place, cosine in self._dense.rank(query, VECTOR_POOL):
            if cosine > 0:
                vectors.setdefault(self._units[place].doc_id, cosine)
        doc_ids = ranks.keys() | vectors.keys()
        return rank_hits({each: fuse(vectors.get(each, 0.0), ranks.get(each, 0.0) / best) for each in doc_ids})


def build_basic_memory(documents: Sequence[Document], settings: Settings) -> Retriever:
    """The hybrid search."""
    return Pipeline(BasicMemoryRanking(documents, settings).rank, Cut(documents, TokenTerms(), settings.budget_bytes))


BASIC_MEMORY: tuple[Variant, ...] = (
    Variant(
        name="basic-memory",
        description="notes by beginnings of words and by vectors of their parts: the larger score and 0.3 of the other",
        source="basicmachines-co/basic-memory, its documentation and issues 1294, 1533",
        build=build_basic_memory,
        configuration={
            "tokenizer": TOKENIZER,
            "prose_chars": PROSE_CHARS,
            "overlap_chars": OVERLAP_CHARS,
            "vector_pool": VECTOR_POOL,
            "both_bonus": BOTH_BONUS,
            "max_excerpt_bytes": MAX_EXCERPT_BYTES,
        },
        needs_embedder=True,
        always_answers=True,
    ),
)
