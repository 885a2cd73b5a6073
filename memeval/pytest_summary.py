"""What a pytest run over suites ends with: how many wordings were found, what was lost, and the same as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memeval.text import count

MAX_NAMES = 10
"""Needs named of those lost, and of those newly found; the tests name every one."""


@dataclass(slots=True)
class Row:
    """One variant on one suite."""

    suite: str
    variant: str
    verdicts: dict[str, int] = field(default_factory=lambda: {"hit": 0, "miss": 0, "ungradable": 0})
    is_compared: bool = False
    """The baseline has this suite and variant."""
    lost_promises: int = 0
    """Wordings of must-find needs that are lost."""
    lost: dict[str, str] = field(default_factory=dict)
    """{need that the baseline had: metrics it is lost by}."""
    won: dict[str, str] = field(default_factory=dict)

    @property
    def asked(self) -> int:
        """Wordings."""
        return sum(self.verdicts.values())


def gather_rows(reports: Iterable[Any], outcome_key: str, change_key: str) -> tuple[Row, ...]:
    """A row for each suite and variant, sorted, from the user properties of the reports of calls."""
    rows: dict[tuple[str, str], Row] = {}
    for report in reports:
        if getattr(report, "when", None) != "call":
            continue
        for name, value in getattr(report, "user_properties", ()):
            if name == outcome_key:
                suite, variant, verdict, lost, is_compared = value
                row = rows.setdefault((suite, variant), Row(suite, variant))
                row.is_compared |= bool(is_compared)
                row.verdicts[verdict] += 1
                row.lost_promises += int(lost)
            elif name == change_key:
                suite, variant, need, lost, won = value
                row = rows.setdefault((suite, variant), Row(suite, variant))
                row.lost.update({need: lost} if lost else {})
                row.won.update({need: won} if won else {})
    return tuple(row for _, row in sorted(rows.items()))


def describe_rows(rows: Sequence[Row], gate: Sequence[str], baseline: str | None) -> list[str]:
    """The lines for the terminal.

    Args:
        rows: of `gather_rows`.
        gate: the variants under test.
        baseline: how a reader knows what was compared with; None where nothing was.
    """
    lines = []
    for row in rows:
        extra = f", {row.verdicts['ungradable']} ungradable" if row.verdicts["ungradable"] else ""
        extra += f", {count(row.lost_promises, 'wording')} of lost must-find needs" if row.lost_promises else ""
        mark = "under test" if row.variant in gate else "informs"
        lines.append(
            f"{row.suite} · {row.variant} ({mark}): {row.verdicts['hit']} of {count(row.asked, 'wording')} "
            f"found or rightly silent{extra}"
        )
        if baseline is not None and (row.lost or row.won):
            told = [_tell(row.lost, "lost"), _tell(row.won, "newly found")]
            lines.append(f"  against {baseline}: {', '.join(told)}")
    if baseline is not None:
        new = [f"{row.suite} · {row.variant}" for row in rows if not row.is_compared]
        if len(new) < len(rows) and not any(row.lost or row.won for row in rows):
            lines.append(f"against {baseline}: no need lost, none newly found")
        if new:
            more = f" and {len(new) - MAX_NAMES} more" if len(new) > MAX_NAMES else ""
            lines.append(f"not in {baseline}, so not compared: {', '.join(new[:MAX_NAMES])}{more}")
    unasked = sorted(set(gate) - {row.variant for row in rows})
    if unasked:
        lines.append(f"not asked in this run, though under test: {', '.join(unasked)}")
    if not gate:
        lines.append("no variant is under test: name it in memeval_gate_variants to make lost must-find needs fail")
    return lines


def render_rows(rows: Sequence[Row], baseline: str | None) -> str:
    """The same as a Markdown section with a table, ending in a newline."""
    from memeval.report.notation import escape_prose

    head = ["suite", "variant", "found or rightly silent", "missed", "ungradable", "must-find lost"]
    if baseline is not None:
        head += [f"lost against {escape_prose(baseline)}", "newly found"]
    rule = [":---"] * 2 + ["---:"] * 4 + [":---"] * (len(head) - 6)
    lines = ["### memeval", "", f"| {' | '.join(head)} |", f"| {' | '.join(rule)} |"]
    for row in rows:
        cells = [
            escape_prose(row.suite),
            escape_prose(row.variant),
            f"{row.verdicts['hit']} of {row.asked}",
            *(str(number) for number in (row.verdicts["miss"], row.verdicts["ungradable"], row.lost_promises)),
        ]
        if baseline is not None:
            cells += [escape_prose(_name(row.lost)), escape_prose(_name(row.won))]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def _tell(needs: Mapping[str, str], word: str) -> str:
    counted = f"{count(len(needs), 'need')} {word}"
    return f"{counted} ({_name(needs)})" if needs else counted


def _name(needs: Mapping[str, str]) -> str:
    names = [f"{need} by {metrics}" for need, metrics in list(needs.items())[:MAX_NAMES]]
    more = [f"… {len(needs) - MAX_NAMES} more"] if len(needs) > MAX_NAMES else []
    return "; ".join(names + more)
