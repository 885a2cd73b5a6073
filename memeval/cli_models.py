"""The models of a run: which of its variants need one, where it is found, what is left out without it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memeval.cli_parameters import (
    DOWNLOAD_OPTION,
    EMBEDDER_OPTION,
    RERANKER_OPTION,
    VECTORS_OPTION,
    list_places,
)
from memeval.cli_process import echo
from memeval.errors import EmbeddingError

if TYPE_CHECKING:
    from memeval.embedding.base import Embedder, Reranker
    from memeval.embedding.kept import KeptEmbedder
    from memeval.embedding.sources import ModelPlaces
    from memeval.retrieval.base import Variant
    from memeval.testbed.needs import Suite


@dataclass(frozen=True, slots=True)
class Models:
    """What the variants of a run are given. None embeds a passage twice, whichever variants and runs share it."""

    embedder: KeptEmbedder | None = None
    """Of every variant that takes the run's."""
    own: Mapping[str, KeptEmbedder] = field(default_factory=dict)
    """{name: model} for variants that bring one of their own."""
    reranker: Reranker | None = None
    """Of every variant that reads its first hits again."""

    def close(self) -> None:
        """Write what is not written yet of the vectors; where that cannot be done, stderr says why."""
        kept = {model.identity: model for model in (*self.own.values(), *([self.embedder] if self.embedder else []))}
        for model in kept.values():
            model.flush()
            if model.problem is not None:
                echo(f"memeval: warning: vectors are not kept: {model.problem}", err=True)


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What the options of models say."""

    embedder: str | None
    reranker: str | None
    download: bool
    vectors: Path | None = None

    def choose(self, names: Sequence[str], *tried: str) -> tuple[Models, tuple[Variant, ...]]:
        """(models, variants) of a run: the variants of these names, none meaning the default ones, and what they take.

        `tried` are variants that may be asked as well. Raises as `open_models` does. What is not written yet of the
        vectors is, when the verb is left.
        """
        from memeval.retrieval.recipes import select_variants

        models = open_models(
            (*names, *tried), self.embedder, download=self.download, reranker=self.reranker, vectors=self.vectors
        )
        click.get_current_context().call_on_close(models.close)
        chosen = select_variants(
            names,
            has_embedder=models.embedder is not None,
            models=models.own,
            has_reranker=models.reranker is not None,
        )
        return models, chosen


def model_options(command: Callable[..., None]) -> Callable[..., None]:
    """The verb with the options of models, which it is given as one argument, `wanted_models`."""

    @wraps(command)
    def call(
        *,
        embedder: str | None,
        reranker: str | None,
        download: bool,
        vectors: Path | None,
        **rest: Any,  # noqa: ANN401
    ) -> None:
        command(wanted_models=ModelOptions(embedder, reranker, download, vectors), **rest)

    return EMBEDDER_OPTION(RERANKER_OPTION(DOWNLOAD_OPTION(VECTORS_OPTION(call))))


def refuse_model(option: str, variant: Variant, reason: str) -> None:
    """Raise click.UsageError for a variant that takes a model, in a verb that gives none."""
    if variant.needs_embedder or variant.needs_reranker or variant.model is not None:
        raise click.UsageError(f"{option} {variant.name} needs a model, and none is given here: {reason}")


def open_models(
    names: Sequence[str],
    choice: str | None,
    *,
    download: bool,
    reranker: str | None = None,
    vectors: Path | None = None,
) -> Models:
    """The models that these variants need, each found where it is on this machine; see `--embedder`, `--reranker`.

    A variant that is named needs its model; of those that `all` stands for, what cannot be had is told on stderr.

    Args:
        names: of variants, `all` among them or not.
        choice: what --embedder says; None = the default model, where a variant needs one.
        download: whether the model hub may be asked.
        reranker: what --reranker says; None = the run has none.
        vectors: the folder that keeps them from one run to the next; None = they are not kept.

    Raises:
        click.UsageError: an option that would do nothing, or a reranker is needed and none is named.
        EmbeddingError: a model is not to be had; the message says how to get it.
        UnknownNameError: a variant that there is not.
    """
    from memeval.retrieval.recipes import ALL, VARIANTS, find_variant

    named = [find_variant(name) for name in names if name != ALL]
    chosen = [*VARIANTS, *_take_external()] if ALL in names else named
    if reranker is None:
        chosen = _leave_out_rerankers(named, chosen)
    elif not any(variant.needs_reranker or variant.takes_reranker for variant in chosen):
        raise click.UsageError("--reranker changes nothing: none of the variants reads its first again; leave it out")
    if choice is not None and not any(variant.needs_embedder for variant in chosen):
        raise click.UsageError("--embedder changes nothing: none of the variants takes the run's model; leave it out")
    idle = "--download" if download else "--vectors" if vectors is not None else None
    if idle is not None and not any(variant.needs_embedder or variant.model for variant in chosen):
        raise click.UsageError(f"{idle} changes nothing: none of the variants has an embedding model; leave it out")
    places = list_places(download=download)
    embedder = _open_embedder(named, chosen, choice, places)
    wanted = {variant.model for variant in named if variant.model}
    own: dict[str, Embedder] = {}
    for variant in chosen:
        if variant.model is not None and variant.model not in own:
            takers = [taker.name for taker in chosen if taker.model == variant.model]
            model = _open_own(variant.model, takers, embedder, places, is_wanted=variant.model in wanted)
            own |= {} if model is None else {variant.model: model}
    from memeval.embedding.kept import keep_vectors, share_vectors
    from memeval.embedding.sources import open_reranker_choice

    def keep(model: Embedder) -> KeptEmbedder:
        return share_vectors(model) if vectors is None else keep_vectors(model, vectors)

    run = None if embedder is None else keep(embedder)
    kept = {name: run if run is not None and model is embedder else keep(model) for name, model in own.items()}
    return Models(run, kept, None if reranker is None else open_reranker_choice(reranker, places))


def warn_of_languages(suites: Iterable[Suite], models: Models, variants: Sequence[Variant]) -> None:
    """Say on stderr which stores a model of these variants cannot read."""
    from memeval.embedding.models import DEFAULT_MODEL, Reader, find_model_of, warn_of_language
    from memeval.embedding.rerankers import MULTILINGUAL, find_reranker_of

    embedders = [models.own[variant.model] for variant in variants if variant.model is not None]
    if models.embedder is not None and any(variant.needs_embedder for variant in variants):
        embedders.append(models.embedder)
    known = {model.name: model for model in map(find_model_of, embedders) if model is not None}
    readers: list[tuple[Reader, str]] = [(model, DEFAULT_MODEL) for model in known.values()]
    reranker = None if models.reranker is None else find_reranker_of(models.reranker)
    readers += [] if reranker is None else [(reranker, MULTILINGUAL)]
    for suite in suites:
        for model, instead in readers:
            warning = warn_of_language(model, (document.text for document in suite.corpus.documents), instead)
            if warning is not None:
                echo(f"memeval: note: {suite.name}: {warning}", err=True)


def _take_external() -> tuple[Variant, ...]:
    """The variants beside memeval's own that `all` stands for; what it leaves out is told on stderr."""
    from memeval.retrieval.recipes import look_beside

    beside = look_beside()
    if beside.lacking:
        names = ", ".join(variant.name for variant, _ in beside.lacking)
        echo(f"memeval: note: not installed, so not in all: {names}; `memeval list variants` says how", err=True)
    for reason in beside.broken:
        echo(f"memeval: warning: the variant {reason}", err=True)
    return beside.variants


