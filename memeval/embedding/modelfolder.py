"""A folder laid out as a hub download: which file to load, how its vectors are pooled, how long a text may be."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memeval.embedding.models import KnownModel
from memeval.errors import EmbeddingError

POOLINGS = ("mean", "cls", "max", "mean_sqrt_len", "lasttoken")
"""What can be made of one vector for each token."""

_POOLING_FLAGS = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
_HARMLESS_MODULES = ("Transformer", "Pooling", "Normalize")
_DEFAULT_MAX_TOKENS = 512
_NOBODY_SET_IT = 10**6
"""Tokenizers without a limit write 10**30."""
_MAX_NAMED = 5
_CPU_FLAGS = Path("/proc/cpuinfo")

_X86 = {
    "avx512_vnni": ("model_qint8_avx512_vnni.onnx", "model_qint8_avx512.onnx", "model_quint8_avx2.onnx"),
    "avx512f": ("model_qint8_avx512.onnx", "model_qint8_avx512_vnni.onnx", "model_quint8_avx2.onnx"),
    "": ("model_quint8_avx2.onnx", "model_qint8_avx512.onnx", "model_qint8_avx512_vnni.onnx"),
}
_ARM = ("model_qint8_arm64.onnx", "model_qint8_avx512_vnni.onnx", "model_qint8_avx512.onnx")
_ANY = ("model_int8.onnx", "model_quantized.onnx")


@dataclass(frozen=True, slots=True)
class Processor:
    """What decides which int8 file runs best."""

    machine: str
    """As `platform.machine()` says it: x86_64, arm64, …"""
    flags: frozenset[str] = frozenset()
    """Instruction sets, as Linux names them; none where the system does not tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFolder:
    """One model on disk, ready to be loaded."""

    name: str
    graph: Path
    """The ONNX file."""
    tokenizer: Path
    pooling: str
    """One of POOLINGS."""
    max_tokens: int
    """Of one text, special tokens included; what is longer is cut."""
    query_prefix: str
    passage_prefix: str
    graph_digest: str
    """SHA-256 of the ONNX file and of the weights beside it, in hex."""
    tokenizer_digest: str

    @property
    def identity(self) -> str:
        """All that decides a vector, in one line."""
        prefixes = f"{self.query_prefix!r} {self.passage_prefix!r}"
        return (
            f"{self.name} graph:{self.graph_digest} tokenizer:{self.tokenizer_digest} {self.pooling} "
            f"{self.max_tokens} {prefixes}"
        )


def detect_processor() -> Processor:
    """The processor of this machine."""
    try:
        lines = _CPU_FLAGS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    flags = next((line for line in lines if line.startswith("flags")), "").partition(":")[2]
    return Processor(platform.machine(), frozenset(flags.split()))


def list_int8_names(processor: Processor) -> tuple[str, ...]:
    """Names of int8 files in the order to try them; none for a machine that no file is made for.

    The names say for which instructions a file was made, not where alone it runs: all are the same operators, and
    hubs ship one file under several of these names. So a file made for a sibling is better than four times the size.
    """
    machine = processor.machine.lower()
    if machine in ("x86_64", "amd64"):
        best = next((flag for flag in ("avx512_vnni", "avx512f") if flag in processor.flags), "")
        return _X86[best] + _ANY
    return _ARM + _ANY if machine in ("arm64", "aarch64") else ()


def find_graph(folder: Path, processor: Processor, file: str | None = None) -> Path:
    """The ONNX file to load: the one named, else an int8 file for the processor, else `model.onnx`.

    Each is looked for in `onnx/`, then beside it.

    Raises:
        EmbeddingError: there is none.
    """
    if file is not None:
        if not (folder / file).is_file():
            raise EmbeddingError(f"{folder} has no {file}; it has {_list_graphs(folder)}")
        return folder / file
    for name in (*list_int8_names(processor), "model.onnx"):
        for path in (folder / "onnx" / name, folder / name):
            if path.is_file():
                return path
    raise EmbeddingError(
        f"{folder} holds no model: onnx/model.onnx or model.onnx is expected; it has {_list_graphs(folder)}. "
        "Name another file with file=…"
    )


