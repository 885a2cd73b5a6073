"""What a retriever is, the one tie rule, and the contract every variant keeps. No variant lives here."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, Protocol

from memeval.errors import ContractError, UngradableError
from memeval.memory.document import Document

if TYPE_CHECKING:
    from memeval.embedding.base import Embedder, Reranker

DEFAULT_BUDGET_BYTES = 16_384
"""The reference engine's cap on what one search may show."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One ranked document; its rank is its place in the list, from 1."""

    doc_id: str
    score: float


@dataclass(frozen=True, slots=True)
class Block:
    """What is displayed of one document, exactly as the reader sees it."""

    doc_id: str
    text: str
    heading: str = ""
    """How the text begins, as far as that is not taken from the document: its path, the terms found."""

    @property
    def snippet(self) -> str:
        """What is displayed of the document's own text."""
        return self.text.removeprefix(self.heading)


@dataclass(frozen=True, slots=True)
class Answer:
    """What one search gives back: every candidate in order, and what is displayed under the cap."""

    hits: tuple[Hit, ...]
    """All candidates at any depth, best first."""
    blocks: tuple[Block, ...]
    """The documents displayed, in order of display."""
    text: str
    """The whole text displayed, summary and markers included."""

    @property
    def shown(self) -> tuple[str, ...]:
        """The doc_ids displayed, in order of display."""
        return tuple(block.doc_id for block in self.blocks)


Rank = Callable[[str], tuple[Hit, ...]]
"""Query -> every candidate, best first. The stage before the cut."""


class Retriever(Protocol):
    """A named configuration of a search over one fixed set of documents."""

    def search(self, query: str) -> Answer:
        """The answer to a query; the text of the query is all it may know of the need."""
        ...


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run may set for every variant."""

    budget_bytes: int = DEFAULT_BUDGET_BYTES
    """Cap in UTF-8 bytes on what is shown by variants that bring no cap of their own."""
    engine_cap_bytes: int | None = None
    """Cap in place of the one that a profile of the engine brings: what a larger one would show. None in every run."""
    seed: int = 0
    answers: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Query text -> {doc_id: grade}. Only the `oracle` control reads it."""
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """{doc_id: its aliases in the overlay of the corpus}. Only variants with `+aliases` read it."""
    embedder: Embedder | None = None
    """The model of every dense leg, so that models do not confound a comparison; None = the run brings none."""
    models: Mapping[str, Embedder] = field(default_factory=dict)
    """{name: model} for variants that bring a model of their own."""
    reranker: Reranker | None = None
    """Of the variants that read their first hits again; None = the run brings none."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One entry of the registry in recipes.py."""

    name: str
    description: str
    source: str
    """Where its rule comes from."""
    build: Callable[[Sequence[Document], Settings], Retriever]
    configuration: Mapping[str, str | int | float] = field(default_factory=dict)
    """Its numbers and choices by name, as recorded with every result."""
    control: bool = False
    """A floor or a ceiling, not a system anyone would choose."""
    default: bool = False
    """Run when no variant is named."""
    needs_embedder: bool = False
    """It cannot be built without `Settings.embedder`. Never a default."""
    model: str | None = None
    """The embedding model that it brings of its own: it cannot be built without it in `Settings.models`. Never a
    default."""
    needs_reranker: bool = False
    """It cannot be built without `Settings.reranker`. Never a default."""
    takes_reranker: bool = False
    """It reads its first hits again with `Settings.reranker`; without one it does what its system does without that."""
    always_answers: bool = False
    """It gives something back whatever is asked: it injects, or has no floor of relevance."""
    has_own_cap: bool = False
    """What it shows is limited by its own rule, so that `Settings.budget_bytes` is not its cap."""


def rank_hits(scores: Mapping[str, float] | Iterable[tuple[str, float]]) -> tuple[Hit, ...]:
    """Hits by score descending, then doc_id ascending: the only tie rule there is."""
    ordered = sorted(scores.items() if isinstance(scores, Mapping) else scores)
    ordered.sort(key=itemgetter(1), reverse=True)  # stable: equal scores keep the order of their ids
    return tuple(Hit(doc_id, score) for doc_id, score in ordered)


def check_answer(answer: Answer, doc_ids: Collection[str]) -> None:
    """None for an answer that keeps the contract of every variant.

    Raises:
        ContractError: an id is unknown or repeated, a score not finite or above the one before it, a document shown
            but not ranked, or shown twice.
    """
    seen: set[str] = set()
    previous = math.inf
    for rank, hit in enumerate(answer.hits, start=1):
        if hit.doc_id not in doc_ids:
            raise ContractError(f"rank {rank}: {hit.doc_id!r} is not a document of this corpus")
        if hit.doc_id in seen:
            raise ContractError(f"rank {rank}: {hit.doc_id!r} was already ranked")
        if not math.isfinite(hit.score):
            raise ContractError(f"rank {rank}: score {hit.score!r} of {hit.doc_id!r} is not finite")
        if hit.score > previous:
            raise ContractError(f"rank {rank}: score {hit.score!r} of {hit.doc_id!r} rises above the one before")
        seen.add(hit.doc_id)
        previous = hit.score
    for block in answer.blocks:
        if block.doc_id not in seen:
            raise ContractError(f"{block.doc_id!r} is shown but not ranked")
    if len(set(answer.shown)) != len(answer.blocks):
        raise ContractError("a document is shown twice")


def open_retriever(build: Callable[[], Retriever]) -> Retriever:
    """What `build` gives.

    Raises:
        UngradableError: it raises anything; the message says that the variant cannot be built, and why.
    """
    try:
        return build()
    except Exception as error:
        raise UngradableError(f"cannot be built: {type(error).__name__}: {error}") from error


@contextmanager
def name_breakage() -> Iterator[None]:
    """A block in which a retriever is asked and its answer is checked.

    Raises:
        UngradableError: anything is raised in it; the message is the reason, as a run records it.
    """
    try:
        yield
    except ContractError as error:
        raise UngradableError(f"broke the contract: {error}") from error
    except Exception as error:
        raise UngradableError(f"{type(error).__name__}: {error}") from error
