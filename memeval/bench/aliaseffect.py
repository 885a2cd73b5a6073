"""What aliases do to a suite: the same wordings asked with them and without, compared need by need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from memeval.bench.asked import round_interval
from memeval.bench.evaluation import SuiteResult, Value, VariantResult
from memeval.bench.summary import INTERVAL_DIGITS, UNGRADABLE
from memeval.memory.aliases import add_aliases
from memeval.memory.document import Document
from memeval.retrieval.base import Retriever
from memeval.statistics.differences import net_interval
from memeval.testbed.needs import Query

FIRST = 5
"""What a wording may lose by an alias of another file: its place among the first five hits."""
WITH, WITHOUT = "+aliases", "-aliases"
"""How the name of a variant ends whose notes hold the aliases of the corpus, and none at all."""


@dataclass(frozen=True, slots=True)
class Reached:
    """How far one wording gets."""

    need: str
    found: bool
    """An expected file is shown."""
    rank: int | None
    """Of the first expected file among all candidates, from 1; None where none is one."""

    @property
    def is_first(self) -> bool:
        """Whether an expected file is among the first hits."""
        return self.rank is not None and self.rank <= FIRST


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One rate over the wordings of each need, without aliases and with them, and the difference of both."""

    without: Value
    """The mean over needs."""
    with_aliases: Value
    difference: Value
    """With less without, paired by need."""
    won: tuple[str, ...]
    """Wordings that are only reached with aliases."""
    lost: tuple[str, ...]
    """Wordings that are only reached without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasEffect:
    """What aliases do to one variant on one suite."""

    without: str
    """The variant without them."""
    with_aliases: str
    found: Change
    first: Change
    """Among the first five."""


def dress(documents: Iterable[Document], aliases: Mapping[str, Sequence[str]]) -> tuple[Document, ...]:
    """The documents with these aliases joined to those they have, as the engine writes them."""
    return tuple(
        replace(document, text=add_aliases(document.text, aliases[document.doc_id]))
        if aliases.get(document.doc_id)
        else document
        for document in documents
    )


def reach(retriever: Retriever, query: Query) -> Reached:
    """How far a wording gets."""
    answer, relevant = retriever.search(query.wording.text), query.need.relevant
    rank = next((place for place, hit in enumerate(answer.hits, start=1) if hit.doc_id in relevant), None)
    return Reached(query.need.id, not relevant.isdisjoint(answer.shown), rank)


def find_effects(suite: SuiteResult) -> tuple[AliasEffect, ...]:
    """The effect of aliases on each system of a suite that was run with them and without.

    Compared are `X` and `X+aliases`, `X-aliases` and `X`, and the two ends where the middle was not run. Wordings that
    one of the two could not grade, and needs with nothing stored, are left out.
    """
    variants = {variant.name: variant for variant in suite.variants}
    systems = dict.fromkeys(name.removesuffix(WITH).removesuffix(WITHOUT) for name in variants)
    effects = []
    for system in systems:
        stages = [name for name in (system + WITHOUT, system, system + WITH) if name in variants]
        for without, with_aliases in pairwise(stages):
            before, after = read_reached(variants[without]), read_reached(variants[with_aliases])
            effects.append(measure_effect(before, after, without=without, with_aliases=with_aliases))
    return tuple(effect for effect in effects if effect.found.difference.n)


def read_reached(variant: VariantResult) -> dict[str, Reached]:
    """{query id: how far it gets} of what was run; a rank below the depth that was stored counts as it was recorded."""
    reached = {}
    for query in variant.queries:
        if query.found is not None and query.verdict != UNGRADABLE:
            ranks = [rank for rank in query.expected_ranks.values() if rank is not None]
            reached[query.id] = Reached(query.need, query.found, min(ranks, default=None))
    return reached


def measure_effect(
    before: Mapping[str, Reached], after: Mapping[str, Reached], *, without: str, with_aliases: str
) -> AliasEffect:
    """The effect over the wordings, by id, that both have."""
    shared = [query_id for query_id in before if query_id in after]
    return AliasEffect(
        without=without,
        with_aliases=with_aliases,
        found=_compare(
            (query_id, before[query_id].need, before[query_id].found, after[query_id].found) for query_id in shared
        ),
        first=_compare(
            (query_id, before[query_id].need, before[query_id].is_first, after[query_id].is_first)
            for query_id in shared
        ),
    )


def _compare(answers: Iterable[tuple[str, str, bool, bool]]) -> Change:
    """The change over (wording, its need, reached without, reached with)."""
    needs: dict[str, list[tuple[bool, bool]]] = {}
    won, lost = [], []
    for wording, need, was, is_now in answers:
        needs.setdefault(need, []).append((was, is_now))
        won += [wording] if is_now and not was else []
        lost += [wording] if was and not is_now else []
    shares = [(_share(was for was, _ in both), _share(now for _, now in both)) for both in needs.values()]
    differences = [now - was for was, now in shares]
    return Change(
        without=_mean([was for was, _ in shares]),
        with_aliases=_mean([now for _, now in shares]),
        difference=average(differences),
        won=tuple(won),
        lost=tuple(lost),
    )


def average(differences: Sequence[float]) -> Value:
    """The mean of one difference a need, each within [-1, 1], with its interval."""
    mean = _mean(differences)
    return Value(mean.value, mean.n, round_interval(net_interval(differences)))


def _mean(values: Sequence[float]) -> Value:
    return Value(round(sum(values) / len(values), INTERVAL_DIGITS) if values else None, len(values))


def _share(answers: Iterable[bool]) -> float:
    each = list(answers)
    return sum(each) / len(each)
