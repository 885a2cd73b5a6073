"""What tests of the search log share: a store that logs, and events."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from memeval.memory import LogEvent

NOON = datetime(2026, 7, 3, 12, 0, 1, 250_000, tzinfo=timezone(timedelta(hours=8)))
TIME = "2026-07-03T12:00:01.250+08:00"


def open_logged(desk, profile="current", **settings):
    return desk.open(profile, now=lambda: NOON, **{"search_log": True, **settings})


def event(**fields):
    return LogEvent(**{"time": NOON, "kind": "search", "scope": None, "query": "x", "shown": (), "matched": 0,
                       "shown_bytes": 0, **fields})  # fmt: skip
