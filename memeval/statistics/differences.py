"""One difference a need between two runs: the exact test, and the interval of its mean.

A need that was asked once differs by -1, 0 or 1. One that was asked in m wordings differs by a whole number of m-ths:
a fraction, so that everything here is counted and nothing rounded.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

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


def sign_flip_p(differences: Iterable[Fraction | int]) -> float:
    """The two-sided exact p that the mean difference is 0, in (0, 1]; 1 where all are 0, or their sum is.

    It is the share of the ways to give each difference that is not 0 a sign whose sum lies at least as far from 0 as
    the sum that was seen. For differences of one size it is `mcnemar_p`.

    Args:
        differences: one a need, shares or whole numbers; a common factor changes nothing. `count_work` says what
            they take.

    Source: Fisher, The Design of Experiments (1935), section 21.
    """
    values = [Fraction(value) for value in differences if value]
    if not values:
        return 1.0
    sizes = Counter(map(abs, values))
    if len(sizes) == 1:
        lost = sum(value < 0 for value in values)
        return mcnemar_p(lost, len(values) - lost)
    seen = abs(sum(values, Fraction(0)))
    if seen == 0:
        return 1.0
    # Of the sum of sizes, the part with one sign is at most this exactly when the sum of all lies as far out.
    most = (sum(map(abs, values), Fraction(0)) - seen) / 2
    ways = _count_pairs(*_split(sizes), most, len(values) + 1)
    return min(1.0, 2 * ways / (1 << len(values)))


def count_work(differences: Iterable[Fraction | int]) -> int:
    """Bits that `sign_flip_p` of these adds up, about 10^10 a second; 0 where it has a closed form."""
    sizes = Counter(abs(Fraction(value)) for value in differences if value)
    groups = _split(sizes) if len(sizes) > 1 else ()
    return (sum(sizes.values()) + 1) * sum(group.work for group in groups)


@dataclass(frozen=True, slots=True)
class _Group:
    """Sizes with their numbers, as whole multiples of one unit."""

    unit: Fraction
    numbers: Mapping[int, int]
    """{size in units: how many}."""

    @property
    def total(self) -> int:
        """The sum of all, in units."""
        return sum(size * number for size, number in self.numbers.items())

    @property
    def work(self) -> int:
        """Counts that are added up to know them by sum; of one size they are binomial."""
        return self.total * (sum(self.numbers.values()) if len(self.numbers) > 1 else 1)


def _split(sizes: Mapping[Fraction, int]) -> tuple[_Group, _Group]:
    """The sizes in two groups, so that the sums of each are few: halves to sixths here, say, and thirteenths there.

    A sum of sixths and thirteenths is one of seventy-eighths, of which there are thirteen times as many as of sixths.
    Sizes are ordered by the largest prime of their denominator and cut in two at the best place, or not at all.
    """
    ordered = sorted(sizes, key=lambda size: (_largest_prime(size.denominator), size.denominator, size.numerator))
    cuts = [(ordered[:place], ordered[place:]) for place in range(len(ordered))]
    groups = [(_measure(first, sizes), _measure(second, sizes)) for first, second in cuts]
    return min(groups, key=lambda pair: pair[0].work + pair[1].work)


def _measure(chosen: Sequence[Fraction], sizes: Mapping[Fraction, int]) -> _Group:
    common = math.lcm(*(size.denominator for size in chosen))
    whole = math.gcd(*(int(size * common) for size in chosen)) or 1
    unit = Fraction(whole, common)
    return _Group(unit, {int(size / unit): sizes[size] for size in chosen})


def _largest_prime(number: int) -> int:
    largest, divisor = 1, 2
    while number > 1:
        if number % divisor == 0:
            largest, number = divisor, number // divisor
        else:
            divisor += 1
    return largest


def _count_pairs(first: _Group, second: _Group, most: Fraction, width: int) -> int:
    """How many subsets of both groups together have a sum of at most `most`. No count has more than `width` bits."""
    inner, outer = sorted((first, second), key=lambda group: group.total, reverse=True)
    up_to = [*accumulate(_count_by_sum(inner, math.floor(most / inner.unit), width))]
    common = math.lcm(inner.unit.denominator, outer.unit.denominator, most.denominator)
    left, step, unit = (int(value * common) for value in (most, outer.unit, inner.unit))
    ways = 0
    for number in _count_by_sum(outer, left // step, width):
        if number:
            ways += number * up_to[min(left // unit, len(up_to) - 1)]
        left -= step
    return ways


def _count_by_sum(group: _Group, most: int, width: int) -> list[int]:
    """How many subsets of a group have each sum from 0 to at most `most`, in units; that of no size is the empty one.

    The counts are the digits of one long number, so that a size is one shift and one addition.
    """
    most = min(most, group.total)
    if len(group.numbers) == 1:
        ((_, number),) = group.numbers.items()
        return _list_binomials(number, most)
    digit = -(-width // 8)  # bytes
    kept = (1 << (most + 1) * digit * 8) - 1
    counts = 1
    for size in sorted(Counter(group.numbers).elements()):  # the number grows late
        if size <= most:
            counts += (counts << size * digit * 8) & kept
    content = counts.to_bytes((most + 1) * digit, "little")
    return [int.from_bytes(content[place : place + digit], "little") for place in range(0, len(content), digit)]


def _list_binomials(n: int, most: int) -> list[int]:
    """The ways to choose 0, 1, … `most` of n."""
    ways = [1]
    for place in range(most):
        ways.append(ways[-1] * (n - place) // (place + 1))
    return ways


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
