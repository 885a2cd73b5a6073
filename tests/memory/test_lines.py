"""Texts line by line, as writes and edits of the store need them."""

from __future__ import annotations

import pytest

from memeval.memory.lines import count_matches, drop_duplicates, fit_line_ends, join_lines


@pytest.mark.parametrize(
    ("existing", "content", "whole"),
    [("", "a", "a\n"), ("a", "b", "a\nb\n"), ("a\n", "b\n", "a\nb\n"), ("a\r\n", "b", "a\r\nb\n")],
)
def test_an_addition_begins_on_a_line_of_its_own(existing, content, whole):
    """And ends with a line end; no line end is doubled."""
    assert join_lines(existing, content) == whole


@pytest.mark.parametrize(
    ("text", "old", "matches"), [("aab", "ab", 1), ("aaa", "aa", 2), ("a a", "a", 2), ("a", "b", 0)]
)
def test_a_text_that_overlaps_with_itself_stands_there_twice(text, old, matches):
    """Which of the two is meant, nobody could say."""
    assert count_matches(text, old) == matches


@pytest.mark.parametrize(
    ("text", "old", "meant"),
    [
        ("a\nb\n", "a\nb", ("a\nb", "x\ny")),
        ("a\r\nb\r\n", "a\nb", ("a\r\nb", "x\r\ny")),
        ("a\r\nb\r\n", "a\r\nb", ("a\r\nb", "x\ny")),
        ("a\r\nb\na\nb", "a\nb", ("a\nb", "x\ny")),
        ("a\r\nb\r\na\r\nb", "a\nb", ("a\r\nb", "x\r\ny")),
        ("a\r\nb", "a", ("a", "x\ny")),
        ("a\r\nb", "c\nd", ("c\r\nd", "x\r\ny")),
    ],
)
def test_lines_are_told_whatever_their_ends(text, old, meant):
    """As they are given first; only where those stand nowhere with the line ends of the text, and then both."""
    assert fit_line_ends(text, old, "x\ny") == meant


def test_lines_that_are_there_are_dropped_and_counted():
    """White space, a byte order mark and empty lines aside; a line twice in the addition is one."""
    assert drop_duplicates("- a  b\n\n- c\n- c", "\ufeff- a b\n") == ("\n- c", 2)
