"""Tiny suites whose misses are worked out by hand."""

from __future__ import annotations

from memeval.bench.missdiagnosis import DiagnosedMiss, Diagnoser
from memeval.bench.missground import Ground
from memeval.memory.document import Document, Tier
from memeval.retrieval.base import Settings
from memeval.retrieval.recipes import find_variant
from memeval.testbed.corpus import Corpus
from memeval.testbed.needs import Need, Suite, Wording


def make_documents(texts: dict[str, str]) -> tuple[Document, ...]:
    """{name: text} as notes, sorted."""
    return tuple(
        Document(doc_id=name, path=name, tier=Tier.NOTE, name=name, text=text) for name, text in sorted(texts.items())
    )


def make_suite(texts: dict[str, str], *wordings: str, expected: str = "a.md", **fields: object) -> Suite:
    """A suite of one need over these notes; `fields` are the need's, but for `corpus`, the corpus's."""
    facts = fields.pop("corpus", {})
    need = Need(id="n", expected={expected: 1}, wordings=tuple(Wording(text=text) for text in wordings), **fields)
    corpus = Corpus(name="tiny", documents=make_documents(texts), digest="sha256:0", **facts)
    return Suite(name="tiny", path="tiny.recall.yaml", corpus=corpus, needs=(need,), digest="sha256:0")


def make_ground(texts: dict[str, str], variant: str = "article", **fields: object) -> Ground:
    """The ground for a variant over these notes."""
    return Ground(documents=make_documents(texts), variant=find_variant(variant), **fields)


def diagnose(suite: Suite, variant: str = "article", k: int | None = None, **settings: object) -> DiagnosedMiss:
    """What is said of the first wording, which must be a miss."""
    diagnoser = Diagnoser(suite, find_variant(variant), Settings(**settings), k)
    miss = diagnoser.diagnose_query(suite.queries()[0])
    assert miss is not None, "the wording is found"
    return miss


def trial_of(miss: DiagnosedMiss, name: str):
    """The trial of that name."""
    return next(trial for trial in miss.trials if trial.name == name)
