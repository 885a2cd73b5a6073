"""The index beside a store: never from what is no longer there, and nothing cut, counted or embedded twice."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from memeval.embedding import bm25, indexfile, storeindex
from memeval.embedding.background import BACKGROUND
from memeval.embedding.index import VectorIndex, rank_by_ranks
from memeval.embedding.indexfile import FILE_NAME
from memeval.embedding.storeindex import StoreIndex
from memeval.errors import EmbeddingError
from memeval.memory.layout import read_store
from tests.embedding.conftest import Page, TopicEmbedder
from tests.embedding.test_index import PAGES, found


def write(root, doc_id, text):
    path = root / doc_id
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def pages(root):
    return [Page(p.relative_to(root).as_posix(), p.read_text(encoding="utf-8")) for p in sorted(root.rglob("*.md"))]


def rows(root, query):
    with closing(sqlite3.connect(root / FILE_NAME)) as connection:
        return connection.execute(query).fetchall()


def kept(root):
    """{doc_id: texts of its passages} as the file has them; each has its terms."""
    found = {doc_id: [] for (doc_id,) in rows(root, "SELECT doc_id FROM files")}
    for doc_id, text, tokens, terms in rows(
        root, "SELECT doc_id, text, chunks.tokens, terms.tokens FROM chunks JOIN terms ON terms.rowid = id ORDER BY id"
    ):
        found[doc_id].append(text)
        assert len(terms.split()) == tokens
    assert rows(root, "SELECT count(*) FROM terms") == rows(root, "SELECT count(*) FROM chunks")
    return found


def fill(root):
    for page in PAGES:
        write(root, page.doc_id, page.text)
    return root


@pytest.fixture
def work(monkeypatch):
    """What was cut into passages and what into tokens, in order."""
    cut, counted = [], []
    for module, name, seen, look in (
        (storeindex, "cut_document", cut, lambda document: document.doc_id),
        (indexfile, "tokenise", counted, str),
        (bm25, "tokenise", counted, str),
    ):
        real = getattr(module, name)
        monkeypatch.setattr(module, name, lambda x, real=real, seen=seen, look=look: seen.append(look(x)) or real(x))
    return cut, counted


def test_kept_beside_the_store(tmp_path, embedder):
    """One file, hidden; a second process embeds nothing, not even the background."""
    fill(tmp_path)
    StoreIndex(tmp_path, embedder).read(pages(tmp_path))
    assert len(embedder.passages) == 4 + len(BACKGROUND)
    assert {path.name for path in tmp_path.iterdir()} == {"MEMORY.md", "notes", FILE_NAME}
    again = TopicEmbedder()
    assert found(StoreIndex(tmp_path, again).read(pages(tmp_path)), "cache") == ["MEMORY.md"]
    assert again.passages == []


def test_a_changed_file_is_read_again_and_only_what_changed(tmp_path, embedder):
    """An edit that leaves size and time as they were is seen all the same; other passages are not embedded again."""
    fill(tmp_path)
    store = StoreIndex(tmp_path, embedder)
    store.read(pages(tmp_path))
    path, embedder.passages = tmp_path / "MEMORY.md", []
    before = path.stat()
    path.write_text(PAGES[0].text.replace("redis redis buffer", "river river whales"), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    for reader in (store, StoreIndex(tmp_path, TopicEmbedder())):
        assert found(reader.read(pages(tmp_path)), "cache") == []
        assert found(reader.read(pages(tmp_path)), "river") == ["MEMORY.md"]
    assert embedder.passages == ["MEMORY > Box\nriver river whales"]


def test_deleting_the_file_loses_nothing(tmp_path, embedder):
    """It is made again from the files."""
    fill(tmp_path)
    first = StoreIndex(tmp_path, embedder).read(pages(tmp_path)).search("cache")
    (tmp_path / FILE_NAME).unlink()
    assert StoreIndex(tmp_path, embedder).read(pages(tmp_path)).search("cache") == first
    assert (tmp_path / FILE_NAME).is_file()


def test_another_model_embeds_again(tmp_path, embedder):
    """Vectors of the model before are not used."""
    write(tmp_path, "a.md", "redis")
    StoreIndex(tmp_path, embedder).read(pages(tmp_path))
    other = TopicEmbedder("another")
    StoreIndex(tmp_path, other).read(pages(tmp_path))
    assert len(other.passages) == 1 + len(BACKGROUND)


def test_what_is_gone_is_forgotten(tmp_path, embedder):
    """What is kept of a deleted note goes with the next search; that of another project's note stays."""
    for doc_id in ("a.md", "b.md", "projects/other/notes/c.md"):
        write(tmp_path, doc_id, f"redis {doc_id}")
    store = StoreIndex(tmp_path, embedder)
    store.read(pages(tmp_path))
    (tmp_path / "b.md").unlink()
    write(tmp_path, "a.md", "river")
    store.read([page for page in pages(tmp_path) if page.doc_id == "a.md"])
    assert kept(tmp_path) == {"a.md": ["a\nriver"], "projects/other/notes/c.md": ["c\nredis projects/other/notes/c.md"]}
    assert rows(tmp_path, "SELECT count(*) FROM vectors") == [(2 + len(BACKGROUND),)]


