"""The one mean: over defined values, with the number it stands on."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple


class Mean(NamedTuple):
    """A mean and the number of defined values behind it; the value is None when there are none."""

    value: float | None
    n: int


def mean(values: Iterable[float | None]) -> Mean:
    """The mean of the values that are not None and their number, the same to the last bit in any order."""
    defined = [value for value in values if value is not None]
    return Mean(math.fsum(defined) / len(defined) if defined else None, len(defined))
