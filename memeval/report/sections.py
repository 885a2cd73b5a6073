"""The parts of the written report that hold evidence: each function gives the blocks of one section for one suite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memeval.bench.evaluation import Contrast, Evaluation, QueryResult, SuiteResult, Value, VariantResult
from memeval.report.labels import Key
from memeval.report.misses import MissedNeed, group_misses, systems_of, ungradable_queries
from memeval.report.notation import count, escape_prose, format_rate, list_names, quote_code, quote_html
from memeval.report.plots import Plot
from memeval.report.tables import (
    Series,
    choose_writer,
    fold_away,
    name_metric,
    read_metric,
    render_grid,
    render_headline_table,
    render_markdown_table,
)

RECORD = "`evaluation.json`"
"""Where the whole record of a run stands."""

MAX_TAGS = 12
MAX_PAIRS, MIN_PAIRS_PER_SUITE, MAX_PAIRS_PER_SUITE = 90, 3, 15
"""Pairs of variants contrasted in a whole report, shared out evenly."""
MAX_ALONE = 10
"""Queries listed per pair and side."""
MAX_MISSED_NEEDS, MIN_NEEDS_PER_LIST, MAX_NEEDS_PER_LIST = 600, 2, 40
"""Missed needs listed in a whole report, shared out evenly: a page of half a megabyte is no longer rendered."""
MAX_WORDINGS_PER_NEED = 6
MAX_FILES_NAMED = 3
MAX_UNGRADABLE = 5

DIMENSIONS = {
    "lang": "language",
    "kind": "kind of wording",
    "elicited": "how the wording was elicited",
    "wording": "wording number",
    "tag": "tag",
}
"""What results are sliced by, in the order shown."""


def write_ungradable(evaluation: Evaluation) -> str:
    """A warning that lists what could not be graded, as a quoted block; empty when everything could."""
    lines = []
    for suite in evaluation.suites:
        for variant in suite.variants:
            broken = ungradable_queries(variant)
            if not broken and variant.error is None:
                continue
            share = f"{len(broken):,} of {count(len(variant.queries), 'wording')}"
            head = f"- {quote_code(suite.name)}, {quote_code(variant.name)}: {share}"
            if variant.error is not None:
                lines.append(f"{head}: {escape_prose(variant.error)}")
                continue
            lines.append(head)
            for query in broken[:MAX_UNGRADABLE]:
                why = escape_prose(query.reason) if query.reason is not None else "no reason recorded"
                lines.append(f"  - {quote_code(query.id)} {quote_code(query.text)}: {why}")
            if len(broken) > MAX_UNGRADABLE:
                lines.append(f"  - … {len(broken) - MAX_UNGRADABLE:,} more in {RECORD}")
    if not lines:
        return ""
    head = "**Some wordings are ungradable.** The harness or a file is broken there; no figure below counts them."
    return "\n".join(f"> {line}".rstrip() for line in ("[!CAUTION]", head, "", *lines))


def write_results(suite: SuiteResult) -> list[str]:
    """Where the suite comes from, the headline table, and every metric folded away."""
    if not suite.variants:
        return ["No variant was run."]
    metrics = dict.fromkeys(name for variant in suite.variants for name in variant.summary)
    rows = [
        Series(
            quote_code(name_metric(name)),
            tuple(read_metric(variant, name) for variant in suite.variants),
            choose_writer(name),
        )
        for name in metrics
    ]
    grid = render_grid("metric", [variant.name for variant in suite.variants], rows)
    return [
        *_write_provenance(suite),
        render_headline_table(suite),
        fold_away(f"Every metric on {quote_html(suite.name)}", [grid]),
    ]


def _write_provenance(suite: SuiteResult) -> list[str]:
    description = [escape_prose(suite.description)] if suite.description.strip() else []
    notes = []
    if suite.licence.strip():
        notes.append(f"Licence: {escape_prose(suite.licence)}.")
    if suite.unstored:
        verb = "has" if suite.unstored == 1 else "have"
        notes.append(f"{count(suite.unstored, 'need')} {verb} nothing stored: a search should stay silent there.")
    if suite.unjudged_queries:
        verb = "was" if suite.unjudged_queries == 1 else "were"
        left_out = count(suite.unjudged_queries, "query", "queries")
        notes.append(f"{left_out} without any judgement {verb} left out.")
    if suite.unknown_documents:
        verb = "names" if suite.unknown_documents == 1 else "name"
        rows = count(suite.unknown_documents, "judgement")
        notes.append(f"{rows} {verb} a file that the corpus does not hold; left out.")
    return description + ([" ".join(notes)] if notes else [])


def write_key(keys: Iterable[Key]) -> str:
    """Which id stands for which name in a picture; empty when no name may need one."""
    named = [f"{key.id} = {quote_code(key.name)}" for key in keys if key.may_be_id]
    if not named:
        return ""
    return f"Names without room or font in a picture stand there as ids: {', '.join(named)}."


def write_pictures(plots: Iterable[Plot]) -> list[str]:
    """The plots as images with their titles as alternative text."""
    return [f"![{escape_prose(plot.title)}]({plot.file})" for plot in plots]


def write_slices(suite: SuiteResult) -> list[str]:
    """Found per label, one table a dimension that has more than one label."""
    blocks = []
    for dimension, title in DIMENSIONS.items():
        queries: dict[str, int] = {}
        found: dict[tuple[str, str], Value] = {}
        for variant in suite.variants:
            for part in variant.slices:
                if part.dimension == dimension:
                    queries[part.label] = max(part.queries, queries.get(part.label, 0))
                    found[part.label, variant.name] = part.summary.get("found", Value(None, 0))
        if len(queries) < 2:
            continue
        labels = _order_labels(dimension, queries)
        rows = [
            Series(
                quote_code(label),
                tuple(found.get((label, variant.name), Value(None, 0)) for variant in suite.variants),
                format_rate,
            )
            for label in labels
        ]
        blocks.append(f"Found by {title}")
        blocks.append(render_grid(title, [variant.name for variant in suite.variants], rows))
        if len(labels) < len(queries):
            rest = len(queries) - len(labels)
            blocks.append(f"… {count(rest, 'rarer tag')} not shown; see {RECORD}.")
    return blocks


def _order_labels(dimension: str, queries: Mapping[str, int]) -> list[str]:
    """The labels as shown: numbers in order, the most frequent tags only, others as recorded."""
    if dimension == "wording":
        return sorted(queries, key=lambda label: (len(label), label))
    if dimension == "tag":
        return sorted(queries, key=lambda label: (-queries[label], label))[:MAX_TAGS]
    return list(queries)


def write_contrasts(suite: SuiteResult, limit: int) -> list[str]:
    """What only one of two variants found: a table of at most `limit` pairs, then the queries of each pair."""
    if not suite.contrasts:
        return []
    pairs = suite.contrasts
    if len(pairs) > limit:
        pairs = tuple(sorted(pairs, key=lambda pair: -len(pair.only_first) - len(pair.only_second))[:limit])
    table = render_markdown_table(
        ["A", "B", "only A found", "only B found"],
        (
            [quote_code(pair.first), quote_code(pair.second), f"{len(pair.only_first):,}", f"{len(pair.only_second):,}"]
            for pair in pairs
        ),
        left=2,
    )
    texts = {query.id: query.text for variant in suite.variants for query in variant.queries}
    lists = [_write_pair(pair, texts) for pair in pairs if pair.only_first or pair.only_second]
    blocks = [table]
    if len(pairs) < len(suite.contrasts):
        blocks.append(f"… {len(suite.contrasts) - len(pairs)} pairs that differ less not shown; see {RECORD}.")
    return blocks + lists


def _write_pair(pair: Contrast, texts: Mapping[str, str]) -> str:
    lines = []
    for name, other, ids in (
        (pair.first, pair.second, pair.only_first),
        (pair.second, pair.first, pair.only_second),
    ):
        lines.append(f"- found by {quote_code(name)}, not by {quote_code(other)}: {len(ids):,}")
        lines += [f"  - {quote_code(query_id)} {quote_code(texts.get(query_id, ''))}" for query_id in ids[:MAX_ALONE]]
        if len(ids) > MAX_ALONE:
            lines.append(f"  - … {len(ids) - MAX_ALONE:,} more")
    return fold_away(f"{quote_html(pair.first)} against {quote_html(pair.second)}", ["\n".join(lines)])


def share_out_misses(evaluation: Evaluation) -> int:
    """How many missed needs are listed per suite and variant."""
    lists = sum(len(systems_of(suite)) for suite in evaluation.suites)
    return max(MIN_NEEDS_PER_LIST, min(MAX_NEEDS_PER_LIST, MAX_MISSED_NEEDS // max(1, lists)))


def share_out_pairs(evaluation: Evaluation) -> int:
    """How many pairs of variants are contrasted per suite."""
    return max(MIN_PAIRS_PER_SUITE, min(MAX_PAIRS_PER_SUITE, MAX_PAIRS // max(1, len(evaluation.suites))))


def write_misses(suite: SuiteResult, limit: int) -> list[str]:
    """The missed needs of each variant that is no control, at most `limit` of them, the surplus counted."""
    return [_write_variant_misses(variant, limit) for variant in systems_of(suite)]


def _write_variant_misses(variant: VariantResult, limit: int) -> str:
    groups = group_misses(variant)
    missed = sum(len(group.missed) for group in groups if group.expected)
    false_hits = sum(len(group.missed) for group in groups if not group.expected)
    if not groups:
        return f"{quote_code(variant.name)} misses nothing."
    lost = sum(group.by_every_wording for group in groups if group.expected)
    summary = f"{quote_html(variant.name)}: {missed:,} of {count(len(variant.queries), 'wording')} missed"
    if any(group.asked > 1 for group in groups):
        summary += f", {count(lost, 'need')} by every wording"
    summary += f"; {count(false_hits, 'false hit')}" if false_hits else ""
    lines = [line for group in groups[:limit] for line in _write_need(group)]
    if len(groups) > limit:
        lines.append(f"- … {count(len(groups) - limit, 'more need')} with misses; the full list stands in {RECORD}")
    return fold_away(summary, ["\n".join(lines)])


def _write_need(group: MissedNeed) -> list[str]:
    if group.expected:
        files = [quote_code(doc_id) for doc_id in group.expected[:MAX_FILES_NAMED]]
        files += [f"{len(group.expected) - MAX_FILES_NAMED} more"] * (len(group.expected) > MAX_FILES_NAMED)
        expected = f"expected {list_names(files)}"
    else:
        expected = "nothing is stored"
    head = f"- {'**must find**, ' * group.must_find}**{quote_code(group.need)}**, {expected}"
    if group.asked == 1:
        return [f"{head}: {_write_query(group.missed[0])}"]
    fault = "wordings missed" if group.expected else "wordings answered all the same"
    lines = [f"{head}; {len(group.missed)} of {group.asked} {fault}"]
    lines += [f"  - {_write_query(query)}" for query in group.missed[:MAX_WORDINGS_PER_NEED]]
    if len(group.missed) > MAX_WORDINGS_PER_NEED:
        lines.append(f"  - … {count(len(group.missed) - MAX_WORDINGS_PER_NEED, 'more wording')}")
    return lines


def _write_query(query: QueryResult) -> str:
    kind = f" ({escape_prose(query.kind)})" if query.kind is not None else ""
    why = f": {escape_prose(query.reason)}" if query.reason is not None else ""
    return f"{quote_code(query.text)}{kind}{why}"
