"""Two evaluations compared as a whole: exit codes, what may not vanish, and cautions that move nothing."""

from __future__ import annotations

import dataclasses
from operator import itemgetter

import pytest

from memeval.bench.cautions import KINDS
from memeval.bench.comparison import Rules, Side, compare
from memeval.bench.figures import EXACT_TIE, LOST
from memeval.bench.measures import parse_gates
from memeval.bench.outcome import Outcome, decide_exit
from memeval.bench.run import evaluate
from memeval.retrieval.base import Hit
from memeval.retrieval.lexical import Bm25Index

GATES = parse_gates(["success@1:0needs"])


def one(made, *hits, need="redis", **fields):
    """A need with one wording that comes back with these."""
    return {need: (fields.pop("expected", ["a"]), [made.ask("port", *hits, **fields)])}


def gated(*texts, **options):
    """Rules with these gates."""
    return Rules(gates=parse_gates(texts), **options)


def test_an_untouched_run_is_clean(made):
    """Compared with itself everything is as it was, with every gate at 0."""
    evaluation = made.evaluation(one(made, "a"))
    comparison = compare(evaluation, evaluation, gated("success@1:0", "found:0", "found-any-wording:0"))
    assert (comparison.exit_code, comparison.cautions, comparison.absences, comparison.faults) == (0, (), (), ())
    assert {figure.p for figure in comparison.figures} == {1.0}
    assert (comparison.suites, comparison.variants, comparison.needs, comparison.wordings) == (
        ("shop",),
        ("engine",),
        1,
        1,
    )


def test_a_net_loss_over_the_budget_is_a_regression(made):
    """Exactly at the limit passes; without a gate a loss is shown and fails nothing."""
    base, head = made.evaluation(one(made, "a")), made.evaluation(one(made, "b"))
    assert compare(base, head, gated("success@1:0needs")).exit_code == 1
    assert compare(base, head, gated("success@1:1need")).exit_code == 0
    comparison = compare(base, head)
    assert comparison.exit_code == 0
    assert [figure.metric for figure in comparison.figures] == ["found", "success@5", "false-hit-rate"]
    assert comparison.figures[0].net == -1


def test_a_lost_promise_is_a_regression_whatever_the_budget(made):
    """Zero tolerance: neither a budget nor significance has a say."""
    base = made.evaluation(one(made, "a", need_must_find=True))
    head = made.evaluation(one(made, "b", need_must_find=True))
    rules = gated("found:5needs", require_significance=True)
    comparison = compare(base, head, rules)
    assert (comparison.exit_code, [one.name for one in comparison.lost_promises]) == (1, ["redis"])


def test_deleting_a_failing_need_does_not_turn_the_gate_green(made):
    """It is named and fails, until it is allowed by name."""
    base = made.evaluation({**one(made, "a"), **one(made, "a", need="other")})
    head = made.evaluation(one(made, "a", need="other"))
    comparison = compare(base, head, Rules(gates=GATES))
    assert comparison.exit_code == 1
    assert [(part.part.kind, part.part.name, part.is_allowed) for part in comparison.absences] == [
        ("need", "redis", False)
    ]
    allowed = compare(base, head, Rules(gates=GATES, allowed=frozenset({"need:redis"})))
    assert allowed.exit_code == 0
    assert [caution.kind for caution in allowed.cautions] == ["allowed absence"]


def test_new_needs_are_listed_and_not_compared(made):
    """A new need that nothing finds is no loss: nobody had it."""
    base = made.evaluation(one(made, "a"))
    head = made.evaluation({**one(made, "a"), **one(made, "b", need="new")})
    comparison = compare(base, head, Rules(gates=GATES))
    assert (comparison.exit_code, [part.name for part in comparison.added]) == (0, ["new"])
    assert {figure.needs for figure in comparison.figures} == {1, 0}


@pytest.mark.parametrize("which", ["base", "head"])
@pytest.mark.parametrize("fault", ["duplicate", "nan", "infinite bytes"])
def test_broken_records_are_unusable(made, which, fault):
    """A name that stands twice, a number that is none: exit 2, and nothing is compared."""
    sound = made.evaluation(one(made, "a"))
    variant = sound.suites[0].variants[0]
    if fault == "duplicate":
        broken = made.evaluation(dataclasses.replace(variant, queries=variant.queries * 2))
    elif fault == "nan":
        broken = made.evaluation(one(made, ("a", float("nan"))))
    else:
        broken = made.evaluation(one(made, "a", bytes=float("inf")))
    pair = (broken, sound) if which == "base" else (sound, broken)
    comparison = compare(*pair, Rules(gates=GATES))
    assert (comparison.exit_code, comparison.figures) == (2, ())
    assert comparison.faults[0].text.startswith(f"{which}: ")


