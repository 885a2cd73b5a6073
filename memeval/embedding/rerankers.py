"""The rerankers known by name: where each comes from, and what it reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memeval.embedding.base import Reranker


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownReranker:
    """One entry of RERANKERS."""

    name: str
    description: str
    repository: str
    """On the model hub."""
    revision: str
    """The commit of the repository that the digests belong to; nothing else is downloaded."""
    digests: Mapping[str, str]
    """{file in the repository: its SHA-256}. A file of that name from the hub must have it."""
    languages: str
    reads_cjk: bool
    """Whether it reads Chinese and Japanese. One that does not is not asked in them, nor in Korean."""


RERANKERS: tuple[KnownReranker, ...] = (
    KnownReranker(
        name="mmarco-mMiniLMv2-L12-H384-v1",
        description="14 languages, 12 layers, 118 MB as int8",
        repository="cross-encoder/mmarco-mMiniLMv2-L12-H384-v1",
        revision="1427fd652930e4ba29e8149678df786c240d8825",
        digests={
            "onnx/model.onnx": "3e9a03ed1e966f7c5288dd4230e3d6a9bf5e3a170a06f1f4241c5bca12c6487c",
            "onnx/model_qint8_arm64.onnx": "1825907d6c1a9001ff78124780bbde20a614a8c3df3b63409cf3c72c6fe5c8b4",
            "onnx/model_quint8_avx2.onnx": "6c2513767fb63d008a4377bef7a7a3555433d9436342bb53e35a3a72ffc52d4b",
            "tokenizer.json": "62c24cdc13d4c9952d63718d6c9fa4c287974249e16b7ade6d5a85e7bbb75626",
        },
        languages="14 languages, Chinese and Japanese among them, Korean not",
        reads_cjk=True,
    ),
    KnownReranker(
        name="ms-marco-MiniLM-L6-v2",
        description="English only, 6 layers, 23 MB as int8: small and quick",
        repository="cross-encoder/ms-marco-MiniLM-L6-v2",
        revision="c5ee24cb16019beea0893ab7796b1df96625c6b8",
        digests={
            "onnx/model.onnx": "5d3e70fd0c9ff14b9b5169a51e957b7a9c74897afd0a35ce4bd318150c1d4d4a",
            "onnx/model_qint8_arm64.onnx": "3573b6b9593cb2f75987a31815d409ca3dd8808629118fd20451bb1a5d90cec7",
            "onnx/model_qint8_avx512_vnni.onnx": "3573b6b9593cb2f75987a31815d409ca3dd8808629118fd20451bb1a5d90cec7",
            "onnx/model_quint8_avx2.onnx": "c80a8b34256ea453093d612e3ac48d3d965a0c0a48c7906709af8b8e28461bf9",
            "tokenizer.json": "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
        },
        languages="English",
        reads_cjk=False,
    ),
)
"""The registry. To add one, add an entry. None is a default: what reads a ranking again is named.

Commits and digests are those by which public projects pin these files, several for each; a file from the hub with
another digest is refused. No figure of this package was measured with these models.
"""

MULTILINGUAL = RERANKERS[0].name


def find_reranker_of(reranker: Reranker) -> KnownReranker | None:
    """The known reranker that an object is, by the first word of its identity; None for any other."""
    name = reranker.identity.partition(" ")[0]
    return next((one for one in RERANKERS if one.name == name), None)
