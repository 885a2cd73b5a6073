"""Tables of finished values, for a terminal and for Markdown. Every rate stands beside its n."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from memeval.bench.evaluation import Evaluation, SuiteResult, Value, VariantResult
from memeval.errors import UnknownNameError
from memeval.metrics.registry import find_metric
from memeval.report.notation import (
    UNDEFINED,
    add_interval,
    add_n,
    count,
    format_budget,
    format_kibibytes,
    format_mean,
    format_rate,
    make_visible,
    measure_width,
    pad,
    quote_code,
    shorten_middle,
)

MAX_NAME_CHARACTERS = 40
"""Longest variant name on a terminal."""

_SUCCESS = re.compile(r"success@([1-9][0-9]{0,9})")

Writer = Callable[[float | None], str]
"""How a figure is written."""


@dataclass(frozen=True, slots=True)
class Series:
    """One figure of several variants, in their order."""

    label: str
    values: tuple[Value, ...]
    write: Writer
    with_intervals: bool = False
    """Whether a figure is followed by its interval, where it has one."""

    @property
    def n(self) -> int | None:
        """The number of cases all defined values stand on; None when they differ or none is defined."""
        numbers = {value.n for value in self.values if value.value is not None}
        return numbers.pop() if len(numbers) == 1 else None

    def write_cells(self) -> list[str]:
        """The figures as text, each with its interval if asked for, and with its n where no single n holds for all."""
        figures = [
            (value, write_estimate(value, self.write) if self.with_intervals else self.write(value.value))
            for value in self.values
        ]
        return [figure if self.n is not None else add_n(figure, value) for value, figure in figures]


def write_estimate(value: Value, write: Writer) -> str:
    """The figure as text, followed by its interval where it has one."""
    figure = write(value.value)
    return figure if value.interval is None else add_interval(figure, *map(write, value.interval))


def read_metric(variant: VariantResult, name: str) -> Value:
    """The variant's figure of that metric; an undefined one where it was not measured."""
    return variant.summary.get(name, Value(None, 0))


def choose_writer(metric: str) -> Writer:
    """How figures of that metric are written, by its unit; shares where the metric is unknown."""
    try:
        unit = find_metric(metric).unit
    except UnknownNameError:
        return format_rate
    return {"bytes": format_kibibytes, "documents": format_mean}.get(unit, format_rate)


def name_metric(metric: str) -> str:
    """The metric's name as a row label, with the unit its figures are written in where that is not a share."""
    writer = choose_writer(metric)
    return f"{metric} (KiB)" if writer is format_kibibytes else metric


def headline_series(suite: SuiteResult) -> list[Series]:
    """The figures of the first table one looks at: found, first wording, success at two cutoffs, misses, cost.

    Found carries its interval there, the others in the table of every metric.
    """

    def series(label: str, metric: str, *, with_intervals: bool = False) -> Series:
        values = tuple(read_metric(variant, metric) for variant in suite.variants)
        return Series(label, values, choose_writer(metric), with_intervals)

    return [
        series("found", "found", with_intervals=True),
        series("first wording", "found-first-wording"),
        *(series(metric, metric) for metric in _headline_successes(suite)),
        series("silent misses", "silent-miss-rate"),
        series("false hits", "false-hit-rate"),
        series("files shown", "documents-shown"),
        series("KiB shown", "bytes-shown"),
    ]


def _headline_successes(suite: SuiteResult) -> list[str]:
    """success@1 and success@5 where they were measured, else the two smallest cutoffs there are."""
    names = {name for variant in suite.variants for name in variant.summary}
    measured = sorted(int(match[1]) for match in map(_SUCCESS.fullmatch, names) if match)
    cutoffs = [k for k in (1, 5) if k in measured]
    return [f"success@{k}" for k in (cutoffs if len(cutoffs) == 2 else measured[:2])]


