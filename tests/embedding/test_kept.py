"""Vectors that were made already: the same bits, and the model is asked once."""

from __future__ import annotations

import pytest

from memeval.embedding.background import SENTENCES
from memeval.embedding.index import VectorIndex
from memeval.embedding.indexfile import FILE_NAME, IndexFile
from memeval.embedding.kept import KeptEmbedder, keep_vectors
from memeval.errors import EmbeddingError
from tests.embedding.conftest import Page, TopicEmbedder

TEXTS = ["redis port", "ship", "redis port", "", "監視 \ud800"]
PAGES = (Page("a.md", "redis buffer"), Page("b.md", "ship ship"))


def test_the_same_bits_and_no_text_twice(embedder):
    """Rows in order, repeated texts too; a second call asks for what is new alone."""
    kept = KeptEmbedder(embedder)
    wanted = TopicEmbedder().embed_passages(TEXTS)
    assert kept.embed_passages(TEXTS).tobytes() == wanted.tobytes()
    assert kept.embed_passages([*TEXTS[::-1], "new"])[:5].tobytes() == wanted[::-1].tobytes()
    assert embedder.passages == ["redis port", "ship", "", "監視 \ud800", "new"]
    assert kept.embed_passages([]).shape == kept.embed_queries([]).shape == (0, embedder.dimension)
    assert (kept.identity, kept.dimension, kept.calibration) == ("topics", 9, embedder.calibration)


def test_queries_are_asked_each_time_unless_they_are_kept(embedder):
    """A query is no passage; without `keeps_queries` its time is always that of the model."""
    plain, keeping = KeptEmbedder(embedder), KeptEmbedder(embedder, keeps_queries=True)
    for kept in (plain, keeping):
        kept.embed_passages(["redis"])
        assert kept.embed_queries(["redis"]).tobytes() == kept.embed_queries(["redis"]).tobytes()
    assert embedder.queries == ["redis"] * 3
    plain.recall_queries(["ship"])
    plain.recall_queries(["ship"])
    assert embedder.queries == [*["redis"] * 3, "ship"]


def test_a_second_run_embeds_nothing(tmp_path, embedder):
    """Passages, queries and the sentences of a calibration come from the folder, bit by bit; each model has a file."""
    folder = tmp_path / "deep" / "vectors"
    embedder.calibration = None
    first = keep_vectors(embedder, folder)
    answers = [VectorIndex(PAGES, first).search(query, least=-9) for query in ("cache", "release")]
    first.flush()
    assert [*SENTENCES, "cache", "release"] == embedder.queries
    again = TopicEmbedder(calibration=None)
    second = keep_vectors(again, folder)
    assert [VectorIndex(PAGES, second).search(query, least=-9) for query in ("cache", "release")] == answers
    assert (again.passages, again.queries) == ([], [])
    other = TopicEmbedder("another")
    keep_vectors(other, folder).embed_passages(["redis"])
    assert other.passages == ["redis"]
    assert VectorIndex(PAGES, TopicEmbedder(calibration=None)).search("cache", least=-9) == answers[0]


def test_what_was_embedded_before_a_stop_is_kept(tmp_path, embedder):
    """Batches of 128 are written as they come; what is left is written by `flush`."""
    kept = keep_vectors(embedder, tmp_path)
    kept.embed_passages([f"redis {number}" for number in range(130)])
    again = TopicEmbedder()
    keep_vectors(again, tmp_path).embed_passages([f"redis {number}" for number in range(130)])
    assert again.passages == ["redis 128", "redis 129"]
    kept.flush()
    kept.flush()
    last = TopicEmbedder()
    keep_vectors(last, tmp_path).embed_passages([f"redis {number}" for number in range(130)])
    assert last.passages == []


def test_a_broken_file_changes_no_vector(tmp_path, embedder):
    """What is no index, and vectors of another length, are embedded again."""
    folder, wanted = tmp_path / "v", TopicEmbedder().embed_passages(TEXTS)
    kept = keep_vectors(embedder, folder)
    kept.embed_passages(TEXTS)
    kept.flush()
    (path,) = folder.iterdir()
    IndexFile(path, "topics").write_vectors(dict.fromkeys(IndexFile(path, "topics").read_vectors(kept._kept), b"short"))
    assert keep_vectors(TopicEmbedder(), folder).embed_passages(TEXTS).tobytes() == wanted.tobytes()
    path.write_bytes(b"broken" * 1000)
    assert keep_vectors(TopicEmbedder(), folder).embed_passages(TEXTS).tobytes() == wanted.tobytes()


def test_nothing_wrong_is_kept(tmp_path):
    """Rows of another dimension are refused before they are remembered or written."""
    odd = TopicEmbedder()
    odd._embed = lambda texts: TopicEmbedder._embed(odd, texts)[:, :3]
    kept = KeptEmbedder(odd, IndexFile(tmp_path / FILE_NAME, "topics"))
    with pytest.raises(EmbeddingError, match="gave 1 x 3 numbers for 1 text"):
        kept.embed_passages(["redis"])
    kept.flush()
    del odd._embed
    assert kept.embed_passages(["redis"]).shape == (1, 9)
