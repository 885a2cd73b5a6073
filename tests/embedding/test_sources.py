"""Where a model comes from: the order of places, the hub's cache without network, what is said when it is nowhere."""

from __future__ import annotations

import hashlib
import re
import sys
from dataclasses import replace

import pytest

from memeval.embedding import sources
from memeval.embedding.models import find_model
from memeval.embedding.sources import ModelPlaces, open_choice, open_embedder
from memeval.errors import EmbedderUnavailableError, EmbeddingError, UnknownNameError
from tests.embedding.tinymodel import write_model

E5 = "multilingual-e5-small"


@pytest.fixture
def nowhere(tmp_path):
    """Places that hold nothing: an empty cache of the hub, so that none of the machine's is seen."""
    return ModelPlaces(hub_cache=tmp_path / "no-cache")


def identity(places, model=E5):
    return open_embedder(model, places).identity


def offer(tmp_path, monkeypatch, name, body, group="memeval.embedders"):
    """An installed package with an entry point."""
    site = tmp_path / "site"
    (site / "offering-1.0.dist-info").mkdir(parents=True)
    (site / "offering-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: offering\nVersion: 1.0\n")
    (site / "offering-1.0.dist-info" / "entry_points.txt").write_text(f"[{group}]\n{name} = offering:get\n")
    (site / "offering.py").write_text(body)
    monkeypatch.delitem(sys.modules, "offering", raising=False)  # of the test before
    monkeypatch.syspath_prepend(str(site))


def fill_cache(cache, known, **settings):
    """The hub's cache as its library lays it out, with a tiny model in place of the real one."""
    folder = cache / f"models--{known.repository.replace('/', '--')}"
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text(known.revision)
    return write_model(folder / "snapshots" / known.revision, **settings)


@pytest.fixture
def pinned(monkeypatch):
    """The default model with the digests of a tiny one in the registry."""

    def pin(folder):
        names = ("onnx/model.onnx", "tokenizer.json")
        digests = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
        model = replace(find_model(E5), digests=digests)
        monkeypatch.setattr(sources, "MODELS", (model,))
        return model

    return pin


def test_order_of_places(tmp_path, monkeypatch, pinned):
    """The folder given, then the folder of models, then an installed package, then the hub's cache."""
    cached = fill_cache(tmp_path / "hub", find_model(E5), seed=4)
    pinned(cached)
    hub = ModelPlaces(hub_cache=tmp_path / "hub")
    assert open_embedder(E5, hub).embed_queries(["redis"]).shape == (1, 8)
    from_hub = identity(hub)
    offered = write_model(tmp_path / "offered", seed=3)
    offer(tmp_path, monkeypatch, E5, f"def get():\n    return {str(offered)!r}\n")
    from_package = identity(hub)
    write_model(tmp_path / "models" / E5, seed=2)
    from_models = identity(replace(hub, models_folder=tmp_path / "models"))
    given = write_model(tmp_path / "given", seed=1)
    from_folder = identity(replace(hub, models_folder=tmp_path / "models", folder=given))
    assert len({from_hub, from_package, from_models, from_folder}) == 4
    assert all(each.startswith(E5) for each in (from_hub, from_package, from_models, from_folder))
    assert identity(replace(hub, models_folder=tmp_path / "empty")) == from_package


def test_known_prefixes_hold_wherever_the_model_is(tmp_path, nowhere):
    """The default model keeps its prefixes and calibration in a folder that does not say them."""
    embedder = open_embedder(E5, replace(nowhere, folder=write_model(tmp_path)))
    assert "'query: ' 'passage: '" in embedder.identity
    assert embedder.calibration == find_model(E5).calibration


def test_any_folder_under_any_name(tmp_path, nowhere):
    """A folder may hold a model that the registry does not know; it has no calibration then."""
    embedder = open_embedder("mine", replace(nowhere, folder=write_model(tmp_path)))
    assert embedder.identity.startswith("mine ")
    assert embedder.calibration is None


def test_file_by_name(tmp_path, nowhere):
    """A named file is loaded instead of the best one."""
    folder = write_model(tmp_path, graph="onnx/model.onnx", seed=1)
    write_model(tmp_path, graph="other.onnx", seed=2)
    assert identity(replace(nowhere, folder=folder)) != identity(replace(nowhere, folder=folder, file="other.onnx"))


def test_package_that_brings_an_embedder(tmp_path, monkeypatch, nowhere):
    """A package may give an embedder of its own, under a name of its own."""
    offer(
        tmp_path,
        monkeypatch,
        "theirs",
        "def get():\n    return Made()\nclass Made:\n    identity = 'made'\n    dimension = 3\n    calibration = None\n"
        "    embed_queries = embed_passages = len\n",
    )
    assert open_embedder("theirs", nowhere).identity == "made"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "import missing_library",
            "(offering:get, group memeval.embedders) cannot be opened: ModuleNotFoundError: No m",
        ),
        ("def get():\n    return 1 / 0\n", "cannot be opened: ZeroDivisionError: division by zero"),
        ("def get():\n    return 5\n", "the embedder, an object of int, has no identity"),
    ],
)
def test_package_that_brings_none(tmp_path, monkeypatch, nowhere, body, said):
    """A package that breaks, or gives something else, is named, with what it did."""
    offer(tmp_path, monkeypatch, "theirs", body)
    with pytest.raises(EmbeddingError, match=re.escape(said)):
        open_embedder("theirs", nowhere)


