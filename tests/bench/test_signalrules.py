"""The settings of a verdict: every key, and what is refused with its place."""

from __future__ import annotations

from dataclasses import fields

import pytest

from memeval.bench.signalrules import SignalRules, read_rules
from memeval.errors import RunSettingError

PLACE = "pyproject.toml: [tool.memeval.signals]"


def test_nothing_said_is_the_defaults():
    """The rules of the specification."""
    assert read_rules({}, PLACE) == SignalRules()
    rules = SignalRules()
    assert (rules.threshold, rules.script_gap, rules.max_files, rules.min_consistency, rules.max_cut) == (
        0.1,
        0.1,
        1000,
        0.5,
        0.25,
    )


def test_every_field_is_a_key():
    """What there is to set can be set."""
    table = {
        "threshold": 0.05,
        "variants": ["current"],
        "stage_0": ["memeval"],
        "stage_1": [],
        "stage_2": ["memeval+hybrid"],
        "script_gap": 0,
        "max_files": 50,
        "min_consistency": 1,
        "max_cut": 0.5,
    }
    rules = read_rules(table, PLACE)
    assert set(table) == {field.name for field in fields(SignalRules)}
    assert rules.stages == (("memeval",), (), ("memeval+hybrid",))
    assert (rules.threshold, rules.variants, rules.max_files) == (0.05, ("current",), 50)


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"treshold": 0.1}, "'treshold' is no setting; known: threshold, .* Did you mean 'threshold'"),
        ({"threshold": 10}, "threshold is 10; a number above 0 and below 0.25"),
        ({"threshold": True}, "threshold is True"),
        ({"threshold": "0.1"}, "threshold is '0.1'"),
        ({"stage_0": "memeval"}, "stage_0 is 'memeval'; a list of names"),
        ({"variants": [1]}, "variants is .1.; a list of names"),
        ({"max_files": 1.5}, "max_files is 1.5; a whole number"),
        ({"max_files": -1}, "max_files is -1"),
        ({"max_cut": 25}, "max_cut is 25; a number from 0 to 1"),
    ],
)
def test_what_is_refused_says_where_and_what_is_allowed(table, told):
    """A typing error in a threshold would otherwise be the default, silently."""
    with pytest.raises(RunSettingError, match=rf"pyproject\.toml: \[tool\.memeval\.signals\]: {told}"):
        read_rules(table, PLACE)
