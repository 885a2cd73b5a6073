"""Several models as one: the cosine is the weighted mean of theirs, and each has the same say."""

from __future__ import annotations

import numpy as np
import pytest

from memeval.embedding.index import VectorIndex
from memeval.embedding.joint import JointEmbedder
from memeval.embedding.nearness import Calibration
from memeval.embedding.sources import ModelPlaces, open_embedder
from memeval.errors import EmbeddingError, UnknownNameError
from tests.embedding.conftest import Page, TopicEmbedder
from tests.embedding.tinymodel import write_model

TEXTS = ["redis port", "cache", "river ship deploy", "word"]


def test_cosine_is_the_weighted_mean():
    """Spans of 0.1 and 0.4 give weights of 0.8 and 0.2; rows keep length 1."""
    one = TopicEmbedder("one", Calibration(0.7, 0.8))
    other = TopicEmbedder("other", Calibration(-0.1, 0.3))
    other._embed = lambda texts: TopicEmbedder._embed(other, [text[::-1] for text in texts])
    joint = JointEmbedder([one, other])
    vectors = joint.embed_passages(TEXTS)
    assert vectors.shape == (4, 18) == (4, joint.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-6)
    a, b = one.embed_passages(TEXTS), other.embed_passages(TEXTS)
    assert joint.embed_queries(TEXTS) @ vectors.T == pytest.approx(0.8 * (a @ a.T) + 0.2 * (b @ b.T), abs=1e-6)
    assert joint.calibration.floor == pytest.approx(0.8 * 0.7 - 0.2 * 0.1)
    assert joint.calibration.certain == pytest.approx(0.8 * 0.8 + 0.2 * 0.3)


def test_a_model_that_gives_too_little_is_named():
    """The one of them that does not keep to its dimension, not the whole."""
    odd = TopicEmbedder("odd")
    odd._embed = lambda texts: TopicEmbedder._embed(odd, texts)[:, :5]
    with pytest.raises(EmbeddingError, match="the embedder 'odd' gave 4 x 5 numbers for 4 texts; expected are 4 x 9"):
        JointEmbedder([TopicEmbedder("one"), odd]).embed_passages(TEXTS)


def test_reads_what_one_of_them_reads():
    """A joint model is asked in CJK when one of its models reads it."""
    english = TopicEmbedder("one", Calibration(0, 1, reads_cjk=False))
    assert JointEmbedder([english, TopicEmbedder("two")]).calibration.reads_cjk
    assert not JointEmbedder([english, english]).calibration.reads_cjk


def test_without_calibration_all_are_equal():
    """A model that nobody measured makes the whole one that nobody measured."""
    joint = JointEmbedder([TopicEmbedder("one"), TopicEmbedder("two", None)])
    assert joint.calibration is None
    assert joint.identity == "0.500000 of one + 0.500000 of two"


def test_search_over_two_models():
    """An index takes it as any other model."""
    pages = [Page("a.md", "redis buffer"), Page("b.md", "river river")]
    index = VectorIndex(pages, JointEmbedder([TopicEmbedder("one"), TopicEmbedder("two")]))
    assert [passage.doc_id for passage in index.search("cache") if passage.nearness >= 0] == ["a.md"]


def test_opened_by_names_joined_by_plus(tmp_path):
    """Each part is looked for like a single model; one that is not known is named."""
    write_model(tmp_path / "multilingual-e5-small", seed=1)
    write_model(tmp_path / "all-MiniLM-L6-v2", seed=2)
    places = ModelPlaces(models_folder=tmp_path, hub_cache=tmp_path / "none")
    joint = open_embedder("multilingual-e5-small + all-MiniLM-L6-v2", places)
    assert joint.embed_queries(["redis"]).shape == (1, 16)
    assert joint.calibration.certain > joint.calibration.floor
    with pytest.raises(UnknownNameError, match="'nothing'"):
        open_embedder("all-MiniLM-L6-v2+nothing", places)
