"""Units: where each rule cuts, checked against small texts whose pieces were worked out by hand."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.retrieval.chunking import (
    chunk_by_breaks,
    chunk_by_headings,
    chunk_by_lines,
    chunk_whole,
    make_units,
    rank_files,
    rank_units,
    read_heading,
    split_sentences,
    strip_comments,
)

by_headings = partial(chunk_by_headings, max_chars=1500, overlap_lines=2, min_chars=2)


def lines_of(pieces):
    return [(piece.first_line, piece.last_line) for piece in pieces]


def texts_of(pieces):
    return [piece.text for piece in pieces]


def test_units_come_by_file_whatever_the_order_of_the_documents(make_document):
    """By doc_id, then by line; a leg's places mean the same units however a store was read."""
    documents = [make_document("b.md", "# B\nbb\n# C\ncc"), make_document("a.md", "alpha")]
    units = make_units(documents, by_headings)
    assert [(unit.doc_id, unit.text) for unit in units] == [
        ("a.md", "alpha"),
        ("b.md", "# B\nbb"),
        ("b.md", "# C\ncc"),
    ]
    assert make_units(documents[::-1], by_headings) == units


def test_a_file_ranks_by_its_best_unit(make_document):
    """The best of several pieces counts, not their sum; equal files by doc_id."""
    units = make_units([make_document("a.md", "# A\naa\n# B\nbb"), make_document("b.md", "bb")], by_headings)
    assert [(hit.doc_id, hit.score) for hit in rank_files(units, [(2, 0.7), (0, 0.6), (1, 0.6)])] == [
        ("b.md", 0.7),
        ("a.md", 0.6),
    ]
    assert [hit.doc_id for hit in rank_files(units, [(2, 0.5), (1, 0.5)])] == ["a.md", "b.md"]
    assert rank_files(units, []) == ()


def test_units_are_ranked_by_score_then_place():
    """At most as many as asked for."""
    assert rank_units([(0, 0.1), (3, 0.5), (2, 0.5)]) == [(2, 0.5), (3, 0.5), (0, 0.1)]
    assert rank_units([(0, 0.1), (3, 0.5), (2, 0.5)], 1) == [(2, 0.5)]


def test_a_whole_text_is_one_piece():
    """With all its lines; white space alone is none."""
    assert lines_of(chunk_whole("a\nb\n")) == [(1, 2)]
    assert list(chunk_whole(" \n\n")) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("# One", (1, "One")),
        ("###### Six  ", (6, "Six")),
        ("#\ttab", (1, "tab")),
        ("####### seven", (0, "")),
        ("#Tag", (0, "")),
        (" # indented", (0, "")),
        ("# ", (0, "")),
    ],
)
def test_headings(line, expected):
    """One to six marks, white space, a title, from the first column."""
    assert read_heading(line) == expected


class TestByHeadings:
    """Sections."""

    def test_every_heading_begins_a_piece_that_knows_no_other_heading(self):
        """The word of the heading above is lost to the pieces below it."""
        pieces = list(by_headings("intro\n# Auth\n## JWT\nuse RS256\n## Sessions\n- 30 min\n"))
        assert texts_of(pieces) == ["intro", "## JWT\nuse RS256", "## Sessions\n- 30 min"]
        assert [(piece.heading, piece.level) for piece in pieces] == [("", 0), ("JWT", 2), ("Sessions", 2)]
        assert lines_of(pieces) == [(1, 1), (3, 4), (5, 7)]

    def test_a_section_without_two_characters_of_body_is_dropped(self):
        """Comments and headings are no body; two Han characters are one."""
        assert texts_of(by_headings("# A\nx\n# B\n<!-- c -->\n# C\n<!-- c\n-->ab\n# D\n是的")) == [
            "# C\n<!-- c\n-->ab",
            "# D\n是的",
        ]

    def test_a_comment_of_a_shell_script_is_a_heading(self):
        """Code fences are not looked at; front matter is text."""
        assert texts_of(by_headings("---\na: b\n---\n# T\n```sh\n# step\nls\n```\n")) == [
            "---\na: b\n---",
            "# T\n```sh",
            "# step\nls\n```",
        ]

    def test_paragraphs_of_a_long_section_overlap_by_one(self):
        """Twenty paragraphs of 214 characters under one heading: the two lines repeated are a paragraph and a blank."""
        paragraphs = "\n\n".join(f"p{number:02} {'w' * 209}." for number in range(20))
        pieces = list(by_headings(f"# Head\n\n{paragraphs}"))
        assert lines_of(pieces) == [(1, 14), (13, 24), (23, 34), (33, 41)]
        assert pieces[1].text.startswith("p05 ")
        assert {piece.heading for piece in pieces} == {"Head"}

    def test_bullets_of_a_long_section_overlap_by_two(self):
        """Sixty bullets of 72 characters."""
        pieces = by_headings("# Head\n" + "\n".join(f"- {number:02} {'w' * 67}" for number in range(60)))
        assert lines_of(pieces) == [(1, 21), (20, 39), (38, 57), (56, 61)]

    def test_a_blank_line_ends_the_piece_it_fills(self):
        """Any other line begins the next one; the last line of a section is never the end of a piece before it."""
        cut = partial(chunk_by_headings, max_chars=5, overlap_lines=0, min_chars=2)
        assert lines_of(cut("aaaa\n\nbb")) == [(1, 2), (3, 3)]
        assert lines_of(cut("aaaa\nbb")) == [(1, 1), (2, 2)]
        assert texts_of(cut("aaaa\nb\n")) == ["aaaa", "b"]

    def test_one_long_line_leaves_the_heading_alone(self):
        """The heading is a piece of its own, and is repeated before the line, which is cut at the size."""
        pieces = list(by_headings("# 日志\n" + "字" * 3900))
        assert lines_of(pieces) == [(1, 1), (1, 2), (1, 2), (1, 2)]
        assert [len(piece.text) for piece in pieces] == [4, 1500, 1500, 905]

    @given(st.lists(st.sampled_from(["# A", "x", "word " * 3, "", "字。" * 9]), max_size=12), st.integers(5, 40))
    def test_no_line_with_a_body_is_lost(self, lines, max_chars):
        """What stands in a section long enough to be kept stands in one of its pieces; none is over the size."""
        text = "\n".join(lines)
        pieces = list(chunk_by_headings(text, max_chars=max_chars, overlap_lines=2, min_chars=1))
        assert all(0 < len(piece.text) <= max_chars for piece in pieces)
        wanted = {character for line in lines if not read_heading(line)[0] for character in line}
        assert wanted - {" "} <= {character for piece in pieces for character in piece.text}


