"""Evaluations made by hand, to be compared."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest

from memeval.bench.evaluation import Evaluation, QueryResult, SuiteResult, VariantResult
from memeval.bench.summary import score_results, summarise
from memeval.testbed.needs import Suite
from tests.bench.told import build_suite, write_store

KS = (1, 5)


def ask(text: str, *hits: str | tuple[str, float], shown: int | None = None, **fields: object) -> QueryResult:
    """One wording and what came back for it: documents from the best on, with a score or a falling one."""
    scored = [(hit, 10.0 - place) if isinstance(hit, str) else hit for place, hit in enumerate(hits)]
    ids = tuple(doc_id for doc_id, _ in scored)
    values: dict[str, object] = {
        "id": "",
        "need": "",
        "wording": 0,
        "text": text,
        "expected": {},
        "verdict": "",
        "found": None,
        "found_all": None,
        "matched": len(ids),
        "shown": ids[:shown],
        "bytes": 100,
        "ranking": tuple(scored),
    }
    return QueryResult(**{**values, **fields})


def make_variant(needs: Mapping[str, tuple[object, Sequence[QueryResult]]], name: str = "engine") -> VariantResult:
    """A variant from {need: (expected ids or {id: grade}, wordings)}."""
    queries = []
    for need, (expected, wordings) in needs.items():
        grades = dict(expected) if isinstance(expected, Mapping) else dict.fromkeys(expected, 1)
        for place, query in enumerate(wordings):
            relevant = {doc_id for doc_id, grade in grades.items() if grade > 0}
            ranks = {doc_id: rank for rank, (doc_id, _) in enumerate(query.ranking, start=1)}
            shown = set(query.shown)
            hit = bool(relevant & shown) if relevant else not shown
            graded = query.verdict != "ungradable"
            queries.append(
                dataclasses.replace(
                    query,
                    id=f"{need}[{place}]",
                    need=need,
                    wording=place,
                    expected=grades,
                    expected_ranks=query.expected_ranks or {doc_id: ranks.get(doc_id) for doc_id in sorted(relevant)},
                    verdict=("hit" if hit else "miss") if graded else "ungradable",
                    found=bool(relevant & shown) if relevant and graded else None,
                    found_all=relevant <= shown if relevant and graded else None,
                )
            )
    return VariantResult(name=name, summary=summarise(score_results(queries, KS), KS), queries=tuple(queries))


def make_evaluation(
    *variants: VariantResult | Mapping[str, tuple[object, Sequence[QueryResult]]],
    suite: str = "shop",
    documents: int = 40,
    ruler: str = "needs-1",
    corpus: str = "files-1",
    configuration: Mapping[str, object] | None = None,
    **manifest: object,
) -> Evaluation:
    """An evaluation of one suite."""
    made = tuple(one if isinstance(one, VariantResult) else make_variant(one) for one in variants)
    names = dict.fromkeys(query.need for variant in made for query in variant.queries)
    entry = {"name": suite, "suite_digest": ruler, "corpus": suite, "corpus_digest": corpus, "aliases": False}
    return Evaluation(
        manifest={
            "suites": [entry],
            "variants": [{"name": one.name, "configuration": dict(configuration or {})} for one in made],
            "ks": list(KS),
            "budget_bytes": 16_384,
            "depth": 100,
            "seed": 0,
            **manifest,
        },
        versions={"python": "3.12", "memeval": "1", "bm25s": "1"},
        suites=(
            SuiteResult(
                name=suite,
                corpus=suite,
                kind="recall",
                documents=documents,
                needs=len(names),
                wordings=max((len(variant.queries) for variant in made), default=0),
                variants=made,
            ),
        ),
    )


@pytest.fixture(scope="session")
def made():
    """The makers, as one thing to ask: `made.ask`, `made.variant`, `made.evaluation`."""

    class Made:
        ask = staticmethod(ask)
        variant = staticmethod(make_variant)
        evaluation = staticmethod(make_evaluation)

    return Made


@pytest.fixture
def told_store(tmp_path: Path) -> Path:
    """The folder of `told.write_store`."""
    write_store(tmp_path)
    return tmp_path


@pytest.fixture
def make_told_suite(told_store: Path) -> Callable[..., Suite]:
    """`told.build_suite` over the store."""
    return partial(build_suite, told_store)
