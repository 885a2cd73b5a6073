"""A comparison as JSON values, for machines: the same names as in the code, nothing rounded and nothing undefined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from memeval.bench.comparison import Comparison

SCHEMA = 1


def encode_comparison(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain JSON values, its exit code first.

    Net changes are whole numbers where they are whole; what is undefined is null, never 0 and never NaN.
    """
    plain: dict[str, Any] = _encode(comparison)
    return {"schema": SCHEMA, "exit_code": comparison.exit_code, **plain}


def _encode(value: Any) -> Any:  # noqa: ANN401 - any value of a comparison
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if is_dataclass(value):
        return {entry.name: _encode(getattr(value, entry.name)) for entry in fields(value)}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [_encode(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _encode(item) for key, item in value.items()}
    return value
