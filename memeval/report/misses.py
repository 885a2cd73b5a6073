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
    """The needs with a missed wording: broken must-find, then missed by every wording, then others, then false hits.

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
    return sorted(groups, key=lambda group: (not group.must_find, not group.expected, not group.by_every_wording))


def systems_of(suite: SuiteResult) -> list[VariantResult]:
    """The variants someone would choose: no controls, none that is ungradable as a whole."""
    return [variant for variant in suite.variants if not variant.control and variant.error is None]


def needs_missed_by_all(suite: SuiteResult) -> list[tuple[MissedNeed, str]]:
    """The needs with an expected file that no wording of any system found, each with the system that came closest.

    Closest is the one that ranked an expected file best; without any, the last one that matched anything, since the
    variants stand in the order from the plainest on; else the first.
    """
    systems = systems_of(suite)
    groups = {variant.name: {group.need: group for group in group_misses(variant)} for variant in systems}
    if not systems:
        return []
    first = groups[systems[0].name].values()
    lost = [
        group
        for group in first
        if group.expected and all(_is_lost(of_variant.get(group.need)) for of_variant in groups.values())
    ]
    nearest = [_find_nearest([(name, of_variant[group.need]) for name, of_variant in groups.items()]) for group in lost]
    return [(groups[name][group.need], name) for group, name in zip(lost, nearest, strict=True)]


def _is_lost(group: MissedNeed | None) -> bool:
    return group is not None and group.by_every_wording


def _find_nearest(candidates: list[tuple[str, MissedNeed]]) -> str:
    ranked = [
        (rank, place)
        for place, (_, group) in enumerate(candidates)
        for query in group.missed
        for rank in query.expected_ranks.values()
        if rank is not None
    ]
    if ranked:
        return candidates[min(ranked)[1]][0]
    matching = [name for name, group in candidates if any(query.matched for query in group.missed)]
    return matching[-1] if matching else candidates[0][0]


def ungradable_queries(variant: VariantResult) -> list[QueryResult]:
    """The queries that say nothing about the variant, because the harness or a file is broken."""
    return [query for query in variant.queries if query.verdict == "ungradable"]
