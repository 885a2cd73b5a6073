"""The section on gaps: script gaps over suites, kind gaps per suite, and when there is nothing to show."""

from __future__ import annotations

import dataclasses

from memeval.bench.gaps import find_kind_gaps, find_script_gaps
from memeval.report import render_report
from memeval.report.gaps import KIND_NOTE, SCRIPT_NOTE, write_kind_gaps, write_script_gaps
from memeval.report.notation import format_difference, format_rate


def in_language(suite, lang):
    """The suite as one in that language."""
    return dataclasses.replace(suite, lang=lang)


def test_a_row_a_pair_of_suites_and_variant(evaluate, invent):
    """The figures are those found from the evaluation, each with its interval; the pair is named as what it is."""
    names = ["weak", "strong"]
    evaluation = evaluate(
        in_language(invent("維運", names, needs=40, seed=1), "zh"), in_language(invent("ops", names, needs=40), "en")
    )
    note, table = write_script_gaps(evaluation)
    assert note == SCRIPT_NOTE
    first, second = find_script_gaps(evaluation)
    assert (first.variant, second.variant) == ("weak", "strong")
    row = table.splitlines()[2]
    assert row.startswith("| `ops` − `維運` | `weak` | 36 | ")
    low, high = map(format_difference, first.difference.interval)
    assert f"| {format_difference(first.difference.value)} [{low}, {high}] | {format_difference(first.low)} |" in row
    assert f"| {format_rate(first.base.value)} [" in row
    assert len(table.splitlines()) == 4


def test_suites_without_labels_are_marked(evaluate, invent):
    """Where no wording is said to be free, the first as given was taken, and the section says so."""
    suites = [in_language(invent(name, ["weak"], needs=40), name) for name in ("en", "zh")]
    bare = []
    for suite in suites:
        (variant,) = suite.variants
        queries = tuple(dataclasses.replace(query, elicited=None) for query in variant.queries)
        bare.append(dataclasses.replace(suite, variants=(dataclasses.replace(variant, queries=queries),)))
    *_, remark = write_script_gaps(evaluate(*bare))
    assert remark == "Against `zh`: the first wording as given, since not all say which are free."
    assert len(write_script_gaps(evaluate(*suites))) == 2


def test_a_column_a_kind_and_a_difference(invent):
    """Rates first, then what each other kind loses; one n a column."""
    suite = invent("ops", ["weak", "oracle"], needs=40)
    (table,) = write_kind_gaps(suite)
    head, _, weak, oracle = table.splitlines()
    assert head == (
        "| variant | `same-words` (n 36) | `paraphrase` (n 36) | `unseen-words` (n 36) | "
        "`same-words` − `paraphrase` (n 72) | `same-words` − `unseen-words` (n 72) |"
    )
    assert weak.count("[") == 5
    assert oracle.startswith("| `oracle` (control) |")
    gap = next(gap for gap in find_kind_gaps(suite) if gap.variant == "weak" and gap.kind == "unseen-words")
    assert f"| {format_difference(gap.difference.value)} [" in weak


def test_notes_stand_where_there_is_something_to_note(small, evaluate, invent):
    """A suite with too few wordings of a kind has no section; each note comes with its table only."""
    assert "## Gaps" not in render_report(small)
    assert write_kind_gaps(small.suites[0]) == []
    alone = render_report(evaluate(invent("ops", ["weak"], needs=40)))
    assert KIND_NOTE in alone
    assert SCRIPT_NOTE not in alone
    pair = [in_language(invent(name, ["weak"], needs=40), name) for name in ("en", "zh")]
    bare = [
        dataclasses.replace(
            suite, variants=tuple(dataclasses.replace(variant, slices=()) for variant in suite.variants)
        )
        for suite in pair
    ]
    text = render_report(evaluate(*bare))
    assert SCRIPT_NOTE in text
    assert KIND_NOTE not in text
