"""Checks of what counts as an answer: expected files, evidence, twins of an expected file, leaks, chance."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb
from pathlib import Path

from memeval.ruler import ruler_terms
from memeval.testbed.duplicates import find_near_duplicates
from memeval.testbed.lint.finding import ERROR, WARNING, Finding, Subject
from memeval.testbed.needs import Need
from memeval.text import count

ANSWER_FILE = re.compile(r"(?:.*\.recall\.yaml|qrels(?:\..*)?|.*\.qrels|queries\.jsonl|topics\..*)", re.IGNORECASE)
"""Names of files that tell which document answers what."""
MIN_QUOTED_TERMS = 4
MIN_QUOTED_NEEDS = 3
"""A document that holds wordings of so many terms from so many needs, word for word, is an answer file itself."""
MAX_CHANCE = Fraction(1, 100)
"""Odds below which names that part expected files from others are no accident."""
CROWDED = Fraction(1, 5)
"""A cutoff at this share of the corpus or above is nearly met by chance."""

_LEADING = re.compile(r"[^\W\d_]+|\d+")


def check_expected(subject: Subject) -> Iterator[Finding]:
    """An expected file that the corpus does not hold: an error."""
    for need in subject.suite.needs:
        for doc_id in sorted(set(need.expected) - set(subject.documents)):
            yield subject.at_need(
                ERROR, "expected-outside", need, f"expects {doc_id!r}, which is not among the files searched"
            )


def check_evidence(subject: Subject) -> Iterator[Finding]:
    """Evidence that stands in no expected file is an error; a need with an answer and no evidence is a warning.

    Benchmarks in BEIR form have no evidence, and none is missed there.
    """
    for need in subject.findable:
        if need.evidence is None:
            if subject.suite.kind != "beir":
                yield subject.at_need(
                    WARNING,
                    "no-evidence",
                    need,
                    "has no evidence, so that its wordings are held against the whole file",
                )
            continue
        wanted = " ".join(need.evidence.split())
        held = [doc_id for doc_id in sorted(need.relevant) if doc_id in subject.documents]
        if not any(wanted in " ".join(subject.documents[doc_id].text.split()) for doc_id in held):
            yield subject.at_need(
                ERROR, "evidence-absent", need, f"has evidence {need.evidence!r}, which stands in none of its files"
            )


def check_answer_files(subject: Subject) -> Iterator[Finding]:
    """Answers inside the tree that is searched: suite and judgement files, documents that quote wordings. Errors."""
    corpus = subject.suite.corpus
    if corpus.root is not None and corpus.kind != "beir":
        for path in _list_files(Path(corpus.root)):
            if ANSWER_FILE.fullmatch(path.name):
                yield subject.at_document(
                    ERROR,
                    "answer-file",
                    path.relative_to(corpus.root).as_posix(),
                    "tells which file answers which need, and lies where an agent searches; move it out of the corpus",
                )
    wordings = [
        (need.id, " ".join(wording.text.casefold().split()))
        for need in subject.suite.needs
        for wording in need.wordings
        if len(ruler_terms(wording.text)) >= MIN_QUOTED_TERMS
    ]
    for document in corpus.documents:
        text = " ".join(document.text.casefold().split())
        quoted = sorted({need_id for need_id, wording in wordings if wording in text})
        if len(quoted) >= MIN_QUOTED_NEEDS:
            yield subject.at_document(
                ERROR,
                "answer-file",
                document.doc_id,
                f"quotes wordings of {len(quoted)} needs word for word ({', '.join(quoted[:3])}, …); "
                "is it a list of the questions?",
                terms=quoted,
            )


def check_near_duplicates(subject: Subject) -> Iterator[Finding]:
    """A file nearly the same as an expected one that the need does not grade is an error: it may be just as right.

    All other pairs of near-duplicates together are one warning.
    """
    expecting: dict[str, list[Need]] = defaultdict(list)
    for need in subject.suite.needs:
        for doc_id in sorted(need.relevant):
            expecting[doc_id].append(need)
    harmless = []
    for pair in find_near_duplicates(subject.suite.corpus.documents):
        ungraded = [
            (need, expected, other)
            for expected, other in ((pair.first, pair.second), (pair.second, pair.first))
            for need in expecting[expected]
            if other not in need.expected
        ]
        for need, expected, other in ungraded:
            yield subject.at_need(
                ERROR,
                "near-duplicate-ungraded",
                need,
                f"expects {expected!r} and says nothing of {other!r}, nearly the same text ({pair.resemblance:.0%} of "
                "their shingles); add it to `expect`, with grade 0 if it does not answer",
            )
        if not ungraded:
            harmless.append(pair)
    if harmless:
        examples = ", ".join(f"{pair.first} and {pair.second} ({pair.resemblance:.0%})" for pair in harmless[:3])
        yield subject.at_suite(
            WARNING,
            "near-duplicates",
            f"{count(len(harmless), 'pair')} of files nearly the same, which crowd each other in a ranking: {examples}"
            f"{', …' if len(harmless) > 3 else ''}",
        )


def check_guessable_names(subject: Subject) -> Iterator[Finding]:
    """File names that give the answers away: an error.

    The probe knows nothing but ids. Within each folder it groups files by the first word or number of their names, and
    counts how many of a group are expected by some need. With names at random a group's count is hypergeometric; the
    exact two-sided tail, times the number of groups (Bonferroni), bounds the odds of any such count by chance. At
    MAX_CHANCE or below, a ranking by that prefix would beat chance without reading a file.
    """
    expected = {doc_id for need in subject.suite.needs for doc_id in need.relevant}
    folders: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for doc_id in subject.documents:
        folder, _, name = doc_id.rpartition("/")
        leading = _LEADING.search(name)
        folders[folder][leading.group().casefold() if leading else ""].append(doc_id)
    groups = [
        (folder, prefix, doc_ids, [doc_id for other in prefixes.values() for doc_id in other])
        for folder, prefixes in sorted(folders.items())
        if len(prefixes) > 1
        for prefix, doc_ids in sorted(prefixes.items())
    ]
    for folder, prefix, doc_ids, everything in groups:
        hits, answers = len(expected.intersection(doc_ids)), len(expected.intersection(everything))
        odds = bound_odds(hits, len(doc_ids), answers, len(everything)) * len(groups)
        if odds <= MAX_CHANCE:
            yield subject.at_suite(
                ERROR,
                "guessable-names",
                f"of the {count(len(doc_ids), 'file')} in {folder or 'the top folder'} whose names begin with "
                f"{prefix!r}, {hits} are expected, of all {len(everything)} there {answers} "
                f"(odds by chance at most {float(odds):.1g}); "
                "the names give answers away: make them opaque",
            )


def bound_odds(hits: int, drawn: int, answers: int, total: int) -> Fraction:
    """Twice the smaller tail of the hypergeometric distribution at `hits`, at most 1.

    `hits` of the `drawn` are answers, and so are `answers` of `total`.
    """

    def weigh(counts: Sequence[int]) -> Fraction:
        ways = sum(comb(answers, count) * comb(total - answers, drawn - count) for count in counts)
        return Fraction(ways, comb(total, drawn))

    upper, lower = weigh(range(hits, min(drawn, answers) + 1)), weigh(range(hits + 1))
    return min(2 * min(upper, lower), Fraction(1))


def check_cutoffs(subject: Subject) -> Iterator[Finding]:
    """Cutoffs at a fifth of the corpus or more: a warning, with the success that files in random order would have."""
    total = len(subject.documents)
    crowded = [k for k in subject.ks if k >= CROWDED * total]
    if crowded and subject.findable:
        levels = ", ".join(f"{chance_of_success(subject, k):.0%} at k = {k}" for k in crowded)
        yield subject.at_suite(
            WARNING,
            "crowded-cutoff",
            f"the corpus holds {count(total, 'file')}, so that files in random order succeed in {levels}; "
            "say so beside the figure, or use a larger corpus",
        )


def chance_of_success(subject: Subject, k: int) -> float:
    """Mean success@k over the findable needs for files in random order: 1 − C(N − g, k) / C(N, k); 0 without needs."""
    total = len(subject.documents)
    levels = []
    for need in subject.findable:
        relevant = len(need.relevant.intersection(subject.documents))
        levels.append(1 - comb(total - relevant, min(k, total)) / comb(total, min(k, total)))
    return sum(levels) / len(levels) if levels else 0.0


def _list_files(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            yield Path(folder, name)
