"""Evaluation to JSON and back. The only place that knows the schema's spelling."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from memeval.bench.evaluation import (
    SCHEMA,
    Contrast,
    Evaluation,
    QueryResult,
    Slice,
    SuiteResult,
    Summary,
    Value,
    VariantResult,
)

COMPACT_FROM_LEVEL = 6
"""Nesting at which a value goes on one line: the level of a query and of a metric's value, so that diffs read well."""


def render_json(value: object, level: int = 0) -> str:
    """JSON text with one query and one metric a line; no NaN, no trailing spaces."""
    if level < COMPACT_FROM_LEVEL and isinstance(value, dict | list) and value:
        pad = " " * (level + 1)
        if isinstance(value, dict):
            items = [
                f"{json.dumps(key, ensure_ascii=False)}: {render_json(item, level + 1)}" for key, item in value.items()
            ]
            opening, closing = "{", "}"
        else:
            items = [render_json(item, level + 1) for item in value]
            opening, closing = "[", "]"
        return opening + "\n" + ",\n".join(pad + item for item in items) + "\n" + " " * level + closing
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def encode_evaluation(evaluation: Evaluation) -> dict[str, Any]:
    """The evaluation as plain JSON values."""
    return {
        "schema": SCHEMA,
        "manifest": dict(evaluation.manifest),
        "versions": dict(evaluation.versions),
        "timings": dict(evaluation.timings),
        "suites": [_encode_suite(suite) for suite in evaluation.suites],
    }


def decode_evaluation(data: Mapping[str, Any]) -> Evaluation:
    """The evaluation that `encode_evaluation` gave; unknown keys are passed over.

    Raises:
        ValueError: another schema.
        KeyError, TypeError: a missing or misshapen field.
    """
    if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
        found = data.get("schema") if isinstance(data, Mapping) else type(data).__name__
        raise ValueError(f"schema is {found!r}, this version reads {SCHEMA}")
    return Evaluation(
        manifest=data["manifest"],
        versions=data["versions"],
        timings=data["timings"],
        suites=tuple(_decode_suite(suite) for suite in data["suites"]),
    )


def _plain(record: object, *, leave_out: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The fields of a flat dataclass as JSON values, tuples as lists."""
    values: dict[str, Any] = {}
    for entry in fields(record):  # type: ignore[arg-type]
        if entry.name in leave_out:
            continue
        value = getattr(record, entry.name)
        values[entry.name] = _listed(value)
    return values


def _listed(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, tuple):
        return [_listed(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _listed(item) for key, item in value.items()}
    if isinstance(value, Value):
        return {"value": value.value, "n": value.n}
    return value


def _known(cls: type, data: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of `data` that are fields of `cls`."""
    names = {entry.name for entry in fields(cls)}
    return {key: value for key, value in data.items() if key in names}


def _encode_suite(suite: SuiteResult) -> dict[str, Any]:
    body = _plain(suite, leave_out=frozenset({"variants", "contrasts"}))
    body["contrasts"] = [_plain(contrast) for contrast in suite.contrasts]
    body["variants"] = [
        _plain(variant, leave_out=frozenset({"slices", "queries"}))
        | {
            "slices": [_plain(part) for part in variant.slices],
            "queries": [_plain(query) for query in variant.queries],
        }
        for variant in suite.variants
    ]
    return body


def _decode_suite(data: Mapping[str, Any]) -> SuiteResult:
    values = _known(SuiteResult, data)
    values["variants"] = tuple(_decode_variant(variant) for variant in data["variants"])
    values["contrasts"] = tuple(
        Contrast(
            first=contrast["first"],
            second=contrast["second"],
            only_first=tuple(contrast["only_first"]),
            only_second=tuple(contrast["only_second"]),
        )
        for contrast in data.get("contrasts", ())
    )
    return SuiteResult(**values)


def _decode_variant(data: Mapping[str, Any]) -> VariantResult:
    values = _known(VariantResult, data)
    values["summary"] = _decode_summary(data["summary"])
    values["slices"] = tuple(
        Slice(
            dimension=part["dimension"],
            label=part["label"],
            queries=part["queries"],
            summary=_decode_summary(part["summary"]),
        )
        for part in data.get("slices", ())
    )
    for curve in ("recall_curve", "found_by_wording"):
        values[curve] = tuple((place, _decode_value(value)) for place, value in data.get(curve, ()))
    values["queries"] = tuple(_decode_query(query) for query in data["queries"])
    return VariantResult(**values)


def _decode_query(data: Mapping[str, Any]) -> QueryResult:
    values = _known(QueryResult, data)
    values["tags"] = tuple(data["tags"])
    values["shown"] = tuple(data["shown"])
    values["ranking"] = tuple((doc_id, score) for doc_id, score in data["ranking"])
    return QueryResult(**values)


def _decode_summary(data: Mapping[str, Any]) -> Summary:
    return {name: _decode_value(value) for name, value in data.items()}


def _decode_value(data: Mapping[str, Any]) -> Value:
    return Value(data["value"], data["n"])
