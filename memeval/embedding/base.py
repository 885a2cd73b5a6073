"""What turns texts into vectors, and what scores a query against a text: the contracts every model keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from memeval.embedding.nearness import Calibration
from memeval.errors import EmbeddingError
from memeval.text import count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    """Shape (texts, dimension), each row of length 1."""


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
        EmbeddingError: it is no array of that shape.
    """
    import numpy as np

    try:
        vectors: Vectors = np.asarray(rows, dtype=np.float32)
    except (TypeError, ValueError) as error:  # rows of several lengths, or no numbers
        raise EmbeddingError(f"the embedder {identity!r} gave no array of numbers: {error}") from error
    if vectors.shape != shape:
        given = " x ".join(map(str, vectors.shape)) or "one"
        raise EmbeddingError(
            f"the embedder {identity!r} gave {given} numbers for {count(shape[0], 'text')}; "
            f"expected are {shape[0]} x {shape[1]}: a row for each text, of its dimension {shape[1]}"
        )
    return vectors
