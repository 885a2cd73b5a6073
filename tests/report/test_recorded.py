"""What recorded sessions show, in lines and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memeval.bench.recorded import summarise_recording
from memeval.report.recorded import NOTE, describe_summary, write_needs, write_summary
from memeval.sessions import MemoryFiles, find_needs, judge_existence, read_recordings

DATA = Path(__file__).parents[1] / "sessions" / "data"


@pytest.fixture(scope="module")
def recorded():
    """(summary, needs, existence) of the small transcripts."""
    recording = read_recordings([DATA / name for name in ("claude-code", "zerostack", "search-log")], MemoryFiles())
    needs = find_needs(recording.events)
    existence = judge_existence(needs, recording.events)
    return summarise_recording(recording, needs, existence), needs, existence


def test_the_first_line_says_what_was_measured_on_what(recorded):
    """Then counts, rates with interval and number of cases, the watch, and what the figures may not be used for."""
    lines = write_summary(recorded[0])
    assert lines[0] == "6 recordings (zerostack 2, search-log 2, claude-code 2), 2026-07-03"
    assert lines[1].startswith(
        "7 sessions, 2 sub-agents and branches, 5 prompts, 1 of them or of the instructions order rewording; "
        "17 searches (memory_search 11, "
    )
    assert lines[2] == "10 needs; searches: 1.7 a need, 2.4 a session, 3.4 a prompt"
    (row,) = (line for line in lines if line.startswith("found without a word of the first"))
    assert row.split("  ")[-1].strip() == "4 of 10"
    assert "[" in row
    assert "watch of zero-overlap retries: not enough data yet: 10 of 131 needs" in lines
    assert lines[-1] == NOTE


def test_every_need_can_be_traced(recorded):
    """Each search with its class, how much it showed, and the line of the file where it stands."""
    lines = write_needs(*recorded[1:])
    assert sum(not line.startswith(" ") for line in lines) == len(recorded[1])
    (place,) = (place for place, line in enumerate(lines) if line.startswith("5e55-shop#1"))
    assert lines[place].startswith("5e55-shop#1  satisfied, closed by read, read /home/ada/")
    assert lines[place + 1 : place + 3] == [
        f"    first: cache container  [0 files]  {DATA}/claude-code/whole.jsonl:3",
        f"    zero-overlap: redis port  [2 files]  {DATA}/claude-code/whole.jsonl:5",
    ]


def test_a_query_breaks_no_line(recorded):
    """A line separator in it is shown, not obeyed."""
    assert all(len(line.splitlines()) <= 1 for line in write_needs(*recorded[1:]))


def test_json_holds_the_figures_and_their_needs(recorded):
    """The sums of the needs are the numbers of the rates."""
    values = json.loads(json.dumps(describe_summary(*recorded), allow_nan=False))
    needs = values["recorded_needs"]
    rates = values["rates"]
    assert rates["zero_overlap"]["successes"] == sum(need["zero_overlap"] for need in needs)
    assert rates["abandoned"]["successes"] == sum(not need["satisfied"] for need in needs)
    assert rates["found_later"]["n"] == len(needs) == values["needs"]
    assert sum(need["searches"] for need in needs) == values["events"]["search"]
    (watch,) = values["watches"]
    assert len(watch["scores"]) == watch["needs"] == 10
    assert watch["state"] == "not enough data yet"
