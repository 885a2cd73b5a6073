"""What a document is called, the day it is of, and what it says of itself in a line."""

from __future__ import annotations

import re
from datetime import date

from memeval.memory.document import Document
from memeval.retrieval.chunking import read_heading
from memeval.text import split_lines

_DESCRIPTION = re.compile(r"description:[ \t]+(?P<quote>[\"']?)(?P<text>.+?)(?P=quote)[ \t]*")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")


def find_title(document: Document) -> str:
    """Its first heading; without one the file name, ending left out and words apart."""
    for line in split_lines(document.text):
        level, title = read_heading(line)
        if level:
            return title
    return document.name.rsplit(".", 1)[0].replace("-", " ").replace("_", " ")


def find_description(document: Document) -> str:
    """The `description` of its front matter; empty without one."""
    lines = split_lines(document.text)
    if not lines or lines[0] != "---":
        return ""
    for line in lines[1:]:
        if line == "---":
            break
        if found := _DESCRIPTION.fullmatch(line):
            return found["text"]
    return ""


def find_first_line(document: Document) -> str:
    """The first line of its text that is neither blank nor a heading nor front matter; empty without one."""
    lines = split_lines(document.text)
    if lines and lines[0] == "---" and "---" in lines[1:]:
        lines = lines[lines.index("---", 1) + 1 :]
    return next((line.strip() for line in lines if line.strip() and not read_heading(line)[0]), "")


def find_day(document: Document) -> date | None:
    """The day a file's name begins with; None for any other name, which has no age."""
    found = _DAY.match(document.name)
    try:
        return date.fromisoformat(found.group()) if found else None
    except ValueError:
        return None
