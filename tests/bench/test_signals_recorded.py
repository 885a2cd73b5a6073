"""Verdicts of recorded needs: by evidence, by their mix, or left to the written ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from memeval.bench.evaluation import Evaluation
from memeval.bench.replay import Replay
from memeval.bench.signals import measure_signals
from memeval.retrieval.base import Variant
from memeval.statistics.evidence import FIRES_AT
from memeval.testbed.needs import Need, Suite, Wording, digest_needs
from tests.bench.told import misses, variant


def build_replay(suite: Suite, n: int, *, abandoned: int = 0) -> Replay:
    """The first needs of a suite, as if they were recorded in that order."""
    needs = tuple(
        Need(id=f"r-{place}", expected=need.expected, wordings=(Wording(text=need.wordings[0].text),), lang="en")
        for place, need in enumerate(suite.needs[:n])
    )
    recorded = Suite(
        name=f"{suite.name}-recorded",
        path=suite.path,
        corpus=suite.corpus,
        needs=needs,
        digest=digest_needs(needs),
    )
    return Replay(suite=recorded, sessions={}, abandoned={"en": abandoned}, left_out={})


def measure(suite: Suite, variants: list[Variant], replay: Replay, monkeypatch) -> Evaluation:
    """The evaluation with recorded needs."""
    monkeypatch.setattr("memeval.retrieval.recipes.VARIANTS", tuple(variants))
    return measure_signals([suite], variants[:1], replays={suite.name: replay})


def test_recorded_needs_decide_once_there_are_enough(make_told_suite, monkeypatch):
    """50 recorded needs without a miss are quiet, whatever the written ones say, which then explain."""
    suite = make_told_suite()
    told = variant("article", misses(range(50, 60)))
    written, recorded = measure(suite, [told], build_replay(suite, 50, abandoned=4), monkeypatch).signals
    assert (written.basis, written.decides, written.state) == ("written", False, "watch")
    assert (recorded.basis, recorded.decides, recorded.decision) == ("recorded", True, "stay")
    assert (recorded.abandoned, recorded.state_by) == (4, "evidence")
    assert recorded.zero_overlap_most == pytest.approx(4 / 54, abs=1e-6)
    assert recorded.fired_at is None


def test_recorded_needs_fire_by_their_evidence_even_when_few(make_told_suite, monkeypatch):
    """Three triggers in a row are evidence of 25.6: firing at the third, with 20 needs; the ladder is run on those."""
    suite = make_told_suite()
    told, cure = variant("article", misses(range(3))), variant("memeval", misses([]))
    evaluation = measure(suite, [told, cure], build_replay(suite, 20), monkeypatch)
    written, recorded = evaluation.signals
    assert (written.decides, written.decision) == (False, "stay")
    assert (recorded.fired_at, recorded.state, recorded.chosen) == (3, "firing", "memeval")
    assert recorded.evidence < FIRES_AT < recorded.evidence_peak
    ran = {result.name: [one.name for one in result.variants] for result in evaluation.suites}
    assert ran == {"told": ["article"], "told-recorded": ["article", "memeval"]}


def test_recorded_needs_of_one_session_count_as_one_look(make_told_suite, monkeypatch):
    """The same three triggers in one session are one failure, and no evidence."""
    suite = make_told_suite()
    replay = replace(build_replay(suite, 20), sessions={f"r-{place}": "one" for place in range(3)})
    _, recorded = measure(suite, [variant("article", misses(range(3)))], replay, monkeypatch).signals
    assert recorded.fired_at is None
    assert recorded.evidence_peak == pytest.approx(10.5 / 4, abs=1e-6)


def test_few_recorded_needs_leave_the_verdict_to_the_written_ones(make_told_suite, monkeypatch):
    """Ten recorded needs are too few to decide, and too few for a mix."""
    suite = make_told_suite()
    told = variant("article", misses(range(10)))
    written, recorded = measure(suite, [told], build_replay(suite, 10), monkeypatch).signals
    assert recorded.fired_at is not None, "all ten of them were missed"
    few = build_replay(suite, 60)
    ten = Replay(suite=_cut(few.suite, range(30, 40)), sessions={}, abandoned={}, left_out={})
    written, recorded = measure(suite, [told], ten, monkeypatch).signals
    assert (recorded.decides, recorded.decision) == (False, "insufficient data")
    assert (written.decides, written.state_by) == (True, "count")


def test_the_recorded_mix_replaces_the_authors(make_told_suite, monkeypatch):
    """23 recorded needs: the written rates of each sort decide at the recorded mix, not at the author's."""
    suite = make_told_suite()
    told = variant("article", lambda query: not query.startswith("later") and query not in ("first 10", "first 20"))
    recorded_only = [0, 10, 20, 30, 40, 50, *range(1, 10), *range(11, 20), 21]
    replay = Replay(
        suite=_cut(build_replay(suite, 60).suite, recorded_only[2:]), sessions={}, abandoned={}, left_out={}
    )
    written, recorded = measure(suite, [told], replay, monkeypatch).signals
    assert recorded.decision == "insufficient data"
    assert written.mix.recorded.n == 23
    assert written.mix.recorded.count == 4, "the notes that do not hold the word `first`"
    assert (written.decides, written.state_by) == (True, "mix")
    assert written.mix.low <= written.mix.rate <= written.mix.high


def _cut(suite: Suite, places: Iterable[int]) -> Suite:
    needs = tuple(suite.needs[place] for place in places)
    return Suite(name=suite.name, path=suite.path, corpus=suite.corpus, needs=needs, digest=digest_needs(needs))
