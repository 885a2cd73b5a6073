"""Two evaluations compared: what was lost and won, what the gates say of it, and what may not be compared at all.

The exit code is a matter of the rows alone; a caution moves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memeval.bench.cautions import Caution, find_cautions
from memeval.bench.debt import UnjudgedHit, list_debt
from memeval.bench.evaluation import Evaluation
from memeval.bench.figures import Figure, compare_figure, decide_figure
from memeval.bench.front import FrontPoint, find_front
from memeval.bench.matching import Difference, Match, MatchedCell, find_duplicates, match_evaluations
from memeval.bench.measures import DEFAULT_MEASURES, Gate, Measure, find_measure
from memeval.bench.outcome import Outcome, decide_exit
from memeval.bench.promises import Promise, find_lost_promises
from memeval.bench.rulers import RulerEffect, split_effect
from memeval.bench.subjects import Move, SuiteMoves, compare_suite, compare_variant, find_moved_cap
from memeval.bench.summary import UNGRADABLE
from memeval.statistics.multiplicity import holm
from memeval.statistics.power import DEFAULT_ALPHA
from memeval.text import count

ALLOWED_KINDS = ("suite", "variant", "need", "wording", "metric", "promise")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a comparison is held to, declared before it is looked at."""

    gates: tuple[Gate, ...] = ()
    allowed: frozenset[str] = frozenset()
    """`KIND:NAME` of what may vanish, as in `need:redis-port-clash`."""
    require_significance: bool = False
    """A loss over the budget fails only where the paired test calls it one: for engines that are not deterministic."""
    alpha: float = DEFAULT_ALPHA
    suites: tuple[str, ...] = ()
    """Names of those compared; () = all."""
    variants: tuple[str, ...] = ()
    is_complete: bool = False
    """A document without a grade is no answer, even where documents were judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two evaluations, as a reader knows it."""

    label: str
    """`main (baseline 3)`, `reports/latest`."""
    commit: str | None = None
    is_dirty: bool = False
    """Its checkout had changes that no commit holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why something was not compared."""

    outcome: Outcome
    """UNUSABLE or INVALID."""
    suite: str | None
    variant: str | None
    text: str
    cure: str | None = None
    """What to do about it, in sentences; None where the text says it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """Something that base has and head has not, or no longer asks for."""

    part: Difference
    is_allowed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CellMoves:
    """What moved of the subject, for one variant on one suite."""

    suite: str
    variant: str
    moves: tuple[Move, ...]

    @property
    def is_multi_var(self) -> bool:
        """Two things or more moved: no difference can be put down to one of them."""
        return len(self.moves) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Everything that two evaluations say of each other."""

    base: Side
    head: Side
    rules: Rules
    suites: tuple[str, ...]
    """Names of those that were compared."""
    variants: tuple[str, ...]
    needs: int
    """Compared in both, each suite for itself."""
    wordings: int
    faults: tuple[Fault, ...] = ()
    absences: tuple[Absence, ...] = ()
    added: tuple[Difference, ...] = ()
    """Listed, and not compared."""
    lost_promises: tuple[Promise, ...] = ()
    figures: tuple[Figure, ...] = ()
    moves: tuple[CellMoves, ...] = ()
    moved_rulers: tuple[str, ...] = ()
    """Names of suites whose needs, wordings, grades or flags are not as they were."""
    ruler_effects: tuple[RulerEffect, ...] = ()
    debt: tuple[UnjudgedHit, ...] = ()
    front: tuple[FrontPoint, ...] = ()
    """Of head."""
    cautions: tuple[Caution, ...] = ()

    @property
    def gated_figures(self) -> tuple[Figure, ...]:
        """Those that have a budget."""
        return tuple(figure for figure in self.figures if figure.is_gated)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """One a row: of each fault, each part that vanished, each lost promise, each gated figure."""
        return (
            *(fault.outcome for fault in self.faults),
            *(Outcome.CLEAN if absence.is_allowed else Outcome.REGRESSION for absence in self.absences),
            *(Outcome.REGRESSION for _ in self.lost_promises),
            *(figure.outcome for figure in self.figures),
        )

    @property
    def exit_code(self) -> int:
        """0 clean or undecided, 1 a regression, 2 unusable, 3 invalid: `decide_exit` of the outcomes."""
        return decide_exit(self.outcomes)


