"""Sessions of a simulated agent with the memory of a generated world.

An agent asks for one to four needs in a session. For each it goes through the wordings in order: a search that matches
the file is followed by a read of it; after one that does not, the agent gives up or words it anew. Whether a need is
one that is missed at first depends in part on a draw that the needs of a session have in common.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from enum import Enum
from random import Random

from memeval.testbed.generator.parameters import FIRST_DAY, Parameters
from memeval.testbed.generator.streams import draw_below, open_stream
from memeval.testbed.generator.truth import NeedTruth, SessionRates
from memeval.testbed.needs import Need

MAX_NEEDS = 4
_SESSIONS_A_DAY = 8
_SESSION_MINUTES = 75
_RETRY_SECONDS = (5, 60)
_READ_SECONDS = (3, 20)
_PAUSE_SECONDS = (60, 2_400)


class Outcome(str, Enum):
    """How the search for a need ended."""

    FOUND = "found"
    ABANDONED = "abandoned"
    """Given up though there was another wording."""
    OUT_OF_WORDS = "out_of_words"
    NOTHING_STORED = "nothing_stored"


@dataclass(frozen=True, slots=True)
class SearchEvent:
    """One search."""

    time: str
    wording: int
    query: str
    hits: tuple[str, ...]
    """What a literal search matches, sorted by doc_id: not a ranking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """The search for one need, from the first wording to its end."""

    need: str
    searches: tuple[SearchEvent, ...]
    outcome: Outcome
    time: str
    """When it ended: the read, or the last search."""
    read: str | None
    """The doc_id of the file read; None unless found."""


@dataclass(frozen=True, slots=True)
class Session:
    """What one agent asked for in one sitting."""

    id: str
    attempts: tuple[Attempt, ...]


def simulate_sessions(
    parameters: Parameters, seed: int, needs: Sequence[Need], truths: Sequence[NeedTruth]
) -> tuple[Session, ...]:
    """The sessions, one stream each, eight a day from the day after the files' last."""
    pairs = list(zip(needs, truths, strict=True))
    stored = [pair for pair in pairs if pair[1].file is not None]
    pools = _Pools(
        missed=[pair for pair in stored if pair[1].is_missed_first],
        direct=[pair for pair in stored if not pair[1].is_missed_first],
        unstored=[pair for pair in pairs if pair[1].file is None],
    )
    return tuple(_simulate(parameters, seed, number, pools) for number in range(parameters.sessions))


def count_sessions(sessions: Sequence[Session], truths: Sequence[NeedTruth]) -> SessionRates:
    """What happened, as counts."""
    by_id = {truth.id: truth for truth in truths}
    outcomes: Counter[Outcome] = Counter()
    missed = later = apart = 0
    for session in sessions:
        for attempt in session.attempts:
            outcomes[attempt.outcome] += 1
            truth = by_id[attempt.need]
            missed += truth.is_missed_first
            if truth.is_missed_first and attempt.outcome is Outcome.FOUND:
                later += 1
                apart += truth.is_zero_overlap_retry
    return SessionRates(
        asked=sum(outcomes.values()) - outcomes[Outcome.NOTHING_STORED],
        missed_first=missed,
        found_later=later,
        zero_overlap=apart,
        abandoned=outcomes[Outcome.ABANDONED],
        out_of_words=outcomes[Outcome.OUT_OF_WORDS],
    )


def expect_rates(parameters: Parameters, truths: Sequence[NeedTruth]) -> SessionRates:
    """What is to be expected of one need asked for; all 0 when no need is answerable.

    Every answerable need is as likely as any other, whatever the correlation. It is pursued through its first j failed
    wordings with probability (1 - abandonment)^j.
    """
    stored = [truth for truth in truths if truth.file is not None]
    later = apart = abandoned = exhausted = 0.0
    for truth in stored:
        place = truth.found_at
        failures = len(truth.wordings) - 1 if place is None else place
        pursued = 1.0
        for _ in range(failures):  # a product: the last bit of a power differs between machines
            pursued *= 1 - parameters.abandonment
        abandoned += 1 - pursued
        if place is None:
            exhausted += pursued
        elif truth.is_missed_first:
            later += pursued
            apart += pursued * truth.is_zero_overlap_retry
    total = len(stored) or 1
    return SessionRates(
        asked=1 if stored else 0,
        missed_first=sum(truth.is_missed_first for truth in stored) / total,
        found_later=later / total,
        zero_overlap=apart / total,
        abandoned=abandoned / total,
        out_of_words=exhausted / total,
    )


