"""The page of a diagnosis: a block a need, each counterfactual with its ranks, then classes and cures."""

from __future__ import annotations

from memeval.bench.missdiagnosis import Diagnoser
from memeval.report.diagnosis import render_diagnosis
from memeval.retrieval.base import Settings
from memeval.retrieval.recipes import find_variant
from tests.bench.misses import make_suite

TEXTS = {"a.md": "restart the broker", "b.md": "ink"}


def render(*wordings, k=None):
    suite = make_suite(TEXTS, *wordings)
    return render_diagnosis(Diagnoser(suite, find_variant("article"), Settings(), k).diagnose())


def test_a_miss_is_told_with_every_counterfactual():
    """Query, file, where it stood, class with its rule, cure, ranks before and after."""
    lines = render("restarting brokers").splitlines()
    assert lines[0] == "tiny · article: 1 miss of 1 wording"
    assert lines[2] == "n, expected a.md"
    assert lines[3].strip() == "n[0] “restarting brokers”: no candidate of 0, 0 files shown"
    told = "\n".join(line.strip() for line in lines)
    assert "class: word form (a telling word of the query stands in the file" in told
    assert "cure:  write the stems of the words: “restart broker”" in told
    assert "\nstems            – -> 1  cures  write the stems of the words: “restart broker”\n" in told
    assert "\none term alone   – -> –  –      “restarting”\n" in told


def test_what_was_left_out_is_told_once():
    """However many misses there are, a line a reason at the end, with the misses of each counterfactual."""
    lines = render("restarting brokers", "cache", "cache container").splitlines()
    assert lines[-2] == "not run (misses): local embedding 3: no embedding model is given; name one with --embedder"
    assert lines[-1].startswith("not applicable (misses): fillers dropped 3, ")
    assert "one term alone 1" in lines[-1]
    assert sum("not run" in line or "not applicable" in line for line in lines) == 2


def test_classes_and_cures_are_counted():
    """A line a class with its share; a line a cure: what it cures, of how many it is the cheapest, what it takes."""
    text = render("restarting brokers", "cache")
    classes, cures = text.split("\n\n")[-3:-1]
    assert classes.splitlines() == [
        "class           misses  share",
        "vocabulary gap  1       50%",
        "word form       1       50%",
    ]
    assert cures.splitlines()[0].split("  ")[0] == "cure, cheapest first"
    assert [line.split()[0] for line in cures.splitlines()[1:]] == ["stems", "profile", "own"]


def test_nothing_missed_is_one_line():
    """What was asked of the files is said: to be shown, or to be among the first k."""
    assert render("broker") == "tiny · article: 0 misses of 1 wording: every one is found"
    assert render("broker", k=3).endswith("every one is among the first 3")


def test_a_hostile_query_stays_on_its_line():
    """A line end or a control character in a wording breaks no block."""
    text = render("cache\ncontainer \x1b[31m")
    assert "“cache␊container ␛[31m”" in text
    assert "\x1b" not in text
