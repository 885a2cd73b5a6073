"""Variants of one run against a base, need by need."""

from __future__ import annotations

import pytest

from memeval.bench.duels import MAX_BASES, fight_duels
from memeval.statistics.differences import mcnemar_p
from tests.report.conftest import make_query, make_suite, make_ungradable, make_variant


def make_ranked(name: str, ranks: list[int | None], **more: object):
    """One wording a need, its file at that rank."""
    return make_variant(name, [make_query(f"need-{at}", 0, f"q {at}", rank) for at, rank in enumerate(ranks)], **more)


def test_each_variant_meets_each_other_as_base():
    """Won and lost change places with the base, and so does the sign of the difference."""
    suite = make_suite("s", [make_ranked("a", [1, 1, None, None]), make_ranked("b", [1, 1, 1, 1])])
    duels = fight_duels(suite)
    (ahead,), (behind,) = duels["a"], duels["b"]
    assert (ahead.variant, ahead.won, ahead.lost, ahead.difference, ahead.needs) == ("b", 2, 0, 0.5, 4)
    assert (behind.variant, behind.won, behind.lost, behind.difference) == ("a", 0, 2, -0.5)
    assert (behind.interval.low, behind.interval.high) == (-ahead.interval.high, -ahead.interval.low)
    assert ahead.p == behind.p == mcnemar_p(0, 2)


def test_p_is_adjusted_for_all_that_meet_the_base():
    """Holm: the smallest of two counts twice."""
    suite = make_suite(
        "s", [make_ranked("a", [None] * 8), make_ranked("b", [1] * 8), make_ranked("c", [1] * 2 + [None] * 6)]
    )
    first, second = fight_duels(suite)["a"]
    assert first.adjusted_p == pytest.approx(2 * first.p)
    assert second.adjusted_p == second.p


def test_wordings_share_their_need():
    """One of two wordings won is half a need."""
    queries = [make_query("n", wording, f"w{wording}", rank) for wording, rank in enumerate((1, None))]
    better = [make_query("n", wording, f"w{wording}", 1) for wording in range(2)]
    (duel,) = fight_duels(make_suite("s", [make_variant("a", queries), make_variant("b", better)]))["a"]
    assert (duel.needs, duel.difference, duel.won) == (1, 0.5, 1)


def test_controls_and_what_is_not_graded_are_left_out():
    """No duel with a floor; a need that one of two could not be graded on counts for neither."""
    queries = [make_query("n", 0, "q", 1), make_query("m", 0, "q2", 1)]
    broken = [queries[0], make_ungradable(queries[1], "gone")]
    suite = make_suite(
        "s", [make_variant("a", queries), make_variant("b", broken), make_variant("oracle", queries, control=True)]
    )
    duels = fight_duels(suite)
    assert set(duels) == {"a", "b"}
    assert [(duel.variant, duel.needs) for duel in duels["a"]] == [("b", 1)]


def test_alone_a_variant_has_no_duel():
    """Nobody to meet is no error."""
    assert fight_duels(make_suite("s", [make_ranked("a", [1])])) == {"a": ()}


def test_of_many_variants_the_first_are_bases():
    """Each of the others meets them."""
    names = [f"v{number:02}" for number in range(MAX_BASES + 2)]
    duels = fight_duels(make_suite("s", [make_ranked(name, [1]) for name in names]))
    assert list(duels) == names[:MAX_BASES]
    assert all(len(fought) == len(names) - 1 for fought in duels.values())
