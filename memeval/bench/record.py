"""Evaluation to JSON and back. The only place that knows the schema's spelling."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from memeval.bench.evaluation import SCHEMA, Evaluation, QueryResult, SuiteResult, Value, VariantResult
from memeval.bench.excerpt import cut_variants
from memeval.bench.jsonvalues import to_json_value
from memeval.bench.shapes import LARGEST_INTEGER, RuleBook, ShapeError, describe_value, make_reader
from memeval.errors import EvaluationFileError

VERDICTS = ("hit", "miss", "ungradable")

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
        "coverage": _listed(evaluation.coverage),
        **({"signals": to_json_value(evaluation.signals)} if evaluation.signals else {}),
    }


def load_evaluation(path: Path | str, variants: Collection[str] = ()) -> Evaluation:
    """The evaluation stored at `path`.

    Args:
        path: of the file.
        variants: names; of a file that holds many, the one that is asked for takes a fraction of the time. () = all.

    Raises:
        EvaluationFileError: the file cannot be read, is not UTF-8 or not JSON, is of another schema, or says something
            that no run writes; the message names the place in it. Of variants that are left out not all is checked.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise EvaluationFileError(
            f"{path}: cannot be read ({error.strerror}); give the evaluation.json that `memeval run` wrote"
        ) from error
    return decode_content(content, str(path), variants)


def decode_content(content: bytes, shown: str, variants: Collection[str] = ()) -> Evaluation:
    """The evaluation in the bytes of a file, of which errors speak as `shown`; otherwise as `load_evaluation`."""
    if variants:
        with suppress(ValueError, RecursionError):  # the whole says where the fault is
            return _decode_variants(content.decode("utf-8"), variants)
    try:
        evaluation = decode_evaluation(json.loads(content.decode("utf-8")))
        return keep_variants(evaluation, variants) if variants else evaluation
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"byte 0x{content[error.start]:02x} in line {line} is not UTF-8"
    except RecursionError:
        problem = "nested too deeply"
    except ValueError as error:
        problem = str(error)
    raise EvaluationFileError(
        f"{shown}: not an evaluation of schema {SCHEMA} ({problem}); write it again with `memeval run`"
    )


def _decode_variants(text: str, names: Collection[str]) -> Evaluation:
    return keep_variants(decode_evaluation(json.loads(cut_variants(text, names))), names)


def keep_variants(evaluation: Evaluation, names: Collection[str]) -> Evaluation:
    """The evaluation with the results of these variants alone, and so without contrasts; the manifest stays."""
    suites = tuple(
        replace(suite, variants=tuple(one for one in suite.variants if one.name in names), contrasts=())
        for suite in evaluation.suites
    )
    return replace(evaluation, suites=suites)


