"""The file of vectors: nothing in it is ever wrong, whatever happened to it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from memeval.embedding.vectorfile import FILE_NAME, VectorFile, digest_passage

A, B, C = (digest_passage(text) for text in "abc")
ONE, TWO = b"\x00\x00\x80\x3f", b"\x00\x00\x00\x40"


def rows(folder, query):
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        return connection.execute(query).fetchall()


def test_kept_from_one_process_to_the_next(tmp_path):
    """What one object wrote, another reads; what nobody wrote is not there."""
    VectorFile(tmp_path, "m").write({A: ONE, B: TWO})
    assert VectorFile(tmp_path, "m").read([A, B, C]) == {A: ONE, B: TWO}
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_reading_makes_no_file(tmp_path):
    """A search that keeps nothing leaves nothing behind."""
    assert VectorFile(tmp_path, "m").read([A]) == {}
    assert list(tmp_path.iterdir()) == []


def test_another_model_empties_it(tmp_path):
    """Vectors of one model are none of another's, in either direction."""
    VectorFile(tmp_path, "m").write({A: ONE})
    other = VectorFile(tmp_path, "n")
    assert other.read([A]) == {}
    other.write({B: TWO})
    assert VectorFile(tmp_path, "m").read([A, B]) == {}
    assert other.read([A, B]) == {B: TWO}


def test_another_layout_is_made_anew(tmp_path):
    """A file of an older or newer release, or with other tables in it, is emptied by the next write."""
    VectorFile(tmp_path, "m").write({A: ONE})
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("UPDATE model SET schema = schema + 1")
        connection.execute("CREATE TABLE older (x)")
        connection.commit()
    file = VectorFile(tmp_path, "m")
    assert file.read([A]) == {}
    file.write({B: TWO})
    assert file.read([A, B]) == {B: TWO}
    assert rows(tmp_path, "SELECT name FROM sqlite_master WHERE name = 'older'") == []


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_broken_file_is_replaced(tmp_path, content):
    """Garbage is noticed, named, and made anew; nothing is raised."""
    (tmp_path / FILE_NAME).write_bytes(content)
    file = VectorFile(tmp_path, "m")
    assert file.read([A]) == {}
    assert "made anew" in file.problem
    file.write({A: ONE})
    assert VectorFile(tmp_path, "m").read([A]) == {A: ONE}


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_cut_file_is_never_half_believed(tmp_path, share):
    """A file that lost its end gives right vectors or none."""
    vectors = {digest_passage(str(number)): number.to_bytes(4, "little") * 300 for number in range(100)}
    VectorFile(tmp_path, "m").write(vectors)
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    found = VectorFile(tmp_path, "m").read(vectors)
    assert all(vectors[digest] == vector for digest, vector in found.items())


def test_killed_while_writing(tmp_path):
    """A process that dies inside a transaction leaves the file as it was before."""
    VectorFile(tmp_path, "m").write({A: ONE})
    script = f"""
import os, sqlite3
connection = sqlite3.connect({str(tmp_path / FILE_NAME)!r}, isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN IMMEDIATE")
for number in range(2000):
    connection.execute("INSERT INTO chunks VALUES (?, ?)", (number.to_bytes(32, "big"), bytes(4000)))
connection.execute("UPDATE model SET identity = 'half'")
os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 9
    file = VectorFile(tmp_path, "m")
    assert file.read([A]) == {A: ONE}
    assert rows(tmp_path, "SELECT count(*) FROM chunks") == [(1,)]


def test_unneeded_vectors_go(tmp_path):
    """What a file no longer needs goes with it; what another file needs, or a file nobody gave, stays."""
    file = VectorFile(tmp_path, "m")
    file.write({A: ONE, B: TWO, C: ONE}, {"x.md": [A, B], "y.md": [B], "elsewhere.md": [C]}, lambda _: False)
    file.write({}, {"x.md": [A], "y.md": []}, lambda _: False)
    assert set(file.read([A, B, C])) == {A, C}
    file.write({}, {"x.md": [A]}, lambda doc_id: doc_id == "elsewhere.md")
    assert set(file.read([A, B, C])) == {A}
    file.write({B: TWO})  # without needs nothing is dropped
    assert set(file.read([A, B, C])) == {A, B}


def test_a_folder_that_cannot_be_written(tmp_path):
    """Nothing is raised; the problem is named."""
    file = VectorFile(tmp_path / "missing", "m")
    file.write({A: ONE})
    assert "unable to open" in file.problem
    assert file.read([A]) == {}


def test_two_writers_at_once(tmp_path):
    """Writers wait for each other; no vector is lost or mixed up."""

    def work(number):
        file = VectorFile(tmp_path, "m")
        for turn in range(10):
            file.write({digest_passage(f"{number} {turn}"): bytes([number, turn, 0, 0])})
        return file.problem

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == [None] * 4
    wanted = {digest_passage(f"{n} {t}"): bytes([n, t, 0, 0]) for n in range(4) for t in range(10)}
    assert VectorFile(tmp_path, "m").read(wanted) == wanted


def test_two_processes_of_different_models(tmp_path):
    """However two models take turns on one file, each reads its own vectors or none."""
    script = """
import sys
from pathlib import Path
from memeval.embedding.vectorfile import VectorFile, digest_passage
name, mark = sys.argv[2], sys.argv[2].encode() * 4
file = VectorFile(Path(sys.argv[1]), name)
for turn in range(30):
    file.write({digest_passage(str(turn)): mark})
    assert set(file.read([digest_passage(str(t)) for t in range(30)]).values()) <= {mark}
assert file.problem is None, file.problem
"""
    runs = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path), name]) for name in "mn"]
    assert [run.wait(timeout=60) for run in runs] == [0, 0]
