"""Which variants are worth a choice."""

from __future__ import annotations

import dataclasses

from memeval.bench.front import find_front


def variants_of(made, *figures):
    """An evaluation of variants v0, v1, … with (found or not, bytes) each."""
    made_variants = [
        made.variant({"n": (["a"], [made.ask("q", "a" if found else "b", bytes=size)])}, f"v{place}")
        for place, (found, size) in enumerate(figures)
    ]
    return made.evaluation(*made_variants)


def test_a_variant_that_another_beats_is_marked(made):
    """No better in anything and worse in one; equal ones do not dominate each other."""
    front = find_front(variants_of(made, (True, 100), (True, 200), (False, 50), (False, 300), (True, 100)))
    assert [point.dominated_by for point in front] == [(), ("v0", "v4"), (), ("v0", "v1", "v2", "v4"), ()]


def test_time_counts_where_it_was_measured(made):
    """Slower with the same figures is dominated; a time that is not known decides nothing."""
    evaluation = variants_of(made, (True, 100), (True, 100), (True, 90))
    timings = {"shop": {"v0": {"p50_ms": 1.0}, "v1": {"p50_ms": 2.0}, "v2": {"p50_ms": None}}}
    front = find_front(dataclasses.replace(evaluation, timings=timings))
    assert [point.dominated_by for point in front] == [("v2",), ("v0", "v2"), ()]
    assert [point.milliseconds for point in front] == [1.0, 2.0, None]


def test_controls_and_undefined_rates_stand_on_no_front(made):
    """Nobody chooses a floor, and a suite with nothing stored finds nothing."""
    evaluation = variants_of(made, (True, 100))
    (suite,) = evaluation.suites
    control = dataclasses.replace(suite.variants[0], control=True)
    empty = made.variant({"n": ([], [made.ask("q")])}, "empty")
    evaluation = dataclasses.replace(evaluation, suites=(dataclasses.replace(suite, variants=(control, empty)),))
    assert find_front(evaluation) == ()
