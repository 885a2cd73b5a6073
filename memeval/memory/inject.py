"""What enters a model's context: the memory block, its truncation, and the room it takes."""

from __future__ import annotations

from memeval.text import cut_utf8, utf8_length

_TRUNCATION_MARK = "\n…[memory truncated]"


def truncate(text: str, max_bytes: int) -> str:
    """The text when it fits `max_bytes` of UTF-8; else cut there, with the mark `…[memory truncated]` after the cut.

    The mark (22 bytes) comes on top of `max_bytes`.
    """
    if utf8_length(text) <= max_bytes:
        return text
    return cut_utf8(text, max_bytes) + _TRUNCATION_MARK
