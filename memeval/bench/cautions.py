"""What a reader of a comparison has to know, and what decides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memeval.bench.figures import Figure
from memeval.bench.matching import MatchedCell
from memeval.bench.measures import Gate, Measure
from memeval.bench.promises import find_doubtful_promises
from memeval.bench.standing import is_cut_in_ties, is_listed
from memeval.bench.subjects import MULTI_VAR, Move
from memeval.text import count

MAX_NAMED = 3

KINDS = (
    "multi-var",
    "moved ruler",
    "unchecked corpus",
    "evidence",
    "hidden ties",
    "tied promise",
    "idle budget",
    "idle allowance",
    "allowed absence",
    "dirty checkout",
    "unjudged",
)
"""Every kind there is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """One thing to know."""

    kind: str
    """One of KINDS."""
    text: str


def find_cautions(
    cells: Sequence[MatchedCell],
    figures: Sequence[Figure],
    *,
    measures: Sequence[Measure],
    gates: Sequence[Gate],
    moved_rulers: Sequence[str],
    multi_var: Sequence[tuple[str, str, tuple[Move, ...]]],
    unchecked: Sequence[str],
    idle: Sequence[str],
    allowed: Sequence[str],
    dirty: Sequence[str],
    debt: int,
) -> tuple[Caution, ...]:
    """The cautions of a comparison, in the order of KINDS.

    Args:
        cells: what was compared.
        figures: their figures.
        measures: what they were compared by.
        gates: what decides.
        moved_rulers: names of suites.
        multi_var: (suite, variant, what moved) where two things or more did.
        unchecked: names of suites whose files could not be checked.
        idle: allowances for what did not vanish.
        allowed: what vanished and was allowed to.
        dirty: labels of evaluations saved from a checkout with changes.
        debt: number of documents that nobody judged, where they may matter.
    """
    found = [*_tell_multi_var(multi_var)]
    if moved_rulers:
        told = _name(moved_rulers)
        found.append(Caution(kind="moved ruler", text=f"the needs of {told} moved: both runs are scored by today's"))
    if unchecked:
        text = (
            f"{_name(unchecked)}: only one run has aliases in its files, so that nobody can say the files are the same"
        )
        found.append(Caution(kind="unchecked corpus", text=text))
    if moved_rulers and any(measure.family == "evidence-in-snippet" for measure in measures):
        text = "evidence is not stored: where it moved, evidence-in-snippet compares two different questions"
        found.append(Caution(kind="evidence", text=text))
    found += _tell_hidden_ties(cells, measures)
    found += [
        Caution(
            kind="tied promise",
            text=f"{promise.suite} · {promise.variant}: {promise.name} must be found, and is not any more; it does not "
            "count, since equal scores may stand in any order",
        )
        for cell in cells
        for promise in find_doubtful_promises(cell)
    ]
    found += _tell_idle_budgets(figures, gates)
    if idle:
        found.append(Caution(kind="idle allowance", text=f"--allow {_name(idle)}: did not vanish; leave it out"))
    if allowed:
        found.append(Caution(kind="allowed absence", text=f"vanished, and allowed to: {_name(allowed)}"))
    if dirty:
        text = f"{_name(dirty)}: saved from a checkout with changes that no commit holds"
        found.append(Caution(kind="dirty checkout", text=text))
    if debt:
        text = f"{count(debt, 'document')} came up that nobody judged; --patch FILE writes them down to be judged"
        found.append(Caution(kind="unjudged", text=text))
    return tuple(found)


def _tell_multi_var(rows: Iterable[tuple[str, str, tuple[Move, ...]]]) -> Iterable[Caution]:
    """One caution for the suites on which the same moved."""
    suites: dict[tuple[str, tuple[Move, ...]], list[str]] = {}
    for suite, variant, moves in rows:
        suites.setdefault((variant, moves), []).append(suite)
    for (variant, moves), names in suites.items():
        text = f"{MULTI_VAR} {variant} on {_name(names)}: {'; '.join(map(str, moves))} moved at once"
        yield Caution(kind="multi-var", text=text)


def _tell_hidden_ties(cells: Sequence[MatchedCell], measures: Sequence[Measure]) -> Iterable[Caution]:
    for measure in measures:
        hidden: dict[tuple[str, int], list[str]] = {}
        for cell in cells:
            for run, queries in (
                ("base", [pair.base for pair in cell.pairs]),
                ("head", [pair.head for pair in cell.pairs]),
            ):
                cut = [query for query in queries if is_cut_in_ties(query, measure) and not is_listed(query)]
                if cut:
                    depth = max(len(query.ranking) for query in cut)
                    hidden.setdefault((run, depth), []).append(cell.head.name)
        for (run, depth), names in hidden.items():
            text = (
                f"{run} stores {count(depth, 'rank')}: equal scores further down, where {measure.name} of "
                f"{_name(list(dict.fromkeys(names)))} may be decided, are not seen"
            )
            yield Caution(kind="hidden ties", text=text)


def _tell_idle_budgets(figures: Sequence[Figure], gates: Sequence[Gate]) -> Iterable[Caution]:
    for gate in gates:
        idle = [
            f"{figure.suite} · {figure.variant} ({count(figure.needs, 'need')})"
            for figure in figures
            if figure.metric == gate.measure.name and figure.fewest is not None and figure.fewest > figure.needs > 0
        ]
        if idle:
            yield Caution(kind="idle budget", text=f"gate {gate} cannot fail for {_name(idle)}")


def _name(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return ", ".join(names[:MAX_NAMED]) + more
