"""Dense leg: units by the cosine of their vectors and the query's, over the embedder of the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memeval.embedding.base import check_vectors
from memeval.embedding.kept import share_vectors
from memeval.errors import EmbedderUnavailableError
from memeval.retrieval.base import Settings
from memeval.retrieval.chunking import rank_units

if TYPE_CHECKING:
    from memeval.embedding.base import Embedder

_DECIMALS = 6
"""Of a cosine. A model's vectors differ from one processor to the next by less, and so does the order of a sum."""


def take_embedder(settings: Settings) -> Embedder:
    """The embedder of the run.

    Raises:
        EmbedderUnavailableError: the run brings none; the message says how to give it one.
    """
    if settings.embedder is None:
        raise EmbedderUnavailableError(
            "this variant needs an embedding model, and the run brings none: "
            "evaluate(…, embedder=open_embedder(NAME)), with open_embedder from memeval.embedding.sources"
        )
    return settings.embedder


class DenseLeg:
    """The cosine of every text with a query. Equal texts are embedded once.

    Args:
        texts: what is embedded, one for each unit.
        embedder: the model; that of a run is asked for no text twice, whichever variants share it.
    """

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        import numpy as np

        self._embedder = share_vectors(embedder)
        self._vectors = np.asarray(self._embedder.embed_passages(texts), dtype=np.float64)

    def rank(self, query: str, limit: int | None = None) -> list[tuple[int, float]]:
        """(place, cosine) of all texts, best first, at most `limit` of them; equal ones by place."""
        if not len(self._vectors):
            return []
        rows = self._embedder.embed_queries([query])
        vector = check_vectors(rows, (1, self._vectors.shape[1]), self._embedder.identity)[0]
        # Row by row, not as a matrix product: there the last bits of a row depend on where it stands.
        cosines = (self._vectors * vector).sum(axis=1).round(_DECIMALS)
        return rank_units(enumerate(cosines.tolist()), limit)

    def compare(self, first: int, second: int) -> float:
        """The cosine of two of the texts, by their places."""
        return round(float((self._vectors[first] * self._vectors[second]).sum()), _DECIMALS)
