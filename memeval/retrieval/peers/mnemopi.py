"""oh-my-pi's searchable backend: rows by words, vectors and age, eight previews injected."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date

import regex

from memeval.memory.document import Document
from memeval.memory.fillers import FILLER_WORDS
from memeval.retrieval.base import Answer, Retriever, Settings, Variant
from memeval.retrieval.chunking import chunk_whole, make_units, rank_units
from memeval.retrieval.dense import DenseLeg, take_embedder
from memeval.retrieval.fulltext import FullText, quote_term
from memeval.retrieval.passages import PassageCut
from memeval.retrieval.peers.titles import find_day

MAX_QUERY_TOKENS = 12
CANDIDATES = 120
"""max(3 * topK, 50) with the library's topK of 40."""
VECTOR_WEIGHT = 0.5
TEXT_WEIGHT = 0.3
IMPORTANCE_WEIGHT = 0.2
IMPORTANCE = 0.5
WORDS_WEIGHT = 0.8
FLOORS = (0.08, 0.18, 0.34, 0.22)
"""Least share of words for a query of one, two, three, and four or more."""
VECTOR_FLOOR = 0.65
AGE_HOURS = 72
UNKNOWN_VERACITY = 0.8
RECALL_LIMIT = 8
PREVIEW_CHARS = 500

_TOKEN = regex.compile(r"[\p{L}\p{N}_]+")


def list_tokens(query: str) -> tuple[str, ...]:
    """The distinct words of a query, lower-cased; English fillers stand for the system's stop words."""
    return tuple(dict.fromkeys(word for word in _TOKEN.findall(query.lower()) if word not in FILLER_WORDS))


def share_words(query: str, tokens: Sequence[str], text: str) -> float:
    """How much of a query's words a lower-cased text holds, 0 to 1.

    One word: 0.7, and 0.1 for each further occurrence, 0.3 at most. Several: 1 where the whole query is a substring,
    else the words held, one inside another word counting half, by all of them.
    """
    if not tokens:
        return 0.0
    if len(tokens) == 1:
        count = text.count(tokens[0])
        return 0.7 + min(0.1 * (count - 1), 0.3) if count else 0.0
    if " ".join(query.lower().split()) in text:
        return 1.0
    words = set(_TOKEN.findall(text))
    return sum(1.0 if token in words else 0.5 if token in text else 0.0 for token in tokens) / len(tokens)


def keep_fresh(days: int) -> float:
    """What age leaves of a score: 0.7 + 0.3 * exp(-hours / 72)."""
    return 0.7 + 0.3 * math.exp(-24 * days / AGE_HOURS)


class Mnemopi:
    """Recall over files as rows of the episodic tier, of middling importance and unknown veracity.

    score = max(0.5 * cosine + 0.3 * text + 0.2 * importance, 0.8 * share of words) * age * veracity; text is the rank
    in the full-text index as a share of the best. Left out: synonyms, the boost for words of time, the other voices.
    """

    def __init__(self, documents: Sequence[Document], settings: Settings) -> None:
        self._units = make_units(documents, chunk_whole)
        texts = [unit.text for unit in self._units]
        self._lowered = [text.lower() for text in texts]
        self._index = FullText((text,) for text in texts)
        self._dense = DenseLeg(texts, take_embedder(settings))
        by_id = {document.doc_id: document for document in documents}
        days = {doc_id: day for doc_id, document in by_id.items() if (day := find_day(document)) is not None}
        today = max(days.values(), default=date.min)
        self._age = {doc_id: keep_fresh((today - day).days) for doc_id, day in days.items()}
        self._cut = PassageCut(by_id, self._units, RECALL_LIMIT, PREVIEW_CHARS)

    def search(self, query: str) -> Answer:
        """The rows above the floors, eight previews shown. A query without a word finds nothing."""
        tokens = list_tokens(query)
        if not tokens:
            return Answer((), (), "")
        expression = " OR ".join(quote_term(token) for token in tokens[:MAX_QUERY_TOKENS])
        ranks = dict(self._index.match(expression, CANDIDATES))
        best = min(ranks.values(), default=-1.0)
        cosines = dict(self._dense.rank(query, CANDIDATES))
        scores: dict[int, float] = {}
        for place in sorted(ranks.keys() | cosines.keys()):
            words = share_words(query, tokens, self._lowered[place])
            cosine = max(cosines.get(place, 0.0), 0.0)
            if words < FLOORS[min(len(tokens), len(FLOORS)) - 1] and cosine < VECTOR_FLOOR:
                continue
            text = ranks.get(place, 0.0) / best
            mixed = VECTOR_WEIGHT * cosine + TEXT_WEIGHT * text + IMPORTANCE_WEIGHT * IMPORTANCE
            age = self._age.get(self._units[place].doc_id, 1.0)
            scores[place] = max(mixed, WORDS_WEIGHT * words) * age * UNKNOWN_VERACITY
        return self._cut.show(rank_units(scores.items()))


def build_mnemopi(documents: Sequence[Document], settings: Settings) -> Retriever:
    """The hybrid recall."""
    return Mnemopi(documents, settings)


MNEMOPI: tuple[Variant, ...] = (
    Variant(
        name="omp-mnemopi",
        description="whole files as rows by words, vectors and age; eight previews of 500 characters",
        source="oh-my-pi, mnemopi at 06f32e62 and 62302083",
        build=build_mnemopi,
        configuration={
            "unit": "file",
            "candidates": CANDIDATES,
            "vector_weight": VECTOR_WEIGHT,
            "text_weight": TEXT_WEIGHT,
            "importance": IMPORTANCE,
            "words_weight": WORDS_WEIGHT,
            "vector_floor": VECTOR_FLOOR,
            "age_hours": AGE_HOURS,
            "veracity": UNKNOWN_VERACITY,
            "limit": RECALL_LIMIT,
            "preview_chars": PREVIEW_CHARS,
            "stop_words": "English fillers, in place of the system's list",
            "today": "the newest dated file",
        },
        needs_embedder=True,
        has_own_cap=True,
    ),
)
