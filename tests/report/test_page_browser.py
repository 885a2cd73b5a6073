"""The page in a real browser: it renders, filters, sorts, opens needs, asks for nothing, and keeps text text."""

from __future__ import annotations

import dataclasses

import pytest

from memeval.report.page import write_page
from tests.report.chromium import find_chromium, open_browser
from tests.report.conftest import invent_suite, make_evaluation, make_query, make_suite, make_variant

pytestmark = pytest.mark.slow

TRAP = "<img src=x onerror=\"document.title='caught'\"><b>port</b> | \\| &amp;"
ROWS = "#needs-table tbody tr:not(.detail)"


@pytest.fixture(scope="module")
def browser():
    """One browser for all tests, where there is one."""
    pytest.importorskip("playwright", reason='playwright is not installed: pip install -e ".[browser]"')
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("no Chromium on this machine; name one in CHROMIUM")
    with open_browser(chromium) as started:
        yield started


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A page of two suites: invented English, and one of traps and of other scripts."""
    odd = [
        make_query("記憶-監控", 0, "監控 系統 無法 啟動", 9, expected={"notes/監控-系統.md": 1}, lang="zh"),
        make_query("印刷", 0, "ラベル用紙のサイズ", None, expected={"notes/ラベル.md": 1}, lang="ja"),
        make_query("trap", 0, TRAP, None, expected={f"notes/{TRAP}.md": 1}, lang="en", reason=TRAP, tags=(TRAP,)),
    ]
    better = [dataclasses.replace(query, verdict="hit", found=True, reason=None) for query in odd]
    evaluation = make_evaluation(
        invent_suite("invented", ("article", "bm25", "oracle"), needs=120),
        make_suite("scripts <i>", [make_variant("article", odd), make_variant("bm25", better)]),
    )
    return write_page(evaluation, tmp_path_factory.mktemp("page"))[0]


@pytest.fixture(params=["light", "dark"])
def page(request, browser, path):
    """The page opened; at the end nothing was asked for and nothing went wrong."""
    opened = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme=request.param)
    asked, faults = [], []
    opened.on("request", lambda one: asked.append(one.url))
    opened.on("console", lambda message: faults.append(message.text))
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.goto(path.as_uri())
    opened.wait_for_selector(ROWS)
    yield opened
    assert asked == [path.as_uri()]
    assert faults == []
    assert opened.title() != "caught"
    opened.close()


def read_column(page, number: int) -> list[str]:
    return page.eval_on_selector_all(f"{ROWS} > :nth-child({number})", "cells => cells.map(cell => cell.textContent)")


def test_it_renders_a_page_of_rows(page):
    """Fifty of a hundred and twenty needs, hardest first, and the rest behind a button."""
    assert page.text_content("#needs-count") == "120 of 120 needs"
    assert len(read_column(page, 1)) == 50
    hits = [int(cell.split("/")[0]) / int(cell.split("/")[1]) for cell in read_column(page, 4)]
    assert hits == sorted(hits)
    page.click("#page-on")
    page.click("#page-on")
    assert len(read_column(page, 1)) == 20
    assert page.is_disabled("#page-on")
    assert page.text_content("#page-number") == "page 3 of 3"


def test_the_table_of_variants_needs_no_scrolling(page):
    """Of a window of 1280 pixels it takes no more than there is."""
    widths = page.eval_on_selector_all(
        ".scroll:has(> table.variants)", "boxes => boxes.map(box => [box.scrollWidth, box.clientWidth])"
    )
    assert widths
    assert all(needed <= given for needed, given in widths)


def test_it_sorts_by_any_column(page):
    """By a button in its heading, which says so to those who hear it; again it is the other way round."""
    page.click("#needs-table button[data-sort=need]")
    assert read_column(page, 1) == sorted(read_column(page, 1))
    assert page.get_attribute("#needs-table th:first-child", "aria-sort") == "ascending"
    page.keyboard.press("Enter")
    assert page.get_attribute("#needs-table th:first-child", "aria-sort") == "descending"
    assert read_column(page, 1)[0].startswith("need-119")


def test_it_filters(page):
    """By words, by who found what, by what is wanted; the count follows, and reset undoes all."""
    page.fill("#f-text", "need-01")
    page.get_by_text("10 of 120 needs").wait_for()
    page.select_option("#f-missed", label="every variant")
    page.select_option("#f-scope", "every")
    missed = page.text_content("#needs-count")
    assert int(missed.split()[0]) < 10
    page.click("text=Reset")
    page.select_option("#f-needs", "must")
    assert page.text_content("#needs-count") == "18 of 120 needs"
    page.select_option("#f-found", label="bm25")
    page.select_option("#f-missed", label="article")
    only = int(page.text_content("#needs-count").split()[0])
    assert 0 < only < 18


def test_a_need_opens_by_keyboard(page):
    """Each wording with every variant: outcome, rank, files shown, reason; the button says that it is open."""
    page.focus(f"{ROWS}:first-child button")
    page.keyboard.press("Enter")
    button = page.locator(f"{ROWS}:first-child button")
    assert button.get_attribute("aria-expanded") == "true"
    assert page.locator("tr.detail").get_attribute("id") == button.get_attribute("aria-controls")
    assert page.locator("tr.detail h3").count() == 3
    assert page.locator("tr.detail table").first.locator("tbody tr").count() == 3
    assert "notes/other-01.md" in page.text_content("tr.detail")
    page.keyboard.press("Enter")
    assert page.locator("tr.detail").count() == 0


def test_markup_in_a_query_stays_text(page):
    """In rows, details, filters and the heading of the suite."""
    page.select_option("#f-suite", label="scripts <i>")
    page.fill("#f-text", "<img")
    page.get_by_text("1 of 3 needs").wait_for()
    assert read_column(page, 2) == [TRAP]
    page.click(f"{ROWS} button")
    assert TRAP in page.text_content("tr.detail h3")
    assert TRAP in page.text_content("tr.detail tbody")
    assert page.locator("main img, main b, main i").count() == 0
    assert page.text_content("tr.detail mark").lower() == "<img"


def test_words_of_the_wording_are_marked_in_paths(page):
    """Of a script without spaces, pairs of characters."""
    page.select_option("#f-suite", label="scripts <i>")
    page.click("text=記憶-監控")
    marks = page.eval_on_selector_all("tr.detail td mark", "marks => marks.map(mark => mark.textContent)")
    assert {"監控", "系統"} <= set(marks)


def test_every_script_is_drawn(page):
    """No character of the wordings falls back to the box of a missing letter, on a machine with fonts for them."""
    page.select_option("#f-suite", label="scripts <i>")
    drawn = page.evaluate(
        """() => {
          const pen = document.createElement("canvas").getContext("2d");
          const family = getComputedStyle(document.body).fontFamily;
          return [..."監控ラベ", "\\u{10FFFE}"].map(letter => {
            pen.canvas.width = pen.canvas.height = 40;
            pen.font = `24px ${family}`;
            pen.fillText(letter, 4, 30);
            return pen.canvas.toDataURL();
          });
        }"""
    )
    assert len(set(drawn)) == len(drawn)


def test_variants_are_compared_with_the_chosen_base(page):
    """The marks follow the choice."""
    row = page.locator('tr[data-suite="0"][data-variant="bm25"]')
    before = row.inner_text()
    page.select_option("#base", "bm25")
    assert row.inner_text() != before
    assert "base" in row.inner_text()
    other = page.locator('tr[data-suite="0"][data-variant="article"]').inner_text()
    assert "worse" in other or "not told apart" in other


def test_a_link_opens_the_folded_part_it_leads_to(page):
    """From the table of found to a suite."""
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = false; })")
    page.click('a[href="#results-2"]')
    page.locator("#results-2[open]").wait_for(state="attached")


def test_the_skip_link_comes_first(page):
    """The first press of Tab shows it; it leads to the content."""
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_it_prints(page):
    """Filters are no part of the paper, tables are."""
    page.emulate_media(media="print")
    assert not page.is_visible(".filters")
    assert page.is_visible("#needs-table")
    assert page.pdf()[:4] == b"%PDF"
