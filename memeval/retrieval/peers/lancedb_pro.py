"""The LanceDB plugin of OpenClaw: rows scored by vector and BM25, looked at again, aged, shortened, cut at a floor."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import date

from memeval.embedding.reranking import ask_reranker
from memeval.memory.document import Document
from memeval.retrieval.base import Answer, Retriever, Settings, Variant
from memeval.retrieval.chunking import Scored, Unit, chunk_whole, make_units, rank_units
from memeval.retrieval.dense import DenseLeg, take_embedder
from memeval.retrieval.lexical import BM25_B, BM25_K1, Bm25Index
from memeval.retrieval.passages import PassageCut
from memeval.retrieval.peers.titles import find_day

VECTOR_WEIGHT = 0.7
TEXT_WEIGHT = 0.3
HARD_MIN_SCORE = 0.35
MIN_SCORE = 0.3
MIN_VECTOR_SCORE = 0.1
LIMIT = 3
LOOKS = 2
"""How many rows for each one given back are looked at again; the others are dropped."""
POOL = 20
BM25_SCALE = 5
STRONG_TEXT_SCORE = 0.75
GOOD_TEXT_SCORE = 0.6
KEPT_OF_STRONG_TEXT = 0.92
MAX_LENGTH_CHARS = 500
SAME_COSINE = 0.85
IMPORTANCE = 0.5
TIER_FLOOR = 0.7
HALF_LIFE_DAYS = 30 * math.exp(1.5 * IMPORTANCE)

_WORD = re.compile(r"\w+")


def split_words(text: str) -> list[str]:
    r"""Runs of `\w`, lower-cased; a run of CJK characters is one token."""
    return _WORD.findall(text.lower())


def score_vector(cosine: float) -> float:
    """1 / (1 + cosine distance): 1 for the same, 0.5 for nothing in common."""
    return 1 / (2 - cosine)


def score_bm25(raw: float) -> float:
    """sigmoid(raw / 5): 0.5 for the least of hits."""
    return 1 / (1 + math.exp(-raw / BM25_SCALE))


def fuse(vector: float | None, text: float | None) -> float:
    """The score of a row from those of its two sides, None where a side did not find it.

    Found by vectors: the larger of 0.7 * vector + 0.3 * text and, where text is 0.75 or more, 0.92 * text. By text
    alone: the text score itself, unweighted.
    """
    if vector is None:
        return text or 0.0
    mixed = VECTOR_WEIGHT * vector + TEXT_WEIGHT * (text or 0.0)
    return max(mixed, KEPT_OF_STRONG_TEXT * text) if text is not None and text >= STRONG_TEXT_SCORE else mixed


def rerank(fused: float, text: float, second: float) -> float:
    """0.6 * second look + 0.4 * fused, never below 0.95, 0.9 or 0.5 of fused for a strong, good or other text score."""
    share = 0.95 if text >= STRONG_TEXT_SCORE else 0.9 if text >= GOOD_TEXT_SCORE else 0.5
    return max(0.6 * second + 0.4 * fused, share * fused)


def blend(fused: float, cosine: float) -> float:
    """What stands for a second look without a reranker: 0.7 * fused + 0.3 * cosine."""
    return 0.7 * fused + 0.3 * cosine


def shorten(score: float, chars: int) -> float:
    """The score of a text above 500 characters, divided by 1 + 0.5 * log2(length / 500)."""
    return score / (1 + 0.5 * math.log2(chars / MAX_LENGTH_CHARS)) if chars > MAX_LENGTH_CHARS else score


def compute_age_factor(days: int) -> float:
    """What age leaves of a score: 0.3 + 0.7 * max(0.7, exp(-ln 2 * days / half-life)); 0.79 at the least.

    For a row of the middle tier that was never read, of middling importance: half-life 30 * e^(1.5 * 0.5) = 63.5 days.
    Its composite score, 0.4 * recency + 0.15, is always below 0.7, the tier's floor.
    """
    return 0.3 + 0.7 * max(TIER_FLOOR, math.exp(-math.log(2) * days / HALF_LIFE_DAYS))


class TwoSides:
    """Rows as the plugin finds them: the nearest by vector, the best by BM25, and one score of both."""

    def __init__(self, units: Sequence[Unit], settings: Settings) -> None:
        self.texts = [unit.text for unit in units]
        self.dense = DenseLeg(self.texts, take_embedder(settings))
        self._words = Bm25Index(self.texts, split_words)
        self._lowered = [text.lower() for text in self.texts]
        self._reranker = settings.reranker

    def rank(self, query: str, pool: int = POOL) -> tuple[dict[int, float], dict[int, float], dict[int, float]]:
        """({place: cosine} of all rows, {place: vector score} of the pool, {place: text score} of the pool).

        Where BM25 finds nothing, rows that hold the whole query score 0.72 + 0.02 for each of its characters, at most
        0.95.
        """
        cosines = self.dense.rank(query)
        vectors = {place: score_vector(cosine) for place, cosine in cosines[:pool]}
        vectors = {place: score for place, score in vectors.items() if score >= MIN_VECTOR_SCORE}
        texts = {place: score_bm25(raw) for place, raw in rank_units(self._words.score(query), pool)}
        needle = query.strip().lower()
        if not texts and needle:
            score = min(0.95, 0.72 + 0.02 * len(needle))
            texts = {place: score for place, text in enumerate(self._lowered) if needle in text}
        return dict(cosines), vectors, texts

    def look_again(self, query: str, fused: Scored, cosines: dict[int, float], texts: dict[int, float]) -> Scored:
        """The scores after the reranker of the run, else after what stands for it; best first."""
        if self._reranker is None:
            return rank_units((place, blend(score, cosines[place])) for place, score in fused)
        seconds = ask_reranker(self._reranker, query, [self.texts[place] for place, _ in fused])
        return rank_units(
            (place, rerank(score, texts.get(place, 0.0), second))
            for (place, score), second in zip(fused, seconds, strict=True)
        )


class LanceDbPro:
    """Manual recall: the best three rows, whole. A file is a row; it has no chunks.

    Left out: what needs a model that writes (extraction, tiers by use), gates of automatic recall, tags in the query,
    and the filter for chatter.
    """

    def __init__(self, documents: Sequence[Document], settings: Settings) -> None:
        self._units = make_units(documents, chunk_whole)
        self._sides = TwoSides(self._units, settings)
        by_id = {document.doc_id: document for document in documents}
        days = {doc_id: day for doc_id, document in by_id.items() if (day := find_day(document)) is not None}
        today = max(days.values(), default=date.min)
        self._age = {doc_id: compute_age_factor((today - day).days) for doc_id, day in days.items()}
        self._cut = PassageCut(by_id, self._units, LIMIT)

    def search(self, query: str) -> Answer:
        """The rows above the floor, near-duplicates of better ones behind. A blank query finds nothing."""
        if not query.strip():
            return Answer((), (), "")
        cosines, vectors, texts = self._sides.rank(query, max(POOL, 2 * LIMIT))
        fused = rank_units((p, fuse(vectors.get(p), texts.get(p))) for p in sorted(vectors.keys() | texts.keys()))
        fused = [row for row in fused if row[1] >= MIN_SCORE][: LOOKS * LIMIT]
        looked = self._sides.look_again(query, fused, cosines, texts)
        aged = rank_units((place, self._age_and_shorten(place, score)) for place, score in looked)
        passed = [row for row in aged if row[1] >= HARD_MIN_SCORE]
        ordered = self._defer_duplicates(passed)
        return self._cut.show([(place, float(len(ordered) - rank)) for rank, (place, _) in enumerate(ordered)])

    def _age_and_shorten(self, place: int, score: float) -> float:
        unit = self._units[place]
        return min(shorten(score, len(unit.text)) * self._age.get(unit.doc_id, 1.0), 1.0)

    def _defer_duplicates(self, ranked: Scored) -> Scored:
        kept: list[tuple[int, float]] = []
        deferred: list[tuple[int, float]] = []
        for row in ranked:
            same = any(self._sides.dense.compare(row[0], place) > SAME_COSINE for place, _ in kept)
            (deferred if same else kept).append(row)
        return kept + deferred


def build_lancedb_pro(documents: Sequence[Document], settings: Settings) -> Retriever:
    """Manual recall over files as rows."""
    return LanceDbPro(documents, settings)


SCORING: dict[str, str | int | float] = {
    "vector_weight": VECTOR_WEIGHT,
    "text_weight": TEXT_WEIGHT,
    "hard_min_score": HARD_MIN_SCORE,
    "bm25_scale": BM25_SCALE,
    "bm25_k1": BM25_K1,
    "bm25_b": BM25_B,
    "bm25": "of this bench; the system's own numbers are not recorded",
    "second_look": "reranker of the run; without one 0.7 fused + 0.3 cosine",
}

LANCEDB_PRO: tuple[Variant, ...] = (
    Variant(
        name="lancedb-pro",
        description="whole files as rows, vector and BM25, age and length count, floor 0.35, three shown",
        source="CortexReach/memory-lancedb-pro v1.1.0-beta.11 at f6e63af",
        build=build_lancedb_pro,
        configuration={
            **SCORING,
            "unit": "file",
            "pool": POOL,
            "looked_at_again": LOOKS * LIMIT,
            "min_score": MIN_SCORE,
            "kept_of_strong_text": KEPT_OF_STRONG_TEXT,
            "max_length_chars": MAX_LENGTH_CHARS,
            "importance": IMPORTANCE,
            "tier_floor": TIER_FLOOR,
            "same_cosine": SAME_COSINE,
            "limit": LIMIT,
            "today": "the newest dated file",
        },
        needs_embedder=True,
        takes_reranker=True,
        has_own_cap=True,
    ),
)
