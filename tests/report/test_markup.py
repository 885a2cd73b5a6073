"""The report's Markdown as HTML: what it means is kept, and whatever else stands in a text is text."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.report.markup import render_blocks, render_inline, render_table
from memeval.report.notation import escape_prose, make_visible, quote_code, shorten
from memeval.report.tables import fold_away, render_markdown_table

MADE_HERE = {"p", "ul", "li", "table", "caption", "thead", "tbody", "tr", "th", "td", "div", "details", "summary"}
MADE_HERE |= {"code", "strong", "a"}


class Reader(HTMLParser):
    """Collects the tags and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


def test_what_the_report_writes():
    """Code, bold, links within the page, entities."""
    assert render_inline("**`a`** finds `x<y` & more: [`s`](#results-1)") == (
        '<strong><code>a</code></strong> finds <code>x&lt;y</code> &amp; more: <a href="#results-1"><code>s</code></a>'
    )
    assert render_inline("&#124; <code>a&#96;b</code>") == "&#124; <code>a&#96;b</code>"


def test_markup_of_others_is_text():
    """Neither tags nor addresses pass."""
    assert render_inline("<img src=x onerror=alert(1)>") == "&lt;img src=x onerror=alert(1)&gt;"
    assert "<a" not in render_inline("[x](https://example.org)")
    assert "<a" not in render_inline("[x](javascript:alert(1))")
    assert render_inline("<code><b></code>") == "&lt;code&gt;&lt;b&gt;&lt;/code&gt;"


def test_blocks():
    """Lists of two levels, quotes, folded parts."""
    page = render_blocks(
        ["- a\n  - b\n  - c\n- d", "> [!CAUTION]\n> **Broken.**\n>\n> - x", fold_away("More", ["text"])]
    )
    assert "<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul>" in page
    assert '<div class="caution" role="note"><p><strong>Broken.</strong></p>\n<ul><li>x</li></ul></div>' in page
    assert "<details><summary>More</summary>\n<p>text</p>\n</details>" in page


def test_a_list_that_ends_below_is_closed():
    """The second level ends with its list."""
    assert render_blocks(["- a\n  - b"]) == "<ul><li>a<ul><li>b</li></ul></li></ul>"


def test_tables_have_headings_of_rows_and_columns():
    """And numbers to the right."""
    page = render_blocks([render_markdown_table(["variant", "found"], [[quote_code("a|b"), "0.50"]])])
    assert '<th scope="col">variant</th><th scope="col" class="n">found</th>' in page
    assert '<th scope="row"><code>a&#124;b</code></th><td class="n">0.50</td>' in page
    assert "<caption>c</caption>" in render_table(["a"], [["b"]], [False], caption="c")


@given(st.text(max_size=60))
def test_a_quoted_text_stays_what_it_is(text):
    """Whatever it holds, the page shows it and gets no tag from it."""
    shown = shorten(make_visible(text))
    reader = Reader(render_blocks([f"- {quote_code(text)}"]))
    assert set(reader.tags) <= {"ul", "li", "code"}
    if shown.strip():
        assert reader.text == shown
    cells = render_markdown_table(["a", "b"], [[quote_code(text), escape_prose(text) or "–"]])
    reader = Reader(render_blocks([cells]))
    assert reader.tags.count("td") == 1
    assert set(reader.tags) <= MADE_HERE


@pytest.mark.parametrize("text", ["</code><script>", "`", "|", "\\|", "a\n\nb", "**", "&lt;", "&#60;b&#62;", "](#x)"])
def test_traps(text):
    """Pairs of marks, entities and ends of spans in a text show as they are."""
    reader = Reader(render_blocks([f"**{quote_code(text)}**: {escape_prose(text)}"]))
    assert make_visible(text) in reader.text
    assert set(reader.tags) <= {"p", "strong", "code"}
