"""Controls: floors and a ceiling that show what a figure is worth. Nobody would choose them as a search."""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from memeval.memory.document import Document
from memeval.retrieval.base import Hit, Rank, rank_hits
from memeval.retrieval.tokens import tokenise

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def rank_randomly(documents: Sequence[Document], seed: int) -> Rank:
    """All documents in an order drawn from the seed and the text of the query, the same on every machine."""
    doc_ids = sorted(document.doc_id for document in documents)

    def rank(query: str) -> tuple[Hit, ...]:
        digest = hashlib.sha256(f"{seed}\n{query}".encode("utf-8", "surrogatepass")).digest()
        # Of `random`, only the sequence of random() is promised to stay the same from one Python to the next.
        draw = random.Random(int.from_bytes(digest, "big")).random
        return rank_hits([(doc_id, draw()) for doc_id in doc_ids])

    return rank


def rank_by_recency(documents: Sequence[Document]) -> Rank:
    """All documents, daily logs by falling date, then the others by doc_id; the query does not matter.

    A log whose name is not shaped like YYYY-MM-DD is one of the others. The score is n - rank + 1.
    """
    ordered = sorted(documents, key=lambda document: document.doc_id)
    ordered.sort(key=lambda document: _day(document), reverse=True)
    hits = tuple(Hit(document.doc_id, float(len(ordered) - place)) for place, document in enumerate(ordered))
    return lambda query: hits


def rank_by_filename(documents: Sequence[Document]) -> Rank:
    """Documents by the number of distinct tokens of the query among those of their file name, its ending included."""
    holders: dict[str, list[str]] = {}
    for document in documents:
        for token in dict.fromkeys(tokenise(document.name)):
            holders.setdefault(token, []).append(document.doc_id)

    def rank(query: str) -> tuple[Hit, ...]:
        counts = Counter(doc_id for token in dict.fromkeys(tokenise(query)) for doc_id in holders.get(token, ()))
        return rank_hits((doc_id, float(count)) for doc_id, count in counts.items())

    return rank


def rank_by_answers(documents: Sequence[Document], answers: Mapping[str, Mapping[str, int]]) -> Rank:
    """The relevant documents of the query by grade: the best any ranking can be. Nothing for a query without any."""
    known = {document.doc_id for document in documents}

    def rank(query: str) -> tuple[Hit, ...]:
        grades = answers.get(query, {})
        return rank_hits((doc_id, float(grade)) for doc_id, grade in grades.items() if grade >= 1 and doc_id in known)

    return rank


def _day(document: Document) -> str:
    return document.date if document.date and _DATE.fullmatch(document.date) else ""