def read_model_folder(
    folder: Path, name: str, known: KnownModel | None, processor: Processor, file: str | None = None
) -> ModelFolder:
    """The model in a folder laid out as a hub download.

    Args:
        folder: holds tokenizer.json and ONNX files, and the settings files of sentence-transformers.
        name: what the model is called in its identity.
        known: prefixes and pooling where the folder does not say; None for a model that is not in the registry.
        processor: decides between int8 files.
        file: path of the ONNX file inside the folder; None = the best one for the processor.

    Raises:
        EmbeddingError: a file is missing or broken, or the model needs a step that is not known here.
    """
    if not folder.is_dir():
        raise EmbeddingError(f"{folder} is no folder; give one with tokenizer.json and onnx/model.onnx in it")
    graph = find_graph(folder, processor, file)
    tokenizer = folder / "tokenizer.json"
    if not tokenizer.is_file():
        raise EmbeddingError(f"{folder} holds no tokenizer.json, which the tokens of {graph.name} are made with")
    _refuse_unknown_modules(folder)
    prompts = _read_json(folder / "config_sentence_transformers.json").get("prompts") or {}
    return ModelFolder(
        name=name,
        graph=graph,
        tokenizer=tokenizer,
        pooling=_read_pooling(folder, known.pooling if known else "mean"),
        max_tokens=_read_max_tokens(folder),
        query_prefix=known.query_prefix if known else str(prompts.get("query") or ""),
        passage_prefix=known.passage_prefix if known else str(prompts.get("passage") or prompts.get("document") or ""),
        graph_digest=digest_file(graph, *_list_weights(graph)),
        tokenizer_digest=digest_file(tokenizer),
    )


def digest_file(*paths: Path) -> str:
    """SHA-256 over the bytes of the files, one behind the other, in hex."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def _list_graphs(folder: Path) -> str:
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.onnx"))
    more = len(names) - _MAX_NAMED
    return ", ".join(names[:_MAX_NAMED]) + (f" and {more} more" if more > 0 else "") or "no .onnx file at all"


def _list_weights(graph: Path) -> list[Path]:
    """Files that a large model keeps its weights in, beside the graph."""
    return sorted(path for path in graph.parent.glob(f"{graph.name}[_.]*") if path.is_file())


def _refuse_unknown_modules(folder: Path) -> None:
    path = folder / "modules.json"
    modules = _read_json(path, kind=list) if path.exists() else []
    for module in modules:
        kind = str(module.get("type", "")).rsplit(".", 1)[-1]
        if kind not in _HARMLESS_MODULES:
            raise EmbeddingError(
                f"{path}: the model has a step {kind!r}; known: {', '.join(_HARMLESS_MODULES)}. "
                "Its vectors would be wrong without it, so that it cannot be used."
            )


def _read_pooling(folder: Path, otherwise: str) -> str:
    path = folder / "1_Pooling" / "config.json"
    settings = _read_json(path)
    named = settings.get("pooling_mode")
    chosen = [named] if named else [mode for flag, mode in _POOLING_FLAGS.items() if settings.get(flag)]
    if not chosen:
        return otherwise
    if len(chosen) > 1 or chosen[0] not in POOLINGS:
        raise EmbeddingError(f"{path}: pooling {'+'.join(map(str, chosen))} is not known; one of {', '.join(POOLINGS)}")
    return str(chosen[0])


def _read_max_tokens(folder: Path) -> int:
    """The least that one of the settings files allows; positions below the padding are none of RoBERTa's."""
    config = _read_json(folder / "config.json")
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and "roberta" in str(config.get("model_type", "")):
        positions -= int(config.get("pad_token_id") or 1) + 1
    limits = [
        _read_json(folder / "sentence_bert_config.json").get("max_seq_length"),
        _read_json(folder / "tokenizer_config.json").get("model_max_length"),
        positions,
    ]
    known = [limit for limit in limits if isinstance(limit, int) and 0 < limit < _NOBODY_SET_IT]
    return min(known, default=_DEFAULT_MAX_TOKENS)


def _read_json(path: Path, kind: type = dict) -> Any:  # noqa: ANN401 - settings of any shape
    """The content of a settings file; an empty one of that kind where there is no such file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return kind()
    except (OSError, ValueError) as error:
        raise EmbeddingError(f"{path} cannot be read: {error}") from error
    if not isinstance(content, kind):
        shape: Mapping[type, str] = {dict: "an object", list: "a list"}
        raise EmbeddingError(f"{path} is not {shape[kind]} of JSON")
    return content
