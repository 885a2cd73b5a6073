"""Episodes: which searches belong to one need, and how it ended. Every rule has a neighbour that it must not catch."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.sessions.episodes import Closing, EpisodeRules, find_needs
from memeval.sessions.events import Read, Search, UserTurn, Write
from memeval.sessions.memoryfiles import MemoryFiles
from memeval.sessions.readers import read_recordings
from memeval.sessions.transcript import sort_events
from memeval.sessions.wordings import Change
from memeval.testbed.generator import Parameters, generate_world
from memeval.testbed.generator.folder import list_events

NOON = datetime(2026, 7, 3, 12, tzinfo=timezone.utc)
COMMON = {"reader": "r", "session": "s"}


def at(seconds):
    return None if seconds is None else NOON + timedelta(seconds=seconds)


def search(seconds, query, *shown, **fields):
    """A search that showed these files, () for none."""
    values = {"tool": "memory_search", "query": query, "shown": shown, **COMMON, **fields}
    return Search(time=at(seconds), **values)


def read(seconds, file, **fields):
    return Read(time=at(seconds), file=file, **{**COMMON, **fields})


def turn(seconds, **fields):
    return UserTurn(time=at(seconds), **{**COMMON, **fields})


def write(seconds, file, **fields):
    return Write(time=at(seconds), file=file, **{**COMMON, **fields})


def tell(*events, rules=None):
    """(queries of each wording, the file finally read, what closed it) of each need."""
    return [
        ([attempt.search.query for attempt in need.wordings], need.answer, need.closing.value)
        for need in find_needs(events, rules)
    ]


def test_a_read_closes_a_need():
    """Searches until a shown file is read are one need; the next search begins another, however alike."""
    assert tell(
        turn(0),
        search(1, "redis port", "b.md"),
        search(9, "redis listen port", "a.md", "b.md"),
        read(12, "a.md"),
        search(20, "redis listen address", "a.md"),
        read(22, "a.md"),
    ) == [(["redis port", "redis listen port"], "a.md", "read"), (["redis listen address"], "a.md", "read")]


def test_a_paraphrase_that_shares_no_word_belongs_to_the_need():
    """Nobody spoke in between: redis, then cache, is one need, found on a zero-overlap retry."""
    (need,) = find_needs([turn(0), search(1, "redis"), search(9, "cache container", "a.md"), read(12, "a.md")])
    assert [attempt.change for attempt in need.attempts] == [None, Change.ZERO_OVERLAP]
    assert (need.is_satisfied, need.found_at, need.is_zero_overlap, need.missed_silently) == (True, 1, True, True)


def test_another_topic_is_another_need():
    """No word in common after a prompt, after a write, or after two minutes: the topic has changed."""
    for between, later in ((turn(5), 9), (write(5, "z.md"), 9), (None, 122)):
        events = [turn(0), search(1, "redis", "b.md"), between, search(later, "holiday allowance", "a.md")]
        assert tell(*[event for event in events if event], read(later + 1, "a.md")) == [
            (["redis"], None, "topic"),
            (["holiday allowance"], "a.md", "read"),
        ]


def test_a_word_in_common_bridges_a_prompt():
    """A person says that this was not it, and the search goes on with one of its words."""
    assert tell(turn(0), search(1, "redis port", "b.md"), turn(30), search(99, "redis", "a.md"), read(101, "a.md")) == [
        (["redis port", "redis"], "a.md", "read")
    ]


def test_one_general_word_makes_no_common_topic():
    """Of four words one in common is too little, across a prompt."""
    assert (
        len(
            tell(turn(0), search(1, "answer files corpus folder"), turn(5), search(9, "free wordings writer saw files"))
        )
        == 2
    )


def test_where_nobody_records_prompts_silence_says_nothing():
    """In a log without prompts a wording without a common word follows only on a search that showed nothing."""
    after_nothing = [search(1, "redis"), search(9, "cache", "a.md"), read(11, "a.md")]
    after_something = [search(1, "redis", "b.md"), search(9, "cache", "a.md"), read(11, "a.md")]
    assert tell(*after_nothing) == [(["redis", "cache"], "a.md", "read")]
    assert tell(*after_something) == [(["redis"], None, "topic"), (["cache"], "a.md", "read")]


def test_a_file_read_one_question_later_still_closes_its_need():
    """What only the search before showed was read for it, even after the topic changed; ten minutes later no more."""
    events = [search(1, "redis", "b.md"), search(9, "holiday allowance", "a.md"), read(11, "a.md")]
    assert tell(*events, read(12, "b.md")) == [(["redis"], "b.md", "read"), (["holiday allowance"], "a.md", "read")]
    assert tell(*events, read(602, "b.md"))[0] == (["redis"], None, "topic")


def test_time_closes_a_need():
    """Ten minutes after the last search nothing belongs to it any more; the limit can be set, and holds exactly."""
    events = [turn(0), search(0, "redis port"), search(600, "redis"), read(1_300, "a.md")]
    assert tell(*events) == [(["redis port", "redis"], None, "time")]
    minute = EpisodeRules(max_pause=timedelta(minutes=1))
    assert [closing for _, _, closing in tell(*events, rules=minute)] == ["time", "time"]


def test_the_file_finally_read_is_the_last_one_shown_and_read():
    """Reads in a row belong to the need; one of a file that no search showed does not."""
    (need,) = find_needs([search(1, "redis", "a.md", "b.md"), read(3, "a.md"), read(5, "b.md"), read(7, "z.md")])
    assert (need.reads, need.answer, need.found_at) == (("a.md", "b.md"), "b.md", 0)


def test_a_file_that_was_not_shown_satisfies_nothing():
    """It is told apart: an agent may find by other ways what its search did not show."""
    (need,) = find_needs([turn(0), search(1, "redis"), read(5, "MEMORY.md")])
    assert (need.is_satisfied, need.unshown_reads, need.closing) == (False, ("MEMORY.md",), Closing.END)


def test_a_path_may_be_written_in_two_ways():
    """Shown relative to the store, read by its full path."""
    (need,) = find_needs([search(1, "redis", "notes/a.md"), read(5, "/home/u/memory/notes/a.md")])
    assert need.answer == "/home/u/memory/notes/a.md"


def test_a_first_wording_that_showed_the_file_found_it():
    """An agent that asks again and then reads what it was shown before has not missed it."""
    events = [turn(0), search(1, "redis", "a.md"), search(9, "cache", "a.md", "b.md"), read(12, "a.md")]
    (need,) = find_needs(events)
    assert (need.found_at, need.is_zero_overlap) == (0, False)


def test_a_repeat_is_counted_but_is_no_further_wording():
    """The same words again are a search more and a wording none."""
    (need,) = find_needs(
        [turn(0), search(1, "redis"), search(9, "Redis"), search(20, "redis", "a.md"), read(22, "a.md")]
    )
    assert [attempt.change for attempt in need.attempts] == [None, Change.REPEAT, Change.REPEAT]
    assert (len(need.wordings), need.searches, need.found_at) == (1, 3, 0)


def test_fallbacks_of_one_call_count_once():
    """Parts of a query asked within two seconds are one attempt, whose words are the first ones."""
    events = [search(1, "redis port clash"), search(1.1, "redis"), search(1.2, "port", "a.md"), read(9, "a.md")]
    (need,) = find_needs(events)
    assert (len(need.attempts), need.searches, need.found_at, need.attempts[0].shown) == (1, 3, 0, ("a.md",))


def test_searches_sent_off_together_are_no_retries():
    """A batch is one time of asking, whatever the times say; two batches within a second are two."""
    together = [turn(0), search(1, "redis port", batch="b"), search(9, "redis", "a.md", batch="b"), read(12, "a.md")]
    assert [len(need.attempts) for need in find_needs(together)] == [1]
    apart = [turn(0), search(1, "redis port", batch="b"), search(1.5, "redis", "a.md", batch="c"), read(12, "a.md")]
    assert [len(need.attempts) for need in find_needs(apart)] == [2]


def test_needs_asked_side_by_side_are_told_by_what_is_read():
    """Two questions sent off together, each answered by a file only it showed."""
    assert tell(
        turn(0),
        search(1, "redis port", "a.md", batch="b"),
        search(1, "holiday allowance", "b.md", batch="b"),
        read(5, "b.md"),
        read(6, "a.md"),
    ) == [(["redis port"], "a.md", "read"), (["holiday allowance"], "b.md", "read")]


def test_synonyms_sent_off_together_are_one_need():
    """What was never followed up of a batch is told beside the need that was, and is no abandoned need."""
    (need,) = find_needs(
        [turn(0), search(1, "redis", batch="b"), search(1, "cache", "a.md", batch="b"), read(5, "a.md")]
    )
    assert [one.query for one in need.asked_beside] == ["redis"]
    assert (need.attempts[0].search.query, need.is_satisfied, need.searches) == ("cache", True, 2)
    (need,) = find_needs([turn(0), search(1, "redis", batch="b"), search(1, "cache", batch="b")])
    assert (need.is_satisfied, need.searches) == (False, 2)


def test_sub_agents_are_apart():
    """Their searches begin no retry of the session's, and its reads close none of theirs."""
    events = sort_events(
        [
            turn(0),
            search(1, "redis", "a.md"),
            search(2, "redis port", "a.md", agent="scout"),
            read(9, "a.md"),
            search(9, "redis", session="t"),
        ]
    )
    assert [(need.id, len(need.attempts), need.is_satisfied) for need in find_needs(events)] == [
        ("s#1", 1, True),
        ("s/scout#1", 1, False),
        ("t#1", 1, False),
    ]


