"""Counts of needs in two runs: what counts, what a budget allows, and that nothing is decided by rounding."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.bench.figures import EXACT_TIE, LOST, MARGIN_FRAGILE, SOLID, WON, compare_figure, decide_figure
from memeval.bench.matching import match_evaluations
from memeval.bench.measures import find_measure, parse_gate
from memeval.bench.outcome import Outcome
from memeval.statistics.differences import mcnemar_p


def answer(made, hits, **fields):
    """{need: one wording that is found, or is not}, from a list of truths."""
    return {
        f"n{place:03}": (["a"], [made.ask("q", *(("a", "b") if hit else ("b", "c")), **fields)])
        for place, hit in enumerate(hits)
    }


def compare_needs(made, base, head, gate="success@1:0needs", **options):
    """The decided figure of two {need: …}."""
    match = match_evaluations(made.evaluation(base, **options), made.evaluation(head, **options))
    parsed = parse_gate(gate)
    figure = compare_figure(match.cells[0], parsed.measure, parsed)
    return decide_figure(figure, adjusted_p=figure.p)


@pytest.mark.parametrize(("base_hits", "head_hits"), [(8, 7), (9, 8), (10, 9), (1, 0)])
def test_the_same_drop_has_the_same_verdict_for_every_baseline(made, base_hits, head_hits):
    """One of ten lost: within a budget of one need, over a budget of none, wherever the rate stands.

    As decimals 0.8 - 0.1 is more than 0.7, and 0.9 - 0.1 is not more than 0.8.
    """
    base = answer(made, [place < base_hits for place in range(10)])
    head = answer(made, [place < head_hits for place in range(10)])
    assert compare_needs(made, base, head, "success@1:1need").outcome is Outcome.CLEAN
    assert compare_needs(made, base, head, "success@1:0needs").outcome is Outcome.REGRESSION


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30), st.integers(0, 5), st.randoms())
def test_a_figure_counts(made, hits, budget, random):
    """Lost, won, net and p are those of the counts, in any order of the needs; at the limit it passes."""
    base, head = answer(made, [one for one, _ in hits]), answer(made, [two for _, two in hits])
    figure = compare_needs(made, base, head, f"success@1:{budget}")
    lost, won = sum(one and not two for one, two in hits), sum(two and not one for one, two in hits)
    assert (figure.net, figure.needs) == (won - lost, len(hits))
    assert figure.p == mcnemar_p(lost, won)
    assert [flip.direction for flip in figure.flips].count(LOST) == lost
    assert (figure.outcome is Outcome.REGRESSION) == (lost - won > budget)
    shuffled = random.sample(list(head.items()), len(head))
    again = compare_needs(made, base, dict(shuffled), f"success@1:{budget}")
    assert (again.net, again.p, again.base, again.head) == (figure.net, figure.p, figure.base, figure.head)


def test_identical_runs_differ_in_nothing(made):
    """p is 1, the net is 0, nothing is undefined: no NaN anywhere."""
    needs = answer(made, [True, True, False])
    figure = compare_needs(made, needs, needs)
    assert (figure.p, figure.net, figure.flips, figure.outcome) == (1.0, 0, (), Outcome.CLEAN)
    assert figure.interval.low == -figure.interval.high
    assert not figure.changed


def test_the_wordings_of_a_need_share_it(made):
    """Of three wordings one is lost, of another need's one the only one is won: two thirds of a need, net."""
    ask = made.ask
    base = {
        "redis": (["a"], [ask("one", "a"), ask("two", "a"), ask("three", "a")]),
        "sso": (["a"], [ask("four", "b")]),
    }
    head = {
        "redis": (["a"], [ask("one", "a"), ask("two", "b"), ask("three", "a")]),
        "sso": (["a"], [ask("four", "a")]),
    }
    figure = compare_needs(made, base, head)
    assert figure.net == Fraction(2, 3)
    assert (figure.base, figure.head) == (pytest.approx(1 / 2), pytest.approx(5 / 6))
    assert [(flip.query, flip.direction) for flip in figure.flips] == [("redis[1]", LOST), ("sso[0]", WON)]
    lost = compare_needs(made, base, {**head, "sso": base["sso"]}, "success@1:0needs")
    assert (lost.net, lost.outcome) == (Fraction(-1, 3), Outcome.REGRESSION)


