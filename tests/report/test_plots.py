"""Plots: what they show and that it can be read."""

from __future__ import annotations

import dataclasses
import struct

import matplotlib
import pytest
from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from memeval.bench.evaluation import Value
from memeval.report import labels
from memeval.report.plots import Plotter, write_plots, write_png

LONG = [f"variant-{number:02}-with-a-rather-long-name-of-its-own" for number in range(20)]


@pytest.fixture
def no_wide_font(monkeypatch):
    monkeypatch.setattr(labels, "WIDE_FAMILIES", ())
    monkeypatch.setattr(font_manager, "findSystemFonts", list)


def texts_of(figure) -> list[Text]:
    return [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]


def assert_legible(figure) -> None:
    """Every text lies within the picture, is plain, and the legend covers neither the data nor the title."""
    renderer = figure.canvas.get_renderer()
    for text in texts_of(figure):
        box = text.get_window_extent(renderer)
        assert figure.bbox.x0 - 1 <= box.x0, text
        assert box.x1 <= figure.bbox.x1 + 1, text
        assert figure.bbox.y0 - 1 <= box.y0, text
        assert box.y1 <= figure.bbox.y1 + 1, text
        assert not text.get_parse_math(), text
    for legend in figure.legends:
        for other in (figure.axes[0].bbox, figure.axes[0]._left_title.get_window_extent(renderer)):
            assert not legend.get_window_extent(renderer).overlaps(other)


def test_recall_curves(small):
    """One line a variant with the record's values, controls dashed, n and the last figure in the legend."""
    figure = Plotter(small).draw_recall(0)
    axes = figure.axes[0]
    assert axes.get_title(loc="left") == "ops-en\nRelevant documents in the top k"
    assert axes.get_xlabel() == "k (ranks)"
    assert axes.get_ylabel() == "recall@k (mean share of the relevant documents)"
    lines = {line.get_label().split("  ")[0]: line for line in axes.get_lines()}
    assert set(lines) == {"article", "bm25", "oracle"}
    article = dict(small.suites[0].variants[0].recall_curve)
    assert list(lines["article"].get_xdata()) == list(article)
    assert list(lines["article"].get_ydata()) == [value.value for value in article.values()]
    assert {name: line.get_linestyle() for name, line in lines.items()} == {"article": "-", "bm25": "-", "oracle": "--"}
    legend = figure.legends[0]
    assert legend.get_title().get_text() == "recall@100 (n 7)"
    assert [text.get_text() for text in legend.get_texts()] == ["oracle  1.00", "bm25  0.86", "article  0.43"]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["1", "2", "3", "5", "10", "20", "50", "100"]
    assert_legible(figure)


def test_found_by_wording_number(small):
    """The share per number of wordings tried, with the number of needs that have so many below each tick."""
    figure = Plotter(small).draw_wordings(0)
    axes = figure.axes[0]
    assert axes.get_title(loc="left") == "ops-en\nNeeds found by one of their first j wordings"
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["1\nn 3", "2\nn 3", "3\nn 1"]
    line = next(line for line in axes.get_lines() if line.get_label().startswith("bm25"))
    assert list(line.get_ydata()) == pytest.approx([1 / 3, 1.0, 1.0])
    assert_legible(figure)


def test_heat_map(small, evaluate, invent):
    """Every variant × suite has its figure in its cell, n beside the suite; what was not asked is a dash."""
    other = invent("ops-zh", ["bm25", "grep"], needs=20)
    figure = Plotter(evaluate(small.suites[0], other)).draw_heat_map()
    axes, bar = figure.axes
    assert axes.get_title(loc="left") == "Found, per variant and suite"
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["article", "bm25", "oracle (control)", "grep"]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["ops-en\n(n 7)", "ops-zh\n(n 54)"]
    found = {variant.name: f"{variant.summary['found'].value:.2f}" for variant in other.variants}
    cells = {(text.get_position()[1], text.get_position()[0]): text.get_text() for text in axes.texts}
    assert [cells[row, 0] for row in range(4)] == ["0.29", "0.71", "1.00", "–"]
    assert [cells[row, 1] for row in range(4)] == ["–", found["bm25"], "–", found["grep"]]
    assert bar.get_ylabel() == "found (share of wordings)"
    assert_legible(figure)


