"""The orbit of a need: whether it is found whatever wording one happens to begin with."""

from __future__ import annotations

import math

DRAWN = 3
"""Wordings drawn: the worst of all a need has would fall with their number."""


def orbit_score(found: int, wordings: int) -> float | None:
    """The chance that all of DRAWN different wordings of a need are found, in [0, 1]; None where it has fewer.

    C(found, 3) / C(wordings, 3): the expectation of the worst of three, in closed form.

    Raises:
        ValueError: more found than there are, or fewer than none.
    """
    if not 0 <= found <= wordings:
        raise ValueError(f"{found} of {wordings} wordings found: allowed are 0 to {wordings}")
    return math.comb(found, DRAWN) / math.comb(wordings, DRAWN) if wordings >= DRAWN else None
