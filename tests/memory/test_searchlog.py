"""The search log: a line for each search and read, and each line read back."""

from __future__ import annotations

import json
import re
from datetime import datetime

import pytest

from memeval.errors import MemoryStoreError, UnreadableFileError
from memeval.memory import SearchLog, read_search_log
from memeval.testbed.corpus import load_corpus
from tests.memory.conftest import PROJECT
from tests.memory.logged import NOON, TIME, event, open_logged

NOTES = f"projects/{PROJECT}/notes"


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_search_and_a_read_are_one_line_each(filled):
    """Time with offset, kind, query, scope, files shown in order, files matched, bytes: and nothing else."""
    memory = open_logged(filled)
    found = memory.search("redis port")
    read = memory.read("note", name="redis")
    assert lines_of(filled.root / "searchlog.jsonl") == [
        {
            "time": TIME,
            "kind": "search",
            "scope": PROJECT,
            "query": "redis port",
            "shown": [f"{NOTES}/proxy.md", f"{NOTES}/redis.md"],
            "matched": 2,
            "shown_bytes": len(found.text().encode()),
        },
        {
            "time": TIME,
            "kind": "read",
            "scope": PROJECT,
            "shown": [f"{NOTES}/redis.md"],
            "matched": 1,
            "shown_bytes": len(read.encode()),
        },
    ]


def test_nothing_is_logged_unless_asked_for(filled):
    """Off by default: searching and reading leave the store as it was, byte for byte."""
    before = filled.files()
    for off in ({}, {"search_log": None}, {"search_log": False}):
        memory = filled.open(**off)
        memory.search("redis")
        memory.read("note", name="redis")
    assert filled.files() == before


def test_what_comes_back_is_the_same_with_a_log(filled, profile):
    """A log changes no byte of a search or a read, found or not."""
    plain, logged = filled.open(profile), open_logged(filled, profile)
    for query in ("redis port", "nothing-like-it", "", "password=hunter2 redis"):
        assert logged.search(query) == plain.search(query)
        assert logged.search(query).text() == plain.search(query).text()
    for source, name in (("note", "redis"), ("note", "absent"), ("long_term", None), ("list", None)):
        assert logged.read(source, name) == plain.read(source, name)


def test_the_log_is_no_part_of_the_memory(filled):
    """However often a word was searched for, the log is not found, listed, injected, or seen by a reader of corpora."""
    memory = open_logged(filled)
    block = memory.context_block()
    for _ in range(3):
        memory.search("zanzibar")
    assert memory.search("zanzibar").hits == []
    assert memory.search("searchlog jsonl").hits == []
    assert memory.list() == ["MEMORY.md", f"{NOTES}/proxy.md", f"{NOTES}/redis.md"]
    assert memory.context_block() == block
    (filled.root / "corpus.yaml").write_text("kind: plain\n")
    assert [document.doc_id for document in load_corpus(filled.root).documents] == memory.list()


def test_scope_and_missing_files(filled):
    """Without a project the scope is null; a file that is not there is a read that showed nothing."""
    log = filled.root / "searchlog.jsonl"
    open_logged(filled, project=None).search("tuesdays")
    open_logged(filled).read("note", name="absent")
    events, problems = read_search_log(log)
    assert problems == ()
    assert [(each.kind, each.scope, each.shown, each.matched) for each in events] == [
        ("search", None, ("MEMORY.md",), 1),
        ("read", PROJECT, (), 0),
    ]


def test_a_refused_call_and_a_listing_are_not_logged(filled):
    """What gave no file back is no event."""
    memory = open_logged(filled)
    with pytest.raises(MemoryStoreError):
        memory.read("note", name="../escape")
    memory.read("list")
    memory.list()
    assert not (filled.root / "searchlog.jsonl").exists()


def test_shown_is_what_the_cap_leaves(filled):
    """The files shown are those displayed under the cap of this very search, the matched ones are all."""
    memory = open_logged(filled)
    for cap in (None, 300, 20):
        result = memory.search("port redis", max_bytes=cap)
        last = read_search_log(filled.root / "searchlog.jsonl").events[-1]
        display = result.display(cap)
        assert last.shown == tuple(block.doc_id for block in display.blocks)
        assert (last.matched, last.shown_bytes) == (2, len(display.text.encode()))
    assert last.shown == ()


