"""What a run is made of: digests, configurations, seed. Equal inputs give an equal manifest, on any machine."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from memeval.retrieval.base import Variant
from memeval.testbed.needs import Suite

PACKAGES_THAT_RANK = ("memeval", "regex", "numpy", "bm25s")
"""Whose versions could move a figure."""


def describe_run(
    suites: Sequence[Suite],
    variants: Sequence[Variant],
    *,
    ks: Sequence[int],
    budget_bytes: int,
    depth: int,
    seed: int,
) -> dict[str, Any]:
    """The identity of a run as JSON values, without paths or times."""
    return {
        "suites": [
            {
                "name": suite.name,
                "suite_digest": suite.digest,
                "corpus": suite.corpus.name,
                "corpus_digest": suite.corpus.digest,
                "project": suite.corpus.project,
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
    }


def describe_versions() -> dict[str, str]:
    """Versions of Python and of the packages that could move a figure; a missing one is left out."""
    found = {"python": platform.python_version()}
    for package in PACKAGES_THAT_RANK:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
