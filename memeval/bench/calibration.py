"""How often the verdict is right: worlds that were made up, whose truth is known, judged by the rules of the verdict.

A world's truth says by what the first wording of each need is reached (`Reach`): that is what a search of each stage
would find, so that thousands of worlds can be judged without one. A slow test asks a few of them of the engine itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memeval.bench.signalrecord import INSUFFICIENT, NEITHER, STAGES, STAY, WATCH
from memeval.statistics.evidence import follow_evidence
from memeval.statistics.ladder import Step, choose_step
from memeval.statistics.trigger import DEFAULT_THRESHOLD, State, judge_count
from memeval.testbed.generator import NeedTruth, Parameters, word_needs
from memeval.testbed.generator.sessions import Outcome, expect_rates, simulate_sessions

SIZES = (135, 72)
"""Findable needs of a world: of 150 and of 80, a tenth of them with nothing stored."""
_UNANSWERABLE = 0.1
VERDICTS = (INSUFFICIENT, STAY, WATCH, *STAGES, NEITHER)
BETWEEN = "between"
"""The truth of a world in which every verdict counts as right."""

MAX_UPGRADES = {0.5: 0.01, 1.0: 0.06}
"""{multiple of the threshold: the most upgrades where the truth is to stay}."""
MIN_RIGHT = {135: 0.95, 72: 0.9}
"""{needs: the least right verdicts at three times the threshold}."""

_STAGE_WORLDS: Mapping[str, Mapping[str, object]] = {
    STAGES[0]: {"languages": ("zh",), "vocabulary_gap": 0.03, "unspaced": 27 / 97, "aliases": 0.5},
    STAGES[1]: {"vocabulary_gap": 0.3, "aliases": 0.9, "unreachable": 0.05},
    STAGES[2]: {"vocabulary_gap": 0.3, "aliases": 0.1, "unreachable": 0.1},
    NEITHER: {"vocabulary_gap": 0.3, "aliases": 0.1, "unreachable": 0.8},
    BETWEEN: {"vocabulary_gap": 0.3, "aliases": 0.5, "unreachable": 0.3},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldKind:
    """Worlds of one sort: what they are made with, and what is right in them."""

    multiple: float
    """The trigger's rate, as a multiple of the threshold of 10 %."""
    truth: str
    """The right verdict; `stay` includes watching, `between` is any."""
    parameters: Mapping[str, object] = field(default_factory=dict)


WORLD_KINDS: tuple[WorldKind, ...] = (
    *(
        WorldKind(multiple=multiple, truth=truth, parameters={"vocabulary_gap": DEFAULT_THRESHOLD * multiple})
        for multiple, truth in ((0.5, STAY), (1.0, STAY), (1.5, BETWEEN), (2.0, BETWEEN))
    ),
    *(WorldKind(multiple=3.0, truth=truth, parameters=parameters) for truth, parameters in _STAGE_WORLDS.items()),
)
"""Every sort of world, in the order of the table. At three times the threshold the stage that cures removes nine of ten
triggers and leaves 3 %, cheaper ones remove one in ten or none; where neither is right, all of them together two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The verdicts on the worlds of one sort and size."""

    kind: WorldKind
    needs: int
    worlds: int
    verdicts: Mapping[str, int]
    """{verdict: worlds}, in the order of VERDICTS."""

    @property
    def upgrades(self) -> float:
        """The share of worlds with a verdict of a stage, or of neither."""
        return sum(self.verdicts[verdict] for verdict in (*STAGES, NEITHER)) / self.worlds

    @property
    def right(self) -> float | None:
        """The share of worlds with the right verdict; None where every one is."""
        if self.kind.truth == BETWEEN:
            return None
        right = (STAY, WATCH) if self.kind.truth == STAY else (self.kind.truth,)
        return sum(self.verdicts[verdict] for verdict in right) / self.worlds

    @property
    def demand(self) -> str | None:
        """What is demanded of it, in a few words; None where nothing is."""
        if self.kind.truth == STAY:
            return f"upgrades ≤ {100 * MAX_UPGRADES[self.kind.multiple]:.0f} %"
        return None if self.kind.truth == BETWEEN else f"right ≥ {100 * MIN_RIGHT[self.needs]:.0f} %"

    @property
    def holds(self) -> bool:
        """Whether what is demanded is so."""
        if self.kind.truth == STAY:
            return self.upgrades <= MAX_UPGRADES[self.kind.multiple]
        return self.right is None or self.right >= MIN_RIGHT[self.needs]


