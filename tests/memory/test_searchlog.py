"""The search log: a line for each search and read, whole under many writers, without secrets, never in the way."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from datetime import datetime, timedelta, timezone

import pytest

from memeval.errors import MemoryStoreError, UnreadableFileError
from memeval.memory import LogEvent, Memory, SearchLog, read_search_log
from memeval.memory.searchlog import REDACTIONS, redact
from memeval.testbed.corpus import load_corpus
from memeval.testbed.lint.privacy import find_private

PROJECT = "shop-1a2b3c4d"
NOTES = f"projects/{PROJECT}/notes"
NOON = datetime(2026, 7, 3, 12, 0, 1, 250_000, tzinfo=timezone(timedelta(hours=8)))
TIME = "2026-07-03T12:00:01.250+08:00"


@pytest.fixture
def filled(desk):
    """A store with two notes and long-term memory."""
    memory = desk.open()
    memory.write("note", "Redis listens on 6380.\n", name="redis")
    memory.write("note", "The port of the proxy is 8443.\n", name="proxy")
    memory.write("long_term", "- Deploys happen on Tuesdays\n")
    return desk


def open_logged(desk, profile="current", **settings):
    return desk.open(profile, now=lambda: NOON, **{"search_log": True, **settings})


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def event(**fields):
    return LogEvent(**{"time": NOON, "kind": "search", "scope": None, "query": "x", "shown": (), "matched": 0,
                       "shown_bytes": 0, **fields})  # fmt: skip


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


SECRETS = {
    "private key": "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nabc\n-----END RSA PRIVATE KEY-----",
    "torn private key": "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA",
    "address": "hunter2@",
    "AWS id": "AKIA" + "ABCDEFGH23456789",
    "AWS secret": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzSECRETKE",
    "GitHub": "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
    "GitLab": "glpat-" + "abcdEFGH1234ijkl5678",
    "Slack": "xoxb-" + "123456789012-abcdefghijkl",
    "sk": "sk-proj-" + "abcdEFGH1234ijklMNOP5678",
    "Google": "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w",
    "random": "Zk3v9QwLr8TyB2nXc5MdFg7Hs1Jp4Ka6",
}
AROUND = {"address": "postgres://app:{}db.internal/shop", "AWS secret": "key {} end"}


@pytest.mark.parametrize("name", SECRETS)
def test_known_forms_of_secrets_never_reach_the_log(filled, name):
    """Keys and tokens are replaced wherever they stand, the words around them stay."""
    secret = SECRETS[name]
    query = AROUND.get(name, "why does {} fail").format(secret)
    open_logged(filled).search(query)
    written = (filled.root / "searchlog.jsonl").read_text(encoding="utf-8")
    assert secret.strip("@").split("\n")[-1] not in written
    assert "[redacted:" in written
    assert query.split()[0].split(":")[0] in written


@pytest.mark.parametrize(
    "query",
    [
        "password=hunter2",
        "PASSWORD: hunter2",
        "db_password = 'hunter2 with blanks'",
        '{"api_key": "hunter2"}',
        "secretKey=>hunter2",
        "aws_secret_access_key=hunter2",
        "token:hunter2",
        "passphrase=hunter2",
        "login --password hunter2",
        "密碼：hunter2",
        "パスワード=hunter2",
        "비밀번호: hunter2",
        "Authorization: Bearer hunter2hunter2",
        "https://me:hunter2@example.org/",
        "redis://:hunter2@cache:6379/0",
    ],
)
def test_what_is_assigned_to_a_secrets_name_is_redacted(query):
    """The value goes, the name stays."""
    assert "hunter2" not in redact(query)
    assert "[redacted:" in redact(query)


@pytest.mark.parametrize(
    "query",
    [
        "where is the redis password",
        "rotate api key",
        "secret rotation schedule",
        "token budget 4096",
        "tokenizer: which one",
        "basic authentication",
        "commit 8cd7d51f0a6b1c2d3e4f5a6b7c8d9e0f1a2b3c4d",
        "projects/shop-1a2b3c4d/notes/redis-deploy.md",
        "https://example.org/docs?page=2",
        "重試 上限",
        "test_processes_lose_and_tear_no_line",
    ],
)
def test_ordinary_queries_stay_as_they_are(query):
    """A question about a secret is not a secret; nor is a hash of a commit, a path, a long name."""
    assert redact(query) == query


def test_redaction_covers_what_lint_takes_for_a_secret():
    """Whatever the lint of published stores would refuse in a wording is gone from a logged query."""
    for secret in SECRETS.values():
        for text in (secret, f"token={secret}", f"the key {secret}, again"):
            assert not [pattern.name for pattern in find_private(redact(text)) if pattern.name != "email"]


def test_every_redaction_has_a_sample():
    """No pattern of the list is there that nothing is caught by."""
    samples = [*SECRETS.values(), "postgres://a:b@c", "Bearer abcdefgh12345678", "pwd=x", "--password x"]
    assert [name for name, pattern in REDACTIONS if not any(re.search(pattern, sample) for sample in samples)] == []


def test_a_salt_hides_the_words_and_keeps_their_returns(filled):
    """With a salt no word of a query is written; the same word has the same hash, in another case too."""
    log = SearchLog(filled.root / "searchlog.jsonl", salt="s")
    memory = open_logged(filled, search_log=log)
    memory.search("redis port")
    memory.search("Port conflict")
    open_logged(filled, search_log=SearchLog(log.path, salt="t")).search("port")
    first, second, third = read_search_log(log.path).events
    written = log.path.read_text(encoding="utf-8")
    assert '"query"' not in written
    assert "conflict" not in written
    assert [len(each.term_hashes) for each in (first, second, third)] == [2, 2, 1]
    assert first.term_hashes[1] == second.term_hashes[0]
    assert set(first.term_hashes) & set(second.term_hashes) == {first.term_hashes[1]}
    assert third.term_hashes[0] not in (*first.term_hashes, *second.term_hashes)
    assert "salt=" not in repr(log)


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
