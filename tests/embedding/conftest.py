"""A model that can be read by eye, and documents for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from memeval.embedding.nearness import Calibration

TOPICS = {
    "cache": 0, "redis": 0, "buffer": 0,
    "port": 1, "6380": 1, "listen": 1,
    "deploy": 2, "ship": 2, "release": 2,
    "river": 3, "rice": 4, "museum": 5, "whales": 6, "qwsdrt": 7,
}  # fmt: skip
"""Words of one meaning share an axis; every other word lies on the last one."""


class TopicEmbedder:
    """A text is the sum of its words' axes: synonyms share one. Counts what it is asked to embed."""

    def __init__(self, name="topics", calibration=Calibration(0.2, 0.9)):  # noqa: B008 - a frozen value
        self.identity = name
        self.dimension = 9
        self.calibration = calibration
        self.passages = []
        self.queries = []

    def embed_queries(self, texts):
        self.queries += texts
        return self._embed(texts)

    def embed_passages(self, texts):
        self.passages += texts
        return self._embed(texts)

    def _embed(self, texts):
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[8] = 0.01
            for word in text.lower().replace(">", " ").split():
                row[TOPICS.get(word.strip(".,:"), 8)] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@dataclass(frozen=True)
class Page:
    """What an index sees of a document."""

    doc_id: str
    text: str

    @property
    def name(self):
        return self.doc_id.rsplit("/", 1)[-1]


@pytest.fixture
def embedder():
    """A fresh one, so that its counts begin at nothing."""
    return TopicEmbedder()
