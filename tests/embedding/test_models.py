"""The registry of models, and the warning for a store that one cannot read."""

from __future__ import annotations

import re

import pytest

from memeval.embedding.models import DEFAULT_MODEL, MODELS, find_model, find_model_of, warn_of_language
from memeval.errors import UnknownNameError
from tests.embedding.conftest import TopicEmbedder


def test_names_are_unique_and_the_default_is_one():
    """Every name leads to its entry."""
    assert [find_model(model.name) for model in MODELS] == list(MODELS)
    assert len({model.name for model in MODELS}) == len(MODELS)
    assert find_model(DEFAULT_MODEL).reads_cjk


def test_the_model_that_an_embedder_is():
    """Told by its identity; another embedder is none of them."""
    assert find_model_of(TopicEmbedder(f"{DEFAULT_MODEL} graph:1")) == find_model(DEFAULT_MODEL)
    assert find_model_of(TopicEmbedder("multilingual-e5-smaller graph:1")) is None


def test_unknown_name():
    """The message lists the choices and the nearest."""
    with pytest.raises(UnknownNameError, match=r"Did you mean 'multilingual-e5-small'\?"):
        find_model("multilingual-e5-smal")


@pytest.mark.parametrize(
    ("short", "name"),
    [("use", "universal-sentence-encoder"), ("minilm", "all-MiniLM-L6-v2"), ("E5", DEFAULT_MODEL)],
)
def test_a_short_name_leads_to_the_model(short, name):
    """A part of its name, as the variants beside it are called, or its initials; what fits several is none of them."""
    with pytest.raises(UnknownNameError, match=rf"Did you mean '{name}'\?$"):
        find_model(short)
    for other in ("v", "bge", "", "-"):
        with pytest.raises(UnknownNameError, match=r"universal-sentence-encoder\.$"):
            find_model(other)


@pytest.mark.parametrize("model", [m for m in MODELS if m.repository], ids=lambda m: m.name)
def test_hub_models_are_pinned(model):
    """A repository comes with one commit, and with digests of the tokenizer and of the file every processor can run."""
    assert re.fullmatch(r"[0-9a-f]{40}", model.revision)
    assert {"onnx/model.onnx", "tokenizer.json"} <= set(model.digests)
    assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in model.digests.values())


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
def test_calibrations_rise(model):
    """What is certain lies above the floor."""
    assert model.calibration.certain > model.calibration.floor


def test_warning_for_a_store_in_cjk():
    """An English model says so over a store with CJK in it, in any of the three; not over names and single words."""
    minilm, e5 = find_model("all-MiniLM-L6-v2"), find_model("multilingual-e5-small")
    english = "The redis cache listens on port 6380 since March. " * 20
    for text in ("監視の設定はここに書いてある", "監視設定寫在這裡的筆記", "모니터링 설정은 여기에 적혀 있다"):
        warning = warn_of_language(minilm, [english, text * 10])
        assert warning.startswith("all-MiniLM-L6-v2 reads English only, and ")
        assert warning.endswith("Use multilingual-e5-small.")
        assert warn_of_language(e5, [text * 10]) is None
        assert warn_of_language(minilm, [english, text[:5]]) is None
    assert "100 %" in warn_of_language(minilm, ["監視"])
    assert warn_of_language(minilm, []) is None
    assert warn_of_language(minilm, ["6380"]) is None
