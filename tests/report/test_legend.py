"""The legend below a text."""

from __future__ import annotations

from memeval.report.legend import HEAD, Word, write_legend

WORDS = (Word("p 0", "p", "how often by chance"), Word("found", "found", "shown"))


def test_only_what_the_text_uses_is_explained():
    """In the order of the list, once each, however often it is used."""
    assert write_legend("found 1, found 2, p 0.5", WORDS) == [HEAD, "  p: how often by chance", "  found: shown"]
    assert write_legend("found", WORDS) == [HEAD, "  found: shown"]


def test_a_text_without_such_words_has_no_legend():
    """Not even its head."""
    assert write_legend("nothing was compared", WORDS) == []