def compare(
    base: Evaluation,
    head: Evaluation,
    rules: Rules | None = None,
    *,
    base_side: Side | None = None,
    head_side: Side | None = None,
) -> Comparison:
    """What head lost and won against base, by today's needs, and what the rules say of it.

    Args:
        base: the evaluation that is compared with.
        head: the one that is asked about.
        rules: gates, and what may vanish; None = must-find needs alone decide.
        base_side: how a reader knows base; None = it is called so.
        head_side: the same of head.
    """
    rules = rules or Rules()
    base_side, head_side = base_side or Side(label="base"), head_side or Side(label="head")
    broken = [*_find_broken(base, base_side), *_find_broken(head, head_side)]
    if broken:
        return Comparison(
            base=base_side, head=head_side, rules=rules, suites=(), variants=(), needs=0, wordings=0,
            faults=tuple(broken),
        )  # fmt: skip
    match = match_evaluations(base, head, suites=rules.suites, variants=rules.variants)
    moves, faults = _check_ground(base, head, match)
    cells = _choose_cells(base, head, match, moves, faults)
    alpha = rules.alpha if rules.require_significance else None
    measures = _list_measures(rules.gates)
    figures = _decide(
        [
            compare_figure(cell, measure, gate, is_complete=rules.is_complete, alpha=alpha)
            for cell in cells
            for measure, gate in measures
        ],
        alpha,
    )
    faults += _find_idle_gates(rules.gates, figures)
    if not any(figure.needs for figure in figures) and not faults:
        faults.append(_nothing_comparable(match))
    absences = tuple(
        Absence(part=part, is_allowed=f"{part.kind}:{part.name}" in rules.allowed) for part in match.vanished
    )
    moved_rulers = tuple(dict.fromkeys(cell.suite.name for cell in cells if moves[cell.suite.name].ruler))
    cell_moves = tuple(_list_moves(base, head, cell, moves[cell.suite.name]) for cell in cells)
    undecided = frozenset((f.suite, f.variant, f.metric) for f in figures if f.outcome is Outcome.UNDECIDED)
    seen_by = [gate.measure for gate in rules.gates] or [find_measure("success@5")]
    debt = () if rules.is_complete else list_debt(cells, seen_by, undecided)
    return Comparison(
        base=base_side,
        head=head_side,
        rules=rules,
        suites=tuple(dict.fromkeys(cell.suite.name for cell in cells)),
        variants=tuple(dict.fromkeys(cell.head.name for cell in cells)),
        needs=len({(cell.suite.name, pair.head.need) for cell in cells for pair in cell.pairs}),
        wordings=len({(cell.suite.name, pair.head.id) for cell in cells for pair in cell.pairs}),
        faults=tuple(faults),
        absences=absences,
        added=match.added,
        lost_promises=tuple(promise for cell in cells for promise in find_lost_promises(cell)),
        figures=figures,
        moves=tuple(one for one in cell_moves if one.moves),
        moved_rulers=moved_rulers,
        ruler_effects=_split_effects(cells, moved_rulers, [measure for measure, _ in measures]),
        debt=debt,
        front=find_front(head),
        cautions=find_cautions(
            cells,
            figures,
            measures=[measure for measure, _ in measures],
            gates=rules.gates,
            moved_rulers=moved_rulers,
            multi_var=[(one.suite, one.variant, one.moves) for one in cell_moves if one.is_multi_var],
            unchecked=[name for name, one in moves.items() if one.is_unchecked],
            idle=sorted(rules.allowed - {f"{part.kind}:{part.name}" for part in match.vanished}),
            allowed=[f"{one.part.kind}:{one.part.name}" for one in absences if one.is_allowed],
            dirty=[side.label for side in (base_side, head_side) if side.is_dirty],
            debt=len(debt) if any(figure.changed for figure in figures) else 0,
        ),
    )


def _list_measures(gates: Sequence[Gate]) -> list[tuple[Measure, Gate | None]]:
    """Those of the gates, then the ones that are always shown."""
    gated = [gate.measure.name for gate in gates]
    return [
        *((gate.measure, gate) for gate in gates),
        *((find_measure(name), None) for name in DEFAULT_MEASURES if name not in gated),
    ]


