"""Every variant over several suites: means of suites, what is silent by script, the best first."""

from __future__ import annotations

import dataclasses

import pytest

from memeval.bench.evaluation import Evaluation
from memeval.bench.overview import compare_variants, join_evaluations
from memeval.errors import RunSettingError
from memeval.report.overview import HEADS, render_overview, render_overview_page


def both(made, **timings):
    """Two suites of two variants: `a` finds all of the first and half of the second, `b` nothing."""
    first = made.evaluation(
        made.variant({"n": (["x"], [made.ask("redis", "x")])}, "a"),
        made.variant({"n": (["x"], [made.ask("redis")])}, "b"),
        suite="one",
    )
    second = made.evaluation(
        made.variant({"n": (["x"], [made.ask("監視", "x")]), "m": (["x"], [made.ask("設定")])}, "a"),
        made.variant({"n": (["x"], [made.ask("監視", "y")]), "m": ([], [made.ask("holiday", "y")])}, "b"),
        suite="two",
    )
    return Evaluation(manifest={}, timings=timings, suites=first.suites + second.suites)


def test_suites_count_the_same(made):
    """The mean of 1 and a half is three quarters, however many wordings stand behind each."""
    a, b = compare_variants(both(made, one={"a": {"p50_ms": 1.0}}, two={"a": {"p50_ms": 3.0}}))
    assert (a.variant, a.suites, a.found, a.success_5, a.milliseconds) == ("a", 2, 0.75, 0.75, 2.0)
    assert (b.variant, b.found, b.false_hits, b.milliseconds) == ("b", 0.0, 1.0, None)


def test_silence_is_counted_by_script(made):
    """Wordings that matched nothing though a file answers; nothing stored is no miss."""
    a, b = compare_variants(both(made))
    assert (a.silent.value, a.silent.n, a.silent_own_text.value, a.silent_own_text.n) == (0.0, 1, 0.5, 2)
    assert (b.silent.value, b.silent.n, b.silent_own_text.value) == (1.0, 1, 0.0)


def test_suites_can_be_chosen_and_controls_come_last(made):
    """One suite alone; a floor is never in the way, however good it looks."""
    (a, _) = compare_variants(both(made), ["two"])
    assert (a.suites, a.found) == (1, 0.5)
    evaluation = both(made)
    suites = tuple(
        dataclasses.replace(
            suite, variants=tuple(dataclasses.replace(one, control=one.name == "a") for one in suite.variants)
        )
        for suite in evaluation.suites
    )
    assert [line.variant for line in compare_variants(dataclasses.replace(evaluation, suites=suites))] == ["b", "a"]


def test_the_best_of_the_first_five_stands_first(made):
    """What is found sixth, of however many needs, comes behind what is found first of one."""
    early = made.variant({"n": (["x"], [made.ask("redis", "x")]), "m": (["z"], [made.ask("port")])}, "early")
    late = made.variant({name: (["x"], [made.ask("redis", *"abcdex")]) for name in "nm"}, "a-late")
    lines = compare_variants(made.evaluation(late, early, suite="one"))
    assert [(line.variant, line.success_5, line.found) for line in lines] == [("early", 0.5, 0.5), ("a-late", 0, 1)]


def test_times_are_told_to_a_tenth(made):
    """A variant that does nothing takes <0.1 ms, not 0.000671."""
    timings = {"one": {"a": {"p50_ms": 0.000671}}, "two": {"b": {"p50_ms": 103.26}}}
    rows = render_overview(compare_variants(both(made, **timings))).splitlines()[2:]
    assert [row.split(" | ")[HEADS.index("ms")] for row in rows] == ["<0.1", "103.3"]


def test_a_variant_that_could_not_be_built_has_no_figures(made):
    """Nothing is made up for it."""
    evaluation = both(made)
    suites = tuple(
        dataclasses.replace(suite, variants=tuple(dataclasses.replace(one, error="no") for one in suite.variants))
        for suite in evaluation.suites
    )
    (a, _) = compare_variants(dataclasses.replace(evaluation, suites=suites))
    assert (a.suites, a.found, a.silent.value) == (0, None, None)


def test_the_table_and_the_page(made):
    """A row a variant under the heads; the page says what it stands on."""
    lines = compare_variants(both(made))
    table = render_overview(lines).splitlines()
    assert table[0].count("|") == len(HEADS) + 1
    assert table[2].startswith("| a | 0.75 | ")
    page = render_overview_page(both(made), ["two"], [("two", lines)])
    assert page.startswith("# Every variant side by side\n\n1 suite, 2 wordings. Means over the suites")
    assert page.endswith("|\n")


def test_several_runs_are_one(made):
    """Over different suites, with the same settings; else nothing of it would be comparable."""
    evaluation = both(made)
    one, two = (dataclasses.replace(evaluation, suites=(suite,)) for suite in evaluation.suites)
    assert compare_variants(join_evaluations([one, two])) == compare_variants(evaluation)
    with pytest.raises(RunSettingError, match=r"suite one stands in two of the evaluations, a\.json and b\.json"):
        join_evaluations([one, evaluation], ["a.json", "b.json"])
    other = dataclasses.replace(two, manifest={"embedder": "another"})
    with pytest.raises(RunSettingError, match="embedder is None in evaluation 1 and another in evaluation 2"):
        join_evaluations([one, other])
