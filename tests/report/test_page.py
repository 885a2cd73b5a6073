"""The page: whole in itself, closed to the network, and made of escaped text. What it does is in test_page_browser."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

from memeval import cli_page
from memeval.bench.evaluation import Evaluation
from memeval.bench.slopes import trace_slopes
from memeval.report import page
from memeval.report.page import render_page, write_page
from tests.report.conftest import make_evaluation, make_query, make_suite, make_ungradable, make_variant

EMPTY_ELEMENTS = {"meta", "br", "hr", "img", "input", "link"}


class Reader(HTMLParser):
    """Collects elements, and complains of those that are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in EMPTY_ELEMENTS:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture
def no_plots(monkeypatch) -> None:
    """Plots are drawn in a test of their own."""
    monkeypatch.setattr(page, "write_plots", lambda evaluation, plotted: "")


def test_it_needs_nothing_and_runs_only_its_own_script(small, no_plots):
    """The policy has the digests of the style and of the script as they stand there; no element loads anything."""
    reader = Reader(render_page(small))
    (policy,) = [meta["content"] for meta in reader.named("meta") if "http-equiv" in meta]
    assert policy.startswith("default-src 'none'; ")
    (style,) = reader.texts["style"]
    script = reader.texts["script"][-1]
    for directive, text in (("style-src", style), ("script-src", script)):
        digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
        assert f"{directive} 'sha256-{digest}';" in policy
    assert "unsafe" not in policy
    assert {"link", "img", "iframe", "object", "base"}.isdisjoint(tag for tag, _ in reader.elements)
    for _, attributes in reader.elements:
        assert "style" not in attributes
        assert "src" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        assert (attributes.get("href") or "#").startswith("#")


def test_links_and_labels_lead_somewhere(small, evaluate, invent, no_plots):
    """Every link within the page has its target, every id is there once, every field has its label."""
    many = evaluate(*(invent(f"s{number}", ("a", "b"), needs=10 + number) for number in range(6)))
    for evaluation in (small, many):
        reader = Reader(render_page(evaluation))
        ids = [attributes["id"] for _, attributes in reader.elements if attributes.get("id")]
        assert len(ids) == len(set(ids))
        assert {link["href"].removeprefix("#") for link in reader.named("a")} <= set(ids)
        assert {label["for"] for label in reader.named("label")} <= set(ids)
        assert reader.named("html")[0]["lang"] == "en"


def test_markup_in_every_name_is_text(no_plots):
    """In suites, variants, needs, wordings, files, reasons, descriptions: what is written is what is shown."""
    trap = "<script>alert('x')</script><img src=x onerror=alert(1)> | \\| `**\n\n# & &lt;"
    query = make_query(trap, 0, trap, None, expected={trap: 1}, reason=trap, lang=trap, kind=trap, tags=(trap,))
    suite = make_suite(trap, [make_variant(trap, [query]), make_variant("b", [query])], description=trap, licence=trap)
    broken = make_variant("c", [make_ungradable(query, trap)], error=trap)
    other = make_suite(trap + "2", [make_variant("b", [query]), broken])
    text = render_page(make_evaluation(suite, other))
    reader = Reader(text)
    assert len(reader.named("script")) == 2
    assert "img" not in [tag for tag, _ in reader.elements]
    assert "<script>alert" not in text
    data = json.loads(reader.texts["script"][0])
    assert data["suites"][0]["wordings"][0][0] == trap.replace("\n", "␊")


@pytest.mark.slow
def test_the_same_evaluation_gives_the_same_page(small):
    """With its plots: no date, no chance."""
    assert render_page(small) == render_page(small)


def test_significance_is_of_a_chosen_base(small, no_plots):
    """The choice has every variant that is no control; a row names its suite and variant for the script."""
    text = render_page(small)
    assert "<option>article</option><option>bm25</option></select>" in text
    assert '<tr data-suite="0" data-variant="bm25">' in text


def test_a_variant_alone_has_no_test(invent, no_plots):
    """Nor a choice, nor empty columns."""
    text = render_page(make_evaluation(invent("s", ("a", "oracle"), needs=3)))
    assert "data-duel" not in text.split("<script")[0]
    assert 'id="base"' not in text


def test_the_overview_has_what_the_report_says(small, evaluate, invent, no_plots):
    """The verdict of one suite; of several the table of found, with links to each."""
    assert "<strong><code>bm25</code> finds most</strong>" in render_page(small)
    text = render_page(evaluate(*(invent(f"s{number}", ("a", "b"), needs=12) for number in range(6))))
    assert "Most is found by" in text
    assert '<a href="#results-1"><code>s0</code></a>' in text
    assert '<details class="suite print" id="results-1">' in text


