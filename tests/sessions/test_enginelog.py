"""The engine's own log: its older part, copies, sessions by time, hashes, and damage in the middle and at the end."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

import pytest

from memeval.memory import Memory, SearchLog
from memeval.sessions.enginelog import read_engine_log
from memeval.sessions.events import DUPLICATE, FAILED, Search
from memeval.sessions.memoryfiles import MemoryFiles

DEVLOG = Path(__file__).parents[2] / "corpora" / "devlog" / "searchlog.jsonl"


def test_the_part_before_the_last_rotation_is_read(read, describe):
    """PATH.1 comes first, a line written twice counts once, a read of a file that is not there is none."""
    content = read("search-log/searchlog")
    assert describe(content) == [
        ("search", None, "cache will not start", []),
        ("search", None, "redis", ["redis-deploy.md", "naming.md"]),
        ("search", None, "redis port", ["redis-deploy.md"]),
        ("read", None, "redis-deploy.md", None),
        ("search", None, "監控設定", []),
        ("search", None, "監控 設定", ["監控.md"]),
        ("read", None, "監控.md", None),
    ]
    assert content.dropped == {DUPLICATE: 1, FAILED: 1}


def test_half_an_hour_of_silence_ends_a_session(read):
    """Nobody names sessions in this log; each is called by its project and its beginning."""
    sessions = dict.fromkeys(event.session for event in read("search-log/searchlog").events)
    assert list(sessions) == ["shop-1a2b3c4d 2026-07-03T09:59:50+00:00", "shop-1a2b3c4d 2026-07-03T11:00:00+00:00"]


def test_a_line_separator_breaks_no_line_and_damage_is_told(read):
    """U+2028 inside a query stays in it; a list in the middle and a torn end are two problems, of two kinds."""
    content = read("search-log/broken")
    assert [event.query for event in content.events] == ["port\u2028clash"]
    assert [(problem.line, problem.is_tail) for problem in content.problems] == [(2, False), (3, True)]
    assert content.events[0].place.endswith("broken.jsonl:1")


def test_every_line_of_the_projects_own_log_is_an_event():
    """Thirty searches and fifteen reads, each at its line."""
    content = read_engine_log(DEVLOG, MemoryFiles())
    kinds = [isinstance(event, Search) for event in content.events]
    assert (kinds.count(True), kinds.count(False)) == (30, 15)
    assert [int(event.place.rsplit(":", 1)[1]) for event in content.events] == list(range(1, 46))
    assert (content.problems, content.dropped) == ((), {})


def test_a_log_with_hashes_is_read(tmp_path):
    """Queries are not there to be read; their hashes are, and the files."""
    log = SearchLog(tmp_path / "searchlog.jsonl", salt="grain")
    now = datetime(2026, 7, 3, 12, tzinfo=timezone.utc)
    memory = Memory(str(tmp_path), project="shop-1a2b3c4d", search_log=log, now=lambda: now)
    memory.write("note", "Redis listens on 6380.", name="redis")
    memory.search("redis port")
    (search,) = read_engine_log(log.path, MemoryFiles()).events
    assert (search.query, len(search.term_hashes)) == (None, 2)
    assert search.shown == ("projects/shop-1a2b3c4d/notes/redis.md",)


def test_a_log_that_is_not_there_is_an_error_of_the_system(tmp_path):
    """The reader of a file that went away says so."""
    with pytest.raises(OSError, match=r"gone\.jsonl"):
        read_engine_log(tmp_path / "gone.jsonl", MemoryFiles())
