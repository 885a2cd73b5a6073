"""What a document is called, the day it is of, and what it says of itself."""

from __future__ import annotations

from datetime import date

import pytest

from memeval.retrieval.peers.titles import find_day, find_description, find_first_line, find_title

NOTE = '---\nname: tar\ndescription: "which flags tar takes"\n---\n\n# Tar\n\nuse -C\n'


@pytest.fixture
def make_note(make_document):
    """(text, name) -> a note."""
    return lambda text, name="tar-flags_old.md": make_document(f"notes/{name}", text)


def test_a_title_is_the_first_heading_or_the_name(make_note):
    """Of any level; in a name without its ending, words apart."""
    assert find_title(make_note(NOTE)) == "Tar"
    assert find_title(make_note("text\n### Deep\n# High\n")) == "Deep"
    assert find_title(make_note("text")) == "tar flags old"


@pytest.mark.parametrize(
    ("text", "description"),
    [
        (NOTE, "which flags tar takes"),
        ("---\ndescription: it's plain\n---\n", "it's plain"),
        ("description: not front matter\n", ""),
        ("---\nname: x\n---\ndescription: below it\n", ""),
        ("", ""),
    ],
)
def test_a_description_stands_in_front_matter(make_note, text, description):
    """Without its quotes; nowhere else."""
    assert find_description(make_note(text)) == description


@pytest.mark.parametrize(
    ("text", "line"),
    [(NOTE, "use -C"), ("\n# A\n\n  one \ntwo", "one"), ("# A\n", ""), ("", ""), ("---\nopen", "---")],
)
def test_the_first_line_is_text(make_note, text, line):
    """Behind front matter and headings; a rule that opens nothing is text."""
    assert find_first_line(make_note(text)) == line


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2026-03-01.md", date(2026, 3, 1)),
        ("2026-03-01-slug.md", date(2026, 3, 1)),
        ("2026-02-30.md", None),
        ("2026-03-011.md", None),
        ("notes-2026-03-01.md", None),
    ],
)
def test_a_day_begins_the_name(make_note, name, day):
    """A day of the calendar, whatever follows it."""
    assert find_day(make_note("x", name)) == day
