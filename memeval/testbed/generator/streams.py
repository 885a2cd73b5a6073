"""Random draws that stay what they are: one stream for each part of a world.

A stream is seeded by the world's seed and the part's name, so that one part more or less leaves the others alone. Only
`Random.random()` is drawn from: Python promises its values for all versions, which it does not for `shuffle` or
`choices`.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


def open_stream(seed: int, *part: str | int) -> Random:
    """The stream of one part; a text seeds it through SHA-512, so that no hash seed plays in."""
    return Random("/".join(map(str, (seed, *part))))


def draw_below(stream: Random, limit: int) -> int:
    """A whole number from 0 to `limit` - 1."""
    return int(stream.random() * limit)


def shuffle(stream: Random, items: Iterable[Item]) -> list[Item]:
    """The items in a random order."""
    return sorted(items, key=lambda _: stream.random())


def exact(share: float) -> Fraction:
    """A share as it is written in decimal: 0.29 of 100 is 29, which it is not in binary."""
    return Fraction(str(share))


def count_share(share: float, total: int) -> int:
    """The whole part of a share of `total`."""
    return int(exact(share) * total)


class Spread:
    """A share spread evenly over 0, 1, 2, …: of the first n numbers exactly the whole part of share * n are chosen."""

    def __init__(self, share: Fraction) -> None:
        self._numerator, self._denominator = share.numerator, share.denominator

    def __contains__(self, number: int) -> bool:
        before, after = number * self._numerator, (number + 1) * self._numerator
        return after // self._denominator > before // self._denominator