def test_measures_of_the_first_and_of_any_wording(made):
    """A retry that finds it is no loss of the need, though the first thought is one."""
    base = {"redis": (["a"], [made.ask("one", "a"), made.ask("two", "a")])}
    head = {"redis": (["a"], [made.ask("one", "b"), made.ask("two", "a")])}
    assert compare_needs(made, base, head, "found-first-wording:0").net == -1
    assert compare_needs(made, base, head, "found-any-wording:0").net == 0
    assert compare_needs(made, base, head, "found:0").net == Fraction(-1, 2)
    silent = {"redis": (["a"], [made.ask("one", "b"), made.ask("two")])}
    figure = compare_needs(made, base, silent, "found-any-wording:0")
    assert [(flip.query, flip.text) for flip in figure.flips] == [("redis", "one, two")]


def test_where_lower_is_better_a_loss_is_a_rise(made):
    """A search that was silent where nothing is stored, and is not any more."""
    base, head = {"none": ([], [made.ask("q")])}, {"none": ([], [made.ask("q", "a")])}
    figure = compare_needs(made, base, head, "false-hit-rate:0needs")
    assert (figure.base, figure.head, figure.net, figure.outcome) == (0.0, 1.0, -1, Outcome.REGRESSION)
    assert [flip.direction for flip in figure.flips] == [LOST]


def test_another_order_of_equal_scores_is_no_loss(made):
    """Recorded, classed and not counted, whichever run has the tie."""
    base = {"redis": (["a"], [made.ask("q", ("a", 5.0), ("b", 5.0))])}
    head = {"redis": (["a"], [made.ask("q", ("b", 5.0), ("a", 5.0))])}
    figure = compare_needs(made, base, head)
    assert (figure.net, figure.p, figure.outcome) == (0, 1.0, Outcome.CLEAN)
    assert [(flip.direction, flip.strength) for flip in figure.flips] == [(LOST, EXACT_TIE)]
    assert (figure.base_over_ties, figure.head_over_ties) == (0.5, 0.5)
    lucky = compare_needs(made, base, {"redis": (["a"], [made.ask("q", ("b", 5.0), ("a", 1.0))])})
    assert (lucky.net, lucky.flips[0].strength) == (0, EXACT_TIE)


def test_flips_are_classed(made):
    """By a hair before and after is fragile; far off on one side is solid; both count."""
    near = {"redis": (["a"], [made.ask("q", ("a", 5.001), ("b", 5.0))])}
    just_missed = {"redis": (["a"], [made.ask("q", ("b", 5.001), ("a", 5.0))])}
    far = {"redis": (["a"], [made.ask("q", ("b", 9.0), ("a", 5.0))])}
    fragile = compare_needs(made, near, just_missed)
    assert (fragile.flips[0].strength, fragile.net, fragile.outcome) == (MARGIN_FRAGILE, -1, Outcome.REGRESSION)
    assert (fragile.flips[0].base_rank, fragile.flips[0].head_rank) == (1, 2)
    assert compare_needs(made, near, far).flips[0].strength == SOLID


def test_unjudged_documents_leave_a_gate_undecided(made):
    """Where documents were judged, one that was not may be an answer; the same loss fails where all are judged."""
    grades = {"a": 1, "b": 0}
    base = {"redis": (grades, [made.ask("q", "a")])}
    undecided = compare_needs(made, base, {"redis": (grades, [made.ask("q", "z")])})
    assert (undecided.outcome, undecided.best_net, undecided.worst_net) == (Outcome.UNDECIDED, 0, -1)
    judged = compare_needs(made, base, {"redis": (grades, [made.ask("q", "b")])})
    assert (judged.outcome, judged.best_net) == (Outcome.REGRESSION, -1)
    match = match_evaluations(made.evaluation(base), made.evaluation({"redis": (grades, [made.ask("q", "z")])}))
    gate = parse_gate("success@1:0")
    figure = decide_figure(compare_figure(match.cells[0], gate.measure, gate, is_complete=True), adjusted_p=1.0)
    assert figure.outcome is Outcome.REGRESSION


