"""From the name of a model to a model: where it may be found, in which order, and what to do when it is nowhere.

Embedding models and rerankers are found in the same places, by the same rules; a `_Kind` is what differs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Protocol, TypeVar

from memeval.embedding.base import Embedder, Reranker, check_embedder, check_reranker
from memeval.embedding.joint import SEPARATOR, JointEmbedder
from memeval.embedding.modelfolder import ModelFolder, detect_processor, list_int8_names, read_model_folder
from memeval.embedding.models import DEFAULT_MODEL, MODELS, KnownModel
from memeval.embedding.onnxmodel import INSTALL, OnnxEmbedder, OnnxReranker, import_runtime
from memeval.embedding.rerankers import RERANKERS
from memeval.embedding.universal import MODEL as UNIVERSAL
from memeval.embedding.universal import UniversalEmbedder
from memeval.errors import EmbedderUnavailableError, EmbeddingError, UnknownNameError

ENTRY_POINT_GROUP = "memeval.embedders"
"""A package offers a model under its name here: something callable without arguments that gives an Embedder, or the
path of a folder laid out as a hub download."""

RERANKER_GROUP = "memeval.rerankers"
"""The same for what gives a Reranker."""

MODELS_VARIABLE = "MEMEVAL_MODELS"
"""The environment variable that front doors read into `ModelPlaces.models_folder`."""

_SETTINGS = ("config.json", "tokenizer_config.json", "sentence_bert_config.json", "config_sentence_transformers.json")
_STEPS = ("modules.json", "1_Pooling/config.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPlaces:
    """Where models may be found, first to last."""

    folder: Path | None = None
    """Of this very model. When it is given, nothing else is tried."""
    models_folder: Path | None = None
    """Holds a folder for each model, by its name."""
    hub_cache: Path | None = None
    """Of the model hub's own library; None = where that library keeps it."""
    download: bool = False
    """Whether the hub may be asked, when the model is nowhere on this machine."""
    file: str | None = None
    """ONNX file inside the model's folder; None = the best one for the processor."""


class HubModel(Protocol):
    """What is known of a model by its name, whatever it is for."""

    @property
    def name(self) -> str:
        """As a person writes it."""
        ...

    @property
    def repository(self) -> str | None:
        """On the model hub; None for a model that comes in a Python package."""
        ...

    @property
    def revision(self) -> str | None:
        """The commit that the digests belong to."""
        ...

    @property
    def digests(self) -> Mapping[str, str]:
        """{file in the repository: its SHA-256}."""
        ...


@dataclass(frozen=True, slots=True)
class _Kind:
    """What differs between models of one use and of another on the way from a name to a model."""

    noun: str
    option: str
    """Of the command line, that names one."""
    group: str
    """Of the entry points under which packages offer them."""
    known: Sequence[HubModel]
    packaged: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    """{name: what opens it} for those with a module of their own."""


Model = TypeVar("Model")


def open_embedder(model: str = DEFAULT_MODEL, places: ModelPlaces | None = None, *, threads: int = 1) -> Embedder:
    """The embedding model of that name, from the first place that has it; its weights are read when first used.

    Names joined by `+` give one embedder of several models (`joint.py`).

    Places: the folder given; `models_folder`/name; an installed package that offers it; the hub's cache, without the
    network; the hub itself, where that is allowed.

    Args:
        model: a name of `models.MODELS`, or of an installed package's; with a folder, any name.
        places: where to look; None = installed packages and the hub's cache.
        threads: for one text at a time more than one pays off on an idle machine only.

    Raises:
        UnknownNameError: no model of that name is known, and no folder given for it.
        EmbedderUnavailableError: the model is on none of these places, or a library it needs is not installed.
        EmbeddingError: it is there and broken.
    """
    places = places or ModelPlaces()
    if SEPARATOR in model and places.folder is None:
        return JointEmbedder([open_embedder(part.strip(), places, threads=threads) for part in model.split(SEPARATOR)])
    known = next((entry for entry in MODELS if entry.name == model), None)
    calibration = known.calibration if known else None
    packaged = {UNIVERSAL: lambda: UniversalEmbedder(calibration, threads)} if known else {}
    found = _find(model, _Kind("embedding model", "--embedder", ENTRY_POINT_GROUP, MODELS, packaged), places)
    return OnnxEmbedder(found, calibration, threads) if isinstance(found, ModelFolder) else check_embedder(found)


def open_reranker(model: str, places: ModelPlaces | None = None, *, threads: int = 1) -> Reranker:
    """The reranker of that name, from the first place that has it; its weights are read when first used.

    Places and errors are those of `open_embedder`.

    Args:
        model: a name of `rerankers.RERANKERS`, or of an installed package's; with a folder, any name.
        places: where to look; None = installed packages and the hub's cache.
        threads: for one passage at a time.
    """
    found = _find(model, _Kind("reranker", "--reranker", RERANKER_GROUP, RERANKERS), places or ModelPlaces())
    return OnnxReranker(found, threads) if isinstance(found, ModelFolder) else check_reranker(found)


def open_choice(choice: str | PathLike[str], places: ModelPlaces | None = None) -> Embedder:
    """The embedding model that a person names: NAME, a FOLDER that holds it, or NAME=FOLDER.

    A folder is called by its own name; one of another name than its model's needs NAME=, or it is read without that
    model's prefixes and calibration. What is a name is no folder: write `./NAME` for the folder beside you.

    Raises:
        UnknownNameError: neither a known model nor a folder.
        EmbedderUnavailableError: a known model that is not on this machine, or a library that it needs is not.
        EmbeddingError: it is there and broken, or no model.
    """
    return _open_choice(choice, places or ModelPlaces(), open_embedder)


