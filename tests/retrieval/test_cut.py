"""What is displayed under a budget."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.memory.document import Document, Tier
from memeval.retrieval.base import Hit, check_answer
from memeval.retrieval.cut import MAX_EXCERPT_BYTES, Cut
from memeval.retrieval.lexical import LiteralTerms
from memeval.retrieval.tokens import TokenTerms
from memeval.text import clip_line, utf8_length


def show(query, texts, *, terms=None, budget_bytes=16_384):
    """The answer for all texts in the order given; ids and paths are `0`, `1`, …"""
    documents = [
        Document(doc_id=f"{i}", path=f"store/{i}", tier=Tier.NOTE, name=f"{i}", text=text)
        for i, text in enumerate(texts)
    ]
    hits = tuple(Hit(document.doc_id, float(-i)) for i, document in enumerate(documents))
    return Cut(documents, terms or TokenTerms(), budget_bytes).show(query, hits)


def excerpt(query, text, **options):
    """The lines displayed below the path."""
    (block,) = show(query, [text], **options).blocks
    return block.text.split("\n")[1:]


def test_the_line_with_most_distinct_terms_and_its_neighbours():
    """Distinct terms count, not repeats; the first line of equals; one line each side."""
    lines = ["one", "port port port", "two", "redis port", "three", "redis port", "four"]
    assert excerpt("redis port", "\n".join(lines)) == ["two", "redis port", "three"]


def test_blank_neighbours_are_left_out():
    """A blank line displays nothing and is not shown; a line end of either kind is not part of the line."""
    assert excerpt("port", "# Title\r\n\r\nport 6379\r\n   \r\nend\r\n") == ["port 6379"]


@pytest.mark.parametrize(
    ("above", "below", "shown"),
    [
        (80, 80, ["above", "line", "below"]),
        (80, 200, ["above", "line"]),
        (200, 80, ["line", "below"]),
        (150, 150, ["above", "line"]),
        (240, 240, ["line"]),
    ],
)
def test_neighbours_go_before_the_line_is_touched(above, below, shown):
    """Over 240 bytes the line below goes first, then the one above, then both."""
    lines = {"above": "a" * above, "line": "port " + "x" * 70, "below": "b" * below}
    assert excerpt("port", "\n".join(lines.values())) == [lines[name] for name in shown]


def test_an_excerpt_of_exactly_240_bytes_is_whole():
    """The limit itself fits; one byte more is clipped, with its mark inside the limit."""
    whole = "port " + "x" * (MAX_EXCERPT_BYTES - 5)
    assert excerpt("port", whole) == [whole]
    (clipped,) = excerpt("port", whole + "x")
    assert clipped.endswith("x…")
    assert utf8_length(clipped) <= MAX_EXCERPT_BYTES


def test_a_long_line_is_clipped_around_its_first_term():
    """The term stays visible in the middle of a line that has no end, a mark at each side."""
    (clipped,) = excerpt("needle 7f", "設" * 5000 + " needle-7f " + "定" * 5000)
    assert clipped.startswith("…設")
    assert clipped.endswith("定…")
    assert "needle-7f" in clipped
    assert MAX_EXCERPT_BYTES - 6 < utf8_length(clipped) <= MAX_EXCERPT_BYTES


def test_without_a_term_the_first_line_that_is_not_blank():
    """A document ranked for another reason is shown by its beginning; an empty one by its path alone."""
    assert excerpt("zzz", "\n\n# Title\nbody") == ["# Title", "body"]
    assert excerpt("", "# Title") == ["# Title"]
    assert show("port", [""]).text == "store/0"


def test_the_literal_is_shown_as_it_was_matched():
    """For a literal the line that holds all of it wins, not one with single words of it."""
    text = "port and conflict and port\nnothing\nPort Conflict solved"
    assert excerpt("port conflict", text, terms=LiteralTerms()) == ["nothing", "Port Conflict solved"]


def test_text_is_blocks_then_the_marker():
    """Blocks apart by a blank line; the marker counts what is left out and its bytes belong to the budget."""
    texts = ["port one", "port two", "port " + "x" * 60, "port four"]
    marked = "store/0\nport one\n\nstore/1\nport two\n\n…[2 more files omitted]"
    exact = show("port", texts, budget_bytes=utf8_length(marked))
    assert (exact.text, exact.shown) == (marked, ("0", "1"))
    below = show("port", texts, budget_bytes=utf8_length(marked) - 1)
    assert (below.text, below.shown) == ("store/0\nport one\n\n…[3 more files omitted]", ("0",))
    assert len(below.hits) == 4


def test_a_complete_display_needs_no_room_for_a_marker():
    """Everything that fits to the byte is shown, without a marker."""
    whole = "store/0\nport one\n\nstore/1\nport two"
    assert show("port", ["port one", "port two"], budget_bytes=utf8_length(whole)).text == whole
    below = show("port", ["port one", "port two"], budget_bytes=utf8_length(whole) - 1)
    assert below.text == "…[2 more files omitted]"


def test_it_stops_at_the_first_block_that_does_not_fit():
    """A smaller block further down is not pulled forward."""
    answer = show("port", ["port", "port " + "x" * 200, "port"], budget_bytes=100)
    assert answer.shown == ("0",)
    assert answer.text.endswith("…[2 more files omitted]")


def test_a_budget_below_the_first_block_shows_the_marker_or_nothing():
    """Nothing is displayed rather than half a block; without room for the marker the text is empty."""
    marker = "…[1 more file omitted]"
    alone = show("port", ["port " * 40], budget_bytes=utf8_length(marker))
    assert (alone.text, alone.blocks) == (marker, ())
    assert show("port", ["port " * 40], budget_bytes=utf8_length(marker) - 1).text == ""


def test_nothing_ranked_shows_nothing():
    """No hits, no text, no marker."""
    assert show("port", []).text == ""


LINES = st.lists(st.text(st.sampled_from("ab 設定🙂\r-…é\u0301"), max_size=150), max_size=6).map("\n".join)


@given(
    st.lists(LINES, max_size=8), st.text(st.sampled_from("ab設定 🙂"), max_size=6), st.integers(-5, 900), st.booleans()
)
def test_the_text_never_exceeds_the_budget(texts, query, budget_bytes, literal):
    """Whatever is stored, asked and allowed: the text fits, is whole blocks, and says how many are missing."""
    answer = show(query, texts, terms=LiteralTerms() if literal else TokenTerms(), budget_bytes=budget_bytes)
    check_answer(answer, {f"{i}" for i in range(len(texts))})
    assert utf8_length(answer.text) <= max(budget_bytes, 0)
    assert answer.shown == tuple(f"{i}" for i in range(len(answer.blocks)))
    missing = len(texts) - len(answer.blocks)
    if answer.blocks:
        assert answer.text.startswith("\n\n".join(block.text for block in answer.blocks))
        assert answer.text.endswith(f"…[{missing} more file{'s' * (missing > 1)} omitted]") == bool(missing)
    for block in answer.blocks:
        path, _, shown = block.text.partition("\n")
        assert path == f"store/{block.doc_id}"
        assert utf8_length(shown) <= MAX_EXCERPT_BYTES


@given(
    st.text(st.sampled_from("ab設🙂é"), max_size=120),
    st.text(st.sampled_from("XY定"), min_size=1, max_size=8),
    st.text(st.sampled_from("ab設🙂é"), max_size=120),
    st.integers(40, 300),
)
def test_clipping_keeps_the_term_and_the_limit(before, term, after, max_bytes):
    """The part shown is a piece of the line with the term in it, marked where it was cut, within the limit."""
    line = before + term + after
    clipped = clip_line(line, len(before), len(before) + len(term), max_bytes)
    assert utf8_length(clipped) <= max_bytes
    assert term in clipped
    piece = clipped.removeprefix("…").removesuffix("…")
    assert piece in line
    assert clipped.startswith("…") == (not line.startswith(piece))
    assert clipped.endswith("…") == (not line.endswith(piece))


def test_a_term_longer_than_the_limit_shows_its_beginning():
    """As much of the term as fits, from its first character."""
    clipped = clip_line("ab" + "設" * 100 + "cd", 2, 102, 40)
    assert clipped == "…" + "設" * 11 + "…"
