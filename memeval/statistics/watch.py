"""Watching a retry rate, need by need: the CUSUM that rings, and what stands beside it for the eye."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from memeval.statistics.cusum import DEFAULT_DESIGN, CusumDesign, correlated_run, mean_run
from memeval.statistics.intervals import DEFAULT_CONFIDENCE, Interval, clopper_pearson_high

NOT_ENOUGH = "not enough data yet"
QUIET = "quiet"
ALARM = "alarm"

EWMA_WEIGHT = 0.05
MIN_RETRIES = 40
"""With fewer retries a frozen rate is provisional: of ten, the true spacing may be anything from hundreds on."""
_FREEZE_CONFIDENCE = 0.8
_MAX_CORRELATION = 0.99


class Observation(NamedTuple):
    """One need as it is watched."""

    is_retry: bool
    session: str
    """Needs of one session may resemble each other."""
    ruler: str = ""
    """By what it was judged; where this changes, the watch begins anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchPoint:
    """Where the watch stood after a need."""

    number: int
    """From 1, within the stretch."""
    is_retry: bool
    score: int
    """Of the CUSUM, as reached; after an alarm the next need begins from 0."""
    ewma: float
    """Exponentially weighted share of retries, begun at the tolerated rate."""
    is_alarm: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """A stretch of needs judged by one ruler."""

    design: CusumDesign
    ruler: str
    points: tuple[WatchPoint, ...]
    min_needs: int
    """Needs that a doubled rate takes, on average, to ring from the start: before, silence says nothing."""
    interval: Interval
    """Of the rate, see `beta_interval`."""
    probability_alarmed: float
    """That the rate is the alarmed one or above, seen from the same uniform beginning."""
    correlation: float | None
    """Between two needs of one session; None where that cannot be told."""
    spacing: float
    """Mean needs between two false alarms at the tolerated rate, for needs that have nothing to do with each other."""
    session_spacing: float | None
    """The same under the correlation, with sessions of the sizes seen; None where no correlation was found."""

    @property
    def n(self) -> int:
        """Needs."""
        return len(self.points)

    @property
    def retries(self) -> int:
        """Needs with a retry."""
        return sum(point.is_retry for point in self.points)

    @property
    def rate(self) -> float | None:
        """Their share; None without any need."""
        return self.retries / self.n if self.points else None

    @property
    def alarms(self) -> tuple[int, ...]:
        """The numbers of the needs at which it rang."""
        return tuple(point.number for point in self.points if point.is_alarm)

    @property
    def state(self) -> str:
        """ALARM once it rang, whatever came after; QUIET once `min_needs` have passed; else NOT_ENOUGH."""
        if self.alarms:
            return ALARM
        return QUIET if self.n >= self.min_needs else NOT_ENOUGH


def watch(observations: Iterable[Observation], design: CusumDesign = DEFAULT_DESIGN) -> tuple[Watch, ...]:
    """One Watch for each stretch of one ruler, in order; the last is today's. () without any need."""
    return tuple(
        _watch_stretch(list(stretch), ruler, design) for ruler, stretch in groupby(observations, lambda one: one.ruler)
    )


def beta_interval(retries: int, n: int, confidence: float = DEFAULT_CONFIDENCE) -> Interval:
    """The interval with equal tails of the rate behind a binomial count, no rate being likelier before: Beta(1, 1).

    Never of zero width, and the whole of [0, 1] but for the tails when n is 0. It takes the rate for constant, and
    looking again and again is not allowed for: it is for the eye, the CUSUM rings.

    Raises:
        ValueError: more retries than needs, or fewer than none.
    """
    from scipy.special import betaincinv

    _check_count(retries, n)
    tail = (1 - confidence) / 2
    low, high = (float(betaincinv(1 + retries, 1 + n - retries, share)) for share in (tail, 1 - tail))
    return Interval(low, high)


class FrozenRate(NamedTuple):
    """A tolerated rate taken from a baseline."""

    rate: float
    is_provisional: bool
    """Fewer than MIN_RETRIES retries stand behind it."""


def freeze_rate(retries: int, n: int) -> FrozenRate | None:
    """The tolerated rate that a baseline allows: the one-sided 80 % upper bound; None without any need.

    The bound rather than the rate itself, since a rate taken too low rings for ever.

    Raises:
        ValueError: more retries than needs, or fewer than none.
    """
    rate = clopper_pearson_high(retries, n, _FREEZE_CONFIDENCE)
    return None if rate is None else FrozenRate(rate, retries < MIN_RETRIES)


def session_correlation(sessions: Iterable[Sequence[bool]]) -> float | None:
    """The correlation between two needs of a session, within [0, 0.99], from the retries of each session.

    None where it cannot be told: fewer than two sessions, none with two needs, or all needs alike.

    Source: the analysis-of-variance estimator, Ridout, Demétrio and Firth, Biometrics 55 (1999) 137-148.
    """
    counts = [(sum(session), len(session)) for session in sessions if len(session)]
    needs, groups = sum(size for _, size in counts), len(counts)
    retries = sum(hits for hits, _ in counts)
    if groups < 2 or needs == groups or retries in (0, needs):
        return None
    within = math.fsum(hits - hits * hits / size for hits, size in counts) / (needs - groups)
    between = (math.fsum(hits * hits / size for hits, size in counts) - retries * retries / needs) / (groups - 1)
    typical = (needs - sum(size * size for _, size in counts) / needs) / (groups - 1)
    spread = between + (typical - 1) * within
    return min(max((between - within) / spread, 0.0), _MAX_CORRELATION) if spread > 0 else None


def _watch_stretch(observations: Sequence[Observation], ruler: str, design: CusumDesign) -> Watch:
    from scipy.special import betaincc

    sessions: dict[str, list[bool]] = {}
    for one in observations:
        sessions.setdefault(one.session, []).append(one.is_retry)
    correlation = session_correlation(list(sessions.values()))
    sizes = Counter(map(len, sessions.values()))
    retries, n = sum(one.is_retry for one in observations), len(observations)
    return Watch(
        design=design,
        ruler=ruler,
        points=_follow(observations, design),
        min_needs=math.ceil(mean_run(design, design.alarmed)),
        interval=beta_interval(retries, n),
        probability_alarmed=float(betaincc(1 + retries, 1 + n - retries, design.alarmed)),
        correlation=correlation,
        spacing=mean_run(design, design.tolerated),
        session_spacing=correlated_run(design, design.tolerated, correlation, sizes) if correlation else None,
    )


def _follow(observations: Sequence[Observation], design: CusumDesign) -> tuple[WatchPoint, ...]:
    score, ewma = 0, design.tolerated
    points = []
    for number, one in enumerate(observations, start=1):
        score = design.step(score, one.is_retry)
        ewma += EWMA_WEIGHT * (one.is_retry - ewma)
        rings = score >= design.alarm
        points.append(WatchPoint(number=number, is_retry=one.is_retry, score=score, ewma=ewma, is_alarm=rings))
        score = 0 if rings else score
    return tuple(points)


def _check_count(retries: int, n: int) -> None:
    if not 0 <= retries <= n:
        raise ValueError(f"{retries} retries of {n} needs: allowed are 0 to {n}")
