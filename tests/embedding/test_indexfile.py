"""The file of an index: nothing in it is ever wrong, whatever happened to it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import astuple
from pathlib import Path

import pytest

from memeval.embedding import indexfile
from memeval.embedding.indexfile import (
    FILE_NAME,
    SCHEMA_VERSION,
    Entry,
    FileState,
    IndexFile,
    digest_text,
    encode_token,
)
from memeval.embedding.passages import Passage, cut_document
from memeval.embedding.tokens import tokenise
from tests.embedding.conftest import Page

A, B, C, D = (digest_text(text) for text in "abcd")
STATE = FileState(12, 34)
ONE, TWO = b"\x00\x00\x80\x3f", b"\x00\x00\x00\x40"


def rows(folder, query):
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        return connection.execute(query).fetchall()


def test_kept_from_one_process_to_the_next(tmp_path):
    """What one object wrote, another reads; what nobody wrote is not there."""
    IndexFile(tmp_path / FILE_NAME, "m").write_vectors({A: ONE, B: TWO})
    assert IndexFile(tmp_path / FILE_NAME, "m").read_vectors([A, B, C]) == {A: ONE, B: TWO}
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_reading_makes_no_file(tmp_path):
    """A search that keeps nothing leaves nothing behind."""
    assert IndexFile(tmp_path / FILE_NAME, "m").read_vectors([A]) == {}
    assert list(tmp_path.iterdir()) == []


def test_another_model_empties_it(tmp_path):
    """Vectors of one model are none of another's, in either direction."""
    IndexFile(tmp_path / FILE_NAME, "m").write_vectors({A: ONE})
    other = IndexFile(tmp_path / FILE_NAME, "n")
    assert other.read_vectors([A]) == {}
    other.write_vectors({B: TWO})
    assert IndexFile(tmp_path / FILE_NAME, "m").read_vectors([A, B]) == {}
    assert other.read_vectors([A, B]) == {B: TWO}


def test_another_layout_is_made_anew(tmp_path):
    """A file of an older or newer release, or with other tables in it, is emptied by the next write."""
    IndexFile(tmp_path / FILE_NAME, "m").write_vectors({A: ONE})
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("UPDATE model SET schema = schema + 1")
        connection.execute("CREATE TABLE older (x)")
        connection.commit()
    file = IndexFile(tmp_path / FILE_NAME, "m")
    assert file.read_vectors([A]) == {}
    file.write_vectors({B: TWO})
    assert file.read_vectors([A, B]) == {B: TWO}
    assert rows(tmp_path, "SELECT name FROM sqlite_master WHERE name = 'older'") == []


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_broken_file_is_replaced(tmp_path, content):
    """Garbage is noticed, named, and made anew; nothing is raised."""
    (tmp_path / FILE_NAME).write_bytes(content)
    file = IndexFile(tmp_path / FILE_NAME, "m")
    assert file.read_vectors([A]) == {}
    assert "made anew" in file.problem
    file.write_vectors({A: ONE})
    assert IndexFile(tmp_path / FILE_NAME, "m").read_vectors([A]) == {A: ONE}


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_cut_file_is_never_half_believed(tmp_path, share):
    """A file that lost its end gives right vectors or none."""
    vectors = {digest_text(str(number)): number.to_bytes(4, "little") * 300 for number in range(100)}
    IndexFile(tmp_path / FILE_NAME, "m").write_vectors(vectors)
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    found = IndexFile(tmp_path / FILE_NAME, "m").read_vectors(vectors)
    assert all(vectors[digest] == vector for digest, vector in found.items())


