"""Each need in two runs."""

from __future__ import annotations

from memeval.bench.slopes import trace_slopes
from tests.report.conftest import make_evaluation, make_query, make_suite, make_variant


def make_run(**ranks: list[int | None]):
    """A run of one variant; each need's wordings with the rank of its file."""
    queries = [make_query(need, at, f"{need} {at}", rank) for need, row in ranks.items() for at, rank in enumerate(row)]
    return make_evaluation(make_suite("s", [make_variant("v", queries), make_variant("oracle", queries, control=True)]))


def test_a_slope_is_the_share_of_wordings_found_in_both():
    """The deepest fall stands first; what stayed is no move; controls have no cell."""
    base = make_run(steady=[1, 1], fell=[1, 1], rose=[None, 1])
    head = make_run(steady=[1, 1], fell=[None, None], rose=[1, 1])
    (cell,) = trace_slopes(base, head)
    assert [(one.need, one.base, one.head, one.wordings) for one in cell.moved] == [
        ("fell", 1.0, 0.0, 2),
        ("rose", 0.5, 1.0, 2),
    ]
    assert len(cell.slopes) == 3
    assert cell.change == 1.5


def test_only_common_needs_and_wordings_count():
    """A new wording is not what the base run was asked; without a common need there is no cell."""
    (cell,) = trace_slopes(make_run(a=[1], b=[1]), make_run(a=[1, None]))
    assert [(one.need, one.head, one.wordings) for one in cell.slopes] == [("a", 1.0, 1)]
    assert trace_slopes(make_run(a=[1]), make_run(b=[1])) == ()