def test_ungradable_wordings_are_no_losses_and_never_clean(made):
    """The harness broke: exit 2 whatever else there is, in whichever run."""
    sound, broken = made.evaluation(one(made, "a")), made.evaluation(one(made, "a", verdict="ungradable"))
    for pair in ((sound, broken), (broken, sound)):
        comparison = compare(*pair, Rules(gates=GATES))
        assert comparison.exit_code == 2
        assert "1 of 1 wording ungradable" in comparison.faults[0].text


def test_another_corpus_or_cap_is_invalid(made):
    """Nothing is scored then: a loss may be the files'."""
    base = made.evaluation(one(made, "a"))
    for head in (
        made.evaluation(one(made, "b"), corpus="files-2"),
        made.evaluation(one(made, "b"), budget_bytes=1),
    ):
        comparison = compare(base, head, Rules(gates=GATES))
        assert (comparison.exit_code, comparison.figures) == (3, ())


def test_nothing_comparable_is_no_success(made):
    """Two suites that share no name; a gate that no need stands behind; a manifest without digests."""
    base = made.evaluation(one(made, "a"))
    other = made.evaluation(one(made, "a"), suite="other")
    comparison = compare(base, other, Rules(allowed=frozenset({"suite:shop"})))
    assert (comparison.exit_code, comparison.faults[0].text) == (
        2,
        "nothing can be compared: they share no suite and variant",
    )
    idle = compare(base, base, gated("false-hit-rate:0"))
    assert (idle.exit_code, "no need is there" in idle.faults[0].text) == (2, True)
    assert compare(dataclasses.replace(base, manifest={}), base).exit_code == 2


def test_a_moved_ruler_is_scored_by_todays(made):
    """The expected file moved with the engine: the old answer is a miss by today's needs, so nothing was lost."""
    base = made.evaluation(one(made, "a"))
    head = made.evaluation(one(made, "b", expected=["b"]), ruler="needs-2")
    comparison = compare(base, head, Rules(gates=GATES))
    assert (comparison.exit_code, comparison.moved_rulers) == (0, ("shop",))
    (figure,) = [figure for figure in comparison.figures if figure.metric == "success@1"]
    assert (figure.base, figure.head, figure.net) == (0.0, 1.0, 1)
    effect = next(effect for effect in comparison.ruler_effects if effect.metric == "success@1")
    assert (effect.ruler, effect.subject, effect.total) == ((-1.0, -1.0), (1.0, 1.0), (0.0, 0.0))


def test_two_subjects_that_moved_at_once_are_marked(made):
    """One is a subject, two are MULTI-VAR: no difference can be put down to one of them."""
    needs = one(made, "a")
    base = made.evaluation(needs, configuration={"tokenizer": "words", "k1": 1.2})
    single = compare(base, made.evaluation(needs, configuration={"tokenizer": "pairs", "k1": 1.2}))
    assert [(str(move.moves[0]), move.is_multi_var) for move in single.moves] == [("tokenizer words → pairs", False)]
    double = compare(base, made.evaluation(needs, configuration={"tokenizer": "pairs", "k1": 2}))
    assert double.moves[0].is_multi_var
    assert double.cautions[0].text.startswith("MULTI-VAR engine on shop: tokenizer words → pairs; k1 1.2 → 2")


def test_holm_is_over_every_gated_figure(made):
    """Two primaries with the same p: each counts twice; what is only shown counts for none."""
    base = made.evaluation({f"n{place}": (["a"], [made.ask("q", "a")]) for place in range(6)})
    head = made.evaluation({f"n{place}": (["a"], [made.ask("q", "b")]) for place in range(6)})
    comparison = compare(base, head, gated("success@1:0", "found:0"))
    adjusted = {figure.metric: figure.adjusted_p for figure in comparison.figures}
    assert adjusted == {"success@1": 0.0625, "found": 0.0625, "success@5": None, "false-hit-rate": None}
    assert compare(base, head, gated("success@1:0", "found:0", require_significance=True)).exit_code == 0
    assert compare(base, head, gated("success@1:0", require_significance=True)).exit_code == 1


def test_suites_and_variants_can_be_chosen(made):
    """A choice is told, and what is not chosen cannot vanish."""
    needs = one(made, "a")
    base = made.evaluation(made.variant(needs, "bm25"), made.variant(needs, "grep"))
    head = made.evaluation(made.variant(needs, "bm25"))
    assert compare(base, head).exit_code == 1
    comparison = compare(base, head, Rules(variants=("bm25",)))
    assert (comparison.exit_code, comparison.variants) == (0, ("bm25",))


