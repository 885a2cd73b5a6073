"""The engine with meaning, as a variant: the run's model or one of its own, and a word on what is missing."""

from __future__ import annotations

import pytest

from memeval.bench.run import evaluate
from memeval.bench.subjects import compare_variant
from memeval.embedding.models import MODELS
from memeval.errors import EmbedderUnavailableError
from memeval.retrieval.base import Settings
from memeval.retrieval.hybrid import HYBRIDS
from memeval.retrieval.recipes import find_variant
from tests.embedding.conftest import TopicEmbedder

OWN = [variant for variant in HYBRIDS if variant.model]


@pytest.fixture
def notes(make_document):
    return [
        make_document("notes/redis.md", "The redis buffer is redis.\n"),
        make_document("notes/other.md", "nothing of it here\n"),
    ]


def test_found_by_meaning_with_the_model_of_the_run(notes):
    """A query without a word of the file finds it; the engine by words does not."""
    hybrid = find_variant("memeval+hybrid").build(notes, Settings(embedder=TopicEmbedder()))
    answer = hybrid.search("cache")
    assert answer.shown == ("notes/redis.md",)
    assert answer.blocks[0].heading.endswith("  [matched: by meaning]")
    assert answer.blocks[0].snippet == "\nThe redis buffer is redis."
    assert find_variant("memeval").build(notes, Settings()).search("cache").hits == ()
    assert hybrid.search("whales").hits == ()


class ByLength:
    """The shorter passage is the better one."""

    identity = "length"

    def score(self, query, passages):
        return [1 / len(passage) for passage in passages]


def test_the_first_in_the_order_of_the_runs_reranker(notes, make_document):
    """The files of memeval+hybrid in another order; where there is nothing near, nothing."""
    notes = [*notes, make_document("notes/b.md", "redis\n")]
    embedder = TopicEmbedder()
    hybrid = find_variant("memeval+hybrid").build(notes, Settings(embedder=embedder))
    again = find_variant("memeval+rerank").build(notes, Settings(embedder=embedder, reranker=ByLength()))
    assert hybrid.search("redis buffer").shown == ("notes/redis.md", "notes/b.md")
    assert again.search("redis buffer").shown == ("notes/b.md", "notes/redis.md")
    assert again.search("whales").hits == ()


@pytest.mark.parametrize("variant", OWN, ids=lambda variant: variant.name)
def test_a_model_of_its_own(variant, notes):
    """It takes its own model, whatever the run's is; it is a known one, named in the configuration."""
    run, own = TopicEmbedder("run"), TopicEmbedder("own")
    answer = variant.build(notes, Settings(embedder=run, models={variant.model: own})).search("cache")
    assert answer.shown == ("notes/redis.md",)
    assert (run.queries, own.queries) == ([], ["cache"])
    assert variant.model in {model.name for model in MODELS}
    assert variant.configuration["model"] == variant.model


def test_what_is_missing_is_told(notes):
    """Built without its model, each names it and how to give it."""
    with pytest.raises(EmbedderUnavailableError, match=r"evaluate\(…, embedder=open_embedder\(NAME\)\)"):
        find_variant("memeval+hybrid").build(notes, Settings())
    with pytest.raises(EmbedderUnavailableError, match=r"evaluate\(…, reranker=open_reranker\(NAME\)\)"):
        find_variant("memeval+rerank").build(notes, Settings(embedder=TopicEmbedder()))
    for variant in OWN:
        with pytest.raises(EmbedderUnavailableError, match=rf"needs the embedding model {variant.model}, and the run"):
            variant.build(notes, Settings(embedder=TopicEmbedder()))


def test_a_run_records_its_models(small_suite):
    """The manifest has the identity of each model that a variant of the run brings, and of no other."""
    models = {variant.model: TopicEmbedder(f"{variant.model} tiny") for variant in OWN}
    evaluation = evaluate(small_suite, ["memeval", "memeval+use"], models=models)
    assert evaluation.manifest["models"] == {"universal-sentence-encoder": "universal-sentence-encoder tiny"}
    assert [variant.error for variant in evaluation.suites[0].variants] == [None, None]
    assert "models" not in evaluate(small_suite, "memeval", models=models).manifest


def test_a_run_records_its_reranker(small_suite):
    """The manifest has its identity; without one the variant is ungradable, and another one moves the comparison."""
    given = {"embedder": TopicEmbedder(), "reranker": ByLength()}
    evaluation = evaluate(small_suite, ["memeval", "memeval+rerank"], **given)
    assert evaluation.manifest["reranker"] == "length"
    assert [variant.error for variant in evaluation.suites[0].variants] == [None, None]
    lacking = evaluate(small_suite, "memeval+rerank", embedder=TopicEmbedder())
    assert "reranker" not in lacking.manifest
    assert "needs a reranker" in lacking.suites[0].variants[0].error
    moves = compare_variant(evaluation, lacking, "memeval+rerank")
    assert [str(move) for move in moves] == ["reranker length → none"]


def test_the_plain_hybrid_always_answers(notes):
    """By reciprocal ranks alone each file is ranked, whatever is asked; what both legs rank first stands first."""
    plain = find_variant("memeval+rrf").build(notes, Settings(embedder=TopicEmbedder()))
    assert plain.search("redis").shown == ("notes/redis.md", "notes/other.md")
    assert plain.search("cache").shown[0] == "notes/redis.md"
    assert len(plain.search("whales").hits) == 2
    assert plain.search("…!?").hits == ()
