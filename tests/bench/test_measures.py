"""The gate language: what it takes, and what it says of the rest."""

from __future__ import annotations

import pytest

from memeval.bench.measures import ANY, FIRST, find_measure, list_measures, parse_gate, parse_gates
from memeval.errors import RunSettingError, UnknownNameError


@pytest.mark.parametrize("text", ["success@5:2needs", "success@5:2", " success@5 : 2 needs ", "success@5:2need"])
def test_a_gate_is_a_metric_and_a_number_of_needs(text):
    """However the number is written, it is whole needs."""
    gate = parse_gate(text)
    assert (gate.measure.name, gate.measure.family, gate.measure.k, gate.budget) == ("success@5", "success@k", 5, 2)
    assert str(gate) == "success@5:2needs"


def test_every_measure_can_be_gated():
    """The list in the message is the list that is taken; what is worse when higher is known to be."""
    for name in list_measures():
        assert parse_gate(f"{name.replace('@k', '@3')}:0needs").budget == 0
    assert find_measure("found-first-wording").aggregation == FIRST
    assert find_measure("found-any-wording").aggregation == ANY
    assert not find_measure("false-hit-rate").higher_is_better


@pytest.mark.parametrize(
    "text", ["success@5", "success@5:", "success@5:2%", "success@5:-1", "success@5:0.1", ":2needs"]
)
def test_a_gate_that_is_none_says_how_to_write_one(text):
    """Shares and percentages are refused: they decide by rounding."""
    with pytest.raises(RunSettingError, match="success@5:2needs"):
        parse_gate(text)


@pytest.mark.parametrize("name", ["recall@5", "ndcg@10", "mrr", "bytes-shown"])
def test_what_is_no_count_of_needs_is_refused(name):
    """A mean has no budget in needs."""
    with pytest.raises(RunSettingError, match="found-any-wording"):
        parse_gate(f"{name}:2needs")


def test_unknown_metrics_name_the_nearest():
    """A slip of the finger is told."""
    with pytest.raises(UnknownNameError, match="Did you mean 'success@k'"):
        parse_gate("sucess@k:2needs")
    with pytest.raises(RunSettingError, match="success@5"):
        parse_gate("success@k:2needs")


def test_four_primaries_at_most_and_each_once():
    """More of them, or one with two budgets, would be chosen afterwards."""
    four = ["found:0", "success@1:1", "success@5:2", "false-hit-rate:3"]
    assert len(parse_gates(four)) == 4
    with pytest.raises(RunSettingError, match="5 gates"):
        parse_gates([*four, "found_all:0"])
    with pytest.raises(RunSettingError, match="found is gated twice"):
        parse_gates(["found:0", "found:1"])
