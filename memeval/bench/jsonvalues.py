"""Finished values as JSON values: what a `--json` of the front doors prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from memeval.bench.shares import Misses, Share


def to_json_value(value: Any) -> Any:  # noqa: ANN401 - any value of a record, any JSON value
    """A record as dictionaries, lists, texts and numbers, its fields in their order; a share with its value beside."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        body = {field.name: to_json_value(getattr(value, field.name)) for field in fields(value)}
        return {"value": value.value, **body} if isinstance(value, Share | Misses) else body
    if isinstance(value, Mapping):
        return {key: to_json_value(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [to_json_value(item) for item in value]
    return value
