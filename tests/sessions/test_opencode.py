"""opencode's sessions: the database and the older folder say the same; sub-agents' sessions are apart."""

from __future__ import annotations

import sqlite3

from memeval.sessions.events import FAILED, UNANSWERED, WORDLESS
from memeval.sessions.memoryfiles import MemoryFiles
from memeval.sessions.opencode import read_opencode

EVENTS = [
    ("userturn", None, None, None),
    ("search", None, "csv export", []),
    ("search", None, "spreadsheet", ["decisions.md"]),
    ("read", None, "decisions.md", None),
    ("write", None, "exports.md", None),
    ("userturn", "ses_2", None, None),
    ("search", "ses_2", "export", ["exports.md"]),
]


def test_a_database_is_read(read, describe):
    """Calls with their answers in one part; running ones, failed ones and listings are counted and are no event."""
    content = read("opencode/database")
    assert describe(content) == EVENTS
    assert content.problems == ()
    assert content.dropped == {UNANSWERED: 1, FAILED: 1, WORDLESS: 1}
    assert content.events[4].is_new
    assert not content.events[0].orders_rewording  # only the synthetic text does


def test_the_older_folder_says_the_same(read):
    """The same events with the same keys from files, and two broken files are told."""
    content, same = read("opencode/storage"), read("opencode/database")
    assert content.events == same.events
    assert [(problem.path.rsplit("/", 1)[-1], problem.is_tail) for problem in content.problems] == [
        ("prt_15.json", True),
        ("prt_16.json", False),
    ]


def test_reading_leaves_the_database_alone(tmp_path, build_database):
    """Nothing is written beside it, and the file keeps its bytes."""
    path = build_database(tmp_path / "opencode.db")
    before = path.read_bytes()
    read_opencode(path, MemoryFiles())
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["opencode.db"]


def test_rows_that_are_only_in_the_log_of_a_running_program_are_read(tmp_path, describe, statements):
    """A database in use keeps its newest rows in a second file, and they count."""
    path = tmp_path / "opencode.db"
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode=WAL")
    writer.executescript(statements)
    try:
        assert (tmp_path / "opencode.db-wal").stat().st_size > 0
        assert describe(read_opencode(path, MemoryFiles())) == EVENTS
    finally:
        writer.close()


def test_a_database_of_another_shape_is_told(tmp_path):
    """Missing tables and data that is no JSON are problems, never an error."""
    path = tmp_path / "opencode.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE message (id, session_id, time_created, data)")
        database.execute("INSERT INTO message VALUES ('m', 's', 1, 'no JSON')")
    database.close()
    content = read_opencode(path, MemoryFiles())
    assert content.events == ()
    assert [problem.reason.split(":")[0] for problem in content.problems] == [
        "table session",
        "its data is no JSON object",
        "table part",
    ]
