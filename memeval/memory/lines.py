"""Texts line by line: joined, told apart by what they say, and how often one text stands in another."""

from __future__ import annotations

import re

from memeval.text import split_words

_BARE_LINE_FEED = re.compile(r"(?<!\r)\n")


def join_lines(existing: str, content: str) -> str:
    """The content behind what is there, beginning on a line of its own and ending with a line end."""
    between = "" if not existing or existing.endswith("\n") else "\n"
    text = existing + between + content
    return text if text.endswith("\n") else text + "\n"


def count_matches(text: str, old: str) -> int:
    """How often a text stands in another; 2 for one that overlaps with itself there."""
    matches = text.count(old)
    overlaps = matches == 1 and text.find(old, text.find(old) + 1) >= 0  # "aa" in "aaa": which one is meant?
    return matches + overlaps


def fit_line_ends(text: str, old: str, new: str) -> tuple[str, str]:
    """(`old`, `new`) as they are meant in a text: both with CRLF where `old` stands nowhere with the ends it was given.

    Whoever read a file with CRLF line by line gives its lines with LF.
    """
    if "\n" not in old or "\r\n" not in text or old in text:
        return old, new
    return _BARE_LINE_FEED.sub("\r\n", old), _BARE_LINE_FEED.sub("\r\n", new)


def drop_duplicates(content: str, existing: str) -> tuple[str, int]:
    """The content without lines that stand in `existing` or earlier in it, white space aside; how many those are."""
    seen = {fold_white_space(line) for line in existing.removeprefix("\ufeff").split("\n")}
    kept: list[str] = []
    lines = content.split("\n")
    for line in lines:
        plain = fold_white_space(line)
        if not plain or plain not in seen:
            kept.append(line)
        seen.add(plain)
    return "\n".join(kept), len(lines) - len(kept)


def fold_white_space(line: str) -> str:
    """A line with one space for any white space, and none around it."""
    return " ".join(split_words(line))
