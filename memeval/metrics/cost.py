"""What an answer costs: bytes to read and time to wait. Time stands apart from quality."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memeval.text import utf8_length


def documents_shown(shown: Collection[str]) -> int:
    """How many different documents are displayed."""
    return len(set(shown))


def bytes_shown(text: str) -> int:
    """UTF-8 bytes of the whole text displayed, summary and markers included."""
    return utf8_length(text)


def percentile(values: Sequence[float], percent: int) -> float | None:
    """The nearest-rank percentile: the smallest value that at least `percent` % of the values do not exceed.

    It is always one of the values. None without values.

    Raises:
        ValueError: `percent` is not a whole number from 1 to 100.
    """
    if percent not in range(1, 101):
        raise ValueError(f"percent must be a whole number from 1 to 100, not {percent!r}")
    if not values:
        return None
    # Whole numbers: 7 / 100 * 100 is above 7 as a float, and its ceiling would be 8.
    return sorted(values)[-(-percent * len(values) // 100) - 1]


def summarise_seconds(seconds: Sequence[float]) -> dict[str, float | int | None]:
    """{"p50_ms", "p95_ms", "max_ms", "queries"}: nearest-rank percentiles in milliseconds, None without values."""
    summary: dict[str, float | int | None] = {}
    for name, percent in (("p50_ms", 50), ("p95_ms", 95), ("max_ms", 100)):
        value = percentile(seconds, percent)
        summary[name] = None if value is None else value * 1000
    return {**summary, "queries": len(seconds)}