def light_everything(made):
    """Two evaluations and rules under which every kind of caution is told and no row fails."""
    pooled = {"a": 1, "c": 0}
    evidence = {"evidence_shown": True}
    base = made.evaluation(
        {
            "redis": (pooled, [made.ask("port", ("a", 5.0), ("b", 2.0), need_must_find=True, shown=1, **evidence)]),
            "gone": (["a"], [made.ask("old", "a", **evidence)]),
            "deep": (["a"], [made.ask("deep", ("a", 5.5), matched=9, **evidence)]),
        },
        configuration={"tokenizer": "words", "k1": 1.2},
    )
    head = made.evaluation(
        {
            "redis": (pooled, [made.ask("port", ("b", 5.0), ("a", 5.0), need_must_find=True, shown=1, **evidence)]),
            "deep": (["a"], [made.ask("deep", ("a", 5.5), matched=9, **evidence)]),
        },
        ruler="needs-2",
        configuration={"tokenizer": "pairs", "k1": 1.5},
    )
    entry = {**head.manifest["suites"][0], "aliases": True, "corpus_digest": "files-and-aliases"}
    head = dataclasses.replace(head, manifest={**head.manifest, "suites": [entry]})
    rules = gated("success@1:7needs", "evidence-in-snippet:7needs")
    rules = dataclasses.replace(rules, allowed=frozenset({"need:gone", "need:never-was"}))
    return base, head, rules, Side(label="main (baseline 3)", is_dirty=True)


def test_cautions_never_move_the_exit_code(made):
    """With every kind of caution lit the code is 0; with none of them it is what the rows say, row by row."""
    base, head, rules, side = light_everything(made)
    comparison = compare(base, head, rules, base_side=side)
    assert {caution.kind for caution in comparison.cautions} == set(KINDS)
    assert comparison.exit_code == 0
    for outcome in Outcome:
        figure = dataclasses.replace(comparison.figures[0], outcome=outcome)
        lit = dataclasses.replace(comparison, figures=(figure,))
        unlit = dataclasses.replace(lit, cautions=())
        assert lit.exit_code == unlit.exit_code == decide_exit([outcome])


def test_the_order_of_the_runs_parts_changes_nothing(made):
    """Needs, variants and suites in another order give the same counts and the same code."""
    needs = {**one(made, "a"), **one(made, "b", need="lost"), **one(made, "a", need="kept")}
    worse = {**one(made, "a"), **one(made, "b", need="lost"), **one(made, "b", need="kept")}
    base, head = made.evaluation(needs), made.evaluation(worse)
    turned = made.evaluation(dict(reversed(needs.items())))
    first, second = compare(base, head, Rules(gates=GATES)), compare(turned, head, Rules(gates=GATES))
    assert first.exit_code == second.exit_code == 1
    assert [figure.net for figure in first.figures] == [figure.net for figure in second.figures]


def measure(bundled, names, variants):
    """An evaluation of bundled suites."""
    return evaluate([suite for path, suite in bundled.items() if path.name in names], variants)


@pytest.mark.slow
def test_another_order_of_ties_on_a_real_suite_is_no_loss(bundled, monkeypatch):
    """With the tie rule turned round wordings flip, and every gate at 0 holds."""
    base = measure(bundled, ["ops-zh.recall.yaml"], ["grep"])

    def turn(scores):
        ranked = sorted(scores, reverse=True)
        return tuple(Hit(doc_id, score) for doc_id, score in sorted(ranked, key=itemgetter(1), reverse=True))

    monkeypatch.setattr("memeval.retrieval.lexical.rank_hits", turn)
    head = measure(bundled, ["ops-zh.recall.yaml"], ["grep"])
    rules = gated("success@1:0", "success@5:0", "found:0", "found-any-wording:0", is_complete=True)
    comparison = compare(base, head, rules)
    assert comparison.exit_code == 0
    strengths = {flip.strength for figure in comparison.figures for flip in figure.flips}
    assert strengths == {EXACT_TIE}


@pytest.mark.slow
def test_a_lowered_constant_on_a_real_suite_is_caught(bundled, monkeypatch):
    """BM25 that hardly counts repeats: a gate of two needs fails, with the needs that were lost by name."""
    base = measure(bundled, ["ops-en.recall.yaml"], ["bm25"])
    monkeypatch.setattr(Bm25Index.__init__, "__kwdefaults__", {"k1": 0.1, "b": 0.2})
    head = measure(bundled, ["ops-en.recall.yaml"], ["bm25"])
    comparison = compare(base, head, gated("success@5:2needs", is_complete=True))
    assert comparison.exit_code == 1
    lost = {flip.need for flip in comparison.figures[0].flips if flip.direction == LOST}
    assert "primary-database-now" in lost
