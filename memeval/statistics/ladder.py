"""Which stage to recommend: the cheapest that cures, by counts of needs. It knows names and numbers, no search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memeval.statistics.intervals import clopper_pearson_low
from memeval.statistics.trigger import DEFAULT_THRESHOLD, check_threshold

MIN_REMOVED = 0.5
"""Share of the triggers, new ones counted, that a stage has to remove to help."""
MAX_LOSS = 0.01
"""Net share of the other wordings that may fall out of the first five."""
BETTER_P = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What a stage of the ladder makes of the same needs."""

    name: str
    stage: int
    """0: another profile or tokeniser; 1: aliases; 2: a local embedding."""
    left: frozenset[str]
    """The needs that trigger under it, those included that did not before."""
    others: int
    """Wordings other than those that triggered, as far as they are judged by their first five hits."""
    net_loss: int
    """How many of them fall out of the first five, less those that come in."""


def mcnemar_one_sided(won: int, lost: int) -> float:
    """The exact p of a split at least as much in favour, in (0, 1]; 1 where no need changed.

    Args:
        won: needs that only the first answers.
        lost: needs that only the second does.

    Raises:
        ValueError: a count below 0.

    Source: McNemar, Psychometrika 12 (1947) 153-157, with the upper tail of the binomial distribution.
    """
    if min(won, lost) < 0:
        raise ValueError(f"{won} needs won and {lost} lost: no count may be below 0")
    changed = won + lost
    ways, one = 0, 1
    for place in range(lost + 1):  # as many lost, or fewer
        ways += one
        one = one * (changed - place) // (place + 1)
    return min(1.0, ways / (1 << changed))


def removed_share(before: int, left: int) -> float | None:
    """The share of the triggers that are gone, (x - x_s) / x; below 0 where there are more; None where x is 0."""
    return (before - left) / before if before else None


def helps(step: Step, before: int) -> bool:
    """Whether at least half of the triggers are gone, at a net loss of at most one in a hundred other wordings."""
    share = removed_share(before, len(step.left))
    return share is not None and share >= MIN_REMOVED and step.net_loss <= MAX_LOSS * step.others


def cures(step: Step, before: int, n: int, threshold: float = DEFAULT_THRESHOLD) -> bool:
    """Whether it helps, and what is left of n needs no longer lies above the threshold with 95 % confidence."""
    check_threshold(threshold)
    low = clopper_pearson_low(len(step.left), n)
    return helps(step, before) and low is not None and low <= threshold


def choose_step(steps: Sequence[Step], before: int, n: int, threshold: float = DEFAULT_THRESHOLD) -> Step | None:
    """The step to recommend where the trigger fires; None where none helps: look at the needs.

    The cheapest that cures. Where none does, the helping one that leaves the fewest triggers, if it beats every cheaper
    helping one (exact one-sided paired test, p <= 0.05); else the cheapest helping one.

    Args:
        steps: those that were run and may be recommended, the cheapest first.
        before: triggers without any of them.
        n: needs.
        threshold: the tolerated rate.
    """
    for step in steps:
        if cures(step, before, n, threshold):
            return step
    helping = [step for step in steps if helps(step, before)]
    if not helping:
        return None
    best = min(helping, key=lambda step: len(step.left))
    cheaper = helping[: helping.index(best)]
    if all(mcnemar_one_sided(len(one.left - best.left), len(best.left - one.left)) <= BETTER_P for one in cheaper):
        return best
    return helping[0]
