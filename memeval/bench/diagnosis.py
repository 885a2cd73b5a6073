"""Why a wording is a miss, in one line a person can act on. Facts about query and file only; no cure is promised."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from memeval.memory.document import Document
from memeval.retrieval.base import Answer
from memeval.retrieval.tokens import tokenise
from memeval.text import fold, split_terms

MAX_NAMED_WORDS = 4
"""Words named in a reason; more do not help to recognise the case."""

_HIRAGANA = re.compile("[\u3041-\u309f]")
"""Pairs with hiragana are endings and particles: they stand in any text and explain nothing."""


def explain_miss(query: str, answer: Answer, ranks: Mapping[str, int], expected: Sequence[Document]) -> str:
    """One line on a miss: a false hit, a display that was full, or a file that did not match and why not.

    Args:
        query: the wording.
        answer: what came back.
        ranks: {doc_id: rank from 1} of all candidates.
        expected: the relevant documents; empty when nothing is stored.
    """
    if not expected:
        return f"false hit: {_count(len(answer.blocks), 'file')} shown although nothing is stored"
    ranked = sorted((ranks[document.doc_id], document.doc_id) for document in expected if document.doc_id in ranks)
    if ranked:
        rank, doc_id = ranked[0]
        shown = _count(len(answer.blocks), "file")
        return f"matched but not shown: {doc_id} is rank {rank} of {len(answer.hits)}, the cap was full after {shown}"
    others = (
        f"not matched, {_count(len(answer.hits), 'other file')} matched" if answer.hits else "nothing matched at all"
    )
    return f"{others}: {_explain_gap(query, expected)}"


def _explain_gap(query: str, expected: Sequence[Document]) -> str:
    """What the query and the expected files share, from the nearest kind of meeting to the farthest."""
    texts = [f"{document.name}\n{document.text}" for document in expected]
    terms = split_terms(query)
    files = "the file" if len(expected) == 1 else "the files"
    literal = _standing(terms, [fold(text) for text in texts], fold)
    if literal:
        return f"{_stands(literal)} in {files}, which this variant does not count"
    widened = _standing(terms, [_unify_width(text) for text in texts], _unify_width)
    if widened:
        return f"width or form: {_stands(widened)} in {files} in other characters of the same meaning (Unicode NFKC)"
    tokens = dict.fromkeys(tokenise(query))
    stored = frozenset[str]().union(*map(_tokens_of, texts))
    shared = [token for token in tokens if token in stored and not _HIRAGANA.search(token)]
    if shared:
        return f"segmentation: {_stands(shared)} in {files}, the query's unbroken run of characters does not"
    return f"vocabulary gap: no word of the query stands in {files}"


@lru_cache(maxsize=64)
def _tokens_of(text: str) -> frozenset[str]:
    # kept for a while: the wordings of a need come one after the other and expect the same files
    return frozenset(tokenise(text))


def _standing(terms: Sequence[str], texts: Sequence[str], normalise: Callable[[str], str]) -> list[str]:
    return [term for term in terms if any(normalise(term) in text for text in texts)]


def _unify_width(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _stands(words: Sequence[str]) -> str:
    more = f" and {len(words) - MAX_NAMED_WORDS} more" if len(words) > MAX_NAMED_WORDS else ""
    named = ", ".join(f"“{word}”" for word in words[:MAX_NAMED_WORDS])
    return f"{named}{more} {'stands' if len(words) == 1 else 'stand'}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
