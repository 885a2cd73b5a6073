"""The parts of the written report that hold evidence: each function gives the blocks of one section for one suite."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from memeval.bench.evaluation import Contrast, Evaluation, QueryResult, SuiteResult, Value, VariantResult
from memeval.report.aliases import write_effects
from memeval.report.labels import Key
from memeval.report.misses import MissedNeed, group_misses, needs_missed_by_all, systems_of, ungradable_queries
from memeval.report.notation import (
    MAX_FAULT_CHARACTERS,
    count,
    escape_prose,
    format_rate,
    list_names,
    quote_code,
    quote_html,
)
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
"""Missed needs listed in a whole report, shared out evenly: a page of half a megabyte is no longer rendered.
False hits come on top, in lists of the same length."""
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
COVERAGE_NOTE = (
    "Needs per failure mode and script, by the folder's `coverage.yaml`, and in brackets how many of the kinds of "
    "memory wanted there have one. –: none is wanted. That a need is there is all it says, not that it is found."
)
WORDING_NUMBER_NOTE = (
    "Each row counts the needs that have a wording of that number: rows of another n are of other needs."
)


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
                lines.append(f"{head}: {escape_prose(variant.error, MAX_FAULT_CHARACTERS)}")
                continue
            lines.append(head)
            for query in broken[:MAX_UNGRADABLE]:
                why = escape_prose(query.reason or "no reason recorded", MAX_FAULT_CHARACTERS)
                lines.append(f"  - {quote_code(query.id)} {quote_code(query.text)}: {why}")
            if len(broken) > MAX_UNGRADABLE:
                lines.append(f"  - … {len(broken) - MAX_UNGRADABLE:,} more in {RECORD}")
    if not lines:
        return ""
    head = "**Some wordings are ungradable.** The harness or a file is broken there; no figure below counts them."
    return "\n".join(f"> {line}".rstrip() for line in ("[!CAUTION]", head, "", *lines))


def write_results(suite: SuiteResult) -> list[str]:
    """Where the suite comes from, the headline table, what aliases do, and every metric folded away."""
    if not suite.variants:
        return ["No variant was run."]
    metrics = dict.fromkeys(name for variant in suite.variants for name in variant.summary)
    rows = [
        Series(
            quote_code(name_metric(name)),
            tuple(read_metric(variant, name) for variant in suite.variants),
            choose_writer(name),
            with_intervals=True,
        )
        for name in metrics
    ]
    grid = render_grid("metric", [variant.name for variant in suite.variants], rows)
    return [
        *_write_provenance(suite),
        render_headline_table(suite),
        *write_effects(suite),
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
    """The plots as images with their titles as alternative text, each with its note below."""
    return [block for plot in plots for block in (f"![{escape_prose(plot.title)}]({plot.file})", plot.note) if block]


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
        labels = _order_labels(dimension, queries, found)
        rows = [
            Series(
                quote_code(label),
                tuple(found.get((label, variant.name), Value(None, 0)) for variant in suite.variants),
                format_rate,
                with_intervals=True,
            )
            for label in labels
        ]
        blocks.append(f"Found by {title}")
        blocks.append(render_grid(title, [variant.name for variant in suite.variants], rows))
        if dimension == "wording":
            blocks.append(WORDING_NUMBER_NOTE)
        if len(labels) < len(queries):
            rest = len(queries) - len(labels)
            blocks.append(f"… {count(rest, 'more tag')} not shown; see {RECORD}.")
    return blocks


def _order_labels(dimension: str, queries: Mapping[str, int], found: Mapping[tuple[str, str], Value]) -> list[str]:
    """The labels as shown: numbers in order, tags by how many cases their figures stand on, others as recorded.

    Of the tags only the first are shown; those without any figure come last.
    """
    if dimension == "wording":
        return sorted(queries, key=lambda label: (len(label), label))
    if dimension == "tag":
        cases = dict.fromkeys(queries, 0)
        for (label, _), value in found.items():
            if value.value is not None:
                cases[label] = max(cases[label], value.n)
        return sorted(queries, key=lambda label: (-cases[label], label))[:MAX_TAGS]
    return list(queries)


def write_contrasts(suite: SuiteResult, limit: int) -> list[str]:
    """What only one of two variants found: a table of at most `limit` pairs, then the queries of each pair.

    The pairs of the variants that find most come first; of equals, those first by name.
    """
    if not suite.contrasts:
        return []
    pairs = _order_pairs(suite)[:limit]
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
        rest = count(len(suite.contrasts) - len(pairs), "more pair", "more pairs")
        blocks.append(f"… {rest}, of variants that find less, not shown; see {RECORD}.")
    return blocks + lists


def _order_pairs(suite: SuiteResult) -> list[Contrast]:
    """The best two, then the third with each of them, and so on; what is not among the variants stands last."""
    found = {variant.name: read_metric(variant, "found").value for variant in suite.variants}
    ranked = sorted(found, key=lambda name: (found[name] is None, -(found[name] or 0.0), name))
    places = {name: place for place, name in enumerate(ranked)}

    def place_pair(pair: Contrast) -> list[int]:
        return sorted((places.get(name, len(places)) for name in (pair.first, pair.second)), reverse=True)

    return sorted(suite.contrasts, key=place_pair)


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


def write_coverage(evaluation: Evaluation) -> list[str]:
    """The tables of the coverage ledgers with how they are read; empty without one."""
    tables = [
        render_markdown_table(
            [escape_prose(cell) for cell in head], ([escape_prose(cell) for cell in row] for row in rows)
        )
        for head, *rows in evaluation.coverage
    ]
    return [COVERAGE_NOTE, *tables] if tables else []


def share_out_misses(evaluation: Evaluation) -> int:
    """How many missed needs are listed per suite and variant."""
    lists = sum(len(systems_of(suite)) + 1 for suite in evaluation.suites)
    return max(MIN_NEEDS_PER_LIST, min(MAX_NEEDS_PER_LIST, MAX_MISSED_NEEDS // max(1, lists)))


def share_out_pairs(evaluation: Evaluation) -> int:
    """How many pairs of variants are contrasted per suite."""
    return max(MIN_PAIRS_PER_SUITE, min(MAX_PAIRS_PER_SUITE, MAX_PAIRS // max(1, len(evaluation.suites))))


def write_misses(suite: SuiteResult, limit: int) -> list[str]:
    """What no variant finds, then the misses and false hits of each variant that is no control.

    Every list has at most `limit` needs, the surplus counted.
    """
    variants = [_write_variant_misses(variant, limit) for variant in systems_of(suite)]
    return [*_write_lost_by_all(suite, limit), *variants] if len(variants) > 1 else variants


def _write_lost_by_all(suite: SuiteResult, limit: int) -> list[str]:
    """The needs that no wording of any variant finds, each with the attempt that came closest; empty without any."""
    lost = needs_missed_by_all(suite)
    if not lost:
        return []
    lines = [
        f"{_write_head(need.group)}; closest is {quote_code(need.variant)}: {_write_query(need.query)}"
        for need in lost[:limit]
    ]
    verb = "need is" if len(lost) == 1 else "needs are"
    head = f"**{len(lost):,} {verb} found by no wording of any of {len(systems_of(suite))} variants:**"
    return [head, "\n".join(lines + _count_rest(lost, limit, "need"))]


def _write_variant_misses(variant: VariantResult, limit: int) -> str:
    groups = group_misses(variant)
    if not groups:
        return f"{quote_code(variant.name)} misses nothing."
    missed = [group for group in groups if group.expected]
    false_hits = [group for group in groups if not group.expected]
    stored = sum(query.found is not None for query in variant.queries)
    wordings = sum(len(group.missed) for group in missed)
    summary = f"{quote_html(variant.name)}: {wordings:,} of {count(stored, 'wording')} missed"
    if any(group.asked > 1 for group in missed):
        summary += f", {count(sum(group.by_every_wording for group in missed), 'need')} by every wording"
    blocks = []
    if missed:
        lines = [line for group in missed[:limit] for line in _write_group(group, "missed", _write_query)]
        blocks.append("\n".join(lines + _count_rest(missed, limit, "need with misses", "needs with misses")))
    if false_hits:
        summary += f", {count(sum(len(group.missed) for group in false_hits), 'false hit')}"
        lines = [line for group in false_hits[:limit] for line in _write_group(group, "answered", _write_false_hit)]
        lines += _count_rest(false_hits, limit, "need with false hits", "needs with false hits")
        blocks += ["False hits: files shown although nothing is stored", "\n".join(lines)]
    return fold_away(summary, blocks)


def _count_rest(groups: Sequence[object], limit: int, noun: str, plural: str | None = None) -> list[str]:
    """A last line that counts what stands beyond `limit`; empty without surplus."""
    rest = len(groups) - limit
    return [f"- … {count(rest, f'more {noun}', plural and f'more {plural}')}; all in {RECORD}"] if rest > 0 else []


def _write_head(group: MissedNeed) -> str:
    head = f"- {'**must find**, ' * group.must_find}**{quote_code(group.need)}**"
    return f"{head}, expected {_name_files(group.expected)}" if group.expected else head


def _name_files(doc_ids: Sequence[str]) -> str:
    files = [quote_code(doc_id) for doc_id in doc_ids[:MAX_FILES_NAMED]]
    return list_names(files + [f"{len(doc_ids) - MAX_FILES_NAMED:,} more"] * (len(doc_ids) > MAX_FILES_NAMED))


def _write_group(group: MissedNeed, fault: str, write: Callable[[QueryResult], str]) -> list[str]:
    """The need, then its wordings below it; on one line where it has a single wording."""
    if group.asked == 1:
        return [f"{_write_head(group)}: {write(group.missed[0])}"]
    lines = [f"{_write_head(group)}; {len(group.missed)} of {group.asked} wordings {fault}"]
    lines += [f"  - {write(query)}" for query in group.missed[:MAX_WORDINGS_PER_NEED]]
    if len(group.missed) > MAX_WORDINGS_PER_NEED:
        lines.append(f"  - … {count(len(group.missed) - MAX_WORDINGS_PER_NEED, 'more wording')}")
    return lines


def _write_query(query: QueryResult) -> str:
    """The wording, its kind and why it is a miss; class and cheapest cure where the run found them out."""
    why = f": {escape_prose(query.reason)}" if query.reason is not None else ""
    if query.cause is not None:
        cure = "no cure found" if query.cause.cure is None else f"cure: {escape_prose(query.cause.cure)}"
        why += f" – **{escape_prose(query.cause.miss_class)}**, {cure}"
    return f"{_quote_wording(query)}{why}"


def _write_false_hit(query: QueryResult) -> str:
    """The wording, its kind and the first of the files it shows."""
    return f"{_quote_wording(query)}: {_name_files(query.shown)}" if query.shown else _write_query(query)


def _quote_wording(query: QueryResult) -> str:
    return quote_code(query.text) + (f" ({escape_prose(query.kind)})" if query.kind is not None else "")