def test_figures_on_different_cases_carry_their_own_n(small):
    """Where one variant was graded on fewer wordings, every figure has its n beside it."""
    suite = small.suites[0]
    fewer = dataclasses.replace(
        suite.variants[0],
        summary={**suite.variants[0].summary, "found": Value(0.5, 6)},
        recall_curve=((1, Value(0.5, 6)), (10, Value(0.5, 6))),
    )
    plotter = Plotter(
        dataclasses.replace(small, suites=(dataclasses.replace(suite, variants=(fewer, *suite.variants[1:])),))
    )
    recall = plotter.draw_recall(0)
    entries = [text.get_text() for text in recall.legends[0].get_texts()]
    assert entries == ["oracle  1.00 (n 7)", "bm25  0.86 (n 7)", "article  0.50 (recall@10) (n 6)"]
    heat = plotter.draw_heat_map()
    assert [text.get_text() for text in heat.axes[0].texts] == ["0.50 (n 6)", "0.71 (n 7)", "1.00 (n 7)"]
    assert heat.axes[0].get_xticklabels()[0].get_text() == "ops-en"
    assert_legible(recall)
    assert_legible(heat)


def test_nothing_to_draw_is_no_picture(small, evaluate, invent):
    """No curve, one wording a need, no variant: there is no figure and no file."""
    bare = dataclasses.replace(small.suites[0].variants[0], recall_curve=((1, Value(None, 0)),), found_by_wording=())
    suite = dataclasses.replace(small.suites[0], variants=(bare,))
    plotter = Plotter(evaluate(suite))
    assert plotter.draw_recall(0) is None
    assert plotter.draw_wordings(0) is None
    single = Plotter(evaluate(invent("s", ["bm25"], needs=4, wordings=1)))
    assert single.draw_recall(0) is not None
    assert single.draw_wordings(0) is None
    nothing = Plotter(evaluate(dataclasses.replace(suite, variants=())))
    assert nothing.draw_heat_map() is None
    assert Plotter(evaluate()).draw_heat_map() is None


@pytest.mark.parametrize(
    ("suites", "variants"),
    [
        pytest.param(["s"], ["v"], id="one"),
        pytest.param(["s"], [*LONG[:18], "random", "oracle"], id="twenty variants", marks=pytest.mark.slow),
        pytest.param([f"suite-{n}" for n in range(20)], ["a", "b"], id="twenty suites", marks=pytest.mark.slow),
    ],
)
def test_any_size_can_be_read(suites, variants, evaluate, invent):
    """One or twenty, short names or long ones: nothing is cut off and the legend stays clear of the data."""
    plotter = Plotter(evaluate(*(invent(name, variants, needs=4) for name in suites)))
    heat, recall, wordings = plotter.draw_heat_map(), plotter.draw_recall(0), plotter.draw_wordings(0)
    for figure in (heat, recall, wordings):
        assert_legible(figure)
    assert len(recall.axes[0].get_lines()) == len(variants)
    assert len(heat.axes[0].texts) == len(suites) * len(variants)


def test_long_suite_names_are_slanted_and_stay_inside(evaluate, invent):
    """Names too long for their column are written at an angle, within the picture."""
    names = [f"{number}-a-name-of-a-suite-that-is-long" for number in range(6)]
    figure = Plotter(evaluate(*(invent(name, ["a"], needs=3) for name in names))).draw_heat_map()
    assert {tick.get_rotation() for tick in figure.axes[0].get_xticklabels()} == {40.0}
    assert_legible(figure)


def test_lines_can_be_told_apart(evaluate, invent):
    """Twenty variants have twenty looks, and a variant has the same one in every suite."""
    plotter = Plotter(evaluate(invent("a", LONG, needs=3), invent("b", LONG[::-1], needs=3)))
    looks = [
        {line.get_label().split("  ")[0]: (line.get_color(), line.get_marker()) for line in figure.axes[0].get_lines()}
        for figure in (plotter.draw_recall(0), plotter.draw_recall(1))
    ]
    assert looks[0] == looks[1]
    assert len(set(looks[0].values())) == 20


