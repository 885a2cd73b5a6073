"""The search log as a file: whole under many writers, rotated, never in the way."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading

import pytest

from memeval.memory import Memory, SearchLog, read_search_log
from tests.memory.logged import event, open_logged

WRITER = """
import sys
from pathlib import Path
from memeval.memory import Memory, SearchLog
root, number, rounds, max_bytes = sys.argv[1], *map(int, sys.argv[2:])
log = SearchLog(Path(root, "searchlog.jsonl"), max_bytes=max_bytes, on_problem=lambda problem: sys.exit(problem))
memory = Memory(root, project="shop-1a2b3c4d", today="2026-07-03", search_log=log)
print("ready", flush=True)
sys.stdin.readline()
for turn in range(rounds):
    memory.search(f"w{number}-{turn} " + "redis " * (number * 100))
    memory.write("daily", f"- w{number}-{turn}")
    memory.read("note", name="redis")
"""


def run_writers(script, place, count, rounds, max_bytes):
    """All start together, and none has anything to tell."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(place), str(number), str(rounds), str(max_bytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(count)
    ]
    assert [process.stdout.readline() for process in processes] == ["ready\n"] * count
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    outcomes = [process.communicate() for process in processes]
    assert [(process.returncode, said[1]) for process, said in zip(processes, outcomes, strict=True)] == [
        (0, "")
    ] * count


def names_of(events):
    return [each.query.split()[0] for each in events if each.kind == "search"]


@pytest.mark.slow
def test_processes_lose_and_tear_no_line(filled):
    """Eight processes that search, read and write at once: as many whole lines as calls, each writer's in its order."""
    count, rounds = 8, 12
    run_writers(WRITER, filled.root, count, rounds, 1 << 30)
    events, problems = read_search_log(filled.root / "searchlog.jsonl")
    assert problems == ()
    assert sorted(names_of(events)) == sorted(f"w{number}-{turn}" for number in range(count) for turn in range(rounds))
    assert sum(each.kind == "read" for each in events) == count * rounds
    for number in range(count):
        own = [name for name in names_of(events) if name.startswith(f"w{number}-")]
        assert own == [f"w{number}-{turn}" for turn in range(rounds)]
    assert not (filled.root / ".lock").exists()


ROTATING_WRITER = """
import sys
from datetime import datetime, timezone
from pathlib import Path
from memeval.memory import LogEvent, SearchLog
path, number, rounds, max_bytes = sys.argv[1], *map(int, sys.argv[2:])
log = SearchLog(Path(path), max_bytes=max_bytes, on_problem=lambda problem: sys.exit(problem))
now = datetime(2026, 7, 3, tzinfo=timezone.utc)
print("ready", flush=True)
sys.stdin.readline()
for turn in range(rounds):
    query = f"w{number}-{turn}"
    log.append(LogEvent(time=now, kind="search", scope=None, query=query, shown=(), matched=0, shown_bytes=0))
"""


@pytest.mark.slow
def test_processes_that_rotate_keep_lines_whole(tmp_path):
    """While every third line rotates the file under them, the two parts hold the newest lines, whole."""
    count, rounds = 4, 150
    log = SearchLog(tmp_path / "log.jsonl", max_bytes=3 * len(event(query="w0-000").to_line()))
    run_writers(ROTATING_WRITER, log.path, count, rounds, log.max_bytes)
    older, newer = read_search_log(log.older_path), read_search_log(log.path)
    assert older.problems == newer.problems == ()
    names = names_of((*older.events, *newer.events))
    assert 3 <= len(set(names)) == len(names) <= 6
    for number in range(count):
        own = [name for name in names if name.startswith(f"w{number}-")]
        assert own == [f"w{number}-{turn}" for turn in range(rounds - len(own), rounds)]
    assert max(log.path.stat().st_size, log.older_path.stat().st_size) <= log.max_bytes
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.jsonl", "log.jsonl.1"]


