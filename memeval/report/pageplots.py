"""The plots of the page as SVG: text in the reader's own fonts, ink in the colour of the page, no date, no chance.

What is in a figure's markup is what matplotlib draws; here it loses what a page may not hold twice (ids) or at all
(a style sheet of its own, style attributes, names of fonts).
"""

from __future__ import annotations

import hashlib
import html
import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from memeval.bench.curves import BandPoint, band_recall, band_searches
from memeval.bench.evaluation import Evaluation, SuiteResult, Value, VariantResult
from memeval.bench.front import FrontPoint
from memeval.bench.recordedfile import ToldWatch
from memeval.bench.scripts import ScriptShare
from memeval.bench.slopes import SlopeCell
from memeval.report.labels import Key, Lettering
from memeval.report.notation import format_kibibytes, format_rate, measure_width, shorten_middle
from memeval.report.plots import (
    CHARACTER_WIDTH,
    COLOURS,
    CONTROL_COLOUR,
    GRID,
    PLOT_WIDTH,
    Plotter,
    as_number,
    frame_shares,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#010203"
"""Stands for the colour of the page's text while a figure is drawn."""
MAX_NAMED_SLOPES = 12
BAND_OPACITY = 0.13
SCRIPT_LABEL = ("script of the wording", "n: wordings with something stored")
"""Two lines: of few scripts the heat map is narrow."""

_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_FONT = re.compile(r"(?:(?P<weight>bold|[1-9]00) )?(?P<size>[0-9.]+px) .*", re.DOTALL)


class _PageLettering(Lettering):
    """Every name as it is: the reader's browser has, or finds, a font for it."""

    def label(self, key: Key) -> str:
        """The short name."""
        return key.short


class PagePlotter(Plotter):
    """Draws the figures of a page, each variant in the colour and with the marker that it has in the report."""

    def __init__(self, evaluation: Evaluation) -> None:
        super().__init__(evaluation)
        self.lettering = _PageLettering(self.lettering.families, self.lettering.characters)

    def dress(self) -> AbstractContextManager[None]:
        """The look of a page: the plots are drawn and rendered within it."""
        return dress_page(self.lettering.families)

    def draw_recall_bands(self, place: int) -> Figure | None:
        """Recall@k over k with the 95 % interval of each variant that is no control; None without a curve."""
        suite = self.evaluation.suites[place]
        with self._picture() as figure:
            axes = self._draw_recall_curves(figure, suite)
            if axes is None:
                return None
            self._draw_bands(axes, suite, band_recall)
            _leave_margins(figure, right=_legend_inches(figure))
        return figure

    def draw_searches(self, place: int) -> Figure | None:
        """Needs found over the searches made for them, with bands; None where no need has two wordings."""
        suite = self.evaluation.suites[place]
        bands = [(variant, band_searches(variant)) for variant in suite.variants]
        longest = max((len(points) for _, points in bands), default=0)
        if longest < 2:
            return None
        curves = [
            (variant, tuple((point.x, Value(point.value, points[0].n)) for point in points))
            for variant, points in bands
        ]
        with self._picture() as figure:
            axes = self._draw_curves(figure, curves, "after {}")
            if axes is None:
                return None
            axes.set_xlabel("searches made for a need")
            axes.set_ylabel("needs found (Kaplan-Meier)")
            axes.set_xticks(range(1, longest + 1))
            axes.set_xlim(0.8, longest + 0.2)
            self._draw_bands(axes, suite, band_searches)
            _leave_margins(figure, right=_legend_inches(figure))
        return figure

    def draw_front(self, place: int, points: Sequence[FrontPoint]) -> Figure | None:
        """Found against the KiB a search puts into the context, one mark a variant; None for fewer than two."""
        suite = self.evaluation.suites[place]
        own = [point for point in points if point.suite == suite.name]
        if len(own) < 2:
            return None
        variants = {variant.name: variant for variant in suite.variants}
        with self._picture() as figure:
            axes = figure.add_subplot()
            for point in sorted(own, key=lambda point: -point.found):
                style = self._style(variants[point.variant], 0)
                style |= {"linestyle": "none", "markersize": 9.0, "alpha": 0.45 if point.dominated_by else 1.0}
                note = "" if point.dominated_by else "  on the front"
                label = f"{self._variant_label(point.variant)}  {format_rate(point.found)}, "
                label += f"{format_kibibytes(point.bytes_shown)} KiB{note}"
                axes.plot([point.bytes_shown / 1024], [point.found], label=label, **style)
            frame_shares(axes)
            axes.set_xlabel("shown per search (mean KiB)")
            axes.set_ylabel("found (share of wordings)")
            axes.set_xlim(left=0)
            _put_legend(figure, axes)
        return figure

    def draw_scripts(self, shares: Sequence[ScriptShare]) -> Figure | None:
        """Found per variant (rows) and script of the wording (columns), the value in its cell; None without any."""
        if not shares or not self.variant_keys:
            return None
        columns = [[share.found.get(key.name, Value(None, 0)) for key in self.variant_keys] for share in shares]
        with self._picture() as figure:
            rows = list(map(self._row_label, self.variant_keys))
            left = 0.3 + CHARACTER_WIDTH * max(map(measure_width, rows))
            right = max(0.2, CHARACTER_WIDTH * max(map(len, SCRIPT_LABEL)) - 0.9 * len(shares))  # the label goes on
            bottom = 0.3 + 0.17 * (4 + max(share.script.count("+") for share in shares))
            figure.set_size_inches(left + 0.9 * len(shares) + right, 0.2 + bottom + 0.36 * len(rows))
            _leave_margins(figure, left=left, bottom=bottom, right=right)
            axes = figure.add_subplot()
            numbers = [[as_number(column[row]) for column in columns] for row in range(len(rows))]
            axes.pcolormesh(numbers, cmap="cividis", vmin=0.0, vmax=1.0, edgecolors="white", linewidth=0.6)
            for x, column in enumerate(columns):
                for y, value in enumerate(column):
                    dark = value.value is not None and value.value < 0.5
                    colour = INK if value.value is None else "white" if dark else "black"
                    axes.text(x + 0.5, y + 0.5, format_rate(value.value), ha="center", va="center", color=colour)
            axes.invert_yaxis()
            axes.set_yticks([y + 0.5 for y in range(len(rows))], rows)
            heads = [
                f"{share.script.replace('+', ' +' + chr(10))}\nn {max(value.n for value in share.found.values()):,}"
                for share in shares
            ]
            axes.set_xticks([x + 0.5 for x in range(len(shares))], heads)
            axes.tick_params(length=0)
            axes.spines[:].set_visible(False)
            axes.set_xlabel("\n".join(SCRIPT_LABEL), loc="left", multialignment="left")
        return figure

    def draw_slopes(self, cell: SlopeCell) -> Figure | None:
        """Each need's share of wordings found, from base to head; None where none moved."""
        moved = cell.moved
        if not moved:
            return None
        with self._picture() as figure:
            figure.set_size_inches(PLOT_WIDTH, max(3.6, 1.2 + 0.26 * min(len(moved), MAX_NAMED_SLOPES)))
            axes = figure.add_subplot()
            steady = {one.base for one in cell.slopes if one.base == one.head}
            for share in sorted(steady):
                axes.plot([0, 1], [share, share], color=CONTROL_COLOUR, linewidth=0.8, alpha=0.5)
            labels: dict[float, list[str]] = {}
            for one in moved:
                fell = one.head < one.base
                colour, style = (COLOURS[1], "--") if fell else (COLOURS[0], "-")
                axes.plot([0, 1], [one.base, one.head], color=colour, linestyle=style, marker="o", alpha=0.8)
            for one in moved[:MAX_NAMED_SLOPES]:
                labels.setdefault(one.head, []).append(shorten_middle(one.need, 32))
            for share, names in labels.items():
                rest = f" and {len(names) - 3} more" if len(names) > 3 else ""
                axes.text(1.03, share, ", ".join(names[:3]) + rest, va="center", fontsize=9)
            axes.set_xlim(-0.05, 1.9)
            axes.set_ylim(-0.05, 1.05)
            axes.set_xticks([0, 1], ["base", "head"])
            axes.set_ylabel("share of the need's wordings found")
            axes.spines[["top", "right", "bottom"]].set_visible(False)
            _leave_margins(figure, right=0.1)
        return figure

    def _draw_bands(
        self, axes: Axes, suite: SuiteResult, band: Callable[[VariantResult], tuple[BandPoint, ...]]
    ) -> None:
        for variant in suite.variants:
            points = () if variant.control else band(variant)
            if len(points) > 1:
                axes.fill_between(
                    [point.x for point in points],
                    [point.low for point in points],
                    [point.high for point in points],
                    color=self._style(variant, 0)["color"],
                    alpha=BAND_OPACITY,
                    linewidth=0,
                )

    def _style(self, variant: VariantResult, covered_by: int) -> dict[str, Any]:
        """That of the report; black is the ink of the page, since paper may be dark."""
        style = super()._style(variant, covered_by)
        return style | {"color": INK if style["color"] == "#000000" else style["color"]}

    @contextmanager
    def _picture(self) -> Iterator[Figure]:
        yield open_picture()


def draw_monitor(watch: ToldWatch) -> Figure | None:
    """The watch need by need: its score with the alarm, below it the weighted share of retries; None without a need."""
    if not watch.scores:
        return None
    figure = open_picture()
    figure.set_size_inches(PLOT_WIDTH, 4.6)
    _leave_margins(figure)
    score, share = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    places = range(1, len(watch.scores) + 1)
    score.step(places, watch.scores, where="mid", color=COLOURS[0], linewidth=1.4)
    score.axhline(watch.alarm, color=COLOURS[1], linestyle="--", linewidth=1.0)
    for place in watch.alarms:
        score.plot([place], [watch.scores[place - 1]], "v", color=COLOURS[1], markersize=8)
    score.set_ylabel("score (▼ alarm)")
    score.set_ylim(0, 1.1 * max(watch.alarm, *watch.scores))
    share.plot(places, watch.ewma, color=COLOURS[2], linewidth=1.4)
    for rate, line in ((watch.tolerated, ":"), (watch.alarmed, "--")):
        share.axhline(rate, color=COLOURS[1], linestyle=line, linewidth=1.0)
    share.set_ylabel("share of retries")
    share.set_ylim(0, 1.05 * max(watch.alarmed, *watch.ewma))
    share.set_xlabel("needs, in order of time")
    share.set_xlim(0.5, len(watch.scores) + 0.5)
    for axes in (score, share):
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def open_picture() -> Figure:
    """An empty figure with nothing behind it, and room for the labels of its axes."""
    from matplotlib.figure import Figure

    figure = Figure(facecolor="none")
    _leave_margins(figure)
    return figure


@contextmanager
def dress_page(families: Sequence[str]) -> Iterator[None]:
    """The look of figures on a page, whatever the reader's own settings are: text and axes in its ink.

    Entering it takes as long as drawing, so that it is entered once for all of them.
    """
    from matplotlib import style

    look: dict[str, object] = {
        "font.family": list(families),
        "text.parse_math": False,
        **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
        "axes.facecolor": "none",
        "svg.fonttype": "none",
        "svg.hashsalt": "memeval",
    }
    with style.context(["default", look]):
        yield


def _leave_margins(figure: Figure, *, left: float = 0.75, bottom: float = 0.6, right: float = 0.2) -> None:
    """Keep these inches beside the axes free. A layout that measures every label takes longer than the drawing."""
    width, height = figure.get_size_inches()
    figure.subplots_adjust(left=left / width, bottom=bottom / height, right=1 - right / width, top=1 - 0.15 / height)


def _legend_inches(figure: Figure) -> float:
    """What a legend beside the axes takes, with the handles of its lines."""
    width, _ = figure.get_size_inches()
    return float(width) - PLOT_WIDTH + 0.9


def _put_legend(figure: Figure, axes: Axes) -> None:
    handles, labels = axes.get_legend_handles_labels()
    width = PLOT_WIDTH + CHARACTER_WIDTH * max(map(measure_width, labels))
    figure.set_size_inches(width, max(4.0, 1.4 + 0.235 * len(labels)))
    _leave_margins(figure, right=_legend_inches(figure))
    figure.legend(handles=handles, loc="outside right upper", frameon=False, alignment="left")


def render_svg(figure: Figure, title: str) -> str:
    """The figure as an SVG element for a page, named `title` for those who hear it; equal figures give equal text."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    target = io.BytesIO()
    with warnings.catch_warnings():
        # the letter is the reader's; only its width here is a guess
        warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from")
        FigureCanvasSVG(figure).print_svg(target, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))  # type: ignore[no-untyped-call]
    return _clean(target.getvalue().decode("utf-8"), title)


def write_figure(figure: Figure | None, title: str, note: str = "") -> str:
    """The figure as HTML, with its title below it; empty without one."""
    if figure is None:
        return ""
    caption = html.escape(f"{title}. {note}".strip())
    return f"<figure>{render_svg(figure, title)}<figcaption>{caption}</figcaption></figure>"


def _clean(text: str, title: str) -> str:
    """The markup with ids of its own, without a style sheet, style attributes and metadata."""
    for prefix, space in (("", _SVG), ("xlink", _XLINK)):
        ElementTree.register_namespace(prefix, space)
    root = ElementTree.fromstring(text)  # matplotlib's own output
    used = {*_REFERENCE.findall(text), *re.findall(r'xlink:href="#([^"]+)"', text)}
    prefix = "g" + hashlib.sha256(f"{title}\n{text}".encode()).hexdigest()[:10]
    for parent in root.iter():
        for child in list(parent):
            if child.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}style") or (
                child.tag == f"{{{_SVG}}}defs" and not len([one for one in child if one.tag != f"{{{_SVG}}}style"])
            ):
                parent.remove(child)
    for element in root.iter():
        _rename(element, used, prefix)
        _spread_style(element)
        if "d" in element.attrib:
            element.attrib["d"] = " ".join(element.attrib["d"].split())
        element.text = element.text if element.text and element.text.strip() else None
        element.tail = None
    root.attrib.pop("width", None)
    root.attrib.pop("height", None)
    width = float(root.attrib["viewBox"].split()[2])
    root.attrib |= {"role": "img", "aria-label": title, "width": f"{width / 0.72:.0f}"}
    root.attrib |= {"stroke-linejoin": "round", "stroke-linecap": "butt"}  # as the style sheet had it
    return ElementTree.tostring(root, encoding="unicode").replace(INK, "currentColor")


def _rename(element: ElementTree.Element, used: set[str], prefix: str) -> None:
    """Ids that something refers to with a prefix, so that two plots of a page have none in common; others away."""
    name = element.attrib.pop("id", None)
    if name in used:
        element.attrib["id"] = f"{prefix}-{name}"
    for key, value in element.attrib.items():
        if key == f"{{{_XLINK}}}href" and value.startswith("#"):
            element.attrib[key] = f"#{prefix}-{value[1:]}"
        elif "url(#" in value:
            element.attrib[key] = _REFERENCE.sub(rf"url(#{prefix}-\1)", value)


def _spread_style(element: ElementTree.Element) -> None:
    """Each property of a style attribute as an attribute of its own: a page that allows no inline style draws these."""
    style = element.attrib.pop("style", "")
    for entry in filter(None, (part.strip() for part in style.split(";"))):
        name, _, value = entry.partition(":")
        value = value.strip()
        font = _FONT.fullmatch(value) if name == "font" else None
        if font is not None:
            element.attrib["font-size"] = font["size"]
            if font["weight"] is not None:
                element.attrib["font-weight"] = font["weight"]
        elif value == GRID:  # of a page it is the ink, faint
            element.attrib |= {name: INK, f"{name}-opacity": "0.18"}
        elif name != "font-family":
            element.attrib[name] = value
