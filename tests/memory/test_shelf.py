"""What a search displays of its hits in a room of bytes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from memeval.memory.shelf import SEPARATOR, Shelf
from memeval.text import utf8_length


@dataclass(frozen=True)
class Hit:
    """As much of a candidate as a shelf asks for."""

    doc_id: str
    line: str = "line"
    body: str = "line\nand body"
    wide_body: str = "line\nand body\nand more"
    spots: tuple[int, ...] = (1,)

    @property
    def path(self):
        return self.doc_id

    @property
    def heading(self):
        return f"{self.doc_id}  [matched: x]"


@st.composite
def hits(draw):
    """Some with the same line, body or more of it; bodies begin with the line."""
    found = []
    for number in range(draw(st.integers(0, 8))):
        line = draw(st.sampled_from(["same", "設定", "other line", ""]))
        body = line + draw(st.sampled_from(["", "\nbody", "\n設定の監視" * 5]))
        wide = body + draw(st.sampled_from(["", "\nmore", "\nwide" * 20]))
        found.append(Hit(f"note-{number}.md", line, body, wide, draw(st.sampled_from([(), (1,)]))))
    return found


def fill(room, found):
    shelf = Shelf(room)
    shelf.take(found)
    return shelf


def measure(shelf):
    return sum(utf8_length(SEPARATOR + part) for part in shelf.parts())


@given(hits(), st.integers(0, 900))
def test_never_more_than_the_room(found, room):
    """What is shown are the first hits, each once, in a part of its own or named below one that shows the same."""
    shelf = fill(room, found)
    assert measure(shelf) <= room
    blocks = shelf.blocks()
    assert [block.doc_id for block in blocks] == [hit.doc_id for hit in found[: len(blocks)]]
    text = SEPARATOR.join(shelf.parts())
    assert all(block.text in text for block in blocks)
    assert all(text.count(block.doc_id) == 1 for block in blocks)


@given(hits(), st.integers(0, 500))
def test_what_is_left_out_did_not_fit(found, room):
    """The first hit that is missing has no room for heading and line, nor for a mention where its line is shown."""
    found = [replace(hit, body=hit.line, wide_body=hit.line) for hit in found]
    shelf = fill(room, found)
    taken = len(shelf.blocks())
    if taken < len(found):
        hit = found[taken]
        is_shown = hit.spots and any(other.spots and other.line == hit.line for other in found[:taken])
        own = f"{SEPARATOR}{hit.heading}\n{hit.line}" if hit.line else f"{SEPARATOR}{hit.heading}"
        added = f"\n(the same lines in {hit.path})" if is_shown else own
        assert measure(shelf) + utf8_length(added) > room


def test_the_first_are_shown_with_their_surroundings_the_others_with_one_line():
    """Until a share of the room is used."""
    found = [
        Hit(f"{number}.md", f"l{number}", f"l{number}\n{'b' * 100}", f"l{number}\n{'b' * 200}") for number in range(9)
    ]
    shelf = fill(460, found)
    assert ["b" in part for part in shelf.parts()] == [True, True, *[False] * (len(shelf.parts()) - 2)]
    assert len(shelf.parts()) > 5


def test_what_is_left_goes_to_the_first():
    """First to bodies, then to more of them, in order."""
    found = [Hit(f"{number}.md", f"l{number}", f"l{number}\nbody", f"l{number}\nbody\nwide") for number in range(3)]
    every = sum(utf8_length(f"{SEPARATOR}{hit.heading}\n{hit.wide_body}") for hit in found)
    assert [part.count("wide") for part in fill(every, found).parts()] == [1, 1, 1]
    assert [part.count("wide") for part in fill(every - 1, found).parts()] == [1, 1, 0]
    assert [part.count("body") for part in fill(every - 1, found).parts()] == [1, 1, 1]


def test_files_with_the_same_lines_are_one_part():
    """The others are named below the first; a file found by its name alone stands for itself."""
    found = [Hit("a.md"), Hit("b.md"), Hit("c.md", spots=()), Hit("d.md")]
    shelf = fill(10_000, found)
    body = "line\nand body\nand more"
    assert shelf.parts() == [
        f"a.md  [matched: x]\n{body}\n(the same lines in b.md)\n(the same lines in d.md)",
        f"c.md  [matched: x]\n{body}",
    ]
    assert [block.text for block in shelf.blocks()][1:] == ["b.md", f"c.md  [matched: x]\n{body}", "d.md"]


def test_twins_part_where_their_surroundings_differ():
    """One line may be the same and what is around it not: with room each has its own part, in the order of the hits."""
    found = [Hit("a.md", "l", "l\none", "l\none"), Hit("b.md", "l", "l\ntwo", "l\ntwo"), Hit("c.md", "m", "m", "m")]
    assert [part.split()[0] for part in fill(10_000, found).parts()] == ["a.md", "b.md", "c.md"]


def test_twins_that_show_more_stay_true():
    """Where more of them is not the same, neither shows more."""
    found = [Hit("a.md", wide_body="line\nand body\none"), Hit("b.md", wide_body="line\nand body\ntwo")]
    assert fill(10_000, found).parts() == ["a.md  [matched: x]\nline\nand body\n(the same lines in b.md)"]


def test_no_room():
    """Nothing is shown, and nothing breaks."""
    for room in (-5, 0, 10):
        assert fill(room, [Hit("a.md")]).blocks() == []
