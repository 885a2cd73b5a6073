"""The page on signals: each verdict with its figures, the ladder, and the needs behind them. Finished values only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memeval.bench.evaluation import Evaluation, QueryResult, VariantResult
from memeval.bench.signalrecord import RECORDED, SignalVerdict, StageOutcome
from memeval.report.notation import UNDEFINED, count, escape_prose, format_kibibytes, quote_code, quote_html
from memeval.report.retries import write_mix, write_percent, write_share
from memeval.report.signaltext import (
    find_chosen,
    find_result,
    name_language,
    write_cost,
    write_state,
    write_under,
    write_verdict,
)
from memeval.report.tables import fold_away, render_markdown_table

MAX_NEEDS = 60
"""Needs listed a verdict; the record has all."""
NOTE = (
    "The trigger counts the needs whose first wording has no expected file among its candidates, however deep one "
    "looks. It fires when its rate lies above the threshold with 95 % confidence, and is quiet when it lies below "
    "twice the threshold; recorded needs are weighed one by one instead, since they are looked at again and again. "
    "Where it fires, the same needs are asked up the ladder: the cheapest step that removes half of the triggers, "
    "leaves a rate not above the threshold and loses at most one in a hundred other wordings from the first five is "
    "recommended. Nothing else decides; the other signals explain."
)


def write_signals(evaluation: Evaluation) -> list[str]:
    """The blocks of the section; empty for an evaluation without a verdict."""
    if not evaluation.signals:
        return []
    blocks = [NOTE]
    for verdict in evaluation.signals:
        blocks += _write_block(verdict, evaluation)
    return blocks


def _write_block(verdict: SignalVerdict, evaluation: Evaluation) -> Iterable[str]:
    basis = ", recorded needs" if verdict.basis == RECORDED else ""
    head = f"{quote_code(verdict.suite)}, {escape_prose(name_language(verdict))}, {quote_code(verdict.variant)}{basis}"
    said = write_verdict(verdict) if verdict.decides else "explains, and does not decide"
    yield f"**{head}**: {escape_prose(said, 600)}"
    yield render_markdown_table(["signal", "figure", "what it says"], _list_rows(verdict), left=3)
    result = find_result(evaluation, verdict)
    if verdict.stages:
        yield render_markdown_table(
            [
                "step",
                "stage",
                "misses left",
                "helps",
                "cures",
                "first five elsewhere",
                "false hits",
                "KiB a search",
                "takes",
            ],
            (_list_cells(one) for one in verdict.stages),
        )
    chosen = find_chosen(verdict)
    if chosen is not None and result is not None:
        lines = (write_cost(verdict, chosen, evaluation, result.name), write_under(chosen))
        yield "\n".join(f"- {escape_prose(line, 600)}" for line in lines)
    if result is not None and verdict.missed_first.needs:
        found = {one.name: one for one in result.variants}
        yield _write_needs(verdict, found)


def _list_rows(verdict: SignalVerdict) -> Iterable[list[str]]:
    n = count(verdict.n, "need")
    yield ["S1 first wording misses", write_share(verdict.missed_first), f"of {n} with something stored"]
    yield ["S1a not matched: the trigger", write_share(verdict.not_matched), escape_prose(write_state(verdict), 400)]
    yield ["S1b matched, not shown", write_share(verdict.not_shown), "a fault of rank or cap, not of words"]
    most = ""
    if verdict.basis == RECORDED:
        most = (
            f"{count(verdict.abandoned or 0, 'abandoned need')}, with them {write_percent(verdict.zero_overlap_most)}"
        )
    yield ["S2 zero-overlap retries", write_share(verdict.zero_overlap), most]
    if verdict.script is not None:
        gap = verdict.script
        low, high = (f"{100 * end:.0f}" for end in gap.interval)
        said = f"less than in {quote_code(gap.suite)}, {count(gap.n, 'need')} in both"
        yield ["S3 script gap", f"{100 * gap.value:.0f} pt [{low}, {high}]", said + ", firing" * gap.fires]
    yield ["S4 aliases remove", write_percent(verdict.aliases_remove), _write_net(verdict.aliases_net)]
    yield ["S5 beyond them an embedding", write_percent(verdict.embedding_removes), ""]
    census = verdict.census
    yield ["S6 files", f"{census.files:,}", f"{format_kibibytes(census.bytes)} KiB"]
    yield ["S6 context block cut", write_percent(census.cut_share), ""]
    yield ["S6 words asked that stand in the file", write_percent(census.consistency), "; ".join(census.notes)]
    yield ["author's mix", write_share(verdict.mix.first_unseen), "first wordings without a common word"]
    if verdict.mix.recorded is not None:
        yield ["recorded mix", write_share(verdict.mix.recorded), f"miss rate {write_percent(verdict.mix.rate)}"]
    yield ["break-even share", write_percent(verdict.mix.break_even), escape_prose(write_mix(verdict.mix), 400)]


def _write_net(net: int | None) -> str:
    return "" if net is None else f"{net:+d} other wordings in the first five"


def _list_cells(one: StageOutcome) -> list[str]:
    name = quote_code(one.variant)
    if one.left is None:
        return [name, f"{one.stage}", f"not run: {escape_prose(one.not_run or '')}", *[UNDEFINED] * 6]
    takes = [escape_prose(package) for package in one.packages]
    takes += [f"{format_kibibytes(one.store_bytes)} KiB of aliases"] if one.store_bytes else []
    takes += [f"refused: {escape_prose(one.refused)}"] if one.refused else []
    return [
        name,
        f"{one.stage}",
        f"{one.left.count}" + (f" ({len(one.new)} new)" if one.new else ""),
        "yes" if one.helps else "no",
        "yes" if one.cures else "no",
        f"{len(one.won)} in, {len(one.lost)} out of {one.others:,}",
        f"{len(one.false_hits)} of {one.unstored_wordings}, before {one.false_hits_before}",
        format_kibibytes(one.bytes_shown),
        ", ".join(takes) or "nothing",
    ]


def _write_needs(verdict: SignalVerdict, variants: Mapping[str, VariantResult]) -> str:
    """Every need that is missed at first, what was asked, and which steps leave it."""
    first = _list_first(variants[verdict.variant])
    steps = [one for one in verdict.stages if one.left is not None]
    triggers = set(verdict.not_matched.needs)
    rows = []
    for need in verdict.missed_first.needs[:MAX_NEEDS]:
        query = first[need]
        expected = ", ".join(quote_code(doc_id) for doc_id in sorted(query.expected_ranks)[:2])
        left = [_mark(need, one) for one in steps]
        rows.append([quote_code(need), quote_code(query.text), expected, "yes" if need in triggers else "no", *left])
    blocks = [
        render_markdown_table(
            ["need", "first wording", "expected", "triggers", *(quote_code(one.variant) for one in steps)], rows, left=3
        )
    ]
    rest = len(verdict.missed_first.needs) - MAX_NEEDS
    if rest > 0:
        blocks.append(f"… {count(rest, 'more need')} in `evaluation.json`.")
    new = {one.variant: one.new for one in steps if one.new}
    blocks += [f"New under {quote_code(name)}: {', '.join(map(quote_code, needs))}" for name, needs in new.items()]
    summary = f"{count(len(verdict.missed_first.needs), 'need')} missed at first by {quote_html(verdict.variant)}"
    return fold_away(summary, blocks)


def _mark(need: str, one: StageOutcome) -> str:
    return "left" if one.left is not None and need in one.left.needs else "gone"


def _list_first(variant: VariantResult) -> Mapping[str, QueryResult]:
    """{need: its first free wording, else the first as given}."""
    first: dict[str, QueryResult] = {}
    for query in variant.queries:
        known = first.get(query.need)
        if known is None or (query.elicited == "free" and known.elicited != "free"):
            first[query.need] = query
    return first
