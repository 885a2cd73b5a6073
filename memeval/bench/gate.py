"""The must-find gate: which named needs a run has lost. Zero tolerance, no statistics."""

from __future__ import annotations

from collections.abc import Iterable

from memeval.bench.evaluation import Evaluation, QueryResult, VariantResult
from memeval.bench.summary import group_by_need


def find_losses(evaluation: Evaluation, variants: Iterable[str]) -> tuple[str, ...]:
    """One line per must-find need or wording that one of `variants` has lost, in the order of the run.

    A need is lost when none of its wordings is found; a wording marked by itself is lost when it is not found.
    Ungradable queries are not losses; they are reported on their own.
    """
    names = set(variants)
    return tuple(
        f"{suite.name} · {variant.name} · {loss}"
        for suite in evaluation.suites
        for variant in suite.variants
        if variant.name in names
        for loss in find_variant_losses(variant)
    )


def find_variant_losses(variant: VariantResult) -> tuple[str, ...]:
    """One line per must-find need or wording this variant has lost."""
    losses = []
    for need, queries in group_by_need(variant.queries).items():
        if is_need_lost(queries):
            asked = ", ".join(repr(query.text) for query in queries)
            losses.append(f"{need}: no wording is found ({asked})")
        losses.extend(
            f"{query.id}: {query.text!r} is not found ({query.reason})" for query in queries if is_wording_lost(query)
        )
    return tuple(losses)


def is_wording_lost(query: QueryResult) -> bool:
    """Whether the promise on this very wording is broken: it is marked, and a miss."""
    return query.must_find and query.verdict == "miss"


def is_need_lost(queries: Iterable[QueryResult]) -> bool:
    """Whether the promise on a need is broken: all its wordings (there is one at least) could be graded and are misses.

    An ungradable wording is neither found nor missed: it might have found the need. It is an error of its own, so a run
    in which it keeps a need from being lost is not clean. Wordings are taken until one settles the answer.
    """
    return all(query.need_must_find and query.verdict == "miss" for query in queries)


def count_must_finds(evaluation: Evaluation, variants: Iterable[str]) -> int:
    """How many promises (must-find needs, and wordings marked by themselves) were held against these variants."""
    names = set(variants)
    queries = [
        (suite.name, variant.name, query)
        for suite in evaluation.suites
        for variant in suite.variants
        if variant.name in names
        for query in variant.queries
    ]
    needs = {(suite, variant, query.need) for suite, variant, query in queries if query.need_must_find}
    return len(needs) + sum(query.must_find for _, _, query in queries)


def has_ungradable(evaluation: Evaluation) -> bool:
    """True where any query of any variant could not be graded."""
    return any(
        query.verdict == "ungradable"
        for suite in evaluation.suites
        for variant in suite.variants
        for query in variant.queries
    )