def test_killed_while_writing(tmp_path):
    """A process that dies inside a transaction leaves the file as it was before."""
    IndexFile(tmp_path / FILE_NAME, "m").write_vectors({A: ONE})
    script = f"""
import os, sqlite3
connection = sqlite3.connect({str(tmp_path / FILE_NAME)!r}, isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN IMMEDIATE")
for number in range(2000):
    connection.execute("INSERT INTO vectors VALUES (?, ?, 0)", (number.to_bytes(32, "big"), bytes(4000)))
connection.execute("UPDATE model SET identity = 'half'")
os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 9
    file = IndexFile(tmp_path / FILE_NAME, "m")
    assert file.read_vectors([A]) == {A: ONE}
    assert rows(tmp_path, "SELECT count(*) FROM vectors") == [(1,)]


def entry(*texts, state=STATE):
    passages = tuple(Passage(number + 1, number + 2, ("A", "B"), text) for number, text in enumerate(texts))
    return Entry(digest_text("".join(texts)), state, passages)


def never(_doc_id, _state):
    return False


def test_passages_as_they_were(tmp_path):
    """Lines, headings and texts come back in order, for the digest they were kept with and for no other."""
    file = IndexFile(tmp_path / FILE_NAME, "m")
    odd = entry("a\n\0 b", "", "監視 ﬁ \U0001f600")
    plain = Entry(digest_text("c"), FileState(), (Passage(1, 1, (), "c"),))
    file.write_passages({"x.md": odd, "y.md": plain, "empty.md": entry()}, never)
    again = IndexFile(tmp_path / FILE_NAME, "m")
    held = again.read_passages(
        {"x.md": odd.digest, "y.md": odd.digest, "empty.md": digest_text(""), "z.md": odd.digest}
    )
    assert held.passages == {"x.md": odd.passages, "empty.md": ()}
    assert held.states == {"x.md": STATE, "y.md": FileState(), "empty.md": STATE}
    assert again.read_passages({"y.md": plain.digest}).passages == {"y.md": plain.passages}
    assert again.problem is None


def test_terms_of_some_documents(tmp_path):
    """Counted are the documents asked about alone, and only while each is kept with the digest that is given."""
    file = IndexFile(tmp_path / FILE_NAME, "m")
    x, y = entry("Redis redis", "port"), entry("redis")
    file.write_passages({"x.md": x, "y.md": y}, never)
    assert file.count_terms(["redis", "gone"], {"x.md": x.digest}) == {"redis": {("x.md", 0): 2}, "gone": {}}
    assert file.read_lengths({"x.md": x.digest}) == {("x.md", 0): 2, ("x.md", 1): 1}
    for digests in ({"x.md": y.digest}, {"x.md": x.digest, "z.md": y.digest}):
        assert file.count_terms(["redis"], digests) is file.read_lengths(digests) is None
    file.write_passages({"x.md": y}, never)
    assert file.count_terms(["redis"], {"x.md": x.digest}) is None
    assert file.count_terms(["redis", "port"], {"x.md": y.digest}) == {"redis": {("x.md", 0): 1}, "port": {}}


TOKENS = (
    "redis",
    "x" * 70,
    "x" * 71,
    "監視",
    "ἀ",
    "é",
    "e\u0301",
    "k\ufb01",
    "İ".lower(),
    "\udc80",
    "२",
    "not",
    "near",
)


@pytest.mark.parametrize("token", TOKENS)
def test_a_token_is_found_as_it_was(tmp_path, token):
    """No tokenizer folds, cuts or splits it: it is found by itself and by none of the others."""
    connection = sqlite3.connect(tmp_path / "t.sqlite")
    connection.execute("CREATE VIRTUAL TABLE terms USING fts5(tokens, tokenize = 'ascii')")
    for other in TOKENS:
        connection.execute("INSERT INTO terms VALUES (?)", (encode_token(other),))
    found = connection.execute("SELECT rowid FROM terms WHERE terms MATCH ?", (f'"{encode_token(token)}"',)).fetchall()
    assert found == [(TOKENS.index(token) + 1,)]
    connection.close()


def test_what_is_kept_is_of_this_version():
    """Whoever changes how a text is cut or tokenised raises SCHEMA_VERSION, so that no file of before is believed."""
    words = " ".join(f"word{number}." for number in range(150))
    text = f"---\na: 1\n---\n# One\n\n{words}\n\n## 二\n\n- 監視設定を変更。\n- b2\n\n```sh\nls -l\n```\n\nTwo\n===\n"
    passages = cut_document(Page("some/red-is_usage.md", text))
    seen = repr([(astuple(passage), [encode_token(token) for token in tokenise(passage.text)]) for passage in passages])
    assert (SCHEMA_VERSION, digest_text(seen).hex()[:16]) == (3, "0612bb846634e3c3")


def test_stale_documents_and_unneeded_vectors_go(tmp_path):
    """What no passage is of any more goes; what another document has, one out of sight, or a caller needs stays."""
    file = IndexFile(tmp_path / FILE_NAME, "m")
    file.write_passages({"x.md": entry("a", "b"), "y.md": entry("b"), "elsewhere.md": entry("c")}, never)
    file.write_vectors({A: ONE, B: TWO, C: ONE, D: TWO})
    file.write_passages({"x.md": entry("a"), "y.md": entry()}, never, {D})
    assert set(file.read_vectors([A, B, C, D])) == {A, C, D}
    assert rows(tmp_path, "SELECT count(*) FROM terms") == [(2,)]
    asked = []
    file.write_passages({"x.md": entry("a")}, lambda doc_id, state: asked.append((doc_id, state)) or doc_id[0] == "e")
    assert asked == [("elsewhere.md", STATE), ("y.md", STATE)]
    assert set(file.read_vectors([A, B, C, D])) == {A}
    assert rows(tmp_path, "SELECT doc_id FROM files ORDER BY doc_id") == [("x.md",), ("y.md",)]


@pytest.mark.slow
def test_killed_while_writing_passages(tmp_path):
    """A process that dies inside the transaction leaves the documents, their terms and the vectors as they were."""
    file = IndexFile(tmp_path / FILE_NAME, "m")
    before = entry("redis")
    file.write_vectors({digest_text("redis"): ONE})
    file.write_passages({"x.md": before}, never)
    script = f"""
