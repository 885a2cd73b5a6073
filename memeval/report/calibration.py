"""The calibration of the verdict as Markdown: two tables, and their place in a page. Finished values only."""

from __future__ import annotations

from memeval.bench.calibration import RECORDED_NEEDS, VERDICTS, Calibration, Cell, RecordedCell
from memeval.report.notation import UNDEFINED
from memeval.report.tables import render_markdown_table
from memeval.statistics.trigger import DEFAULT_THRESHOLD

START = "<!-- calibration: written by `memeval calibrate --write` -->"
END = "<!-- end of calibration -->"


def render_calibration(calibration: Calibration) -> str:
    """The two tables with what they stand on, ending without a final newline."""
    headers = ["rate", "truth", "needs", "worlds", *VERDICTS, "upgrades", "right", "demanded"]
    worlds = render_markdown_table(headers, map(_list_cells, calibration.cells), left=2)
    looks = [f"by {needs} needs" for needs in RECORDED_NEEDS]
    recorded = render_markdown_table(
        ["rate", "correlation", "recordings", *looks, "demanded"], map(_list_looks, calibration.recorded)
    )
    return "\n\n".join(
        (
            "Per cent of worlds by verdict, for written needs:",
            worlds,
            "Per cent of recordings in which the evidence was ever enough, looked at after each session:",
            recorded,
        )
    )


def replace_calibration(page: str, calibration: Calibration) -> str | None:
    """The page with the tables between its two marks; None where it does not have both, in their order."""
    start, end = page.find(START), page.find(END)
    if start < 0 or end < start:
        return None
    return f"{page[: start + len(START)]}\n\n{render_calibration(calibration)}\n\n{page[end:]}"


def _list_cells(cell: Cell) -> list[str]:
    return [
        _write_percent(cell.kind.multiple * DEFAULT_THRESHOLD),
        cell.kind.truth,
        f"{cell.needs}",
        f"{cell.worlds:,}",
        *(_write_percent(cell.verdicts[verdict] / cell.worlds) for verdict in VERDICTS),
        _write_percent(cell.upgrades),
        UNDEFINED if cell.right is None else _write_percent(cell.right),
        cell.demand or UNDEFINED,
    ]


def _list_looks(cell: RecordedCell) -> list[str]:
    return [
        _write_percent(cell.rate),
        f"{cell.correlation:g}",
        f"{cell.worlds:,}",
        *(_write_percent(cell.fired[needs] / cell.worlds) for needs in RECORDED_NEEDS),
        cell.demand or UNDEFINED,
    ]


def _write_percent(value: float) -> str:
    return f"{100 * value:.1f}".removesuffix(".0")
