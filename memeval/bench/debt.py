"""Documents that are seen and that nobody has judged: how far they could turn a figure, and the list to judge.

Where a need has a grade of 0 among its grades, documents were looked at for it, and one without a grade was not. Where
it has none, its expected files are taken for all there are, as whoever wrote them down meant it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from memeval.bench.judging import Judged
from memeval.bench.matching import MatchedCell, Pair
from memeval.bench.measures import Measure
from memeval.bench.standing import NEEDS_ALL, list_top
from memeval.statistics.unjudged import DifferenceRange, Unjudged, full_difference, success_difference

_BOUNDED = ("found", "success@k", *NEEDS_ALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnjudgedHit:
    """A document that head shows, or ranks within a cutoff, for a need that other documents were judged for."""

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
    # a flip that is another order of ties is none
    head = judged.head.value if judged.change else judged.base.value
    return bound(judged.base.value, head, unjudged)


def list_debt(
    cells: Iterable[MatchedCell], measures: Sequence[Measure], deciding: frozenset[tuple[str, str, str]] = frozenset()
) -> tuple[UnjudgedHit, ...]:
    """The documents to judge, those that decide a gate first, then by suite and need in the order of head.

    Args:
        cells: what was compared.
        measures: within whose cutoffs a document counts as seen.
        deciding: (suite, variant, metric) of the figures that are undecided.
    """
    places: dict[tuple[str, str, str], list[tuple[int, str, str, bool]]] = {}
    looked_at = [measure for measure in measures if measure.family in _BOUNDED]
    for cell in cells:
        for pair in cell.pairs:
            if not is_pooled(pair.grades):
                continue
            for measure in looked_at:
                decides = (cell.suite.name, cell.head.name, measure.name) in deciding and _differs(pair)
                for rank, doc_id in enumerate(list_top(pair.head, measure), start=1):
                    if doc_id not in pair.grades:
                        key = (cell.suite.name, pair.head.need, doc_id)
                        places.setdefault(key, []).append((rank, pair.head.text, cell.head.name, decides))
    hits = [
        UnjudgedHit(
            suite=suite,
            need=need,
            doc_id=doc_id,
            wordings=tuple(dict.fromkeys(text for _, text, _, _ in seen)),
            variants=tuple(dict.fromkeys(variant for _, _, variant, _ in seen)),
            best_rank=min(rank for rank, _, _, _ in seen),
            decides=any(decides for _, _, _, decides in seen),
        )
        for (suite, need, doc_id), seen in places.items()
    ]
    return tuple(sorted(hits, key=lambda hit: not hit.decides))


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