def open_reranker_choice(choice: str | PathLike[str], places: ModelPlaces | None = None) -> Reranker:
    """The reranker that a person names, by the rules and with the errors of `open_choice`."""
    return _open_choice(choice, places or ModelPlaces(), open_reranker)


def _open_choice(
    choice: str | PathLike[str], places: ModelPlaces, open_model: Callable[[str, ModelPlaces], Model]
) -> Model:
    text = fspath(choice)
    name, equals, folder = text.partition("=")
    if equals and name and folder:
        return open_model(name, replace(places, folder=Path(folder)))
    try:
        return open_model(text, places)
    except UnknownNameError:
        if not text or not Path(text).is_dir():
            raise
        return open_model(Path(text).resolve().name, replace(places, folder=Path(text)))


def _find(model: str, kind: _Kind, places: ModelPlaces) -> Any:  # noqa: ANN401 - a folder, or what a package made
    known = next((entry for entry in kind.known if entry.name == model), None)
    if places.folder is not None:
        return _read(places.folder, model, known, places)
    if model and places.models_folder is not None and (places.models_folder / model).is_dir():
        return _read(places.models_folder / model, model, known, places)
    if model in kind.packaged:
        return kind.packaged[model]()
    offered = {entry.name: entry for entry in entry_points(group=kind.group)}
    if model in offered:
        made = _open_offered(offered[model], kind)
        return _read(Path(made), model, known, places) if isinstance(made, str | PathLike) else made
    if known is None:
        is_path = Path(model).name != model and not Path(model).is_dir()
        note = "There is no such folder either." if is_path else None
        raise UnknownNameError(kind.noun, model, {entry.name for entry in kind.known} | set(offered), note)
    folder = _find_in_hub(known, kind.option, places)
    found = _read(folder, model, known, places)
    _check_digests(folder, found, known)
    return found


def _open_offered(entry: EntryPoint, kind: _Kind) -> Any:  # noqa: ANN401 - whatever the package makes
    try:
        return entry.load()()
    except EmbeddingError:
        raise
    except Exception as error:  # a package of others' fails in any class
        raise EmbeddingError(
            f"the {kind.noun} {entry.name!r} of an installed package ({entry.value}, group {entry.group}) cannot be "
            f"opened: {type(error).__name__}: {error}"
        ) from error


def _read(folder: Path, model: str, known: HubModel | None, places: ModelPlaces) -> ModelFolder:
    import_runtime()
    how_to_embed = known if isinstance(known, KnownModel) else None
    return read_model_folder(folder, model, how_to_embed, detect_processor(), places.file)


def _find_in_hub(known: HubModel, option: str, places: ModelPlaces) -> Path:
    """The model's snapshot in the hub's cache, downloaded into it first where that is needed and allowed."""
    import_runtime()
    folder_of_models = f"{places.models_folder / known.name}, " if places.models_folder else ""
    looked = f"looked in {folder_of_models}installed packages"
    advice = (
        "Allow its download (--download, or ModelPlaces(download=True)), or give a folder that holds it "
        f"({option} FOLDER, or {MODELS_VARIABLE} for a folder of such folders)."
    )
    if find_spec("huggingface_hub") is None:
        raise EmbedderUnavailableError(f"no model {known.name}: {looked}. To ask the hub: {INSTALL}. {advice}")
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    request: dict[str, Any] = {
        "repo_id": known.repository,
        "revision": known.revision,
        "cache_dir": places.hub_cache,
    }
    try:
        folder = Path(snapshot_download(**request, local_files_only=True))
        if _is_complete(folder, places):
            return folder
    except LocalEntryNotFoundError:
        pass
    if not places.download:
        raise EmbedderUnavailableError(
            f"no model {known.name}: {looked}, the hub's cache ({known.repository} at {known.revision}). {advice}"
        )
    wanted = [_choose_file(known, places), "tokenizer.json", *_SETTINGS, *_STEPS]
    try:
        return Path(snapshot_download(**request, allow_patterns=wanted))
    except Exception as error:  # the network, the disk and the hub fail in many classes
        raise EmbedderUnavailableError(f"{known.repository} cannot be downloaded: {error}. {advice}") from error


def _is_complete(folder: Path, places: ModelPlaces) -> bool:
    """Whether a snapshot holds a model; the cache lists one as soon as any file of it was asked for."""
    graph = folder / places.file if places.file else None
    graphs = [graph] if graph else [path for path in folder.rglob("*.onnx") if path.is_file()]
    return (folder / "tokenizer.json").is_file() and any(path.is_file() for path in graphs)


def _choose_file(known: HubModel, places: ModelPlaces) -> str:
    """The ONNX file to download: the one named, else the first that the registry knows for this processor."""
    if places.file is not None:
        return places.file
    names = [f"onnx/{name}" for name in list_int8_names(detect_processor())]
    return next((name for name in names if name in known.digests), "onnx/model.onnx")


def _check_digests(folder: Path, found: ModelFolder, known: HubModel) -> None:
    for path, digest in ((found.graph, found.graph_digest), (found.tokenizer, found.tokenizer_digest)):
        name = path.relative_to(folder).as_posix()
        expected = known.digests.get(name)
        if expected is not None and digest != expected:
            raise EmbeddingError(
                f"{path} is not the file of {known.repository} at {known.revision}: SHA-256 {digest}, not {expected}. "
                "Remove it and download it again."
            )
