"""Learned on one writer's wording, tried on another's: a small world in which every figure is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memeval.bench.aliaslearning import LearningRules
from memeval.bench.aliastrial import Tally, run_trial
from memeval.bench.suite import load_suite
from memeval.errors import SuiteFileError
from memeval.retrieval.recipes import find_variant
from tests.conftest import write_files

FILES = {
    "redis.md": "# Redis\nListens on 6380.\n",
    "sso.md": "# Accounts\nEverybody signs in through the directory.\n",
    "chalk.md": "# Outage\nSales go on with paper.\n",
    "other.md": "# Other\nNothing of interest: a kettle.\n",
    "2026-01-02.md": "# Log\nThe lamp was replaced.\n",
}
SUITE = """\
suite: small
corpus: ../store
lang: en
needs:
  - id: redis
    expect: [redis.md]
    ask:
      - {text: redis port, elicited: free}
      - {text: cache socket, kind: unseen-words, writer: b}
      - {text: which socket, kind: unseen-words, writer: c}
  - id: login
    expect: [sso.md]
    ask:
      - {text: password, kind: unseen-words, writer: b}
      - {text: credentials, kind: unseen-words, writer: c}
  - id: chalk
    expect: [chalk.md]
    ask:
      - {text: blackout, kind: unseen-words, writer: b}
      - {text: blackout plan, kind: unseen-words, writer: c}
  - id: kettle
    expect: [other.md]
    ask: [kettle, socket of the boiler, boiling]
  - id: lamp
    expect: ['2026-01-02.md']
    ask:
      - {text: bulb, kind: unseen-words, writer: b}
      - {text: the bulb, kind: unseen-words, writer: c}
  - id: nothing
    expect: []
    ask: [holiday]
"""


@pytest.fixture
def suite(tmp_path):
    """The suite."""
    write_files(tmp_path / "store", FILES)
    write_files(tmp_path / "queries", {"small.recall.yaml": SUITE})
    return load_suite(tmp_path / "queries" / "small.recall.yaml")


@pytest.fixture
def trial(suite):
    """Its trial."""
    return run_trial(suite, find_variant("memeval"))


def test_what_is_within_reach_is_found(trial):
    """Redis and chalk share a word between the writers, login does not: two of three each way, all of them found."""
    assert [(pair.learned, pair.asked, pair.misses, pair.within_reach, pair.found) for pair in trial.pairs] == [
        ("b", "c", 3, 2, 2),
        ("c", "b", 3, 2, 2),
    ]
    assert (trial.ceiling.count, trial.ceiling.n) == (4, 6)
    assert (trial.reached.count, trial.reached.n) == (4, 4)
    assert (trial.cured.count, trial.cured.n) == (4, 6)
    assert trial.sharing == trial.ceiling
    assert trial.ceiling.interval[0] < 4 / 6 < trial.ceiling.interval[1]


def test_needs_without_a_note_teach_nothing(trial):
    """A log takes no aliases: its need is left out, and counted."""
    assert (trial.needs, trial.without_note) == (3, 1)


def test_other_needs_are_watched(trial):
    """Needs that nothing was learned from: what they lose of the first five, and what they gain though nothing was."""
    assert (trial.unseen.count, trial.unseen.n) == (0, 8)
    assert (trial.change_first.value, trial.change_first.n) == (0, 2)
    assert trial.change_found.value == 0
    assert trial.lost == ()


def test_demands_are_held(trial):
    """None is broken here; below the share of the ceiling, below half at a high ceiling, and at a loss each is said."""
    assert trial.failures == ()
    worse = replace(
        trial,
        reached=Tally(1, 2, None),
        cured=Tally(1, 6, None),
        change_first=replace(trial.change_first, value=-0.02),
    )
    assert len(worse.failures) == 3
    assert "50% of the ceiling" in worse.failures[0]
    assert "lose 2.0 points of the first five" in worse.failures[2]
    exact = replace(trial, change_first=replace(trial.change_first, value=-0.01))
    assert exact.failures == ()


def test_a_filter_lowers_the_ceiling(suite):
    """With no other file allowed to be asked for a term, one that stands elsewhere teaches nothing."""
    files = [
        replace(one, text=f"{one.text} socket\n") if one.doc_id == "sso.md" else one for one in suite.corpus.documents
    ]
    crowded = replace(suite, corpus=replace(suite.corpus, documents=tuple(files)))
    open_rule, closed = (
        run_trial(crowded, find_variant("memeval"), LearningRules(max_elsewhere=most)) for most in (1, 0)
    )
    assert (open_rule.ceiling.count, closed.ceiling.count) == (4, 2)
    assert closed.sharing.count == 4


def test_places_of_paraphrases_stand_for_writers(suite):
    """Wordings of every kind count then, each place against each; a group of one teaches nothing."""
    trial = run_trial(suite, find_variant("memeval"), is_paraphrases=True)
    assert trial.is_paraphrases
    assert {(pair.learned, pair.asked): (pair.needs, pair.misses) for pair in trial.pairs} == {
        ("1", "2"): (4, 4),
        ("1", "3"): (2, 2),
        ("2", "1"): (4, 2),
        ("2", "3"): (2, 2),
        ("3", "1"): (2, 0),
        ("3", "2"): (2, 2),
    }


def test_one_writer_is_not_enough(small_suite):
    """Nothing can be tried; the error says what to add."""
    with pytest.raises(SuiteFileError, match="writer: b"):
        run_trial(load_suite(small_suite), find_variant("memeval"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ops-en", "ops-zh"])
def test_the_bundled_suites_meet_what_is_demanded(name, bundled):
    """Sixty needs or more; 85 % of what is within reach is found; other needs lose one point at most."""
    (suite,) = (suite for suite in bundled.values() if suite.name == name)
    trial = run_trial(suite, find_variant("memeval"))
    assert trial.needs >= 60
    assert trial.ceiling.count >= 30
    assert trial.failures == ()
