"""The ladder: which variants may cure, the cheapest first, what each needs, and which may not be recommended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution

from memeval.bench.signalrules import VARIANT, SignalRules
from memeval.embedding.base import Embedder
from memeval.embedding.models import DEFAULT_MODEL, find_model, find_model_of
from memeval.errors import ExternalSystemError, NotInstalledError, UnknownNameError
from memeval.memory.profile import PROFILES
from memeval.retrieval.base import Variant
from memeval.retrieval.recipes import find_variant
from memeval.testbed.aliases import find_overlay
from memeval.testbed.needs import Suite
from memeval.text import utf8_length

ALIASES = "+aliases"

_ADDITIONS = {"aliases": (), "opencc": ("opencc",)}
_MODELS = {
    "hybrid": None,
    "rrf": None,
    "minilm": find_model("all-MiniLM-L6-v2"),
    "use": find_model("universal-sentence-encoder"),
}
"""With _ADDITIONS, what follows a + behind the name of an engine profile: packages, or a model; None for the run's."""
_LEXICAL = {"grep": (), "bm25": ("bm25s", "numpy")}
"""Variants of the bench that search the same files, without anything beside them."""

RED_LINES = "a remote service, a daemon or a second source of truth"
"""What no recommendation may bring."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A variant on the ladder of a suite."""

    name: str
    stage: int
    variant: Variant | None
    not_run: str | None
    """Why it cannot be run on this suite; None where it can."""
    refused: str | None
    """Why it may not be recommended; None where it may."""
    packages: tuple[str, ...]
    store_bytes: int
    """Bytes that its aliases add to the store."""


def list_steps(
    variant: Variant, suite: Suite, rules: SignalRules, *, embedder: Embedder | None = None
) -> tuple[Step, ...]:
    """The steps of the ladder for one variant on one suite, the cheapest first, with the model of the run.

    Of stage 0 the steps up to the variant itself are left out: they are the generations before it.

    Raises:
        CorpusError: the overlay of the corpus is broken.
    """
    zero = [name for name in rules.stage_0 if name != variant.name]
    if variant.name in rules.stage_0:
        zero = list(rules.stage_0[rules.stage_0.index(variant.name) + 1 :])
    aliases = find_overlay(suite.corpus)
    added = sum(utf8_length(f"{alias}, ") for words in aliases.values() for alias in words)
    steps: dict[str, Step] = {}
    for stage, names in enumerate((zero, rules.stage_1, rules.stage_2)):
        for pattern in names:
            if pattern == VARIANT + ALIASES and ALIASES in variant.name:
                continue  # it has them already
            name = pattern.replace(VARIANT, variant.name)
            if name != variant.name and name not in steps:
                has_aliases = ALIASES in name
                steps[name] = _make_step(
                    name,
                    stage,
                    embedder=embedder,
                    lacks_aliases=has_aliases and not aliases,
                    store_bytes=added if has_aliases else 0,
                )
    return tuple(steps.values())


def find_packages(name: str, embedder: Embedder | None = None) -> tuple[str, ...] | None:
    """The packages that a variant takes beside memeval; None for one whose needs are not known.

    A model that is not known by name, and one that there is not, take what the default one takes.

    Known are the engine's own profiles with what is added to them, and the bench's plain searches over the same files:
    none of them brings RED_LINES. Every other variant stands for another system.
    """
    if name in _LEXICAL:
        return _LEXICAL[name]
    profile, *additions = name.replace("-aliases", "").split("+")
    if profile not in PROFILES or any(addition not in _ADDITIONS | _MODELS for addition in additions):
        return None
    of_run = (find_model_of(embedder) if embedder is not None else None) or find_model(DEFAULT_MODEL)
    found = [
        (_MODELS[addition] or of_run).packages if addition in _MODELS else _ADDITIONS[addition]
        for addition in additions
    ]
    return tuple(dict.fromkeys(package for packages in found for package in packages))


def _make_step(name: str, stage: int, *, embedder: Embedder | None, lacks_aliases: bool, store_bytes: int) -> Step:
    packages = find_packages(name, embedder)
    variant, not_run = None, None
    try:
        variant = find_variant(name)
    except UnknownNameError:
        not_run = "no variant of that name"
    except (NotInstalledError, ExternalSystemError) as error:
        not_run = str(error)
    if variant is not None and variant.control:
        not_run = "a control, which nobody could use"
    elif variant is not None and variant.needs_embedder and embedder is None:
        not_run = "it needs an embedding model, and the run has none: give one with --embedder"
    elif variant is not None and variant.model is not None:
        not_run = f"it brings a model of its own: take memeval+hybrid with --embedder {variant.model}"
    elif variant is not None and lacks_aliases:
        not_run = "the corpus has no aliases.yaml"
    return Step(
        name=name,
        stage=stage,
        variant=variant,
        not_run=not_run,
        refused=None if packages is not None else f"it is another system, which may bring {RED_LINES}",
        packages=packages or (),
        store_bytes=store_bytes,
    )


def measure_megabytes(packages: Iterable[str]) -> float | None:
    """The megabytes that the files of these packages take where they are installed; None where one is not.

    What they bring along themselves is not counted.
    """
    size = 0
    for package in packages:
        try:
            files = distribution(package).files
        except PackageNotFoundError:
            return None
        size += sum(file.size or 0 for file in files or ())
    return round(size / 1_000_000, 1)