def decode_evaluation(data: object) -> Evaluation:
    """The evaluation that `encode_evaluation` gave; unknown keys are passed over.

    Raises:
        ValueError: another schema, or a field that is missing or not what a run writes, with its place, as in
            `suites[0].variants[2].queries[5].ranking`.
    """
    if not isinstance(data, Mapping):
        raise ShapeError(f"{describe_value(data)} where an object is expected")
    schema = data.get("schema")
    if isinstance(schema, bool) or schema != SCHEMA:
        raise ShapeError(f"{describe_value(schema)}, this version reads {SCHEMA}").inside("schema")
    evaluation: Evaluation = _READ_EVALUATION(data)
    _READ_SHOWN({key: value for key, value in data.items() if key != "suites"})  # which were read, to the last value
    return replace(evaluation, suites=tuple(map(_restore_expected, evaluation.suites)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Configured:
    """What a report reads of a variant in the manifest."""

    name: str
    configuration: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Manifest:
    variants: tuple[_Configured, ...] = ()
    budget_bytes: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Timing:
    queries: int = 0
    build_seconds: float | None = None
    p50_ms: float | None = None
    p95_ms: float | None = None
    max_ms: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """What a report reads of the parts that an Evaluation keeps as they are."""

    manifest: _Manifest
    timings: Mapping[str, Mapping[str, _Timing]] = field(default_factory=dict)


def _check_value(value: Value) -> None:
    if value.n < 0 or (value.n == 0 and value.value is not None):
        raise ShapeError(f"the figure {value.value} stands on {value.n} cases")
    if value.value is not None and abs(value.value) > LARGEST_INTEGER:
        raise ShapeError(f"{value.value} is no figure that a run measures").inside("value")


def _refuse_doubles(kind: str, names: Iterable[tuple[object, str]]) -> None:
    """Raise ShapeError for the second of two that have one name: figures of the one would be taken for the other's.

    Args:
        kind: what has the names, for the message.
        names: (name, its place) in their order.
    """
    places: dict[object, str] = {}
    for name, place in names:
        if name in places:
            told = json.dumps(name, ensure_ascii=False) if isinstance(name, str) else str(name)
            raise ShapeError(f"{kind} {told} stands twice, the first time at {places[name]}").inside(place)
        places[name] = place


def _check_evaluation(evaluation: Evaluation) -> None:
    _refuse_doubles("suite", ((suite.name, f"suites[{place}].name") for place, suite in enumerate(evaluation.suites)))


def _check_suite(suite: SuiteResult) -> None:
    _refuse_doubles(
        "variant", ((variant.name, f"variants[{place}].name") for place, variant in enumerate(suite.variants))
    )


def _check_variant(variant: VariantResult) -> None:
    queries = variant.queries
    _refuse_doubles("wording", ((query.id, f"queries[{place}].id") for place, query in enumerate(queries)))
    _refuse_doubles(
        "wording",
        ((f"{query.wording} of {query.need}", f"queries[{place}].wording") for place, query in enumerate(queries)),
    )
    for curve in ("recall_curve", "found_by_wording"):
        for place, (number, _) in enumerate(getattr(variant, curve)):
            if number < 1:
                raise ShapeError(f"{number} where a number from 1 is expected").inside(f"{curve}[{place}][0]")


def _check_query(query: QueryResult) -> None:
    if query.verdict not in VERDICTS:
        raise ShapeError(f"{describe_value(query.verdict)}; known: {', '.join(VERDICTS)}").inside("verdict")


_RULES = RuleBook(
    {
        Evaluation: _check_evaluation,
        SuiteResult: _check_suite,
        VariantResult: _check_variant,
        Value: _check_value,
        QueryResult: _check_query,
    }
)
_READ_EVALUATION = make_reader(Evaluation, _RULES)
_READ_SHOWN = make_reader(_Shown)


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
        # What is no rate has no interval; a figure of it comes without the key.
        ends = {} if value.interval is None and value.value is not None else {"interval": _listed(value.interval)}
        return {"value": value.value, "n": value.n, **ends}
    return value


def _encode_suite(suite: SuiteResult) -> dict[str, Any]:
    body = _plain(suite, leave_out=frozenset({"variants", "contrasts"}))
    body["contrasts"] = [_plain(contrast) for contrast in suite.contrasts]
    body["variants"] = [
        _plain(variant, leave_out=frozenset({"slices", "queries"}))
        | {
            "slices": [_plain(part) for part in variant.slices],
            "queries": [_encode_query(query, suite.unanswering.get(query.need, ())) for query in variant.queries],
        }
        for variant in suite.variants
    ]
    return body


def _encode_query(query: QueryResult, unanswering: Sequence[str]) -> dict[str, Any]:
    left_out = frozenset(unanswering)
    body = _plain(query, leave_out=frozenset({"cause"}))
    if query.cause is not None:
        body["cause"] = _plain(query.cause)
    body["expected"] = {doc_id: grade for doc_id, grade in query.expected.items() if grade or doc_id not in left_out}
    return body


def _restore_expected(suite: SuiteResult) -> SuiteResult:
    """The suite with what its queries expect made whole again."""
    if not suite.unanswering:
        return suite
    zeros = {need: dict.fromkeys(doc_ids, 0) for need, doc_ids in suite.unanswering.items()}
    variants = tuple(
        replace(
            variant,
            queries=tuple(
                replace(query, expected={**zeros.get(query.need, {}), **query.expected}) for query in variant.queries
            ),
        )
        for variant in suite.variants
    )
    return replace(suite, variants=variants)
