"""The registry of rerankers, and the places where one is found: those of embedding models, by the same code."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

import pytest

from memeval.embedding import sources
from memeval.embedding.models import MODELS, warn_of_language
from memeval.embedding.rerankers import MULTILINGUAL, RERANKERS, find_reranker_of
from memeval.embedding.sources import ModelPlaces, open_reranker, open_reranker_choice
from memeval.errors import EmbedderUnavailableError, EmbeddingError, UnknownNameError
from tests.embedding.test_sources import fill_cache, offer
from tests.embedding.tinymodel import write_model

MARCO = "ms-marco-MiniLM-L6-v2"


def write_cross_encoder(folder, **settings):
    return write_model(folder, **{"output": "logits", "classes": 1, "pooling": None, **settings})


@pytest.fixture
def nowhere(tmp_path):
    """Places that hold nothing: an empty cache of the hub, so that none of the machine's is seen."""
    return ModelPlaces(hub_cache=tmp_path / "no-cache")


@pytest.mark.parametrize("known", RERANKERS, ids=lambda known: known.name)
def test_each_is_pinned(known):
    """One commit, and digests of the tokenizer and of the file that every processor can run; no model's name."""
    assert re.fullmatch(r"[0-9a-f]{40}", known.revision)
    assert {"onnx/model.onnx", "onnx/model_quint8_avx2.onnx", "tokenizer.json"} <= set(known.digests)
    assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in known.digests.values())
    assert known.name not in {model.name for model in MODELS}
    assert known.repository.endswith(f"/{known.name}")


def test_the_known_one_that_an_object_is(tmp_path, nowhere):
    """Told by its identity, wherever it was found; a folder of another name is none of them."""
    folder = write_cross_encoder(tmp_path / MARCO)
    assert find_reranker_of(open_reranker_choice(folder, nowhere)).name == MARCO
    assert find_reranker_of(open_reranker_choice(f"mine={folder}", nowhere)) is None


def test_a_store_that_an_english_one_cannot_read():
    """It says so, and which one can."""
    (english,) = (known for known in RERANKERS if not known.reads_cjk)
    warning = warn_of_language(english, ["監視設定寫在這裡的筆記"], MULTILINGUAL)
    assert warning == (
        f"{MARCO} reads English only, and 100 % of this store is Chinese, Japanese or Korean: "
        f"it is of little use there. Use {MULTILINGUAL}."
    )


def test_order_of_places(tmp_path, monkeypatch, nowhere):
    """The folder given, then the folder of models, then an installed package, then the hub's cache."""
    known = next(one for one in RERANKERS if one.name == MARCO)
    cached = fill_cache(tmp_path / "hub", known, seed=4, output="logits", classes=1, pooling=None)
    names = ("onnx/model.onnx", "tokenizer.json")
    digests = {name: hashlib.sha256((cached / name).read_bytes()).hexdigest() for name in names}
    monkeypatch.setattr(sources, "RERANKERS", (replace(known, digests=digests),))
    hub = ModelPlaces(hub_cache=tmp_path / "hub")
    found = [open_reranker(MARCO, hub)]
    offered = write_cross_encoder(tmp_path / "offered", seed=3)
    offer(tmp_path, monkeypatch, MARCO, f"def get():\n    return {str(offered)!r}\n", "memeval.rerankers")
    found.append(open_reranker(MARCO, hub))
    write_cross_encoder(tmp_path / "models" / MARCO, seed=2)
    found.append(open_reranker(MARCO, replace(hub, models_folder=tmp_path / "models")))
    given = write_cross_encoder(tmp_path / "given", seed=1)
    found.append(open_reranker(MARCO, replace(hub, models_folder=tmp_path / "models", folder=given)))
    assert len({one.identity for one in found}) == 4
    assert all(one.identity.startswith(f"{MARCO} ") for one in found)
    assert len({one.score("redis", ["cache"])[0] for one in found}) == 4


def test_package_that_brings_a_reranker(tmp_path, monkeypatch, nowhere):
    """Under a name of its own; it is no embedding model."""
    body = "def get():\n    return Made()\nclass Made:\n    identity = 'made'\n    score = len\n"
    offer(tmp_path, monkeypatch, "theirs", body, "memeval.rerankers")
    assert open_reranker("theirs", nowhere).identity == "made"
    with pytest.raises(UnknownNameError, match="unknown embedding model 'theirs'"):
        sources.open_embedder("theirs", nowhere)


def test_what_a_person_names(tmp_path, nowhere):
    """A name, a folder, a folder for a name; what is none of them is refused with the choices."""
    folder = write_cross_encoder(tmp_path / "mine")
    assert open_reranker_choice(str(folder), nowhere).identity.startswith("mine ")
    assert open_reranker_choice(f"{MARCO}={folder}", nowhere).identity.startswith(f"{MARCO} ")
    with pytest.raises(UnknownNameError, match=f"unknown reranker 'ms-marco'; known: {MULTILINGUAL}, {MARCO}"):
        open_reranker_choice("ms-marco", nowhere)
    with pytest.raises(UnknownNameError, match="unknown reranker 'multilingual-e5-small'"):
        open_reranker_choice("multilingual-e5-small", nowhere)


def test_nowhere_and_no_download(tmp_path, nowhere):
    """The error says where it was looked for, and each way to get it, by its own option."""
    with pytest.raises(EmbedderUnavailableError) as error:
        open_reranker(MARCO, replace(nowhere, models_folder=tmp_path / "models"))
    told = (str(tmp_path / "models" / MARCO), f"cross-encoder/{MARCO} at c5ee24c", "--download", "MEMEVAL_MODELS")
    assert all(part in str(error.value) for part in told)
    assert "--reranker FOLDER" in str(error.value)
    assert "--embedder" not in str(error.value)


def test_a_file_that_is_not_the_hubs(tmp_path):
    """One from the cache with another digest than the registry's is refused, by name."""
    known = next(one for one in RERANKERS if one.name == MARCO)
    fill_cache(tmp_path, known, output="logits", classes=1, pooling=None)
    with pytest.raises(EmbeddingError, match=rf"model\.onnx is not the file of cross-encoder/{MARCO} at c5ee24c"):
        open_reranker(MARCO, ModelPlaces(hub_cache=tmp_path))


def test_download_where_it_is_allowed(tmp_path, monkeypatch):
    """Only the pinned commit is asked for, and one ONNX file that the registry has a digest of."""
    import huggingface_hub

    known = RERANKERS[0]
    source = write_cross_encoder(tmp_path / "source", graph="onnx/model_quint8_avx2.onnx")
    asked = []

    def download(**request):
        asked.append(request)
        if request.get("local_files_only"):
            raise huggingface_hub.errors.LocalEntryNotFoundError("not there")
        return str(source)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    monkeypatch.setattr(sources, "_check_digests", lambda *_: None)
    assert open_reranker(known.name, ModelPlaces(download=True)).identity.startswith(known.name)
    assert (asked[1]["repo_id"], asked[1]["revision"]) == (known.repository, known.revision)
    (graph,) = (name for name in asked[1]["allow_patterns"] if name.endswith(".onnx"))
    assert graph in known.digests
