"""Documents that are seen and that nobody has judged: how far they could turn a figure, and the list to judge.

Where a need has a grade of 0 among its grades, documents were looked at for it, and one without a grade was not. Where
it has none, its expected files are taken for all there are, as whoever wrote them down meant it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from memeval.bench.judging import Judged, judge_needs
from memeval.bench.matching import MatchedCell, Pair
from memeval.bench.measures import Measure
from memeval.bench.standing import NEEDS_ALL, list_top
from memeval.statistics.unjudged import DifferenceRange, Unjudged, full_difference, success_difference

_BOUNDED = ("found", "success@k", *NEEDS_ALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnjudgedHit:
    """A document without a grade that came up for a need that other documents were judged for."""

    suite: str
    need: str
    doc_id: str
    wordings: tuple[str, ...]
    """The texts it came up for."""
    variants: tuple[str, ...]
    best_rank: int
    """The best place it stood at, from 1."""
    decides: bool = False
    """A gated figure could turn out otherwise by its grade."""


def is_pooled(grades: Mapping[str, int]) -> bool:
    """Whether documents were judged for a need, rather than the expected ones named: one of them has the grade 0."""
    return any(grade < 1 for grade in grades.values())


def bound_need(
    need: Sequence[Judged], measure: Measure, documents: int, *, is_complete: bool
) -> tuple[Fraction, Fraction]:
    """The change of a need, as a share of it, under the grades that are worst for head and under the best.

    Each wording has its own unknown grades, which makes the bounds wider rather than narrower than they are.

    Args:
        need: what counts of it.
        measure: by which it was judged.
        documents: how many are searched.
        is_complete: nothing is unknown: what has no grade is no answer.
    """
    ranges = [_bound(judged, measure, documents, is_complete=is_complete) for judged in need]
    return Fraction(sum(one.worst for one in ranges), len(need)), Fraction(sum(one.best for one in ranges), len(need))


def _bound(judged: Judged, measure: Measure, documents: int, *, is_complete: bool) -> DifferenceRange:
    grades = judged.pairs[0].grades
    if is_complete or measure.family not in _BOUNDED or not is_pooled(grades) or not any(map(_differs, judged.pairs)):
        return DifferenceRange(judged.change, judged.change)
    base_top = {doc_id for pair in judged.pairs for doc_id in list_top(pair.base, measure)}
    head_top = {doc_id for pair in judged.pairs for doc_id in list_top(pair.head, measure)}
    seen = base_top | head_top
    unjudged = Unjudged(
        only_base=len(base_top - head_top - grades.keys()),
        only_head=len(head_top - base_top - grades.keys()),
        both=len((base_top & head_top) - grades.keys()),
        neither=max(documents - len(seen | grades.keys()), 0),
    )
    bound = full_difference if measure.family in NEEDS_ALL else success_difference
    if judged.change or not judged.is_flip:
        return bound(judged.base.value, judged.head.value, unjudged)
    # another order of ties is no change, so that both runs have what either has
    ranges = [bound(value, value, unjudged) for value in (False, True)]
    return DifferenceRange(min(one.worst for one in ranges), max(one.best for one in ranges))


def list_debt(
    cells: Iterable[MatchedCell], measures: Sequence[Measure], undecided: frozenset[tuple[str, str, str]] = frozenset()
) -> tuple[UnjudgedHit, ...]:
    """The documents to judge, those that decide a gate first, then by suite and need in the order of head.

    Those that decide are the ones of both runs; the others are what head ranks within the cutoffs, since what it
    displays beyond them is more than anybody reads.

    Args:
        cells: what was compared.
        measures: within whose cutoffs a document is worth a judgement.
        undecided: (suite, variant, metric) of the figures that depend on what nobody judged.
    """
    seen: dict[tuple[str, str, str], list[_Sighting]] = {}
    for cell in cells:
        for measure in (measure for measure in measures if measure.family in _BOUNDED):
            if (cell.suite.name, cell.head.name, measure.name) in undecided:
                _see_deciding(cell, measure, seen)
            if measure.k is not None:
                for pair in cell.pairs:
                    if is_pooled(pair.grades):
                        _see(cell, pair, list_top(pair.head, measure), False, seen)
    hits = [
        UnjudgedHit(
            suite=suite,
            need=need,
            doc_id=doc_id,
            wordings=tuple(dict.fromkeys(one.text for one in sightings)),
            variants=tuple(dict.fromkeys(one.variant for one in sightings)),
            best_rank=min(one.rank for one in sightings),
            decides=any(one.decides for one in sightings),
        )
        for (suite, need, doc_id), sightings in seen.items()
    ]
    return tuple(sorted(hits, key=lambda hit: not hit.decides))


class _Sighting(NamedTuple):
    rank: int
    text: str
    variant: str
    decides: bool


def _see_deciding(cell: MatchedCell, measure: Measure, seen: dict[tuple[str, str, str], list[_Sighting]]) -> None:
    """Note the documents of either run by whose grades a change could be another one."""
    for judged in (one for need in judge_needs(cell, measure) for one in need):
        bounds = _bound(judged, measure, cell.suite.documents, is_complete=False)
        if bounds.worst != bounds.best:
            for pair in judged.pairs:
                for query in (pair.head, pair.base):
                    _see(cell, pair, list_top(query, measure), True, seen)


def _see(
    cell: MatchedCell,
    pair: Pair,
    doc_ids: Sequence[str],
    decides: bool,
    seen: dict[tuple[str, str, str], list[_Sighting]],
) -> None:
    for rank, doc_id in enumerate(doc_ids, start=1):
        if doc_id not in pair.grades:
            sighting = _Sighting(rank, pair.head.text, cell.head.name, decides)
            seen.setdefault((cell.suite.name, pair.head.need, doc_id), []).append(sighting)


def _differs(pair: Pair) -> bool:
    """Whether anything came back otherwise; where nothing did, no grade makes a difference."""
    return pair.base.shown != pair.head.shown or pair.base.ranking != pair.head.ranking


def render_patch(hits: Sequence[UnjudgedHit]) -> str:
    """The documents to judge as YAML, in the shape of a suite's `expect`: a grade each is all that is missing.

    Every text is written in double quotes with JSON's escapes, which YAML reads as they are.
    """
    lines = [
        "# Documents that came up and that nobody has judged. Replace each ~ by a grade: 2 answers the need, 1 answers",
        "# it partly, 0 does not; then move the lines into `expect` of the need, or into the qrels file of the suite.",
        "# Those marked DECIDES can turn a gate.",
    ]
    for suite in dict.fromkeys(hit.suite for hit in hits):
        lines += [f"- suite: {_quote(suite)}", "  needs:"]
        listed = [hit for hit in hits if hit.suite == suite]
        for need in dict.fromkeys(hit.need for hit in listed):
            of_need = [hit for hit in listed if hit.need == need]
            asked = dict.fromkeys(text for hit in of_need for text in hit.wordings)
            lines += [f"    - id: {_quote(need)}", f"      # asked: {', '.join(map(_quote, asked))}", "      expect:"]
            for hit in of_need:
                mark = "DECIDES, " if hit.decides else ""
                told = f"{mark}rank {hit.best_rank} of {', '.join(map(_quote, hit.variants))}"
                lines.append(f"        {_quote(hit.doc_id)}: ~  # {told}")
    return "\n".join(lines if hits else [*lines, "[]"]) + "\n"


def _quote(text: str) -> str:
    # U+0085, U+2028 and U+2029 end a line in YAML, so that a comment would end there, too
    escaped = json.dumps(text, ensure_ascii=False)
    return "".join(
        f"\\u{ord(c):04x}" if c in "\x7f\x85\u2028\u2029\ufeff" or "\ud800" <= c <= "\udfff" else c for c in escaped
    )
