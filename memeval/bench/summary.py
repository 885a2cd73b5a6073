"""Per-query results gathered into summaries, slices, curves and contrasts.

The formulas are in metrics/ and statistics/.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

from memeval.bench.evaluation import Contrast, QueryResult, Slice, Summary, Value, VariantResult
from memeval.bench.shapes import LARGEST_NUMBER
from memeval.errors import RunSettingError
from memeval.metrics.discovery import found_by_wording, is_found_by_any
from memeval.metrics.mean import Mean, mean
from memeval.metrics.ranking import recall_at
from memeval.metrics.registry import Outcome, fill_cutoffs, score_query
from memeval.statistics.intervals import Cluster, Interval, rate_interval, wilson

DEFAULT_KS = (1, 3, 5, 10)

DEFAULT_DEPTH = 100
"""Ranks stored per query: enough for every cutoff in use, small enough to commit."""

CURVE_KS = (1, 2, 3, 5, 10, 20, 50, 100)
"""Cutoffs of the recall curve, as far as the stored depth reaches."""

MAX_TAG_SLICES = 40
"""Benchmarks tag by the hundred; the most frequent ones are sliced, the others stand in the queries."""

INTERVAL_DIGITS = 6
"""Decimals kept of an interval: more than anyone reads, and the same whatever computed the quantiles."""

UNGRADABLE = "ungradable"

Scored = tuple[QueryResult, Mapping[str, float | None]]
"""A query and {metric: its value}."""


def check_cutoffs(ks: Sequence[int], depth: int) -> None:
    """None where a ranking stored to `depth` can be scored at every cutoff.

    Raises:
        RunSettingError: a cutoff or the depth is no whole number from 1, or a cutoff lies beyond the depth.
    """
    check_positive("depth", depth)
    for k in ks:
        check_positive("the cutoff k", k)
    if ks and max(ks) > depth:
        raise RunSettingError(
            f"the cutoff k={max(ks)} is above depth={depth}: only {depth} ranks a query are stored, so nothing at "
            f"{max(ks)} can be measured; give a depth of {max(ks)} or more, or cutoffs up to {depth}"
        )


def check_positive(name: str, value: object) -> None:
    """None for a whole number from 1 that a record can hold. Raises RunSettingError for anything else."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise RunSettingError(f"{name} is {value!r}; it must be a whole number from 1")
    if value > LARGEST_NUMBER:
        raise RunSettingError(f"{name} has {len(str(value))} digits; it must be {LARGEST_NUMBER:g} or less")


def score_result(query: QueryResult, ks: Iterable[int]) -> dict[str, float | None]:
    """{metric: value of this query, None where undefined or ungradable}, from the stored record alone.

    What has a cutoff is scored from the stored ranking, which must reach as deep (`check_cutoffs`); the rest stands on
    all candidates, whatever the depth.
    """
    outcome = Outcome(
        grades=query.expected,
        ranked=[doc_id for doc_id, _ in query.ranking],
        first_rank=min((rank for rank in query.expected_ranks.values() if rank is not None), default=None),
        matched=query.matched,
        shown=query.shown,
        bytes_shown=query.bytes,
        evidence_shown=query.evidence_shown,
    )
    scores = score_query(outcome, ks)
    if query.verdict == UNGRADABLE:
        return dict.fromkeys(scores)
    return scores


def score_results(queries: Iterable[QueryResult], ks: Sequence[int]) -> list[Scored]:
    """Each query with its scores: what summaries and slices are made of, computed once."""
    return [(query, score_result(query, ks)) for query in queries]


def summarise(scored: Sequence[Scored], ks: Sequence[int]) -> Summary:
    """{metric: mean and n} over the gradable queries where it is defined; rates come with their 95 % interval.

    `found-first-wording` is `found` over first wordings; `found-any-wording` is the share of needs that one of their
    wordings finds. The interval of a rate is Wilson's where no need has two of the wordings counted, else
    Korn-Graubard's with the wordings of a need as one cluster.
    """
    summary: dict[str, Value] = {}
    for name, metric, _ in fill_cutoffs(tuple(ks)):
        if metric.is_binary:
            summary[name] = _rate((query.need, scores[name]) for query, scores in scored)
        else:
            summary[name] = _value(mean(scores[name] for _, scores in scored))
        if name == "found":
            summary["found-first-wording"] = _rate((q.need, q.found) for q, _ in scored if q.wording == 0)
            summary["found-any-wording"] = _rate_of_needs(
                mean(is_found_by_any(row) for row in _found_per_need(q for q, _ in scored))
            )
    return summary


