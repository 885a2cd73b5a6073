"""Model folders: the file chosen, the settings read, and what is refused."""

from __future__ import annotations

import json

import pytest

from memeval.embedding.modelfolder import Processor, detect_processor, find_graph, list_int8_names, read_model_folder
from memeval.embedding.models import find_model
from memeval.errors import EmbeddingError

PLAIN = Processor("riscv64")
ARM = Processor("arm64")


def touch(folder, *names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(name.encode())
    return folder


def model(folder, **settings):
    touch(folder, "tokenizer.json", "onnx/model.onnx")
    for name, content in settings.items():
        path = folder / (name.replace("__", "/") + ".json")
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    return folder


def read(folder, name="x", known=None):
    return read_model_folder(folder, name, known, PLAIN)


@pytest.mark.parametrize(
    ("machine", "flags", "first"),
    [
        ("x86_64", "avx2 avx512f avx512_vnni", "model_qint8_avx512_vnni.onnx"),
        ("x86_64", "avx2 avx512f", "model_qint8_avx512.onnx"),
        ("AMD64", "", "model_quint8_avx2.onnx"),
        ("arm64", "", "model_qint8_arm64.onnx"),
        ("aarch64", "asimd", "model_qint8_arm64.onnx"),
    ],
)
def test_int8_file_for_the_processor(machine, flags, first):
    """Each processor tries the file that was made for it first."""
    assert list_int8_names(Processor(machine, frozenset(flags.split())))[0] == first


def test_no_int8_for_an_unknown_machine():
    """Nothing is guessed."""
    assert list_int8_names(PLAIN) == ()


def test_order_of_files(tmp_path):
    """The file named, then int8 for the processor, then onnx/model.onnx, then model.onnx."""
    names = ["model.onnx", "onnx/model.onnx", "onnx/model_qint8_arm64.onnx"]
    for count, name in enumerate(names, start=1):
        folder = touch(tmp_path / str(count), *names[:count])
        assert find_graph(folder, ARM) == folder / name
        assert find_graph(folder, ARM, "model.onnx") == folder / "model.onnx"
    assert find_graph(tmp_path / "3", PLAIN) == tmp_path / "3" / "onnx/model.onnx"


def test_no_file(tmp_path):
    """The error lists what the folder has instead."""
    touch(tmp_path, "onnx/model_fp16.onnx")
    with pytest.raises(EmbeddingError, match=r"it has onnx/model_fp16\.onnx"):
        find_graph(tmp_path, PLAIN)
    with pytest.raises(EmbeddingError, match=r"has no onnx/model_O4\.onnx"):
        find_graph(tmp_path, PLAIN, "onnx/model_O4.onnx")


@pytest.mark.parametrize(
    ("settings", "pooling"),
    [
        ({}, "mean"),
        ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}, "mean"),
        ({"pooling_mode_cls_token": True}, "cls"),
        ({"pooling_mode_max_tokens": True}, "max"),
        ({"pooling_mode_lasttoken": True}, "lasttoken"),
        ({"pooling_mode": "cls"}, "cls"),
    ],
)
def test_pooling(tmp_path, settings, pooling):
    """Read from 1_Pooling/config.json in both of its forms; the mean where it says nothing."""
    assert read(model(tmp_path, **{"1_Pooling__config": settings})).pooling == pooling


@pytest.mark.parametrize(
    "settings",
    [
        {"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": True},
        {"pooling_mode_weightedmean_tokens": True},
        {"pooling_mode": "attention"},
    ],
)
def test_unknown_pooling(tmp_path, settings):
    """A way of pooling that is not known is refused, not replaced by another one."""
    with pytest.raises(EmbeddingError, match=r"1_Pooling.config\.json: pooling .* is not known; one of mean, cls"):
        read(model(tmp_path, **{"1_Pooling__config": settings}))


@pytest.mark.parametrize(
    ("settings", "tokens"),
    [
        ({}, 512),
        ({"config": {"max_position_embeddings": 128}}, 128),
        ({"config": {"model_type": "xlm-roberta", "max_position_embeddings": 514, "pad_token_id": 1}}, 512),
        ({"sentence_bert_config": {"max_seq_length": 256}, "tokenizer_config": {"model_max_length": 512}}, 256),
        ({"tokenizer_config": {"model_max_length": 1000000000000000019884624838656}}, 512),
        ({"sentence_bert_config": {"max_seq_length": None}, "tokenizer_config": {"model_max_length": 64}}, 64),
    ],
)
def test_longest_text(tmp_path, settings, tokens):
    """The least of the settings that are there; RoBERTa's positions begin behind its padding."""
    assert read(model(tmp_path, **settings)).max_tokens == tokens


def test_prefixes(tmp_path):
    """A known model brings its own; another one those of its settings."""
    prompts = {"query": "ask: ", "document": "text: "}
    folder = model(tmp_path, config_sentence_transformers={"prompts": prompts})
    own = read(folder)
    assert (own.query_prefix, own.passage_prefix) == ("ask: ", "text: ")
    known = read(folder, known=find_model("multilingual-e5-small"))
    assert (known.query_prefix, known.passage_prefix) == ("query: ", "passage: ")


def test_steps_that_are_not_known(tmp_path):
    """A model with a further layer is refused: without it the vectors would be others."""
    modules = [{"type": "sentence_transformers.models.Pooling"}, {"type": "sentence_transformers.models.Dense"}]
    with pytest.raises(EmbeddingError, match=r"modules\.json: the model has a step 'Dense'"):
        read(model(tmp_path, modules=modules))


def test_broken_settings(tmp_path):
    """Settings that are no JSON are named with their file."""
    folder = model(tmp_path)
    (folder / "config.json").write_text("{")
    with pytest.raises(EmbeddingError, match=r"config\.json cannot be read"):
        read(folder)
    (folder / "config.json").write_text("[]")
    with pytest.raises(EmbeddingError, match=r"config\.json is not an object"):
        read(folder)


def test_missing_parts(tmp_path):
    """No folder, or no tokenizer: the error says what is expected."""
    with pytest.raises(EmbeddingError, match="is no folder"):
        read(tmp_path / "nowhere")
    touch(tmp_path, "onnx/model.onnx")
    with pytest.raises(EmbeddingError, match=r"holds no tokenizer\.json"):
        read(tmp_path)


def test_identity_changes_with_what_decides_a_vector(tmp_path):
    """Weights, weights beside the graph, tokenizer, pooling, length, prefixes and name: each makes another identity."""

    def identity(place, name="x", known=None, change=None, **settings):
        folder = model(tmp_path / place, **settings)
        if change:
            touch(folder, change).joinpath(change).write_bytes(b"changed")
        return read(folder, name, known).identity

    identities = [
        identity("a"),
        identity("b", change="onnx/model.onnx"),
        identity("c", change="onnx/model.onnx_data"),
        identity("d", change="tokenizer.json"),
        identity("e", **{"1_Pooling__config": {"pooling_mode": "cls"}}),
        identity("f", config={"max_position_embeddings": 99}),
        identity("g", known=find_model("multilingual-e5-small")),
        identity("h", name="y"),
    ]
    assert len(set(identities)) == len(identities)
    assert identity("again") == identities[0]


def test_processor_of_this_machine():
    """Whatever it is, it has a name."""
    assert detect_processor().machine
