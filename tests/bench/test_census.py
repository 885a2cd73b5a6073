"""The census of a store: counts by hand, and what lies beyond its limit."""

from __future__ import annotations

import pytest

from memeval.bench.asked import ask_needs
from memeval.bench.census import measure_consistency, measure_cut, take_census
from memeval.bench.run import evaluate
from memeval.bench.signalrules import SignalRules
from memeval.bench.suite import load_suite
from memeval.retrieval.recipes import find_variant
from memeval.testbed.corpus import load_corpus


@pytest.fixture
def asked(small_suite):
    """The suite with its needs as the article profile was asked for them."""
    suite = load_suite(small_suite)
    return suite, ask_needs(evaluate(suite, "article").suites[0].variants[0].queries).needs


def test_words_asked_that_stand_in_the_file(asked):
    """`port conflict` one of two, `naming` all, `監控設定` two of its three pairs: the median of 1/2, 1 and 2/3."""
    suite, needs = asked
    assert measure_consistency(suite.corpus, needs) == pytest.approx(2 / 3, abs=1e-6)
    assert measure_consistency(suite.corpus, ()) is None


def test_a_small_store_loses_nothing(asked):
    """The whole context block fits; nothing lies beyond a limit."""
    suite, needs = asked
    census = take_census(suite.corpus, needs, find_variant("article"), SignalRules())
    assert (census.files, census.cut_share, census.notes) == (6, 0.0, ())
    assert census.bytes == sum(len(document.text.encode()) for document in suite.corpus.documents)


def test_what_the_cap_cuts_is_measured(small_suite):
    """48 KiB of long-term memory: two thirds lie beyond 16 KiB, one third beyond 32."""
    root = small_suite.parent.parent / "store"
    (root / "MEMORY.md").write_text("- a rule of twenty-four.\n" * 1966, encoding="utf-8")
    corpus = load_corpus(root)
    assert measure_cut(corpus, find_variant("article")) == pytest.approx(2 / 3, abs=0.01)
    assert measure_cut(corpus, find_variant("current")) == pytest.approx(1 / 3, abs=0.01)


def test_another_kind_of_store_has_no_context_block(tmp_path):
    """Not measured is None, never 0."""
    (tmp_path / "a.md").write_text("text\n", encoding="utf-8")
    assert measure_cut(load_corpus(tmp_path), find_variant("article")) is None


def test_limits_are_told_and_decide_nothing(asked):
    """Each in a few words."""
    suite, needs = asked
    rules = SignalRules(max_files=5, min_consistency=0.9, max_cut=0.0)
    notes = take_census(suite.corpus, needs, find_variant("article"), rules).notes
    assert notes == ("more than 5 files", "fewer than 90 % of the words asked stand in the file")
