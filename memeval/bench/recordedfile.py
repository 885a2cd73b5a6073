"""What `memeval sessions report --json` wrote, read back: the rates of recorded needs and their watch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memeval.bench.outputfile import load_output


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldRate:
    """A share of needs or searches."""

    value: float | None
    """None without any case."""
    successes: int
    n: int
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldWatch:
    """The watch over one stretch of one ruler, a score and a weighted share for each need in order of time."""

    state: str
    needs: int
    retries: int
    alarms: tuple[int, ...]
    """Numbers of the needs, from 1, at which it rang."""
    tolerated: float
    alarmed: float
    alarm: float
    """The score at which it rings."""
    scores: tuple[float, ...]
    ewma: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldRecording:
    """What a page shows of recorded sessions."""

    sessions: int
    needs: int
    rates: Mapping[str, ToldRate]
    """By name, as in NEED_RATES and SEARCH_RATES."""
    watches: tuple[ToldWatch, ...]
    first: str | None = None
    """When the first of them began, as ISO 8601 has it."""
    last: str | None = None


def load_recording(path: Path) -> ToldRecording:
    """The recorded figures in a file.

    Raises:
        EvaluationFileError: the file cannot be read, or is not what `memeval sessions report --json` writes.
    """
    return load_output(path, ToldRecording, "memeval sessions report --json")
