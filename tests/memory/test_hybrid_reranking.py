"""Hybrid search with a reranker: it reads the first again, and adds and hides nothing."""

from __future__ import annotations

import pytest

from memeval.embedding.sources import open_reranker_choice
from memeval.errors import EmbeddingError
from tests.embedding.tinymodel import write_model
from tests.memory.hybridstore import QUERIES, fill, open_memory, shown


class Likes:
    """A reranker that likes passages which hold a word, the more often the better; it remembers what it was asked."""

    def __init__(self, word, identity="likes"):
        self.word = word
        self.identity = identity
        self.asked = []

    def score(self, query, passages):
        self.asked.append((query, list(passages)))
        return [float(passage.count(self.word)) for passage in passages]


def fill_many(root, count, **more):
    """`count` notes that hold `port`, in the order of their names."""
    store = open_memory(root, **more)
    for number in range(count):
        store.write("note", f"port\n\n{'x ' * number}\n", name=f"n{number:02}")
    return store


def test_the_first_are_read_again(tmp_path):
    """The first twenty come in the order of the reranker, equal ones as they stood; the rest follow as they were."""
    plain = shown(fill_many(tmp_path / "store", 23), "port")
    likes = Likes("x ")
    again = shown(open_memory(tmp_path / "store", reranker=likes), "port")
    ((query, passages),) = likes.asked
    assert (query, len(passages)) == ("port", 20)
    first = sorted(plain[:20], key=lambda name: -int(name[1:]) if "x " in passages[plain.index(name)] else 0)
    assert again == first + plain[20:]
    assert shown(open_memory(tmp_path / "store", reranker=Likes("nowhere")), "port") == plain


def test_what_is_read_again_is_the_near_passage_else_the_lines_with_words(tmp_path):
    """With its file name; a near passage with its headings, as the embedding model reads it."""
    likes = Likes("nothing")
    store = fill(tmp_path, reranker=likes)
    assert shown(store, "buffer nothing") == ["plain", "box"]
    assert likes.asked == [
        ("buffer nothing", ["box > Box\nThe redis buffer is redis.", "plain.md\nnothing of it here"])
    ]


def test_a_reranker_finds_and_hides_nothing(tmp_path):
    """The same files, the same form, the same cap; where nothing is found, or one file, it is not asked."""
    likes = Likes("nothing")
    plain, again = fill(tmp_path), open_memory(tmp_path, reranker=likes)
    for query in QUERIES:
        one, other = plain.search(query), again.search(query)
        assert {hit.doc_id for hit in one.hits} == {hit.doc_id for hit in other.hits}
        assert (one.terms, one.hints, len(other.text(60).encode()) <= 60) == (other.terms, other.hints, True)
        assert sorted(one.text().splitlines()) == sorted(other.text().splitlines())
    asked = [query for query, _ in likes.asked]
    assert asked == [query for query in QUERIES if len(plain.search(query).hits) > 1]
    assert "whales" not in asked
    assert "cache" not in asked


def test_an_exact_identifier_is_not_exempt(tmp_path):
    """A file found by a rare identifier may fall behind what the reranker likes more; it stays found."""
    assert shown(fill(tmp_path), "6380 buffer") == ["ports", "box"]
    assert shown(open_memory(tmp_path, reranker=Likes("redis")), "6380 buffer") == ["box", "ports"]


def test_a_reranker_is_not_asked_in_a_language_it_does_not_read(tmp_path):
    """The known English one, in Chinese; over a store that it cannot read a warning says so."""
    english, other = Likes("乙", "ms-marco-MiniLM-L6-v2 tiny"), Likes("乙")
    store = open_memory(tmp_path, reranker=english)
    store.write("note", "監視設定\n", name="a")
    store.write("note", "監視設定 乙\n", name="b")
    assert shown(store, "監視設定") == ["a", "b"]
    assert english.asked == []
    assert store.problems[0].startswith("ms-marco-MiniLM-L6-v2 reads English only, and 100 % of this store is Chinese")
    assert store.problems[0].endswith("Use mmarco-mMiniLMv2-L12-H384-v1.")
    second = open_memory(tmp_path, reranker=other)
    assert shown(second, "監視設定") == ["b", "a"]
    assert second.problems == ()


def test_a_cross_encoder_on_disk(tmp_path):
    """A folder laid out as a hub download reads the first again, the same way in every process."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    folder = write_model(tmp_path / "cross", output="logits", classes=1, pooling=None)
    words = ("cache", "deploy", "river", "rice")
    store = open_memory(tmp_path / "store", reranker=folder)
    for word in words:
        store.write("note", f"redis {word}\n", name=word)
    scores = dict(
        zip(words, open_reranker_choice(folder).score("redis", [f"{w}\nredis {w}" for w in words]), strict=True)
    )
    assert len(set(scores.values())) == len(words)
    order = sorted(words, key=lambda word: -scores[word])
    assert shown(store, "redis") == order
    assert shown(open_memory(tmp_path / "store", reranker=f"mine={folder}"), "redis") == order


def test_a_reranker_that_does_not_keep_its_word(tmp_path):
    """Scores that do not fit are an error with the model's name."""
    few = Likes("x", "few")
    few.score = lambda query, passages: [1.0]
    with pytest.raises(EmbeddingError, match="the reranker 'few' gave 1 score for 2 passages"):
        fill(tmp_path, reranker=few).search("buffer nothing")
