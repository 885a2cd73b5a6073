"""What turns texts into vectors, and what scores a query against a text: the contracts every model keeps."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import getattr_static, isclass
from math import isfinite
from operator import index
from typing import TYPE_CHECKING, Protocol, SupportsIndex

from memeval.embedding.nearness import Calibration
from memeval.errors import EmbeddingError
from memeval.text import count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    """Shape (texts, dimension), each row of length 1; of 0 where a text says nothing to the model."""

_MAX_LENGTH = 1.01
"""Of a row: single precision, and half, round."""


class Embedder(Protocol):
    """A model that gives each text a vector; a cosine of two vectors says how near their meanings are.

    The vector of a text depends on that text alone: not on those embedded with it, nor on their order.
    """

    @property
    def identity(self) -> str:
        """All that decides a vector, in one line: two embedders of one identity give the same vectors."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in one vector."""
        ...

    @property
    def calibration(self) -> Calibration | None:
        """Where its answers lie on the scale of closeness; None where nobody measured it."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One row for each query, in order."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One row for each passage, in order."""
        ...


class Reranker(Protocol):
    """A model that reads a query and a passage together."""

    @property
    def identity(self) -> str:
        """All that decides a score, in one line."""
        ...

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """One score for each passage, in order; higher is nearer. Scores compare within one query only.

        What a model of this package gives lies between 0 and 1; where they are mixed with other scores, yours should.
        """
        ...


def make_encodable(text: str) -> str:
    """The text with `?` for each lone surrogate, which no tokenizer takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def scale_to_length_1(vectors: Vectors) -> Vectors:
    """The rows with length 1; a row of zeros stays one."""
    import numpy as np

    scaled: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-12))
    return scaled


def check_vectors(rows: object, shape: tuple[int, int], identity: str) -> Vectors:
    """What an embedder gave as an array of single precision.

    Args:
        rows: the array, or rows of numbers.
        shape: (texts that were asked for, dimension of the model).
        identity: of the embedder.

    Raises:
        EmbeddingError: it is no array of that shape, or a row has a number that is not finite, or is longer than 1.
    """
    import numpy as np

    try:
        with np.errstate(over="ignore"):  # what is infinite then is refused below
            vectors: Vectors = np.asarray(rows, dtype=np.float32)
    except (TypeError, ValueError) as error:  # rows of several lengths, or no numbers
        raise EmbeddingError(f"the embedder {identity!r} gave no array of numbers: {error}") from error
    if vectors.shape != shape:
        given = f"{' x '.join(map(str, vectors.shape))} numbers" if vectors.shape else repr(rows)
        raise EmbeddingError(
            f"the embedder {identity!r} gave {given} for {count(shape[0], 'text')}; "
            f"expected are {shape[0]} x {shape[1]}: a row for each text, of its dimension {shape[1]}"
        )
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
    for row in np.flatnonzero(~(lengths <= _MAX_LENGTH))[:1].tolist():
        odd = [number for number in vectors[row].tolist() if not isfinite(number)]
        wrong = f"the number {odd[0]}" if odd else f"a vector of length {lengths[row]:.6g}"
        raise EmbeddingError(
            f"the embedder {identity!r} gave {wrong} for text {row + 1} of {shape[0]}; "
            "expected are finite numbers, and vectors of length 1: divide each by its length"
        )
    return vectors


def check_embedder(embedder: Embedder) -> Embedder:
    """The same, once it has what an Embedder has; its weights need not be read for that.

    Raises:
        EmbeddingError: it is none.
    """
    _check_members(embedder, "embedder", ("identity", "dimension", "calibration", "embed_queries", "embed_passages"))
    scale = embedder.calibration
    is_scale = isinstance(scale, Calibration) and isfinite(scale.floor) and scale.floor < scale.certain < float("inf")
    if scale is not None and not is_scale:
        raise EmbeddingError(
            f"the embedder {embedder.identity!r} has the calibration {scale!r}; "
            "expected is None, or a Calibration(floor, certain) of two finite numbers, the floor below"
        )
    return embedder


def check_reranker(reranker: Reranker) -> Reranker:
    """The same, once it has what a Reranker has.

    Raises:
        EmbeddingError: it is none.
    """
    _check_members(reranker, "reranker", ("identity", "score"))
    return reranker


def check_dimension(dimension: object, identity: str) -> int:
    """The dimension of an embedder.

    Raises:
        EmbeddingError: it is no whole number from 1.
    """
    if not isinstance(dimension, SupportsIndex) or index(dimension) < 1:
        raise EmbeddingError(
            f"the embedder {identity!r} has the dimension {dimension!r}; expected is a whole number from 1"
        )
    return index(dimension)


def _check_members(model: object, noun: str, members: Sequence[str]) -> None:
    if isclass(model):
        raise EmbeddingError(f"the {noun} is the class {model.__name__}; give an object of it")
    kind = f"the {noun}, an object of {type(model).__name__},"  # not as it prints itself, with its address
    for name in members:
        # first without a call, which for a dimension may read the weights
        if getattr_static(model, name, None) is None and not hasattr(model, name):
            raise EmbeddingError(
                f"{kind} has no {name}; expected is an object with {', '.join(members)}, "
                f"such as open_{noun}(NAME) of memeval.embedding.sources gives"
            )
    identity = getattr(model, "identity", None)
    if not isinstance(identity, str) or identity.splitlines() != [identity] or make_encodable(identity) != identity:
        raise EmbeddingError(f"{kind} has the identity {identity!r}; expected is one line of text")
