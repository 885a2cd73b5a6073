"""`pytest --memeval-baseline`: a need that a saved evaluation had and this run has lost is a failure.

Loaded only once a suite is collected under that option.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memeval.bench.evaluation import Evaluation
from memeval.bench.held import Held, hold_variant
from memeval.bench.manifest import describe_run
from memeval.bench.matching import Difference
from memeval.bench.run import DEFAULT_DEPTH, DEFAULT_KS, SuiteRunner
from memeval.cli_checkout import open_evaluation
from memeval.errors import RunSettingError
from memeval.retrieval.base import DEFAULT_BUDGET_BYTES
from memeval.text import count

if TYPE_CHECKING:
    from memeval.bench.held import Change
    from memeval.retrieval.base import Variant
    from memeval.testbed.needs import Suite


ALLOWED_KINDS = ("need", "wording", "promise")
"""What a suite can no longer ask for."""


class Baseline:
    """A saved evaluation, of the variants that are asked alone, and what needs may not be lost by."""

    def __init__(
        self, address: str, root: Path, metrics: Sequence[str], allowed: Iterable[str], variants: Collection[str]
    ) -> None:
        self.allowed = frozenset(map(check_allowed, allowed))
        opened = open_evaluation(address, root, variants)
        self.label = opened.side.label
        self.evaluation = opened.evaluation
        self.metrics = tuple(metrics)

    def hold(self, suite: Suite, variants: Sequence[Variant]) -> dict[str, Held]:
        """{variant: what the baseline says of it on a suite}; what the baseline does not know is left out.

        Another model than the baseline's is a change like any other: its needs are judged.

        Raises:
            RunSettingError: the two cannot be compared, as where the files are not the same.
            UnknownNameError: a metric there is none of.
        """
        manifest = describe_run(
            [suite], variants, ks=DEFAULT_KS, budget_bytes=DEFAULT_BUDGET_BYTES, depth=DEFAULT_DEPTH, seed=0
        )
        head = Evaluation(manifest=manifest, suites=())
        held = {
            variant.name: hold_variant(self.evaluation, self.label, head, suite.name, variant.name, self.metrics)
            for variant in variants
        }
        return {name: one for name, one in held.items() if one is not None}

    def find_vanished(self, held: Held, runner: SuiteRunner) -> tuple[Difference, ...]:
        """What the suite no longer asks for, or no longer promises, and may not leave out."""
        vanished = held.find_vanished([runner.outline_query(query_id) for query_id in runner.query_ids])
        return tuple(part for part in vanished if f"{part.kind}:{part.name}" not in self.allowed)


def check_allowed(text: str) -> str:
    """What may vanish, as it was given.

    Raises:
        RunSettingError: it is not KIND:NAME of a kind that a suite can lose.
    """
    kind, _, name = text.partition(":")
    if kind not in ALLOWED_KINDS or not name:
        raise RunSettingError(
            f"--memeval-allow {text}: write one of {', '.join(ALLOWED_KINDS)}, a colon and a name, such as "
            "need:redis-port or wording:redis-port[0]"
        )
    return text


class NeedChange(NamedTuple):
    """What the summary tells of one need; plain enough to leave an xdist worker."""

    suite: str
    variant: str
    need: str
    lost: str
    """The metrics, joined by a comma; "" for none."""
    won: str


def note_change(runner: SuiteRunner, need: str, change: Change) -> NeedChange:
    """The change of a need for the summary."""
    return NeedChange(runner.suite.name, runner.variant.name, need, ", ".join(change.lost), ", ".join(change.won))


def describe_loss(change: Change, label: str, text: str, variant: str) -> str:
    """Why a need's test fails that the baseline had, with the rank of the expected file before and now."""
    lines = [f"lost: {text!r} [{variant}] by {', '.join(change.lost)}; {label} had it"]
    lines += [
        f"  {query_id}: the best expected file stood at {describe_rank(old)}, now {describe_rank(new)}"
        for query_id, old, new in change.ranks
        if query_id in change.lost_wordings
    ]
    return "\n".join(lines)


def describe_rank(rank: int | None) -> str:
    """A rank in words."""
    return "no rank" if rank is None else f"rank {rank}"


def describe_vanished(parts: Sequence[Difference], label: str) -> str:
    """Why a suite's test of completeness fails, with what allows it."""
    lines = [f"not there any more of {label}: {count(len(parts), 'part')}; a need that is not asked cannot be lost:"]
    lines += [f"  {part.kind} {part.name}: {part.text}  (--memeval-allow {part.kind}:{part.name})" for part in parts]
    return "\n".join(lines)