def test_a_broken_file_is_no_harm(tmp_path, embedder):
    """A search over a broken index gives what one without it gives."""
    write(tmp_path, "a.md", "redis buffer")
    (tmp_path / FILE_NAME).write_bytes(b"broken" * 1000)
    store = StoreIndex(tmp_path, embedder)
    assert found(store.read(pages(tmp_path)), "cache") == ["a.md"]
    assert "made anew" in store.problem


def test_a_truncated_vector_is_not_used(tmp_path, embedder):
    """A vector of the wrong length is embedded again."""
    write(tmp_path, "a.md", "redis buffer")
    StoreIndex(tmp_path, embedder).read(pages(tmp_path))
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("UPDATE vectors SET vector = x'00'")
        connection.commit()
    assert found(StoreIndex(tmp_path, embedder).read(pages(tmp_path)), "cache") == ["a.md"]


@pytest.mark.parametrize(
    ("wrong", "given"),
    [
        (lambda rows: rows[:-1], "gave 4 x 9 numbers for 5 texts; expected are 5 x 9"),
        (lambda rows: rows[:, :3], "gave 5 x 3 numbers for 5 texts; expected are 5 x 9"),
        (lambda rows: rows[0], "gave 9 numbers for 5 texts"),
        (lambda rows: [[1.0], [1.0, 2.0]], "gave no array of numbers"),
    ],
)
def test_an_embedder_that_does_not_keep_its_word(tmp_path, wrong, given):
    """Rows too few or of another dimension: the model and the numbers are named, and nothing of it is kept."""
    pages = [Page(f"{name}.md", f"{name} rice") for name in "abcde"]
    embedder = TopicEmbedder("odd")
    embedder._embed = lambda texts: wrong(TopicEmbedder._embed(embedder, texts))
    with pytest.raises(EmbeddingError, match=f"the embedder 'odd' {given}"):
        StoreIndex(tmp_path, embedder).read(pages)
    honest = TopicEmbedder("odd")
    assert len(StoreIndex(tmp_path, honest).read(pages).search("rice", least=-9)) == 5
    assert len(honest.passages) == len(pages) + len(BACKGROUND)


def test_the_index_is_no_part_of_the_store(tmp_path, embedder):
    """The engine's reader of stores sees the same documents with the file and without it, and they can be indexed."""
    write(tmp_path, "MEMORY.md", "redis")
    before = read_store(tmp_path)
    StoreIndex(tmp_path, embedder).read(before)
    assert read_store(tmp_path) == before


def test_unchanged_documents_are_not_digested_twice(tmp_path, embedder):
    """Within one process the index of the same documents is the same object."""
    write(tmp_path, "a.md", "redis")
    store = StoreIndex(tmp_path, embedder)
    assert store.read(pages(tmp_path)) is store.read(pages(tmp_path))


def test_what_did_not_change_is_neither_cut_nor_counted_again(tmp_path, embedder, work):
    """A second process cuts the changed file alone and counts its words; asked by words, it counts the query's."""
    cut, counted = work
    StoreIndex(fill(tmp_path), embedder).read(pages(tmp_path))
    assert (sorted(cut), len(counted)) == (sorted(page.doc_id for page in PAGES), 4)
    write(tmp_path, "notes/ports.md", "listen 6381\n")
    cut.clear()
    counted.clear()
    index = StoreIndex(tmp_path, TopicEmbedder()).read(pages(tmp_path))
    assert (cut, counted) == (["notes/ports.md"], ["ports\nlisten 6381"])
    assert {doc_id for doc_id, _ in index.rank_terms("6381 redis")} == {"notes/ports.md", "MEMORY.md"}
    assert index.rank_terms("6380") == []
    assert counted == ["ports\nlisten 6381", "6381 redis", "6380"]


QUERIES = ("redis", "rules rice", "listen 6380 port of", "監視設定", "Größe", "nothing of it", "", "ship " * 3)


