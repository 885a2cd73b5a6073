"""BM25 over passages, from how often each token stands in them: the same scores wherever those counts are kept."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Protocol

from memeval.embedding.tokens import tokenise

K1 = 1.2
"""How much a repeated token adds."""
B = 0.75
"""How much a long passage costs, from 0 to 1. Both as Lucene and SQLite have them."""
_DIGITS = 9
"""The last bits of a logarithm differ from one C library to the next; the order of passages must not."""

Postings = Mapping[str, Mapping[int, int]]
"""{token: {number of a passage, from 0: how often it stands there, from 1}}."""


class TermCounts(Protocol):
    """The tokens of some passages, wherever they are kept."""

    @property
    def lengths(self) -> Sequence[int]:
        """Tokens of each passage."""
        ...

    def count(self, tokens: Sequence[str]) -> Postings:
        """Where these tokens stand; one that stands nowhere may be left out."""
        ...


class TextCounts:
    """The tokens of texts, counted in memory when they are first asked for."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(texts)

    @property
    def lengths(self) -> Sequence[int]:
        """Tokens of each text."""
        return self._counted[1]

    def count(self, tokens: Sequence[str]) -> Postings:
        """Where these tokens stand."""
        return {token: self._counted[0].get(token, {}) for token in tokens}

    @cached_property
    def _counted(self) -> tuple[dict[str, dict[int, int]], list[int]]:
        postings: dict[str, dict[int, int]] = {}
        lengths = []
        for number, text in enumerate(self._texts):
            tokens = tokenise(text)
            lengths.append(len(tokens))
            for token in tokens:
                counts = postings.setdefault(token, {})
                counts[number] = counts.get(number, 0) + 1
        return postings, lengths


def score_passages(query: str, terms: TermCounts) -> dict[int, float]:
    """{number of a passage: score above 0} of those that hold a token of the query.

    score = sum over the distinct tokens of the query of
    ln(1 + (N - df + 0.5) / (df + 0.5)) * tf / (tf + K1 * (1 - B + B * length / mean length)), rounded.
    Source: Kamphuis et al., ECIR 2020, "Lucene (accurate)". Unlike SQLite's own bm25() it is above 0 for a token that
    most passages hold, and it is over these passages alone, whatever else the same table keeps.
    """
    tokens = list(dict.fromkeys(tokenise(query)))
    lengths = terms.lengths if tokens else ()
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    if not mean:
        return {}
    scores: dict[int, float] = {}
    postings = terms.count(tokens)
    for token in tokens:
        counts = postings.get(token, {})
        idf = math.log(1 + (len(lengths) - len(counts) + 0.5) / (len(counts) + 0.5))
        for number, tf in counts.items():
            weight = tf / (tf + K1 * (1 - B + B * lengths[number] / mean))
            scores[number] = scores.get(number, 0.0) + idf * weight
    return {number: round(score, _DIGITS) for number, score in scores.items()}