def slice_queries(scored: Sequence[Scored], ks: Sequence[int]) -> tuple[Slice, ...]:
    """A summary per language, kind, way of eliciting, wording number and tag that is there."""
    slices: list[Slice] = []
    for dimension, labels_of in DIMENSIONS:
        parts: dict[str, list[Scored]] = {}
        for query, scores in scored:
            for label in dict.fromkeys(labels_of(query)):
                parts.setdefault(label, []).append((query, scores))
        kept = sorted(parts)
        if dimension == "tag":
            kept = sorted(kept, key=lambda label: -len(parts[label]))[:MAX_TAG_SLICES]
        slices.extend(
            Slice(dimension=dimension, label=label, queries=len(parts[label]), summary=summarise(parts[label], ks))
            for label in kept
        )
    return tuple(slices)


def _optional(value: str | None) -> tuple[str, ...]:
    return () if value is None else (value,)


DIMENSIONS: tuple[tuple[str, Callable[[QueryResult], tuple[str, ...]]], ...] = (
    ("lang", lambda query: _optional(query.lang)),
    ("kind", lambda query: _optional(query.kind)),
    ("elicited", lambda query: _optional(query.elicited)),
    ("wording", lambda query: (str(query.wording + 1),)),
    ("tag", lambda query: query.tags),
)
"""What results are sliced by, and the labels a query has there."""


def curve_recall(queries: Sequence[QueryResult], depth: int) -> tuple[tuple[int, Value], ...]:
    """(k, recall@k) for the cutoffs within the stored depth."""
    rankings = [
        ([doc_id for doc_id, _ in query.ranking], query.expected) for query in queries if query.verdict != UNGRADABLE
    ]
    return tuple(
        (k, _value(mean(recall_at(ranked, grades, k) for ranked, grades in rankings))) for k in CURVE_KS if k <= depth
    )


def curve_found(queries: Sequence[QueryResult]) -> tuple[tuple[int, Value], ...]:
    """(j, share of the needs with a j-th wording that one of their first j wordings finds)."""
    return tuple((j, _rate_of_needs(share)) for j, share in found_by_wording(_found_per_need(queries)))


def contrast_variants(variants: Sequence[VariantResult]) -> tuple[Contrast, ...]:
    """For each pair of variants that are no controls: the queries only one of them found."""
    found = [
        (variant.name, [query.id for query in variant.queries if query.found])
        for variant in variants
        if not variant.control
    ]
    return tuple(
        Contrast(
            first=first,
            second=second,
            only_first=tuple(_without(of_first, of_second)),
            only_second=tuple(_without(of_second, of_first)),
        )
        for (first, of_first), (second, of_second) in combinations(found, 2)
    )


def _without(ids: Sequence[str], others: Sequence[str]) -> list[str]:
    known = set(others)
    return [query_id for query_id in ids if query_id not in known]


def group_by_need(queries: Iterable[QueryResult]) -> dict[str, list[QueryResult]]:
    """{need: its queries}, both in the order of the record."""
    needs: dict[str, list[QueryResult]] = {}
    for query in queries:
        needs.setdefault(query.need, []).append(query)
    return needs


def _found_per_need(queries: Iterable[QueryResult]) -> list[list[bool | None]]:
    return [[query.found for query in wordings] for wordings in group_by_need(queries).values()]


def _value(share: Mean) -> Value:
    return Value(share.value, share.n)


def _rate(answers: Iterable[tuple[str, float | None]]) -> Value:
    """The rate of yes among (need, yes or no), with its interval; an answer of None is left out."""
    counts: dict[str, list[int]] = {}
    for need, answer in answers:
        if answer is not None:
            of_need = counts.setdefault(need, [0, 0])
            of_need[0] += bool(answer)
            of_need[1] += 1
    clusters = [Cluster(positive, asked) for positive, asked in counts.values()]
    positive, n = sum(cluster.successes for cluster in clusters), sum(cluster.n for cluster in clusters)
    return Value(positive / n if n else None, n, _round(rate_interval(clusters)))


def _rate_of_needs(share: Mean) -> Value:
    """A share of needs, one answer each, with its interval."""
    return Value(share.value, share.n, _round(wilson(round((share.value or 0.0) * share.n), share.n)))


def _round(interval: Interval | None) -> tuple[float, float] | None:
    return interval and (round(interval.low, INTERVAL_DIGITS), round(interval.high, INTERVAL_DIGITS))
