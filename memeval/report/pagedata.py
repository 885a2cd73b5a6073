"""What the page's table of needs is made from, as compact JSON: names once, results as columns, the rest as places.

Texts are made visible here (no control character, one line); whoever puts them into a page puts them in as text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memeval.bench.diagnosisfile import MissKey, ToldMiss, find_diagnosis
from memeval.bench.duels import Duel
from memeval.bench.evaluation import Evaluation, MissCause, QueryResult, SuiteResult, VariantResult
from memeval.report.notation import make_visible

MAX_SHOWN, FEW_SHOWN, MANY_RESULTS = 15, 5, 50_000
"""Files listed of what a search shows, more being counted; and how many of each where a page has many results."""
DIGITS = 5

_LETTERS = {"hit": "h", "miss": "m", "ungradable": "u"}
_NOT_ASKED = "-"
_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


class Names:
    """Names in the order of their first use, each once; a place stands for a name."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def place(self, name: str | None) -> int:
        """The place of a name from 0, -1 for None."""
        return -1 if name is None else self._places.setdefault(name, len(self._places))

    def listed(self) -> list[str]:
        """All names so far."""
        return list(map(make_visible, self._places))


def render_data(
    evaluation: Evaluation,
    duels: Sequence[Mapping[str, Sequence[Duel]]],
    diagnoses: Mapping[MissKey, ToldMiss] | None = None,
) -> str:
    """The JSON text for a script element of a page: nothing in it can end the element, start a comment or be markup.

    Args:
        evaluation: the run.
        duels: of each suite, {base: its duels}.
        diagnoses: why wordings missed, where that was asked.
    """
    results = sum(len(variant.queries) for suite in evaluation.suites for variant in suite.variants)
    listed = MAX_SHOWN if results <= MANY_RESULTS else FEW_SHOWN
    data = {
        "suites": [
            _encode_suite(suite, of_suite, diagnoses or {}, listed)
            for suite, of_suite in zip(evaluation.suites, duels, strict=True)
        ]
    }
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).translate(_ESCAPES)
    # half a character becomes the escape that JSON has for it
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _encode_suite(
    suite: SuiteResult, duels: Mapping[str, Sequence[Duel]], diagnoses: Mapping[MissKey, ToldMiss], listed: int
) -> dict[str, Any]:
    documents, labels, reasons = Names(), Names(), Names()
    queries = _list_queries(suite.variants)
    needs: dict[str, list[QueryResult]] = {}
    for query in queries.values():
        needs.setdefault(query.need, []).append(query)
    ordered = [query for wordings in needs.values() for query in wordings]
    return {
        "name": make_visible(suite.name),
        "needs": [_encode_need(need, wordings, documents, labels) for need, wordings in needs.items()],
        "wordings": [
            [
                make_visible(query.text),
                make_visible(query.id),
                *map(labels.place, (query.lang, query.kind, query.elicited)),
                int(query.must_find),
            ]
            for query in ordered
        ],
        "variants": [
            _encode_variant(variant, ordered, documents, reasons, listed)
            | _encode_diagnoses(suite.name, variant, ordered, diagnoses, reasons)
            for variant in suite.variants
        ],
        "documents": documents.listed(),
        "labels": labels.listed(),
        "reasons": reasons.listed(),
        "duels": {
            make_visible(base): {make_visible(duel.variant): _encode_duel(duel) for duel in fought}
            for base, fought in duels.items()
        },
    }


def _list_queries(variants: Iterable[VariantResult]) -> dict[tuple[str, int], QueryResult]:
    """Each wording once, as some variant was asked for it."""
    queries: dict[tuple[str, int], QueryResult] = {}
    for variant in variants:
        for query in variant.queries:
            queries.setdefault((query.need, query.wording), query)
    return queries


def list_expected(query: QueryResult) -> list[str]:
    """The doc_ids that answer a query, in the order of the record."""
    return [doc_id for doc_id, grade in query.expected.items() if grade >= 1]


