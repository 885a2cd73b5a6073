"""Which parts of two evaluations belong together, and what one of them has that the other has not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from memeval.bench.evaluation import Evaluation, QueryResult, SuiteResult, VariantResult
from memeval.bench.summary import group_by_need
from memeval.metrics.ranking import relevant_ids

_Part = TypeVar("_Part", SuiteResult, VariantResult)

_Key = tuple[str, str, int]
"""A wording: its need, its text, and which of several equal texts it is. Ids move when a wording is put in front."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A part that only one of two evaluations has."""

    kind: str
    """`suite`, `variant`, `need`, `wording`, `metric` or `promise`."""
    name: str
    """As it is written in `--allow KIND:NAME`."""
    suite: str | None = None
    """The suite it belongs to; None for a suite itself, and for a variant or metric of all of them."""
    text: str = ""
    """What a reader has to know of it: the words that were asked."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One wording of one variant in both evaluations."""

    base: QueryResult
    head: QueryResult
    relevant: frozenset[str]
    """The doc_ids that answer the need today."""

    @property
    def grades(self) -> Mapping[str, int]:
        """{doc_id: grade} by which both are judged: today's."""
        return self.head.expected


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedCell:
    """One variant on one suite that both evaluations have."""

    suite: SuiteResult
    """Of head."""
    base: VariantResult
    head: VariantResult
    pairs: tuple[Pair, ...]
    """In the order of head."""

    def needs(self) -> dict[str, list[Pair]]:
        """{need: its pairs}, in the order of head."""
        return group_pairs(self.pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """What two evaluations share, and what only one of them has."""

    cells: tuple[MatchedCell, ...]
    """In the order of head, controls left out."""
    vanished: tuple[Difference, ...]
    """What base has and head has not."""
    added: tuple[Difference, ...]
    """What head has and base has not: nothing of it is compared."""


def match_evaluations(
    base: Evaluation, head: Evaluation, *, suites: Sequence[str] = (), variants: Sequence[str] = ()
) -> Match:
    """What belongs together: suites and variants by name, wordings by need and text.

    Controls are left out; they are floors and ceilings, and nobody changes them.

    Args:
        base: without duplicates (`find_duplicates`).
        head: the same.
        suites: names; the others are left out of both. () = all.
        variants: the same of variants.
    """
    old_suites, new_suites = _by_name(base.suites, suites), _by_name(head.suites, suites)
    cells = []
    lost, gained = _compare_names("suite", old_suites, new_suites)
    for name, suite in new_suites.items():
        if name not in old_suites:
            continue
        old, new = _by_name(old_suites[name].variants, variants), _by_name(suite.variants, variants)
        gone, come = _compare_names("variant", old, new, name)
        lost, gained = lost + gone, gained + come
        for variant in new:
            if variant in old:
                cell = _match_cell(suite, old[variant], new[variant])
                cells.append(cell)
                lost += _find_vanished(name, old[variant], new[variant], cell.pairs)
                gained += _find_added(name, old[variant], new[variant])
    vanished, added = _merge(lost, list(new_suites)), _merge(gained, list(new_suites))
    return Match(cells=tuple(cells), vanished=vanished, added=added)


def group_pairs(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    """{need: its pairs}, in their order."""
    needs: dict[str, list[Pair]] = {}
    for pair in pairs:
        needs.setdefault(pair.head.need, []).append(pair)
    return needs


def find_duplicates(evaluation: Evaluation) -> tuple[str, ...]:
    """One line a name that stands twice where it should stand once: nothing could be told apart."""
    lines = [f"suite {name!r} stands twice" for name in _repeated(suite.name for suite in evaluation.suites)]
    for suite in evaluation.suites:
        names = _repeated(variant.name for variant in suite.variants)
        lines += [f"{suite.name}: variant {name!r} stands twice" for name in names]
        for variant in suite.variants:
            ids = _repeated(query.id for query in variant.queries)
            lines += [f"{suite.name} · {variant.name}: wording {name!r} stands twice" for name in ids]
    return tuple(lines)


def _repeated(names: Iterable[str]) -> list[str]:
    return [name for name, number in Counter(names).items() if number > 1]


def _by_name(parts: Iterable[_Part], chosen: Sequence[str]) -> dict[str, _Part]:
    return {
        part.name: part for part in parts if (not chosen or part.name in chosen) and not getattr(part, "control", False)
    }


def _compare_names(
    kind: str, old: Mapping[str, object], new: Mapping[str, object], suite: str | None = None
) -> tuple[list[Difference], list[Difference]]:
    return (
        [Difference(kind=kind, name=name, suite=suite) for name in old if name not in new],
        [Difference(kind=kind, name=name, suite=suite) for name in new if name not in old],
    )


def _match_cell(suite: SuiteResult, base: VariantResult, head: VariantResult) -> MatchedCell:
    return MatchedCell(suite=suite, base=base, head=head, pairs=pair_queries(base.queries, head.queries))


def pair_queries(base: Iterable[QueryResult], head: Iterable[QueryResult]) -> tuple[Pair, ...]:
    """The wordings that both have, by need and text, in the order of head."""
    asked = dict(_key_queries(base))
    return tuple(
        Pair(asked[key], query, relevant_ids(query.expected)) for key, query in _key_queries(head) if key in asked
    )


def _key_queries(queries: Iterable[QueryResult]) -> Iterator[tuple[_Key, QueryResult]]:
    seen: Counter[tuple[str, str]] = Counter()
    for query in queries:
        yield (query.need, query.text, seen[query.need, query.text]), query
        seen[query.need, query.text] += 1


def find_vanished(suite: str, base: VariantResult, head: VariantResult) -> tuple[Difference, ...]:
    """Needs, wordings, answers, promises and metrics that base has and head has not."""
    return tuple(_find_vanished(suite, base, head, pair_queries(base.queries, head.queries)))


def _find_vanished(suite: str, base: VariantResult, head: VariantResult, pairs: Sequence[Pair]) -> list[Difference]:
    found = _find_added(suite, head, base)
    found += [Difference(kind="metric", name=name, suite=suite) for name in base.summary if name not in head.summary]
    for need, of_need in group_pairs(pairs).items():
        text = ", ".join(repr(pair.head.text) for pair in of_need)
        old, new = of_need[0].base, of_need[0].head
        if relevant_ids(old.expected) and not relevant_ids(new.expected):
            found.append(Difference(kind="need", name=need, suite=suite, text=f"nothing is stored for it now: {text}"))
        if old.need_must_find and not new.need_must_find:
            found.append(Difference(kind="promise", name=need, suite=suite, text=f"must_find of the need: {text}"))
        found += [
            Difference(kind="promise", name=pair.head.id, suite=suite, text=f"must_find of {pair.head.text!r}")
            for pair in of_need
            if pair.base.must_find and not pair.head.must_find
        ]
    return found


def _find_added(suite: str, base: VariantResult, head: VariantResult) -> list[Difference]:
    """Needs and wordings that only the second has."""
    asked = {key for key, _ in _key_queries(base.queries)}
    needs = {query.need for query in base.queries}
    found = [
        Difference(kind="need", name=need, suite=suite, text=", ".join(repr(query.text) for query in queries))
        for need, queries in group_by_need(head.queries).items()
        if need not in needs
    ]
    found += [
        Difference(kind="wording", name=query.id, suite=suite, text=repr(query.text))
        for key, query in _key_queries(head.queries)
        if key not in asked and query.need in needs
    ]
    return found


def _merge(differences: Sequence[Difference], suites: Sequence[str]) -> tuple[Difference, ...]:
    """Each once, though every variant tells of it; a variant or metric that all suites tell of, without their names."""
    unique = list(dict.fromkeys(differences))
    told = Counter((one.kind, one.name) for one in unique if one.kind in ("variant", "metric"))
    merged = [
        Difference(kind=one.kind, name=one.name)
        if told[one.kind, one.name] > 1 and told[one.kind, one.name] == len(suites)
        else one
        for one in unique
    ]
    return tuple(dict.fromkeys(merged))
