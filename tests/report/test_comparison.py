"""A comparison on a terminal: the first line says what was compared on what, the last one the exit code and why."""

from __future__ import annotations

import dataclasses
import runpy
from pathlib import Path

import pytest

from memeval.bench.comparison import Rules, Side, compare
from memeval.bench.measures import parse_gates
from memeval.report.comparison import list_changes, render_comparison, write_verdict
from memeval.report.legend import HEAD

MADE = runpy.run_path(str(Path(__file__).parents[1] / "bench" / "conftest.py"))
ask, make = MADE["ask"], MADE["make_evaluation"]


def needs(*hits, **fields):
    """A need a truth: found first, or second."""
    return {
        f"n{place}": (
            ["a"],
            [ask(f"words {place}", *((("a", 9.0), ("b", 1.0)) if hit else (("b", 9.0), ("a", 1.0))), **fields)],
        )
        for place, hit in enumerate(hits)
    }


def tell(base, head, *gates, front=False, **options):
    """The text of two {need: …}, main against the last run."""
    rules = Rules(gates=parse_gates(gates), **options)
    sides = {"base_side": Side(label="main (baseline 3, a1b2c3d)"), "head_side": Side(label="reports/latest")}
    return render_comparison(compare(make(base), make(head), rules, **sides), front=front)


def test_a_loss_is_told_with_its_words():
    """What was compared on what, the gate before the verdict, each wording with its ranks, the figure, the reason."""
    text = tell(needs(True, True, True), needs(True, False, True), "success@1:0needs")
    lines = text.splitlines()
    assert lines[0] == "main (baseline 3, a1b2c3d) → reports/latest · shop · engine · 3 needs, 3 wordings in both"
    assert lines[1] == "ruler unchanged · subject: its configuration is unchanged"
    assert lines[2] == "gate success@1:0needs: fails above 0 needs lost, net"
    assert '    n1[0]  "words 1"  rank 1 → 2  success@1' in lines
    figure = next(line for line in lines if line.startswith("  success@1"))
    assert "1.00 → 0.67   −1 of 3 needs [−3, +1]   p 1   OVER THE BUDGET: 0 needs may be lost" in figure
    assert figure.endswith("on new needs, 3 needs can show no loss")
    assert lines[-1] == "exit 1: shop · engine: success@1 −1, 0 needs may be lost"


def test_significance_is_told_before_it_counts():
    """How many needs it takes at the least, and what it let pass."""
    text = tell(needs(*[True] * 9), needs(*[False] * 3, *[True] * 6), "success@1:1need", require_significance=True)
    assert "gate success@1:1need: fails above 1 need lost, net; 6 at the least, for p 0.05 or less (Holm)" in text
    assert "p 0.25   over the budget (1 need may be lost), and not significant" in text
    assert text.splitlines()[-1] == "exit 0: every gate holds"


def test_nothing_changed_is_one_line():
    """No table of what is as it was."""
    lines = tell(needs(True), needs(True)).splitlines()
    assert "nothing changed on 1 pair of suite and variant" in lines
    assert lines[-1].startswith("exit 0: no must-find need was lost; no budget was set")


MUST = {"need_must_find": True, "shown": 1}


@pytest.mark.parametrize(
    ("base", "head", "verdict"),
    [
        (needs(True, **MUST), needs(False, **MUST), "exit 1: 1 must-find need was lost"),
        (needs(True, True), needs(True), "exit 1: 1 part vanished (--allow need:n1)"),
        (needs(True), needs(True, verdict="ungradable"), "exit 2: shop · engine: 1 of 1 wording ungradable in head"),
        ({}, {}, "exit 2: nothing can be compared"),
    ],
)
def test_the_last_line_says_why(base, head, verdict):
    """Each reason in words, with what to do."""
    assert tell(base, head).splitlines()[-1].startswith(verdict)


def test_an_undecided_gate_says_between_what():
    """The bounds, and that judging decides."""
    grades = {"a": 1, "c": 0}
    base, head = {"n": (grades, [ask("q", "a")])}, {"n": (grades, [ask("q", "z")])}
    text = tell(base, head, "success@1:0needs")
    assert "UNDECIDED: 0 needs may be lost; −1 to ±0 by what nobody judged" in text
    assert text.splitlines()[-1] == "exit 0: undecided: success@1 on shop · engine; judge what came up (--patch FILE)"


def test_ties_are_told_and_do_not_count():
    """Another order of equal scores is named as such."""
    text = tell({"n": (["a"], [ask("q", ("a", 5.0), ("b", 5.0))])}, {"n": (["a"], [ask("q", ("b", 5.0), ("a", 5.0))])},
                "success@1:0needs")  # fmt: skip
    assert "success@1 (exact tie, does not count)" in text
    assert text.splitlines()[-1] == "exit 0: every gate holds"