def find_rank(query: QueryResult, doc_id: str) -> int | None:
    """The rank of an expected file at any depth; None where it is no candidate."""
    if doc_id in query.expected_ranks:
        return query.expected_ranks[doc_id]
    ranked = [hit for hit, _ in query.ranking]
    return ranked.index(doc_id) + 1 if doc_id in ranked else None


def find_place(query: QueryResult, doc_id: str) -> int:
    """The place of a file among those shown, from 1; 0 where it is not shown."""
    return query.shown.index(doc_id) + 1 if doc_id in query.shown else 0


def _encode_need(need: str, wordings: Sequence[QueryResult], documents: Names, labels: Names) -> list[Any]:
    first = wordings[0]
    return [
        make_visible(need),
        len(wordings),
        [documents.place(doc_id) for doc_id in list_expected(first)],
        [labels.place(tag) for tag in first.tags],
        int(first.need_must_find),
    ]


def _encode_variant(
    variant: VariantResult, ordered: Sequence[QueryResult], documents: Names, reasons: Names, listed: int
) -> dict[str, Any]:
    results = {(query.need, query.wording): query for query in variant.queries}
    answers = [results.get((query.need, query.wording)) for query in ordered]
    return {
        "name": make_visible(variant.name),
        "control": int(variant.control),
        "verdicts": "".join(_NOT_ASKED if one is None else _LETTERS[one.verdict] for one in answers),
        "evidence": "".join(
            "-" if one is None or one.evidence_shown is None else str(int(one.evidence_shown)) for one in answers
        ),
        "ranks": [
            [] if one is None else [find_rank(one, doc_id) or 0 for doc_id in list_expected(one)] for one in answers
        ],
        "shown": [[] if one is None else [documents.place(doc_id) for doc_id in one.shown[:listed]] for one in answers],
        "places": [
            [] if one is None else [find_place(one, doc_id) for doc_id in list_expected(one)] for one in answers
        ],
        "files": [0 if one is None else len(one.shown) for one in answers],
        "bytes": [0 if one is None else one.bytes for one in answers],
        "matched": [0 if one is None else one.matched for one in answers],
        "reasons": [-1 if one is None else reasons.place(one.reason) for one in answers],
    }


def _encode_diagnoses(
    suite: str,
    variant: VariantResult,
    ordered: Sequence[QueryResult],
    diagnoses: Mapping[MissKey, ToldMiss],
    reasons: Names,
) -> dict[str, Any]:
    """A column of its own, where of any wording of the variant it is known why it was missed."""
    results = {(query.need, query.wording): query for query in variant.queries}
    answers = (results.get((query.need, query.wording)) for query in ordered)
    told = [None if one is None else tell_why(diagnoses, suite, variant.name, one) for one in answers]
    return {"diagnoses": [reasons.place(text) for text in told]} if any(told) else {}


def tell_why(diagnoses: Mapping[MissKey, ToldMiss], suite: str, variant: str, query: QueryResult) -> str | None:
    """Why a wording missed, in one line: as a diagnosis told it, else by the cause in the record; None without both."""
    told = find_diagnosis(diagnoses, suite, variant, query)
    return describe_cause(query.cause) if told is None else describe_diagnosis(told)


def describe_diagnosis(told: ToldMiss | None) -> str | None:
    """The class of a miss, what decided it, and the cheapest cure, in one line; None for None."""
    if told is None:
        return None
    return f"{told.miss_class} ({told.rule}) · cheapest cure: {told.cure or 'none of those tried'}"


def describe_cause(cause: MissCause | None) -> str | None:
    """The class of a miss and the cheapest cure, in one line; None for None."""
    return None if cause is None else f"{cause.miss_class} · cheapest cure: {cause.cure or 'none of those tried'}"


def _encode_duel(duel: Duel) -> list[float]:
    ends = (duel.difference, duel.interval.low, duel.interval.high)
    return [duel.won, duel.lost, *(round(end, DIGITS) for end in ends), round(duel.adjusted_p, DIGITS + 1), duel.needs]
