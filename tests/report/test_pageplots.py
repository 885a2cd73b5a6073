"""Plots of the page as SVG."""

from __future__ import annotations

import dataclasses
import re
import warnings
from xml.etree import ElementTree

import pytest

from memeval.bench.front import find_front
from memeval.bench.scripts import share_scripts
from memeval.bench.slopes import trace_slopes
from memeval.report.pageplots import SCRIPT_LABEL, PagePlotter, render_svg
from tests.report.conftest import make_evaluation, make_query, make_suite, make_variant

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def plotter(small):
    """In the look of the page."""
    plotter = PagePlotter(small)
    with plotter.dress():
        yield plotter


def read_texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_svg_is_text_in_the_ink_of_the_page(plotter):
    """No style attribute or sheet, no font, no date; text that can be searched for; a name for those who hear it."""
    svg = render_svg(plotter.draw_recall_bands(0), 'Recall of "x" & <y>')
    root = ElementTree.fromstring(svg)
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == 'Recall of "x" & <y>'
    assert not re.search(r"style=|<style|font-family|metadata|#010203|https?://(?!www\.w3\.org/)", svg)
    assert "currentColor" in svg
    assert "k (ranks)" in read_texts(svg)


def test_ids_of_two_plots_are_different(plotter):
    """And every reference finds its own."""
    plots = [render_svg(plotter.draw_recall_bands(0), "one"), render_svg(plotter.draw_searches(0), "two")]
    ids = [set(re.findall(r' id="([^"]+)"', svg)) for svg in plots]
    assert ids[0].isdisjoint(ids[1])
    for svg, own in zip(plots, ids, strict=True):
        assert set(re.findall(r'(?:url\(#|href="#)([^)"]+)', svg)) <= own


def test_the_same_figure_is_the_same_text(small):
    """From one run to the next."""

    def draw() -> str:
        plotter = PagePlotter(small)
        with plotter.dress():
            return render_svg(plotter.draw_front(0, find_front(small)), "t")

    assert draw() == draw()


def test_bands_are_of_variants_that_are_no_controls(plotter):
    """Two of three lines have one."""
    figure = plotter.draw_recall_bands(0)
    assert len(figure.axes[0].collections) == 2
    assert len(figure.axes[0].lines) == 3


def test_searches_are_a_curve_over_the_wordings(plotter, evaluate, invent):
    """Up to the longest list of wordings; a suite of single wordings has none."""
    figure = plotter.draw_searches(0)
    assert [tick.get_text() for tick in figure.axes[0].get_xticklabels()] == ["1", "2", "3"]
    assert PagePlotter(evaluate(invent("s", ("a",), needs=5, wordings=1))).draw_searches(0) is None


def test_front_has_a_mark_for_each_variant(small, plotter):
    """Its legend tells the figures and who is on the front."""
    svg = render_svg(plotter.draw_front(0, find_front(small)), "t")
    told = [text for text in read_texts(svg) if "KiB" in text and "shown" not in text]
    assert len(told) == 2
    assert any("on the front" in text for text in told)


def test_a_name_of_any_script_is_written_as_it_is(invent):
    """Whether this machine has the font or not, since the reader's draws it."""
    evaluation = make_evaluation(invent("記憶", ("变体-甲", "variant-ا"), needs=6))
    plotter = PagePlotter(evaluation)
    with plotter.dress():
        svg = render_svg(plotter.draw_scripts(share_scripts(evaluation)), "t")
    assert {"变体-甲", "variant-ا"} <= set(read_texts(svg))


@pytest.mark.parametrize("texts", [["redis port"], ["redis", "監控", "redis 監控 サーバー 포트"]])
def test_no_label_of_the_heat_map_is_cut(texts):
    """However few scripts there are, and however many in one wording: all text lies within the figure."""
    queries = [make_query(f"n{place}", 0, text, 1) for place, text in enumerate(texts)]
    evaluation = make_evaluation(make_suite("s", [make_variant("a", queries), make_variant("b", queries)]))
    plotter = PagePlotter(evaluation)
    with plotter.dress(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a letter that this machine has no font for
        figure = plotter.draw_scripts(share_scripts(evaluation))
        figure.draw_without_rendering()
        (axes,) = figure.axes
        ends = [axes.xaxis.label, *axes.get_xticklabels(), *axes.get_yticklabels()]
        assert axes.xaxis.label.get_text() == "\n".join(SCRIPT_LABEL)
        for text in ends:
            box = text.get_window_extent()
            assert 0 <= box.x0 <= box.x1 <= figure.bbox.x1, text
            assert 0 <= box.y0 <= box.y1 <= figure.bbox.y1, text


def test_slopes_are_of_needs_that_moved(small, plotter):
    """A fall is dashed; where nothing moved there is no plot."""
    suite = small.suites[0]
    head = dataclasses.replace(
        small,
        suites=(
            dataclasses.replace(
                suite,
                variants=tuple(
                    dataclasses.replace(
                        one,
                        queries=tuple(
                            query if query.found is None else dataclasses.replace(query, found=False)
                            for query in one.queries
                        ),
                    )
                    for one in suite.variants
                ),
            ),
        ),
    )
    first, _ = trace_slopes(small, head)
    figure = plotter.draw_slopes(first)
    dashed = [line for line in figure.axes[0].lines if line.get_linestyle() == "--"]
    assert len(dashed) == len(first.moved) == 2
    assert plotter.draw_slopes(trace_slopes(small, small)[0]) is None