def test_words_from_the_file_and_from_memory_give_the_same(tmp_path, embedder):
    """BM25 and its scores do not depend on where terms are kept, nor on what else the file holds."""
    fill(tmp_path)
    write(tmp_path, "notes/監視.md", "# 監視\n監視設定と GRÖSSE größe \0 " + "x" * 90 + "\n")
    write(tmp_path, "projects/other/notes/more.md", "redis rules listen 6380 監視 ship")
    store = StoreIndex(tmp_path, embedder)
    store.read(pages(tmp_path))
    mine = [page for page in pages(tmp_path) if not page.doc_id.startswith("projects/")]
    for query in (*QUERIES, "x" * 90, "x" * 89):
        by_file, by_memory = store.read(mine), VectorIndex(mine, embedder)
        assert by_file.rank_terms(query) == by_memory.rank_terms(query)
        assert rank_by_ranks(query, by_file) == rank_by_ranks(query, by_memory)
    assert [doc_id for doc_id, _ in store.read(mine).rank_terms("x" * 90)] == ["notes/監視.md"]
    assert store.read(mine).rank_terms("x" * 89) == []
    assert "projects/other/notes/more.md" in kept(tmp_path)


@pytest.mark.parametrize("harm", ["changed", "gone", "emptied", "deleted", "broken", "another model"])
def test_words_are_never_counted_from_other_texts(tmp_path, embedder, harm):
    """An index that is open answers from its own texts, whatever another process makes of the file meanwhile."""
    mine = pages(fill(tmp_path))
    index = StoreIndex(tmp_path, embedder).read(mine)
    wanted = VectorIndex(mine, embedder).rank_terms("redis rules")
    assert index.rank_terms("redis rules") == wanted != []
    if harm in ("changed", "gone"):
        (tmp_path / "MEMORY.md").unlink()
        if harm == "changed":
            write(tmp_path, "MEMORY.md", "ship ship")
        StoreIndex(tmp_path, TopicEmbedder()).read(pages(tmp_path))
        assert kept(tmp_path).get("MEMORY.md") == (["MEMORY\nship ship"] if harm == "changed" else None)
    elif harm == "emptied":
        with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
            connection.execute("DELETE FROM chunks")
            connection.execute("DELETE FROM files")
            connection.commit()
    elif harm == "deleted":
        (tmp_path / FILE_NAME).unlink()
    elif harm == "broken":
        (tmp_path / FILE_NAME).write_bytes(b"broken" * 1000)
    else:
        StoreIndex(tmp_path, TopicEmbedder("another")).read([Page("x.md", "redis")])
    assert index.rank_terms("redis rules") == wanted


def test_a_file_out_of_sight_goes_when_it_changed(tmp_path, embedder):
    """Of another project's file size and time tell whether what is kept of it may stay; its text is not read."""
    names = ("a.md", "projects/p/notes/same.md", "projects/p/notes/size.md", "projects/p/notes/time.md")
    for doc_id in names:
        write(tmp_path, doc_id, f"redis {doc_id}")
    StoreIndex(tmp_path, embedder).read(pages(tmp_path))
    before = (tmp_path / names[2]).stat()
    write(tmp_path, names[2], "river")
    os.utime(tmp_path / names[2], ns=(before.st_atime_ns, before.st_mtime_ns))
    os.utime(tmp_path / names[3], ns=(before.st_atime_ns, before.st_mtime_ns + 10**9))
    StoreIndex(tmp_path, embedder).read([Page("a.md", "redis a.md")])
    assert set(kept(tmp_path)) == set(names[:2])


@pytest.mark.parametrize("seconds", [-(10**9), 10**10])
def test_a_file_of_any_date(tmp_path, embedder, work, seconds):
    """A file dated before 1970, or after 2262, which nanoseconds of SQLite do not reach, is kept like any other."""
    cut, _ = work
    os.utime(fill(tmp_path) / "notes/ports.md", (seconds, seconds))
    for _ in range(2):
        store = StoreIndex(tmp_path, embedder)
        assert (found(store.read(pages(tmp_path)), "cache"), store.problem) == (["MEMORY.md"], None)
    assert sorted(cut) == sorted(page.doc_id for page in PAGES)
    StoreIndex(tmp_path, embedder).read([page for page in pages(tmp_path) if page.doc_id == "MEMORY.md"])
    assert "notes/ports.md" in kept(tmp_path)


def test_a_problem_that_is_over_is_told_no_more(tmp_path, embedder):
    """A store that stays open tells of the last index it made, and keeps things again once it can."""
    (tmp_path / FILE_NAME).mkdir()
    write(tmp_path, "a.md", "redis")
    store = StoreIndex(tmp_path, embedder)
    store.read(pages(tmp_path))
    assert "a folder stands there" in store.problem
    (tmp_path / FILE_NAME).rmdir()
    write(tmp_path, "b.md", "river")
    store.read(pages(tmp_path))
    assert (store.problem, set(kept(tmp_path))) == (None, {"a.md", "b.md"})


def test_a_store_of_another_thread_is_none_of_this_one(tmp_path, embedder):
    """Whatever is read between an index and its use, documents are searched in their own."""

    class Busy(StoreIndex):
        def __setattr__(self, name, value):
            super().__setattr__(name, value)
            if name == "_last" and value is not None:  # what another thread does right behind it
                super().__setattr__(name, ((), VectorIndex((), embedder)))

    assert found(Busy(fill(tmp_path), embedder).read(pages(tmp_path)), "cache") == ["MEMORY.md"]


