"""How one wording stands by a measure: yes or no, and what another order of equal scores would make of it.

Everything is scored from the stored record, by the grades that are given: those of today's needs, where they moved.
Equal scores are seen as deep as rankings are stored; a group that the depth cuts is taken to go on to the last
candidate, and what is not stored to be tied with nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from memeval.bench.evaluation import QueryResult
from memeval.bench.measures import Measure
from memeval.bench.summary import UNGRADABLE
from memeval.metrics.discovery import is_false_hit, is_found, is_found_all, is_silent_miss
from memeval.metrics.ranking import relevant_ids
from memeval.statistics.ties import TieGroup, TieRange, full_chance, full_range, success_chance, success_range

CLOSE_SHARE = 0.01
"""A score this near to the one across the cutoff, as a share of the best score, is close to it."""

NEEDS_ALL = ("found_all", "full-recall@k")
"""Families that ask for every relevant document; the others that rank ask for one."""

_PLAIN: Mapping[str, Callable[[QueryResult, frozenset[str]], bool | None]] = {
    "silent-miss-rate": lambda query, relevant: is_silent_miss(query.matched, relevant),
    "false-hit-rate": lambda query, relevant: is_false_hit(query.shown, relevant),
    "evidence-in-snippet": lambda query, relevant: query.evidence_shown,
}
"""Families that no order of the hits has a say in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One wording by one measure."""

    value: bool
    """As the metric has it: yes is a hit, or for `false-hit-rate` and `silent-miss-rate` the fault itself."""
    worst: bool
    """The same under the order of ties that puts relevant documents last."""
    best: bool
    chance: float
    """Share of the orders of ties that say yes, in [0, 1]."""
    is_known: bool = True
    """False where a document beyond the stored depth decides; `value` is then no, and might be yes."""


@dataclass(frozen=True, slots=True)
class _Located:
    """Where the relevant documents stand."""

    ranks: tuple[int, ...]
    """Of those whose rank is known, from the best."""
    missing: int
    """How many are no candidates."""
    unknown: int
    """How many may be candidates beyond the stored depth: another ruler did not ask for them."""


def judge(query: QueryResult, grades: Mapping[str, int], measure: Measure) -> Standing | None:
    """How a wording stands; None where the measure is not defined for it, or the record of it is ungradable.

    Args:
        query: the stored record.
        grades: {doc_id: grade} by which it is judged.
        measure: what is asked; how the wordings of a need come together is for the caller.
    """
    if query.verdict == UNGRADABLE:
        return None
    relevant = relevant_ids(grades)
    if measure.family in _PLAIN:
        answer = _PLAIN[measure.family](query, relevant)
        return None if answer is None else _settle(answer)
    if not relevant:
        return None
    if measure.k is None:
        find = is_found_all if measure.family in NEEDS_ALL else is_found
        value = bool(find(query.shown, relevant))
        if not query.shown or not _is_head_shown(query):
            return _settle(value)
        return _judge_cutoff(query, relevant, measure, len(query.shown), value)
    return _judge_cutoff(query, relevant, measure, measure.k, None)


def first_rank(query: QueryResult, grades: Mapping[str, int]) -> int | None:
    """The rank of the best relevant document, from 1; None where none is known to be a candidate."""
    ranks = _locate(query, relevant_ids(grades)).ranks
    return ranks[0] if ranks else None


def list_top(query: QueryResult, measure: Measure) -> tuple[str, ...]:
    """The doc_ids that the measure looks at: the first k, or those displayed, best first."""
    return query.shown if measure.k is None else tuple(doc_id for doc_id, _ in query.ranking[: measure.k])


def is_close(query: QueryResult, grades: Mapping[str, int], measure: Measure) -> bool:
    """Whether the document that decides stands near the cutoff: a change of hardly anything moves it across.

    Near is a score within CLOSE_SHARE of the one on the other side; where a list gave no scores, the place next to it.
    """
    if measure.family not in ("found", "success@k", *NEEDS_ALL):
        return False
    located = _locate(query, relevant_ids(grades))
    ranks = located.ranks
    if not ranks or (measure.family in NEEDS_ALL and (located.missing or located.unknown)):
        return False
    rank = ranks[-1] if measure.family in NEEDS_ALL else ranks[0]
    k = len(query.shown) if measure.k is None else measure.k
    inside = rank <= k
    if is_listed(query):
        return rank == k if inside else rank == k + 1
    scores = [score for _, score in query.ranking]
    upper, lower = (rank, k + 1) if inside else (k, rank)
    if not scores or upper < 1 or upper > len(scores) or lower > query.matched:
        return False
    gap = scores[upper - 1] - scores[min(lower, len(scores)) - 1]
    return gap <= CLOSE_SHARE * abs(scores[0])


def is_listed(query: QueryResult) -> bool:
    """Whether the scores only number the places: n, n - 1, … for n candidates, as an order without scores has them."""
    return all(score == query.matched - place for place, (_, score) in enumerate(query.ranking))


def is_cut_in_ties(query: QueryResult, measure: Measure) -> bool:
    """Whether the stored ranking ends before the cutoff does, so that equal scores around it cannot be seen."""
    k = len(query.shown) if measure.k is None else measure.k
    stored = len(query.ranking)
    return measure.family in ("found", "success@k", *NEEDS_ALL) and stored <= k and stored < query.matched


def _settle(value: bool) -> Standing:
    """What no order of ties can change."""
    return _YES if value else _NO


_YES = Standing(value=True, worst=True, best=True, chance=1.0)
_NO = Standing(value=False, worst=False, best=False, chance=0.0)


def _is_head_shown(query: QueryResult) -> bool:
    """Whether what is displayed is the head of the ranking as far as it is stored: then ties may change it."""
    size = len(query.shown)
    return size <= len(query.ranking) and {doc_id for doc_id, _ in query.ranking[:size]} == set(query.shown)


def _is_split(query: QueryResult, k: int) -> bool:
    """Whether the cutoff lies among equal scores, or where nobody knows them: elsewhere no order of ties matters."""
    if k >= len(query.ranking):
        return len(query.ranking) < query.matched
    return query.ranking[k - 1][1] == query.ranking[k][1]


def _judge_cutoff(
    query: QueryResult, relevant: frozenset[str], measure: Measure, k: int, value: bool | None
) -> Standing:
    if not _is_split(query, k):
        top = {doc_id for doc_id, _ in query.ranking[:k]}
        return _settle(relevant <= top if measure.family in NEEDS_ALL else not relevant.isdisjoint(top))
    located = _locate(query, relevant)
    groups = _group_ties(query, relevant, located)
    if measure.family in NEEDS_ALL:
        outside = located.missing + located.unknown
        complete = not outside and bool(located.ranks)
        ends = full_range(groups, k) if complete else TieRange(worst=False, best=False)
        chance = full_chance(groups, k) if complete else 0.0
        counted = complete and located.ranks[-1] <= k
        settled = not located.missing and any(rank > k for rank in located.ranks)
        open_end = bool(located.unknown) and not located.missing and not settled
    else:
        ends, chance = success_range(groups, k), success_chance(groups, k)
        counted = bool(located.ranks) and located.ranks[0] <= k
        open_end = bool(located.unknown) and not counted
    if value is None:
        value = counted
    is_known = not (open_end and k > len(query.ranking) and measure.k is not None)
    return Standing(
        value=value,
        # the order that was recorded is one of them
        worst=value and ends.worst,
        best=value or ends.best or not is_known,
        chance=chance,
        is_known=is_known,
    )


def _locate(query: QueryResult, relevant: frozenset[str]) -> _Located:
    places = {doc_id: rank for rank, (doc_id, _) in enumerate(query.ranking, start=1)}
    is_whole = len(query.ranking) >= query.matched
    ranks, missing, unknown = [], 0, 0
    for doc_id in relevant:
        rank = places.get(doc_id, query.expected_ranks.get(doc_id))
        if rank is not None:
            ranks.append(rank)
        elif is_whole or doc_id in query.expected_ranks:
            missing += 1
        else:
            unknown += 1
    return _Located(tuple(sorted(ranks)), missing, unknown)


def _group_ties(query: QueryResult, relevant: frozenset[str], located: _Located) -> Sequence[TieGroup]:
    """The groups of equal score that hold a relevant document; one beyond the stored depth stands alone."""
    groups = []
    above = 0
    beyond = [rank for rank in located.ranks if rank > len(query.ranking)]
    for _, members in groupby(query.ranking, key=lambda hit: hit[1]):
        ids = [doc_id for doc_id, _ in members]
        size, held = len(ids), len(relevant.intersection(ids))
        if size > 1 and above + size == len(query.ranking) < query.matched:  # the depth cuts a group
            size, held, beyond = query.matched - above, held + len(beyond), []
        if held:
            groups.append(TieGroup(above, size, held))
        above += len(ids)
    return [*groups, *(TieGroup(rank - 1, 1, 1) for rank in beyond)]
