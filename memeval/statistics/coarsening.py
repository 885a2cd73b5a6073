"""Differences of needs that an exact test can count with: rounded where their sums would be too many."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from memeval.statistics.differences import count_work

PARTS = (60, 12, 4, 1)
"""What a difference of 1 is divided into where it is rounded."""
MAX_WORK = 3 * 10**10
"""Bits added up: beyond it one test takes seconds. Two hundred needs of up to thirteen wordings take a thirtieth of
it, five hundred a half."""


def coarsen(differences: Sequence[Fraction]) -> list[Fraction]:
    """The differences in their order: as they are where that can be counted with, else rounded to parts of one size.

    A rounded one keeps its sign and is never 0. A test that flips signs is exact for any size that is given to a
    difference, as long as the size does not depend on the sign; what rounding moves is its power, by little.
    """
    tried = list(differences)
    exact = math.lcm(*(difference.denominator for difference in differences))
    for parts in PARTS:
        if count_work(tried) <= MAX_WORK:
            break
        if parts < exact:
            rounded = {difference: _round(difference, parts) for difference in set(differences)}
            tried = [rounded[difference] for difference in differences]
    return tried


def _round(difference: Fraction, parts: int) -> Fraction:
    if not difference:
        return difference
    size = Fraction(max(1, math.floor(abs(difference) * parts + Fraction(1, 2))), parts)
    return size if difference > 0 else -size