def judge_worlds(kind: WorldKind, needs: int, seeds: Iterable[int]) -> Cell:
    """The verdicts on one world of that sort for each seed.

    Args:
        kind: one of WORLD_KINDS.
        needs: findable ones, one of SIZES.
        seeds: of the worlds.
    """
    total = round(needs / (1 - _UNANSWERABLE))
    parameters = _make_parameters(total, kind.parameters)
    counts: Counter[str] = Counter(judge_truths(word_needs(parameters, seed)[1]) for seed in seeds)
    return Cell(
        kind=kind,
        needs=needs,
        worlds=counts.total(),
        verdicts={verdict: counts[verdict] for verdict in VERDICTS},
    )


def judge_truths(truths: Sequence[NeedTruth], threshold: float = DEFAULT_THRESHOLD) -> str:
    """The verdict on the needs of a world, were each stage run: a need triggers where its first wording takes more."""
    stored = [truth for truth in truths if truth.file is not None]
    triggers = [truth for truth in stored if truth.is_missed_first]
    state = judge_count(len(triggers), len(stored), threshold)
    if state is not State.FIRING:
        return {State.QUIET: STAY, State.WATCH: WATCH}.get(state, INSUFFICIENT)
    others = sum(len(truth.wordings) for truth in stored) - len(triggers)
    steps = [
        Step(
            name=STAGES[stage],
            stage=stage,
            left=frozenset(truth.id for truth in stored if not _is_reached(truth, stage)),
            others=others,
            net_loss=0,
        )
        for stage in range(len(STAGES))
    ]
    best = choose_step(steps, len(triggers), len(stored), threshold)
    return NEITHER if best is None else STAGES[best.stage]


def _is_reached(truth: NeedTruth, stage: int) -> bool:
    reach = truth.wordings[0].reach
    return reach is not None and reach.stage is not None and reach.stage <= stage


RECORDED_WORLDS: tuple[tuple[float, float, float], ...] = (
    (0.5, 0.0, 0.0775),
    (0.5, 0.3, 0.0835),
    (1.0, 0.0, 0.1605),
    (1.0, 0.3, 0.154),
    (3.0, 0.0, 0.49),
    (3.0, 0.3, 0.495),
)
"""(multiple of the threshold, correlation of failing between two needs of a session, share of wordings with a gap at
which recorded needs have that rate: those that were given up are not among them)."""
RECORDED_NEEDS = (80, 150, 300)
"""How many recorded needs are looked at, one after the other."""
MAX_FALSE_ALARMS = 0.06
"""The most alarms within all of RECORDED_NEEDS at the threshold itself."""
_PART = 250
"""Worlds that are judged in one go."""
_WORLD_NEEDS = 2_000
_RECORDED_SESSIONS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCell:
    """How often the evidence of recorded needs was ever enough."""

    multiple: float
    correlation: float
    """Of failing, between two needs of a session."""
    rate: float
    """Of triggers among the needs that end in a read: exact for this world, over all sessions there could be."""
    worlds: int
    """Recordings, each of a world's own sessions."""
    fired: Mapping[int, int]
    """{needs looked at, one after the other: recordings in which the evidence was enough by then}."""

    @property
    def demand(self) -> str | None:
        """What is demanded of it, in a few words; None where nothing is."""
        return f"≤ {100 * MAX_FALSE_ALARMS:.0f} %" if self.multiple <= 1 else None

    @property
    def holds(self) -> bool:
        """Whether there are no more false alarms than are allowed."""
        return self.multiple > 1 or max(self.fired.values()) <= MAX_FALSE_ALARMS * self.worlds


