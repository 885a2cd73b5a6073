"""Models in ONNX, on a tiny one: inputs, outputs, pooling, prefixes, and texts of any kind."""

from __future__ import annotations

import json
import math
import sys

import numpy as np
import pytest

from memeval.embedding.modelfolder import read_model_folder
from memeval.embedding.models import find_model
from memeval.embedding.onnxmodel import OnnxEmbedder, OnnxModel, OnnxReranker, rate_relevance
from memeval.embedding.sources import ModelPlaces, open_embedder
from memeval.errors import EmbedderUnavailableError, EmbeddingError
from tests.embedding.test_modelfolder import PLAIN
from tests.embedding.tinymodel import DIMENSION, write_model

TEXTS = ["redis port", "cache", "", "監視設定 cache", "unknown words only", "redis " * 50, "\ud800 lone", "a\0b"]


def load(folder, known=None):
    return OnnxEmbedder(read_model_folder(folder, "tiny", known, PLAIN), None)


def test_shape_and_length(tmp_path):
    """One row of length 1 for each text, in order; none for none."""
    embedder = load(write_model(tmp_path))
    vectors = embedder.embed_passages(TEXTS)
    assert vectors.shape == (len(TEXTS), DIMENSION) == (len(TEXTS), embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-6)
    assert embedder.embed_queries([]).shape == (0, DIMENSION)


def test_a_vector_depends_on_its_text_alone(tmp_path):
    """Neighbours, order and a fresh load change no bit."""
    folder = write_model(tmp_path)
    vectors = load(folder).embed_passages(TEXTS)
    backwards = load(folder).embed_passages(TEXTS[::-1])[::-1]
    alone = np.concatenate([load(folder).embed_passages([text]) for text in TEXTS])
    assert vectors.tobytes() == backwards.tobytes() == alone.tobytes()


@pytest.mark.parametrize("pooling", ["mean", "cls", "max"])
def test_pooling_by_hand(tmp_path, pooling):
    """The vector is the pooled output of the graph, made length 1."""
    folder = write_model(tmp_path, pooling=pooling)
    tokens = OnnxModel(read_model_folder(folder, "tiny", None, PLAIN)).run("last_hidden_state", "redis port")
    assert tokens.shape == (4, DIMENSION)  # [CLS] redis port [SEP]: no padding
    expected = {"mean": tokens.mean(axis=0), "cls": tokens[0], "max": tokens.max(axis=0)}[pooling]
    (vector,) = load(folder).embed_passages(["redis port"])
    assert vector == pytest.approx(expected / np.linalg.norm(expected), abs=1e-6)


def test_graph_that_pools_itself(tmp_path):
    """An output named sentence_embedding is taken as it is, whatever the folder says about pooling."""
    by_graph = load(write_model(tmp_path / "a", output="sentence_embedding", pooling="cls"))
    by_folder = load(write_model(tmp_path / "b", pooling="mean"))
    assert by_graph.embed_passages(["redis port"]) == pytest.approx(by_folder.embed_passages(["redis port"]), abs=1e-6)


@pytest.mark.parametrize("inputs", [("input_ids",), ("input_ids", "attention_mask")])
def test_only_declared_inputs_are_given(tmp_path, inputs):
    """A graph without token_type_ids or a mask is given none."""
    assert load(write_model(tmp_path, inputs=inputs)).embed_queries(["redis"]).shape == (1, DIMENSION)


def test_long_texts_are_cut_at_the_models_length(tmp_path):
    """The model of twelve positions reads ten tokens between its marks; the tokenizer's own limit does not matter."""
    embedder = load(write_model(tmp_path))
    ten, eleven, eight = embedder.embed_passages(["redis " * 9 + "port", "redis " * 9 + "port cache", "redis " * 8])
    assert ten.tobytes() == eleven.tobytes() != eight.tobytes()


