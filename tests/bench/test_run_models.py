"""evaluate: the models that a run brings, and which of its variants they reach."""

from __future__ import annotations

import dataclasses

import numpy as np

import memeval
from memeval.embedding.background import BACKGROUND
from memeval.embedding.kept import keep_vectors
from tests.embedding.conftest import TopicEmbedder


def test_a_variant_that_needs_an_embedder_gets_that_of_the_run(small_suite):
    """Its identity is part of the manifest; without one the queries are ungradable and say what is missing."""

    class Model:
        identity = "two numbers"
        dimension = 2
        calibration = None

        def embed_queries(self, texts):
            return np.array([[1.0, 0.0]] * len(texts), dtype=np.float32)

        embed_passages = embed_queries

    def by_id(evaluation, variant):
        (results,) = [result for result in evaluation.suites[0].variants if result.name == variant]
        return {query.id: query for query in results.queries}

    with_model = memeval.evaluate(small_suite, "memsearch", embedder=Model())
    assert with_model.manifest["embedder"] == "two numbers"
    assert all(result.verdict != "ungradable" for result in by_id(with_model, "memsearch").values())
    without = memeval.evaluate(small_suite, ["memsearch", "bm25"])
    assert "embedder" not in without.manifest
    assert {result.verdict for result in by_id(without, "memsearch").values()} == {"ungradable"}
    assert "embedding model" in by_id(without, "memsearch")["naming-rules[0]"].reason
    assert "ungradable" not in {result.verdict for result in by_id(without, "bm25").values()}


def test_variants_of_a_run_share_their_vectors(small_suite, tmp_path):
    """However many variants cut alike, each passage is embedded once; kept in a folder, a second run embeds nothing.

    The evaluation is the same to the byte, but for its timings.
    """
    names = ["memeval+hybrid", "memeval+rrf", "memeval+use", "memsearch", "memsearch-2.5"]

    def run(models, embedder):
        evaluation = memeval.evaluate(small_suite, names, embedder=embedder, models=models)
        return dataclasses.replace(evaluation, timings={}).to_json()

    counting = TopicEmbedder("topics")
    plain = run({"universal-sentence-encoder": TopicEmbedder("topics")}, counting)
    assert len(counting.passages) == len(set(counting.passages)) > len(BACKGROUND)
    first, second = TopicEmbedder("topics"), TopicEmbedder("topics")
    for model in (first, second):
        kept = keep_vectors(model, tmp_path / "vectors")
        assert run({"universal-sentence-encoder": kept}, kept) == plain
    assert first.passages == counting.passages
    assert first.queries != []
    assert (second.passages, second.queries) == ([], [])
