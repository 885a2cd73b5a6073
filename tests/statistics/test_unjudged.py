"""Joint bounds over unknown grades: by hand, and against every way to judge them."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.statistics.unjudged import Unjudged, full_difference, success_difference

PLACES = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=5)
"""For each document of unknown grade whether it stands within the cutoff of base, and of head."""


def count_places(places: list[tuple[bool, bool]]) -> Unjudged:
    """The documents by where they stand."""
    cells = ((True, False), (False, True), (True, True), (False, False))
    return Unjudged(*(places.count(cell) for cell in cells))


def test_a_loss_that_may_be_none():
    """Base shows the expected file, head an unjudged one instead: if that answers, too, nothing was lost."""
    assert success_difference(True, False, Unjudged(0, 1, 0)) == (-1, 0)
    assert success_difference(True, False, Unjudged(3, 0, 0)) == (-1, -1)


def test_one_unknown_is_one_in_both_runs():
    """A document that both runs show turns both misses into hits: it makes no difference."""
    assert success_difference(False, False, Unjudged(0, 0, 1)) == (0, 0)
    assert success_difference(False, False, Unjudged(1, 1, 0)) == (-1, 1)
    assert success_difference(True, False, Unjudged(0, 0, 1)) == (-1, 0)


def test_everything_judged_leaves_the_difference():
    """Without an unknown grade there is one value."""
    for base, head in product((False, True), repeat=2):
        assert success_difference(base, head, Unjudged(0, 0, 0)) == (int(head) - int(base),) * 2
        assert full_difference(base, head, Unjudged(0, 0, 0)) == (int(head) - int(base),) * 2


@pytest.mark.parametrize("full", [False, True])
@given(places=PLACES, known=st.tuples(st.booleans(), st.booleans()))
def test_the_bounds_are_those_of_every_judgement(full, places, known):
    """Each document judged either way, and both runs scored by that: the least and the most difference."""
    base, head = known
    differences = []
    for grades in product((False, True), repeat=len(places)):
        standing = [place for place, relevant in zip(places, grades, strict=True) if relevant]
        if full:
            scores = [known[run] and all(place[run] for place in standing) for run in (0, 1)]
        else:
            scores = [known[run] or any(place[run] for place in standing) for run in (0, 1)]
        differences.append(int(scores[1]) - int(scores[0]))
    bounds = (full_difference if full else success_difference)(base, head, count_places(places))
    assert bounds == (min(differences), max(differences))