def test_no_name_is_no_model(tmp_path, nowhere):
    """An empty name, of a variable that is not set say, is neither the default model nor the folder one is in."""
    for places in (nowhere, replace(nowhere, models_folder=tmp_path)):
        with pytest.raises(UnknownNameError, match="unknown embedding model ''; known: all-MiniLM"):
            open_choice("", places)


def test_unknown_name_lists_what_is_installed(tmp_path, monkeypatch, nowhere):
    """The choices are the registry's and those of installed packages."""
    offer(tmp_path, monkeypatch, "theirs", "")
    with pytest.raises(UnknownNameError, match=r"all-MiniLM-L6-v2.*multilingual-e5-small.*theirs") as error:
        open_embedder("their", nowhere)
    assert "Did you mean 'theirs'?" in str(error.value)


def test_a_path_to_nothing_is_no_folder(tmp_path, nowhere):
    """Whoever writes a path means a folder, and is told that it is not there; a name is only a name."""
    with pytest.raises(UnknownNameError, match=r"There is no such folder either\.$"):
        open_choice(tmp_path / "e5", nowhere)
    with pytest.raises(UnknownNameError, match=r"universal-sentence-encoder\.$"):
        open_choice("bge", nowhere)


def test_nowhere_and_no_download(nowhere, tmp_path):
    """Without permission the network is not asked; the error says where it was looked and what to do."""
    with pytest.raises(EmbedderUnavailableError) as error:
        open_embedder(E5, replace(nowhere, models_folder=tmp_path / "models"))
    message = str(error.value)
    where = f"looked in {tmp_path / 'models' / E5}, installed packages, the hub's cache (intfloat/multilingual-e5-small"
    assert f"{where} at 614241f" in message
    assert "Allow its download" in message
    assert "MEMEVAL_MODELS" in message


def test_cache_without_a_model_in_it(tmp_path):
    """A snapshot of which only the settings were fetched is no model."""
    folder = fill_cache(tmp_path, find_model(E5))
    (folder / "onnx" / "model.onnx").unlink()
    with pytest.raises(EmbedderUnavailableError, match="no model multilingual-e5-small"):
        open_embedder(E5, ModelPlaces(hub_cache=tmp_path))


def test_cached_file_that_is_not_the_hubs(tmp_path):
    """A file from the cache with another digest than the registry's is refused, by name."""
    fill_cache(tmp_path, find_model(E5))
    with pytest.raises(
        EmbeddingError, match=r"model\.onnx is not the file of intfloat/multilingual-e5-small at 614241f"
    ):
        open_embedder(E5, ModelPlaces(hub_cache=tmp_path))


def test_download_where_it_is_allowed(tmp_path, monkeypatch, pinned):
    """Only the pinned commit is asked for, only the files that are needed, and only after the cache."""
    import huggingface_hub

    known = pinned(write_model(tmp_path / "source"))
    asked = []

    def download(**request):
        asked.append(request)
        if request.get("local_files_only"):
            raise huggingface_hub.errors.LocalEntryNotFoundError("not there")
        return str(tmp_path / "source")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    assert identity(ModelPlaces(download=True)).startswith(E5)
    local, remote = asked
    assert local["local_files_only"]
    assert "local_files_only" not in remote
    assert (remote["repo_id"], remote["revision"]) == (known.repository, known.revision)
    assert [name for name in remote["allow_patterns"] if name.endswith(".onnx")] == ["onnx/model.onnx"]
    assert "tokenizer.json" in remote["allow_patterns"]


def test_download_that_fails(tmp_path, monkeypatch):
    """No network: the error says so, and what else can be done."""
    import huggingface_hub

    def download(**request):
        if request.get("local_files_only"):
            raise huggingface_hub.errors.LocalEntryNotFoundError("not there")
        raise ConnectionError("no route to host")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    with pytest.raises(EmbedderUnavailableError, match=r"cannot be downloaded: no route to host.*give a folder"):
        open_embedder(E5, ModelPlaces(download=True))


def test_what_a_person_names(tmp_path, monkeypatch, nowhere):
    """A name, a folder under its own name, a folder for a name; a name wins over a folder of that name here."""
    folder = write_model(tmp_path / "bge-tiny")
    write_model(tmp_path / E5, seed=3)
    assert open_choice(folder, nowhere).identity.startswith("bge-tiny ")
    assert open_choice(str(folder), nowhere).calibration is None
    named = open_choice(f"{E5}={folder}", nowhere)
    assert (named.identity.split()[0], named.calibration) == (E5, find_model(E5).calibration)
    monkeypatch.chdir(tmp_path)
    assert open_choice("./bge-tiny", nowhere).identity == open_choice(folder, nowhere).identity
    assert open_choice(f"./{E5}", nowhere).identity.startswith(f"{E5} ")
    with pytest.raises(EmbedderUnavailableError, match=f"no model {E5}"):
        open_choice(E5, nowhere)
    with pytest.raises(UnknownNameError, match="unknown embedding model 'bge-none'"):
        open_choice("bge-none", nowhere)
    with pytest.raises(EmbeddingError, match="is no folder"):
        open_choice(f"{E5}=nowhere", nowhere)
