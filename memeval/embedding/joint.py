"""Several models as one: what one of them does not see, another may."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from memeval.embedding.base import Embedder, check_dimension, check_vectors
from memeval.embedding.nearness import Calibration

if TYPE_CHECKING:
    from memeval.embedding.base import Vectors

SEPARATOR = "+"
"""Between the names of models: `multilingual-e5-small+universal-sentence-encoder`."""


class JointEmbedder:
    """An Embedder whose vectors are those of several, one behind the other; its cosine is their weighted mean.

    Models differ in how far apart they hold their cosines: one keeps unrelated texts and answers within 0.08, another
    within 0.4. Each is weighted by the inverse of that span, so that each has the same say; equally where one of them
    has no calibration.
    """

    def __init__(self, embedders: Sequence[Embedder]) -> None:
        self._embedders = tuple(embedders)
        calibrations = [embedder.calibration for embedder in embedders]
        known = [calibration for calibration in calibrations if calibration is not None]
        self.calibration: Calibration | None = None
        weights = [1.0] * len(calibrations)
        if len(known) == len(calibrations):
            weights = [1 / (calibration.certain - calibration.floor) for calibration in known]
        self._weights = [weight / sum(weights) for weight in weights]
        if len(known) == len(calibrations):
            pairs = list(zip(self._weights, known, strict=True))
            self.calibration = Calibration(
                floor=sum(weight * calibration.floor for weight, calibration in pairs),
                certain=sum(weight * calibration.certain for weight, calibration in pairs),
                reads_cjk=any(calibration.reads_cjk for calibration in known),
            )

    @property
    def identity(self) -> str:
        """Those of its models with their weights."""
        pairs = zip(self._embedders, self._weights, strict=True)
        return f" {SEPARATOR} ".join(f"{weight:.6f} of {embedder.identity}" for embedder, weight in pairs)

    @property
    def dimension(self) -> int:
        """The sum of theirs."""
        return sum(self._dimensions)

    @cached_property
    def _dimensions(self) -> list[int]:
        return [check_dimension(embedder.dimension, embedder.identity) for embedder in self._embedders]

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One row for each query, in order."""
        return self._join([embedder.embed_queries for embedder in self._embedders], texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One row for each passage, in order."""
        return self._join([embedder.embed_passages for embedder in self._embedders], texts)

    def _join(self, ways: list[Callable[[Sequence[str]], Vectors]], texts: Sequence[str]) -> Vectors:
        import numpy as np

        parts = []
        for embedder, embed, dimension, weight in zip(
            self._embedders, ways, self._dimensions, self._weights, strict=True
        ):
            rows = check_vectors(embed(texts), (len(texts), dimension), embedder.identity)
            # The root, since a weight is one of squares: of the products of a query's numbers with a passage's.
            parts.append(rows * np.float32(weight**0.5))
        return np.concatenate(parts, axis=1)
