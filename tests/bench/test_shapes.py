"""JSON values as types: what is read, what is refused, and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from memeval.bench.shapes import RuleBook, ShapeError, make_reader


@dataclass(frozen=True, slots=True)
class Leaf:
    name: str
    size: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    leaves: tuple[Leaf, ...]
    pairs: tuple[tuple[int, str], ...] = ()
    more: Mapping[str, Leaf] = None  # type: ignore[assignment]
    loose: Any = None


def test_a_value_becomes_what_its_type_says():
    """Lists become tuples, objects dataclasses, defaults stand where a key is missing, unknown keys are passed over."""
    value = {"leaves": [{"name": "a", "size": 1, "colour": "green"}, {"name": "b"}], "pairs": [[1, "x"]]}
    assert make_reader(Tree)(value) == Tree(leaves=(Leaf("a", 1), Leaf("b")), pairs=((1, "x"),))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "a list of 0 where an object is expected"),
        ({}, "has no 'leaves'"),
        ({"leaves": {}}, "leaves: an object where a list is expected"),
        ({"leaves": [{"name": "a"}, {"name": 3}]}, "leaves[1].name: 3 where a text is expected"),
        ({"leaves": [{"size": 1}]}, "leaves[0]: has no 'name'"),
        ({"leaves": [{"name": "a", "size": True}]}, "leaves[0].size: true where a finite number is expected"),
        ({"leaves": [{"name": "a", "size": float("nan")}]}, "leaves[0].size: nan where a finite number is expected"),
        ({"leaves": [{"name": "a", "other": float("inf")}]}, "leaves[0].other: inf where a finite number is expected"),
        ({"leaves": [], "pairs": [[1, "x"], [1]]}, "pairs[1]: a list of 1 where a list of 2 is expected"),
        ({"leaves": [], "pairs": [["1", "x"]]}, 'pairs[0][0]: "1" where a whole number is expected'),
        ({"leaves": [], "pairs": [[2**60, "x"]]}, "pairs[0][0]: 1152921504606846976 where a whole number is expected"),
        ({"leaves": [], "more": {"k": None}}, "more.k: null where an object is expected"),
        ({"leaves": [], "loose": {"a": [0, [float("-inf")]]}}, "loose.a[1][0]: -inf where a finite number is expected"),
    ],
)
def test_what_is_not_of_its_type_is_one_error_with_its_place(value, message):
    """The place leads from the top to the value."""
    with pytest.raises(ShapeError) as caught:
        make_reader(Tree)(value)
    assert str(caught.value) == message


def test_nesting_without_end_is_refused():
    """A value without a type of its own may not be deeper than a report can write it."""
    value: object = 1
    for _ in range(500):
        value = [value]
    with pytest.raises(ShapeError, match="nested deeper than 32 levels"):
        make_reader(Any)(value)


def test_rules_are_checked_where_the_value_stands():
    """A rule on a class sees every one of its values, and its error names the place."""

    def refuse_empty(leaf: Leaf) -> None:
        if not leaf.name:
            raise ShapeError("an empty name")

    with pytest.raises(ShapeError) as caught:
        make_reader(Tree, RuleBook({Leaf: refuse_empty}))({"leaves": [{"name": "a"}, {"name": ""}]})
    assert str(caught.value) == "leaves[1]: an empty name"


def test_a_type_that_json_cannot_hold_is_a_fault_of_the_caller():
    """A field of such a type is found when the reader is made, not when a file is read."""
    with pytest.raises(TypeError, match="no JSON value"):
        make_reader(bytes)
