"""Whether a file was there before the first search, and who says so."""

from __future__ import annotations

import os
import shutil
import subprocess
from datetime import datetime, timedelta, timezone

import pytest

from memeval.sessions.episodes import find_needs
from memeval.sessions.events import Read, Search, UserTurn, Write
from memeval.sessions.existence import Evidence, StoreHistory, judge_existence, read_history
from memeval.sessions.transcript import sort_events

NOON = datetime(2026, 7, 3, 12, tzinfo=timezone.utc)
COMMON = {"reader": "r", "session": "s"}


def at(seconds):
    return None if seconds is None else NOON + timedelta(seconds=seconds)


def ask(*before, seconds=0, began=None, history=None):
    """What is said of the file that is read after a search, with these events before or between."""
    first = {"time": at(seconds), "began": began, "tool": "t", **COMMON}
    events = sort_events(
        [
            *before,
            Search(query="redis", shown=(), batch="1", **first),
            Search(
                query="redis port", shown=("notes/a.md",), batch="2", **{**first, "time": at(seconds and seconds + 9)}
            ),
            Read(file="/m/notes/a.md", time=at(seconds and seconds + 12), **COMMON),
        ]
    )
    (found,) = (
        one for key, one in judge_existence(find_needs(events), events, history).items() if key.startswith("s#")
    )
    return found.value, found.evidence


@pytest.mark.parametrize(
    "event",
    [
        Write(time=at(-60), file="/m/notes/a.md", **COMMON),
        Write(time=at(-60), file="notes/a.md", reader="r", session="other"),
        Read(time=at(-60), file="notes/a.md", reader="other", session="s"),
        Search(time=at(-900), tool="t", query="x1", shown=("/m/notes/a.md",), **COMMON),
    ],
)
def test_what_was_written_shown_or_read_before_was_there(event):
    """In this session or another, under any spelling of its path."""
    assert ask(event, seconds=1) == (True, Evidence.EVENTS)


def test_a_file_that_was_made_afterwards_was_not_there():
    """Made new between the first search and the read; an edit in between proves nothing."""
    made = Write(time=at(5), file="notes/a.md", is_new=True, **COMMON)
    assert ask(UserTurn(time=at(0), **COMMON), made, seconds=1) == (False, Evidence.EVENTS)
    edited = Write(time=at(5), file="notes/a.md", **COMMON)
    assert ask(UserTurn(time=at(0), **COMMON), edited, seconds=1) == (None, None)


def test_another_file_tells_nothing():
    """A name that ends alike, or a session at the same time."""
    assert ask(Write(time=at(-60), file="notes/aa.md", **COMMON), seconds=1) == (None, None)
    assert ask(Write(time=at(1), file="notes/a.md", reader="r", session="other"), seconds=1) == (None, None)


def test_the_history_of_the_store_is_asked_next():
    """A commit before is believed first, then the time of the file; later ones say nothing."""
    early, late = at(-60), at(60)
    path = "/m/notes/a.md"
    both = StoreHistory(committed={path: early}, modified={path: early})
    assert ask(seconds=1, history=both) == (True, Evidence.GIT)
    assert ask(seconds=1, history=StoreHistory(committed={path: late}, modified={path: early})) == (
        True,
        Evidence.MTIME,
    )
    assert ask(seconds=1, history=StoreHistory(committed={path: late}, modified={path: late})) == (None, None)
    assert both.first() == early
    assert StoreHistory().first() is None


def test_without_times_the_beginning_of_the_session_counts():
    """It was not before: a file older than the session existed before its first search."""
    history = StoreHistory(modified={"/m/notes/a.md": at(-60)})
    assert ask(seconds=None, began=at(0), history=history) == (True, Evidence.MTIME)
    assert ask(seconds=None, began=at(-90), history=history) == (None, None)
    assert ask(seconds=None, history=history) == (None, None)


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")
def test_a_store_tells_its_commits_and_its_times(tmp_path):
    """The first commit of a file, by the committer's date, though its folder is only a part of the repository."""
    store = tmp_path / "repository" / "記憶"
    store.mkdir(parents=True)

    def git(*arguments, day=1):
        date = f"2026-0{day}-01T00:00:00Z"
        environment = {**os.environ, "GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z",
                       "GIT_CONFIG_GLOBAL": os.devnull}  # fmt: skip
        command = ["git", "-C", str(store.parent), "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
        subprocess.run(command, check=True, capture_output=True, env=environment)

    git("init")
    for day, name in ((1, "a b.md"), (2, "監控.md"), (3, "a b.md")):
        (store / name).write_text(f"{day}\n", encoding="utf-8")
        git("add", ".")
        git("commit", "-m", "x", day=day)
    (store / "new.md").write_text("x", encoding="utf-8")
    os.utime(store / "new.md", (0, NOON.timestamp()))
    history = read_history([store])
    assert history.problems == ()
    assert {path.rsplit("/", 1)[-1]: time.month for path, time in history.committed.items()} == {
        "a b.md": 1,
        "監控.md": 2,
    }
    assert history.modified[f"{store.as_posix()}/new.md"] == NOON
    assert set(history.committed) < set(history.modified)


def test_a_store_without_a_history_has_its_times_only(tmp_path):
    """No repository is no problem."""
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    history = read_history([tmp_path])
    assert (history.committed, history.problems) == ({}, ())
    assert list(history.modified) == [(tmp_path / "a.md").as_posix()]
