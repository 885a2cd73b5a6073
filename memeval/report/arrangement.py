"""Which suites get a part of their own in a report, in which order, and which share one table."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from memeval.bench.evaluation import Evaluation, SuiteResult

MAX_NAMED_SUITES = 4
"""With more suites the title counts them, the largest come first, and small ones share a table."""
SMALL_NEEDS = 10
"""A suite of fewer needs is called small: it shows one thing, and its rates say little."""
MIN_FOLDED = 2


class Arrangement(NamedTuple):
    """The suites of an evaluation as a report shows them."""

    main: Evaluation
    """The evaluation with those alone that get a part of their own."""
    small: tuple[SuiteResult, ...] = ()
    """Those that share a table, in the order of the evaluation."""


def arrange(evaluation: Evaluation) -> Arrangement:
    """The suites with most needs first, small ones apart; few suites, or small ones alone, as they are."""
    if len(evaluation.suites) <= MAX_NAMED_SUITES:
        return Arrangement(evaluation)
    small = tuple(suite for suite in evaluation.suites if suite.needs < SMALL_NEEDS)
    if len(small) < MIN_FOLDED or len(small) == len(evaluation.suites):
        small = ()
    main = sorted((suite for suite in evaluation.suites if suite not in small), key=lambda suite: -suite.needs)
    return Arrangement(replace(evaluation, suites=tuple(main)), small)
