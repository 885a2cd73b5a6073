"""How a row of a comparison turned out, and the exit code that all of them together make."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Outcome(str, Enum):
    """Of one row."""

    CLEAN = "clean"
    UNDECIDED = "undecided"
    """It depends on documents that nobody has judged."""
    REGRESSION = "regression"
    UNUSABLE = "unusable"
    """A broken or ungradable record, or nothing to compare."""
    INVALID = "invalid"
    """The two runs do not measure the same: another corpus, cutoff or cap."""


EXIT_CODES = {
    Outcome.CLEAN: 0,
    Outcome.UNDECIDED: 0,
    Outcome.REGRESSION: 1,
    Outcome.UNUSABLE: 2,
    Outcome.INVALID: 3,
}


def decide_exit(outcomes: Iterable[Outcome]) -> int:
    """The exit code: the highest of the rows', 0 without any. Nothing else has a say.

    What cannot be compared outranks what was lost, since a loss may be one of the files or of the harness.
    """
    return max((EXIT_CODES[outcome] for outcome in outcomes), default=0)