def test_the_tally_leaves_small_suites_out(evaluate, invent, no_plots):
    """It counts the same suites as the report's, and says how many it does not."""
    many = [invent(f"s{number}", ("a", "b"), needs=12) for number in range(3)]
    few = [invent(f"few{number}", ("a", "b"), needs=3) for number in range(2)]
    text = render_page(evaluate(*many, *few))
    assert "of 3 suites (a tie counts for each). Not counted there and last here: 2 suites of fewer than 10" in text


def test_against_a_base_run(small, no_plots, monkeypatch):
    """The page lists needs whose share of wordings found moved, and says so where none did."""
    monkeypatch.setattr(page, "_draw_cell", lambda plotter, cell: "")
    suite = small.suites[0]
    variants = tuple(
        dataclasses.replace(
            one,
            queries=tuple(dataclasses.replace(query, found=True) for query in one.queries if query.found is not None),
        )
        for one in suite.variants
    )
    base = dataclasses.replace(small, suites=(dataclasses.replace(suite, variants=variants),))
    text = render_page(small, base=base)
    assert "3 needs found less, 0 needs found more" in text
    assert '<code>sso-callback</code></th><td class="n">3</td><td class="n">1.00</td><td class="n">0.00</td>' in text
    assert "No need is found by another share" in render_page(small, base=small)
    assert "Against the base run" not in render_page(small)


def test_what_has_no_plot_says_so(evaluate, invent, monkeypatch):
    """Small suites among many are named with the reason, in place of their plots; so are slopes beyond the first."""
    sizes = {"tiny": 2, "middle": 20, "little": 3, "large": 40, "other": 20}
    many = evaluate(*(invent(name, ["weak", "strong"], needs=size, wordings=1) for name, size in sizes.items()))
    for name in ("scripts", "recall_bands", "searches", "front"):
        monkeypatch.setattr(page.PagePlotter, f"draw_{name}", lambda *arguments: None)
    told = "No plots of 2 suites with fewer than 10 needs, for they would be a few steps each: <code>tiny</code>, "
    assert told + "<code>little</code>" in render_page(many)
    assert "No plots of" not in render_page(dataclasses.replace(many, suites=many.suites[:4]))
    monkeypatch.setattr(page, "_draw_cell", lambda plotter, cell: "drawn")
    suites = [invent(f"s{number}", ["weak", "strong"], needs=5, wordings=1, seed=number) for number in range(8)]
    base = [invent(f"s{number}", ["weak", "strong"], needs=5, wordings=1, seed=number + 50) for number in range(8)]
    moved = len([cell for cell in trace_slopes(evaluate(*base), evaluate(*suites)) if cell.moved])
    text = page._write_slopes(evaluate(*suites), evaluate(*base))
    assert moved > page.MAX_SLOPE_PLOTS
    assert text.count("drawn<") == page.MAX_SLOPE_PLOTS
    assert text.count("No plot: only the 12 with most change are drawn.") == moved - page.MAX_SLOPE_PLOTS


@pytest.mark.parametrize(
    "evaluation",
    [
        Evaluation(manifest={}, suites=()),
        make_evaluation(make_suite("empty", [])),
        make_evaluation(make_suite("broken", [make_variant("a", [], error="gone")])),
        make_evaluation(make_suite("silent", [make_variant("a", [make_query("n", 0, "q", None, expected={})])])),
    ],
    ids=["no suite", "no variant", "no query", "nothing stored"],
)
def test_with_next_to_nothing_it_is_still_a_page(evaluation):
    """Whatever a record can be."""
    assert Reader(render_page(evaluation)).named("main")


def test_files_are_written_beside_each_other(small, tmp_path, no_plots):
    """The page and two tables; written again they are the same."""
    written = write_page(small, tmp_path / "new")
    assert [path.name for path in written] == ["report.html", "needs.csv", "variants.csv"]
    first = [path.read_bytes() for path in written]
    assert [path.read_bytes() for path in write_page(small, tmp_path / "new")] == first


def test_the_script_and_the_style_bring_no_address():
    """Neither loads a font, a picture or a library."""
    for name in ("page.css", "page.js"):
        assert not re.search(r"https?:|//\w|url\(|@import|import\s*\(|fetch\(|innerHTML|eval\(", page.read_asset(name))


def test_the_command_line_knows_the_name_of_the_page():
    """It asks for the name without loading the room of reports."""
    assert cli_page.PAGE_FILE == page.PAGE_FILE