def write_caption(suite: SuiteResult, evaluation: Evaluation, name: str, quote: Callable[[str], str]) -> str:
    """What was measured on what: `ops-en · 48 files · 52 needs, 171 wordings · 16 KiB shown per search`.

    Args:
        suite: what was measured on.
        evaluation: the run, whose manifest has the cap and those variants that bring another one of their own.
        name: the suite's name as it is written where the caption stands.
        quote: how a variant's name is written there.
    """
    if suite.kind == "beir":
        asked = [count(suite.documents, "document"), count(suite.wordings, "query", "queries")]
    else:
        asked = [count(suite.documents, "file"), f"{count(suite.needs, 'need')}, {count(suite.wordings, 'wording')}"]
    budget = evaluation.manifest.get("budget_bytes")
    shown = []
    if isinstance(budget, int | float):
        caps = _find_own_caps(evaluation)
        own = [
            f"{quote(variant.name)} {format_budget(caps[variant.name])}"
            for variant in suite.variants
            if caps.get(variant.name, budget) != budget
        ]
        shown = [f"{format_budget(budget)} shown per search" + (f" ({', '.join(own)})" if own else "")]
    return " · ".join([name, *asked, *shown])


def _find_own_caps(evaluation: Evaluation) -> dict[str, float]:
    """{variant: cap in bytes} of the variants whose configuration names one."""
    caps = {}
    for entry in evaluation.manifest.get("variants", ()):
        cap = entry.get("configuration", {}).get("max_bytes")
        if isinstance(cap, int | float):
            caps[entry["name"]] = cap
    return caps


def mark_control(variant: VariantResult, name: str) -> str:
    """`name` with a mark on a floor or ceiling and on a variant that could not be graded."""
    notes = ["control"] * variant.control + ["ungradable"] * (variant.error is not None)
    return f"{name} ({', '.join(notes)})" if notes else name


def render_terminal_table(suite: SuiteResult) -> str:
    """The suite's table for a terminal: one line a variant, a line with the n of each column under the header."""
    from tabulate import tabulate

    columns = headline_series(suite)
    names = [
        mark_control(variant, shorten_middle(make_visible(variant.name), MAX_NAME_CHARACTERS))
        for variant in suite.variants
    ]
    counts = ["" if column.n is None else f"n {column.n:,}" for column in columns]
    labels = [column.label for column in columns]
    rows = [labels, counts, *zip(*(column.write_cells() for column in columns), strict=True)]
    body = tabulate(rows, tablefmt="plain", disable_numparse=True, stralign="right")
    # tabulate measures wide characters only where wcwidth is installed; aligned here, names look the same everywhere.
    heads = ["variant", "", *names]
    width = max(map(measure_width, heads))
    return "\n".join(f"{pad(head, width)}  {line}".rstrip() for head, line in zip(heads, body.split("\n"), strict=True))


def render_markdown_table(headers: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> str:
    """A Markdown table of cells that are already safe; the first `left` columns to the left, the others to the right.

    Not padded: on a page no one sees it, and the width of wide characters depends on what is installed.
    """
    rules = [":---" if place < left else "---:" for place in range(len(headers))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (headers, rules, *rows))


def render_headline_table(suite: SuiteResult) -> str:
    """The suite's table in Markdown, the n of a column in its header."""
    names = [mark_control(variant, quote_code(variant.name)) for variant in suite.variants]
    return render_columns({"variant": names}, headline_series(suite))


def render_columns(heads: Mapping[str, Sequence[str]], columns: Sequence[Series]) -> str:
    """A Markdown table with one column a series, its n in its header, behind columns of safe Markdown by header."""
    headers = [column.label if column.n is None else f"{column.label} (n {column.n:,})" for column in columns]
    cells = zip(*heads.values(), *(column.write_cells() for column in columns), strict=True)
    return render_markdown_table([*heads, *headers], cells, left=len(heads))


def render_grid(corner: str, variants: Sequence[str], rows: Sequence[Series]) -> str:
    """A Markdown table with one column a variant and one row a series, whose label is already safe Markdown.

    The column `n` holds for its row; where the figures of a row stand on different cases it says `varies` and the n
    stands in each cell.
    """
    cells = ([row.label, _write_row_n(row), *row.write_cells()] for row in rows)
    return render_markdown_table([corner, "n", *map(quote_code, variants)], cells)


def _write_row_n(row: Series) -> str:
    if row.n is not None:
        return f"{row.n:,}"
    return UNDEFINED if all(value.value is None for value in row.values) else "varies"


def fold_away(summary: str, blocks: Iterable[str]) -> str:
    """A part of a Markdown page that opens on a click; `summary` is HTML."""
    return "\n\n".join([f"<details>\n<summary>{summary}</summary>", *blocks, "</details>"])
