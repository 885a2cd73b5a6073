"""All readers: each recognises its own, none dies of damage, and what several files hold counts once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memeval.errors import TranscriptError, UnknownNameError
from memeval.sessions.events import DUPLICATE, Read, Search, UserTurn
from memeval.sessions.memoryfiles import MemoryFiles
from memeval.sessions.neutral import write_line
from memeval.sessions.readers import (
    LOGGED_TWICE,
    READERS,
    count_kinds,
    detect_reader,
    find_reader,
    read_recordings,
)

FILES = (
    "claude-code/whole",
    "claude-code/damaged",
    "codex/rollout-2026-07-04T09-00-00-0a1b2c3d-0000-4000-8000-00000000c0de",
    "codex/rollout-2026-07-04T09-10-00-0a1b2c3d-0000-4000-8000-00000000dead",
    "neutral/whole",
    "neutral/damaged",
    "oh-my-pi/whole",
    "oh-my-pi/damaged",
    "opencode/database",
    "search-log/searchlog",
    "search-log/broken",
    "zerostack/whole",
    "zerostack/torn",
)
ANY_CUT = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def identify(content):
    """What makes an event that one and no other; not whose branch it turns out to lie on."""
    return {
        (
            type(event),
            event.session,
            event.call,
            event.time,
            getattr(event, "query", None),
            getattr(event, "file", None),
        )
        for event in content.events
    }


def read_bytes(folder, name, reader, content):
    path = folder / f"{name.replace('/', '-')}{'.db' if 'database' in name else '.json'}"
    path.write_bytes(content)
    return reader.read(path, MemoryFiles())


@pytest.fixture(scope="module")
def wholes(transcripts, tmp_path_factory):
    """{name: (reader, bytes, what identifies its events)} of every transcript that is one file."""
    found = {}
    for name in FILES:
        reader, content = detect_reader(transcripts[name]), transcripts[name].read_bytes()
        events = identify(read_bytes(tmp_path_factory.mktemp("whole"), name, reader, content))
        assert events
        found[name] = reader, content, events
    return found


def test_every_format_is_recognised_by_its_content(transcripts):
    """Two files or more of each reader, whole and damaged, go to that reader and to no other."""
    for name, path in transcripts.items():
        assert detect_reader(path).name == name.split("/")[0]
    assert {name.split("/")[0] for name in transcripts} == {reader.name for reader in READERS}


@pytest.mark.parametrize("name", FILES)
@ANY_CUT
@given(st.data())
def test_a_file_cut_off_anywhere_has_no_event_the_whole_one_lacks(name, wholes, tmp_path, data):
    """A writer may be stopped at any byte: nothing raises, and no event is invented."""
    reader, content, events = wholes[name]
    cut = data.draw(st.integers(0, len(content)))
    assert identify(read_bytes(tmp_path, name, reader, content[:cut])) <= events


@pytest.mark.parametrize("name", [name for name in FILES if name.split("/")[0] not in ("opencode", "zerostack")])
@ANY_CUT
@given(st.data())
def test_a_lost_line_invents_nothing(name, wholes, tmp_path, data):
    """Without any one line every search, read and write is one of the whole file; the line may have named its session,
    its folder or its time."""
    reader, content, events = wholes[name]
    lines = content.split(b"\n")
    lost = data.draw(st.integers(0, len(lines) - 1))
    rest = identify(read_bytes(tmp_path, name, reader, b"\n".join(lines[:lost] + lines[lost + 1 :])))

    def tell(found):
        return {
            (kind, call, query, file and Path(file).name)
            for kind, _, call, _, query, file in found
            if kind is not UserTurn
        }

    assert tell(rest) <= tell(events)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
@ANY_CUT
@given(st.data())
def test_no_reader_dies_of_another_file(reader, wholes, tmp_path, data):
    """Every reader reads every format, and bytes that are overwritten anywhere: events or problems, never an error."""
    name = data.draw(st.sampled_from(FILES))
    content = bytearray(wholes[name][1])
    for place, byte in data.draw(
        st.lists(st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255)), max_size=9)
    ):
        content[place] = byte
    read_bytes(tmp_path, name, reader, bytes(content))


def test_a_part_that_is_cut_off_costs_only_itself(copies):
    """opencode's older folder, with each file emptied or halved in turn."""
    storage = copies / "opencode" / "storage"
    reader = find_reader("opencode")
    whole = identify(reader.read(storage, MemoryFiles()))
    for path in sorted(storage.rglob("*.json")):
        content = path.read_bytes()
        for cut in (0, len(content) // 2):
            path.write_bytes(content[:cut])
            found = identify(reader.read(storage, MemoryFiles()))
            # without its session a sub-agent's search is taken for one of a session of its own
            assert {event[2] for event in found} <= {event[2] for event in whole}
        path.write_bytes(content)


def test_a_folder_is_read_as_a_whole(copies):
    """Every source below it, in the order of the registry; the database and the folder it came from count once."""
    (copies / "claude-code" / "settings.json").write_text("{}", encoding="utf-8")
    recording = read_recordings([copies], MemoryFiles())
    assert recording.sources == {
        "opencode": 2,
        "zerostack": 2,
        "search-log": 2,
        "neutral": 2,
        "codex": 2,
        "oh-my-pi": 2,
        "claude-code": 2,
    }
    assert [path.name for path in recording.unknown] == ["settings.json"]
    assert count_kinds(recording.events) == {"search": 34, "read": 14, "write": 5, "turn": 16}
    alone = read_recordings([copies / "opencode" / "storage"], MemoryFiles())
    assert [event for event in recording.events if event.reader == "opencode"] == list(alone.events)


def test_a_file_reached_twice_is_read_once(copies):
    """Named twice, through its folder and through a link: the same events."""
    link = copies.parent / "link.jsonl"
    path = copies / "neutral" / "whole.jsonl"
    link.symlink_to(path)
    once = read_recordings([path], MemoryFiles())
    assert read_recordings([path, link, copies / "neutral" / "whole.jsonl"], MemoryFiles()) == once


def test_a_resumed_session_counts_once(copies):
    """Lines that a later file copies from an earlier one are copies, whatever session it says they are of."""
    path = copies / "claude-code" / "whole.jsonl"
    once = read_recordings([path], MemoryFiles())
    resumed = path.read_text(encoding="utf-8").replace("5e55-shop", "5e55-shop-resumed")
    (copies / "claude-code" / "z-resumed.jsonl").write_text(resumed, encoding="utf-8")
    twice = read_recordings([path, copies / "claude-code" / "z-resumed.jsonl"], MemoryFiles())
    assert twice.events == once.events
    assert twice.dropped[DUPLICATE] == len(once.events)


def test_a_search_in_a_transcript_and_in_the_log_counts_once(tmp_path):
    """The engine logs what an agent asked through its tool: the same words within seconds are one search."""
    (tmp_path / "agent.jsonl").write_bytes(
        b'{"event":"search","session":"s","time":"2026-07-03T10:00:01Z","query":"redis","shown":["notes/a.md"]}\n'
        b'{"event":"read","session":"s","time":"2026-07-03T10:00:09Z","file":"notes/a.md"}\n'
    )
    log = {"scope": None, "shown": ["notes/a.md"], "matched": 1, "shown_bytes": 9}
    lines = (
        {"time": "2026-07-03T10:00:01.200+00:00", "kind": "search", "query": "redis", **log},
        {"time": "2026-07-03T10:00:08.900+00:00", "kind": "read", **log},
        {"time": "2026-07-03T11:00:00.000+00:00", "kind": "search", "query": "redis", **log},
    )
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "searchlog.jsonl").write_text(text, encoding="utf-8")
    recording = read_recordings([tmp_path], MemoryFiles())
    assert [(type(event), event.reader) for event in recording.events] == [
        (Search, "neutral"),
        (Read, "neutral"),
        (Search, "search-log"),
    ]
    assert recording.dropped == {LOGGED_TWICE: 2}


