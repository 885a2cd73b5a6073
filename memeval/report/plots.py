"""Plots of finished values as PNG files: recall@k, found per variant and suite, found by wording number.

Figures are built by matplotlib's object interface on the Agg canvas: no window, no global state, one look whatever the
reader's own matplotlib settings are. Text from data is never read as a formula.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memeval.bench.evaluation import Evaluation, SuiteResult, Value, VariantResult
from memeval.report.labels import Key, Lettering, choose_lettering, list_keys
from memeval.report.notation import format_rate, measure_width
from memeval.report.tables import Series, read_metric

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DPI = 144
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"""Okabe and Ito's palette without its yellow, which is faint on white: told apart with any kind of colour vision."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")
CONTROL_COLOUR = "#777777"
UNDEFINED_COLOUR = "#e8e8e8"
GRID = "#dddddd"
"""The colour of a grid on white paper."""
PLOT_WIDTH = 7.2
"""Inches for a plot without its legend."""
CHARACTER_WIDTH = 0.085
"""Inches that one column of a label takes, on the safe side."""
MAX_UPRIGHT_WIDTH = 14
"""Longest suite name, in columns, that is written level under its column."""
WORDINGS_NOTE = (
    "Each j counts the needs that have a j-th wording: where n changes, so do the needs, and a line may fall."
)


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture of the report."""

    file: str
    title: str
    """What it shows, in words, for readers who do not see it."""
    suite: int | None = None
    """Place of its suite in the evaluation, from 0; None for all suites."""
    note: str = ""
    """What a reader has to know to read it, as Markdown."""


class Plotter:
    """Draws the figures of one evaluation, each variant in the same colour and marker throughout."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.suite_keys, self.variant_keys = list_keys(evaluation)
        self.lettering: Lettering = choose_lettering((*self.suite_keys, *self.variant_keys))
        self._controls = {variant.name for suite in evaluation.suites for variant in suite.variants if variant.control}
        self._places = {key.name: place for place, key in enumerate(self.variant_keys)}

    def draw_recall(self, place: int) -> Figure | None:
        """Recall@k over k, one line a variant, controls dashed; None when the suite at `place` has no curve."""
        with self._picture() as figure:
            axes = self._draw_recall_curves(figure, self.evaluation.suites[place])
            if axes is None:
                return None
            axes.set_title(f"{self._suite_label(place)}\nRelevant documents in the top k", loc="left")
        return figure

    def draw_wordings(self, place: int) -> Figure | None:
        """Share of needs found by one of their first j wordings, over j; None when no need has two wordings."""
        suite = self.evaluation.suites[place]
        curves = [(variant, variant.found_by_wording) for variant in suite.variants]
        counts: dict[int, set[int]] = {}
        for _, curve in curves:
            for number, value in curve:
                if value.value is not None:
                    counts.setdefault(number, set()).add(value.n)
        if len(counts) < 2:
            return None
        with self._picture() as figure:
            axes = self._draw_curves(figure, curves, "by wording {}")
            if axes is None:
                return None
            numbers = sorted(counts)
            axes.set_title(f"{self._suite_label(place)}\nNeeds found by one of their first j wordings", loc="left")
            axes.set_xlabel("j (wordings tried), below it n: needs that have a j-th wording")
            axes.set_ylabel("found (share of those needs)")
            axes.set_xticks(numbers, [f"{number}\nn {_write_range(counts[number])}" for number in numbers])
            axes.set_xlim(numbers[0] - 0.3, numbers[-1] + 0.3)
            width, height = figure.get_size_inches()
            figure.set_size_inches(max(width, 3.5 + 0.55 * len(numbers)), height)
        return figure

    def draw_heat_map(self) -> Figure | None:
        """Found per variant (rows) and suite (columns), the value in its cell; None without suites or variants."""
        suites, keys = self.evaluation.suites, self.variant_keys
        if not keys:
            return None
        columns = [self._found_column(suite) for suite in suites]
        labels = [self._suite_label(place) for place in range(len(suites))]
        upright = max(map(measure_width, labels)) <= MAX_UPRIGHT_WIDTH
        space = "\n" if upright else " "
        heads = [
            label if column.n is None else f"{label}{space}(n {column.n:,})"
            for label, column in zip(labels, columns, strict=True)
        ]
        mixed = any(column.n is None and any(value.n for value in column.values) for column in columns)
        cell_width = max(1.15 if mixed else 0.8, 0.1 * max(map(measure_width, labels)) if upright else 0.0)
        rows = [self._row_label(key) for key in keys]
        width = 1.7 + CHARACTER_WIDTH * max(map(measure_width, rows)) + max(2.6, cell_width * len(suites))
        height = max(3.2, 1.7 + 0.38 * len(keys)) + (0.0 if upright else 0.9)
        with self._picture() as figure:
            figure.set_size_inches(width, height)
            axes = figure.add_subplot()
            shares = [[as_number(column.values[row]) for column in columns] for row in range(len(keys))]
            image = axes.imshow(shares, cmap="cividis", vmin=0.0, vmax=1.0, aspect="auto")
            axes.set_facecolor(UNDEFINED_COLOUR)
            for x, column in enumerate(columns):
                for y, (value, cell) in enumerate(zip(column.values, column.write_cells(), strict=True)):
                    dark = value.value is not None and value.value < 0.5
                    axes.text(x, y, cell, ha="center", va="center", fontsize=9, color="white" if dark else "black")
            axes.set_title("Found, per variant and suite", loc="left")
            axes.set_xlabel("suite (n: wordings with something stored)")
            axes.set_ylabel("variant")
            axes.set_yticks(range(len(keys)), rows)
            if upright:
                axes.set_xticks(range(len(heads)), heads)
            else:
                axes.set_xticks(range(len(heads)), heads, rotation=40, ha="right", rotation_mode="anchor")
            axes.tick_params(length=0)
            axes.spines[:].set_visible(False)
            bar = figure.colorbar(image, ax=axes, shrink=0.9, aspect=25, pad=0.03)
            bar.set_label("found (share of wordings)")
        return figure

    def _found_column(self, suite: SuiteResult) -> Series:
        """The suite's found per variant of the evaluation; undefined for a variant it was not asked of."""
        asked = {variant.name: read_metric(variant, "found") for variant in suite.variants}
        values = tuple(asked.get(key.name, Value(None, 0)) for key in self.variant_keys)
        return Series(suite.name, values, format_rate)

    def _draw_recall_curves(self, figure: Figure, suite: SuiteResult) -> Axes | None:
        """Labelled axes with the suite's recall@k over k, one line a variant; None without a curve."""
        curves = [(variant, variant.recall_curve) for variant in suite.variants]
        axes = self._draw_curves(figure, curves, "recall@{}")
        if axes is None:
            return None
        axes.set_xlabel("k (ranks)")
        axes.set_ylabel("recall@k (mean share of the relevant documents)")
        scale_ranks(axes, sorted({k for _, curve in curves for k, value in curve if value.value is not None}))
        return axes

    def _draw_curves(
        self, figure: Figure, curves: Sequence[tuple[VariantResult, tuple[tuple[int, Value], ...]]], measure: str
    ) -> Axes | None:
        """Axes with one line a variant that has a defined point, and the legend beside them; None without a line.

        The legend is in the order of the lines' right ends and gives their last figure, so that it can be read alone.
        """
        lines = []
        for variant, curve in curves:
            points = [(x, value.value, value.n) for x, value in curve if value.value is not None]
            if points:
                lines.append((variant, points))
        if not lines:
            return None
        last = max(points[-1][0] for _, points in lines)
        lines.sort(key=lambda line: -line[1][-1][1])
        same_n = len({points[-1][2] for _, points in lines}) == 1
        axes = figure.add_subplot()
        labels = []
        for place, (variant, points) in enumerate(lines):
            x, share, n = points[-1]
            notes = [format_rate(share)]
            notes += [f"({measure.format(x)})"] * (x != last) + [f"(n {n:,})"] * (not same_n)
            labels.append(f"{self._variant_label(variant.name)}  {' '.join(notes)}")
            xs, shares = [point[0] for point in points], [point[1] for point in points]
            above = lines[place + 1 :]
            covered_by = sum(other == points and not twin.control for twin, other in above)
            axes.plot(xs, shares, label=labels[-1], **self._style(variant, covered_by))
        width = PLOT_WIDTH + CHARACTER_WIDTH * max(map(measure_width, labels))
        figure.set_size_inches(width, max(4.6, 1.4 + 0.235 * len(lines)))
        frame_shares(axes)
        heading = measure.format(last) + (f" (n {lines[0][1][-1][2]:,})" if same_n else "")
        handles, _ = axes.get_legend_handles_labels()
        figure.legend(handles=handles, loc="outside right upper", title=heading, frameon=False, alignment="left")
        return axes

    def _style(self, variant: VariantResult, covered_by: int) -> dict[str, Any]:
        """Colour, marker and line of a variant; controls grey and dashed; wider below equal lines, so that all show."""
        place = self._places[variant.name]
        return {
            "color": CONTROL_COLOUR if variant.control else COLOURS[place % len(COLOURS)],
            "marker": MARKERS[place % len(MARKERS)],
            "linestyle": "--" if variant.control else "-",
            "linewidth": (1.2 if variant.control else 1.8) + 1.8 * min(covered_by, 2),
            "markersize": 5.5 + 1.5 * min(covered_by, 2),
            "zorder": 2.0 if variant.control else 2.5,
            "markeredgecolor": "white",
            "markeredgewidth": 0.7,
        }

    def _suite_label(self, place: int) -> str:
        return self.lettering.label(self.suite_keys[place])

    def _row_label(self, key: Key) -> str:
        return f"{self.lettering.label(key)}{' (control)' * (key.name in self._controls)}"

    def _variant_label(self, name: str) -> str:
        return self.lettering.label(self.variant_keys[self._places[name]])

    @contextmanager
    def _picture(self) -> Iterator[Figure]:
        """An empty figure in the report's look; it is laid out when the block ends."""
        from matplotlib import style
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine

        look: dict[str, object] = {"font.family": list(self.lettering.families), "text.parse_math": False}
        with style.context(["default", look]):
            figure = Figure(dpi=DPI, layout=ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.1))
            FigureCanvasAgg(figure)
            yield figure
            figure.draw_without_rendering()