def _leave_out_rerankers(named: Sequence[Variant], chosen: Sequence[Variant]) -> list[Variant]:
    """The variants that need no reranker; those of `all` that do are told on stderr, one that is named is an error."""
    from memeval.embedding.rerankers import RERANKERS

    how = f"`memeval run --reranker NAME|FOLDER`, by name {' or '.join(known.name for known in RERANKERS)}"
    for variant in named:
        if variant.needs_reranker:
            raise click.UsageError(f"{variant.name} needs a reranker: {how}")
    takers = [variant.name for variant in chosen if variant.needs_reranker]
    if takers:
        echo(f"memeval: note: left out of all: {', '.join(takers)}: no reranker is named: {how}", err=True)
    return [variant for variant in chosen if not variant.needs_reranker]


def _open_embedder(
    named: Sequence[Variant], chosen: Sequence[Variant], choice: str | None, places: ModelPlaces
) -> Embedder | None:
    from memeval.embedding.models import DEFAULT_MODEL
    from memeval.embedding.sources import open_choice

    takers = [variant.name for variant in chosen if variant.needs_embedder]
    if not takers:
        return None
    try:
        return open_choice(DEFAULT_MODEL if choice is None else choice, places)
    except EmbeddingError as error:
        if choice is not None or any(variant.needs_embedder for variant in named):
            raise
        echo(f"memeval: note: left out of all: {', '.join(takers)}: {error}", err=True)
        return None


def _open_own(
    name: str, takers: Sequence[str], embedder: Embedder | None, places: ModelPlaces, *, is_wanted: bool
) -> Embedder | None:
    """The model of that name, the run's where it is that one; None where it cannot be had and need not be."""
    from memeval.embedding.models import find_model_of
    from memeval.embedding.sources import open_embedder

    shared = find_model_of(embedder) if embedder is not None else None
    if shared is not None and shared.name == name:
        return embedder
    try:
        return open_embedder(name, places)
    except EmbeddingError as error:
        if is_wanted:
            raise
        echo(f"memeval: note: left out of all: {', '.join(takers)}: {error}", err=True)
        return None
