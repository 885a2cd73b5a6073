"""Recorded needs as a suite that is asked again: order, languages, and what cannot be asked."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from memeval.bench.asked import tell_language
from memeval.bench.replay import LATER, build_replay
from memeval.bench.suite import load_suite
from memeval.sessions import Evidence, Existence, Read, Search, find_needs
from memeval.sessions.distill import NO_ANSWER, NO_WORDS

NOTE = "projects/shop-1a2b3c4d/notes/redis-deploy.md"
START = datetime(2026, 7, 1, 9, tzinfo=timezone.utc)


def search(session: str, minute: float, query: str | None, *, shown=(NOTE,), hashes=None) -> Search:
    """A search of the engine's tool."""
    return Search(
        reader="neutral",
        session=session,
        time=START + timedelta(minutes=minute),
        tool="memory_search",
        query=query,
        term_hashes=hashes,
        shown=shown,
    )


def read(session: str, minute: float, file: str = NOTE) -> Read:
    """A read of a file."""
    return Read(reader="neutral", session=session, time=START + timedelta(minutes=minute), file=file)


@pytest.fixture
def replay(small_suite):
    """The replay of events over the small suite's store."""
    suite = load_suite(small_suite)

    def build(*events, **more):
        return build_replay(find_needs(events), suite, **more)

    return build


def test_needs_stand_in_the_order_of_time(replay):
    """Not in that of the files they were recorded in; every wording in its order, the file read as the answer."""
    found = replay(
        search("b", 60, "port conflict", shown=()),
        search("b", 61, "redis port"),
        read("b", 62),
        search("a", 5, "redis"),
        read("a", 6),
    ).suite
    assert [[wording.text for wording in need.wordings] for need in found.needs] == [
        ["redis"],
        ["port conflict", "redis port"],
    ]
    assert all(need.expected == {NOTE: 1} for need in found.needs)
    assert found.name == "shop-recorded"
    assert {wording.elicited for need in found.needs for wording in need.wordings} == {None}


def test_a_need_that_was_needed_twice_counts_twice(replay):
    """Rates are of needs as they arose."""
    found = replay(search("a", 0, "redis"), read("a", 1), search("b", 0, "redis"), read("b", 1)).suite
    assert len(found.needs) == 2
    assert len({need.id for need in found.needs}) == 2


def test_the_session_of_each_need_is_kept(replay):
    """Needs of one session may fail together."""
    found = replay(
        search("a", 0, "redis"),
        read("a", 1),
        search("a", 30, "docker"),
        read("a", 31),
        search("b", 0, "redis"),
        read("b", 1),
    )
    assert [found.sessions[need.id] for need in found.suite.needs] == ["neutral:a", "neutral:b", "neutral:a"]


def test_what_cannot_be_asked_again_is_counted(replay):
    """Abandoned by language, kept as hashes, a file that is not of this store, or written only later."""
    events = (
        search("a", 0, "port conflict", shown=()),
        search("b", 0, "連接埠 衝突", shown=()),
        search("c", 0, None, hashes=("00ff",)),
        read("c", 1),
        search("d", 0, "holiday", shown=("elsewhere/holiday.md",)),
        read("d", 1, "elsewhere/holiday.md"),
    )
    found = replay(*events)
    assert found.suite.needs == ()
    assert found.abandoned == {"en": 1, "zh": 1}
    assert found.left_out[NO_ANSWER] == 2
    assert found.left_out[NO_WORDS] == 1
    later = (search("a", 0, "redis"), read("a", 1))
    (need,) = find_needs(later)
    known = {need.id: Existence(False, Evidence.EVENTS)}
    assert replay(*later, existence=known).left_out == {LATER: 1}
    unknown = {need.id: Existence(None, None)}
    assert len(replay(*later, existence=unknown).suite.needs) == 1


@pytest.mark.parametrize(
    ("text", "usual", "language"),
    [
        ("redis port", "en", "en"),
        ("redis port", "zh", "en"),
        ("redis 連接埠", "zh-Hant", "zh-Hant"),
        ("redis 連接埠", "en", "zh"),
        ("設定", "ja", "ja"),
        ("サーバー", "zh", "ja"),
        ("포트 충돌", "en", "ko"),
        ("Anschluss", "de", "de"),
        ("6380", "ko", "ko"),
        ("redis", None, "en"),
        ("6380", None, None),
    ],
)
def test_the_language_of_a_recorded_wording(text, usual, language):
    """By its script; letters that the usual language has are its own."""
    assert tell_language(text, usual) == language
