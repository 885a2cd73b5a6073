"""Times as transcripts write them."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.sessions.times import parse_time

NOON = datetime(2026, 7, 3, 12, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    "written",
    [
        "2026-07-03T12:00:00Z",
        "2026-07-03T12:00:00.000Z",
        "2026-07-03 12:00:00",
        "2026-07-03T12:00",
        "2026-07-03T20:00:00+08:00",
        "2026-07-03T20:00:00.0+0800",
        "2026-07-03T04:00:00-08",
        "2026-07-03T12:00:00,000000000z",
        NOON.timestamp(),
        NOON.timestamp() * 1000,
        int(NOON.timestamp() * 1000),
    ],
)
def test_every_usual_form_is_read(written):
    """ISO 8601 with any fraction and offset, UTC without one; seconds and milliseconds since 1970."""
    assert parse_time(written) == NOON


@pytest.mark.parametrize(
    "written", [None, True, "", "noon", "2026-06-31T12:00:00Z", "2026-07-03T12:00:00+99:99", 0, -5, 1e300, float("nan")]
)
def test_what_is_no_time_is_none(written):
    """Days that are none, offsets that are none, the year 200,000 and other values."""
    assert parse_time(written) is None


@given(st.datetimes(timezones=st.just(timezone.utc)))
def test_iso_text_is_read_back(time):
    """What Python writes is read as it was."""
    assert parse_time(time.isoformat()) == time


@given(st.text() | st.integers() | st.floats())
def test_no_value_raises(value):
    """Whatever stands there."""
    parse_time(value)
