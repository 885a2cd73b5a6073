"""Where files live, which names are safe, and what a store holds."""

from __future__ import annotations

import os
from datetime import date, datetime, time, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.errors import InvalidNameError, InvalidTargetError, MemoryStoreError, UnreadableFileError
from memeval.memory import Tier, list_projects, project_slug, read_store
from memeval.memory.layout import Layout, day_before, format_day, format_time

PROJECT = "shop-1a2b3c4d"


def fill(desk):
    desk.put(desk.long_term, "rules")
    desk.put(desk.root / "OTHER.md", "more")
    desk.put(desk.root / "MEMORY.bak", "old")
    desk.put(desk.root / ".#MEMORY.md", "an editor's")
    desk.put(desk.scratchpad, "- [ ] item")
    desk.put(desk.notes / "b.md", "\ufeffb")
    desk.put(desk.notes / "部署.md", "c\r\n")
    desk.put(desk.notes / "a.txt", "no Markdown")
    desk.put(desk.daily / "2026-07-03.md", "d")
    desk.put(desk.daily / "draft.md", "e")
    desk.put(desk.root / "projects" / "other-00000000" / "notes" / "leak.md", "another project's")


SEARCHED = [
    ("MEMORY.md", Tier.LONG_TERM, None, "rules"),
    ("OTHER.md", Tier.LONG_TERM, None, "more"),
    (f"projects/{PROJECT}/daily/2026-07-03.md", Tier.DAILY, "2026-07-03", "d"),
    (f"projects/{PROJECT}/daily/draft.md", Tier.DAILY, "draft", "e"),
    (f"projects/{PROJECT}/notes/b.md", Tier.NOTE, None, "b"),
    (f"projects/{PROJECT}/notes/部署.md", Tier.NOTE, None, "c\r\n"),
]


def test_read_store_gives_what_a_search_sees(desk):
    """Root, notes and logs of one project, sorted, without a byte order mark, named as on any machine."""
    fill(desk)
    documents = read_store(desk.root, PROJECT)
    assert [(d.doc_id, d.tier, d.date, d.text) for d in documents] == SEARCHED
    assert all(document.path == document.doc_id for document in documents)
    assert [document.name for document in documents][-1] == "部署.md"
    assert read_store(desk.root, PROJECT, shown_root="s")[0].path == str(Path("s", "MEMORY.md"))
    assert [d.doc_id for d in read_store(desk.root)] == ["MEMORY.md", "OTHER.md"]
    assert desk.open().documents() == read_store(desk.root, PROJECT, shown_root=str(desk.root))


def test_read_store_names_every_unreadable_file(desk):
    """A corpus that cannot be read whole is refused, not shortened."""
    fill(desk)
    desk.put(desk.notes / "b.md", b"- caf\xe9")
    desk.put(desk.notes / "c.md", b"\xff")
    with pytest.raises(UnreadableFileError, match=r"b\.md \(not UTF-8: byte 0xe9 in line 1\); .*c\.md"):
        read_store(desk.root, PROJECT)


def test_projects_are_listed(desk):
    """Folders in projects/, sorted; a store without any has none."""
    assert list_projects(desk.root) == ()
    fill(desk)
    desk.put(desk.root / "projects" / "stray.md", "")
    desk.put(desk.root / "projects" / ".hidden" / "x.md", "")
    assert list_projects(desk.root) == ("other-00000000", PROJECT)


def test_paths_are_shown_as_the_root_was_given():
    """Nothing is resolved; one separator stands between."""
    for root in ("store", "./store", "../a/store", "/abs"):
        assert Layout(root).shown("MEMORY.md") == f"{root}{os.sep}MEMORY.md"
    assert Layout("store/").shown("MEMORY.md") == "store/MEMORY.md"
    assert Layout("s", "p").shown("projects/p/notes/a.md") == str(Path("s/projects/p/notes/a.md"))


@pytest.mark.parametrize("root", ["", "a\0b", "\ud800"])
def test_a_root_must_be_a_folder_name(root):
    """No root is refused at once, not at the first write, and never taken for the current folder."""
    for ask in (Layout, list_projects, read_store):
        with pytest.raises(MemoryStoreError, match="no root of a store"):
            ask(root)


@pytest.mark.parametrize("project", ["", ".", "..", "a/b", "a\\b", "../x", "a\0", "a\nb", " "])
def test_a_project_is_one_folder(project):
    """A slug that leads elsewhere is refused with the way to give a working directory."""
    with pytest.raises(InvalidNameError, match=r"give cwd=FOLDER"):
        Layout("store", project)


def test_without_a_project_only_the_root_is_in_reach():
    """The other tiers say what to give."""
    layout = Layout("store")
    for locate in (layout.scratchpad, lambda: layout.daily("2026-07-03"), lambda: layout.note("a")):
        with pytest.raises(InvalidTargetError, match="project=SLUG or cwd=FOLDER"):
            locate()


@pytest.mark.parametrize("name", ["redis", " redis ", "redis.md", "redis.md\n"])
def test_note_names_may_carry_space_around_and_the_ending(name):
    """White space around and one `.md` are not part of the name."""
    assert Layout("s", "p").note(name) == "projects/p/notes/redis.md"


@pytest.mark.parametrize(
    "name", ["DB Schema", "Überblick", "部署流程", "-x", "a_b", "x" * 251, "👩\u200d💻", "Console"]
)
def test_plain_names_are_names(name):
    """Letters of any script, spaces inside, dashes, and the longest name that still takes `.bak`."""
    assert Layout("s", "p").note(name) == f"projects/p/notes/{name}.md"


