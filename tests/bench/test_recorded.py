"""The figures of recorded sessions: each rate by hand, its denominator, its interval, and the watch."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from memeval.bench.recorded import NEED_RATES, SEARCH_RATES, summarise_recording
from memeval.sessions import (
    Change,
    Read,
    Recording,
    Search,
    StoreHistory,
    UserTurn,
    Write,
    find_needs,
    judge_existence,
)
from memeval.sessions.transcript import sort_events
from memeval.statistics.intervals import Cluster, korn_graubard, wilson
from memeval.testbed.corpus import load_corpus

NOON = datetime(2026, 7, 3, 12, tzinfo=timezone.utc)
NOTES = "projects/shop-1a2b3c4d/notes"


def need(session, *wordings, answer=None, seconds=0, before=(), **fields):
    """The events of one need: (query, shown or None) of each search, then a read of the answer."""
    common = {"reader": "r", "session": session}
    events = [UserTurn(time=NOON + timedelta(seconds=seconds), **common), *before]
    for place, (query, shown) in enumerate(wordings):
        time = NOON + timedelta(seconds=seconds + 9 * (place + 1))
        fields_of = {"tool": "memory_search", "batch": f"{seconds} {place}", **common, **fields}
        events.append(Search(time=time, query=query, shown=shown, **fields_of))
    if answer:
        events.append(Read(time=time + timedelta(seconds=3), file=answer, **common))
    return events


def summarise(*groups, **options):
    events = sort_events([event for group in groups for event in group])
    recording = Recording(events=events, sources={"r": 1}, dropped={})
    needs = find_needs(events)
    existence = judge_existence(needs, events, options.get("history"))
    return summarise_recording(recording, needs, existence, **options)


@pytest.fixture(scope="module")
def summary():
    """Five needs in four sessions: direct, after a zero-overlap retry, after an overlapping one, abandoned, ordered."""
    redis, naming = f"{NOTES}/redis-deploy.md", f"{NOTES}/naming.md"
    return summarise(
        need("a", ("redis port", (redis,)), answer=redis),
        need("a", ("cache", ()), ("redis", (redis,)), answer=redis, seconds=600),
        need("b", ("queue names", (naming,)), ("queue rule", (redis,)), answer=redis),
        need("c", ("holiday allowance", ())),
        need(
            "d", ("vacation", (naming,)), before=[UserTurn(reader="r", session="d", time=NOON, orders_rewording=True)]
        ),
    )


def test_rates_of_needs_by_hand(summary):
    """Counted one by one: found on a later wording twice, once without a common word; two abandoned, one in silence."""
    assert {name: (rate.successes, rate.n) for name, rate in summary.rates.items()} == {
        "reworded": (2, 5),
        "found_later": (2, 5),
        "zero_overlap": (1, 5),
        "zero_overlap_after_nothing": (1, 5),
        "systematic": (1, 1),
        "systematic_zero_overlap": (1, 1),
        "abandoned": (2, 5),
        "abandoned_after_nothing": (1, 5),
        "zero_overlap_at_most": (3, 5),
        "ordered": (1, 5),
        "zero_hit": (2, 7),
        "empty_store": (0, 5),
    }
    assert list(summary.rates) == [name for name in (*NEED_RATES, *SEARCH_RATES) if name in summary.rates]


def test_what_stands_beside_the_rates(summary):
    """Searches a need, a session, a prompt; orders; tools; what further searches were; who says what was there."""
    assert (summary.needs, summary.sessions, summary.prompts, summary.agents) == (5, 4, 6, 0)
    assert summary.orders == 1
    assert summary.kinds == {"search": 7, "read": 3, "write": 0, "turn": 6}
    assert summary.tools == {"memory_search": 7}
    assert (summary.searches_per_need, summary.searches_per_session) == (7 / 5, 7 / 4)
    assert summary.searches_per_prompt == 7 / 6
    assert summary.changes == {Change.ZERO_OVERLAP: 1, Change.OVERLAP: 1}
    assert (summary.evidence, summary.unknown_existence) == ({"events": 1}, 1)
    assert (summary.first, summary.last) == (NOON, NOON + timedelta(seconds=621))


def test_needs_of_one_session_share_its_interval(summary):
    """Two needs of session a are one cluster; where each session has one need, the interval is Wilson's."""
    assert summary.rates["abandoned"].interval == korn_graubard(
        [Cluster(0, 2), Cluster(0, 1), Cluster(1, 1), Cluster(1, 1)]
    )
    alone = summarise(need("a", ("redis", ())), need("b", ("port", ())))
    assert alone.rates["abandoned"].interval == wilson(2, 2)
    assert alone.rates["abandoned"].value == 1


def test_an_empty_store_answers_nothing():
    """Its needs are counted and left out of the rates of needs, not of those of searches."""
    found = summarise(need("a", ("redis", ()), is_store_empty=True), need("b", ("port", ())))
    assert (found.needs, found.needs_of_empty_store, found.rates["abandoned"].n) == (2, 1, 1)
    assert (found.rates["empty_store"].successes, found.rates["empty_store"].n) == (1, 1)


def test_a_store_that_had_a_file_was_not_empty():
    """Its history tells that much, and never that it was empty: files may have been there before they were changed."""
    for seconds, known in ((-60, 1), (60, 0)):
        history = StoreHistory(modified={"/m/a.md": NOON + timedelta(seconds=seconds)})
        found = summarise(need("a", ("redis", ())), history=history)
        assert (found.rates["empty_store"].successes, found.rates["empty_store"].n) == (0, known)


def test_first_queries_are_held_against_the_file(small_suite):
    """Of the needs whose file is in the corpus: does the first query share a word with it?"""
    store = small_suite.parents[1] / "store"
    redis = f"{NOTES}/redis-deploy.md"
    found = summarise(
        need("a", ("redis", (redis,)), answer=redis),
        need("b", ("cache outage", ()), ("port", (redis,)), answer=redis),
        need("c", ("gone", ("notes/gone.md",)), answer="notes/gone.md"),
        need("d", ("the", (redis,)), answer=redis),
        corpus=load_corpus(store),
    )
    assert (found.rates["unseen_first"].successes, found.rates["unseen_first"].n) == (1, 2)


def test_the_watch_is_of_zero_overlap_retries_in_order_of_time():
    """Needs of all sessions by their first search; it begins anew at each restart."""
    redis = f"{NOTES}/redis-deploy.md"
    retries = [
        need(f"s{9 - number}", ("cache", ()), ("redis", (redis,)), answer=redis, seconds=60 * number)
        for number in range(6)
    ]
    (whole,) = summarise(*retries).watches
    assert (whole.n, whole.retries, whole.alarms) == (6, 6, (5,))
    before, after = summarise(*retries, restarts=[NOON + timedelta(seconds=120)]).watches
    assert (before.n, after.n, before.ruler, after.ruler) == (2, 4, "0", "1")
    assert [point.score for point in after.points] == [51, 102, 153, 204]


def test_nothing_recorded_is_nothing_measured():
    """Rates of no case have no value and no interval, and there is no watch."""
    found = summarise([Write(reader="r", session="s", time=None, file="a.md")])
    assert (found.needs, found.watches, found.searches_per_need) == (0, (), None)
    assert {(rate.value, rate.interval) for rate in found.rates.values()} == {(None, None)}
    assert (found.first, found.searches_per_prompt) == (None, None)