_Pair = tuple[Need, NeedTruth]


@dataclass(frozen=True, slots=True)
class _Pools:
    missed: Sequence[_Pair]
    direct: Sequence[_Pair]
    unstored: Sequence[_Pair]

    @property
    def missed_share(self) -> float:
        stored = len(self.missed) + len(self.direct)
        return len(self.missed) / stored if stored else 0.0

    @property
    def unstored_share(self) -> float:
        return len(self.unstored) / (len(self.missed) + len(self.direct) + len(self.unstored))


def _simulate(parameters: Parameters, seed: int, number: int, pools: _Pools) -> Session:
    stream = open_stream(seed, "session", number)
    day, place = divmod(number, _SESSIONS_A_DAY)
    clock = _Clock(
        stream,
        datetime(FIRST_DAY.year, FIRST_DAY.month, FIRST_DAY.day, 8, tzinfo=timezone.utc)
        + timedelta(days=parameters.days + day, minutes=place * _SESSION_MINUTES),
    )
    common = stream.random()
    attempts = []
    asked: set[str] = set()
    for _ in range(1 + draw_below(stream, MAX_NEEDS)):
        need, truth = _choose(stream, pools, common, parameters.agreement, asked)
        asked.add(need.id)
        attempts.append(_attempt(parameters, stream, clock, need, truth))
        clock.wait(_PAUSE_SECONDS)
    return Session(f"s{number:06d}", tuple(attempts))


def _choose(stream: Random, pools: _Pools, common: float, agreement: float, asked: set[str]) -> _Pair:
    """A need of the pool that the draws lead to, and none twice in a session unless the pool holds no other."""
    is_unstored = stream.random() < pools.unstored_share
    own, agrees = stream.random(), stream.random() < agreement
    is_missed = (common if agrees else own) < pools.missed_share
    pool = pools.unstored if is_unstored else pools.missed if is_missed else pools.direct
    start = draw_below(stream, len(pool))
    # the next one round the circle, not another draw: each need stays as likely as any other
    circle = (pool[(start + step) % len(pool)] for step in range(len(pool)))
    return next((pair for pair in circle if pair[0].id not in asked), pool[start])


class _Clock:
    def __init__(self, stream: Random, start: datetime) -> None:
        self._stream = stream
        self._now = start

    def wait(self, seconds: tuple[int, int]) -> None:
        shortest, longest = seconds
        self._now += timedelta(seconds=shortest + draw_below(self._stream, longest - shortest + 1))

    def read(self) -> str:
        return self._now.isoformat().replace("+00:00", "Z")


def _attempt(parameters: Parameters, stream: Random, clock: _Clock, need: Need, truth: NeedTruth) -> Attempt:
    searches = []
    outcome = Outcome.OUT_OF_WORDS
    for place, wording in enumerate(need.wordings):
        if place:
            clock.wait(_RETRY_SECONDS)
        searches.append(SearchEvent(clock.read(), place, wording.text, truth.wordings[place].matched))
        if place == truth.found_at:
            outcome = Outcome.FOUND
            clock.wait(_READ_SECONDS)
            break
        if place + 1 < len(need.wordings) and stream.random() < parameters.abandonment:
            outcome = Outcome.ABANDONED
            break
    if truth.file is None:
        outcome = Outcome.NOTHING_STORED
    return Attempt(
        need=need.id,
        searches=tuple(searches),
        outcome=outcome,
        time=clock.read(),
        read=truth.file if outcome is Outcome.FOUND else None,
    )
