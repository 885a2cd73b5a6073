"""The words of regular expressions and file patterns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.sessions.patterns import find_name_words, find_words


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"redis\|cache", "redis cache"),
        (r"redis|cache", "redis cache"),
        (r"\bredis\b", "redis"),
        (r"(?i)redis.*port", "redis port"),
        (r"[Rr]edis", "Redis"),
        (r"port\s+clash", "port clash"),
        (r"(auth|log ?in)\w*", "auth log in"),
        (r"docker[-_]compose", "docker compose"),
        (r"compose\.yaml", "compose.yaml"),
        (r"^- \[ \] rotate", "- rotate"),
        (r"監控.*設定", "監控 設定"),
        (r"a{2,3}", "a"),
    ],
)
def test_a_pattern_asks_for_its_words(pattern, words):
    """Alternatives one after the other, escapes and repetition gone."""
    assert find_words(pattern).replace("[", "").replace("]", "").split() == words.split()


@pytest.mark.parametrize("pattern", ["", ".", ".*", "^#+ ", r"\s+$", "^", r"[-*]"])
def test_a_pattern_without_a_word_asks_for_nothing(pattern):
    """An outline, every line, white space."""
    assert find_words(pattern) is None


def test_a_literal_is_its_own_words():
    """With grep -F nothing is a mark."""
    assert find_words(r"a.b|c", is_literal=True) == "a.b|c"


@pytest.mark.parametrize(
    ("pattern", "words"),
    [("**/*redis*.md", "redis"), ("*.md", None), ("memory/**", None), ("notes/{cache,redis}.md", "cache redis"),
     ("**/*.MARKDOWN", None), ("2026-07-*.md", "2026-07-")],
)  # fmt: skip
def test_a_file_pattern_asks_for_the_words_of_a_name(pattern, words):
    """Of the last part of it, without its ending; a listing asks for none."""
    assert find_name_words(pattern) == words


@given(st.text())
def test_no_pattern_raises(pattern):
    """Whatever was typed."""
    find_words(pattern)
    find_name_words(pattern)
