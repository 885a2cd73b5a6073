"""Model folders as a hub lays them out, with a BERT so small that it is made in a moment: random weights, ten words."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

WORDS = ("redis", "cache", "port", "deploy", "river", "rice", "監", "視", "設", "定")
DIMENSION = 8
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def write_tokenizer(folder: Path, prefix: str = "") -> None:
    """tokenizer.json: words and CJK characters, [CLS] before and [SEP] behind, padding and cutting to be undone."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS, *prefix.split()]
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(names)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.enable_padding(length=32)
    tokenizer.enable_truncation(4)
    tokenizer.save(str(folder / "tokenizer.json"))


def write_graph(path: Path, *, inputs=INPUTS, output="last_hidden_state", seed=0, classes=0) -> None:
    """One layer of attention over random embeddings.

    `output` names what comes out: a vector for each token; with `sentence_embedding` their sum; with `classes` so many
    logits from the first token. Without token_type_ids among the inputs, the graph does without.
    """
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    draw = np.random.default_rng(seed)
    size = 4 + len(WORDS) + 4

    def weight(name, *shape):
        return numpy_helper.from_array(draw.normal(size=shape).astype(np.float32), name)

    constants = [weight("words", size, DIMENSION), weight("kinds", 2, DIMENSION), weight("mix", DIMENSION, DIMENSION)]
    nodes = [helper.make_node("Gather", ["words", "input_ids"], ["x0"])]
    if "token_type_ids" in inputs:
        nodes += [
            helper.make_node("Gather", ["kinds", "token_type_ids"], ["k"]),
            helper.make_node("Add", ["x0", "k"], ["x"]),
        ]
    else:
        nodes += [helper.make_node("Identity", ["x0"], ["x"])]
    nodes += [
        helper.make_node("MatMul", ["x", "mix"], ["q"]),
        helper.make_node("Transpose", ["x"], ["xt"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["q", "xt"], ["raw"]),
        helper.make_node("Softmax", ["raw"], ["attention"], axis=-1),
        helper.make_node("MatMul", ["attention", "x"], ["seen"]),
        helper.make_node("Add", ["seen", "x"], ["tokens"]),
    ]
    if classes:
        constants += [weight("head", DIMENSION, classes), numpy_helper.from_array(np.array(0, np.int64), "first")]
        nodes += [
            helper.make_node("Gather", ["tokens", "first"], ["cls"], axis=1),
            helper.make_node("MatMul", ["cls", "head"], [output]),
        ]
        shape = ["batch", classes]
    elif output == "sentence_embedding":
        constants += [numpy_helper.from_array(np.array([1], np.int64), "axis")]
        nodes += [helper.make_node("ReduceSum", ["tokens", "axis"], [output], keepdims=0)]
        shape = ["batch", DIMENSION]
    else:
        nodes += [helper.make_node("Identity", ["tokens"], [output])]
        shape = ["batch", "sequence", DIMENSION]
    if "attention_mask" in inputs:  # an input has to be used: nothing is padded, so that a mask changes nothing
        nodes += [helper.make_node("Identity", ["attention_mask"], ["mask"])]
    declared = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"]) for name in inputs]
    given = [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)]
    graph = helper.make_graph(nodes, "tiny", declared, given, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(path))


def write_model(folder: Path, *, pooling="mean", graph="onnx/model.onnx", config=None, **graph_settings) -> Path:
    """A whole folder: tokenizer, graph, settings."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tokenizer(folder)
    write_graph(folder / graph, **graph_settings)
    (folder / "config.json").write_text(json.dumps(config or {"model_type": "bert", "max_position_embeddings": 12}))
    if pooling:
        (folder / "1_Pooling").mkdir(exist_ok=True)
        flag = {"mean": "pooling_mode_mean_tokens", "cls": "pooling_mode_cls_token", "max": "pooling_mode_max_tokens"}
        settings = {name: mode == pooling for mode, name in flag.items()}
        (folder / "1_Pooling" / "config.json").write_text(json.dumps({"word_embedding_dimension": 8, **settings}))
    return folder
