"""Near-duplicate documents: pairs whose texts have most of their shingles in common."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import regex

from memeval.memory.document import Document

SHINGLE_TOKENS = 3
NEAR_DUPLICATE_RESEMBLANCE = 0.5
"""From here on two files count as near-duplicates; two versions of one page with a few lines changed lie well above."""

_TOKEN = regex.compile(
    r"(?V1)[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}ー]|[[\p{L}\p{N}]--[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}ー]]+"
)


@dataclass(frozen=True, slots=True, order=True)
class DuplicatePair:
    """Two documents and how alike they are."""

    first: str
    """The lower doc_id."""
    second: str
    resemblance: float
    """Jaccard coefficient of their shingles, 0 to 1."""


def find_near_duplicates(
    documents: Iterable[Document], *, threshold: float = NEAR_DUPLICATE_RESEMBLANCE
) -> tuple[DuplicatePair, ...]:
    """Every pair of documents with a resemblance of at least `threshold` (above 0), sorted by doc_ids.

    Resemblance is the Jaccard coefficient of the sets of SHINGLE_TOKENS tokens in a row (A. Broder, "On the resemblance
    and containment of documents", 1997); a token is a CJK character or another run of letters and numbers, after NFKC
    and case folding. A document of fewer tokens is one shingle; one without any resembles nothing. Exact: two sets that
    reach the threshold share one of the rarest shingles of each (prefix filter; Chaudhuri, Ganti, Kaushik, 2006).
    """
    shingles = {document.doc_id: _cut_shingles(document.text) for document in documents}
    counts = Counter(shingle for held in shingles.values() for shingle in held)
    holders: dict[tuple[str, ...], list[str]] = defaultdict(list)
    pairs = []
    for doc_id in sorted(shingles):
        held = shingles[doc_id]
        rarest = sorted(held, key=lambda shingle: (counts[shingle], shingle))
        prefix = rarest[: len(held) - math.ceil(threshold * len(held)) + 1]
        for other in sorted({other for shingle in prefix for other in holders[shingle]}):
            common = len(held & shingles[other])
            resemblance = common / (len(held) + len(shingles[other]) - common)
            if resemblance >= threshold:
                pairs.append(DuplicatePair(other, doc_id, resemblance))
        for shingle in prefix:
            holders[shingle].append(doc_id)
    return tuple(sorted(pairs))


def _cut_shingles(text: str) -> frozenset[tuple[str, ...]]:
    tokens = _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())
    if not tokens:
        return frozenset()
    return frozenset(tuple(tokens[at : at + SHINGLE_TOKENS]) for at in range(max(len(tokens) - SHINGLE_TOKENS + 1, 1)))
