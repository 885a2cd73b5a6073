"""Calls and answers become events: pairing, copies, order, secrets."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from memeval.sessions.answers import Answer
from memeval.sessions.events import DUPLICATE, ELSEWHERE, FAILED, NAMELESS, UNANSWERED, WORDLESS, Read, Search, UserTurn
from memeval.sessions.memoryfiles import MemoryFiles
from memeval.sessions.transcript import MAX_QUERY_BYTES, Call, Transcript, sort_events

NOON = datetime(2026, 7, 3, 12, tzinfo=timezone.utc)


def call(key, name="memory_search", **arguments):
    return Call(key=key, session="s", place=f"x:{key}", name=name, arguments=arguments)


def finish(*calls, answered=Answer(text="notes/a.md")):  # noqa: B008 - a frozen value
    transcript = Transcript("reader", MemoryFiles())
    for one in calls:
        transcript.add_call(one)
        transcript.add_answer(one.key, answered)
    return transcript.finish()


def test_an_answer_may_stand_before_its_call():
    """Lines out of order are paired by their key."""
    transcript = Transcript("reader", MemoryFiles())
    transcript.add_answer("k", Answer(text="notes/a.md"))
    transcript.add_call(call("k", query="redis"))
    assert [event.shown for event in transcript.finish().events] == [("notes/a.md",)]


def test_what_is_left_out_is_counted():
    """Each reason by its name, and nothing else."""
    transcript = Transcript("reader", MemoryFiles())
    transcript.add_call(call("unanswered", query="redis"))
    for one in (
        call("elsewhere", "Read", file_path="/w/main.py"),
        call("listing", "Grep", pattern=".*", path="/m/memory"),
        call("nameless", "memory_write", content="x"),
        call("wild", "Bash", command="cat /m/memory/*.md"),
        call("other", "WebSearch", query="redis"),
    ):
        transcript.add_call(one)
        transcript.add_answer(one.key, Answer(text="x"))
    transcript.add_call(call("failed", "Read", file_path="/m/memory/a.md"))
    transcript.add_answer("failed", Answer(text="gone", is_error=True))
    transcript.add_answer("failed", Answer(text="there"))
    content = transcript.finish()
    assert content.events == ()
    assert content.dropped == {DUPLICATE: 1, UNANSWERED: 1, ELSEWHERE: 1, WORDLESS: 1, NAMELESS: 2, FAILED: 1}


def test_a_call_may_do_several_things():
    """Each has a key of its own, and they were sent off together."""
    one = call("k", "Bash", command="grep -rn redis /m/memory; cat /m/memory/a.md")
    search, read = finish(one, answered=Answer(text="/m/memory/a.md:1:redis")).events
    assert (type(search), search.call, type(read), read.call) == (Search, "k", Read, "k#1")


def test_no_secret_and_no_pasted_file_gets_in():
    """Queries are redacted as in the engine's log, and cut where they are longer than it keeps."""
    (event,) = finish(call("k", query="deploy token=hunter2secret now")).events
    assert event.query == "deploy token=[redacted:secret] now"
    (event,) = finish(call("k", query="長" * MAX_QUERY_BYTES)).events
    assert 0 < len(event.query.encode()) <= MAX_QUERY_BYTES


def test_a_search_without_a_place_is_one_where_the_agent_stands():
    """rg looks below the working directory, and `cd` moves it."""
    folder = "/home/u/.codex/memories"
    kept = Call(key="k", session="s", place="x", name="Bash", arguments={"command": "rg redis"}, folder=folder)
    moved = Call(
        key="l", session="s", place="x", name="Bash", arguments={"command": f"cd {folder}; rg redis"}, folder="/w"
    )
    assert [event.where for event in finish(kept, moved).events] == [folder, folder]


def test_events_are_in_order_of_time_within_each_stream():
    """Streams one after the other; an event without a time stays behind the one before it; equal times keep the file's
    order."""

    def turn(session, seconds, key):
        time = None if seconds is None else NOON + timedelta(seconds=seconds)
        return UserTurn(reader="r", session=session, time=time, call=key)

    events = [
        turn("b", 5, "1"),
        turn("a", 9, "2"),
        turn("b", 3, "3"),
        turn("b", None, "4"),
        turn("b", 3, "5"),
        turn("a", None, "6"),
    ]
    assert [event.call for event in sort_events(events)] == ["2", "6", "3", "4", "5", "1"]
