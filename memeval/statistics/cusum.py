"""The CUSUM of a retry rate: when it rings, how far apart false alarms are, how late a true one is. Exact."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

DEFAULT_TOLERATED = 0.05
DEFAULT_FACTOR = 2.0
DEFAULT_SPACING = 2_000.0
"""Needs between two false alarms, at least, while the rate is the tolerated one."""
_STEPS = 4
"""How far the score falls at a need without a retry: the finer, the nearer the whole numbers come to the logarithms."""
_MAX_ALARM = 20_000


def _check_rates(tolerated: float, alarmed: float) -> None:
    if not 0 < tolerated < alarmed < 1:
        raise ValueError(
            f"tolerated rate {tolerated} and alarmed rate {alarmed}: both lie between 0 and 1, the alarmed one above"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CusumDesign:
    """A score that rises by `up` at a need with a retry, falls by `down` at any other, not below 0, and rings at
    `alarm`.

    Raises:
        ValueError: rates that are none or in the wrong order, steps or an alarm below 1.
    """

    tolerated: float = DEFAULT_TOLERATED
    """The rate that may be, in (0, 1)."""
    alarmed: float = DEFAULT_TOLERATED * DEFAULT_FACTOR
    """The rate that shall be noticed soon, above the tolerated one and below 1."""
    up: int = 51
    down: int = 4
    alarm: int = 248

    def __post_init__(self) -> None:
        _check_rates(self.tolerated, self.alarmed)
        if min(self.up, self.down, self.alarm) < 1:
            raise ValueError(f"steps up {self.up}, down {self.down}, alarm at {self.alarm}: 1 is the least")

    def step(self, score: int, is_retry: bool) -> int:
        """The score after one more need; at `alarm` or above it rings."""
        return score + self.up if is_retry else max(score - self.down, 0)


DEFAULT_DESIGN = CusumDesign()


def design_cusum(
    tolerated: float = DEFAULT_TOLERATED, factor: float = DEFAULT_FACTOR, spacing: float = DEFAULT_SPACING
) -> CusumDesign:
    """The design whose score is the log likelihood ratio of `factor` times the tolerated rate, in whole steps.

    The alarm is the lowest whose exact spacing at the tolerated rate is `spacing` needs or more.

    Raises:
        ValueError: rates or a spacing for which there is none.

    Source of the steps: Reynolds and Stoumbos, Journal of Quality Technology 31 (1999) 87-108.
    """
    alarmed = tolerated * factor
    _check_rates(tolerated, alarmed)
    if not 1 <= spacing < math.inf:
        raise ValueError(f"spacing {spacing}: allowed is a number of needs from 1 on")
    fall = math.log((1 - tolerated) / (1 - alarmed))
    up = max(1, round(_STEPS * math.log(alarmed / tolerated) / fall))

    def build(alarm: int) -> CusumDesign:
        return CusumDesign(tolerated=tolerated, alarmed=alarmed, up=up, down=_STEPS, alarm=alarm)

    high = up
    while mean_run(build(high), tolerated) < spacing:
        high *= 2
        if high > _MAX_ALARM:
            raise ValueError(f"spacing {spacing} needs at a rate of {tolerated}: no alarm below {_MAX_ALARM} has it")
    low = 1
    while low < high:  # a higher alarm never rings sooner
        middle = (low + high) // 2
        low, high = (low, middle) if mean_run(build(middle), tolerated) >= spacing else (middle + 1, high)
    return build(low)


def mean_run(design: CusumDesign, rate: float) -> float:
    """How many needs pass on average until it rings, from score 0, when each is a retry with this probability.

    At the tolerated rate this is the spacing of false alarms. Exact: the mean time to absorption of the Markov chain of
    the score.

    Raises:
        ValueError: a rate not within (0, 1].

    Source: Brook and Evans, Biometrika 59 (1972) 539-549; for whole steps there is no approximation in it.
    """
    return _mean_runs(design, rate)[0]


def steady_delay(design: CusumDesign, rate: float | None = None) -> float:
    """How many needs pass on average until it rings, after the rate rose from the tolerated one to `rate` at once.

    The score stands then where a long watch at the tolerated rate leaves it, begun anew at 0 after each false alarm.
    `rate` None = the alarmed one.

    Raises:
        ValueError: a rate not within (0, 1].
    """
    runs = _mean_runs(design, design.alarmed if rate is None else rate)
    visits = _solve(design, design.tolerated, [1.0] + [0.0] * (design.alarm - 1), transposed=True)
    return math.fsum(map(math.prod, zip(visits, runs, strict=True))) / math.fsum(visits)


def correlated_run(design: CusumDesign, rate: float, correlation: float, session_sizes: Mapping[int, int]) -> float:
    """`mean_run`, in needs, when the needs of one session resemble each other.

    Each session draws its own rate from the beta distribution with mean `rate` and the given correlation between two of
    its needs (beta-binomial counts), and its number of needs from those that were seen. Exact: within a session the
    next need is a retry with the probability of Pólya's urn, given those before it.

    Args:
        design: the steps and the alarm.
        rate: mean rate, in (0, 1).
        correlation: in [0, 1); 0 gives `mean_run`.
        session_sizes: {needs of a session: sessions of that size}.

    Raises:
        ValueError: a rate, a correlation or sizes that are none.
    """
    if not 0 < rate < 1 or not 0 <= correlation < 1:
        raise ValueError(f"rate {rate} within (0, 1) and correlation {correlation} within [0, 1) are needed")
    if not session_sizes or min(session_sizes) < 1 or min(session_sizes.values()) < 1:
        raise ValueError(f"session sizes {dict(session_sizes)}: one session of one need is the least")
    from scipy.linalg import solve

    total = sum(session_sizes.values())
    shares = {size: count / total for size, count in session_sizes.items()}
    matrix = [[float(row == column) for column in range(design.alarm)] for row in range(design.alarm)]
    lengths = []
    for score in range(design.alarm):
        length, ends = _pass_session(design, score, rate, correlation, shares)
        lengths.append(length)
        for end, probability in ends.items():
            matrix[score][end] -= probability
    return float(solve(matrix, lengths)[0])


def _pass_session(
    design: CusumDesign, start: int, rate: float, correlation: float, shares: Mapping[int, float]
) -> tuple[float, dict[int, float]]:
    """(mean needs of a session until its end or the alarm, {score it leaves: probability}) from a score."""
    weight = correlation / (1 - correlation)  # of each earlier need against the urn's first content
    alive = {(start, 0): 1.0}
    length = 0.0
    ends: dict[int, float] = defaultdict(float)
    for seen in range(max(shares)):
        going_on = math.fsum(share for size, share in shares.items() if size > seen)
        length += going_on * math.fsum(alive.values())
        after: dict[tuple[int, int], float] = defaultdict(float)
        for (score, retries), probability in alive.items():
            chance = (rate + retries * weight) / (1 + seen * weight)
            for is_retry, part in ((True, chance), (False, 1 - chance)):
                next_score = design.step(score, is_retry)
                if next_score < design.alarm:
                    after[next_score, retries + is_retry] += probability * part
        alive = after
        ending = shares.get(seen + 1, 0.0)
        for (score, _), probability in alive.items():
            ends[score] += ending * probability
    return length, ends


def _mean_runs(design: CusumDesign, rate: float) -> list[float]:
    """The mean run from each score below the alarm."""
    if not 0 < rate <= 1:
        raise ValueError(f"rate {rate}: allowed is what lies above 0 and up to 1")
    return _solve(design, rate, [1.0] * design.alarm)


def _solve(design: CusumDesign, rate: float, right: list[float], *, transposed: bool = False) -> list[float]:
    """The x of (1 - Q) x = right, with Q the chain of scores below the alarm: a matrix of few diagonals."""
    from scipy.linalg import solve_banded

    last = design.alarm - 1
    above, below = min(design.up, last), min(design.down, last)
    if transposed:
        above, below = below, above
    bands = [[0.0] * design.alarm for _ in range(above + below + 1)]

    def add(row: int, column: int, value: float) -> None:
        if transposed:
            row, column = column, row
        bands[above + row - column][column] += value

    for score in range(design.alarm):
        add(score, score, 1.0)
        for is_retry, chance in ((True, rate), (False, 1 - rate)):
            target = design.step(score, is_retry)
            if target < design.alarm:
                add(score, target, -chance)
    return [float(value) for value in solve_banded((below, above), bands, right)]
