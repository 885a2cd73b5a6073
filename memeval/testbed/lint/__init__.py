"""Lint of suites: what would make a figure from a suite say something it should not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from memeval.testbed.lint.answers import (
    check_answer_files,
    check_cutoffs,
    check_evidence,
    check_expected,
    check_guessable_names,
    check_near_duplicates,
)
from memeval.testbed.lint.finding import ERROR, WARNING, Finding, Subject
from memeval.testbed.lint.forms import KINDS, check_forms, check_languages, check_simplified
from memeval.testbed.lint.privacy import check_privacy
from memeval.testbed.lint.words import (
    SAME_WORDS,
    UNSEEN_WORDS,
    check_blindness,
    check_containment,
    check_repeated_wordings,
    compute_kinds,
)
from memeval.testbed.needs import Suite

__all__ = [
    "CHECKS",
    "DEFAULT_KS",
    "ERROR",
    "KINDS",
    "SAME_WORDS",
    "UNSEEN_WORDS",
    "WARNING",
    "Finding",
    "Subject",
    "compute_kinds",
    "lint_suite",
]

DEFAULT_KS = (1, 3, 5, 10)
"""Cutoffs of a run when none are named."""

CHECKS: tuple[Callable[[Subject], Iterable[Finding]], ...] = (
    check_expected,
    check_evidence,
    check_answer_files,
    check_blindness,
    check_containment,
    check_repeated_wordings,
    check_forms,
    check_languages,
    check_simplified,
    check_near_duplicates,
    check_guessable_names,
    check_cutoffs,
    check_privacy,
)
"""Every check there is, in the order of its findings."""


def lint_suite(
    suite: Suite, aliases: Mapping[str, Sequence[str]] | None = None, ks: Iterable[int] = DEFAULT_KS
) -> tuple[Finding, ...]:
    """What is wrong with a suite and its corpus, check by check in the order of CHECKS; () for a clean one.

    Args:
        suite: the suite, over the corpus as it is searched.
        aliases: {doc_id: aliases} that count as words of the file, beyond those that stand in the file itself. Those of
            an overlay belong here only if the suite is meant for runs with it: a wording is unseen towards a store.
        ks: cutoffs the suite is measured at.
    """
    subject = Subject(suite=suite, aliases=aliases or {}, ks=tuple(sorted(set(ks))))
    return tuple(finding for check in CHECKS for finding in check(subject))
