"""The must-find gate: zero tolerance on what is named, silence on the rest."""

from __future__ import annotations

import dataclasses

import pytest

import memeval
from memeval.bench.gate import find_losses, has_ungradable, is_need_lost, is_wording_lost


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


@pytest.mark.parametrize(
    ("verdicts", "lost"),
    [
        (["miss"], True),
        (["miss", "miss"], True),
        (["miss", "hit"], False),
        (["miss", "ungradable"], False),
        (["ungradable", "miss"], False),
        (["ungradable"], False),
    ],
)
def test_a_need_is_lost_when_every_wording_is_a_miss(small_suite, verdicts, lost):
    """Ungradable is neither found nor missed; and a need that nothing was promised of is never lost."""
    query = memeval.evaluate(small_suite, ["grep"]).suites[0].variants[0].queries[0]
    assert query.need_must_find
    queries = [dataclasses.replace(query, verdict=verdict) for verdict in verdicts]
    assert is_need_lost(queries) is lost
    assert not is_need_lost([dataclasses.replace(query, need_must_find=False) for query in queries])


@pytest.mark.parametrize(("verdict", "lost"), [("miss", True), ("hit", False), ("ungradable", False)])
def test_a_marked_wording_is_lost_when_it_is_a_miss(small_suite, verdict, lost):
    """The promise on a wording looks at no other one, and an unmarked wording holds none."""
    query = memeval.evaluate(small_suite, ["grep"]).suites[0].variants[0].queries[0]
    assert is_wording_lost(dataclasses.replace(query, verdict=verdict, must_find=True)) is lost
    assert not is_wording_lost(dataclasses.replace(query, verdict=verdict, must_find=False))


def test_only_variants_under_test_are_judged(small_suite):
    """Another variant's loss informs; it is not a regression."""
    assert find_losses(memeval.evaluate(small_suite, ["article", "grep"]), ["article"]) == ()


def test_sound_runs_have_nothing_ungradable(small_suite):
    """A clean run says so."""
    assert not has_ungradable(memeval.evaluate(small_suite, ["all"]))