def test_a_moved_ruler_is_split():
    """How much is the needs' and how much the engine's; and what is new or gone, by name."""
    base, head = (
        make(needs(True, True)),
        make(
            {"n0": (["b"], [ask("words 0", ("a", 9.0), ("b", 1.0))]), "n9": (["a"], [ask("x", "a")])}, ruler="needs-2"
        ),
    )
    text = render_comparison(compare(base, head))
    assert "ruler moved: shop" in text
    assert "vanished  need n1 of shop: 'words 1'  (--allow need:n1)" in text
    assert "new, not compared  need n9 of shop: 'x'" in text
    assert "the moved needs change no figure" in text, "no table of zeroes"
    moved = make({"n0": (["c"], [ask("words 0", ("a", 9.0), ("b", 1.0))])}, ruler="needs-2")
    text = render_comparison(compare(base, moved))
    assert "found: ruler −1.00 · subject 0.00 · interaction 0.00 · total −1.00 (means over 1 need that both" in text


def test_the_words_are_explained_before_the_verdict():
    """Those that stand there; an empty comparison explains nothing."""
    lines = tell(needs(True, True, True), needs(True, False, True), "success@1:0needs").splitlines()
    legend = [line.split(":")[0].strip() for line in lines[lines.index(HEAD) + 1 : -2]]
    assert legend == ["success@k", "±n of N needs"]
    assert HEAD not in tell(needs(True), needs(True))


def test_texts_of_stores_cannot_break_the_terminal():
    """Control characters, line ends and long names are drawn, not written."""
    evil = "\x1b[31mred\nline " + "x" * 500
    base = {"n": (["a"], [ask(evil, ("a", 9.0), ("b", 1.0))])}
    head = {"n": (["a"], [ask(evil, ("b", 9.0), ("a", 1.0))])}
    text = tell(base, head, "success@1:0needs")
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) < 400


def test_long_lists_are_cut_and_say_so():
    """Ten wordings a direction, whatever the number."""
    text = tell(needs(*[True] * 30), needs(*[False] * 30), "success@1:0needs")
    assert "lost  30 wordings of 30 needs" in text
    assert "… 20 more (--json has all)" in text


def test_the_front_marks_what_is_dominated():
    """Asked for, since it is a table of its own."""
    variants = [
        MADE["make_variant"]({"n": (["a"], [ask("q", "a", bytes=size)])}, name)
        for name, size in (("x", 2048), ("y", 4096))
    ]
    comparison = compare(make(*variants), make(*variants))
    assert "dominated" not in render_comparison(comparison)
    text = render_comparison(comparison, front=True)
    assert "  x  1.00     2.0       –\n  y  1.00     4.0       –  dominated by x" in text


def test_what_was_not_run_can_be_left_out():
    """A variant that vanished was perhaps not run: the line says how to choose, too."""
    old = [MADE["make_variant"](needs(True), name) for name in ("x", "y")]
    text = render_comparison(compare(make(*old), make(old[0])))
    assert "vanished  variant y of shop  (--allow variant:y, or choose with --variant)" in text


def test_changes_for_the_record():
    """One line each: what moved, what vanished, what a figure did; nothing for equal runs."""
    base, head = make(needs(True, True), configuration={"k1": 1}), make(needs(False), configuration={"k1": 2})
    assert list_changes(compare(base, base)) == ()
    lines = list_changes(compare(base, head))
    assert "vanished: need n1 of shop: 'words 1'" in lines
    assert "moved: shop · engine: k1 1 → 2" in lines
    needs_lost = list_changes(compare(make(needs(True)), make(needs(False)), Rules(gates=parse_gates(["success@1:9"]))))
    assert needs_lost == ("shop · engine: success@1 1.00 → 0.00, −1 of 1 need",)


def test_the_subject_is_what_moved():
    """By name, or the code alone where nothing of the configuration did."""
    base, head = (
        make(needs(True), configuration={"tokenizer": "words"}),
        make(needs(True), configuration={"tokenizer": "pairs"}),
    )
    assert "subject: tokenizer words → pairs" in render_comparison(compare(base, head))
    sides = {"base_side": Side(label="a", commit="1" * 40), "head_side": Side(label="b", commit="2" * 40)}
    assert "subject: code 1111111 → 2222222" in render_comparison(compare(base, base, **sides))
    double = dataclasses.replace(head, versions={**head.versions, "bm25s": "9"})
    assert "note: MULTI-VAR engine on shop" in render_comparison(compare(base, double))


def test_invalid_names_the_ground():
    """Another corpus: the digests, and exit 3."""
    comparison = compare(make(needs(True)), make(needs(True), corpus="files-2"))
    assert write_verdict(comparison).startswith("exit 3: shop: the corpus is another one (files-1 → files-2)")
    told = render_comparison(comparison)
    assert "INVALID  shop: the corpus" in told
    assert told.count("make the baseline anew in the same commit") == 1
    assert "`memeval aliases ledger SUITE`, or by the variants memeval and memeval-aliases" in told
