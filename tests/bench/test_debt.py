"""What nobody judged: the list, and a patch that a suite takes once it is filled in."""

from __future__ import annotations

import yaml

from memeval.bench.debt import is_pooled, list_debt, render_patch
from memeval.bench.matching import match_evaluations
from memeval.bench.measures import find_measure


def debt_of(made, base, head, measure="success@5", undecided=frozenset()):
    """What is to be judged of two {need: …}."""
    match = match_evaluations(made.evaluation(base), made.evaluation(head))
    return list_debt(match.cells, [find_measure(measure)], undecided)


def test_judged_needs_have_a_grade_of_0():
    """Without one the expected files are all there are, as whoever wrote them down meant it."""
    assert is_pooled({"a": 2, "b": 0})
    assert not is_pooled({"a": 2, "b": 1})
    assert not is_pooled({})


def test_documents_that_came_up_without_a_grade_are_listed(made):
    """Once a need, with the words they came up for and the best place; those within the cutoff alone."""
    grades = {"a": 1, "b": 0}
    head = {
        "redis": (grades, [made.ask("q", "x", "a"), made.ask("r", "a", "b", "x", "y", "z", "w")]),
        "plain": (["a"], [made.ask("q", "x")]),
    }
    hits = debt_of(made, head, head)
    assert [(hit.need, hit.doc_id, hit.best_rank) for hit in hits] == [
        ("redis", "x", 1),
        ("redis", "y", 4),
        ("redis", "z", 5),
    ]
    assert (hits[0].wordings, hits[0].variants) == (("q", "r"), ("engine",))
    assert debt_of(made, head, head, "false-hit-rate") == ()
    assert debt_of(made, head, head, "found") == ()  # no cutoff: everything that is displayed would be to judge


def test_those_that_decide_come_first(made):
    """Where a gate is undecided, the documents of both runs whose grades could turn it stand before the rest."""
    grades = {"a": 1, "b": 0}
    base = {"same": (grades, [made.ask("q", "x")]), "lost": (grades, [made.ask("q", "a", "w")])}
    head = {"same": (grades, [made.ask("q", "x")]), "lost": (grades, [made.ask("q", "y", "b")])}
    hits = debt_of(made, base, head, undecided=frozenset({("shop", "engine", "success@5")}))
    assert [(hit.need, hit.doc_id, hit.decides) for hit in hits] == [
        ("lost", "y", True),
        ("lost", "w", True),
        ("same", "x", False),
    ]
    shown = debt_of(made, base, head, "found", undecided=frozenset({("shop", "engine", "found")}))
    assert [hit.doc_id for hit in shown] == ["y", "w"]


def test_the_patch_is_yaml_in_the_shape_of_a_suite(made):
    """Names that YAML would read as something else, quotes and line ends of any kind stay texts."""
    odd = "no: #1 \"'\u2028\n監控.md"
    head = {"redis": ({"a": 1, "b": 0}, [made.ask("is it\nso?\x85", odd, "010")])}
    text = render_patch(debt_of(made, head, head))
    (suite,) = yaml.safe_load(text)
    assert suite == {"suite": "shop", "needs": [{"id": "redis", "expect": {odd: None, "010": None}}]}
    assert "監控.md" in text
    assert yaml.safe_load(render_patch([])) == []