def test_prefixes_reach_the_model(tmp_path):
    """A model with prefixes gives a query and a passage of one text different vectors."""
    folder = write_model(tmp_path)
    plain, known = load(folder), load(folder, find_model("multilingual-e5-small"))
    assert plain.embed_queries(["redis"]).tobytes() == plain.embed_passages(["redis"]).tobytes()
    assert known.embed_queries(["redis"]).tobytes() == plain.embed_queries(["query: redis"]).tobytes()
    assert known.embed_passages(["redis"]).tobytes() == plain.embed_passages(["passage: redis"]).tobytes()


def test_broken_files(tmp_path):
    """A graph or tokenizer that is none is named with its path."""
    folder = write_model(tmp_path)
    (folder / "onnx" / "model.onnx").write_bytes(b"no graph")
    with pytest.raises(EmbeddingError, match=r"model\.onnx cannot be loaded"):
        load(folder).embed_queries(["a"])
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(EmbeddingError, match=r"tokenizer\.json is no tokenizer"):
        load(folder).embed_queries(["a"])


def test_graphs_of_another_kind(tmp_path):
    """A graph without vectors embeds nothing, one without scores reranks nothing; both say what they give."""
    scores = write_model(tmp_path / "scores", output="logits", classes=2)
    with pytest.raises(EmbeddingError, match="gives logits"):
        load(scores).embed_queries(["a"])
    with pytest.raises(EmbeddingError, match="gives last_hidden_state: no score"):
        OnnxReranker(read_model_folder(write_model(tmp_path / "b"), "tiny", None, PLAIN)).score("a", ["b"])
    odd = write_model(tmp_path / "odd", inputs=("input_ids", "attention_mask", "token_type_ids", "pixels"))
    with pytest.raises(EmbeddingError, match="asks for pixels"):
        load(odd).embed_queries(["a"])


def test_cross_encoder_scores(tmp_path):
    """One score of 0 to 1 for each passage; of two classes it is the second's; the order of the pair matters."""
    one = OnnxReranker(read_model_folder(write_model(tmp_path / "1", output="logits", classes=1), "t", None, PLAIN))
    two = OnnxReranker(read_model_folder(write_model(tmp_path / "2", output="logits", classes=2), "t", None, PLAIN))
    assert len(one.score("redis", ["cache", "river", ""])) == 3
    assert one.score("redis", []) == []
    (score,) = two.score("redis", ["cache"])
    logits = OnnxModel(read_model_folder(tmp_path / "2", "t", None, PLAIN)).run("logits", "redis", "cache")
    assert (logits.shape, score) == ((2,), pytest.approx(np.exp(logits[1]) / np.exp(logits).sum()))
    assert one.score("redis", ["cache"]) != one.score("cache", ["redis"])
    assert one.identity != two.identity


def test_relevance_of_logits():
    """A single number by the logistic function, several by softmax; the order of the numbers is kept, far out too."""
    assert rate_relevance(np.array([0.0], dtype=np.float32)) == 0.5
    assert rate_relevance(np.array([math.log(3)])) == pytest.approx(0.75)
    assert rate_relevance(np.array([1.0, 1.0, 1.0 + math.log(2)])) == pytest.approx(0.5)
    steps = [rate_relevance(np.array([logit], dtype=np.float32)) for logit in (-80, -20, -11.5, 0, 11, 20)]
    assert steps == sorted(set(steps))
    assert all(0 < step < 1 for step in steps)


def test_without_the_libraries(tmp_path, monkeypatch):
    """The error says what is missing and how to get it."""
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(EmbedderUnavailableError, match=r"needs onnxruntime.*pip install \"memeval\[embed\] @ git\+"):
        open_embedder("tiny", ModelPlaces(folder=write_model(tmp_path)))


def test_settings_of_a_real_folder_are_enough(tmp_path):
    """A folder without any settings but its tokenizer is read with the defaults."""
    folder = write_model(tmp_path, pooling=None, graph="model.onnx")
    (folder / "config.json").unlink()
    assert json.loads((folder / "tokenizer.json").read_text())["padding"]
    assert load(folder).embed_queries(["redis"]).shape == (1, DIMENSION)