def test_where_no_reads_are_recorded_the_last_search_satisfies():
    """If it showed a file and no other followed; with a read anywhere in the format, it does not."""
    events = [turn(0), search(1, "redis"), search(9, "redis port", "a.md"), turn(20), search(30, "holiday allowance")]
    assert [(need.is_satisfied, need.answer, need.found_at) for need in find_needs(events)] == [
        (True, None, 1),
        (False, None, None),
    ]
    with_read = [*events, read(2, "z.md", session="other")]
    assert [need.is_satisfied for need in find_needs(with_read)] == [False, False]


def test_where_nobody_says_what_was_shown_a_read_satisfies():
    """The last wording is taken for the one that found it."""
    (need,) = find_needs([turn(0), search(1, "redis", shown=None), search(9, "cache", shown=None), read(11, "a.md")])
    assert (need.answer, need.found_at, need.is_zero_overlap) == ("a.md", 1, True)


def test_without_times_the_order_decides():
    """Formats that keep no times have batches; nothing is closed by time."""
    assert tell(
        turn(None),
        search(None, "redis", batch="1"),
        search(None, "cache", "a.md", batch="2"),
        read(None, "a.md"),
    ) == [(["redis", "cache"], "a.md", "read")]


def test_a_prompt_that_orders_rewording_marks_what_follows():
    """Needs before it are not marked, nor those of another session."""
    events = [turn(0), search(1, "redis", "a.md"), read(2, "a.md"), turn(3, orders_rewording=True), search(4, "ports")]
    assert [need.is_ordered for need in find_needs([*events, search(9, "redis", session="t")])] == [False, True, False]


