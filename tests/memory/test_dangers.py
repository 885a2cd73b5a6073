"""Files that cannot be read, and the day: reported faults B05 and B07 in their whole kind, in every profile."""

from __future__ import annotations

import errno
import os
from datetime import date, datetime, time, timedelta, timezone
from pathlib import Path

import pytest

from memeval.errors import InvalidNameError, MemoryStoreError, UnreadableFileError
from memeval.memory import Memory, store

LATIN = b"- caf\xe9 rule\n- keep me\n"
TARGETS = ("long_term", "scratchpad", "daily", "note")


def place(desk, target):
    return {
        "long_term": desk.long_term,
        "scratchpad": desk.scratchpad,
        "daily": desk.daily / "2026-07-03.md",
        "note": desk.notes / "n.md",
    }[target]


def name_of(target):
    return "n" if target == "note" else None


CHANGES = {
    "append": lambda s, target: s.write(target, "- new\n", "append", name_of(target)),
    "overwrite": lambda s, target: s.write(target, "- new\n", "overwrite", name_of(target)),
    "edit": lambda s, target: s.edit(target, "keep", "lose", name_of(target)),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_cannot_be_decoded_is_never_changed(desk, profile, change, target):
    """Reported fault B05: an error that names the file, and its bytes untouched."""
    if change == "edit" and profile == "article":
        profile = "current"  # the article has no edit
    file = desk.put(place(desk, target), LATIN)
    before = desk.files()
    with pytest.raises(UnreadableFileError, match=rf"{file.name} \(not UTF-8: byte 0xe9 in line 1\)"):
        CHANGES[change](desk.open(profile), target)
    assert desk.files() == before


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_the_system_refuses_to_open_is_never_changed(desk, profile, change, target, monkeypatch):
    """Reported fault B05, permission error: the same, with the system's reason."""
    if change == "edit" and profile == "article":
        profile = "current"
    file = desk.put(place(desk, target), "- keep me\n")
    before = desk.files()

    def refuse(_path):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", refuse)
        with pytest.raises(UnreadableFileError, match=rf"{file.name} \(Permission denied\)"):
            CHANGES[change](desk.open(profile), target)
    assert desk.files() == before


@pytest.mark.parametrize("target", TARGETS)
def test_a_folder_in_place_of_a_file_is_an_error(desk, profile, target):
    """Reading and writing say what stands there."""
    place(desk, target).mkdir(parents=True)
    memory = desk.open(profile)
    with pytest.raises(UnreadableFileError, match="a folder, not a file"):
        memory.write(target, "x", name=name_of(target))
    with pytest.raises(UnreadableFileError, match="a folder, not a file"):
        memory.read(target, name_of(target))


@pytest.mark.parametrize("target", TARGETS)
def test_an_unreadable_file_is_not_read_as_empty(desk, profile, target):
    """Reported fault B05: a read is an error, a list still names the file."""
    desk.put(place(desk, target), LATIN)
    memory = desk.open(profile)
    with pytest.raises(UnreadableFileError, match="not UTF-8"):
        memory.read(target, name_of(target))
    assert memory.list() == list(desk.files())
    if target == "scratchpad":  # which no search sees
        assert memory.documents() == ()
    else:
        with pytest.raises(UnreadableFileError, match="not UTF-8"):
            memory.documents()


def test_search_goes_on_past_an_unreadable_file_and_names_it(desk, profile):
    """Reported fault B05: other files are found, and with or without hits the text says what was not searched."""
    desk.put(desk.long_term, LATIN)
    desk.put(desk.notes / "n.md", "- keep this\n")
    result = desk.open(profile).search("keep")
    assert [hit.doc_id.rsplit("/", 1)[-1] for hit in result.hits] == ["n.md"]
    named = f"Not searched, unreadable: {desk.long_term} (not UTF-8: byte 0xe9 in line 1)."
    assert [str(file) for file in result.unreadable] == [f"{desk.long_term} (not UTF-8: byte 0xe9 in line 1)"]
    assert named in result.text()
    assert named in result.render()
    assert desk.open(profile).search("nowhere").text() == f"No matches for 'nowhere'.\n{named}"


def test_search_names_a_folder_that_cannot_be_listed(desk, profile):
    """A file in place of notes/ hides no notes silently; the list is an error."""
    desk.put(desk.notes, "a file")
    desk.put(desk.long_term, "port\n")
    result = desk.open(profile).search("port")
    assert len(result.hits) == 1
    assert f"{desk.notes} (Not a directory)" in result.text()
    with pytest.raises(UnreadableFileError, match="Not a directory"):
        desk.open(profile).list()


def test_the_block_names_what_it_could_not_read(desk, profile):
    """Reported fault B05: long-term memory, scratchpad and logs, with the rest of the block."""
    desk.put(desk.long_term, LATIN)
    desk.put(desk.scratchpad, LATIN)
    desk.put(desk.daily / "2026-07-03.md", LATIN)
    desk.put(desk.daily / "2026-07-02.md", "- yesterday\n")
    block = desk.open(profile).context_block()
    for file in (desk.long_term, desk.scratchpad, desk.daily / "2026-07-03.md"):
        assert f"\n(unreadable: {file} (not UTF-8: byte 0xe9 in line 1))\n" in block
    assert "- yesterday" in block


def test_the_block_goes_on_past_a_log_folder_that_cannot_be_listed(desk):
    """A file in place of daily/, and names that are no text, are told; what can be read is there."""
    desk.put(desk.long_term, "rules")
    desk.put(desk.daily, "a file")
    assert f"(unreadable: {desk.daily} (Not a directory))" in desk.open("current").context_block()
    desk.daily.unlink()
    for day in ("2026-07-03", "2026-07-01"):
        desk.put(desk.daily / f"{day}.md", f"log {day}")
    for number in range(3):
        desk.put(desk.daily / os.fsdecode(b"caf\xe9%d.md" % number), "x")
    block = desk.open("current").context_block()
    assert all(text in block for text in ("rules", "log 2026-07-03", "log 2026-07-01"))
    assert block.count("a file name that is not UTF-8") == 3


def test_a_system_error_while_writing_is_an_error_of_the_store(desk, profile, monkeypatch):
    """A full disk changes nothing and is no traceback of the system's."""
    desk.put(desk.long_term, "- keep me\n")
    before = desk.files()

    def fail(*_args):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", fail)
        with pytest.raises(MemoryStoreError, match="No space left on device; it is as it was before"):
            desk.open(profile).write("long_term", "- new\n")
    assert desk.files() == before


def test_a_root_that_is_a_file_is_an_error(desk, profile):
    """Nothing is found in it and nothing written, and both are said."""
    desk.put(desk.root, "a file")
    memory = desk.open(profile)
    with pytest.raises(MemoryStoreError):
        memory.write("long_term", "x")
    with pytest.raises(UnreadableFileError):
        memory.read("long_term")
    assert "Not a directory" in memory.search("x").text()
    assert "Not a directory" in memory.context_block()


TOKYO = timezone(timedelta(hours=9))


def test_the_day_is_that_of_the_local_clock(desk, profile, monkeypatch):
    """Reported fault B07 (a): 00:40 in Tokyo is the new day, in the log's name and in the block's label."""
    monkeypatch.setattr(store, "_local_time", lambda: datetime(2026, 7, 3, 0, 40, tzinfo=TOKYO))
    memory = desk.open(profile, today=None)
    memory.write("daily", "- standup moved\n")
    memory.append_daily("note", "text")
    assert [path.name for path in desk.daily.iterdir()] == ["2026-07-03.md"]
    assert "### 00:40 — note" in memory.read("daily")
    assert "## Daily log 2026-07-03 (today)" in memory.context_block()


def test_the_local_clock_is_the_default():
    """Without `today` and `now` the day and the minute are those of this machine's zone."""
    moment = store._local_time()
    assert moment.tzinfo is not None
    assert abs(moment - datetime.now(timezone.utc)) < timedelta(minutes=1)
    assert moment.utcoffset() == datetime.now().astimezone().utcoffset()


def test_the_day_is_asked_at_each_call(desk, profile, monkeypatch):
    """Reported fault B07 (b): a store kept past midnight writes to the new day, and the old log loses its label."""
    clock = [datetime(2026, 7, 3, 23, 59, tzinfo=TOKYO)]
    monkeypatch.setattr(store, "_local_time", lambda: clock[0])
    given = [None, lambda: clock[0].date(), lambda: clock[0].date().isoformat()]
    for number, today in enumerate(given):
        clock[0] = datetime(2026, 7, 3, 23, 59, tzinfo=TOKYO)
        memory = Memory(desk.root / str(number), project="p", today=today, profile=profile)
        memory.write("daily", "- before\n")
        clock[0] = datetime(2026, 7, 4, 0, 1, tzinfo=TOKYO)
        memory.write("daily", "- late fix\n")
        memory.append_daily("h", "b")
        assert memory.read("daily", "2026-07-03") == "- before\n"
        assert memory.read("daily").startswith("- late fix\n")
        block = memory.context_block()
        assert "## Daily log 2026-07-03\n- before" in block
        assert "## Daily log 2026-07-04 (today)\n- late fix" in block


def test_day_and_minute_of_an_entry_belong_together(desk, monkeypatch):
    """Asked a moment apart around midnight, the clock would give the old day and the new minute."""
    ticks = iter([datetime(2026, 7, 3, 23, 59, tzinfo=TOKYO), datetime(2026, 7, 4, 0, 0, tzinfo=TOKYO)])
    monkeypatch.setattr(store, "_local_time", lambda: next(ticks))
    desk.open(today=None).append_daily("h", "b")
    assert "### 23:59 — h" in (desk.daily / "2026-07-03.md").read_text()


@pytest.mark.parametrize(
    "today", [date(2026, 7, 3), datetime(2026, 7, 3, 12, tzinfo=TOKYO), "2026-07-03", lambda: "2026-07-03"]
)
@pytest.mark.parametrize("now", [lambda: "09:05", lambda: time(9, 5), lambda: datetime(2026, 1, 1, 9, 5, tzinfo=TOKYO)])
def test_what_may_stand_for_the_clock(desk, today, now):
    """`today` a date, text or callable; `now` a callable that gives a time, a datetime or `HH:MM`."""
    desk.open(today=today, now=now).append_daily("h", "b")
    assert (desk.daily / "2026-07-03.md").read_text() == "\n### 09:05 — h\nb\n"


@pytest.mark.parametrize("today", ["2026-02-30", "tomorrow", ""])
def test_a_wrong_day_is_refused_at_once(desk, today):
    """Given as a text when the store is opened, given by a callable when it is asked."""
    with pytest.raises(InvalidNameError, match="no day"):
        desk.open(today=today)
    with pytest.raises(InvalidNameError, match="no day"):
        desk.open(today=lambda: today).write("daily", "x")
    assert not desk.root.exists()


@pytest.mark.parametrize("today", [None, 20260703, time(9, 5), b"2026-07-03"])
def test_a_day_of_another_type_is_refused(desk, today):
    """A callable that gives nothing, a number, a time of day: named, and nothing is written."""
    with pytest.raises(InvalidNameError, match="no day; today must be a date"):
        desk.open(today=lambda: today).write("daily", "x")
    with pytest.raises(InvalidNameError, match="no day; today must be a date"):
        desk.open(today=lambda: today).context_block()
    assert not desk.root.exists()


@pytest.mark.parametrize("now", [None, 905, "nine", "9:05", "25:00", "09:05\n### 10:00 — forged", date(2026, 7, 3)])
def test_a_wrong_time_is_refused(desk, now):
    """Given by a callable when it is asked; without a callable at once; nothing is written."""
    with pytest.raises(MemoryStoreError, match="it must give a datetime, a time, or a text like '14:32'"):
        desk.open(now=lambda: now).append_daily("h", "b")
    if now is not None:
        with pytest.raises(MemoryStoreError, match="it must be a callable"):
            desk.open(now=now)
    assert not desk.root.exists()


def test_the_first_and_the_last_day_of_the_calendar(desk, profile):
    """There is no yesterday before the first day, and nothing is made up for it."""
    for day in ("0001-01-01", "9999-12-31"):
        memory = desk.open(profile, today=day)
        memory.write("daily", f"log of {day}")
        assert f"## Daily log {day} (today)\nlog of {day}" in memory.context_block()


@pytest.mark.parametrize("change", ["overwrite", "edit"])
def test_a_failed_change_leaves_file_and_backup_as_they_were(desk, change, monkeypatch):
    """The one backup is not given up for a change that does not happen, and nothing new is left behind."""
    memory = desk.open()
    memory.write("long_term", "first", "overwrite")
    memory.write("long_term", "second", "overwrite")
    before = desk.files()

    def refuse(descriptor):
        if os.fstat(descriptor).st_size > 1000:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("memeval.memory.disk.os.fsync", refuse)
    changes = {
        "overwrite": lambda: memory.write("long_term", "y" * 5000, "overwrite"),
        "edit": lambda: memory.edit("long_term", "second", "y" * 5000),
    }
    with pytest.raises(MemoryStoreError, match="as it was before"):
        changes[change]()
    assert desk.files() == before


def test_a_failed_first_write_leaves_no_folders(desk, monkeypatch):
    """Folders made for a file that could not be written are taken away again."""
    desk.open().write("long_term", "there")

    def refuse(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("memeval.memory.disk.os.fsync", refuse)
    with pytest.raises(MemoryStoreError):
        desk.open().write("daily", "x")
    assert [path.name for path in desk.root.iterdir()] == ["MEMORY.md"]
