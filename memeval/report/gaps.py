"""The section on gaps: what is lost where the words or the script are not those of the file. Finished values only."""

from __future__ import annotations

from memeval.bench.evaluation import Evaluation, SuiteResult, Value
from memeval.bench.gaps import BASE_KIND, find_kind_gaps, find_script_gaps
from memeval.report.notation import format_difference, format_rate, list_names, quote_code
from memeval.report.tables import Series, mark_control, render_columns, render_markdown_table, write_estimate

KIND_NOTE = (
    f"**Words**: found on wordings of kind `{BASE_KIND}`, less found on wordings of another kind. How many of each "
    "there are is the choice of whoever wrote the suite. The interval of a difference takes the rates for unrelated."
)
SCRIPT_NOTE = (
    "**Script**: the same needs in two suites of different languages, each asked once in each, in its first free "
    "wording. The n needs have something stored in both. The difference is paired by need (adjusted Wald interval); "
    "with 95 % confidence it is larger than the last column."
)


def write_script_gaps(evaluation: Evaluation) -> list[str]:
    """What the same needs lose in another language: an explanation and a table; empty without two such suites."""
    gaps = find_script_gaps(evaluation)
    if not gaps:
        return []
    headers = ["first − second", "variant", "n", "found in first", "found in second", "difference", "larger than"]
    rows = (
        [
            f"{quote_code(gap.first)} − {quote_code(gap.second)}",
            quote_code(gap.variant),
            f"{gap.difference.n:,}",
            write_estimate(gap.base, format_rate),
            write_estimate(gap.other, format_rate),
            write_estimate(gap.difference, format_difference),
            format_difference(gap.low),
        ]
        for gap in gaps
    )
    blocks = [SCRIPT_NOTE, render_markdown_table(headers, rows, left=2)]
    as_given = dict.fromkeys(quote_code(gap.second) for gap in gaps if not gap.is_free)
    if as_given:
        blocks.append(
            f"Against {list_names([*as_given])}: the first wording as given, since not all say which are free."
        )
    return blocks


def write_kind_gaps(suite: SuiteResult) -> list[str]:
    """What the suite's variants lose with the file's words, as a table; empty where a kind has too few wordings."""
    gaps = {(gap.variant, gap.kind): gap for gap in find_kind_gaps(suite)}
    kinds = list(dict.fromkeys(kind for _, kind in gaps))
    variants = [variant for variant in suite.variants if any((variant.name, kind) in gaps for kind in kinds)]
    if not variants:
        return []
    nothing = Value(None, 0)
    rows = [[gaps.get((variant.name, kind)) for kind in kinds] for variant in variants]
    bases = tuple(next(gap.base for gap in row if gap) for row in rows)
    columns = [Series(quote_code(BASE_KIND), bases, format_rate, with_intervals=True)]
    for place, kind in enumerate(kinds):
        others = tuple(gap.other if (gap := row[place]) else nothing for row in rows)
        columns.append(Series(quote_code(kind), others, format_rate, with_intervals=True))
    for place, kind in enumerate(kinds):
        differences = tuple(gap.difference if (gap := row[place]) else nothing for row in rows)
        label = f"{quote_code(BASE_KIND)} − {quote_code(kind)}"
        columns.append(Series(label, differences, format_difference, with_intervals=True))
    names = [mark_control(variant, quote_code(variant.name)) for variant in variants]
    return [render_columns({"variant": names}, columns)]