def _find_broken(evaluation: Evaluation, side: Side) -> Iterable[Fault]:
    """What makes a whole record unusable: names that stand twice, numbers that are none."""
    for line in find_duplicates(evaluation):
        yield Fault(outcome=Outcome.UNUSABLE, suite=None, variant=None, text=f"{side.label}: {line}")
    for suite in evaluation.suites:
        for variant in suite.variants:
            wrong = [
                query.id
                for query in variant.queries
                if not (math.isfinite(query.bytes) and all(math.isfinite(score) for _, score in query.ranking))
            ]
            wrong += [
                name for name, one in variant.summary.items() if one.value is not None and not math.isfinite(one.value)
            ]
            if wrong:
                text = f"{side.label}: {wrong[0]} holds a number that is none (NaN or infinite)"
                yield Fault(outcome=Outcome.UNUSABLE, suite=suite.name, variant=variant.name, text=text)


def _check_ground(base: Evaluation, head: Evaluation, match: Match) -> tuple[dict[str, SuiteMoves], list[Fault]]:
    """{suite: what moved under it} of those that can be compared, and the others as faults."""
    moves: dict[str, SuiteMoves] = {}
    faults = []
    for name in dict.fromkeys(cell.suite.name for cell in match.cells):
        moved = compare_suite(base, head, name)
        if moved is None:
            text = "a manifest does not say what the suite was: its digests are missing"
            faults.append(Fault(outcome=Outcome.UNUSABLE, suite=name, variant=None, text=text))
        elif moved.invalid is not None:
            faults.append(Fault(outcome=Outcome.INVALID, suite=name, variant=None, text=moved.invalid, cure=moved.cure))
        else:
            moves[name] = moved
    return moves, faults


def _choose_cells(
    base: Evaluation, head: Evaluation, match: Match, moves: dict[str, SuiteMoves], faults: list[Fault]
) -> list[MatchedCell]:
    """The cells that can be compared; the reasons why others cannot join the faults."""
    cells = []
    for cell in match.cells:
        suite, variant = cell.suite.name, cell.head.name
        if suite not in moves:
            continue
        cap = find_moved_cap(base, head, variant)
        if cap is not None:
            faults.append(Fault(outcome=Outcome.INVALID, suite=suite, variant=variant, text=cap))
            continue
        cells.append(cell)
        for run, queries in (("base", [pair.base for pair in cell.pairs]), ("head", cell.head.queries)):
            broken = [query for query in queries if query.verdict == UNGRADABLE]
            if broken:
                told = f"{len(broken):,} of {count(len(queries), 'wording')} ungradable in {run}"
                text = f"{told}: {broken[0].id} ({broken[0].reason or 'no reason given'})"
                faults.append(Fault(outcome=Outcome.UNUSABLE, suite=suite, variant=variant, text=text))
    return cells


def _decide(figures: Sequence[Figure], alpha: float | None) -> tuple[Figure, ...]:
    """The figures with their outcomes; p is adjusted over all that have a gate, since each of them can fail it."""
    gated = [place for place, figure in enumerate(figures) if figure.is_gated and figure.needs]
    adjusted = dict(zip(gated, holm([figures[place].p for place in gated]), strict=True))
    return tuple(
        decide_figure(figure, adjusted_p=adjusted[place], alpha=alpha) if place in adjusted else figure
        for place, figure in enumerate(figures)
    )


def _find_idle_gates(gates: Sequence[Gate], figures: Sequence[Figure]) -> list[Fault]:
    """A gate that no need stands behind would always be green."""
    return [
        Fault(
            outcome=Outcome.UNUSABLE,
            suite=None,
            variant=None,
            text=f"gate {gate}: no need is there that {gate.measure.name} is defined for",
        )
        for gate in gates
        if figures and not any(figure.needs for figure in figures if figure.metric == gate.measure.name)
    ]


def _nothing_comparable(match: Match) -> Fault:
    shared = "they share suites and variants, but no wording" if match.cells else "they share no suite and variant"
    return Fault(outcome=Outcome.UNUSABLE, suite=None, variant=None, text=f"nothing can be compared: {shared}")


def _list_moves(base: Evaluation, head: Evaluation, cell: MatchedCell, suite: SuiteMoves) -> CellMoves:
    moves = compare_variant(base, head, cell.head.name)
    if suite.aliases is not None:
        moves = (*moves, suite.aliases)
    return CellMoves(suite=cell.suite.name, variant=cell.head.name, moves=moves)


def _split_effects(
    cells: Sequence[MatchedCell], moved: Sequence[str], measures: Sequence[Measure]
) -> tuple[RulerEffect, ...]:
    effects = (split_effect(cell, measure) for cell in cells if cell.suite.name in moved for measure in measures)
    return tuple(effect for effect in effects if effect is not None)
