"""Discovery: was the right file displayed, and could it be recognised? They see ids, counts and displayed text.

`relevant` holds the doc_ids that answer the need; it is empty when nothing is stored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from memeval.metrics.mean import Mean, mean


def is_found(shown: Collection[str], relevant: Collection[str]) -> bool | None:
    """Whether a relevant document is displayed; None when nothing is stored."""
    return not set(relevant).isdisjoint(shown) if relevant else None


def is_found_all(shown: Collection[str], relevant: Collection[str]) -> bool | None:
    """Whether every relevant document is displayed; None when nothing is stored."""
    return set(relevant).issubset(shown) if relevant else None


def is_silent_miss(matched: int, relevant: Collection[str]) -> bool | None:
    """Whether nothing at all matched although a relevant document exists; None when nothing is stored."""
    return matched == 0 if relevant else None


def is_false_hit(shown: Collection[str], relevant: Collection[str]) -> bool | None:
    """Whether documents are displayed although nothing is stored; None when something is."""
    return None if relevant else bool(shown)


def is_hit(shown: Collection[str], relevant: Collection[str]) -> bool:
    """The verdict on a gradable query: a relevant document is displayed or, with nothing stored, none at all."""
    found = is_found(shown, relevant)
    return not shown if found is None else found


def is_evidence_shown(evidence: str, texts: Iterable[str]) -> bool:
    """Whether the evidence stands in one of the texts, which are what is displayed of the relevant documents' own text.

    Case does not matter (full case folding), and any run of white space counts as one blank. Evidence without a
    visible character stands in every text; without texts the answer is no.
    """
    wanted = _comparable(evidence)
    return any(wanted in _comparable(text) for text in texts)


def found_by_wording(needs: Iterable[Sequence[bool | None]]) -> tuple[tuple[int, Mean], ...]:
    """(j from 1, share of the needs with a j-th wording that one of their first j wordings finds), for each j.

    Args:
        needs: Per need whether each of its wordings is found, in order. A None (nothing stored, ungradable) among
            the first j leaves the need out of that share, unless another of them is found.
    """
    rows = list(needs)
    longest = max((len(row) for row in rows), default=0)
    return tuple((j, mean(is_found_by_any(row[:j]) for row in rows if len(row) >= j)) for j in range(1, longest + 1))


def is_found_by_any(found: Sequence[bool | None]) -> bool | None:
    """Whether one wording of a need is found; None when none is and some cannot be judged (or there is none)."""
    if any(found):
        return True
    return None if None in found or not found else False


def _comparable(text: str) -> str:
    return " ".join(text.split()).casefold()
