"""All variants side by side over several suites: what they find, what that costs, and where they are silent."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from memeval.bench.evaluation import Evaluation, Value, VariantResult
from memeval.bench.scripts import name_script
from memeval.bench.summary import UNGRADABLE
from memeval.errors import RunSettingError
from memeval.metrics.discovery import is_silent_miss
from memeval.metrics.mean import mean
from memeval.metrics.ranking import relevant_ids

OWN_TEXT = frozenset({"Han", "Kana", "Hangul"})
"""Scripts without spaces between words, or, as Hangul, with endings grown onto them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantLine:
    """One variant over all suites of a run; each suite counts the same, however many needs it has."""

    variant: str
    suites: int
    """Suites on which it could be graded."""
    success_5: float | None
    success_10: float | None
    found: float | None
    evidence: float | None
    files_shown: float | None
    bytes_shown: float | None
    milliseconds: float | None
    """Median of the suites' median time of a search; None where none was recorded."""
    false_hits: float | None
    """Share of needs with nothing stored for which something is shown."""
    silent: Value
    """Wordings that matched nothing although a file answers, of those in Latin and other letters."""
    silent_own_text: Value
    """The same of wordings with Han, kana or Hangul."""


def compare_variants(evaluation: Evaluation, suites: Sequence[str] = ()) -> tuple[VariantLine, ...]:
    """A line for each variant, controls last, else by success@5, then success@10, the best first; equal ones by name.

    A figure that is not defined on a suite is left out of the mean over suites.

    Args:
        evaluation: several suites, all variants.
        suites: names of those that count; () = all.
    """
    chosen = [suite for suite in evaluation.suites if not suites or suite.name in suites]
    results: dict[str, list[tuple[str, VariantResult]]] = {}
    controls = set()
    for suite in chosen:
        for variant in suite.variants:
            results.setdefault(variant.name, []).append((suite.name, variant))
            if variant.control:
                controls.add(variant.name)
    lines = [_describe(name, found, evaluation) for name, found in results.items()]

    def place(line: VariantLine) -> tuple[bool, float, float, str]:
        return line.variant in controls, -(line.success_5 or 0.0), -(line.success_10 or 0.0), line.variant

    return tuple(sorted(lines, key=place))


def join_evaluations(evaluations: Sequence[Evaluation], labels: Sequence[str] = ()) -> Evaluation:
    """Several runs over different suites as one, with what their manifests have in common.

    Args:
        evaluations: one at least.
        labels: how a reader knows each, such as its file; () = by number, from 1.

    Raises:
        RunSettingError: a suite stands in two of them, or they were run with different settings.
    """
    named = list(
        zip(labels or [f"evaluation {place + 1}" for place in range(len(evaluations))], evaluations, strict=True)
    )
    homes: dict[str, str] = {}
    for label, evaluation in named:
        for suite in evaluation.suites:
            if suite.name in homes:
                raise RunSettingError(
                    f"suite {suite.name} stands in two of the evaluations, {homes[suite.name]} and {label}; give each "
                    "suite once"
                )
            homes[suite.name] = label
    first_label, first = named[0]
    for key in ("budget_bytes", "seed", "embedder", "reranker"):
        for label, other in named[1:]:
            if other.manifest.get(key) != first.manifest.get(key):
                raise RunSettingError(
                    f"{key} is {first.manifest.get(key)} in {first_label} and {other.manifest.get(key)} in {label}: "
                    "their figures do not belong into one table; run them with the same settings"
                )
    return Evaluation(
        manifest=first.manifest,
        versions=first.versions,
        timings={suite: found for one in evaluations for suite, found in one.timings.items()},
        suites=tuple(suite for one in evaluations for suite in one.suites),
    )


def _describe(name: str, results: Sequence[tuple[str, VariantResult]], evaluation: Evaluation) -> VariantLine:
    graded = [(suite, variant) for suite, variant in results if variant.error is None]

    def average(metric: str) -> float | None:
        values = [one.value for _, variant in graded if (one := variant.summary.get(metric)) and one.value is not None]
        return math.fsum(values) / len(values) if values else None

    times = [evaluation.timings.get(suite, {}).get(name, {}).get("p50_ms") for suite, _ in graded]
    known = [float(time) for time in times if isinstance(time, int | float)]
    return VariantLine(
        variant=name,
        suites=len(graded),
        success_5=average("success@5"),
        success_10=average("success@10"),
        found=average("found"),
        evidence=average("evidence-in-snippet"),
        files_shown=average("documents-shown"),
        bytes_shown=average("bytes-shown"),
        milliseconds=median(known) if known else None,
        false_hits=average("false-hit-rate"),
        silent=_share_silent((variant for _, variant in graded), is_own_text=False),
        silent_own_text=_share_silent((variant for _, variant in graded), is_own_text=True),
    )


def _share_silent(variants: Iterable[VariantResult], *, is_own_text: bool) -> Value:
    answers = [
        is_silent
        for variant in variants
        for query in variant.queries
        if query.verdict != UNGRADABLE and (not OWN_TEXT.isdisjoint(name_script(query.text).split("+"))) == is_own_text
        if (is_silent := is_silent_miss(query.matched, relevant_ids(query.expected))) is not None
    ]
    return Value(*mean(answers))
