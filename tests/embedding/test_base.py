"""What an embedder and a reranker have to be: one that is none is refused in words, before it decides anything."""

from __future__ import annotations

import re

import numpy as np
import pytest

from memeval.embedding.base import check_dimension, check_embedder, check_reranker, check_vectors
from memeval.embedding.nearness import Calibration
from memeval.errors import EmbeddingError
from memeval.memory import Memory
from tests.embedding.conftest import TopicEmbedder

GOOD = np.eye(2, 3, dtype=np.float32)


@pytest.mark.parametrize("rows", [GOOD, GOOD.tolist(), GOOD.astype("f8"), GOOD * 0, GOOD.astype("f2") * 1.001])
def test_vectors_of_length_1_or_of_none(rows):
    """An array or rows of numbers, as the model rounds them; a text that says nothing is all zeros."""
    checked = check_vectors(rows, (2, 3), "m")
    assert (checked.shape, checked.dtype) == ((2, 3), np.float32)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (GOOD * [[1], [np.nan]], "gave the number nan for text 2 of 2"),
        ([[1, 0, 0], [0, -np.inf, 0]], "gave the number -inf for text 2 of 2"),
        ([[1, 0, 0], [0, 1e300, 0]], "gave the number inf for text 2 of 2"),
        (GOOD * 7, "gave a vector of length 7 for text 1 of 2; expected are finite numbers, and vectors of length 1"),
        (None, "gave None for 2 texts; expected are 2 x 3"),
    ],
)
def test_vectors_that_no_cosine_can_be_made_of(rows, said):
    """Which text, and what it was given: such a vector would only move the order, without a word."""
    with pytest.raises(EmbeddingError, match=re.escape(f"the embedder 'm' {said}")):
        check_vectors(rows, (2, 3), "m")


class Nothing:
    """None of it."""


def other(**members):
    embedder = TopicEmbedder()
    for name, value in members.items():
        setattr(embedder, name, value)
    return embedder


@pytest.mark.parametrize(
    ("embedder", "said"),
    [
        (5, "an object of int, has no identity; expected is an object with identity, dimension, "),
        (0, "an object of int, has no identity"),
        (Nothing(), "an object of Nothing, has no identity"),
        (TopicEmbedder, "is the class TopicEmbedder; give an object of it"),
        (other(identity=None), "has the identity None"),
        (other(identity=5), "has the identity 5; expected is one line of text"),
        (other(identity=""), "has the identity ''"),
        (other(identity="a\nb"), r"has the identity 'a\nb'"),
        (other(identity="\ud800"), r"has the identity '\ud800'"),
        (other(calibration=(0.1, 0.9)), "has the calibration (0.1, 0.9); expected is None, or a Calibration"),
        (other(calibration=Calibration(0.5, 0.5)), "of two finite numbers, the floor below"),
        (other(calibration=Calibration(float("nan"), 1.0)), "of two finite numbers, the floor below"),
    ],
)
def test_what_is_no_embedder(tmp_path, embedder, said):
    """A store refuses it when it is opened, and says what is missing and what an embedder has."""
    with pytest.raises(EmbeddingError, match=re.escape(said)):
        Memory(tmp_path, retrieval="hybrid", embedder=embedder)


def test_what_is_no_reranker(tmp_path):
    """The same of a reranker, whatever may be false of it."""
    for reranker in (0, Nothing()):
        with pytest.raises(EmbeddingError, match=r"the reranker, an object of .*, has no identity; .* identity, score"):
            Memory(tmp_path, retrieval="hybrid", embedder=TopicEmbedder(), reranker=reranker)


def test_an_embedder_is_not_run_to_be_looked_at():
    """The weights of one whose dimension is read from them are not loaded; one that hands on to another is one."""

    class Late(TopicEmbedder):
        dimension = property(lambda self: 1 / 0, lambda self, value: None)

    class Wrapped:
        def __getattr__(self, name):
            return getattr(TopicEmbedder(), name)

    for embedder in (Late(), Wrapped(), other(calibration=None)):
        assert check_embedder(embedder) is embedder


@pytest.mark.parametrize("dimension", [0, -1, None, "64", 64.0])
def test_a_dimension_is_a_whole_number(dimension):
    """From 1, of whatever type of whole numbers."""
    with pytest.raises(EmbeddingError, match=re.escape(f"'m' has the dimension {dimension!r}; expected is a whole")):
        check_dimension(dimension, "m")
    assert check_dimension(np.int64(64), "m") == 64


def test_a_reranker_is_itself():
    """One that has both is handed on."""

    class Scorer:
        identity = "s"
        score = len

    scorer = Scorer()
    assert check_reranker(scorer) is scorer
