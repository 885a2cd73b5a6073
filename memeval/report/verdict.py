"""What a table says, in words: who finds most, who on the first wording, where they differ. Finished values only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from memeval.bench.evaluation import Evaluation, SuiteResult, Value, VariantResult
from memeval.report.misses import systems_of
from memeval.report.notation import add_n, count, format_rate, list_names, quote_code
from memeval.report.tables import Series, read_metric

SMALL_N = 30
"""Below this many cases a figure is called small."""
MIN_SLICE_N = 10
"""Fewer cases are no place to look for a difference."""
MAX_NAMED = 5
"""Variants named in one sentence; the table beside it has them all."""
COMPARED_DIMENSIONS = {"kind": "wordings of kind", "lang": "language"}

Figure = tuple[str, Value]
"""A variant's name and its figure."""


def write_verdict(suite: SuiteResult) -> list[str]:
    """The suite's verdict as sentences of Markdown, the most important first; never empty."""
    systems = systems_of(suite)
    if not suite.variants:
        return ["No variant was run."]
    if not systems:
        broken = any(variant.error is not None for variant in suite.variants)
        return ["No variant could be graded." if broken else "Only controls were run: there is nothing to choose from."]
    found = _rank(systems, "found")
    sentences = [
        _write_leaders(found),
        _write_first_wording(systems, _leaders(found)) if suite.wordings > suite.needs else "",
        _write_contrast(suite, found),
        _write_difference(systems),
        _write_false_hits(systems),
        _write_controls(suite),
        _write_caution(found),
    ]
    return [sentence for sentence in sentences if sentence]


def write_tally(evaluation: Evaluation) -> str:
    """One sentence over several suites: in how many of them each variant finds most."""
    rankings = [_rank(systems_of(suite), "found") for suite in evaluation.suites]
    wins = Counter(name for ranked in rankings for name in _leaders(ranked))
    if not wins:
        return "No suite has a wording with something to find that could be graded."
    parts = [f"{quote_code(name)} in {number}" for name, number in wins.most_common(MAX_NAMED)]
    graded = sum(map(bool, rankings))
    return f"Most is found by {list_names(parts)} of {count(graded, 'suite')} (a tie counts for each)."


def _rank(variants: Sequence[VariantResult], metric: str) -> list[Figure]:
    """The variants whose figure is defined, highest first, ties in the order of the record."""
    figures = [(variant.name, read_metric(variant, metric)) for variant in variants]
    defined = [(name, value) for name, value in figures if value.value is not None]
    return sorted(defined, key=lambda figure: -_share(figure))


def _share(figure: Figure) -> float:
    return figure[1].value or 0.0


def _leaders(ranked: Sequence[Figure]) -> list[str]:
    return [figure[0] for figure in ranked if _share(figure) == _share(ranked[0])]


def _name_some(names: Sequence[str]) -> str:
    """The names as code, the surplus counted."""
    named = [quote_code(name) for name in names[:MAX_NAMED]]
    return list_names(named + [f"{len(names) - MAX_NAMED} more"] * (len(names) > MAX_NAMED))


def _write_figures(figures: Sequence[Figure], unit: str) -> str:
    """`` `a` 0.78 and `b` 0.60 (n 135 wordings each)``; the n beside each figure where they differ."""
    named = figures[:MAX_NAMED]
    n = Series("", tuple(value for _, value in named), format_rate).n
    parts = [
        f"{quote_code(name)} {format_rate(value.value) if n is not None else add_n(format_rate(value.value), value)}"
        for name, value in named
    ]
    if n is None:
        return list_names(parts) + f" (n: {unit}s)"
    return f"{list_names(parts)} (n {count(n, unit)}{' each' if len(named) > 1 else ''})"


def _write_leaders(ranked: Sequence[Figure]) -> str:
    if not ranked:
        return "No wording with something to find could be graded."
    if len(ranked) == 1:
        return f"Found: {_write_figures(ranked, 'wording')}."
    leaders = _leaders(ranked)
    verb = "find the same" if len(leaders) == len(ranked) else "find most" if len(leaders) > 1 else "finds most"
    return f"**{_name_some(leaders)} {verb}**: {_write_figures(ranked, 'wording')}."


