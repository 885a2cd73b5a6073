"""The index: found by meaning, never from what is no longer there, and nothing embedded twice."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from memeval.embedding.background import BACKGROUND, SENTENCES
from memeval.embedding.index import StoreIndex, VectorIndex, index_documents, rank_by_ranks, rank_hybrid
from memeval.embedding.nearness import Calibration
from memeval.embedding.vectorfile import FILE_NAME
from memeval.errors import EmbeddingError
from memeval.memory.layout import read_store
from tests.embedding.conftest import Page, TopicEmbedder

PAGES = (
    Page("MEMORY.md", "# Rules\nrice rice\n\n# Box\nredis redis buffer\n"),
    Page("notes/ports.md", "# Ports\nlisten 6380 port\n"),
    Page("notes/release.md", "ship ship deploy\n"),
)


def found(index, query):
    return [passage.doc_id for passage in index.search(query) if passage.nearness >= 0]


def test_found_by_meaning(embedder):
    """A query that shares no word with the file finds it, and where in it."""
    (passage,) = (p for p in VectorIndex(PAGES, embedder).search("cache") if p.nearness >= 0)
    assert (passage.doc_id, passage.first_line, passage.last_line) == ("MEMORY.md", 5, 5)
    assert passage.text == "MEMORY > Box\nredis redis buffer"
    assert found(VectorIndex(PAGES, embedder), "release") == ["notes/release.md"]


def test_nothing_near(embedder):
    """A query about something else, nonsense and a blank one find nothing."""
    index = VectorIndex(PAGES, embedder)
    assert found(index, "whales") == []
    assert found(index, "qwsdrt") == []
    assert index.search(" \n") == ()
    assert index.rank_cosines("") == []


def test_a_model_is_not_asked_in_a_language_it_does_not_read():
    """To an English model a Chinese query is noise, near to whatever is noise too; words alone decide then."""
    pages = (*PAGES, Page("notes/監視.md", "監視 設定\n"))
    english = VectorIndex(pages, TopicEmbedder(calibration=Calibration(0.2, 0.9, reads_cjk=False)))
    assert english.search("監視") == ()
    assert rank_hybrid("監視", [("notes/監視.md", 1.0)], 1.0, english) == [("notes/監視.md", 1.0)]
    assert found(english, "cache") == ["MEMORY.md"]
    assert VectorIndex(pages, TopicEmbedder()).search("監視") != ()


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


def test_a_question_of_another_dimension(embedder):
    """What an embedder gives for a query is held to its passages."""
    index = VectorIndex(PAGES, embedder)
    embedder._embed = lambda texts: [[1.0, 0.0]] * len(texts)
    with pytest.raises(EmbeddingError, match="the embedder 'topics' gave 1 x 2 numbers for 1 text; expected are 1 x 9"):
        index.search("cache")


def test_empty_store(embedder):
    """No documents, or none with text in it: nothing found, no model asked."""
    for pages in ((), (Page("a.md", ""), Page("b.md", " \n"))):
        index = VectorIndex(pages, embedder)
        assert index.search("cache") == ()
        assert index.rank_cosines("cache") == []
    assert embedder.passages == embedder.queries == []


def test_cosines_rank_every_document(embedder):
    """The plain ranking by cosine leaves no document out, the empty one apart."""
    ranked = VectorIndex((*PAGES, Page("void.md", "")), embedder).rank_cosines("cache")
    assert ranked[0][0] == "MEMORY.md"
    assert {doc_id for doc_id, _ in ranked} == {page.doc_id for page in PAGES}
    assert [score for _, score in ranked] == sorted((score for _, score in ranked), reverse=True)


def test_equal_documents_stand_by_id(embedder):
    """Copies have the same nearness, so that their ids decide."""
    copies = [Page(f"{name}.md", "# x\nredis cache\n") for name in "ba"]
    same = [Page(f"{folder}/x.md", "redis cache\n") for folder in "ba"]
    assert [p.doc_id for p in VectorIndex(same, embedder).search("buffer")] == ["a/x.md", "b/x.md"]
    assert len(VectorIndex(copies, embedder).search("buffer")) == 2


def test_hybrid_ranking(embedder):
    """Words and meaning in one list; words alone where nothing is near."""
    index = VectorIndex(PAGES, embedder)
    ranked = rank_hybrid("cache", [("notes/ports.md", 2.0)], 0.2, index)
    assert [doc_id for doc_id, _ in ranked][:2] == ["MEMORY.md", "notes/ports.md"]
    assert rank_hybrid("whales", [("notes/ports.md", 2.0)], 0.2, index) == [("notes/ports.md", 2.0)]
    assert rank_hybrid("whales", [], 0.0, index) == []


def test_words_rank_documents_by_their_best_passage(embedder):
    """BM25 over passages: a document counts by its best one; file names and headings are among its words."""
    index = VectorIndex(PAGES, embedder)
    assert [doc_id for doc_id, _ in index.rank_terms("redis")] == ["MEMORY.md"]
    assert [doc_id for doc_id, _ in index.rank_terms("Ports of a release")] == ["notes/ports.md", "notes/release.md"]
    assert index.rank_terms("nothing of it") == index.rank_terms("…") == index.rank_terms("") == []
    same = [Page(f"{folder}/x.md", "redis cache\n") for folder in "ba"]
    assert [doc_id for doc_id, _ in VectorIndex(same, embedder).rank_terms("redis")] == ["a/x.md", "b/x.md"]


def test_plain_rank_fusion_by_hand(embedder):
    """1/(60 + rank) by BM25 and by cosine, added; every document is in it, whatever is asked."""
    index = VectorIndex(PAGES, embedder)
    assert [doc_id for doc_id, _ in index.rank_cosines("cache cache deploy")] == [
        "MEMORY.md",
        "notes/release.md",
        "notes/ports.md",
    ]
    assert rank_by_ranks("cache cache deploy", index) == [
        ("notes/release.md", pytest.approx(1 / 61 + 1 / 62)),
        ("MEMORY.md", pytest.approx(1 / 61)),
        ("notes/ports.md", pytest.approx(1 / 63)),
    ]
    assert len(rank_by_ranks("qwsdrt", index)) == len(PAGES)
    assert rank_by_ranks(" ", index) == []


def test_plain_rank_fusion_without_cosines():
    """Where the model does not read the query, the order is that of BM25."""
    pages = (*PAGES, Page("notes/監視.md", "監視 設定\n"))
    english = VectorIndex(pages, TopicEmbedder(calibration=Calibration(0.2, 0.9, reads_cjk=False)))
    assert rank_by_ranks("監視", english) == [("notes/監視.md", pytest.approx(1 / 61))]
    assert len(rank_by_ranks("監視", VectorIndex(pages, TopicEmbedder()))) == 4


def test_a_model_without_calibration(embedder):
    """A model that nobody measured is calibrated on the store by sentences that it cannot answer."""
    raw = TopicEmbedder(calibration=None)
    index = VectorIndex(PAGES, raw)
    assert raw.queries == list(SENTENCES)
    assert index.calibration.certain > index.calibration.floor
    assert found(index, "cache")[0] == "MEMORY.md"


def write(root, doc_id, text):
    path = root / doc_id
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def pages(root):
    return [Page(p.relative_to(root).as_posix(), p.read_text(encoding="utf-8")) for p in sorted(root.rglob("*.md"))]


def test_kept_beside_the_store(tmp_path, embedder):
    """One file, hidden; a second process embeds nothing, not even the background."""
    for page in PAGES:
        write(tmp_path, page.doc_id, page.text)
    StoreIndex(tmp_path, embedder).read(pages(tmp_path))
    assert len(embedder.passages) == 4 + len(BACKGROUND)
    assert {path.name for path in tmp_path.iterdir()} == {"MEMORY.md", "notes", FILE_NAME}
    again = TopicEmbedder()
    assert found(StoreIndex(tmp_path, again).read(pages(tmp_path)), "cache") == ["MEMORY.md"]
    assert again.passages == []


def test_a_changed_file_is_read_again_and_only_what_changed(tmp_path, embedder):
    """An edit that leaves size and time as they were is seen all the same; other passages are not embedded again."""
    for page in PAGES:
        write(tmp_path, page.doc_id, page.text)
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
    for page in PAGES:
        write(tmp_path, page.doc_id, page.text)
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
    """Vectors of a deleted note go with the next write; those of another project's note, which is there, stay."""
    for doc_id in ("a.md", "b.md", "projects/other/notes/c.md"):
        write(tmp_path, doc_id, f"redis {doc_id}")
    store = StoreIndex(tmp_path, embedder)
    store.read(pages(tmp_path))
    (tmp_path / "b.md").unlink()
    write(tmp_path, "a.md", "river")
    store.read([page for page in pages(tmp_path) if page.doc_id == "a.md"])
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        names = {doc_id for (doc_id,) in connection.execute("SELECT DISTINCT doc_id FROM files WHERE doc_id <> ''")}
        (count,) = connection.execute("SELECT count(*) FROM chunks").fetchone()
    assert names == {"a.md", "projects/other/notes/c.md"}
    assert count == 2 + len(BACKGROUND)


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
        connection.execute("UPDATE chunks SET vector = x'00'")
        connection.commit()
    assert found(StoreIndex(tmp_path, embedder).read(pages(tmp_path)), "cache") == ["a.md"]


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


def test_cache_of_documents_in_memory(tmp_path, embedder):
    """Two corpora share one folder; each model has its own place in it; nothing of either is dropped."""
    index_documents(PAGES, embedder, tmp_path / "cache")
    index_documents([Page("MEMORY.md", "river")], embedder, tmp_path / "cache")
    index_documents(PAGES, TopicEmbedder("another"), tmp_path / "cache")
    again = TopicEmbedder()
    assert found(index_documents(PAGES, again, tmp_path / "cache"), "cache") == ["MEMORY.md"]
    assert again.passages == []
    assert len(list((tmp_path / "cache").iterdir())) == 2
    assert index_documents(PAGES, embedder).search("cache") == index_documents(
        PAGES, embedder, tmp_path / "cache"
    ).search("cache")


@pytest.mark.slow
def test_two_processes_at_once(tmp_path):
    """Two processes that search and edit one store never answer with a text that is not there."""
    script = """
import sys
from pathlib import Path
from memeval.embedding.index import StoreIndex
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
assert store.problem is None, store.problem
"""
    root = Path(__file__).parents[2]
    runs = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path), name], cwd=root, env={**os.environ})
        for name in "ab"
    ]
    assert [run.wait(timeout=120) for run in runs] == [0, 0]
