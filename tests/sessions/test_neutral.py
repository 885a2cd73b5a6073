"""The neutral form: read back as it was written, and tolerant of what others write."""

from __future__ import annotations

from datetime import timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from memeval.sessions.events import DUPLICATE, NAMELESS, WORDLESS, Read, Search, UserTurn, Write
from memeval.sessions.memoryfiles import MemoryFiles
from memeval.sessions.neutral import read_neutral, write_line

TEXT = st.text(min_size=1, max_size=12).filter(lambda text: text.strip())
PATHS = st.sampled_from(["MEMORY.md", "notes/a b.md", "/srv/記憶/監控.md", "memory://root/x.md"])
TIMES = st.none() | st.datetimes().filter(lambda time: 1980 < time.year < 2100).flatmap(
    lambda time: st.integers(-720, 840).map(lambda m: time.replace(tzinfo=timezone(timedelta(minutes=m))))
)
COMMON = {
    "reader": TEXT,
    "session": TEXT,
    "agent": st.none() | TEXT,
    "time": TIMES,
    "began": TIMES,
    "place": TEXT,
    "call": st.none() | TEXT,
    "batch": st.none() | TEXT,
}
COUNT = st.none() | st.integers(0, 10**12)
TRUTH = st.none() | st.booleans()
EVENTS = st.one_of(
    st.builds(Search, **COMMON, tool=TEXT, query=TEXT, pattern=st.none() | TEXT, where=st.none() | TEXT,
              shown=st.none() | st.lists(PATHS).map(tuple), matched=COUNT, shown_bytes=COUNT, is_store_empty=TRUTH),
    st.builds(Search, **COMMON, tool=TEXT, query=st.none(), term_hashes=st.lists(TEXT).map(tuple)),
    st.builds(Read, **COMMON, file=PATHS, shown_bytes=COUNT),
    st.builds(Write, **COMMON, file=PATHS, is_new=TRUTH),
    st.builds(UserTurn, **COMMON, orders_rewording=st.booleans(), is_instruction=st.booleans()),
)  # fmt: skip


def read_bytes(folder, content):
    path = folder / "events.jsonl"
    path.write_bytes(content)
    return read_neutral(path, MemoryFiles())


@given(EVENTS)
def test_an_event_is_read_back_as_it_was_written(tmp_path_factory, event):
    """Whatever is in it: half characters, line separators, any offset of time; its place too."""
    content = read_bytes(tmp_path_factory.getbasetemp(), write_line(event))
    assert content.problems == ()
    assert content.events == (event,)
    assert content.events[0].place == event.place


def test_what_others_write_is_read(read, describe):
    """A prompt's text is looked at and not kept, `hits` is `shown`, another kind of line is passed over."""
    content = read("neutral/whole")
    assert describe(content) == [
        ("userturn", None, None, None),
        ("search", None, "auth", []),
        ("search", None, "login flow", ["sso.md", "ui.md"]),
        ("read", None, "sso.md", None),
        ("write", None, "login.md", None),
        ("search", "scout", "deploy day", ["MEMORY.md"]),
        ("search", "scout", "deploy", ["MEMORY.md"]),
    ]
    assert content.events[0].orders_rewording
    assert (content.problems, content.dropped) == ((), {})


def test_damage_costs_only_what_is_damaged(read, describe):
    """One line a problem, with its number, in the order of the file; a line written twice counts once."""
    content = read("neutral/damaged")
    assert describe(content) == [("search", None, "port\u2028clash", ["redis.md"]), ("read", None, "redis.md", None)]
    assert [(problem.line, problem.is_tail) for problem in content.problems] == [
        (2, False),
        (3, False),
        (4, False),
        (9, True),
    ]
    assert content.dropped == {WORDLESS: 1, NAMELESS: 1, DUPLICATE: 1}


def test_equal_lines_without_a_time_are_two_events(tmp_path):
    """Nothing says that they are copies."""
    line = b'{"event":"read","session":"s","file":"a.md"}\n'
    assert len(read_bytes(tmp_path, line * 2).events) == 2
