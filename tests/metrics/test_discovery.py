"""Found, silent, recognised: what each word means at its edges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.metrics.discovery import (
    found_by_wording,
    is_evidence_shown,
    is_false_hit,
    is_found,
    is_found_all,
    is_found_by_any,
    is_hit,
    is_silent_miss,
)

STORED = frozenset({"a", "b"})
NOTHING: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    ("shown", "found", "found_all"),
    [([], False, False), (["c", "x"], False, False), (["x", "b"], True, False), (["b", "a", "b"], True, True)],
)
def test_found_looks_at_what_is_shown(shown, found, found_all):
    """found: one relevant document displayed; found_all: every one; the verdict follows found."""
    assert (is_found(shown, STORED), is_found_all(shown, STORED), is_hit(shown, STORED)) == (found, found_all, found)
    assert is_false_hit(shown, STORED) is None


def test_with_nothing_stored_silence_is_the_hit():
    """found is undefined; showing nothing is a hit, showing anything a false hit."""
    assert is_found([], NOTHING) is None
    assert is_found_all([], NOTHING) is None
    assert is_silent_miss(0, NOTHING) is None
    assert (is_hit([], NOTHING), is_false_hit([], NOTHING)) == (True, False)
    assert (is_hit(["c"], NOTHING), is_false_hit(["c"], NOTHING)) == (False, True)


def test_a_silent_miss_has_no_candidate_at_any_depth():
    """Nothing matched although the file exists; one wrong candidate is a miss that is not silent."""
    assert is_silent_miss(0, STORED) is True
    assert is_silent_miss(1, STORED) is False


@pytest.mark.parametrize(
    ("evidence", "texts", "shown"),
    [
        ("6380", ["host port is 6380"], True),
        ("6380", ["another file", "host port is 6380"], True),
        ("6380", ["host port is 63", "80"], False),
        ("6380", [], False),
        ("remapped the port", ["Remapped\u3000 the\n  PORT"], True),
        ("連接埠改為\u30006380", ["連接埠改為 6380"], True),
        ("straße", ["STRASSE"], True),
        ("remapped the port", ["remappedtheport"], False),
    ],
)
def test_evidence_is_compared_without_case_and_spacing(evidence, texts, shown):
    """Runs of white space are one blank, case does not matter, and the evidence stands in one text as a whole."""
    assert is_evidence_shown(evidence, texts) is shown


def test_found_by_wording_hand_worked():
    """Needs FT, F, TFF: by the 1st wording 1 of 3, by the 2nd 2 of 2 with a 2nd, by the 3rd 1 of 1."""
    curve = found_by_wording([[False, True], [False], [True, False, False]])
    assert [(j, value, n) for j, (value, n) in curve] == [
        (1, pytest.approx(1 / 3), 3),
        (2, 1.0, 2),
        (3, 1.0, 1),
    ]


def test_found_by_wording_leaves_out_what_it_cannot_know():
    """An ungradable wording hides its need until another wording is found; no needs, no curve."""
    curve = found_by_wording([[None, False, True], [False, False, False], [None]])
    assert [(j, value, n) for j, (value, n) in curve] == [(1, 0.0, 1), (2, 0.0, 1), (3, 0.5, 2)]
    assert found_by_wording([]) == ()
    assert is_found_by_any([]) is None


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=1))
def test_more_wordings_never_find_less(needs):
    """With equally many wordings each, the curve never falls."""
    values = [value for _, (value, _) in found_by_wording(needs)]
    assert values == sorted(values)
