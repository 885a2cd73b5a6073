"""Recorded sessions on the page."""

from __future__ import annotations

import dataclasses
import json

import pytest

from memeval.bench.recorded import summarise_recording
from memeval.bench.recordedfile import ToldRate, ToldRecording, ToldWatch, load_recording
from memeval.report.recorded import describe_summary
from memeval.report.recordedpage import write_recording
from memeval.sessions import Recording

WATCH = ToldWatch(
    state="alarm",
    needs=4,
    retries=2,
    alarms=(4,),
    tolerated=0.1,
    alarmed=0.2,
    alarm=3,
    scores=(0, 2, 1, 4),
    ewma=(0.0, 0.1, 0.05, 0.3),
)


def test_rates_and_a_monitor():
    """Each rate with its interval and cases, – where it is undefined; the watch as a plot that has a name."""
    rates = {
        "reworded": ToldRate(value=0.25, successes=1, n=4, interval=(0.05, 0.7)),
        "zero_hit": ToldRate(value=None, successes=0, n=0, interval=None),
    }
    recording = ToldRecording(sessions=3, needs=4, rates=rates, watches=(WATCH,), first="2026-03-01T10:00:00+00:00")
    text = write_recording(recording)
    assert "3 sessions, 4 needs, 2026-03-01." in text
    assert '<td class="n">0.25 [0.05, 0.70]</td><td class="n">1 of 4</td>' in text
    assert '<td class="n">–</td><td class="n">0 of 0</td>' in text
    assert 'aria-label="Watch of zero-overlap retries: alarm"' in text
    assert "score (▼ alarm)" in text


def test_what_the_verb_writes_is_what_is_read(tmp_path):
    """Also where nothing was recorded."""
    path = tmp_path / "r.json"
    summary = summarise_recording(Recording(events=(), sources={}, dropped={}), (), {})
    path.write_text(json.dumps(describe_summary(summary, (), {})), encoding="utf-8")
    assert "0 sessions, 0 needs." in write_recording(load_recording(path))


@pytest.mark.parametrize("state", ["<b>", "a | b"])
def test_states_are_text(state):
    """As everything is that comes from a file."""
    watch = dataclasses.replace(WATCH, state=state)
    assert "<b>" not in write_recording(ToldRecording(sessions=1, needs=4, rates={}, watches=(watch,)))
