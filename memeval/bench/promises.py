"""Gate (a): what must be found, base found and head has lost. Zero tolerance, whatever the budgets say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memeval.bench.evaluation import QueryResult, VariantResult
from memeval.bench.judging import Judged, join_standings
from memeval.bench.matching import MatchedCell, Pair
from memeval.bench.measures import find_measure
from memeval.bench.standing import Standing, judge
from memeval.bench.summary import group_by_need

_FOUND, _SILENT = find_measure("found"), find_measure("false-hit-rate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """A must-find need, or a wording that is one by itself, that does not hold."""

    suite: str
    variant: str
    name: str
    """Id of the need or of the wording."""
    is_need: bool
    """Of a need it holds as long as one wording finds it."""
    texts: tuple[str, ...]
    """The wordings that were asked."""


def find_lost_promises(cell: MatchedCell) -> tuple[Promise, ...]:
    """The promises that base keeps under every order of ties and head breaks under every one."""
    return tuple(promise for promise, judged in _judge_promises(cell) if judged.change < 0)


def find_doubtful_promises(cell: MatchedCell) -> tuple[Promise, ...]:
    """The promises that base keeps and head breaks as they stand, though not under every order of equal scores."""
    return tuple(
        promise
        for promise, judged in _judge_promises(cell)
        if judged.base.value and not judged.head.value and judged.change == 0
    )


def find_unsafe_promises(suite: str, variant: VariantResult) -> tuple[Promise, ...]:
    """The promises of one run that do not hold under every order of ties: such a run is no baseline."""
    unsafe = []
    for need, queries in group_by_need(variant.queries).items():
        safe = {query.id for query in queries if (kept := judge_promise(query, query.expected)) and kept.worst}
        if queries[0].need_must_find and not safe:
            unsafe.append(_promise(suite, variant.name, need, queries, is_need=True))
        unsafe += [
            _promise(suite, variant.name, query.id, [query], is_need=False)
            for query in queries
            if query.must_find and query.id not in safe
        ]
    return tuple(unsafe)


def _judge_promises(cell: MatchedCell) -> Iterator[tuple[Promise, Judged]]:
    """Every promise of today's needs that both runs could be graded on, with what they make of it."""
    for need, pairs in cell.needs().items():
        if not any(pair.head.need_must_find or pair.head.must_find for pair in pairs):
            continue
        kept = [one for one in map(_judge_pair, pairs) if one is not None]
        if kept and pairs[0].head.need_must_find:
            together = Judged(
                tuple(pair for one in kept for pair in one.pairs),
                join_standings(one.base for one in kept),
                join_standings(one.head for one in kept),
                higher_is_better=True,
            )
            queries = [pair.head for pair in together.pairs]
            yield _promise(cell.suite.name, cell.head.name, need, queries, is_need=True), together
        for one in kept:
            query = one.pairs[0].head
            if query.must_find:
                yield _promise(cell.suite.name, cell.head.name, query.id, [query], is_need=False), one


def _judge_pair(pair: Pair) -> Judged | None:
    base, head = judge_promise(pair.base, pair.grades), judge_promise(pair.head, pair.grades)
    return None if base is None or head is None else Judged((pair,), base, head, higher_is_better=True)


def judge_promise(query: QueryResult, grades: Mapping[str, int]) -> Standing | None:
    """How a promise stands: yes where an expected file is shown or, with nothing stored, where nothing is.

    None where the record of it is ungradable.
    """
    found = judge(query, grades, _FOUND)
    if found is not None:
        return found
    false_hit = judge(query, grades, _SILENT)
    if false_hit is None:
        return None
    is_silent = not false_hit.value
    return Standing(value=is_silent, worst=is_silent, best=is_silent, chance=float(is_silent))


def _promise(suite: str, variant: str, name: str, queries: Sequence[QueryResult], *, is_need: bool) -> Promise:
    return Promise(
        suite=suite, variant=variant, name=name, is_need=is_need, texts=tuple(query.text for query in queries)
    )
