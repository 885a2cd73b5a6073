"""The must-find gate: zero tolerance on what is named, silence on the rest."""

from __future__ import annotations

import memeval
from memeval.bench.gate import find_losses, has_ungradable


def test_a_need_found_by_a_later_wording_is_not_lost(small_suite):
    """`must_find` on a need asks for one wording that finds it."""
    assert find_losses(memeval.evaluate(small_suite, ["article"]), ["article"]) == ()


def test_a_need_no_wording_finds_is_lost(small_suite):
    """Every wording is named, so that a person sees what was tried."""
    (loss,) = find_losses(memeval.evaluate(small_suite, ["grep"]), ["grep"])
    assert loss.startswith("shop · grep · redis-port: no wording is found")
    assert "port conflict" in loss


def test_a_wording_marked_by_itself_is_lost_alone(small_suite):
    """`must_find` on a wording is about that very wording, though another one finds the need."""
    text = small_suite.read_text(encoding="utf-8")
    marked = text.replace("will not start, kind: unseen-words", "will not start, kind: unseen-words, must_find: true")
    small_suite.write_text(marked, encoding="utf-8")
    (loss,) = find_losses(memeval.evaluate(small_suite, ["article"]), ["article"])
    assert "redis-port[1]" in loss


def test_only_variants_under_test_are_judged(small_suite):
    """Another variant's loss informs; it is not a regression."""
    assert find_losses(memeval.evaluate(small_suite, ["article", "grep"]), ["article"]) == ()


def test_sound_runs_have_nothing_ungradable(small_suite):
    """A clean run says so."""
    assert not has_ungradable(memeval.evaluate(small_suite, ["all"]))
