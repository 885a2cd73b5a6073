"""The exit code: a function of the rows, and of nothing else."""

from __future__ import annotations

from itertools import product

import pytest

from memeval.bench.outcome import EXIT_CODES, Outcome, decide_exit


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ([], 0),
        ([Outcome.CLEAN, Outcome.UNDECIDED], 0),
        ([Outcome.CLEAN, Outcome.REGRESSION], 1),
        ([Outcome.REGRESSION, Outcome.UNUSABLE], 2),
        ([Outcome.INVALID, Outcome.UNUSABLE, Outcome.REGRESSION], 3),
    ],
)
def test_the_table_of_exit_codes(outcomes, code):
    """Clean 0, a regression 1, unusable 2, invalid 3; what cannot be compared outranks what was lost."""
    assert decide_exit(outcomes) == code


def test_order_and_number_of_rows_change_nothing():
    """Every choice of three rows in every order gives the code of its set."""
    assert set(EXIT_CODES) == set(Outcome)
    for rows in product(Outcome, repeat=3):
        assert decide_exit(rows) == decide_exit(set(rows)) == decide_exit(reversed(rows))