def judge_recordings(multiple: float, correlation: float, gap: float, seeds: Iterable[int]) -> RecordedCell:
    """How often recorded needs fire within so many looks: one recording of one world for each seed.

    Args:
        multiple: of the threshold, what the rate shall be.
        correlation: of failing, between two needs of a session.
        gap: share of wordings with a gap that gives the rate.
        seeds: of the sessions.
    """
    parameters = _make_parameters(
        _WORLD_NEEDS, {"vocabulary_gap": gap, "correlation": correlation, "sessions": _RECORDED_SESSIONS}
    )
    needs, truths = word_needs(parameters, 0)
    by_id = {truth.id: truth for truth in truths}
    expected = expect_rates(parameters, truths)
    found = expected.found_later + expected.asked - expected.missed_first
    fired: Counter[int] = Counter()
    worlds = 0
    for seed in seeds:
        worlds += 1
        answers = [
            [by_id[one.need].is_missed_first for one in session.attempts if one.outcome is Outcome.FOUND]
            for session in simulate_sessions(parameters, seed, needs, truths)
        ]
        at = follow_evidence(answers).fired_at
        fired.update(looks for looks in RECORDED_NEEDS if at is not None and at <= looks)
    return RecordedCell(
        multiple=multiple,
        correlation=correlation,
        rate=expected.found_later / found,
        worlds=worlds,
        fired={looks: fired[looks] for looks in RECORDED_NEEDS},
    )


Mapper = Callable[[Callable[..., Any], Iterable[Any]], Iterable[Any]]
"""`map`, or that of an executor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Every cell of both tables."""

    cells: tuple[Cell, ...]
    recorded: tuple[RecordedCell, ...]

    @property
    def failures(self) -> tuple[str, ...]:
        """What is demanded and not so, in words; () where all holds."""
        worlds = [
            f"{cell.needs} needs at {cell.kind.multiple:g} times the threshold, truth {cell.kind.truth}: "
            f"{cell.demand}; upgrades {100 * cell.upgrades:.1f} %, right {100 * (cell.right or 0):.1f} %"
            for cell in self.cells
            if not cell.holds
        ]
        recorded = [
            f"recorded needs at {one.multiple:g} times the threshold, correlation {one.correlation:g}: alarms "
            f"{one.demand}; {100 * max(one.fired.values()) / one.worlds:.1f} %"
            for one in self.recorded
            if not one.holds
        ]
        return (*worlds, *recorded)


def calibrate(worlds: int, recordings: int, mapper: Mapper = map) -> Calibration:
    """Both tables, the same however the work is shared out.

    Args:
        worlds: of each size at the threshold itself, where the demand is tight; a tenth as many elsewhere.
        recordings: of each rate and correlation.
        mapper: how the cells are gone through.
    """
    tasks = [
        (kind, needs, seeds)
        for kind in WORLD_KINDS
        for needs in SIZES
        for seeds in _share_out(worlds if kind.multiple == 1 else max(1, worlds // 10))
    ]
    recorded = [(*world, recordings) for world in RECORDED_WORLDS]
    return Calibration(
        cells=_join_cells(mapper(_judge_task, tasks)), recorded=tuple(mapper(_judge_recorded_task, recorded))
    )


def _share_out(worlds: int) -> Iterator[range]:
    """The seeds in parts, so that no process is left with all of them."""
    for first in range(0, worlds, _PART):
        yield range(first, min(first + _PART, worlds))


def _join_cells(parts: Iterable[Cell]) -> tuple[Cell, ...]:
    """The parts of each cell, which follow one another, as one."""
    joined: list[Cell] = []
    for part in parts:
        last = joined[-1] if joined else None
        if last is not None and (last.kind, last.needs) == (part.kind, part.needs):
            verdicts = {verdict: last.verdicts[verdict] + part.verdicts[verdict] for verdict in VERDICTS}
            joined[-1] = replace(last, worlds=last.worlds + part.worlds, verdicts=verdicts)
        else:
            joined.append(part)
    return tuple(joined)


def _judge_task(task: tuple[WorldKind, int, range]) -> Cell:
    return judge_worlds(*task)


def _judge_recorded_task(task: tuple[float, float, float, int]) -> RecordedCell:
    multiple, correlation, gap, recordings = task
    return judge_recordings(multiple, correlation, gap, range(recordings))


def _make_parameters(needs: int, given: Mapping[str, object]) -> Parameters:
    """A world with as many files as it takes, and no more: no search is made in it."""
    return Parameters(
        documents=needs + 10,
        needs=needs,
        noise=0.0,
        duplicates=0.0,
        stale=0.0,
        unanswerable=_UNANSWERABLE,
        **given,  # type: ignore[arg-type]
    )
