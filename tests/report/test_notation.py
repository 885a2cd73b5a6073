"""Strings and figures as they are written down."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memeval.bench.evaluation import Value
from memeval.report import notation

MARKDOWN = MarkdownIt("commonmark").enable("table")
HOSTILE = [
    "a|b",
    r"a\|b",
    "back`tick",
    "``two``",
    "<script>alert(1)</script>",
    "</details>",
    "line\nbreak",
    "\x1b[31mred",
    "\u202eright to left",
    "lone \ud800 surrogate",
    "![x](y) [z](w) *a* _b_ ~c~",
    "$x^2$ and \\frac{1}{2}",
    "&amp; &#124;",
    "# heading",
    "- item",
    "中文｜全形",
    "|",
    "\\",
    "`",
]


def read_cells(cell: str) -> list[str]:
    """What a reader sees of a one-row table whose first cell is `cell` and whose second is `end`."""
    tokens = MARKDOWN.parse(f"| a | b |\n| :--- | ---: |\n| {cell} | end |")
    inlines = [token for token in tokens if token.type == "inline"]
    assert [token.content for token in inlines[:2]] == ["a", "b"], "the header is a header"
    return ["".join(_read(child) for child in token.children) for token in inlines[2:]]


def _read(token) -> str:
    assert token.type in {"text", "code_inline", "html_inline", "text_special"}, token.type
    if token.type == "html_inline":
        assert re.fullmatch("</?code>", token.content)
        return ""
    return token.content


def test_a_text_is_drawn_on_one_line_with_nothing_hidden():
    """Control, bidi and unencodable characters become visible; letters, CJK and joined emoji stay as they are."""
    assert notation.make_visible("a\tb\x1b\x7f\u202e\ud800\u2028") == "a␉b␛⟨U+007F⟩⟨U+202E⟩⟨U+D800⟩⟨U+2028⟩"
    assert notation.make_visible("日本語 über 👩‍💻") == "日本語 über 👩‍💻"


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_in_its_cell(text):
    """A quoted text is read back whole, and the cell after it is still the second."""
    assert read_cells(notation.quote_code(text)) == [notation.make_visible(text), "end"]
    assert read_cells(notation.escape_prose(text)) == [notation.make_visible(" ".join(text.split())), "end"]


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=40))
def test_any_text_stays_in_its_cell(text):
    """No text whatever breaks a table; white space at the ends is all that may get lost."""
    shown = notation.make_visible(text).strip()
    assert [cell.strip() for cell in read_cells(notation.quote_code(text))] == [shown or "(blank)", "end"]
    assert read_cells("x" + notation.escape_prose("x" + text))[1:] == ["end"]


def test_html_quote_reads_back():
    """In HTML the text comes back whole and holds no tag."""
    quoted = notation.quote_html("<b>&amp;\n</b>")
    assert html.unescape(quoted.removeprefix("<code>").removesuffix("</code>")) == "<b>&amp;␊</b>"
    assert quoted.count("<") == 2


def test_empty_text_is_named():
    """A code span cannot be empty, so that an empty text is said in words."""
    assert notation.quote_code("") == "(empty)"
    assert notation.quote_code("  ") == "(blank)"


def test_long_text_is_cut():
    """A long text ends in an ellipsis, a long name keeps both its ends, and neither is longer than allowed."""
    assert notation.shorten("word " * 3, 9) == "word wor…"
    assert notation.shorten_middle("0123456789", 7) == "012…789"
    assert len(notation.shorten_middle("x" * 50, 28)) == 28
    assert notation.shorten_middle("short", 28) == "short"


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0.0, "0.00"), (0.001, "<0.01"), (0.005, "0.01"), (0.714, "0.71"), (0.999, ">0.99"), (1.0, "1.00")],
)
def test_rates(value, text):
    """Two decimals; nothing that is not exactly none or all is written as such; undefined is a dash."""
    assert notation.format_rate(value) == text


@given(st.floats(0.0, 1.0))
def test_every_rate_has_a_text_near_it(value):
    """What is written differs from the value by half a hundredth at most, a bound by a hundredth."""
    text = notation.format_rate(value)
    assert abs(float(text.lstrip("<>")) - value) <= (0.0101 if text[0] in "<>" else 0.00501)


def test_other_figures():
    """Bytes in KiB, means with one decimal, caps in the unit one says, times with what can be told apart."""
    assert notation.format_kibibytes(1536.0) == "1.5"
    assert notation.format_mean(3.25) == "3.2"
    assert [notation.format_budget(cap) for cap in (16384, 500, 1536, 65536)] == [
        "16 KiB",
        "500 B",
        "1.5 KiB",
        "64 KiB",
    ]
    assert notation.format_budget(10**300) == "9.766e+296 KiB", "beyond a float's range no sum is made"
    assert notation.format_budget(10**400) == "9.766e+396 KiB"
    assert [notation.format_milliseconds(time) for time in (None, 0.01234, 1.5, 1234.5)] == [
        "–",
        "0.0123",
        "1.5",
        "1,234",
    ]
    assert notation.add_n("0.71", Value(0.71, 1350)) == "0.71 (n 1,350)"
    assert notation.add_n("–", Value(None, 0)) == "–"


def test_counts_and_lists_are_english():
    """One file, two files, two queries; a, b and c."""
    assert [notation.count(number, "file") for number in (0, 1, 7425)] == ["0 files", "1 file", "7,425 files"]
    assert notation.count(2, "query", "queries") == "2 queries"
    assert [notation.list_names(["a", "b", "c"][:size]) for size in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


def test_width_on_a_terminal():
    """A wide character takes two columns, a combining one none; padding fills to the width."""
    assert notation.measure_width("a中é") == 4
    assert notation.measure_width("e\u0301") == 1
    assert notation.pad("中文", 6) == "中文  "


def test_differences_have_a_sign():
    """Plus or minus, two decimals; nothing before exactly 0, a dash where it is undefined."""
    written = [notation.format_difference(value) for value in (0.316, -0.04, 0.0, 0.001, None, 1.0)]
    assert written == ["+0.32", "−0.04", "0.00", "+0.00", "–", "+1.00"]


def test_an_interval_follows_its_figure():
    """One form everywhere."""
    assert notation.add_interval("0.41", "0.36", "0.47") == "0.41 [0.36, 0.47]"
