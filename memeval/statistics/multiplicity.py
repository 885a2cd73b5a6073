"""Several tests at once: p values that keep the level of all of them together."""

from __future__ import annotations

from collections.abc import Sequence


def holm(values: Sequence[float]) -> tuple[float, ...]:
    """The p values adjusted so that one at most alpha is a false alarm in a share alpha of worlds, in their order.

    Nothing is assumed of how the tests depend on each other. () without any.

    Raises:
        ValueError: a value outside [0, 1], as NaN is.

    Source: Holm, Scandinavian Journal of Statistics 6 (1979) 65-70.
    """
    for value in values:
        if not 0 <= value <= 1:
            raise ValueError(f"p {value}: allowed is what lies within [0, 1]")
    adjusted = [0.0] * len(values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=lambda place: values[place])):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = highest
    return tuple(adjusted)