def test_an_instruction_is_no_change_of_topic():
    """Only what a person says interrupts."""
    events = [turn(0), search(1, "redis"), turn(5, is_instruction=True), search(9, "cache", "a.md"), read(11, "a.md")]
    assert len(find_needs(events)) == 1


EVENTS = st.lists(
    st.one_of(
        st.builds(
            search,
            st.none() | st.integers(0, 2_000),
            st.sampled_from(["redis", "redis port", "port clash", "cache", "監控", "監控 設定", "the", "auth login"]),
            shown=st.none() | st.lists(st.sampled_from(["a.md", "b.md"]), max_size=2).map(tuple),
            batch=st.none() | st.sampled_from("xy"),
            agent=st.none() | st.just("scout"),
        ),
        st.builds(read, st.none() | st.integers(0, 2_000), st.sampled_from(["a.md", "b.md", "c.md"])),
        st.builds(turn, st.none() | st.integers(0, 2_000)),
        st.builds(write, st.none() | st.integers(0, 2_000), st.just("a.md")),
    ),
    max_size=14,
).map(sort_events)


@given(EVENTS)
def test_every_search_is_in_exactly_one_need(events):
    """No search is lost or counted twice; a need with an answer is satisfied by a read; found_at is a wording's."""
    needs = find_needs(events)
    assert sum(need.searches for need in needs) == sum(isinstance(event, Search) for event in events)
    assert len({need.id for need in needs}) == len(needs)
    for need in needs:
        assert need.attempts[0].change is None
        assert None not in [attempt.change for attempt in need.attempts[1:]]
        assert need.is_satisfied or need.answer is None
        assert (need.closing is Closing.READ) == bool(need.reads)
        assert need.found_at is None or 0 <= need.found_at < len(need.wordings)


@pytest.fixture(scope="module")
def world():
    """A generated world with two hundred sessions."""
    parameters = Parameters(documents=200, needs=120, languages=("en", "zh"), sessions=200, vocabulary_gap=0.3)
    return generate_world(parameters, seed=3)


def find_in_world(world, tmp_path, *, with_prompts):
    lines, last = [], None
    for event in list_events(world.sessions):
        asked = event["session"], event["need"]
        if with_prompts and asked != last:
            lines.append({"event": "turn", "session": event["session"], "time": event["time"]})
        last = asked
        lines.append(event)
    path = tmp_path / "sessions.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return find_needs(read_recordings([path], MemoryFiles()).events)


def test_simulated_sessions_are_understood(world, tmp_path):
    """With a prompt before each need, those found later, and without a word of the first, are as many as is true."""
    needs = find_in_world(world, tmp_path, with_prompts=True)
    truth = world.truth.session_counts
    assert sum(need.is_satisfied for need in needs) == truth.asked - truth.abandoned - truth.out_of_words
    assert sum(bool(need.found_at) for need in needs) == truth.found_later > 20
    assert sum(need.is_zero_overlap for need in needs) == truth.zero_overlap > 10


def test_without_prompts_the_rates_are_nearly_true(world, tmp_path):
    """What cannot be told without them costs less than a fifth of the retries; and no read is lost."""
    needs = find_in_world(world, tmp_path, with_prompts=False)
    truth = world.truth.session_counts
    assert sum(need.is_satisfied for need in needs) == truth.asked - truth.abandoned - truth.out_of_words
    assert sum(bool(need.found_at) for need in needs) == pytest.approx(truth.found_later, rel=0.2)
    assert sum(need.is_zero_overlap for need in needs) == pytest.approx(truth.zero_overlap, rel=0.2)
