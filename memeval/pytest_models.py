"""The models of the variants that suites are asked of, by `--memeval-embedder` and `--memeval-reranker`.

Loaded only once a suite is collected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from memeval.cli_models import Models, open_models
from memeval.errors import EmbeddingError, RunSettingError


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """What is said of one model."""

    typed: str | None
    """On the command line; it has to be of use."""
    settled: str
    """In the ini file, for the runs in which a variant takes such a model; "" = nothing."""


def open_models_of(names: Sequence[str], embedder: ModelChoice, reranker: ModelChoice, root: Path) -> Models:
    """The models that these variants need, as a run has them; nothing is downloaded.

    Args:
        names: of variants, `all` among them or not.
        embedder: of the variants that take the run's; where nothing is said, the default one.
        reranker: of the variants that read their first hits again.
        root: where a folder in the ini file is looked for.

    Raises:
        RunSettingError: an option that would do nothing, or a reranker is needed and none is named.
        EmbeddingError: a model is not to be had; the message says how to get it.
        UnknownNameError: a variant or a model that there is not.
    """
    from memeval.embedding.rerankers import RERANKERS
    from memeval.retrieval.recipes import ALL, VARIANTS, find_variant

    named = [find_variant(name) for name in names if name != ALL]
    chosen = VARIANTS if ALL in names else named
    takers = (
        ("embedder", embedder, [variant for variant in chosen if variant.needs_embedder]),
        ("reranker", reranker, [variant for variant in chosen if variant.needs_reranker or variant.takes_reranker]),
    )
    for kind, choice, taking in takers:
        if choice.typed is not None and not taking:
            raise RunSettingError(f"--memeval-{kind} changes nothing: none of the variants takes one; leave it out")
    found = {kind: _choose(choice, root) if taking else None for kind, choice, taking in takers}
    for variant in named:
        if variant.needs_reranker and found["reranker"] is None:
            known = " or ".join(model.name for model in RERANKERS)
            raise RunSettingError(
                f"{variant.name} needs a reranker: give --memeval-reranker NAME|FOLDER, or set memeval_reranker, by "
                f"name {known}"
            )
    try:
        return open_models(names, found["embedder"], download=False, reranker=found["reranker"])
    except EmbeddingError as error:
        raise EmbeddingError(_speak(str(error))) from error


def _choose(choice: ModelChoice, root: Path) -> str | None:
    """What is named; a folder in the ini file is one below `root`."""
    if choice.typed is not None or not choice.settled:
        return choice.typed
    name, equals, folder = choice.settled.rpartition("=")
    return f"{name}{equals}{root / folder}" if equals or "/" in folder else choice.settled


def _speak(text: str) -> str:
    """What an error says of options of the command line, of those here."""
    text = text.replace("--download", "`memeval run --download`, once")
    return text.replace("--embedder", "--memeval-embedder").replace("--reranker", "--memeval-reranker")
