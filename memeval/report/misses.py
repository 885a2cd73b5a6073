"""Which needs a variant missed, grouped and put in the order of importance. It counts; it scores nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memeval.bench.evaluation import QueryResult, SuiteResult, VariantResult
from memeval.bench.gate import is_need_lost
from memeval.bench.summary import group_by_need


@dataclass(frozen=True, slots=True)
class MissedNeed:
    """A need of which a variant missed at least one wording."""

    need: str
    missed: tuple[QueryResult, ...]
    asked: int
    """Its wordings, ungradable ones included."""
    must_find: bool
    """One of its must-find promises is broken."""

    @property
    def by_every_wording(self) -> bool:
        """All its wordings could be graded and none was a hit."""
        return len(self.missed) == self.asked

    @property
    def expected(self) -> tuple[str, ...]:
        """The relevant doc_ids, as in the record; empty when nothing is stored."""
        return tuple(doc_id for doc_id, grade in self.missed[0].expected.items() if grade >= 1)


@dataclass(frozen=True, slots=True)
class LostNeed:
    """A need that no wording of any system found, and the attempt that came closest."""

    group: MissedNeed
    """As the first system missed it."""
    variant: str
    query: QueryResult


def group_misses(variant: VariantResult) -> list[MissedNeed]:
    """The needs with a missed wording: broken must-find, then missed by every wording, then others, then false hits.

    Within a group the order is that of the record.
    """
    groups = []
    for need, queries in group_by_need(variant.queries).items():
        missed = tuple(query for query in queries if query.verdict == "miss")
        if missed:
            broken = is_need_lost(queries) or any(query.must_find for query in missed)
            groups.append(MissedNeed(need, missed, len(queries), broken))
    return sorted(groups, key=lambda group: (not group.expected, not group.must_find, not group.by_every_wording))


def systems_of(suite: SuiteResult) -> list[VariantResult]:
    """The variants someone would choose: no controls, none that is ungradable as a whole."""
    return [variant for variant in suite.variants if not variant.control and variant.error is None]


def needs_missed_by_all(suite: SuiteResult) -> list[LostNeed]:
    """The needs with an expected file that no wording of any system found, in the order of the first system's misses.

    The one attempt that speaks for a need is the one that ranked an expected file best. Where none did, it is the last
    system that matched anything, with its first wording that did; where none matched, the first system's first wording.
    """
    systems = systems_of(suite)
    if not systems:
        return []
    grouped = [{group.need: group for group in group_misses(variant)} for variant in systems]
    lost = []
    for need in grouped[0]:
        groups = [of_variant[need] for of_variant in grouped if need in of_variant]
        if len(groups) == len(systems) and all(group.expected and group.by_every_wording for group in groups):
            attempts = [
                (variant.name, query) for variant, group in zip(systems, groups, strict=True) for query in group.missed
            ]
            lost.append(LostNeed(groups[0], *_choose_nearest(attempts)))
    return lost


def _choose_nearest(attempts: Sequence[tuple[str, QueryResult]]) -> tuple[str, QueryResult]:
    ranked = [
        (rank, place)
        for place, (_, query) in enumerate(attempts)
        for rank in query.expected_ranks.values()
        if rank is not None
    ]
    if ranked:
        return attempts[min(ranked)[1]]
    matching = [attempt for attempt in attempts if attempt[1].matched]
    return next((attempt for attempt in matching if attempt[0] == matching[-1][0]), attempts[0])


def ungradable_queries(variant: VariantResult) -> list[QueryResult]:
    """The queries that say nothing about the variant, because the harness or a file is broken."""
    return [query for query in variant.queries if query.verdict == "ungradable"]
