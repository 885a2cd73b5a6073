"""Do learned aliases help whoever asks next? Learned on the wording of one writer, tried on that of another.

For each need with unseen-words wordings of several writers, what one of them asked in vain is learned from, the
expected note standing for the read; what the others ask in vain without the aliases is asked again with them. In
paraphrase groups, where nobody knows the writers, each place in a group stands for one, and wordings of every kind
count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memeval.bench.aliaseffect import Reached, average, dress, reach
from memeval.bench.aliaslearning import (
    LearningRules,
    Lesson,
    choose_note,
    gather_aliases,
    propose_aliases,
)
from memeval.bench.asked import round_interval
from memeval.bench.evaluation import Value
from memeval.bench.run import Progress, build_settings
from memeval.errors import SuiteFileError
from memeval.memory.document import Document
from memeval.retrieval.base import Variant
from memeval.ruler import ruler_terms, shared_terms
from memeval.statistics.intervals import Cluster, rate_interval
from memeval.testbed.aliases import find_overlay
from memeval.testbed.aliaspatch import Proposal
from memeval.testbed.lint.words import UNSEEN_WORDS, compute_kinds
from memeval.testbed.needs import Query, Suite

FIRST_WRITER = "a"
"""Stands for the writer of the wordings that name none."""

TARGET_SHARE = 0.85
"""Of the ceiling, to be found."""
MAX_LOSS = 0.01
"""Of the success of other needs."""
HALF_CEILING = 0.65
"""The ceiling from which half of all misses can be asked for."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of the wordings, those of one need as one cluster."""

    count: int
    n: int
    interval: tuple[float, float] | None
    """At 95 %: Wilson's, or Korn-Graubard's where a need has several; None without any."""

    @property
    def value(self) -> float | None:
        """The share; None without any wording."""
        return self.count / self.n if self.n else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPair:
    """One writer learned from, another asked."""

    learned: str
    asked: str
    needs: int
    """Needs with an unseen-words wording of both, and a note that answers."""
    misses: int
    """Wordings of the writer asked that are missed without the aliases."""
    within_reach: int
    """Those of them that share a term with what was learned from the same need."""
    found: int
    """Those of `within_reach` that are found with the aliases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasTrial:
    """What learned aliases do for other wordings, all pairs of writers together."""

    suite: str
    variant: str
    lang: str | None
    max_elsewhere: int
    is_paraphrases: bool
    """Writers are places in a paraphrase group, and wordings of every kind count; else unseen-words ones alone."""
    pairs: tuple[TrialPair, ...]
    needs: int
    """Distinct needs in any pair."""
    without_note: int
    """Needs left out because no note answers them."""
    aliases: Mapping[str, int]
    """{writer learned from: aliases}."""
    sharing: Tally
    """Held-out misses that share any term with a failed wording learned from, filtered or not."""
    ceiling: Tally
    """Held-out misses that share one that was not filtered: no learning from these wordings can find more."""
    reached: Tally
    """Of the ceiling, what is found with the aliases."""
    cured: Tally
    """Of all held-out misses, what is found with the aliases."""
    unseen: Tally
    """Missed wordings of needs that nothing was learned from, found with the aliases: nothing is expected."""
    change_found: Value
    """Of the needs that nothing was learned from: found with the aliases less without, a mean over needs."""
    change_first: Value
    """The same for a place among the first five."""
    lost: tuple[str, ...]
    """Wordings of those needs that lost their place among the first five, in any run."""

    @property
    def failures(self) -> tuple[str, ...]:
        """What is demanded and not so."""
        said = []
        share, loss = self.reached.value, self.change_first.value
        if share is not None and share < TARGET_SHARE:
            said.append(f"{share:.0%} of the ceiling is found, demanded are {TARGET_SHARE:.0%}")
        ceiling, cured = self.ceiling.value, self.cured.value
        if ceiling is not None and cured is not None and ceiling >= HALF_CEILING and cured < 0.5:
            said.append(f"{cured:.0%} of the held-out misses are found, demanded is one half")
        for name, value in (("the first five", loss), ("what is shown", self.change_found.value)):
            if value is not None and value < -MAX_LOSS:
                said.append(f"other needs lose {-100 * value:.1f} points of {name}, allowed is {100 * MAX_LOSS:.0f}")
        return tuple(said)


def run_trial(
    suite: Suite,
    variant: Variant,
    rules: LearningRules | None = None,
    *,
    is_paraphrases: bool = False,
    progress: Progress | None = None,
) -> AliasTrial:
    """The trial of one variant on one suite; every writer is learned from once.

    Args:
        suite: whose wordings are asked.
        variant: who is asked.
        rules: when a term is proposed.
        is_paraphrases: the wordings of a need are paraphrases of different people, by place.
        progress: told after each wording.

    Raises:
        SuiteFileError: no need has wordings of two writers that count.
    """
    rule = rules or LearningRules()
    documents = {document.doc_id: document for document in suite.corpus.documents}
    groups = _group_places(suite) if is_paraphrases else _group_writers(suite)
    if not groups:
        raise SuiteFileError(
            "no need has unseen-words wordings of two writers, so that nothing can be learned on one and tried on the "
            "other; add wordings with `writer: b`, written without sight of the first",
            path=suite.path,
        )
    notes = {need.id: choose_note(need.expected, documents) for need in suite.needs if need.id in groups}
    stated = {need: by_writer for need, by_writer in groups.items() if notes[need] is not None}
    before = _ask_all(suite, variant, suite.corpus.documents, "without aliases", progress)
    overlay = find_overlay(suite.corpus) if variant.name.endswith("+aliases") else {}
    writers = sorted({writer for by_writer in stated.values() for writer in by_writer})
    pairs: list[TrialPair] = []
    cells: list[_Cell] = []
    others = _Others()
    aliases = {}
    for writer in writers:
        lessons = [
            Lesson(need=need, doc_id=doc_id, wordings=failed)
            for need, by_writer in stated.items()
            if (doc_id := notes[need]) and (failed := _list_failed(by_writer.get(writer, ()), before))
        ]
        learned = propose_aliases(lessons, suite.corpus.documents, rule, overlay).proposals
        dressed = dress(suite.corpus.documents, gather_aliases(learned))
        after = _ask_all(suite, variant, dressed, f"learned from {writer}", progress)
        aliases[writer] = len(learned)
        taught = _list_terms(lessons, learned)
        wordings = {lesson.need: lesson.wordings for lesson in lessons}
        for other in writers:
            both = [need for need, by_writer in stated.items() if writer in by_writer and other in by_writer]
            if other == writer or not both:
                continue
            new = [
                _Cell(
                    need=need,
                    is_sharing=any(shared_terms(query.wording.text, one) for one in wordings.get(need, ())),
                    is_reachable=not taught.get(need, frozenset()).isdisjoint(ruler_terms(query.wording.text)),
                    is_found=after[query.id].found,
                )
                for need in both
                for query in stated[need][other]
                if not before[query.id].found
            ]
            cells += new
            reachable = [cell for cell in new if cell.is_reachable]
            pairs.append(
                TrialPair(
                    learned=writer,
                    asked=other,
                    needs=len(both),
                    misses=len(new),
                    within_reach=len(reachable),
                    found=sum(cell.is_found for cell in reachable),
                )
            )
        others.add(before, after, frozenset(wordings))
    return AliasTrial(
        suite=suite.name,
        variant=variant.name,
        lang=suite.lang,
        max_elsewhere=rule.max_elsewhere,
        is_paraphrases=is_paraphrases,
        pairs=tuple(pairs),
        needs=len(stated),
        without_note=len(groups) - len(stated),
        aliases=aliases,
        sharing=_tally((cell.need, cell.is_sharing) for cell in cells),
        ceiling=_tally((cell.need, cell.is_reachable) for cell in cells),
        reached=_tally((cell.need, cell.is_found) for cell in cells if cell.is_reachable),
        cured=_tally((cell.need, cell.is_found) for cell in cells),
        unseen=_tally(others.missed),
        change_found=average(others.list_changes(0)),
        change_first=average(others.list_changes(1)),
        lost=tuple(dict.fromkeys(others.lost)),
    )


@dataclass(frozen=True, slots=True)
class _Cell:
    """A wording held out that is missed without the aliases."""

    need: str
    is_sharing: bool
    is_reachable: bool
    is_found: bool


class _Others:
    """The needs that nothing was learned from, over the runs."""

    def __init__(self) -> None:
        self.missed: list[tuple[str, bool]] = []
        self.lost: list[str] = []
        self._changes: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)

    def add(self, before: Mapping[str, Reached], after: Mapping[str, Reached], learned: frozenset[str]) -> None:
        for query_id, was in before.items():
            if was.need not in learned:
                now = after[query_id]
                self._changes[was.need].append((now.found - was.found, now.is_first - was.is_first))
                self.missed += [] if was.found else [(was.need, now.found)]
                self.lost += [query_id] if was.is_first and not now.is_first else []

    def list_changes(self, place: int) -> list[float]:
        """The mean change of each need, over its wordings and the runs."""
        return [sum(change[place] for change in changes) / len(changes) for changes in self._changes.values()]


def _group_writers(suite: Suite) -> dict[str, dict[str, list[Query]]]:
    """{need: {writer: its unseen-words wordings}} of the needs that have some of two writers or more."""
    kinds = compute_kinds(suite)
    groups: dict[str, dict[str, list[Query]]] = {}
    for query in suite.queries():
        if kinds.get(query.id) == UNSEEN_WORDS and ruler_terms(query.wording.text):
            writer = query.wording.writer or FIRST_WRITER
            groups.setdefault(query.need.id, {}).setdefault(writer, []).append(query)
    return {need: by_writer for need, by_writer in groups.items() if len(by_writer) > 1}


def _group_places(suite: Suite) -> dict[str, dict[str, list[Query]]]:
    """{need: {its place among the wordings, from 1: the wording there}} of the needs that have two or more."""
    groups: dict[str, dict[str, list[Query]]] = {}
    for query in suite.queries():
        if query.need.relevant and ruler_terms(query.wording.text):
            groups.setdefault(query.need.id, {})[str(query.index + 1)] = [query]
    return {need: by_place for need, by_place in groups.items() if len(by_place) > 1}


def _ask_all(
    suite: Suite, variant: Variant, documents: Sequence[Document], stage: str, progress: Progress | None
) -> dict[str, Reached]:
    """{query id: how far it gets} of every wording with something stored."""
    retriever = variant.build(documents, build_settings(suite))
    queries = [query for query in suite.queries() if query.need.relevant]
    reached = {}
    for done, query in enumerate(queries, start=1):
        reached[query.id] = reach(retriever, query)
        if progress is not None:
            progress(suite.name, f"{variant.name}, {stage}", done, len(queries))
    return reached


def _list_failed(queries: Iterable[Query], before: Mapping[str, Reached]) -> tuple[str, ...]:
    return tuple(query.wording.text for query in queries if not before[query.id].found)


def _list_terms(lessons: Iterable[Lesson], proposals: Iterable[Proposal]) -> dict[str, frozenset[str]]:
    """{need: the terms of its failed wordings that became part of an alias of its file}."""
    kept: defaultdict[str, set[str]] = defaultdict(set)
    for proposal in proposals:
        kept[proposal.doc_id].update(proposal.terms)
    return {
        lesson.need: frozenset(term for one in lesson.wordings for term in ruler_terms(one)) & kept[lesson.doc_id]
        for lesson in lessons
    }


def _tally(answers: Iterable[tuple[str, bool]]) -> Tally:
    """The tally of (need, yes or no)."""
    needs: defaultdict[str, list[bool]] = defaultdict(list)
    for need, answer in answers:
        needs[need].append(answer)
    clusters = [Cluster(sum(each), len(each)) for each in needs.values()]
    successes, n = sum(cluster.successes for cluster in clusters), sum(cluster.n for cluster in clusters)
    return Tally(successes, n, round_interval(rate_interval(clusters)))
