"""Times as transcripts write them: ISO 8601, or milliseconds since 1970."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|z|[+-]\d\d:?(?:\d\d)?)?", re.ASCII
)
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_FIRST_MILLISECONDS = 100_000_000_000
"""As seconds the year 5138, as milliseconds 1973: the number below is taken for seconds."""


def parse_time(value: object) -> datetime | None:
    """The time a value means, with its offset (UTC where it states none); None for anything that is no time."""
    try:
        if isinstance(value, str):
            return _parse_text(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1000 if abs(value) >= _FIRST_MILLISECONDS else value
            return _EPOCH + timedelta(milliseconds=round(seconds * 1000)) if seconds > 0 else None
    except (ValueError, OverflowError):  # the 31st of June, the year 200,000, not a number
        return None
    return None


def _parse_text(text: str) -> datetime | None:
    match = _ISO.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction, offset = match.groups()
    zone = timezone.utc
    if offset and offset not in "Zz":
        minutes = int(offset[1:3]) * 60 + int(offset[3:].lstrip(":") or 0)
        zone = timezone(timedelta(minutes=minutes if offset[0] == "+" else -minutes))
    microsecond = int((fraction or "0").ljust(6, "0")[:6])
    return datetime(int(year), int(month), int(day), int(hour), int(minute), int(second or 0), microsecond, tzinfo=zone)
