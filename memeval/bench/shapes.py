"""JSON values read back as what a type says they are, so that a broken record is one error with its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

LARGEST_NUMBER = 1e300
"""Beyond it, sums and products are no longer finite."""
LARGEST_INTEGER = 2**53
"""Beyond it, a reader of JSON that knows only one kind of number would read another one."""
DEEPEST = 32
"""Levels of a value without a type of its own."""
_QUOTED = 40

Reader = Callable[[Any], Any]


class ShapeError(ValueError):
    """A value that is not what its type says; `place` leads to it, as in `suites[0].variants[2].name`."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.place = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}" if self.place else self.problem

    def inside(self, step: str) -> ShapeError:
        """The same error, seen from one level further out: the step is a key, or a place in a list as `[3]`."""
        self.place = f"{step}.{self.place}" if self.place and self.place[0] != "[" else f"{step}{self.place}"
        return self


@cache
def make_reader(hint: Any, rules: RuleBook | None = None) -> Reader:  # noqa: ANN401 - a type as annotations have it
    """A function from a JSON value to a value of the type, which raises ShapeError where it is none.

    Types are str, bool, int, float, Any, `X | None`, `tuple[X, ...]`, `tuple[X, Y]`, `Mapping[str, X]` and dataclasses
    of these. A field without a default must be there; a key that is no field is passed over. Numbers are finite.
    """
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        (inner,) = (argument for argument in arguments if argument is not type(None))
        read = make_reader(inner, rules)
        return lambda value: None if value is None else read(value)
    if origin is tuple and arguments[-1] is Ellipsis:
        return _list_reader(make_reader(arguments[0], rules))
    if origin is tuple:
        return _row_reader([make_reader(argument, rules) for argument in arguments])
    if origin is Mapping:
        return _mapping_reader(make_reader(arguments[1], rules))
    if is_dataclass(hint) and isinstance(hint, type):
        return _record_reader(hint, rules)
    raise TypeError(f"no JSON value is a {hint!r}")


class RuleBook:
    """Checks beyond types, one a class; equal only to itself, so that readers can be kept."""

    def __init__(self, checks: Mapping[type, Callable[[Any], None]]) -> None:
        self.checks = dict(checks)


def describe_value(value: object) -> str:
    """A JSON value in a message: what it is, and its text as far as there is room."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    text = repr(value) if isinstance(value, int | float) else json.dumps(value)
    return text if len(text) <= _QUOTED else text[:_QUOTED] + "…"


def _refuse(value: object, wanted: str) -> ShapeError:
    return ShapeError(f"{describe_value(value)} where {wanted} is expected")


def _read_text(value: Any) -> str:  # noqa: ANN401 - any JSON value
    if isinstance(value, str):
        return value
    raise _refuse(value, "a text")


def _read_truth(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    if isinstance(value, bool):
        return value
    raise _refuse(value, "true or false")


def _read_integer(value: Any) -> int:  # noqa: ANN401 - any JSON value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST_INTEGER:
        return value
    raise _refuse(value, "a whole number")


def _read_number(value: Any) -> float:  # noqa: ANN401 - any JSON value
    # a comparison is false for NaN, too
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST_NUMBER:
        return value
    raise _refuse(value, "a finite number")


def _read_anything(value: Any, level: int = 0) -> Any:  # noqa: ANN401 - any JSON value
    """The value as it is: finite numbers only, and not nested without end."""
    if level > DEEPEST:
        raise ShapeError(f"nested deeper than {DEEPEST} levels")
    step = ""
    try:
        if isinstance(value, Mapping | list):
            named = value.items() if isinstance(value, Mapping) else enumerate(value)
            for key, item in named:
                step = key if isinstance(key, str) else f"[{key}]"
                _read_anything(item, level + 1)
    except ShapeError as error:
        raise error.inside(step) from None
    if isinstance(value, int | float) and not isinstance(value, bool):
        _read_number(value)
    return value


_PLAIN: Mapping[object, Reader] = {
    str: _read_text,
    bool: _read_truth,
    int: _read_integer,
    float: _read_number,
    Any: _read_anything,
}


def _list_reader(read: Reader) -> Reader:
    def read_list(value: Any) -> tuple[Any, ...]:  # noqa: ANN401 - any JSON value
        if not isinstance(value, list):
            raise _refuse(value, "a list")
        items: list[Any] = []
        try:
            for item in value:
                items.append(read(item))  # noqa: PERF401 - its length is the place of the error
        except ShapeError as error:
            raise error.inside(f"[{len(items)}]") from None
        return tuple(items)

    return read_list


def _row_reader(readers: list[Reader]) -> Reader:
    def read_row(value: Any) -> tuple[Any, ...]:  # noqa: ANN401 - any JSON value
        if not isinstance(value, list) or len(value) != len(readers):
            raise _refuse(value, f"a list of {len(readers)}")
        items: list[Any] = []
        try:
            for read, item in zip(readers, value, strict=True):
                items.append(read(item))
        except ShapeError as error:
            raise error.inside(f"[{len(items)}]") from None
        return tuple(items)

    return read_row


def _mapping_reader(read: Reader) -> Reader:
    def read_mapping(value: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
        if not isinstance(value, Mapping):
            raise _refuse(value, "an object")
        items: dict[str, Any] = {}
        key = ""
        try:
            for key, item in value.items():
                items[key] = read(item)
        except ShapeError as error:
            raise error.inside(key) from None
        return items

    return read_mapping


def _record_reader(record: type, rules: RuleBook | None) -> Reader:
    hints = get_type_hints(record)
    readers = {entry.name: make_reader(hints[entry.name], rules) for entry in fields(record)}
    needed = [entry.name for entry in fields(record) if entry.default is MISSING and entry.default_factory is MISSING]
    check = rules.checks.get(record) if rules is not None else None

    def read_record(value: Any) -> Any:  # noqa: ANN401 - any JSON value
        if not isinstance(value, Mapping):
            raise _refuse(value, "an object")
        for name in needed:
            if name not in value:
                raise ShapeError(f"has no {name!r}")
        items: dict[str, Any] = {}
        key = ""
        try:
            for key, item in value.items():
                if key in readers:
                    items[key] = readers[key](item)
                else:
                    _read_anything(item)
        except ShapeError as error:
            raise error.inside(key) from None
        built = record(**items)
        if check is not None:
            check(built)
        return built

    return read_record
