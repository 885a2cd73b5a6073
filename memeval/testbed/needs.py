"""Needs: what an agent wants back from memory, its wordings and expected files. No searching here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from memeval.testbed.corpus import Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """One way of asking for a need."""

    text: str
    kind: str | None = None
    """`same-words`, `paraphrase`, `unseen-words`, `symptom`, `cross-lingual`, …; None where nobody said."""
    elicited: str | None = None
    """`free` (what came to mind, no word to avoid), `requested` (a kind was asked for), or None."""
    writer: str | None = None
    """Whose words they are, as a letter or a short name; wordings without one are of the suite's first writer."""
    must_find: bool = False
    """A loss on this very wording is a regression."""
    lang: str | None = None
    """Language of this wording when it differs from the need's."""
    line: int | None = field(default=None, compare=False)
    """Where it stands in its file, for messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One thing the agent wants back, first thought first."""

    id: str
    expected: Mapping[str, int]
    """{doc_id: grade >= 0}; relevant = grade >= 1, 0 = judged and no answer. Without a relevant one nothing is stored:
    best is silence."""
    wordings: tuple[Wording, ...]
    unanswering: tuple[str, ...] = ()
    """Those of `expected` that only the judgements beside the suite name, with grade 0: often many."""
    lang: str | None = None
    must_find: bool = False
    """Lost when none of its wordings is found."""
    evidence: str | None = None
    """Text that should be recognisable in the snippet of an expected file."""
    tags: tuple[str, ...] = ()
    situation: str | None = None
    """What the agent is in the middle of when it asks; shown to whoever writes wordings."""
    note: str | None = None
    """Why the need exists, for whoever reads the suite."""
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
    """SHA-256 over ids, wordings, expected files, evidence and flags: `sha256:<hex>`."""
    judged_on: str | None = None
    """The day on which documents were judged for these needs, `YYYY-MM-DD`; None where nobody said."""
    lang: str | None = None
    kind: str = "recall"
    """`recall` (a suite file) or `beir`."""
    description: str = ""
    unjudged_queries: int = 0
    """Queries of a BEIR folder left out because no qrels row judges them against a document that exists."""
    unknown_documents: int = 0
    """Qrels rows of a BEIR folder with grade >= 1 left out because corpus.jsonl has no such document."""

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

    def qrels(self) -> dict[str, dict[str, int]]:
        """{query id: {doc_id: grade}} of every query, in file order; {} where nothing is stored."""
        return {query.id: dict(query.need.expected) for query in self.queries()}


def digest_needs(needs: Iterable[Need]) -> str:
    """`sha256:<hex>` over what decides a score: ids, wordings, kinds, expected files, flags and evidence, as JSON."""
    content = [
        {
            "id": need.id,
            "expected": dict(need.expected),
            "must_find": need.must_find,
            "evidence": need.evidence,
            "wordings": [
                [wording.text, wording.kind, wording.elicited, wording.must_find] for wording in need.wordings
            ],
        }
        for need in needs
    ]
    canonical = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(canonical.encode('utf-8')).hexdigest()}"
