"""One difference a need between two runs: the exact test, and the interval of its mean.

A need that was asked once differs by -1, 0 or 1. One that was asked in m wordings differs by a whole number of m-ths;
over a common denominator differences are whole numbers again, so that everything here is counted and nothing rounded.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from memeval.statistics.intervals import DEFAULT_CONFIDENCE, Interval


def mcnemar_p(lost: int, won: int) -> float:
    """The two-sided exact p of as uneven a split of the needs that changed, in (0, 1]; 1 where none did.

    Args:
        lost: needs that only the first run answers with yes.
        won: needs that only the second does.

    Raises:
        ValueError: a count below 0.

    Source: McNemar, Psychometrika 12 (1947) 153-157, with the binomial distribution itself.
    """
    if min(lost, won) < 0:
        raise ValueError(f"{lost} needs lost and {won} won: no count may be below 0")
    changed, fewer = lost + won, min(lost, won)
    ways, one = 0, 1
    for place in range(fewer + 1):
        ways += one
        one = one * (changed - place) // (place + 1)
    return min(1.0, 2 * ways / (1 << changed))


def sign_flip_p(differences: Iterable[int]) -> float:
    """The two-sided exact p that the mean difference is 0, in (0, 1]; 1 where all are 0, or their sum is.

    It is the share of the ways to give each difference that is not 0 a sign whose sum lies at least as far from 0 as
    the sum that was seen. For differences of one size it is `mcnemar_p`.

    Args:
        differences: whole numbers, one a need; a common factor changes nothing.

    Source: Fisher, The Design of Experiments (1935), section 21.
    """
    values = [value for value in differences if value]
    if not values:
        return 1.0
    sizes = Counter(map(abs, values))
    if len(sizes) == 1:
        lost = sum(value < 0 for value in values)
        return mcnemar_p(lost, len(values) - lost)
    factor = math.gcd(*sizes)
    total = sum(size * number for size, number in sizes.items()) // factor
    seen = abs(sum(values)) // factor
    if seen == 0:
        return 1.0
    # Of the sum of sizes, the part with one sign is at most `most` exactly when the sum of all lies as far out.
    most = (total - seen) // 2
    ways = _count_subsets((size // factor for size in sizes.elements()), most)
    return min(1.0, 2 * ways / (1 << len(values)))


def _count_subsets(sizes: Iterable[int], most: int) -> int:
    """How many subsets of the sizes have a sum of at most `most`.

    The counts by sum are the digits of one long number, so that a size is one shift and one addition.
    """
    items = sorted(sizes)  # the number grows late
    width = len(items) + 1  # bits: no count is above 2^n, nor is the sum of all
    kept = (1 << (most + 1) * width) - 1
    counts = 1
    for size in items:
        if size <= most:
            counts += (counts << size * width) & kept
    return counts % ((1 << width) - 1)  # the sum of the digits, as casting out nines has it


def net_interval(differences: Sequence[float], confidence: float = DEFAULT_CONFIDENCE) -> Interval | None:
    """The two-sided interval of the mean difference, within [-1, 1], never of zero width; None without any need.

    Adjusted Wald for differences that may be fractions: half a need is added that rises by 1 and half a one that falls
    by 1, and one that does not change, then S/n +- z sqrt(Q - S^2/n) / n, with S their sum and Q that of the squares.
    For -1, 0 and 1 it is `paired_interval`.

    Raises:
        ValueError: a difference outside [-1, 1], or a confidence that is none.

    Source: Agresti and Min, Statistics in Medicine 24 (2005) 729-740.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence}: allowed is what lies between 0 and 1, such as 0.95")
    if any(not -1 <= value <= 1 for value in differences):
        raise ValueError("a difference of shares lies within [-1, 1]")
    if not differences:
        return None
    from scipy.special import ndtri

    n = len(differences) + 2
    total = math.fsum(differences)
    squares = math.fsum(value * value for value in differences) + 1
    half = float(ndtri((1 + confidence) / 2)) * math.sqrt(squares - total * total / n) / n
    return Interval(max(-1.0, total / n - half), min(1.0, total / n + half))
