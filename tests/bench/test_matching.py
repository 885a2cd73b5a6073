"""What belongs together in two evaluations, and what is named because it does not."""

from __future__ import annotations

import dataclasses

from memeval.bench.matching import find_duplicates, match_evaluations


def names(differences):
    """(kind, name) of each."""
    return [(one.kind, one.name) for one in differences]


def test_wordings_are_matched_by_their_words(made):
    """A wording put in front moves every id after it; what was asked stays what was asked."""
    base = made.evaluation({"redis": (["a"], [made.ask("port clash", "a")])})
    head = made.evaluation({"redis": (["a"], [made.ask("new one", "b"), made.ask("port clash", "a")])})
    match = match_evaluations(base, head)
    (pair,) = match.cells[0].pairs
    assert (pair.base.id, pair.head.id) == ("redis[0]", "redis[1]")
    assert names(match.added) == [("wording", "redis[0]")]
    assert match.vanished == ()


def test_what_vanished_is_named(made):
    """A need, a wording, a reworded one, and a need for which nothing is stored any more."""
    ask = made.ask
    base = made.evaluation(
        {
            "gone": (["a"], [ask("one", "a")]),
            "fewer": (["a"], [ask("two", "a"), ask("three", "a")]),
            "emptied": (["a"], [ask("four", "a")]),
        }
    )
    head = made.evaluation({"fewer": (["a"], [ask("two", "a"), ask("3", "a")]), "emptied": ([], [ask("four", "a")])})
    match = match_evaluations(base, head)
    assert names(match.vanished) == [("need", "gone"), ("wording", "fewer[1]"), ("need", "emptied")]
    assert match.vanished[1].text == "'three'"
    assert names(match.added) == [("wording", "fewer[1]")]


def test_suites_variants_and_metrics_vanish_too(made):
    """Told once, though every variant tells of it; without the name of the suite where all suites do."""
    needs = {"redis": (["a"], [made.ask("port", "a")])}
    base = made.evaluation(made.variant(needs, "bm25"), made.variant(needs, "grep"))
    head = made.evaluation(made.variant(needs, "bm25"))
    (suite,) = head.suites
    summary = {name: value for name, value in suite.variants[0].summary.items() if name != "success@5"}
    poorer = dataclasses.replace(suite.variants[0], summary=summary)
    head = dataclasses.replace(head, suites=(dataclasses.replace(suite, variants=(poorer,)),))
    other = dataclasses.replace(base.suites[0], name="other")
    base = dataclasses.replace(base, suites=(*base.suites, other))
    match = match_evaluations(base, head)
    assert names(match.vanished) == [("suite", "other"), ("variant", "grep"), ("metric", "success@5")]


def test_a_promise_that_is_taken_back_is_named(made):
    """Unmarking a failing need does not turn the gate green."""
    base = made.evaluation(
        {"redis": (["a"], [made.ask("port", "a", need_must_find=True), made.ask("clash", "a", must_find=True)])}
    )
    head = made.evaluation({"redis": (["a"], [made.ask("port"), made.ask("clash")])})
    assert names(match_evaluations(base, head).vanished) == [("promise", "redis"), ("promise", "redis[1]")]


def test_controls_and_what_is_not_chosen_are_left_out(made):
    """Floors and ceilings are nobody's change; a choice leaves the rest out of both runs."""
    needs = {"redis": (["a"], [made.ask("port", "a")])}
    control = dataclasses.replace(made.variant(needs, "random"), control=True)
    base = made.evaluation(made.variant(needs, "bm25"), made.variant(needs, "grep"), control)
    head = made.evaluation(made.variant(needs, "bm25"))
    match = match_evaluations(base, head, variants=["bm25"])
    assert ([cell.head.name for cell in match.cells], match.vanished, match.added) == (["bm25"], (), ())
    assert match_evaluations(base, head, suites=["other"]).cells == ()


def test_duplicates_are_found(made):
    """Two suites, variants or wordings of one name could not be told apart."""
    variant = made.variant({"redis": (["a"], [made.ask("port", "a")])})
    twice = dataclasses.replace(variant, queries=variant.queries * 2)
    evaluation = made.evaluation(variant, twice)
    evaluation = dataclasses.replace(evaluation, suites=evaluation.suites * 2)
    lines = find_duplicates(evaluation)
    assert lines[0] == "suite 'shop' stands twice"
    assert "shop: variant 'engine' stands twice" in lines
    assert "shop · engine: wording 'redis[0]' stands twice" in lines
    assert find_duplicates(made.evaluation(variant)) == ()
