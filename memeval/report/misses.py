"""Which needs a variant missed, grouped and put in the order of importance. It counts; it scores nothing."""

from __future__ import annotations

from dataclasses import dataclass

from memeval.bench.evaluation import QueryResult, SuiteResult, VariantResult


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


def group_misses(variant: VariantResult) -> list[MissedNeed]:
    """The needs with a missed wording: broken must-find first, then those missed by every wording, then the others.

    Within a group the order is that of the record.
    """
    needs: dict[str, list[QueryResult]] = {}
    for query in variant.queries:
        needs.setdefault(query.need, []).append(query)
    groups = []
    for need, queries in needs.items():
        missed = tuple(query for query in queries if query.verdict == "miss")
        if missed:
            lost = queries[0].need_must_find and len(missed) == len(queries)
            broken = lost or any(query.must_find for query in missed)
            groups.append(MissedNeed(need, missed, len(queries), broken))
    return sorted(groups, key=lambda group: (not group.must_find, not group.by_every_wording))


def systems_of(suite: SuiteResult) -> list[VariantResult]:
    """The variants someone would choose: no controls, none that is ungradable as a whole."""
    return [variant for variant in suite.variants if not variant.control and variant.error is None]


def needs_missed_by_all(suite: SuiteResult) -> list[MissedNeed]:
    """The needs with an expected file that no wording of any system found, as the first system missed them."""
    systems = systems_of(suite)
    if not systems:
        return []
    lost = [{group.need for group in group_misses(variant) if group.by_every_wording} for variant in systems]
    everywhere = set.intersection(*lost)
    return [group for group in group_misses(systems[0]) if group.need in everywhere and group.expected]


def ungradable_queries(variant: VariantResult) -> list[QueryResult]:
    """The queries that say nothing about the variant, because the harness or a file is broken."""
    return [query for query in variant.queries if query.verdict == "ungradable"]
