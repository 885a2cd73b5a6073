"""What a saved evaluation holds, asked one need at a time: which needs a run has lost or found since, as it goes on.

`comparison` compares two whole runs; this is for one that is under way, where every need gets a verdict of its own. A
need is *lost* by a measure where base has it for one wording at least and head for none, under every order of equal
scores; a wording that is lost while another still has the need loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from memeval.bench.evaluation import Evaluation, QueryResult, VariantResult
from memeval.bench.judging import Judged, join_standings
from memeval.bench.matching import Difference, Pair, find_vanished, pair_queries
from memeval.bench.measures import Measure, find_measure
from memeval.bench.promises import judge_promise
from memeval.bench.standing import first_rank, judge
from memeval.bench.subjects import compare_suite, find_moved_cap
from memeval.bench.summary import group_by_need
from memeval.errors import RunSettingError

DEFAULT_METRICS = ("found", "success@5")
"""What a need may not be lost by: shown at all, and among the first that a reader looks at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """How a need stands against base."""

    lost: tuple[str, ...] = ()
    """Metrics by which it is lost."""
    won: tuple[str, ...] = ()
    """Metrics by which it is found, and was not."""
    lost_wordings: tuple[str, ...] = ()
    """Ids of wordings that base had by one of the metrics and head has not, whether or not the need is lost."""
    known: tuple[str, ...] = ()
    """Ids of wordings that neither shows: misses that are known."""
    ranks: tuple[tuple[str, int | None, int | None], ...] = ()
    """(id of the wording, rank of the best expected file in base, in head), from 1; None where it is no candidate."""


@dataclass(frozen=True, slots=True)
class Held:
    """One variant on one suite, as base has it."""

    label: str
    """How a reader knows base."""
    suite: str
    result: VariantResult
    metrics: tuple[Measure, ...]
    needs: Mapping[str, Sequence[QueryResult]]
    """{need: its wordings in base}, so that each need is compared with its own alone."""

    def compare_need(self, queries: Iterable[QueryResult]) -> Change:
        """How one need stands now.

        Args:
            queries: all its wordings of this run. One that base does not have is not compared, nor one that either run
                could not grade.
        """
        now = tuple(queries)
        base = [query for need in dict.fromkeys(query.need for query in now) for query in self.needs.get(need, ())]
        pairs = pair_queries(base, now)
        lost: list[str] = []
        won: list[str] = []
        lost_wordings: list[str] = []
        for measure in self.metrics:
            judged = [one for pair in pairs if (one := _judge(pair, measure)) is not None]
            lost_wordings += [one.pairs[0].head.id for one in judged if one.change < 0]
            change = _join(judged).change if judged else 0
            if change:
                (lost if change < 0 else won).append(measure.name)
        return Change(
            lost=tuple(lost),
            won=tuple(won),
            lost_wordings=tuple(dict.fromkeys(lost_wordings)),
            known=tuple(pair.head.id for pair in pairs if pair.base.verdict == pair.head.verdict == "miss"),
            ranks=tuple(
                (pair.head.id, first_rank(pair.base, pair.grades), first_rank(pair.head, pair.grades)) for pair in pairs
            ),
        )

    def find_vanished(self, queries: Sequence[QueryResult]) -> tuple[Difference, ...]:
        """What base has of this suite and today's suite no longer asks for, or no longer promises.

        Args:
            queries: every wording of the suite as it is now; whether it was asked does not matter.
        """
        return find_vanished(self.suite, self.result, replace(self.result, queries=tuple(queries)))


def hold_variant(
    base: Evaluation, label: str, head: Evaluation, suite: str, variant: str, metrics: Sequence[str] = DEFAULT_METRICS
) -> Held | None:
    """What base says of a variant on a suite; None where it has no such suite or variant, so that all of it is new.

    Args:
        base: the saved evaluation.
        label: how a reader knows it.
        head: the run under way; its manifest is read, and no result.
        suite: name.
        variant: name.
        metrics: what a need may not be lost by: metrics that count needs, each with its cutoff.

    Raises:
        RunSettingError: a metric of which less is better; or the two cannot be compared: other files, another cap, a
            manifest that does not say, or a cutoff that base does not store.
        UnknownNameError: a metric there is none of.
    """
    measures = tuple(map(find_measure, metrics))
    for measure in measures:
        if not measure.higher_is_better:
            raise RunSettingError(f"{measure.name}: no need is lost by it; name metrics of which more is better")
    result = next(
        (one for held in base.suites if held.name == suite for one in held.variants if one.name == variant), None
    )
    if result is None:
        return None
    moved = compare_suite(base, head, suite)
    why = (
        "a manifest does not say what the suite was"
        if moved is None
        else moved.invalid or find_moved_cap(base, head, variant)
    )
    if why is not None:
        cure = "; save a new baseline" if moved is None or moved.cure is None else f". {moved.cure}"
        raise RunSettingError(f"{suite} · {variant} cannot be compared with {label}: {why}{cure}")
    depth = base.manifest.get("depth")
    for measure in measures:
        if measure.k is not None and isinstance(depth, int) and measure.k > depth:
            raise RunSettingError(f"{measure.name} cannot be compared with {label}, which stores {depth} ranks")
    return Held(label, suite, result, measures, group_by_need(result.queries))


def _judge(pair: Pair, measure: Measure) -> Judged | None:
    """One wording in both runs; None where the measure says nothing of it. Silence is found where it is right."""
    ask = judge_promise if measure.family == "found" else lambda query, grades: judge(query, grades, measure)
    base, head = ask(pair.base, pair.grades), ask(pair.head, pair.grades)
    return None if base is None or head is None else Judged((pair,), base, head, measure.higher_is_better)


def _join(judged: Sequence[Judged]) -> Judged:
    """The need, which one wording is enough for."""
    return Judged(
        tuple(pair for one in judged for pair in one.pairs),
        join_standings(one.base for one in judged),
        join_standings(one.head for one in judged),
        judged[0].higher_is_better,
    )