def test_a_clock_that_gives_no_day_is_not_asked(filled):
    """A time of day is no moment: the local clock stamps the event, and a naive datetime gets the local offset."""
    open_logged(filled).search("a")
    filled.open(search_log=True, now=lambda: "09:15").search("b")
    filled.open(search_log=True, now=lambda: datetime(2026, 7, 3, 9, 15)).search("c")  # noqa: DTZ001
    first, second, third = read_search_log(filled.root / "searchlog.jsonl").events
    assert first.time == NOON
    assert second.time.tzinfo is not None
    assert third.time == datetime(2026, 7, 3, 9, 15).astimezone()


def test_a_log_may_lie_elsewhere(filled, tmp_path):
    """A path, or a SearchLog with settings, in any folder that exists; nothing is left beside it."""
    (tmp_path / "logs").mkdir()
    open_logged(filled, search_log=tmp_path / "logs" / "a.jsonl").search("redis")
    open_logged(filled, search_log=SearchLog(tmp_path / "logs" / "b.jsonl")).search("redis")
    assert sorted(path.name for path in (tmp_path / "logs").iterdir()) == ["a.jsonl", "b.jsonl"]
    assert not (filled.root / "searchlog.jsonl").exists()


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"path": "notes/log.md"}, "searched as a note"),
        ({"path": "log.MARKDOWN"}, "searched as a note"),
        ({"salt": ""}, "salt"),
        ({"max_bytes": 0}, "max_bytes"),
    ],
)
def test_a_log_that_would_do_harm_is_refused(tmp_path, settings, reason):
    """A path that is searched, a salt that hides nothing, a cap that nothing fits."""
    with pytest.raises(MemoryStoreError, match=reason):
        SearchLog(**{**settings, "path": tmp_path / settings.get("path", "log.jsonl")})


@pytest.mark.parametrize("query", ["重試", "a\nb", "a\u2028b\x85c", "half \ud83d", '"quoted" \\ slash', "\x00"])
def test_any_query_comes_back(filled, query):
    """Whatever is asked stands on one line and is read back as it was."""
    open_logged(filled).search(query)
    log = filled.root / "searchlog.jsonl"
    assert log.read_bytes().count(b"\n") == 1
    (found,), problems = read_search_log(log)
    assert (found.query, problems) == (query, ())


def test_a_pasted_file_is_cut(filled):
    """A query of a megabyte takes four kilobytes of the log."""
    open_logged(filled).search("密" * 300_000)
    (found,), _ = read_search_log(filled.root / "searchlog.jsonl")
    assert found.query == "密" * (4096 // 3)


WHOLE = json.loads(event().to_line())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not a line of JSON"),
        (b"\xff\xfe", "not a line of JSON"),
        (b"[" * 100_000, "not a line of JSON"),
        (b"[]", "not a JSON object"),
        ({"kind": "write"}, "kind 'write' is neither"),
        ({"time": "yesterday"}, "'yesterday' is no ISO 8601 time"),
        ({"time": "2026-07-03T12:00:00"}, "has no offset"),
        ({"time": 5}, "is no ISO 8601 time"),
        ({"query": None}, "one of 'query' and 'term_hashes'"),
        ({"term_hashes": ["a"]}, "one of 'query' and 'term_hashes'"),
        ({"scope": 1}, "scope 1 is no text"),
        ({"shown": "MEMORY.md"}, "is no list of texts"),
        ({"shown": [1]}, "is no list of texts"),
        ({"matched": True}, "matched True is no count"),
        ({"shown_bytes": -1}, "shown_bytes -1 is no count"),
    ],
)
def test_a_line_that_is_no_event_is_a_problem_with_its_place(tmp_path, line, reason):
    """The lines around it are read; the problem names file, line and what is wrong."""
    content = line if isinstance(line, bytes) else json.dumps({**WHOLE, **line}).encode()
    path = tmp_path / "log.jsonl"
    path.write_bytes(event(query="a").to_line() + content + b"\n\r\n" + event(query="b").to_line())
    events, (problem,) = read_search_log(path)
    assert [each.query for each in events] == ["a", "b"]
    assert problem.startswith(f"{path}:2: ")
    assert reason in problem


def test_a_reader_passes_over_what_later_logs_may_add(tmp_path):
    """Unknown keys, `Z` for the offset and line ends of Windows are read."""
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({**WHOLE, "time": "2026-07-03T04:00:01Z", "later": 1}) + "\r\n")
    (found,), problems = read_search_log(path)
    assert (found.time, problems) == (NOON.replace(microsecond=0), ())


def test_a_log_that_is_not_there_is_an_error(tmp_path):
    """A reader is told which file is missing, or no file, instead of an empty log."""
    for path in (tmp_path / "absent.jsonl", tmp_path):
        with pytest.raises(UnreadableFileError, match=re.escape(str(path))):
            read_search_log(path)
