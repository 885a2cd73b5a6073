"""Gate (a): a must-find need that base keeps and head breaks, and nothing else."""

from __future__ import annotations

from memeval.bench.matching import match_evaluations
from memeval.bench.promises import find_doubtful_promises, find_lost_promises, find_unsafe_promises


def cell_of(made, base, head):
    """The only cell of two {need: …}."""
    (cell,) = match_evaluations(made.evaluation(base), made.evaluation(head)).cells
    return cell


def must(made, *answers, **fields):
    """A need that must be found, with a wording for each (document, score) list."""
    wordings = [made.ask(f"q{place}", *hits, shown=1, need_must_find=True) for place, hits in enumerate(answers)]
    return {"redis": (fields.get("expected", ["a"]), wordings)}


def test_a_need_is_lost_with_its_last_wording(made):
    """One wording that still finds it keeps the promise."""
    base = must(made, ["a"], ["a"])
    assert find_lost_promises(cell_of(made, base, must(made, ["b"], ["a"]))) == ()
    (lost,) = find_lost_promises(cell_of(made, base, must(made, ["b"], ["b"])))
    assert (lost.name, lost.is_need, lost.texts) == ("redis", True, ("q0", "q1"))
    assert find_lost_promises(cell_of(made, must(made, ["b"], ["b"]), must(made, ["b"], ["b"]))) == ()


def test_a_wording_is_lost_alone(made):
    """`must_find` on a wording is about that very one."""
    base = {"redis": (["a"], [made.ask("q", "a", must_find=True), made.ask("r", "a")])}
    head = {"redis": (["a"], [made.ask("q", "b", must_find=True), made.ask("r", "a")])}
    (lost,) = find_lost_promises(cell_of(made, base, head))
    assert (lost.name, lost.is_need) == ("redis[0]", False)


def test_equal_scores_break_no_promise(made):
    """Another order of ties is told of, and counts for nothing."""
    base, head = must(made, [("a", 5.0), ("b", 1.0)]), must(made, [("b", 5.0), ("a", 5.0)])
    assert find_lost_promises(cell_of(made, base, head)) == ()
    (doubtful,) = find_doubtful_promises(cell_of(made, base, head))
    assert doubtful.name == "redis"
    assert find_doubtful_promises(cell_of(made, base, base)) == ()


def test_silence_can_be_promised(made):
    """Where nothing is stored, a search that was silent has to stay so."""
    base, head = must(made, [], expected=[]), must(made, ["b"], expected=[])
    (lost,) = find_lost_promises(cell_of(made, base, head))
    assert lost.name == "redis"


def test_a_baseline_keeps_its_promises_under_every_order(made):
    """Found by luck of the order, or not at all, is not safe; by one of several wordings it is."""
    lucky = made.variant(must(made, [("a", 5.0), ("b", 5.0)]))
    (unsafe,) = find_unsafe_promises("shop", lucky)
    assert (unsafe.name, unsafe.variant) == ("redis", "engine")
    assert find_unsafe_promises("shop", made.variant(must(made, ["b"], ["a"]))) == ()
    wording = made.variant({"redis": (["a"], [made.ask("q", "b", must_find=True), made.ask("r", "a")])})
    assert [one.name for one in find_unsafe_promises("shop", wording)] == ["redis[0]"]
    assert find_unsafe_promises("shop", made.variant(must(made, [], expected=[]))) == ()