@pytest.mark.parametrize(
    "name", ["", "  ", ".md", ".", "..", "a/b", "a\\b", "../x", "naming.rules", "a.md.md", "/etc/x"]
)
def test_names_with_slashes_or_dots_are_refused(name):
    """Nothing that could leave the folder or hide."""
    with pytest.raises(InvalidNameError) as error:
        Layout("s", "p").note(name)
    assert str(error.value) == "invalid note name (no slashes or dots)"


@pytest.mark.parametrize(
    "name",
    [
        "a\0b",
        "a\nb",
        "a\x7f",
        "a\u2028b",
        "\ud83d",
        "a:b",
        "what?",
        "a|b",
        "<a>",
        "CON",
        "con",
        "nul.md",
        "COM1",
        "lpt³",
    ],
)
def test_names_that_some_system_refuses_are_refused_on_all(name):
    """A store can be moved; a control character hides nothing; `a:b` is no hidden stream."""
    with pytest.raises(InvalidNameError, match="invalid note name"):
        Layout("s", "p").note(name)


def test_a_name_that_is_too_long_says_how_long_it_may_be():
    """Bytes count, not characters."""
    with pytest.raises(InvalidNameError, match="252 bytes; 251 are the most"):
        Layout("s", "p").note("部" * 84)


def test_a_note_without_a_name_is_refused():
    """The message shows what to give."""
    with pytest.raises(InvalidNameError, match="name='redis-deploy'"):
        Layout("s", "p").note(None)


@given(st.text())
def test_a_name_stays_in_its_folder_or_is_refused(name):
    """Whatever the text, a note is a file directly in notes/."""
    try:
        doc_id = Layout("s", "p").note(name)
    except InvalidNameError:
        return
    folder, _, file = doc_id.rpartition("/")
    assert folder == "projects/p/notes"
    assert os.path.normpath(doc_id) == doc_id
    assert len(file.encode()) <= 255


@pytest.mark.parametrize(
    "day", ["", "x", "2026-7-3", "2026-07-03T00", "../2026-07-03", "２０２６-07-03", "2026-07-03.bak"]
)
def test_days_have_one_shape(day):
    """Digits and hyphens, four, two and two."""
    with pytest.raises(InvalidNameError) as error:
        Layout("s", "p").daily(day)
    assert str(error.value) == "invalid daily date name (expected YYYY-MM-DD: digits and hyphens only)"


def test_find_days_takes_dates_only_newest_first(desk):
    """A draft in daily/ is no log, nor is a day that no calendar has: it would stand before today's for ever."""
    names = ("2026-07-01.md", "2026-07-03.md", "draft.md", "2026-07-02.bak", "2026-7-9.md", "2026-99-99.md")
    for name in (*names, "0000-00-00.md", "2026-07-03 copy.md"):
        desk.put(desk.daily / name, "")
    assert Layout(str(desk.root), PROJECT).find_days() == (["2026-07-03", "2026-07-01"], [])
    assert Layout(str(desk.root)).find_days() == ([], [])


def test_format_day_takes_dates_and_texts():
    """A datetime gives its date; a text must be a day of the calendar."""
    assert (
        format_day(date(2026, 7, 3))
        == format_day(datetime(2026, 7, 3, 23, 59, tzinfo=timezone.utc))
        == format_day("2026-07-03")
    )
    for wrong in ("2026-02-30", "20260703", "today", "", None, 20260703, time(9, 30)):
        with pytest.raises(InvalidNameError, match="no day"):
            format_day(wrong)


def test_format_time_takes_datetimes_times_and_texts():
    """Hours and minutes of a day, nothing else."""
    moment = datetime(2026, 7, 3, 9, 5, 59, tzinfo=timezone.utc)
    assert format_time(moment) == format_time(moment.time()) == format_time("09:05") == "09:05"
    for wrong in (None, 9.5, "9:05", "24:00", "09:60", "09:05\n", "", date(2026, 7, 3)):
        with pytest.raises(MemoryStoreError, match="it must give a datetime, a time, or a text like '14:32'"):
            format_time(wrong)


def test_there_is_no_day_before_the_first():
    """The calendar begins with 0001-01-01."""
    assert day_before("2026-03-01") == "2026-02-28"
    assert day_before("0001-01-02") == "0001-01-01"
    assert day_before("0001-01-01") is None


def test_slugs_tell_folders_of_one_name_apart():
    """The base name is readable, the digits are those of the whole path, a trailing slash included."""
    assert project_slug("/a/app").rpartition("-")[0] == project_slug("/b/app").rpartition("-")[0] == "app"
    assert len({project_slug(path) for path in ("/a/app", "/b/app", "/a/app/")}) == 3
    assert project_slug("/a/..").startswith("root-")
    assert project_slug("/a/app/.").startswith("app-")


def test_half_a_character_is_no_path():
    """A lone surrogate is refused by name; one that stands for a byte Python could not decode is that byte."""
    with pytest.raises(InvalidNameError, match=r"'\\ud800' is no path"):
        project_slug("\ud800")
    assert project_slug("/a/" + "字".encode().decode("ascii", "surrogateescape")) == project_slug("/a/字")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_slug_is_a_safe_folder_name(path):
    """Whatever the path, its slug is a project that a layout takes."""
    slug = project_slug(path)
    assert Layout("s", slug).scratchpad() == f"projects/{slug}/SCRATCHPAD.md"
    assert slug.isascii()
    assert len(slug) <= 49
