"""Recorded needs as a suite: it loads as it is, says where each need comes from, and promises nothing."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memeval import load_suite
from memeval.errors import TranscriptError
from memeval.sessions.distill import AMBIGUOUS, ELSEWHERE, NO_ANSWER, NO_WORDS, build_recorded_suite
from memeval.sessions.episodes import find_needs
from memeval.sessions.events import Read, Search, UserTurn
from memeval.sessions.memoryfiles import MemoryFiles
from memeval.sessions.readers import read_recordings
from memeval.sessions.transcript import sort_events
from memeval.testbed.corpus import load_corpus

NOON = datetime(2026, 7, 3, 12, tzinfo=timezone.utc)
PROJECT = "shop-1a2b3c4d"
REDIS = f"projects/{PROJECT}/notes/redis-deploy.md"
DEVLOG = Path(__file__).parents[2] / "corpora" / "devlog"


def record(session, answer, *queries, hashes=None):
    """The events of one need in a session: these queries, the last of which showed the file that is read."""
    common = {"reader": "r", "session": session}
    events = [UserTurn(time=NOON, **common)]
    for place, query in enumerate(queries):
        shown = (answer,) if answer and place == len(queries) - 1 else ()
        time = NOON + timedelta(seconds=9 * place + 1)
        events.append(
            Search(time=time, tool="t", query=query, term_hashes=hashes, shown=shown, batch=str(place), **common)
        )
    if answer:
        events.append(Read(time=time + timedelta(seconds=3), file=answer, **common))
    return events


def distill(store, *recordings, **options):
    """The suite of these recordings over a store, as text and as it loads."""
    events = sort_events([event for recording in recordings for event in recording])
    path = store.parent / "recorded.recall.yaml"
    suite = build_recorded_suite(
        find_needs(events), load_corpus(store), folder=store, name="recorded", suite_path=path, **options
    )
    path.write_text(suite.text, encoding="utf-8", newline="\n")
    return suite, load_suite(path)


@pytest.fixture
def store(small_suite):
    """The store of the small suite."""
    return small_suite.parents[1] / "store"


def test_a_need_is_what_was_asked_and_what_was_read(store):
    """First query, later wordings, the file finally read; tagged, and not promised."""
    suite, loaded = distill(store, record("s", REDIS, "cache: will not start", "redis  port", "cache: will not start"))
    (need,) = loaded.needs
    assert [wording.text for wording in need.wordings] == ["cache: will not start", "redis port"]
    assert dict(need.expected) == {REDIS: 1}
    assert (need.tags, need.must_find, need.id) == (("recorded",), False, "redis-deploy")
    assert need.note == "r of 2026-07-03; 3 searches, shown at wording 1"
    assert (suite.needs, suite.left_out) == (1, {})
    assert (loaded.lang, loaded.corpus.project) == ("en", PROJECT)


def test_a_need_asked_twice_is_one(store):
    """The same first words and the same file: later wordings of both, said how often; other first words are another."""
    _, loaded = distill(
        store,
        record("s", REDIS, "cache down", "redis"),
        record("t", f"notes/{REDIS.rsplit('/', 1)[-1]}", "Cache down", "port"),
        record("u", REDIS, "6380"),
    )
    assert [[wording.text for wording in need.wordings] for need in loaded.needs] == [
        ["cache down", "redis", "Cache down", "port"],
        ["6380"],
    ]
    assert [need.id for need in loaded.needs] == ["redis-deploy", "redis-deploy-2"]
    assert loaded.needs[0].note.endswith("asked 2 times")


def test_what_is_left_out_is_counted(store):
    """No read, hashes for words, a file of another store, a path that fits two files; the lost stand as comments."""
    suite, loaded = distill(
        store,
        record("s", REDIS, "redis"),
        record("t", None, "holiday: allowance", "vacation"),
        record("u", REDIS, None, hashes=("a",)),
        record("v", f"/elsewhere/{REDIS}", "redis port"),
        record("w", "notes/gone.md", "gone"),
    )
    assert suite.left_out == {NO_ANSWER: 1, NO_WORDS: 1, ELSEWHERE: 2}
    assert len(loaded.needs) == 1
    assert suite.text.endswith("#   'holiday: allowance', vacation\n")


def test_a_store_may_have_lain_elsewhere(store):
    """Absolute paths are of the store only where it lay; where that was can be said."""
    recordings = record("s", f"/home/ada/mem/{REDIS}", "redis"), record("t", str(store.absolute() / REDIS), "port")
    suite, _ = distill(store, *recordings)
    assert (suite.needs, suite.left_out) == (1, {ELSEWHERE: 1})
    suite, loaded = distill(store, *recordings, recorded_folders=["/home/ada/mem/"])
    assert [dict(need.expected) for need in loaded.needs] == [{REDIS: 1}, {REDIS: 1}]


def test_a_name_that_fits_two_files_names_none(store):
    """The longest doc_id within a path is meant; a bare end of two is not guessed."""
    other = store / "projects" / PROJECT / "notes" / "MEMORY.md"
    other.write_text("x", encoding="utf-8")
    suite, loaded = distill(
        store, record("s", f"m/projects/{PROJECT}/notes/MEMORY.md", "a1"), record("t", "m/MEMORY.md", "b1")
    )
    assert [list(need.expected) for need in loaded.needs] == [
        [f"projects/{PROJECT}/notes/MEMORY.md"],
        ["MEMORY.md"],
    ]
    twin = store / "projects" / PROJECT / "daily" / "redis-deploy.md"
    twin.write_text("x", encoding="utf-8")
    suite, _ = distill(store, record("s", "redis-deploy.md", "a1"), record("t", "MEMORY.md", "b1"))
    assert suite.left_out == {AMBIGUOUS: 1}


def test_nothing_to_distill_is_an_error(store):
    """It says why, and names the folder."""
    with pytest.raises(
        TranscriptError, match=r"store: no recorded need ended in a read of one of its 6 files \(1 need: "
    ):
        distill(store, record("s", None, "redis"))
    with pytest.raises(TranscriptError, match=r"of one of its 6 files$"):
        distill(store)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.text(min_size=1, max_size=20) | st.sampled_from(["no", "010", "a: b", "# x", "\ud800", "2026-01-01"]),
        min_size=1,
    )
)
def test_any_words_load(store, queries):
    """Whatever was asked, the suite loads, strict as the loader is, unless nothing of it can be written at all."""
    try:
        _, loaded = distill(store, record("s", REDIS, *queries))
    except TranscriptError:
        assert not any(query.replace("\ud800", "").split() for query in queries)
    else:
        assert {need.must_find for need in loaded.needs} == {False}


def test_the_projects_own_log_can_be_distilled(tmp_path):
    """Its suite loads, each wording was typed, and each file was read."""
    events = read_recordings([DEVLOG / "searchlog.jsonl"], MemoryFiles()).events
    path = tmp_path / "devlog.recall.yaml"
    suite = build_recorded_suite(find_needs(events), load_corpus(DEVLOG), folder=DEVLOG, name="devlog", suite_path=path)
    path.write_text(suite.text, encoding="utf-8", newline="\n")
    typed = {event.query for event in events if isinstance(event, Search)}
    read = {event.file for event in events if isinstance(event, Read)}
    needs = load_suite(path).needs
    assert len(needs) > 10
    assert {wording.text for need in needs for wording in need.wordings} <= typed
    assert {doc_id for need in needs for doc_id in need.expected} <= read
