"""What a run is made of: digests, configurations, seed. Equal inputs give an equal manifest, on any machine."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from memeval.retrieval.base import Variant
from memeval.testbed.aliases import digest_overlay
from memeval.testbed.needs import Suite

if TYPE_CHECKING:
    from memeval.embedding.base import Embedder, Reranker

PACKAGES_THAT_RANK = (
    *("memeval", "regex", "numpy", "bm25s"),
    *("tantivy", "lancedb", "memsearch", "pymilvus", "milvus-lite"),
)
"""Whose versions could move a figure: of every variant, then of other systems that are run themselves."""


def describe_run(
    suites: Sequence[Suite],
    variants: Sequence[Variant],
    *,
    ks: Sequence[int],
    budget_bytes: int,
    depth: int,
    seed: int,
    embedder: Embedder | None = None,
    models: Mapping[str, Embedder] | None = None,
    reranker: Reranker | None = None,
) -> dict[str, Any]:
    """The identity of a run as JSON values, without paths or times.

    `embedder` and `reranker` are there for a run that has one, `models` where a variant brings one of its own.
    """
    models = models or {}
    named = sorted({variant.model for variant in variants if variant.model is not None})
    own = {name: models[name].identity for name in named if name in models}
    return {
        "suites": [
            {
                "name": suite.name,
                "suite_digest": suite.digest,
                "corpus": suite.corpus.name,
                "corpus_digest": suite.corpus.digest,
                "project": suite.corpus.project,
                "aliases": suite.corpus.has_aliases,
                "overlay_digest": digest_overlay(suite.corpus),
            }
            for suite in suites
        ],
        "variants": [
            {"name": variant.name, "configuration": dict(variant.configuration), "source": variant.source}
            for variant in variants
        ],
        "ks": list(ks),
        "budget_bytes": budget_bytes,
        "depth": depth,
        "seed": seed,
        **({} if embedder is None else {"embedder": embedder.identity}),
        **({"models": own} if own else {}),
        **({} if reranker is None else {"reranker": reranker.identity}),
    }


def describe_versions() -> dict[str, str]:
    """Versions of Python and of the packages that could move a figure; a missing one is left out."""
    installed = {package: find_version(package) for package in PACKAGES_THAT_RANK}
    return {
        "python": platform.python_version(),
        **{package: number for package, number in installed.items() if number is not None},
    }


@cache
def find_version(package: str) -> str | None:
    """The installed version of a package, None where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
