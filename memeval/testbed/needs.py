"""Needs: what an agent wants back from memory, its wordings and expected files. No searching here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memeval.testbed.corpus import Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """One way of asking for a need."""

    text: str
    kind: str | None = None
    """`same-words`, `paraphrase`, `unseen-words`, `symptom`, `cross-lingual`, …; None where nobody said."""
    elicited: str | None = None
    """`free` (what came to mind, no word to avoid), `requested` (a kind was asked for), or None."""
    must_find: bool = False
    """A loss on this very wording is a regression."""
    lang: str | None = None
    """Language of this wording when it differs from the need's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One thing the agent wants back, first thought first."""

    id: str
    expected: Mapping[str, int]
    """{doc_id: grade >= 0}; relevant = grade >= 1. Without a relevant one nothing is stored: the search should stay silent."""
    wordings: tuple[Wording, ...]
    lang: str | None = None
    must_find: bool = False
    """Lost when none of its wordings is found."""
    evidence: str | None = None
    """Text that should be recognisable in the snippet of an expected file."""
    tags: tuple[str, ...] = ()
    line: int | None = None
    """Where it stands in its file, for messages."""

    @property
    def relevant(self) -> frozenset[str]:
        """The doc_ids that answer the need; empty when nothing is stored."""
        return frozenset(doc_id for doc_id, grade in self.expected.items() if grade >= 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One wording as it is run."""

    id: str
    """`need[i]`; for BEIR the query's own id."""
    need: Need
    index: int
    wording: Wording


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A corpus and the needs it is asked for."""

    name: str
    path: str
    """As given by the caller, for messages."""
    corpus: Corpus
    needs: tuple[Need, ...]
    digest: str
    """SHA-256 over ids, wordings, expected files and flags: `sha256:<hex>`."""
    lang: str | None = None
    kind: str = "recall"
    """`recall` (a suite file) or `beir`."""
    unjudged_queries: int = 0
    """Queries of a BEIR folder left out because no qrels row names them."""

    def queries(self) -> tuple[Query, ...]:
        """Every wording of every need, in file order."""
        return tuple(
            Query(
                id=need.id if self.kind == "beir" else f"{need.id}[{index}]",
                need=need,
                index=index,
                wording=wording,
            )
            for need in self.needs
            for index, wording in enumerate(need.wordings)
        )