@pytest.mark.parametrize("lines_a_file", [1000, 3])
def test_threads_lose_no_line(tmp_path, lines_a_file):
    """The same within one process, through one log; rotation is under the lock, too."""
    told = []
    size = len(event(query="w0-00").to_line())
    log = SearchLog(tmp_path / "log.jsonl", max_bytes=lines_a_file * size, on_problem=told.append)
    start = threading.Barrier(8)

    def add(number):
        start.wait()
        for turn in range(20):
            log.append(event(query=f"w{number}-{turn:02}"))

    threads = [threading.Thread(target=add, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == []
    events, problems = read_search_log(log.path)
    assert problems == ()
    if lines_a_file == 1000:
        assert len(set(names_of(events))) == 160
    else:
        assert len(events) == 160 % 3  # rotated before every third line, whoever wrote it
        assert len(set(names_of(read_search_log(log.older_path).events))) == 3


def test_rotation_keeps_one_older_part(tmp_path):
    """The line that would pass the cap begins a new file; of the parts before, the last one stays."""
    size = len(event(query="q0").to_line())
    log = SearchLog(tmp_path / "log.jsonl", max_bytes=2 * size)
    for number in range(7):
        log.append(event(query=f"q{number}"))
    assert [each.query for each in read_search_log(log.path).events] == ["q6"]
    assert [each.query for each in read_search_log(log.older_path).events] == ["q4", "q5"]
    log.append(event(query="long" * size))
    assert len(read_search_log(log.path).events) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files")
def test_the_log_is_for_its_owner(tmp_path):
    """What somebody searched for is not readable by others."""
    SearchLog(tmp_path / "log.jsonl").append(event())
    assert (tmp_path / "log.jsonl").stat().st_mode & 0o077 == 0


def test_a_torn_last_line_costs_itself_alone(tmp_path):
    """A crash in the middle of a line: the lines before are read, the next one begins on a line of its own."""
    log = SearchLog(tmp_path / "log.jsonl")
    log.append(event(query="before"))
    whole = log.path.read_bytes()
    log.path.write_bytes(whole + whole[: len(whole) // 2])
    (only,), (problem,) = read_search_log(log.path)
    assert only.query == "before"
    assert problem == f"{log.path}:2: not a line of JSON (the line has no end: it is torn)"
    log.append(event(query="after"))
    events, problems = read_search_log(log.path)
    assert [each.query for each in events] == ["before", "after"]
    assert problems == (f"{log.path}:2: not a line of JSON",)


def test_a_full_disk_leaves_the_log_as_it_was(tmp_path, monkeypatch):
    """A line that fits in part is taken back, and told."""
    told = []
    log = SearchLog(tmp_path / "log.jsonl", on_problem=told.append)
    log.append(event())
    before = log.path.read_bytes()
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, line: write(descriptor, line[: len(line) // 2]))
    log.append(event(query="lost"))
    assert log.path.read_bytes() == before
    assert len(told) == 1
    assert "this search is not in the search log" in told[0]


def put_folder(path):
    path.mkdir()


def put_pipe(path):
    os.mkfifo(path)


def put_nothing(path):
    path.parent.rmdir()


@pytest.mark.parametrize(
    "obstacle",
    [
        put_folder,
        put_nothing,
        pytest.param(put_pipe, marks=pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")),
    ],
)
def test_a_log_that_cannot_be_written_breaks_nothing(filled, tmp_path, obstacle):
    """A folder in its place, no folder for it, a pipe nobody reads: the search is the same, one problem told."""
    told = []
    path = tmp_path / "logs" / "log.jsonl"
    path.parent.mkdir()
    obstacle(path)
    memory = open_logged(filled, search_log=SearchLog(path, on_problem=told.append))
    assert memory.search("redis").text() == filled.open().search("redis").text()
    assert memory.read("note", "redis") == filled.open().read("note", "redis")
    assert [re.search("this (.*) is not in the search log", problem)[1] for problem in told] == ["search", "read"]


def test_no_store_is_made_for_a_log(tmp_path):
    """A search of a store that is not there makes no folder, with a log or without."""
    assert Memory(tmp_path / "typo", search_log=True).search("redis").hits == []
    assert not (tmp_path / "typo").exists()