def _write_first_wording(systems: Sequence[VariantResult], overall: Sequence[str]) -> str:
    ranked = _rank(systems, "found-first-wording")
    if not ranked:
        return ""
    figures = _write_figures(ranked, "need")
    leaders = _leaders(ranked)
    if len(ranked) == 1 or len(leaders) == len(ranked):
        return f"On the first wording: {figures}."
    verb = "find" if len(leaders) > 1 else "finds"
    return f"On the first wording {_name_some(leaders)} {verb} most{' too' * (leaders == overall)}: {figures}."


def _write_contrast(suite: SuiteResult, ranked: Sequence[Figure]) -> str:
    """What the first two of the ranking found alone."""
    if len(ranked) < 2:
        return ""
    pair = {ranked[0][0], ranked[1][0]}
    for contrast in suite.contrasts:
        if {contrast.first, contrast.second} == pair:
            alone = {contrast.first: contrast.only_first, contrast.second: contrast.only_second}
            best, second = ranked[0][0], ranked[1][0]
            if not alone[best] and not alone[second]:
                return f"{quote_code(best)} and {quote_code(second)} find the very same wordings."
            return (
                f"{quote_code(best)} finds {count(len(alone[best]), 'wording')} that {quote_code(second)} does not, "
                f"{quote_code(second)} {len(alone[second]):,} that {quote_code(best)} does not."
            )
    return ""


def _write_difference(systems: Sequence[VariantResult]) -> str:
    """The language or kind of wording where the variants' found lie furthest apart."""
    if len(systems) < 2:
        return ""
    groups: dict[tuple[str, str], list[Figure]] = {}
    labels: dict[str, set[str]] = {}
    for variant in systems:
        for part in variant.slices:
            if part.dimension in COMPARED_DIMENSIONS:
                value = part.summary.get("found", Value(None, 0))
                labels.setdefault(part.dimension, set()).add(part.label)
                if value.value is not None and value.n >= MIN_SLICE_N:
                    groups.setdefault((part.dimension, part.label), []).append((variant.name, value))
    gaps = []
    for (dimension, label), figures in groups.items():
        if len(labels[dimension]) > 1 and len(figures) > 1:
            ordered = sorted(figures, key=lambda figure: -_share(figure))
            gaps.append((_share(ordered[0]) - _share(ordered[-1]), dimension, label, [ordered[0], ordered[-1]]))
    gap, dimension, label, ends = max(gaps, key=lambda entry: entry[0], default=(0.0, "", "", []))
    if gap <= 0.0:
        return ""
    where = f"{COMPARED_DIMENSIONS[dimension]} {quote_code(label)}"
    return f"They differ most on {where}: {_write_figures(ends, 'wording')}."


def _write_false_hits(systems: Sequence[VariantResult]) -> str:
    ranked = _rank(systems, "false-hit-rate")
    if not any(value.value for _, value in ranked):
        return ""
    return f"Where nothing is stored, something is shown all the same: {_write_figures(ranked[::-1], 'wording')}."


def _write_controls(suite: SuiteResult) -> str:
    controls = [variant for variant in suite.variants if variant.control and variant.error is None]
    figures = _rank(controls, "found")
    return f"Controls: {_write_figures(figures[::-1], 'wording')}." if figures else ""


def _write_caution(ranked: Sequence[Figure]) -> str:
    """A warning where the figures stand on few wordings or not on the same ones."""
    if not ranked:
        return ""
    numbers = [value.n for _, value in ranked]
    if min(numbers) != max(numbers):
        return "The variants were not graded on the same wordings, so their figures are not comparable as they stand."
    if numbers[0] < SMALL_N:
        step = format_rate(1 / numbers[0])
        return f"With so few wordings (n {numbers[0]}) a single one moves found by {step}: read it as a hint."
    return ""
