"""Two variants on the same needs of one run: who found more, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from memeval.bench.evaluation import SuiteResult, VariantResult
from memeval.bench.measures import find_measure
from memeval.bench.standing import Standing, judge
from memeval.statistics.coarsening import coarsen
from memeval.statistics.differences import net_interval, sign_flip_p
from memeval.statistics.intervals import Interval
from memeval.statistics.multiplicity import holm

MEASURE = "found"
MAX_BASES = 12
"""Variants that the others are compared with: the first ones, where there are more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """One variant against a base variant, by what it finds; every need counts one, and its wordings share it."""

    variant: str
    base: str
    needs: int
    """With something stored, and graded under both."""
    won: int
    """Needs that gain, under every order of equal scores."""
    lost: int
    difference: float
    """Mean gain of a need, in [-1, 1]."""
    interval: Interval
    """95 % interval of `difference`."""
    p: float
    """Two-sided exact p of the paired test."""
    adjusted_p: float
    """By Holm over all variants that meet this base."""


def fight_duels(suite: SuiteResult) -> dict[str, tuple[Duel, ...]]:
    """{base: a duel for each other variant that shares a need with it}, controls left out; both in their order.

    Of more than MAX_BASES variants the first ones are bases.
    """
    variants = [variant for variant in suite.variants if not variant.control and variant.error is None]
    standings = {variant.name: _judge_needs(variant) for variant in variants}
    half: dict[tuple[str, str], Duel] = {}
    bases = variants[:MAX_BASES]
    for place, base in enumerate(bases):
        for other in variants[place + 1 :]:
            duel = _fight(base.name, other.name, standings[base.name], standings[other.name])
            if duel is not None:
                half[base.name, other.name] = duel
    return {base.name: _adjust(_meet(base.name, [one.name for one in variants], half)) for base in bases}


def _judge_needs(variant: VariantResult) -> dict[str, dict[int, Standing]]:
    """{need: {wording: how it stands}}."""
    measure = find_measure(MEASURE)
    needs: dict[str, dict[int, Standing]] = {}
    for query in variant.queries:
        standing = judge(query, query.expected, measure)
        if standing is not None:
            needs.setdefault(query.need, {})[query.wording] = standing
    return needs


def _fight(
    base: str,
    variant: str,
    of_base: Mapping[str, Mapping[int, Standing]],
    of_variant: Mapping[str, Mapping[int, Standing]],
) -> Duel | None:
    changes = []
    for need, before in of_base.items():
        after = of_variant.get(need, {})
        both = [(before[wording], after[wording]) for wording in before if wording in after]
        if both:
            gained = sum(int(new.worst and not old.best) - int(old.worst and not new.best) for old, new in both)
            changes.append(Fraction(gained, len(both)))
    interval = net_interval([float(change) for change in changes])
    if interval is None:
        return None
    p = sign_flip_p(coarsen(changes))
    return Duel(
        variant=variant,
        base=base,
        needs=len(changes),
        won=sum(change > 0 for change in changes),
        lost=sum(change < 0 for change in changes),
        difference=float(sum(changes, Fraction(0)) / len(changes)),
        interval=interval,
        p=p,
        adjusted_p=p,
    )


def _meet(base: str, names: Sequence[str], half: Mapping[tuple[str, str], Duel]) -> list[Duel]:
    """The duels against `base`; those that were fought the other way round are turned."""
    duels = []
    for name in names:
        if (base, name) in half:
            duels.append(half[base, name])
        elif (name, base) in half:
            duels.append(_turn(half[name, base]))
    return duels


def _turn(duel: Duel) -> Duel:
    return Duel(
        variant=duel.base,
        base=duel.variant,
        needs=duel.needs,
        won=duel.lost,
        lost=duel.won,
        difference=-duel.difference if duel.difference else 0.0,
        interval=Interval(-duel.interval.high, -duel.interval.low),
        p=duel.p,
        adjusted_p=duel.adjusted_p,
    )


def _adjust(duels: Sequence[Duel]) -> tuple[Duel, ...]:
    adjusted = holm([duel.p for duel in duels])
    return tuple(replace(duel, adjusted_p=p) for duel, p in zip(duels, adjusted, strict=True))
