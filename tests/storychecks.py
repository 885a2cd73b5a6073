"""The measures of the stories in corpora/stories: one suite asked of one variant, and what may hold of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from memeval import Memory, load_suite
from memeval.bench.evaluation import QueryResult
from memeval.bench.run import SuiteRunner, build_settings
from memeval.memory.document import Document
from memeval.retrieval.base import Answer, Hit, Retriever, Settings, Variant
from memeval.retrieval.cut import Cut
from memeval.retrieval.lexical import Bm25Ranking
from memeval.retrieval.recipes import Pipeline, find_variant
from memeval.retrieval.tokens import TokenTerms
from memeval.testbed.aliases import overlay_aliases
from memeval.testbed.needs import Suite

ROOT = Path(__file__).parents[1]
CORPORA = ROOT / "corpora" / "stories"
QUERIES = ROOT / "queries" / "stories"

FLOOR = 0.35  # a share of the best score of the same query


def keep_above(hits: tuple[Hit, ...], share: float) -> tuple[Hit, ...]:
    """The hits that score at least this share of the best one: a score threshold, which no variant has."""
    return tuple(hit for hit in hits if hit.score >= share * hits[0].score)


def build_floored(documents: Sequence[Document], settings: Settings) -> Retriever:
    """BM25 with a score floor before the cut."""
    ranking = Bm25Ranking(documents)
    cut = Cut(documents, TokenTerms(), settings.budget_bytes)
    return Pipeline(lambda query: keep_above(ranking.rank(query), FLOOR), cut)


FLOORED = Variant(name="bm25-floor", description="bm25 above a score floor", source="test", build=build_floored)


@dataclass(frozen=True)
class Case:
    """One suite asked of one variant."""

    runner: SuiteRunner
    retriever: Retriever

    def result(self, wording: str) -> QueryResult:
        """How the wording was graded; a wording that is not in the suite is a mistake in the table."""
        (query_id,) = (query.id for query in self.runner.suite.queries() if query.wording.text == wording)
        result = self.runner.run_query(query_id)
        assert result.verdict != "ungradable", result.reason
        return result

    def answer(self, wording: str) -> Answer:
        """What was shown, with its text."""
        return self.retriever.search(self.result(wording).text)

    def ranks(self, wording: str) -> dict[str, int]:
        """{path within the project: rank}."""
        folder = f"projects/{self.runner.suite.corpus.project}/"
        hits = self.answer(wording).hits
        return {hit.doc_id.removeprefix(folder): rank for rank, hit in enumerate(hits, start=1)}

    def memory(self, day: str = "2026-01-15") -> Memory:
        corpus = self.runner.suite.corpus
        return Memory(CORPORA / corpus.name, project=corpus.project, today=day, profile=self.runner.variant.name)


@lru_cache
def load(name: str) -> Suite:
    """The suite of that name, with the overlay where the name ends in `+aliases`."""
    base = name.removesuffix("+aliases")
    suite = load_suite(QUERIES / f"{base}.recall.yaml")
    return suite if name == base else overlay_aliases(suite)


@lru_cache
def run(name: str, variant_name: str) -> Case:
    suite = load(name)
    variant = FLOORED if variant_name == FLOORED.name else find_variant(variant_name)
    settings = build_settings(suite)
    return Case(SuiteRunner(suite, variant, settings=settings), variant.build(suite.corpus.documents, settings))


@dataclass(frozen=True)
class Check:
    """A measure that holds or does not, with the words a failure is reported in."""

    label: str
    holds: Callable[[Case], bool]


def found(wording: str) -> Check:
    """An expected file is shown; where nothing is stored, nothing is."""
    return Check(f"found {wording!r}", lambda case: case.result(wording).verdict == "hit")


def found_all(wording: str) -> Check:
    """Every expected file is shown."""
    return Check(f"found_all {wording!r}", lambda case: case.result(wording).found_all is True)


def evidence(wording: str) -> Check:
    """The need's evidence stands in what is shown of an expected file."""
    return Check(f"evidence {wording!r}", lambda case: case.result(wording).evidence_shown is True)


def within(wording: str, k: int) -> Check:
    """An expected file is among the first k."""

    def holds(case: Case) -> bool:
        ranks = case.result(wording).expected_ranks.values()
        return min((rank for rank in ranks if rank is not None), default=math.inf) <= k

    return Check(f"within {k} {wording!r}", holds)


def above(wording: str, right: str, wrong: str) -> Check:
    """The right file is ranked before the wrong one, or the wrong one not at all."""

    def holds(case: Case) -> bool:
        ranks = case.ranks(wording)
        return right in ranks and ranks[right] < ranks.get(wrong, math.inf)

    return Check(f"{right} above {wrong} {wording!r}", holds)


def hides(wording: str, text: str) -> Check:
    """Something is shown, and this text is not in it."""

    def holds(case: Case) -> bool:
        answer = case.answer(wording)
        return bool(answer.blocks) and text not in answer.text

    return Check(f"hides {text!r} {wording!r}", holds)


def first_says(wording: str, text: str) -> Check:
    """The first file shown, as a reader opens it, holds the text."""

    def holds(case: Case) -> bool:
        shown = case.answer(wording).shown
        texts = {document.doc_id: document.text for document in case.runner.suite.corpus.documents}
        return bool(shown) and text in texts[shown[0]]

    return Check(f"first says {text!r} {wording!r}", holds)


def one_file_says(wording: str, *texts: str) -> Check:
    """One of the files shown holds all the texts."""

    def holds(case: Case) -> bool:
        shown = set(case.answer(wording).shown)
        documents = (document for document in case.runner.suite.corpus.documents if document.doc_id in shown)
        return any(all(text in document.text for text in texts) for document in documents)

    return Check(f"one file says {texts} {wording!r}", holds)


def injects(text: str, day: str = "2026-01-15") -> Check:
    """The text stands in what a session of that day starts with."""
    return Check(f"injects {text!r}", lambda case: text in (case.memory(day).context_block() or ""))


def reads(note: str, *texts: str) -> Check:
    """One read of the note gives all the texts."""
    return Check(f"reads {note}", lambda case: all(text in case.memory().read("note", note) for text in texts))
