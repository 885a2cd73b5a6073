"""Differences of needs as whole numbers that an exact test can count with: rounded where sums would be too many."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

PARTS = (60, 12, 4, 1)
"""What a difference of 1 is divided into: up to six wordings are exact in sixtieths, up to four in twelfths."""
MAX_WORK = 10**11
"""Differences that are not 0, to the third power, times the parts: beyond it one test takes seconds."""


def coarsen(differences: Sequence[Fraction]) -> list[int]:
    """The differences in whole parts of one size, in their order: exact where that can be counted with, else rounded.

    A rounded one keeps its sign and is never 0. A test that flips signs is exact for any size that is given to a
    difference, as long as the size does not depend on the sign; what rounding moves is its power, by little.
    """
    changed = sum(map(bool, differences))
    exact = math.lcm(*(difference.denominator for difference in differences))
    if changed**3 * exact <= MAX_WORK or exact == 1:
        return [int(difference * exact) for difference in differences]
    parts = next((parts for parts in PARTS if parts < exact and changed**3 * parts <= MAX_WORK), 1)
    return [_round(difference, parts) for difference in differences]


def _round(difference: Fraction, parts: int) -> int:
    if not difference:
        return 0
    size = max(1, math.floor(abs(difference) * parts + Fraction(1, 2)))
    return size if difference > 0 else -size
