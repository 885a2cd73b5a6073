"""Models in ONNX: texts into tokens, tokens through the graph, the result into one vector or one score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from memeval.embedding.base import make_encodable, scale_to_length_1
from memeval.embedding.modelfolder import ModelFolder
from memeval.embedding.nearness import Calibration
from memeval.errors import EmbedderUnavailableError, EmbeddingError, advise_install

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memeval.embedding.base import Vectors

    Tokens = NDArray[np.float32]
    """Shape (tokens, dimension)."""

INSTALL = advise_install("embed")


class OnnxModel:
    """The graph and the tokenizer of one folder, loaded when first used.

    Texts go through one at a time. An int8 graph scales its numbers by the largest in the whole input, so that in a
    batch the vector of a text would depend on its neighbours; and on one thread a batch is no faster than its parts.
    """

    def __init__(self, folder: ModelFolder, threads: int = 1) -> None:
        self.folder = folder
        self._threads = threads
        self._session: Any = None
        self._tokenizer: Any = None
        self._inputs: tuple[str, ...] = ()

    def list_outputs(self) -> dict[str, int]:
        """{output of the graph: its number of axes}, in the graph's order."""
        self._load()
        return {output.name: len(output.shape) for output in self._session.get_outputs()}

    def run(self, output: str, *texts: str) -> Any:  # noqa: ANN401 - an array of any shape
        """One output of the graph, without its first axis, for one text or one pair."""
        import numpy as np

        self._load()
        encoding = self._tokenizer.encode(*map(make_encodable, texts))
        known = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
            "position_ids": range(len(encoding.ids)),
        }
        inputs = {name: np.asarray([known[name]], dtype=np.int64) for name in self._inputs}
        return self._session.run([output], inputs)[0][0]

    def _load(self) -> None:
        if self._session is not None:
            return
        onnxruntime, tokenizers = import_runtime()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            tokenizer = tokenizers.Tokenizer.from_file(str(self.folder.tokenizer))
        except Exception as error:  # the library raises a bare Exception
            raise EmbeddingError(f"{self.folder.tokenizer} is no tokenizer: {error}") from error
        tokenizer.no_padding()
        tokenizer.enable_truncation(self.folder.max_tokens)
        try:
            session = onnxruntime.InferenceSession(str(self.folder.graph), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # each kind of failure has a class of its own, without a common one
            raise EmbeddingError(f"{self.folder.graph} cannot be loaded: {error}") from error
        inputs = tuple(declared.name for declared in session.get_inputs())
        unknown = set(inputs) - {"input_ids", "attention_mask", "token_type_ids", "position_ids"}
        if unknown:
            raise EmbeddingError(f"{self.folder.graph} asks for {', '.join(sorted(unknown))}, which is no text")
        self._session, self._tokenizer, self._inputs = session, tokenizer, inputs


class OnnxEmbedder:
    """An Embedder on a model folder."""

    def __init__(self, folder: ModelFolder, calibration: Calibration | None, threads: int = 1) -> None:
        self._model = OnnxModel(folder, threads)
        self._folder = folder
        self.calibration = calibration
        self._embed: Callable[[str], Tokens] | None = None

    @property
    def identity(self) -> str:
        """Name, digests, pooling, longest text and prefixes."""
        return self._folder.identity

    @property
    def dimension(self) -> int:
        """Numbers in one vector."""
        return int(self.embed_queries(["a"]).shape[1])

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One row for each query, in order."""
        return self._embed_all([self._folder.query_prefix + text for text in texts])

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One row for each passage, in order."""
        return self._embed_all([self._folder.passage_prefix + text for text in texts])

    def _embed_all(self, texts: list[str]) -> Vectors:
        import numpy as np

        if self._embed is None:
            self._embed = self._choose_output()
        rows = [self._embed(text) for text in texts] or [self._embed("a")]
        return scale_to_length_1(np.asarray(rows, dtype=np.float32)[: len(texts)])

    def _choose_output(self) -> Callable[[str], Tokens]:
        """How a text becomes a vector, not yet of length 1: as the graph pools it, else by the folder's pooling."""
        axes = self._model.list_outputs()
        if axes.get("sentence_embedding") == 2:
            return lambda text: self._model.run("sentence_embedding", text)
        tokens = next((name for name, count in axes.items() if count == 3), None)
        if tokens is None:
            raise EmbeddingError(f"{self._folder.graph} gives {', '.join(axes)}: no vector for each token, no sentence")
        return lambda text: pool(self._model.run(tokens, text), self._folder.pooling)


class OnnxReranker:
    """A Reranker on a model folder: a cross-encoder whose graph gives one number, or one for each class.

    A score is the share of relevance, 0 to 1: the logistic function of one number; of several classes the softmax of
    the last one, as in models trained on (no, yes).
    """

    def __init__(self, folder: ModelFolder, threads: int = 1) -> None:
        self._model = OnnxModel(folder, threads)

    @property
    def identity(self) -> str:
        """Name, digests and longest text."""
        return self._model.folder.identity

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """One score for each passage, in order, 0 to 1."""
        axes = self._model.list_outputs()
        logits = next((name for name, count in axes.items() if count == 2), None)
        if logits is None:
            raise EmbeddingError(f"{self._model.folder.graph} gives {', '.join(axes)}: no score for a pair of texts")
        return [rate_relevance(self._model.run(logits, query, passage)) for passage in passages]


def rate_relevance(logits: NDArray[np.float32]) -> float:
    """The share of the last class, 0 to 1, shape (classes,); of a single number, against a class whose number is 0."""
    import numpy as np

    exact = np.asarray(logits, dtype=np.float64)
    others = exact[:-1] if len(exact) > 1 else np.zeros(1)
    return float(1 / (1 + np.exp(others - exact[-1]).sum()))


def pool(tokens: Tokens, pooling: str) -> Tokens:
    """One vector of the vectors of all tokens, shape (dimension,); none of them is padding."""
    ways: dict[str, Callable[[], Tokens]] = {
        "cls": lambda: tokens[0],
        "lasttoken": lambda: tokens[-1],
        "max": lambda: tokens.max(axis=0),
        "mean": lambda: tokens.mean(axis=0),
        "mean_sqrt_len": lambda: tokens.mean(axis=0),  # another length alone, which is made 1 afterwards
    }
    return ways[pooling]()


def import_runtime() -> tuple[Any, Any]:
    """The modules (onnxruntime, tokenizers).

    Raises:
        EmbedderUnavailableError: one of them is not installed.
    """
    try:
        import onnxruntime
        import tokenizers
    except ImportError as error:
        raise EmbedderUnavailableError(f"the model needs {error.name}, which is not installed: {INSTALL}") from error
    return onnxruntime, tokenizers