def test_a_touched_file_is_not_cut_again(tmp_path, embedder, work):
    """A new time over the old text: the new time is noted, so that the file stays when it is out of sight."""
    cut, _ = work
    StoreIndex(fill(tmp_path), embedder).read(pages(tmp_path))
    cut.clear()
    os.utime(tmp_path / "notes/ports.md", ns=(10**18, 10**18))
    StoreIndex(tmp_path, embedder).read(pages(tmp_path))
    assert cut == []
    assert rows(tmp_path, "SELECT mtime_ns FROM files WHERE doc_id = 'notes/ports.md'") == [(10**18,)]
    assert "notes/ports.md" in kept(tmp_path)


def test_an_interrupted_index_goes_on_where_it_was(tmp_path):
    """What was embedded before the model broke is not embedded again."""
    many = [Page(f"n{number}.md", f"redis {number}") for number in range(200)]
    broken = TopicEmbedder()
    embed = broken._embed
    broken._embed = lambda texts: embed(texts) if len(broken.passages) <= 128 else 1 / 0
    with pytest.raises(ZeroDivisionError):
        StoreIndex(tmp_path, broken).read(many)
    again = TopicEmbedder()
    assert len(StoreIndex(tmp_path, again).read(many).search("redis")) == 200
    assert len(again.passages) == 200 - 128 + len(BACKGROUND)


def test_half_a_character(tmp_path, embedder):
    """A document that no SQLite text holds is searched, and kept by nobody."""
    odd = [Page("a.md", "redis \ud800 buffer"), Page("b.md", "ship it")]
    for _ in range(2):
        index = StoreIndex(tmp_path, embedder).read(odd)
        assert found(index, "cache") == ["a.md"]
        assert [doc_id for doc_id, _ in index.rank_terms("redis")] == ["a.md"]
    assert set(kept(tmp_path)) == {"b.md"}


def test_without_full_text(tmp_path, monkeypatch):
    """A Python whose SQLite has no FTS5 keeps vectors alone, and answers the same; another one goes on from there."""
    fill(tmp_path)
    monkeypatch.setattr(indexfile, "has_full_text", lambda: False)
    first, second = TopicEmbedder(), TopicEmbedder()
    StoreIndex(tmp_path, first).read(pages(tmp_path))
    index = StoreIndex(tmp_path, second).read(pages(tmp_path))
    assert index.rank_terms("redis rules") == VectorIndex(pages(tmp_path), TopicEmbedder()).rank_terms("redis rules")
    assert (second.passages, rows(tmp_path, "SELECT * FROM files")) == ([], [])
    monkeypatch.undo()
    StoreIndex(tmp_path, TopicEmbedder()).read(pages(tmp_path))
    assert set(kept(tmp_path)) == {page.doc_id for page in PAGES}
    monkeypatch.setattr(indexfile, "has_full_text", lambda: False)
    third, other = TopicEmbedder(), TopicEmbedder("another")
    assert found(StoreIndex(tmp_path, third).read(pages(tmp_path)), "cache") == ["MEMORY.md"]
    assert third.passages == []
    changed = StoreIndex(tmp_path, other)
    assert found(changed.read(pages(tmp_path)), "cache") == ["MEMORY.md"]
    assert "made anew" in changed.problem


@pytest.mark.slow
def test_two_processes_at_once(tmp_path):
    """Two processes that search and edit one store never answer with a text that is not there."""
    script = """
import sys
from pathlib import Path
from memeval.embedding.storeindex import StoreIndex
from memeval.memory.layout import read_store
from tests.embedding.conftest import TopicEmbedder
root, name = Path(sys.argv[1]), sys.argv[2]
store = StoreIndex(root, TopicEmbedder())
for turn in range(40):
    (root / f"{name}.md").write_text("redis " * (turn % 5 + 1) if turn % 2 else "river " * (turn % 7 + 1))
    documents = read_store(root)
    texts = {document.doc_id: document.text.strip() for document in documents}
    for query in ("cache", "river"):
        for passage in store.read(documents).search(query):
            assert passage.text.split("\\n", 1)[1] == texts[passage.doc_id], passage
    for word in ("redis", "river"):
        ranked = {doc_id for doc_id, _ in store.read(documents).rank_terms(word)}
        assert ranked == {doc_id for doc_id, text in texts.items() if word in text}, (ranked, texts)
assert store.problem is None, store.problem
"""
    root = Path(__file__).parents[2]
    runs = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path), name], cwd=root, env={**os.environ})
        for name in "ab"
    ]
    assert [run.wait(timeout=120) for run in runs] == [0, 0]