@pytest.mark.parametrize(
    ("text", "max_chars", "expected"),
    [
        ("One. Two. Three", 10, ["One. Two.", "Three"]),
        ("see v1.2.3/a!b now", 12, ["see v1.2.3/a", "!b now"]),
        ("部署。重啟！然後", 5, ["部署。", "重啟！然後"]),
        ("ends.字 more", 7, ["ends.", "字 more"]),
        ("wait……go on", 8, ["wait……", "go on"]),
        ("abc", 3, ["abc"]),
        ("abcdefg", 3, ["abc", "def", "g"]),
        ("", 3, []),
    ],
)
def test_long_text_is_split_after_sentences(text, max_chars, expected):
    """The last end that fits; dots inside versions and paths are none; without an end the cut is hard."""
    assert list(split_sentences(text, max_chars)) == expected


def test_comments_are_left_out_of_what_is_embedded():
    """And the hole they leave is closed."""
    assert strip_comments("a\n\n<!-- session:1\nturn:2 -->\n\nb\n") == "a\n\nb"


class TestByLines:
    """Lines packed by size."""

    def test_whole_lines_up_to_the_size(self):
        """Each line counts one more for its end."""
        pieces = list(chunk_by_lines("aaaa\nbbbb\ncccc\n", max_size=10, overlap=0))
        assert texts_of(pieces) == ["aaaa\nbbbb", "cccc"]
        assert lines_of(pieces) == [(1, 2), (3, 3)]

    def test_the_overlap_is_whole_lines(self):
        """As many last ones as reach the overlap."""
        pieces = chunk_by_lines("aa\nbb\ncc\ndd\nee", max_size=9, overlap=4)
        assert lines_of(pieces) == [(1, 3), (2, 4), (3, 5)]

    def test_a_long_last_line_is_carried_whole_or_not_at_all(self):
        """It makes the next piece larger than the size, unless a share caps what is carried."""
        text = "aaaaaaaa\nbbbbbbbb\ncc"
        assert texts_of(chunk_by_lines(text, max_size=10, overlap=2)) == [
            "aaaaaaaa",
            "aaaaaaaa\nbbbbbbbb",
            "bbbbbbbb\ncc",
        ]
        assert texts_of(chunk_by_lines(text, max_size=10, overlap=2, max_overlap_share=0.2)) == [
            "aaaaaaaa",
            "bbbbbbbb",
            "cc",
        ]

    def test_a_line_over_the_size_is_cut_inside(self):
        """By weight: a Han character may count four."""
        pieces = list(chunk_by_lines("abcdefg\n字字字", max_size=4, overlap=0, weigh=lambda text: 4 * len(text)))
        assert texts_of(pieces) == [*"abcdefg", *"字字字"]
        assert lines_of(pieces)[-1] == (2, 2)

    def test_blank_pieces_are_none(self):
        """Nothing but white space."""
        assert list(chunk_by_lines("\n \n", max_size=10, overlap=0)) == []


class TestByBreaks:
    """Characters, cut where the text breaks."""

    def test_a_blank_line_is_better_than_a_later_line_end(self):
        """The best kind of break in the second half of the size decides."""
        pieces = list(chunk_by_breaks("aaa bbb\n\nccc\nddd eee", max_chars=14, overlap_chars=0))
        assert texts_of(pieces) == ["aaa bbb", "ccc\nddd eee"]
        assert lines_of(pieces) == [(1, 1), (3, 4)]

    def test_without_a_break_the_cut_is_at_the_size(self):
        """Any character may be the last."""
        assert texts_of(chunk_by_breaks("a" * 25, max_chars=10, overlap_chars=0)) == ["a" * 10, "a" * 10, "a" * 5]

    def test_a_piece_begins_before_the_end_of_the_last(self):
        """At the start of a word, where there is one."""
        assert texts_of(chunk_by_breaks("one two three four", max_chars=10, overlap_chars=6)) == [
            "one two",
            "two three",
            "three four",
        ]
        assert texts_of(chunk_by_breaks("abcdefgh", max_chars=5, overlap_chars=2)) == ["abcde", "defgh"]

    @given(st.text("ab \n.。", max_size=80), st.integers(2, 20), st.integers(0, 3))
    def test_nothing_is_lost_and_nothing_is_too_long(self, text, max_chars, overlap_chars):
        """Every visible character stands in a piece, and the rule comes to an end."""
        pieces = list(chunk_by_breaks(text, max_chars=max_chars, overlap_chars=overlap_chars))
        assert all(len(piece.text) <= max_chars for piece in pieces)
        visible = [character for piece in pieces for character in piece.text if not character.isspace()]
        assert len(visible) >= sum(not character.isspace() for character in text)
