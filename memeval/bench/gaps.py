"""The two gaps a search over words has: other words than the file's, and another script than the base's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memeval.bench.evaluation import Evaluation, SuiteResult, Value, VariantResult
from memeval.bench.summary import group_by_need
from memeval.statistics.intervals import Interval, Rate, difference_interval, wilson
from memeval.statistics.paired import Pairs, count_pairs, paired_interval, paired_low
from memeval.testbed.scripts import base_language

BASE_KIND = "same-words"
OTHER_KINDS = ("paraphrase", "unseen-words")
BASE_LANGUAGE = "en"
FREE = "free"
MIN_CASES = 10
"""Fewer wordings of a kind, or fewer needs that two suites share, tell nothing about a gap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindGap:
    """What one variant finds on same-words wordings and on those of another kind."""

    variant: str
    kind: str
    base: Value
    other: Value
    difference: Value
    """base - other, in [-1, 1], over the wordings of both; its interval takes them for unrelated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptGap:
    """What one variant finds of the same needs in two suites of different languages, each need asked once."""

    first: str
    """Name of a suite: the English one, else the first of the run."""
    second: str
    variant: str
    is_free: bool
    """Asked in the first free wording; False where wordings are not labelled, so that the first as given was taken."""
    base: Value
    """Found in the first suite, over the needs that both have."""
    other: Value
    difference: Value
    """base - other, in [-1, 1], paired by need."""
    low: float
    """The one-sided 95 % bound of the difference: it is larger with that confidence."""


def find_kind_gaps(suite: SuiteResult) -> tuple[KindGap, ...]:
    """One gap a variant and kind, for the kinds of which there are MIN_CASES or more, and of same-words, too."""
    gaps = []
    for variant in suite.variants:
        found = {
            part.label: part.summary["found"]
            for part in variant.slices
            if part.dimension == "kind" and "found" in part.summary and part.summary["found"].n >= MIN_CASES
        }
        base = found.get(BASE_KIND)
        if base is not None:
            gaps += [
                KindGap(
                    variant=variant.name,
                    kind=kind,
                    base=base,
                    other=found[kind],
                    difference=_subtract(base, found[kind]),
                )
                for kind in OTHER_KINDS
                if kind in found
            ]
    return tuple(gaps)


def find_script_gaps(evaluation: Evaluation) -> tuple[ScriptGap, ...]:
    """One gap a variant and suite whose needs a suite in another language shares, by id.

    A suite is compared with one other: of those that share MIN_CASES needs or more with it the first in English, where
    there is none the first that was run. A need counts where something is stored for it in both.
    """
    suites = [suite for suite in evaluation.suites if suite.lang is not None]
    ordered = sorted(suites, key=lambda suite: base_language(suite.lang or "") != BASE_LANGUAGE)
    gaps: list[ScriptGap] = []
    for place, second in enumerate(ordered):
        for first in ordered[:place]:
            if base_language(first.lang or "") != base_language(second.lang or ""):
                found = _compare(first, second)
                if found:
                    gaps += found
                    break
    return tuple(gaps)


def _compare(first: SuiteResult, second: SuiteResult) -> list[ScriptGap]:
    others = {variant.name: variant for variant in second.variants}
    gaps = []
    for variant in first.variants:
        if variant.name not in others:
            continue
        other = others[variant.name]
        answers, answers_of_other = _ask_once(variant), _ask_once(other)
        shared = [need for need in answers if need in answers_of_other]
        pairs = count_pairs((answers[need], answers_of_other[need]) for need in shared)
        interval, low = paired_interval(pairs), paired_low(pairs)
        if pairs.n < MIN_CASES or interval is None or low is None:
            continue
        base, rest = _rates(pairs)
        gaps.append(
            ScriptGap(
                first=first.name,
                second=second.name,
                variant=variant.name,
                is_free=_is_labelled(variant) and _is_labelled(other),
                base=base,
                other=rest,
                difference=Value(pairs.difference, pairs.n, interval),
                low=low,
            )
        )
    return gaps


def _rates(pairs: Pairs) -> tuple[Value, Value]:
    """Found by the first and by the second of a pair."""
    return (
        Value(pairs.first, pairs.n, wilson(pairs.both + pairs.only_first, pairs.n)),
        Value(pairs.second, pairs.n, wilson(pairs.both + pairs.only_second, pairs.n)),
    )


def _is_labelled(variant: VariantResult) -> bool:
    return any(query.elicited == FREE for query in variant.queries)


def _ask_once(variant: VariantResult) -> Mapping[str, bool]:
    """{need: whether its first free wording is found} for the needs with something stored that could be graded."""
    labelled = _is_labelled(variant)
    answers = {}
    for need, queries in group_by_need(variant.queries).items():
        asked = [query for query in queries if query.elicited == FREE or not labelled]
        if asked and asked[0].found is not None:
            answers[need] = asked[0].found
    return answers


def _subtract(base: Value, other: Value) -> Value:
    """The difference of two rates; without an interval where one of them has none."""
    if base.value is None or other.value is None:
        return Value(None, 0)
    interval = None
    if base.interval is not None and other.interval is not None:
        rates = (
            Rate(value, Interval(*ends)) for value, ends in ((base.value, base.interval), (other.value, other.interval))
        )
        interval = difference_interval(*rates)
    return Value(base.value - other.value, base.n + other.n, interval)