def test_equal_lines_all_show(small):
    """A line drawn over by an equal one is wider and stands out on both its sides."""
    suite = small.suites[0]
    twin = dataclasses.replace(suite.variants[1], name="twin")
    figure = Plotter(
        dataclasses.replace(small, suites=(dataclasses.replace(suite, variants=(*suite.variants, twin)),))
    ).draw_recall(0)
    widths = {line.get_label().split("  ")[0]: line.get_linewidth() for line in figure.axes[0].get_lines()}
    assert widths["bm25"] > widths["twin"] == widths["article"]


@pytest.mark.slow
def test_text_from_data_is_no_formula(evaluate, invent):
    """A dollar sign, an open brace or a backslash in a name is drawn as it stands; what has no shape is an id."""
    plotter = Plotter(evaluate(invent("$x^2$ \\frac{", ["$\\alpha$", "a_b^c", "\x1b\u202e\ud800\n"], needs=3)))
    figure = plotter.draw_recall(0)
    assert figure.axes[0].get_title(loc="left").startswith("$x^2$ \\frac{\n")
    assert {line.get_label().split("  ")[0] for line in figure.axes[0].get_lines()} == {"$\\alpha$", "a_b^c", "V3"}
    for drawn in (figure, plotter.draw_wordings(0), plotter.draw_heat_map()):
        assert_legible(drawn)
        drawn.canvas.draw()


def test_names_without_a_font_are_ids_and_raise_no_warning(no_wide_font, evaluate, invent, tmp_path):
    """Without a font for them CJK names are ids in every picture; warnings are errors here."""
    plotter = Plotter(evaluate(invent("維運", ["混合檢索", "bm25"], needs=3), invent("ops-en", ["bm25"], needs=3)))
    figures = (plotter.draw_heat_map(), plotter.draw_recall(0), plotter.draw_wordings(0))
    write_png(figures[0], tmp_path / "found.png")
    drawn = [text.get_text() for figure in figures for text in texts_of(figure)]
    assert all(text.isascii() or text == "–" for text in drawn)
    assert any(text.startswith("S1") for text in drawn)
    assert any(text.startswith("V1") for text in drawn)


def test_a_missing_glyph_would_be_noticed():
    """The guard of the test above: a character without a glyph makes matplotlib warn, and warnings are errors."""
    figure = Figure()
    FigureCanvasAgg(figure)
    figure.text(0.5, 0.5, "維", fontfamily=[labels.BASE_FAMILY])
    with pytest.warns(UserWarning, match="Glyph"):
        figure.draw_without_rendering()


def test_files(small, tmp_path, blank_pictures):
    """The plots of a report: their files, titles and suites; names from data are made safe."""
    evil = dataclasses.replace(small.suites[0], name="../a b/維")
    plots = write_plots(dataclasses.replace(small, suites=(small.suites[0], evil)), tmp_path)
    assert [(plot.file, plot.suite) for plot in plots] == [
        ("found.png", None),
        ("recall-1-ops-en.png", 0),
        ("wordings-1-ops-en.png", 0),
        ("recall-2-a-b.png", 1),
        ("wordings-2-a-b.png", 1),
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(plot.file for plot in plots)
    assert plots[1].title == "Recall@k on ops-en, one line per variant"


def read_chunks(data: bytes) -> list[str]:
    """The kinds of chunk in a PNG file, in order."""
    kinds, place = [], 8
    while place < len(data):
        (size,) = struct.unpack(">I", data[place : place + 4])
        kinds.append(data[place + 4 : place + 8].decode())
        place += size + 12
    return kinds


@pytest.mark.slow
def test_equal_figures_are_equal_files(small, tmp_path):
    """No date, no program's name, and the same bytes whatever the reader's own matplotlib settings are."""
    write_png(Plotter(small).draw_recall(0), tmp_path / "a.png")
    settings = {"figure.dpi": 50, "savefig.dpi": 20, "text.usetex": True, "axes.facecolor": "red", "font.size": 30}
    with matplotlib.rc_context(settings):
        write_png(Plotter(small).draw_recall(0), tmp_path / "b.png")
        assert matplotlib.rcParams["figure.dpi"] == 50, "the settings are left as they were"
    first, second = ((tmp_path / name).read_bytes() for name in ("a.png", "b.png"))
    assert first == second
    assert set(read_chunks(first)) == {"IHDR", "pHYs", "IDAT", "IEND"}
