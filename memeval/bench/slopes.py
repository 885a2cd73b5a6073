"""Each need in two runs: which share of its wordings was found before, and which is now."""

from __future__ import annotations

import math
from dataclasses import dataclass

from memeval.bench.evaluation import Evaluation
from memeval.bench.matching import MatchedCell, match_evaluations
from memeval.metrics.mean import mean


@dataclass(frozen=True, slots=True)
class Slope:
    """One need under one variant, in two runs."""

    need: str
    base: float
    """Share of its wordings that found an expected file, in [0, 1]."""
    head: float
    wordings: int
    """Those that both runs asked and could grade."""


@dataclass(frozen=True, slots=True)
class SlopeCell:
    """The needs of one variant on one suite that both runs have."""

    suite: str
    variant: str
    slopes: tuple[Slope, ...]
    """In the order of head."""

    @property
    def moved(self) -> tuple[Slope, ...]:
        """Those that differ, the deepest falls first."""
        return tuple(sorted((one for one in self.slopes if one.base != one.head), key=lambda one: one.head - one.base))

    @property
    def change(self) -> float:
        """The sum of all moves, each taken as a distance."""
        return math.fsum(abs(one.head - one.base) for one in self.slopes)


def trace_slopes(base: Evaluation, head: Evaluation) -> tuple[SlopeCell, ...]:
    """A cell for each variant and suite that two runs share, controls left out; one without a common need is not there.

    What was found is taken as recorded, each run by its own judgements.
    """
    cells = (_trace(cell) for cell in match_evaluations(base, head).cells)
    return tuple(cell for cell in cells if cell.slopes)


def _trace(cell: MatchedCell) -> SlopeCell:
    slopes = []
    for need, pairs in cell.needs().items():
        both = [
            (bool(pair.base.found), bool(pair.head.found))
            for pair in pairs
            if _is_known(pair.base.found, pair.head.found)
        ]
        before, after = mean(old for old, _ in both), mean(new for _, new in both)
        if before.value is not None and after.value is not None:
            slopes.append(Slope(need, before.value, after.value, len(both)))
    return SlopeCell(cell.suite.name, cell.head.name, tuple(slopes))


def _is_known(*found: bool | None) -> bool:
    return all(value is not None for value in found)
