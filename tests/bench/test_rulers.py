"""A moved ruler: how much of a difference is the needs', and how much the engine's."""

from __future__ import annotations

import pytest

from memeval.bench.matching import match_evaluations
from memeval.bench.measures import find_measure
from memeval.bench.rulers import split_effect


def split(made, base, head, measure="success@1"):
    """The effect of the only cell."""
    (cell,) = match_evaluations(made.evaluation(base), made.evaluation(head)).cells
    return split_effect(cell, find_measure(measure))


def test_the_parts_by_hand(made):
    """Two needs. Base ranks a, a; head a, b. The old ruler wants a, a (1.0, 0.5), the new one a, b (0.5, 1.0).

    Ruler 0.5 - 1.0, subject 1.0 - 0.5, total 0; by the old ruler the subject loses 0.5, so the interaction is 1.
    """
    base = {"one": (["a"], [made.ask("q", "a")]), "two": (["a"], [made.ask("q", "a", "b")])}
    head = {"one": (["a"], [made.ask("q", "a")]), "two": (["b"], [made.ask("q", "b", "a")])}
    effect = split(made, base, head)
    assert (effect.needs, effect.total, effect.ruler) == (2, (0.0, 0.0), (-0.5, -0.5))
    assert (effect.subject, effect.interaction) == ((0.5, 0.5), (1.0, 1.0))


def test_only_what_both_rulers_have_is_scored(made):
    """A new need, a new wording and one with nothing stored under one ruler are in no mean."""
    base = {"one": (["a"], [made.ask("q", "a")]), "emptied": (["a"], [made.ask("q", "a")])}
    head = {
        "one": (["a"], [made.ask("q", "a"), made.ask("new", "b")]),
        "emptied": ([], [made.ask("q", "a")]),
        "added": (["a"], [made.ask("q", "b")]),
    }
    effect = split(made, base, head)
    assert (effect.needs, effect.total) == (1, (0.0, 0.0))
    assert split(made, {"emptied": base["emptied"]}, {"emptied": head["emptied"]}) is None


def test_a_file_beyond_the_stored_depth_gives_an_interval(made):
    """Base stored one rank of nine and the new file was not asked for then: it may stand second, or nowhere."""
    base = {"one": (["b"], [made.ask("q", "b", matched=9)])}
    head = {"one": (["z"], [made.ask("q", "z", "b")])}
    effect = split(made, base, head, "success@2")
    assert effect.ruler == (-1.0, 0.0)
    assert effect.subject == (0.0, 1.0)
    assert effect.total == (0.0, 0.0)


@pytest.mark.parametrize("measure", ["found", "found-any-wording", "found-first-wording"])
def test_an_unmoved_ruler_has_no_effect(made, measure):
    """The subject's is all of it then, and nothing interacts."""
    base = {"one": (["a"], [made.ask("q", "a"), made.ask("r", "a")])}
    head = {"one": (["a"], [made.ask("q", "b"), made.ask("r", "b")])}
    effect = split(made, base, head, measure)
    assert (effect.ruler, effect.interaction) == ((0.0, 0.0), (0.0, 0.0))
    assert effect.total == effect.subject == (-1.0, -1.0)
