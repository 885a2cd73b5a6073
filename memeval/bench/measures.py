"""What two runs are compared by: yes-or-no figures of needs, and the budget of needs a gate allows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memeval.errors import RunSettingError, UnknownNameError
from memeval.metrics.registry import METRICS, find_metric

MAX_GATES = 4
"""Primary metrics a comparison may have: the more there are, the less one of them says."""

DEFAULT_MEASURES = ("found", "success@5", "false-hit-rate")
"""What is shown beside the gates, and decides nothing."""

SHARE, FIRST, ANY = "share", "first", "any"
"""How the wordings of a need make its figure: each counts an equal share, the first alone, or one is enough."""

_GATE = re.compile(r"(?P<metric>[^:]+):\s*(?P<budget>[0-9]{1,6})\s*(?:needs?)?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A figure of a summary that is a count of needs."""

    name: str
    """As in a summary: `success@5`, `found-any-wording`."""
    family: str
    """`success@k`, `found`: what one wording is scored by."""
    k: int | None = None
    aggregation: str = SHARE
    higher_is_better: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A primary metric and the needs, net, that may be lost; exactly at the limit passes."""

    measure: Measure
    budget: int

    def __str__(self) -> str:
        return f"{self.measure.name}:{self.budget}{'need' if self.budget == 1 else 'needs'}"


def list_measures() -> tuple[str, ...]:
    """The names of all measures, with `k` for a cutoff."""
    names = [metric.name for metric in METRICS if metric.is_binary]
    place = names.index("found") + 1
    return (*names[:place], "found-first-wording", "found-any-wording", *names[place:])


def find_measure(name: str) -> Measure:
    """The measure of that name.

    Raises:
        UnknownNameError: there is no such metric.
        RunSettingError: it is one that needs are not counted by, or has no cutoff where it needs one.
    """
    if name in ("found-first-wording", "found-any-wording"):
        return Measure(name=name, family="found", aggregation=FIRST if "first" in name else ANY)
    try:
        metric = find_metric(name)
    except UnknownNameError as error:
        raise UnknownNameError("metric", name, list_measures()) from error
    cutoff = name.rpartition("@")[2] if metric.has_cutoff else None
    if not metric.is_binary:
        raise RunSettingError(
            f"{name} cannot be gated: it is no yes or no of a need, so that no number of needs is lost by it; "
            f"take one of {', '.join(list_measures())}"
        )
    if cutoff == "k":
        raise RunSettingError(f"{name}: write the cutoff as a number, as in {name.replace('@k', '@5')}")
    return Measure(
        name=name,
        family=metric.name,
        k=None if cutoff is None else int(cutoff),
        higher_is_better=metric.higher_is_better,
    )


def parse_gate(text: str) -> Gate:
    """The gate that a text such as `success@5:2needs` stands for; `2`, `2 needs` and `1need` are budgets, too.

    Raises:
        RunSettingError: it is no metric and number of needs.
        UnknownNameError: there is no such metric.
    """
    match = _GATE.fullmatch(text.strip())
    if match is None:
        raise RunSettingError(
            f"gate {text!r}: write a metric and the needs that may be lost, net, as in success@5:2needs "
            "(whole needs: a share of them would pass or fail by rounding)"
        )
    return Gate(measure=find_measure(match["metric"].strip()), budget=int(match["budget"]))


def parse_gates(texts: Sequence[str]) -> tuple[Gate, ...]:
    """The gates of a comparison, in the order given.

    Raises:
        RunSettingError: more than MAX_GATES, two of one metric, or one that is none.
        UnknownNameError: there is no such metric.
    """
    gates = tuple(parse_gate(text) for text in texts)
    names = [gate.measure.name for gate in gates]
    if len(gates) > MAX_GATES:
        raise RunSettingError(f"{len(gates)} gates are given; choose the {MAX_GATES} that matter most, beforehand")
    for name in names:
        if names.count(name) > 1:
            raise RunSettingError(f"{name} is gated twice; give it one budget")
    return gates