import os
from pathlib import Path
from memeval.embedding import indexfile
from tests.embedding.test_indexfile import FILE_NAME, IndexFile, entry, never
insert = indexfile._insert
def die(connection, doc_id, one):
    insert(connection, doc_id, one)
    connection.execute("PRAGMA cache_size = 1")
    if doc_id == "x199.md":
        os._exit(9)
indexfile._insert = die
IndexFile(Path({str(tmp_path / FILE_NAME)!r}), "m").write_passages(
    {{"x.md": entry("river"), **{{f"x{{n:03}}.md": entry("river " * 500) for n in range(200)}}}}, never
)
"""
    run = subprocess.run([sys.executable, "-c", script], check=False, cwd=Path(__file__).parents[2])
    assert run.returncode == 9
    held = file.read_passages({"x.md": before.digest})
    assert (held.passages, set(held.states)) == ({"x.md": before.passages}, {"x.md"})
    assert file.count_terms(["redis", "river"], {"x.md": before.digest}) == {"redis": {("x.md", 0): 1}, "river": {}}
    assert file.read_vectors([digest_text("redis")]) != {}


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6, 0.8, 0.95])
def test_a_cut_file_gives_whole_documents_or_none(tmp_path, share):
    """Of a file that lost its end no document comes back with other passages, no term with other counts."""
    entries = {f"{n}.md": entry(*(f"word{n} common {m} " * 20 for m in range(5))) for n in range(40)}
    IndexFile(tmp_path / FILE_NAME, "m").write_passages(entries, never)
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    file = IndexFile(path, "m")
    digests = {doc_id: one.digest for doc_id, one in entries.items()}
    assert all(
        passages == entries[doc_id].passages for doc_id, passages in file.read_passages(digests).passages.items()
    )
    found = file.count_terms(["common"], digests)
    assert found in (None, {"common": {(doc_id, number): 20 for doc_id in digests for number in range(5)}})


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE VIRTUAL TABLE words USING fts5(text)"],
        [f"CREATE TABLE {name} (a)" for name in ("model", "vectors", "files", "chunks", "terms", "instances")],
        ["CREATE TABLE x (a)", "CREATE VIEW model AS SELECT a FROM x"],
        ['CREATE TABLE "a""b" (c)'],
    ],
)
def test_a_database_of_another_program_is_left_alone(tmp_path, statements):
    """Whatever stands in it, also behind a link, and whatever its tables are called; the note says what to do."""
    other = tmp_path / "precious.sqlite"
    with closing(sqlite3.connect(other)) as connection:
        for statement in statements:
            connection.execute(statement)
    before = other.read_bytes()
    (tmp_path / FILE_NAME).symlink_to(other)
    file = IndexFile(tmp_path / FILE_NAME, "m")
    file.write_vectors({A: ONE})
    file.write_passages({"x.md": entry("redis")}, never)
    assert (file.read_vectors([A]), file.read_passages({}).states) == ({}, {})
    assert "a database of another program stands there; move it away" in (file.problem or "")
    assert other.read_bytes() == before


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE vectors SET vector = zeroblob(4)",
        "UPDATE vectors SET vector = 5",
        "UPDATE vectors SET digest = x'00' || substr(digest, 2)",
        "UPDATE chunks SET text = 'b'",
        "UPDATE chunks SET headings = x'ff'",
        "UPDATE chunks SET first_line = 7",
        "UPDATE chunks SET ordinal = 7",
    ],
)
def test_a_damaged_row_is_none(tmp_path, harm):
    """What a checksum does not fit is neither a vector nor a document, and the next write puts it right."""
    file, one = IndexFile(tmp_path / FILE_NAME, "m"), entry("a")
    for _ in range(2):
        file.write_passages({"x.md": one}, never)
        file.write_vectors({A: ONE})
        whole = (file.read_vectors([A]), file.read_passages({"x.md": one.digest}).passages)
        assert (whole, file.problem) == (({A: ONE}, {"x.md": one.passages}), None)
        with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
            connection.execute(harm)
            connection.commit()
        damaged = (file.read_vectors([A]), file.read_passages({"x.md": one.digest}).passages)
        assert damaged in (({}, whole[1]), (whole[0], {}))


def test_a_locked_file_is_waited_for_once(tmp_path, monkeypatch):
    """Who holds the file for longer than anybody waits does not hold each further look at it up as well."""
    monkeypatch.setattr(indexfile, "_WAIT_SECONDS", 0.01)
    connect, waited = sqlite3.connect, []
    monkeypatch.setattr(
        indexfile.sqlite3,
        "connect",
        lambda *a, timeout=5.0, **k: waited.append(timeout) or connect(*a, **k, timeout=timeout),
    )
    file = IndexFile(tmp_path / FILE_NAME, "m")
    file.write_vectors({A: ONE})
    with closing(connect(tmp_path / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        waited.clear()
        assert [file.read_vectors([A]), file.read_vectors([A])] == [{}, {}]
        file.write_vectors({B: TWO})
    assert "locked; as long as that is so, nothing is kept" in file.problem
    file.write_vectors({B: TWO})
    assert file.read_vectors([A, B]) == {A: ONE, B: TWO}
    assert waited == [0.01, 0.0, 0.0, 0.0, 0.01]


def test_a_folder_in_its_place(tmp_path):
    """What stands there and what to do is said."""
    (tmp_path / FILE_NAME).mkdir()
    file = IndexFile(tmp_path / FILE_NAME, "m")
    file.write_vectors({A: ONE})
    assert file.problem.endswith(
        f"{FILE_NAME}: a folder stands there; move it away; as long as that is so, nothing is kept"
    )


def test_a_folder_that_cannot_be_written(tmp_path):
    """Nothing is raised; the problem is named."""
    file = IndexFile(tmp_path / "missing" / FILE_NAME, "m")
    file.write_vectors({A: ONE})
    assert "unable to open" in file.problem
    assert file.read_vectors([A]) == {}


def test_two_writers_at_once(tmp_path):
    """Writers wait for each other; no vector is lost or mixed up."""

    def work(number):
        file = IndexFile(tmp_path / FILE_NAME, "m")
        for turn in range(10):
            file.write_vectors({digest_text(f"{number} {turn}"): bytes([number, turn, 0, 0])})
        return file.problem

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == [None] * 4
    wanted = {digest_text(f"{n} {t}"): bytes([n, t, 0, 0]) for n in range(4) for t in range(10)}
    assert IndexFile(tmp_path / FILE_NAME, "m").read_vectors(wanted) == wanted


def test_two_processes_of_different_models(tmp_path):
    """However two models take turns on one file, each reads its own vectors or none."""
    script = """
import sys
from pathlib import Path
from memeval.embedding.indexfile import FILE_NAME, IndexFile, digest_text
name, mark = sys.argv[2], sys.argv[2].encode() * 4
file = IndexFile(Path(sys.argv[1], FILE_NAME), name)
for turn in range(30):
    file.write_vectors({digest_text(str(turn)): mark})
    assert set(file.read_vectors([digest_text(str(t)) for t in range(30)]).values()) <= {mark}
assert file.problem is None, file.problem
"""
    runs = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path), name]) for name in "mn"]
    assert [run.wait(timeout=60) for run in runs] == [0, 0]
