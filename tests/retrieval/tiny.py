"""A model small enough to check by hand: a text is the words it holds, and words of one meaning are one."""

from __future__ import annotations

import hashlib

import numpy as np

from memeval.embedding.nearness import Calibration
from memeval.retrieval.tokens import tokenise

MEANINGS = (
    ("automobile", "car", "汽车", "汽車"),
    ("physician", "doctor", "医生", "醫生"),
    ("storage", "disk", "硬碟", "硬盘"),
)


class TinyEmbedder:
    """An Embedder of 8192 numbers: each distinct token, or what it means, adds 1 at one of them.

    Two texts of m and n tokens with k in common have the cosine k / sqrt(m * n); a text without a token is all zeros.
    """

    identity = "tiny"
    dimension = 8192
    floor = 0.3
    calibration = Calibration(0.1, 0.9)

    def embed_queries(self, texts):
        return self.embed_passages(texts)

    def embed_passages(self, texts):
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for token in set(tokenise(text)):
                row[place_of(token)] = 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-12))


class TinyReranker:
    """A Reranker: the share of a passage's tokens that the query holds, backwards, so that it changes every order."""

    identity = "tiny reranker"

    def score(self, query, passages):
        asked = set(tokenise(query))
        return [1 - len(asked & set(tokenise(passage))) / (1 + len(tokenise(passage))) for passage in passages]


def place_of(token: str) -> int:
    """Where a token counts: by the first word of its meaning, and a hash that is the same everywhere."""
    meaning = next((words[0] for words in MEANINGS if token in words), token)
    digest = hashlib.sha256(meaning.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:4], "big") % TinyEmbedder.dimension
