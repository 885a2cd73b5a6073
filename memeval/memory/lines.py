"""Texts line by line: joined, told apart by what they say, and how often one text stands in another."""

from __future__ import annotations

import re

from memeval.text import split_words


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


def find_once(text: str, old: str, new: str) -> tuple[int, str, str]:
    """How often `old` stands in a text, then `old` and `new` as they are meant there.

    Whoever read a file with CRLF line by line gives its lines with LF: where these stand nowhere, both get CRLF.
    """
    matches = count_matches(text, old)
    if matches == 0 and "\n" in old and "\r\n" in text:
        old, new = (_BARE_LINE_FEED.sub("\r\n", each) for each in (old, new))
        matches = count_matches(text, old)
    return matches, old, new


_BARE_LINE_FEED = re.compile(r"(?<!\r)\n")


def drop_duplicates(content: str, existing: str) -> tuple[str, int]:
    """The content without lines that stand in `existing` or earlier in it, white space aside; how many those are."""
    seen = {normalise(line) for line in existing.removeprefix("\ufeff").split("\n")}
    kept: list[str] = []
    lines = content.split("\n")
    for line in lines:
        plain = normalise(line)
        if not plain or plain not in seen:
            kept.append(line)
        seen.add(plain)
    return "\n".join(kept), len(lines) - len(kept)


def normalise(line: str) -> str:
    """A line with one space for any white space, and none around it."""
    return " ".join(split_words(line))
