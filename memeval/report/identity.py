"""What exactly was measured, and how long it took: manifest, versions and timings as they stand in the record."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from memeval.bench.evaluation import Evaluation
from memeval.report.notation import UNDEFINED, format_milliseconds, quote_code
from memeval.report.tables import fold_away, render_markdown_table

MAX_CELL_CHARACTERS = 400
MAX_OPEN_ROWS = 12


def write_identity(evaluation: Evaluation) -> list[str]:
    """Settings, digests, variant configurations and versions, as tables; whatever else the manifest holds, too."""
    settings: list[tuple[str, object]] = []
    tables: list[str] = []
    for key, value in evaluation.manifest.items():
        if _is_table(value):
            tables.append(_write_rows(value))
        else:
            settings.append((key, value))
    blocks = []
    if settings:
        blocks.append(_write_pairs("setting", settings))
    blocks += tables
    if evaluation.versions:
        blocks.append(_write_pairs("version of", list(evaluation.versions.items())))
    return blocks or ["The record holds no manifest."]


def _is_table(value: object) -> bool:
    return isinstance(value, Sequence) and bool(value) and all(isinstance(row, Mapping) for row in value)


def _write_rows(rows: Sequence[Mapping[str, object]]) -> str:
    headers = list(dict.fromkeys(key for row in rows for key in row))
    cells = ([_write_cell(row.get(header)) for header in headers] for row in rows)
    return render_markdown_table([quote_code(header) for header in headers], cells, left=len(headers))


def _write_pairs(name: str, pairs: Sequence[tuple[str, object]]) -> str:
    return render_markdown_table(
        [name, "value"], ([quote_code(key), _write_cell(value)] for key, value in pairs), left=2
    )


def _write_cell(value: object) -> str:
    if value is None:
        return UNDEFINED
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return quote_code(text, MAX_CELL_CHARACTERS)


def write_timings(evaluation: Evaluation) -> list[str]:
    """Seconds to build and milliseconds per query, with the remark that they are this machine's."""
    rows = []
    for suite, variants in evaluation.timings.items():
        for variant, timing in variants.items():
            build = timing.get("build_seconds")
            rows.append(
                [
                    quote_code(suite),
                    quote_code(variant),
                    f"{timing.get('queries', 0):,}",
                    UNDEFINED if build is None else f"{build:.2f}",
                    *(format_milliseconds(timing.get(key)) for key in ("p50_ms", "p95_ms", "max_ms")),
                ]
            )
    if not rows:
        return ["No timings were recorded."]
    headers = ["suite", "variant", "n (queries)", "build s", "p50 ms", "p95 ms", "max ms"]
    remark = (
        "Measured on the machine of this run and on no other: they say nothing about quality and are never compared."
    )
    table = render_markdown_table(headers, rows, left=2)
    return [remark, table if len(rows) <= MAX_OPEN_ROWS else fold_away("Timings per suite and variant", [table])]