def test_what_was_imported_says_the_same(copies, tmp_path):
    """Events written in the neutral form and read again are the events."""
    recording = read_recordings([copies], MemoryFiles())
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"".join(map(write_line, recording.events)))
    again = read_recordings([path], MemoryFiles())
    assert again.events == recording.events
    assert (again.problems, again.dropped) == ((), {})


@pytest.mark.slow
def test_the_same_on_any_machine(copies):
    """Another hash seed gives the same bytes."""
    script = (
        "import sys; from pathlib import Path; from memeval.sessions import MemoryFiles, read_recordings, write_line;"
        "r = read_recordings([Path(p) for p in sys.argv[1:]], MemoryFiles());"
        "sys.stdout.buffer.write(b''.join(map(write_line, r.events)) + repr(r.problems).encode())"
    )
    parts = [str(copies / name) for name in ("zerostack", "codex", "claude-code")]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script, *parts],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_a_file_that_is_none_is_refused(tmp_path):
    """A named file names the formats there are; a folder without any, and a path that is not there, say so."""
    odd = tmp_path / "odd.jsonl"
    odd.write_text('{"a": 1}\n', encoding="utf-8")
    with pytest.raises(TranscriptError, match=r"odd\.jsonl: no reader takes it\. Known are opencode: .*claude-code"):
        read_recordings([odd], MemoryFiles())
    with pytest.raises(TranscriptError, match="nothing in it is a recorded session"):
        read_recordings([tmp_path], MemoryFiles())
    with pytest.raises(TranscriptError, match="there is no such file or folder"):
        read_recordings([tmp_path / "gone"], MemoryFiles())
    with pytest.raises(UnknownNameError, match="unknown reader 'clod'"):
        find_reader("clod")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is unreadable for the superuser")
def test_a_file_that_may_not_be_read_is_told(copies):
    """The others are read all the same."""
    path = copies / "codex" / "locked.jsonl"
    shutil.copy(copies / "neutral" / "whole.jsonl", path)
    path.chmod(0)
    recording = read_recordings([copies], MemoryFiles())
    assert [problem.path for problem in recording.problems if "cannot be read" in problem.reason] == [str(path)]


def test_a_named_reader_reads_what_it_is_told(copies):
    """Given a reader, content is not asked."""
    path: Path = copies / "neutral" / "whole.jsonl"
    recording = read_recordings([path], MemoryFiles(), find_reader("codex"))
    assert (recording.events, recording.sources) == ((), {"codex": 1})