def test_significance_is_asked_for_by_opt_in(made):
    """Four of 72 lost: over a budget of one need, and p 0.125."""
    base, head = answer(made, [True] * 72), answer(made, [place >= 4 for place in range(72)])
    figure = compare_needs(made, base, head, "success@1:1need")
    assert (figure.outcome, figure.p, figure.fewest) == (Outcome.REGRESSION, 0.125, 2)
    assert decide_figure(figure, adjusted_p=0.125, alpha=0.05).outcome is Outcome.CLEAN
    assert decide_figure(figure, adjusted_p=0.05, alpha=0.05).outcome is Outcome.REGRESSION


def test_chance_and_what_the_suite_can_see(made):
    """40 files, one expected, one place: chance is 1/40; six of 40 needs is the least loss that reaches p 0.05."""
    needs = answer(made, [True] * 30 + [False] * 10)
    figure = compare_needs(made, needs, needs)
    assert figure.head_over_chance == pytest.approx((30 - 1) / (40 - 1))
    assert figure.detectable == 8
    few = compare_needs(made, needs, needs, documents=1)
    assert few.head_over_chance is None


def test_a_figure_that_the_stored_depth_leaves_open_is_invalid(made):
    """A later ruler asks for a file that may stand right below what base stored."""
    base = {"redis": (["a"], [made.ask("q", "b", matched=9)])}
    head = {"redis": (["z"], [made.ask("q", "b", "c", "d")])}
    figure = compare_needs(made, base, head, "success@3:0")
    assert (figure.unknown, figure.outcome) == (1, Outcome.INVALID)


def test_without_a_gate_nothing_fails(made):
    """A figure that is only shown has no outcome but clean."""
    match = match_evaluations(made.evaluation(answer(made, [True])), made.evaluation(answer(made, [False])))
    figure = compare_figure(match.cells[0], find_measure("success@1"))
    assert decide_figure(figure, adjusted_p=0.0) is figure
    assert (figure.outcome, figure.net, figure.fewest) == (Outcome.CLEAN, -1, None)


def documents_of(draw_hits):
    """A ranking from scores: best first, equal ones in the order drawn."""
    return sorted(draw_hits, key=lambda hit: -hit[1])


RANKINGS = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.sampled_from([3.0, 2.0, 1.0])), max_size=5, unique_by=lambda hit: hit[0]
).map(documents_of)
NEEDS = st.lists(st.tuples(RANKINGS, RANKINGS, st.integers(0, 5), st.booleans()), min_size=1, max_size=6)


@given(NEEDS, st.sampled_from(["success@1", "success@2", "found", "found_all", "full-recall@2", "found-any-wording"]))
def test_the_two_runs_mirror_each_other(made, drawn, name):
    """Changing places turns every loss into a gain, ties and unknown grades included; bounds hold what is counted."""
    base, head = {}, {}
    for place, (old, new, shown, pooled) in enumerate(drawn):
        grades = {"a": 1, "b": 1, "c": 0} if pooled else {"a": 1, "b": 1}
        for needs, hits in ((base, old), (head, new)):
            needs[f"n{place}"] = (grades, [made.ask("q", *hits, shown=shown)])
    there, back = compare_needs(made, base, head, f"{name}:0"), compare_needs(made, head, base, f"{name}:0")
    assert (there.net, there.p, there.needs) == (-back.net, back.p, back.needs)
    assert (there.worst_net, there.best_net) == (-back.best_net, -back.worst_net)
    assert there.worst_net <= there.net <= there.best_net
    assert [flip.strength for flip in there.flips] == [flip.strength for flip in back.flips]
    counted = [flip.direction for flip in there.flips if flip.strength != EXACT_TIE]
    assert there.net == counted.count(WON) - counted.count(LOST)
