"""What turns texts into vectors, and what scores a query against a text: the contracts every model keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from memeval.embedding.nearness import Calibration

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
        """One score for each passage, in order; higher is nearer. Scores compare within one query only."""
        ...


def make_encodable(text: str) -> str:
    """The text with `?` for each lone surrogate, which no tokenizer takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def scale_to_length_1(vectors: Vectors) -> Vectors:
    """The rows with length 1; a row of zeros stays one."""
    import numpy as np

    scaled: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-12))
    return scaled
