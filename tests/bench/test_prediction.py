"""Offline against live: rates by hand, halves by date, and what may foretell nothing."""

from __future__ import annotations

import dataclasses
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

import memeval
from memeval.bench.prediction import (
    AGREES,
    DIFFERS,
    INSUFFICIENT,
    Outcome,
    compare_rates,
    count_retries,
    predict_from_half,
    predict_from_suite,
)
from memeval.errors import RunSettingError
from memeval.report.prediction import describe_predictions, write_predictions
from memeval.sessions import Read, Search, find_needs
from memeval.statistics.intervals import wilson

NOON = datetime(2026, 7, 3, 12, tzinfo=timezone.utc)
NOTE = "projects/shop-1a2b3c4d/notes/redis-deploy.md"


def record(*needs: tuple[str, int, tuple[str, ...], bool]):
    """Recorded needs from (session, minutes, wordings, ended in a read)."""
    events = []
    for session, minutes, wordings, is_read in needs:
        time = NOON + timedelta(minutes=minutes)
        for place, query in enumerate(wordings):
            time += timedelta(seconds=9)
            shown = (NOTE,) if is_read and place == len(wordings) - 1 else ()
            events.append(
                Search(
                    reader="r", session=session, time=time, query=query, shown=shown, tool="memory_search",
                    batch=f"{session} {minutes} {place}",
                )
            )  # fmt: skip
        if is_read:
            events.append(Read(reader="r", session=session, time=time + timedelta(seconds=3), file=NOTE))
    return find_needs(events)


def outcome(retries, n):
    return Outcome(retries=retries, n=n, interval=wilson(retries, n))


def test_what_came_is_counted_over_needs_that_ended_in_a_read():
    """An abandoned need says nothing of which wording finds."""
    needs = record(
        ("a", 0, ("redis port",), True), ("a", 60, ("cache", "redis"), True), ("b", 0, ("holiday", "leave"), False)
    )
    came = count_retries(needs)
    assert (came.retries, came.n) == (1, 2)


def test_halves_are_of_whole_sessions_in_order_of_time():
    """Needs of one session stay together; one session alone is cut by need."""
    once, twice = ("redis port",), ("cache", "redis")
    needs = record(
        ("late", 6_000, twice, True), ("early", 0, once, True), ("early", 60, once, True), ("mid", 600, once, True)
    )
    found = predict_from_half(needs)
    assert (found.foretold.retries, found.foretold.n, found.came.retries, found.came.n) == (0, 2, 1, 2)
    alone = predict_from_half(record(*(("a", 60 * place, once, True) for place in range(5))))
    assert (alone.foretold.n, alone.came.n) == (3, 2)
    assert predict_from_half(()).verdict == INSUFFICIENT


@pytest.mark.parametrize(
    ("foretold", "came", "verdict"),
    [
        ((5, 100), (6, 100), AGREES),
        ((5, 100), (40, 100), DIFFERS),
        ((5, 44), (40, 100), INSUFFICIENT),
        ((5, 100), (40, 44), INSUFFICIENT),
        ((0, 0), (4, 100), INSUFFICIENT),
    ],
)
def test_the_verdict(foretold, came, verdict):
    """Both sides take as many needs as the signals do; then the interval of the difference decides."""
    found = compare_rates("half", outcome(*foretold), outcome(*came))
    assert found.verdict == verdict
    if found.interval is not None:
        assert found.interval.low <= found.difference <= found.interval.high


def test_a_suite_foretells_by_its_first_wordings(small_suite):
    """At its author's mix, and at the recorded one where both sorts of wording are there."""
    suite = memeval.load_suite(small_suite)
    (result,) = memeval.evaluate(suite, ["article"]).suites
    needs = record(("a", 0, ("redis port",), True), ("b", 0, ("cache", "redis"), True))
    predictions = predict_from_suite(suite, "article", result.variants[0].queries, needs)
    first = predictions[0]
    assert first.source == "shop · en · article, at the author's mix"
    assert (first.foretold.retries, first.foretold.n) == (0, 2)  # vacation is not stored
    assert {one.source.split(" · ")[1] for one in predictions} == {"en", "zh"}


def test_a_suite_may_not_foretell_itself(small_suite):
    """Recorded needs, and a store that nothing was read of."""
    suite = memeval.load_suite(small_suite)
    (result,) = memeval.evaluate(suite, ["article"]).suites
    queries = result.variants[0].queries
    recorded = dataclasses.replace(
        suite, needs=tuple(dataclasses.replace(need, tags=("recorded",)) for need in suite.needs)
    )
    needs = record(("a", 0, ("redis port",), True))
    with pytest.raises(RunSettingError, match="foretells nothing but itself"):
        predict_from_suite(recorded, "article", queries, needs)
    other = find_needs(
        [
            Search(reader="r", session="a", time=NOON, query="q", shown=("elsewhere.md",), tool="t", batch="1"),
            Read(reader="r", session="a", time=NOON + timedelta(seconds=2), file="elsewhere.md"),
        ]
    )
    with pytest.raises(RunSettingError, match="none of the files"):
        predict_from_suite(suite, "article", queries, other)


def test_it_is_told_with_its_limits():
    """Rates with intervals and counts, the difference, and the smallest rise that could be seen."""
    few = compare_rates("first half", outcome(1, 8), outcome(1, 7))
    lines = write_predictions(outcome(2, 15), [few])
    assert lines[0] == "asked again in other words: 0.13 [0.04, 0.38] of 15 needs that ended in a read"
    assert lines[2:4] == [
        "foretold by first half: 0.12 [0.02, 0.47] of 8 needs",
        "  then came 0.14 [0.03, 0.51] of 7 needs",
    ]
    assert lines[4].startswith("  came − foretold +0.02 [")
    assert "insufficient data (below 45 needs on a side nothing is decided; the smallest rise" in lines[4]
    values = describe_predictions(outcome(2, 15), [few])
    assert values["predictions"][0]["verdict"] == INSUFFICIENT
    nothing = write_predictions(outcome(0, 0), [compare_rates("x", outcome(0, 0), outcome(0, 0))])
    assert nothing[-1] == "  insufficient data: a rate needs needs on both sides"


def test_the_recorded_devlog_is_too_small_to_judge():
    """The blind wordings of its situations, the log itself: insufficient data, said with the gap that would be seen."""
    root = Path(__file__).parents[2]
    suite = memeval.load_suite(root / "queries" / "devlog-blind.recall.yaml")
    assert len(suite.needs) == 18
    assert all(len(need.wordings) == 3 for need in suite.needs)