def write_plots(evaluation: Evaluation, folder: Path) -> tuple[Plot, ...]:
    """The plots drawn into `folder`, which exists, in the order of a report; a plot without a point is left out."""
    plotter = Plotter(evaluation)
    plots: list[Plot] = []

    def write(draw: Callable[[], Figure | None], plot: Plot) -> None:
        figure = draw()
        if figure is not None:
            write_png(figure, folder / plot.file)
            plots.append(plot)

    write(plotter.draw_heat_map, Plot("found.png", "Found, per variant and suite"))
    for place, suite in enumerate(evaluation.suites):
        name = f"{place + 1}-{slug}" if (slug := _make_slug(suite.name)) else f"{place + 1}"
        recall = Plot(f"recall-{name}.png", f"Recall@k on {suite.name}, one line per variant", place)
        tried = f"Found by number of wordings tried on {suite.name}"
        wordings = Plot(f"wordings-{name}.png", tried, place, WORDINGS_NOTE)
        write(partial(plotter.draw_recall, place), recall)
        write(partial(plotter.draw_wordings, place), wordings)
    return tuple(plots)


def is_plot_name(name: str) -> bool:
    """Whether `write_plots` could have given a file that name."""
    return re.fullmatch(r"found\.png|(?:recall|wordings)-[1-9][0-9]*(?:-[A-Za-z0-9-]+)?\.png", name) is not None


def write_png(figure: Figure, path: Path) -> None:
    """Write the figure as a PNG without a date or a program's name, so that equal figures are equal files."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = figure.canvas
    assert isinstance(canvas, FigureCanvasAgg)
    canvas.print_png(path, metadata={"Software": None})  # type: ignore[no-untyped-call]


def _make_slug(name: str) -> str:
    """The letters, digits and hyphens of an ASCII name as part of a file name; may be empty."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:40]


def frame_shares(axes: Axes) -> None:
    """An axis for shares, from 0 to 1, with a faint grid and no frame above and to the right."""
    axes.set_ylim(-0.03, 1.03)
    axes.set_yticks([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    axes.grid(visible=True, color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def scale_ranks(axes: Axes, ticks: Sequence[int]) -> None:
    """A logarithmic axis with a tick at every measured k."""
    from matplotlib.ticker import NullLocator

    axes.set_xscale("log")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.set_xlim(ticks[0] / 1.15, ticks[-1] * 1.15)


def _write_range(numbers: set[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


def as_number(value: Value) -> float:
    """The figure; not a number where it is undefined, which is drawn as a gap."""
    return float("nan") if value.value is None else value.value
