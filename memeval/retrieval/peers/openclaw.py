"""OpenClaw's built-in memory search, in two generations: line chunks, FTS5 and vectors, a weighted sum with a floor."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

import regex

from memeval.memory.document import Document
from memeval.memory.fillers import FILLER_WORDS
from memeval.retrieval.base import Answer, Retriever, Settings, Variant
from memeval.retrieval.chunking import Piece, Scored, Unit, chunk_by_lines, make_units, rank_units
from memeval.retrieval.dense import DenseLeg, take_embedder
from memeval.retrieval.fulltext import TRIGRAM, UNICODE61, FullText, quote_term
from memeval.retrieval.fusing import fuse_scores
from memeval.retrieval.passages import PassageCut
from memeval.retrieval.peers.titles import find_day

CHARS_PER_TOKEN = 4
CHUNK_TOKENS = 400
OVERLAP_TOKENS = 80
VECTOR_WEIGHT = 0.7
TEXT_WEIGHT = 0.3
MAX_RESULTS = 6
MIN_SCORE = 0.35
SNIPPET_CHARS = 700
MAX_FALLBACK_TERMS = 6
HALF_LIFE_DAYS = 30
MMR_LAMBDA = 0.7
MAX_EXACT_PATHS = 200

_WIDE = regex.compile(r"[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\uff01-\uff60]")
_CJK_RUN = regex.compile(r"(?V1)[[\p{L}\p{N}]&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]]+")
_TERM = regex.compile(r"[\p{L}\p{N}_]+")
_ASCII_WORD = regex.compile(r"[a-z0-9_]+")
_SIMPLIFIED_STOP_WORDS = frozenset(
    ("什么", "为什么", "怎么", "这个", "那个", "哪个", "如何", "的", "了", "是", "在", "吗")
)
_SHORTEST_TRIGRAM_TERM = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """The numbers in which one generation differs from another."""

    name: str
    source: str
    pool: int
    """Candidates of each leg."""
    max_overlap_share: float
    """Of a chunk: how much a long last line may carry over."""
    like_score: float
    """Text score of a term too short for the trigram index, which is looked up as a substring."""
    likes_ascii: bool
    """Whether that is done for other scripts than CJK, too."""
    has_late_order: bool
    """Age, diversity and exact paths decide, and hits by keyword alone fill the places left below the floor."""


CLASSIC = Generation(
    name="classic",
    source="OpenClaw up to about 2026.7, agents.defaults.memorySearch",
    pool=24,  # min(200, max(1, floor(6 results * candidateMultiplier 4)))
    max_overlap_share=(CHUNK_TOKENS + OVERLAP_TOKENS) / CHUNK_TOKENS,  # a long last line comes along whole
    like_score=1.0,
    likes_ascii=False,
    has_late_order=False,
)
CURRENT = Generation(
    name="2026.8",
    source="OpenClaw 2026.8 and later, memory.search; docs at 0630bef",
    pool=200,
    max_overlap_share=OVERLAP_TOKENS / CHUNK_TOKENS,
    like_score=0.0,
    likes_ascii=True,
    has_late_order=True,
)


def weigh(text: str) -> int:
    """Characters, a CJK or full-width one counted four times."""
    return len(text) if text.isascii() else len(text) + (CHARS_PER_TOKEN - 1) * len(_WIDE.findall(text))


def chunk_text(text: str, generation: Generation) -> Iterable[Piece]:
    """The chunks of a text: whole lines of about 400 tokens, 80 of them repeated."""
    return chunk_by_lines(
        text,
        max_size=CHUNK_TOKENS * CHARS_PER_TOKEN,
        overlap=OVERLAP_TOKENS * CHARS_PER_TOKEN,
        weigh=weigh,
        max_overlap_share=generation.max_overlap_share,
    )


def list_fallback_terms(query: str, tokenizer: str) -> tuple[str, ...]:
    """At most six words to try one by one: no stop words, short words or numbers; CJK runs in characters and pairs.

    The system's stop list covers seven languages and is not recorded; English fillers and a few Simplified words stand
    for it. Under `trigram` a CJK run stays whole.
    """
    words: dict[str, None] = {}
    for word in _TERM.findall(query.lower()):
        if _CJK_RUN.search(word) is None:
            if not (word.isascii() and (len(word) < _SHORTEST_TRIGRAM_TERM or word.isdigit())):
                words.setdefault(word)
            continue
        for run in _CJK_RUN.findall(word):
            parts = [*run, *(run[place : place + 2] for place in range(len(run) - 1))]
            for part in [run] if tokenizer == TRIGRAM else parts:
                words.setdefault(part)
    kept = (word for word in words if word not in FILLER_WORDS and word not in _SIMPLIFIED_STOP_WORDS)
    return tuple(kept)[:MAX_FALLBACK_TERMS]


class KeywordLeg:
    """Chunks that hold every word of the query, with a text score from 0 to 1; else those with some of its words.

    Args:
        texts: of the chunks.
        generation: whose rules for short terms and for the fallback.
        tokenizer: `unicode61` or `trigram`.
    """

    def __init__(self, texts: Sequence[str], generation: Generation, tokenizer: str) -> None:
        self._index = FullText(((text,) for text in texts), tokenizer)
        self._lowered = [text.lower() for text in texts]
        self._generation = generation
        self._tokenizer = tokenizer

    def rank(self, query: str) -> list[tuple[int, float]]:
        """(place, text score), best first, as many as the pool takes."""
        found = dict(self._find_all(_TERM.findall(query)))
        enough = MAX_RESULTS if self._generation.has_late_order else 1
        if len(found) < enough:
            for term in list_fallback_terms(query, self._tokenizer):
                for place, score in self._find_all([term]):
                    found[place] = max(score, found.get(place, 0.0))
        return rank_units(found.items(), self._generation.pool)

    def _find_all(self, terms: Sequence[str]) -> list[tuple[int, float]]:
        short = [term.lower() for term in terms if self._is_too_short(term)]
        expression = " AND ".join(quote_term(term) for term in terms if not self._is_too_short(term))
        if expression:
            pool = self._generation.pool
            found = [(place, score_rank(rank)) for place, rank in self._index.match(expression, pool)]
        else:
            found = [(place, self._generation.like_score) for place in range(len(self._lowered) if short else 0)]
        return [(place, score) for place, score in found if all(term in self._lowered[place] for term in short)]

    def _is_too_short(self, term: str) -> bool:
        if self._tokenizer != TRIGRAM or len(term) >= _SHORTEST_TRIGRAM_TERM:
            return False
        return self._generation.likes_ascii or _CJK_RUN.search(term) is not None


def score_rank(rank: float) -> float:
    """The text score of an FTS5 rank: |r| / (1 + |r|) below 0, else 1 / (1 + r)."""
    return -rank / (1 - rank) if rank < 0 else 1 / (1 + rank)


def score_words(query: str, path: str, text: str, text_score: float) -> float:
    """The score of a keyword hit where there are no vectors, at most 1.

    text score + 0.45 * share of the query's terms found + 0.2 * density + 0.18 for each term in the path
    + min(length / 160, 0.18). Density is terms found by words of the text.
    """
    terms = set(_TERM.findall(query.lower()))
    lowered = text.lower()
    words = _TERM.findall(lowered)
    known = set(words)
    found = sum(term in known or (not term.isascii() and term in lowered) for term in terms)
    in_path = sum(term in path.lower() for term in terms)
    share = found / max(len(terms), 1)
    density = found / max(len(words), 1)
    return min(1.0, text_score + 0.45 * share + 0.2 * density + 0.18 * in_path + min(len(text) / 160, 0.18))


def compute_decay(documents: Sequence[Document]) -> dict[str, float]:
    """{doc_id: factor} for dated files: exp(-ln 2 * age / 30 days), the newest dated file standing for today."""
    days = {document.doc_id: day for document in documents if (day := find_day(document)) is not None}
    today = max(days.values(), default=date.min)
    return {doc_id: math.exp(-math.log(2) * (today - day).days / HALF_LIFE_DAYS) for doc_id, day in days.items()}


def diversify(scored: Scored, words: Sequence[frozenset[str]]) -> list[tuple[int, float]]:
    """The same in the order of maximal marginal relevance, the first one first.

    Each next one is that with the highest 0.7 * score - 0.3 * its largest similarity to those before, scores brought to
    0 to 1 by the lowest and highest; similarity is the share of common words (Jaccard).
    """
    low = min((score for _, score in scored), default=0.0)
    span = max((score for _, score in scored), default=0.0) - low or 1.0
    left = {place: (score, (score - low) / span) for place, score in scored}
    nearest = dict.fromkeys(left, 0.0)
    ordered: list[tuple[int, float]] = []
    while left:
        best = max(left, key=lambda p: (MMR_LAMBDA * left[p][1] - (1 - MMR_LAMBDA) * nearest[p], -p))
        ordered.append((best, left.pop(best)[0]))
        for place in left:
            common = len(words[best] & words[place])
            either = len(words[best]) + len(words[place]) - common
            nearest[place] = max(nearest[place], common / either if either else 0.0)
    return ordered


def list_words(text: str) -> frozenset[str]:
    """The words two snippets are compared by: ASCII words, CJK characters and pairs."""
    lowered = text.lower()
    found = set(_ASCII_WORD.findall(lowered))
    for run in _CJK_RUN.findall(lowered):
        found.update(run)
        found.update(run[place : place + 2] for place in range(len(run) - 1))
    return frozenset(found)


class OpenClaw:
    """memory_search: the best six chunks of both legs above the floor, 700 characters of each.

    Args:
        documents: the files in its scope.
        generation: whose rules.
        tokenizer: of the full-text index.
        dense: the vector leg over the same chunks; None = it runs without embeddings.
    """

    def __init__(
        self, documents: Sequence[Document], generation: Generation, tokenizer: str, settings: Settings | None
    ) -> None:
        self._documents = {document.doc_id: document for document in documents}
        self._units: tuple[Unit, ...] = make_units(documents, partial(chunk_text, generation=generation))
        texts = [unit.text for unit in self._units]
        self._generation = generation
        self._keywords = KeywordLeg(texts, generation, tokenizer)
        self._dense = None if settings is None else DenseLeg(texts, take_embedder(settings))
        self._decay = compute_decay(documents)
        self._words = [list_words(text[:SNIPPET_CHARS]) for text in texts]
        self._cut = PassageCut(self._documents, self._units, MAX_RESULTS, SNIPPET_CHARS)

    def search(self, query: str) -> Answer:
        """What passes the floor, best first, and the six shown. A blank query finds nothing."""
        if not query.strip():
            return Answer((), (), "")
        texts = self._keywords.rank(query)
        if self._dense is None:
            scored = rank_units((place, self._score_words(query, place, score)) for place, score in texts)
            return self._cut.show(_number([row for row in scored if row[1] >= MIN_SCORE]))
        vectors = self._dense.rank(query, self._generation.pool)
        fused = fuse_scores(vectors, texts, lambda vector, text: VECTOR_WEIGHT * vector + TEXT_WEIGHT * text)
        by_keyword = {place for place, _ in texts}
        if self._generation.has_late_order:
            return self._cut.show(_number(self._order_late(query, fused, by_keyword - {place for place, _ in vectors})))
        ranked = rank_units(fused)
        passed = [row for row in ranked if row[1] >= MIN_SCORE]
        return self._cut.show(_number(passed or [row for row in ranked if row[0] in by_keyword]))

    def _score_words(self, query: str, place: int, text_score: float) -> float:
        unit = self._units[place]
        return score_words(query, unit.doc_id, unit.text, text_score)

    def _order_late(self, query: str, fused: Scored, by_keyword_alone: Container[int]) -> Scored:
        aged = [(place, score * self._decay.get(self._units[place].doc_id, 1.0)) for place, score in fused]
        diverse = diversify(rank_units(aged), self._words)
        passed = [row for row in diverse if row[1] >= MIN_SCORE]
        fill = [row for row in diverse if row[1] < MIN_SCORE and row[0] in by_keyword_alone]
        named = self._find_named(query)
        first = [(place, 1.0) for place in named]
        return [*first, *(row for row in (*passed, *fill) if row[0] not in named)]

    def _find_named(self, query: str) -> list[int]:
        """The first chunk of each file whose path, name or stem is the query."""
        wanted = query.strip().lower()
        found: dict[str, int] = {}
        for place, unit in enumerate(self._units):
            name = self._documents[unit.doc_id].name.lower()
            if wanted in {unit.doc_id.lower(), name, name.rsplit(".", 1)[0]}:
                found.setdefault(unit.doc_id, place)
        return list(found.values())[:MAX_EXACT_PATHS]


def _number(ordered: Scored) -> list[tuple[int, float]]:
    """The same order with the score n - rank + 1: diversity, exact names and spare places are no scores."""
    return [(place, float(len(ordered) - rank)) for rank, (place, _) in enumerate(ordered)]


def build_hybrid(documents: Sequence[Document], settings: Settings, *, generation: Generation) -> Retriever:
    """Both legs over the embedder of the run."""
    return OpenClaw(documents, generation, UNICODE61, settings)


def build_keyword(documents: Sequence[Document], settings: Settings, *, tokenizer: str) -> Retriever:
    """Without an embedding provider: keywords alone."""
    return OpenClaw(documents, CLASSIC, tokenizer, None)


_SHARED: dict[str, str | int | float] = {
    "chunk_tokens": CHUNK_TOKENS,
    "overlap_tokens": OVERLAP_TOKENS,
    "chars_per_token": CHARS_PER_TOKEN,
    "max_results": MAX_RESULTS,
    "min_score": MIN_SCORE,
    "snippet_chars": SNIPPET_CHARS,
    "max_fallback_terms": MAX_FALLBACK_TERMS,
    "stop_words": "English fillers and a few Simplified words, in place of the system's list",
}
HYBRID: dict[str, str | int | float] = {
    **_SHARED,
    "tokenizer": UNICODE61,
    "vector_weight": VECTOR_WEIGHT,
    "text_weight": TEXT_WEIGHT,
}

OPENCLAW: tuple[Variant, ...] = (
    Variant(
        name="openclaw",
        description="line chunks, 0.7 vector + 0.3 keyword, floor 0.35, six results; keyword hits where none passes",
        source=CLASSIC.source,
        build=partial(build_hybrid, generation=CLASSIC),
        configuration={**HYBRID, "pool": CLASSIC.pool, "below_the_floor": "keyword hits, where nothing passes"},
        needs_embedder=True,
        has_own_cap=True,
    ),
    Variant(
        name="openclaw-2026.8",
        description="the later generation: logs decay by age, results are diverse, exact names come first",
        source=CURRENT.source,
        build=partial(build_hybrid, generation=CURRENT),
        configuration={
            **HYBRID,
            "pool": CURRENT.pool,
            "half_life_days": HALF_LIFE_DAYS,
            "today": "the newest dated file",
            "mmr_lambda": MMR_LAMBDA,
            "below_the_floor": "hits by keyword alone, in spare places",
        },
        needs_embedder=True,
        has_own_cap=True,
    ),
    Variant(
        name="openclaw-keyword",
        description="without an embedding provider: keywords alone, words as SQLite splits them",
        source=CLASSIC.source,
        build=partial(build_keyword, tokenizer=UNICODE61),
        configuration={**_SHARED, "pool": CLASSIC.pool, "tokenizer": UNICODE61},
        has_own_cap=True,
    ),
    Variant(
        name="openclaw-trigram",
        description="without an embedding provider: keywords alone, found inside words from three characters on",
        source=f"{CLASSIC.source}; FTS tokenizer option since 2026.4.5",
        build=partial(build_keyword, tokenizer=TRIGRAM),
        configuration={**_SHARED, "pool": CLASSIC.pool, "tokenizer": TRIGRAM},
        has_own_cap=True,
    ),
)
