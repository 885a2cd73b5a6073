"""Every metric of a summary, in the order it is shown, and the scores of one query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache

from memeval.errors import UnknownNameError
from memeval.metrics import cost, discovery, ranking


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one query gave back, reduced to ids, grades and counts."""

    grades: Mapping[str, int]
    """{doc_id: grade}; relevant = grade >= 1."""
    ranked: Sequence[str]
    """The stored ranking, best first, to the depth of the run: at least as deep as the highest cutoff."""
    first_rank: int | None
    """Rank of the first relevant document among all candidates, at any depth; None when none is one."""
    matched: int
    """Candidates at any depth."""
    shown: Sequence[str]
    """The doc_ids displayed."""
    bytes_shown: int
    """UTF-8 bytes of the whole text displayed (`cost.bytes_shown`)."""
    evidence_shown: bool | None = None
    """Whether the need's evidence can be recognised (`discovery.is_evidence_shown`); None without evidence."""

    @property
    def relevant(self) -> frozenset[str]:
        """The doc_ids with a grade of 1 or more."""
        return ranking.relevant_ids(self.grades)


class Kind(str, Enum):
    """What a metric looks at."""

    DISCOVERY = "discovery"
    RANKING = "ranking"
    COST = "cost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One figure of a summary: the mean of `score` over the queries where it is defined."""

    name: str
    """As in a summary; the `k` in `…@k` stands for the cutoff."""
    kind: Kind
    unit: str
    """`share`, `documents` or `bytes`."""
    higher_is_better: bool
    formula: str
    """Per query, in words; the summary shows the mean."""
    score: Callable[[Outcome, int], float | None]
    """(outcome, k) -> its value for one query, None where it is undefined. k is ignored without a cutoff."""
    is_binary: bool = False
    """Whether its value for one query is 0 or 1, so that its mean is a rate of queries."""

    @property
    def has_cutoff(self) -> bool:
        """Whether it is measured once per k."""
        return self.name.endswith("@k")


METRICS: tuple[Metric, ...] = (
    Metric(
        name="found",
        kind=Kind.DISCOVERY,
        unit="share",
        higher_is_better=True,
        formula="1 if a relevant document is displayed, else 0; undefined when nothing is stored",
        score=lambda o, k: discovery.is_found(o.shown, o.relevant),
        is_binary=True,
    ),
    Metric(
        name="found_all",
        kind=Kind.DISCOVERY,
        unit="share",
        higher_is_better=True,
        formula="1 if every relevant document is displayed, else 0; undefined when nothing is stored",
        score=lambda o, k: discovery.is_found_all(o.shown, o.relevant),
        is_binary=True,
    ),
    Metric(
        name="success@k",
        kind=Kind.RANKING,
        unit="share",
        higher_is_better=True,
        formula="1 if a relevant document is in the top k, else 0",
        score=lambda o, k: ranking.success_at(o.ranked, o.grades, k),
        is_binary=True,
    ),
    Metric(
        name="recall@k",
        kind=Kind.RANKING,
        unit="share",
        higher_is_better=True,
        formula="relevant documents in the top k / all relevant documents",
        score=lambda o, k: ranking.recall_at(o.ranked, o.grades, k),
    ),
    Metric(
        name="full-recall@k",
        kind=Kind.RANKING,
        unit="share",
        higher_is_better=True,
        formula="1 if all relevant documents are in the top k, else 0",
        score=lambda o, k: ranking.full_recall_at(o.ranked, o.grades, k),
        is_binary=True,
    ),
    Metric(
        name="precision@k",
        kind=Kind.RANKING,
        unit="share",
        higher_is_better=True,
        formula="relevant documents in the top k / k",
        score=lambda o, k: ranking.precision_at(o.ranked, o.grades, k),
    ),
    Metric(
        name="mrr",
        kind=Kind.RANKING,
        unit="share",
        higher_is_better=True,
        formula="1 / rank of the first relevant document among all candidates, 0 if none is one",
        score=lambda o, k: ranking.invert_rank(o.first_rank) if o.relevant else None,
    ),
    Metric(
        name="ndcg@k",
        kind=Kind.RANKING,
        unit="share",
        higher_is_better=True,
        formula="sum of grade / log2(rank + 1) over the top k / the same sum of the ideal ranking",
        score=lambda o, k: ranking.ndcg_at(o.ranked, o.grades, k),
    ),
    Metric(
        name="judged@k",
        kind=Kind.RANKING,
        unit="share",
        higher_is_better=True,
        formula="graded documents in the top k / documents in the top k; undefined when nothing is ranked",
        score=lambda o, k: ranking.judged_at(o.ranked, o.grades, k),
    ),
    Metric(
        name="silent-miss-rate",
        kind=Kind.DISCOVERY,
        unit="share",
        higher_is_better=False,
        formula="1 if nothing matched although a relevant document exists, else 0",
        score=lambda o, k: discovery.is_silent_miss(o.matched, o.relevant),
        is_binary=True,
    ),
    Metric(
        name="false-hit-rate",
        kind=Kind.DISCOVERY,
        unit="share",
        higher_is_better=False,
        formula="1 if a document is displayed, else 0; defined when nothing is stored",
        score=lambda o, k: discovery.is_false_hit(o.shown, o.relevant),
        is_binary=True,
    ),
    Metric(
        name="evidence-in-snippet",
        kind=Kind.DISCOVERY,
        unit="share",
        higher_is_better=True,
        formula="1 if the evidence stands in what is displayed of a relevant document's own text, else 0",
        score=lambda o, k: o.evidence_shown,
        is_binary=True,
    ),
    Metric(
        name="documents-shown",
        kind=Kind.COST,
        unit="documents",
        higher_is_better=False,
        formula="documents displayed",
        score=lambda o, k: cost.documents_shown(o.shown),
    ),
    Metric(
        name="bytes-shown",
        kind=Kind.COST,
        unit="bytes",
        higher_is_better=False,
        formula="UTF-8 bytes of the text displayed, markers included",
        score=lambda o, k: o.bytes_shown,
    ),
)
"""The registry."""


@cache
def find_metric(name: str) -> Metric:
    """The metric of that name; its cutoff may be `k` or a number (`recall@k`, `recall@10`).

    Raises:
        UnknownNameError: there is none.
    """
    family = re.sub(r"@[1-9][0-9]*$", "@k", name)
    for metric in METRICS:
        if metric.name == family:
            return metric
    raise UnknownNameError("metric", name, [metric.name for metric in METRICS])


@cache
def fill_cutoffs(ks: tuple[int, ...]) -> tuple[tuple[str, Metric, int], ...]:
    """(name, metric, k) in the order of METRICS, once per k at a cutoff, with k in the name; 0 is the k without one."""
    return tuple(
        (metric.name.replace("@k", f"@{k}"), metric, k)
        for metric in METRICS
        for k in (ks if metric.has_cutoff else (0,))
    )


def score_query(outcome: Outcome, ks: Iterable[int]) -> dict[str, float | None]:
    """{metric name: value of this query, None where undefined}, in the order of METRICS, once per k at a cutoff."""
    return {name: metric.score(outcome, k) for name, metric, k in fill_cutoffs(tuple(ks))}
