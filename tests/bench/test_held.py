"""A run under way against a saved one: the needs it lost, need by need."""

from __future__ import annotations

import dataclasses

import pytest

from memeval.bench.held import hold_variant
from memeval.errors import RunSettingError, UnknownNameError


def hold(made, base, metrics=("found", "success@1"), head=None, **fields):
    """What a baseline of one {need: …} says; `head` is the run's own evaluation, for its manifest."""
    saved = made.evaluation(base, **fields)
    return hold_variant(saved, "main", head or made.evaluation(base), "shop", "engine", metrics)


def change(made, base, head, **options):
    """How the only need of {need: …} changed."""
    return hold(made, base, **options).compare_need(made.variant(head).queries)


def test_a_need_is_lost_with_its_last_wording(made):
    """A wording may be lost while another has the need: then only the wording is told of."""
    base = {"redis": (["a"], [made.ask("q", "a"), made.ask("r", "a")])}
    kept = change(made, base, {"redis": (["a"], [made.ask("q", "b"), made.ask("r", "a")])})
    assert (kept.lost, kept.lost_wordings) == ((), ("redis[0]",))
    lost = change(made, base, {"redis": (["a"], [made.ask("q", "b"), made.ask("r", "b")])})
    assert (lost.lost, lost.lost_wordings) == (("found", "success@1"), ("redis[0]", "redis[1]"))
    assert lost.ranks == (("redis[0]", 1, None), ("redis[1]", 1, None))


def test_rank_can_be_lost_alone(made):
    """Shown, though no longer among the first."""
    base = {"redis": (["a"], [made.ask("q", "a", "b")])}
    assert change(made, base, {"redis": (["a"], [made.ask("q", "b", "a")])}).lost == ("success@1",)


def test_what_was_missed_is_known_and_what_is_found_is_won(made):
    """Neither is a loss."""
    base = {"redis": (["a"], [made.ask("q", "b"), made.ask("r", "b")])}
    found = change(made, base, {"redis": (["a"], [made.ask("q", "b"), made.ask("r", "a")])})
    assert (found.lost, found.won, found.known) == ((), ("found", "success@1"), ("redis[0]",))


def test_equal_scores_lose_nothing(made):
    """Another order of exact ties is the same answer."""
    base = {"redis": (["a"], [made.ask("q", ("a", 5.0), ("b", 5.0))])}
    same = change(made, base, {"redis": (["a"], [made.ask("q", ("b", 5.0), ("a", 5.0))])})
    assert (same.lost, same.won, same.lost_wordings) == ((), (), ())


def test_silence_is_held_where_nothing_is_stored(made):
    """A search that was rightly silent and now shows something has lost its need."""
    base = {"vacation": ([], [made.ask("q")])}
    assert change(made, base, {"vacation": ([], [made.ask("q", "b")])}).lost == ("found",)


def test_new_and_ungradable_wordings_are_not_compared(made):
    """Nothing is known of the first, and the second is an error of its own."""
    base = {"redis": (["a"], [made.ask("q", "a")])}
    assert change(made, base, {"redis": (["a"], [made.ask("another", "b")])}).lost == ()
    broken = {"redis": (["a"], [made.ask("q", "b", verdict="ungradable")])}
    assert change(made, base, broken).lost == ()


def test_what_a_suite_leaves_out_is_told(made):
    """Needs, wordings, answers and promises that vanish are named; new ones are not."""
    base = {
        "redis": (["a"], [made.ask("q", "a"), made.ask("r", "a", must_find=True)]),
        "naming": (["b"], [made.ask("s", "b")]),
        "days": (["c"], [made.ask("t", "c", need_must_find=True)]),
    }
    head = {"redis": (["a"], [made.ask("r", "a")]), "days": ([], [made.ask("t", "c")]), "new": (["a"], [made.ask("u")])}
    vanished = hold(made, base).find_vanished(made.variant(head).queries)
    assert {(part.kind, part.name) for part in vanished} == {
        ("need", "naming"),
        ("wording", "redis[0]"),
        ("promise", "redis[0]"),  # the wording that remains is the first of today's
        ("need", "days"),
        ("promise", "days"),
    }
    assert hold(made, base).find_vanished(made.variant(base).queries) == ()


def test_what_cannot_be_compared_is_an_error(made):
    """Other files, another cap, a cutoff that is not stored, a metric by which no need is lost."""
    base = {"redis": (["a"], [made.ask("q", "a")])}
    with pytest.raises(RunSettingError, match="the corpus is another one"):
        hold(made, base, head=made.evaluation(base, corpus="files-2"))
    with pytest.raises(RunSettingError, match="the cap is another one"):
        hold(made, base, head=made.evaluation(base, configuration={"max_bytes": 100}))
    with pytest.raises(RunSettingError, match="which stores 3 ranks"):
        hold(made, base, metrics=("success@5",), depth=3)
    with pytest.raises(RunSettingError, match="more is better"):
        hold(made, base, metrics=("silent-miss-rate",))
    with pytest.raises(UnknownNameError):
        hold(made, base, metrics=("sucess@5",))
    unknown = dataclasses.replace(made.evaluation(base), manifest={})
    with pytest.raises(RunSettingError, match="does not say"):
        hold_variant(unknown, "main", made.evaluation(base), "shop", "engine", ("found",))


def test_a_suite_or_variant_the_baseline_has_not_is_new(made):
    """There is nothing to lose."""
    base = made.evaluation({"redis": (["a"], [made.ask("q", "a")])})
    assert hold_variant(base, "main", base, "books", "engine") is None
    assert hold_variant(base, "main", base, "shop", "other") is None
