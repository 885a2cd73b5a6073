"""The orbit of a need: closed form against counting."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.metrics.orbit import orbit_score


@given(st.lists(st.booleans(), min_size=3, max_size=8))
def test_it_is_the_share_of_triples_that_are_all_found(found):
    """Every choice of three wordings, counted."""
    triples = list(combinations(found, 3))
    assert orbit_score(sum(found), len(found)) == pytest.approx(sum(map(all, triples)) / len(triples))


def test_by_hand():
    """Four of five wordings found: C(4, 3) / C(5, 3) = 0.4; with two wordings it is undefined."""
    assert orbit_score(4, 5) == 0.4
    assert orbit_score(2, 2) is None
    with pytest.raises(ValueError, match="3 of 2"):
        orbit_score(3, 2)
