"""What is shown of one document: windows around what was found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.memory.folding import fold_width
from memeval.memory.occurrences import find_occurrences
from memeval.memory.ranking import INSIDE_WEIGHT
from memeval.memory.snippet import MAX_LINE_BYTES, Page
from memeval.memory.terms import parse_query
from memeval.text import CLIPPED, utf8_length

LINES = [
    "needle",
    "# head",
    "text",
    "",
    "  ",
    "aliases: needle, cache",
    "ﾆｰﾄﾞﾙ needle",
    "```",
    "---",
    "針㍿針",
    "needle\r",
]
LINES += [
    "x" * 300 + " needle " + "y" * 300,
    "設" * 100 + "針" + "定" * 100,
    "\ufeffneedle",
    "Needles needled",
    "e\u0301 needle",
]
TEXTS = st.lists(st.sampled_from(LINES), min_size=1, max_size=14).map("\n".join)
QUERIES = st.sampled_from(["needle", "needle 針", "head needle", "ニードル", "cache"])


def open_page(text, query):
    """The page, and its spots for the terms of a query, the first of them the rarest."""
    folded = fold_width(text)
    page = Page(folded)
    terms = parse_query(query)
    found = [(find_occurrences(term, folded), len(term.key), 1 / (n + 1)) for n, term in enumerate(terms)]
    return page, page.find_spots(found)


def show(text, query="needle", max_windows=3, margin=1, max_bytes=900):
    page, spots = open_page(text, query)
    return page.show_windows(spots, max_windows, margin, max_bytes)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nneedle\nb\nc", "a\nneedle\nb"),
        ("a\nb\nneedle", "b\nneedle"),
        ("needle\nb\nc\nd\ne\nneedle", "needle\nb\n…\ne\nneedle"),
        ("needle\nb\nc\nneedle", "needle\nb\nc\nneedle"),
        ("needle\n\n\nneedle", "needle\nneedle"),
        ("# head\na\nb\nneedle", "# head\n…\nb\nneedle"),
        ("# head\nneedle", "# head\nneedle"),
        ("# one\na\n## two\nb\nc\nneedle", "## two\n…\nc\nneedle"),
        ("# needle\na", "# needle\na"),
        ("---\n# comment\n---\na\nb\nneedle", "b\nneedle"),
        ("```\n# comment\n```\na\nb\nneedle", "b\nneedle"),
        ("~~~ sh\n# one\n~~~\n# two\na\nb\nneedle", "# two\n…\nb\nneedle"),
        ("``` `a`\n# head\na\nb\nneedle", "# head\n…\nb\nneedle"),
        ("    # code\na\nb\nneedle", "b\nneedle"),
        ("aliases: needle\na\nneedle", "a\nneedle"),
        ("a\r\nneedle\r\nb\r\n", "a\nneedle\nb"),
    ],
)
def test_windows_by_hand(text, shown):
    """A line on each side, blanks left out, the heading of the section, a mark where lines were skipped."""
    assert show(text) == shown


def test_the_best_windows_are_chosen():
    """Lines with the rarest terms, then with more of them beside; shown in the order of the text."""
    text = "\n".join(["b", "", "x", "", "a", "", "x", "", "b", "b", "", "x"])
    page, spots = open_page(text, "aa b")
    assert [spot.line for spot in spots] == [0, 8, 9]
    assert page.show_windows(spots, 1, 0, 900) == "b"
    text = "needle one\nx\nx\nx\nneedle 針 two\nx\nx\nx\nneedle three"
    assert show(text, "needle 針", max_windows=1, margin=0) == "needle 針 two"
    assert show(text, "needle 針", max_windows=2, margin=0) == "needle one\n…\nneedle 針 two"


def test_a_window_that_does_not_fit_is_shown_alone_or_left_out():
    """First without its neighbours, then not at all; what is shown of the first is clipped before that."""
    text = "before it\nneedle one\nbehind it\n\nx\ny\n\nneedle two"
    assert show(text, max_windows=1, max_bytes=30) == "before it\nneedle one\nbehind it"
    assert show(text, max_windows=1, max_bytes=29) == "needle one"
    assert show(text, max_windows=2, max_bytes=24) == "needle one"
    assert show(text, max_windows=2, max_bytes=25) == "needle one\n…\nneedle two"
    assert show(text, max_windows=2, max_bytes=45) == "before it\nneedle one\nbehind it\n…\nneedle two"
    assert show("x" * 50 + " needle " + "y" * 50, max_bytes=30) == "…xxxxxxxx needle yyyyyyyy…"


def test_a_place_inside_a_longer_word_weighs_less():
    """Beside a whole word of the same rarity it decides nothing."""
    page, _ = open_page("xneedlex\nneedle", "needle")
    inside, whole = (find_occurrences(parse_query("needle")[0], fold_width(text)) for text in ("xneedlex", "x\nneedle"))
    spots = page.find_spots([(inside, 6, 1.0), (whole._replace(starts=[9]), 6, 1.0)])
    assert [(spot.line, spot.weight) for spot in spots] == [(0, INSIDE_WEIGHT), (1, 1.0)]


@given(TEXTS, QUERIES, st.integers(1, 5), st.integers(0, 3), st.integers(12, 1200))
def test_windows_keep_their_cap_and_show_what_was_found(text, query, max_windows, margin, max_bytes):
    """Never a byte over; every chosen line is there with its mark; each shown line is one of the text or part of it."""
    page, spots = open_page(text, query)
    shown = page.show_windows(spots, max_windows, margin, max_bytes)
    assert utf8_length(shown) <= max_bytes
    if not spots:
        return
    stored = [line.removesuffix("\r") for line in text.split("\n")]
    marks = [term.key for term in parse_query(query)]
    lines = shown.split("\n")
    for line in lines:
        assert any(line.strip(CLIPPED) in one for one in stored)
        assert utf8_length(line) <= max(MAX_LINE_BYTES, max_bytes if len(lines) == 1 else 0)
    with_mark = [line for line in lines if any(mark in fold_width(line).text for mark in marks)]
    assert with_mark
    if not margin:
        headings = [line for line in lines if line.startswith("#")]
        assert set(lines) - set(with_mark) <= {CLIPPED, *headings}


@given(TEXTS, QUERIES, st.integers(12, 300))
def test_one_line_holds_the_best_mark(text, query, max_bytes):
    """Of the line with most weight, the part around its rarest term."""
    page, spots = open_page(text, query)
    line = page.show_line(spots, max_bytes)
    assert utf8_length(line) <= max_bytes
    assert "\n" not in line
    if spots:
        best = min(spots, key=lambda spot: -spot.weight)
        marks = [term.key for term in parse_query(query)]
        assert any(mark in fold_width(line).text for mark in marks), best


@given(TEXTS, QUERIES)
def test_spots_are_where_terms_stand(text, query):
    """In order, each on its line; lines of aliases are none; places are in the folded text."""
    folded = fold_width(text)
    page, spots = open_page(text, query)
    stored = text.split("\n")
    assert [spot.line for spot in spots] == sorted({spot.line for spot in spots})
    for spot in spots:
        assert not stored[spot.line].startswith("aliases:")
        assert folded.text.count("\n", 0, spot.start) == spot.line
        assert folded.text[spot.start : spot.end] in [term.key for term in parse_query(query)]
    occurrences = [find_occurrences(term, folded) for term in parse_query(query)]
    assert page.count_lines(occurrences) == len(spots)
    assert any(page.holds(one) for one in occurrences) == bool(spots)


@given(TEXTS, st.integers(1, 4), st.integers(10, 400))
def test_a_beginning_tells_something(text, lines, max_bytes):
    """The first lines with a letter or number, none of them of aliases, under the cap."""
    page, _ = open_page(text, "needle")
    shown = page.show_beginning(lines, max_bytes)
    assert utf8_length(shown) <= max_bytes
    assert shown.count("\n") < lines
    assert not shown or any(character.isalnum() for character in shown.split("\n")[0])
    assert "cache" not in shown


def test_a_term_is_read_two_hundred_times():
    """Of a log that repeats a word no more lines are weighed, so that it costs no more."""
    _, spots = open_page("needle\n" * 500, "needle")
    assert len(spots) == 200


def test_lines_that_tell_something():
    """Between two lines, those with a letter or number and where each begins once folded; lines of aliases are none."""
    text = "\ufeffaliases: port\n㍿ one\n---\n\nport\naliases:\n- two\nend"
    folded = fold_width(text)
    assert Page(folded).list_telling(0, 99) == [
        (1, folded.text.index("株式会社 one")),
        (4, folded.text.index("\nport\n") + 1),
        (7, folded.text.index("end")),
    ]
    assert [line for line, _ in Page(folded).list_telling(2, 4)] == [4]
