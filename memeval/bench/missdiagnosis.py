"""Why misses were missed: the counterfactuals of each are run, its class follows, and the cheapest cure is named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from memeval.bench.counterfactuals import (
    COUNTERFACTUALS,
    QUERY_SCRIPT,
    SCRIPTS,
    Attempt,
    Cost,
    Counterfactual,
    Skip,
)
from memeval.bench.evaluation import MissCause, VariantResult
from memeval.bench.missclasses import Findings, MissClass, Rule, classify
from memeval.bench.missground import Miss, describe_query, set_ground
from memeval.bench.rewordings import choose_best_words
from memeval.bench.storechanges import Documents
from memeval.errors import MemevalError, UngradableError
from memeval.memory.document import Document
from memeval.memory.terms import is_edgeless
from memeval.metrics.discovery import is_evidence_shown
from memeval.retrieval.base import Answer, Retriever, Settings, Variant, check_answer, name_breakage, open_retriever
from memeval.ruler import shared_terms
from memeval.testbed.needs import Query, Suite

MAX_OPEN = 12
"""Retrievers kept: those that every miss asks, and the last of those that one miss needs."""
MIN_TELLING_COLUMNS = 12
"""Of evidence that tells a file from others wherever it stands, a CJK character being two: `03:30` does not."""

Progress = Callable[[str, str, int, int], None]
"""Called with suite, variant, queries done, queries in all."""

Build = Callable[[Sequence[Document], Settings], Retriever]


class Outcome(str, Enum):
    """What a counterfactual showed."""

    CURES = "cures"
    FAILS = "does not cure"
    NOT_APPLICABLE = "not applicable"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One counterfactual of one miss."""

    name: str
    cost: Cost
    outcome: Outcome
    query: str | None = None
    """As it was asked; of several tries the one that found the file, else the one that ranked it best."""
    before: int | None = None
    after: int | None = None
    """The rank of the expected file that stands highest, from 1; None when none is a candidate."""
    cure: str | None = None
    """What to do; None where it does not cure, or shows a cause alone."""
    reason: str | None = None
    """Why it was not run; None where it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosedMiss:
    """One wording that missed, why, and what would cure it most cheaply."""

    id: str
    need: str
    query: str
    expected: tuple[str, ...]
    rank: int | None
    """Of the expected file that stands highest, from 1; None when none is a candidate."""
    matched: int
    shown: int
    """Files."""
    miss_class: MissClass
    rule: str
    """What decided the class, in words."""
    cure: str | None
    """The cheapest that works; None when nothing does."""
    cured_by: str | None
    """The counterfactual that is that cure; None where the need or the file has to be put right."""
    trials: tuple[Trial, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UngradedWording:
    """One wording of which nobody can say whether it missed: the variant or a file is broken."""

    id: str
    need: str
    query: str
    reason: str
    """In one line, as a run gives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The misses of one variant on one suite."""

    suite: str
    variant: str
    k: int | None
    """A file had to be among the first k; None = shown at all."""
    wordings: int
    """Asked, of needs with an expected file."""
    misses: tuple[DiagnosedMiss, ...]
    ungraded: tuple[UngradedWording, ...] = ()
    """Those that a run calls ungradable. One that misses a file nobody can read is a miss of that class, too."""

    @property
    def classes(self) -> dict[str, int]:
        """{class: misses of it}, the most frequent first."""
        return _count(miss.miss_class.value for miss in self.misses)

    @property
    def cures(self) -> dict[str, tuple[int, int]]:
        """{counterfactual that is a cure: (misses it cures, misses whose cheapest cure it is)}, the cheapest first."""
        working = Counter(trial.name for miss in self.misses for trial in miss.trials if trial.cure is not None)
        cheapest = Counter(miss.cured_by for miss in self.misses)
        return {each.name: (working[each.name], cheapest[each.name]) for each in COUNTERFACTUALS if working[each.name]}


class Diagnoser:
    """One variant on one suite: finds its misses, and says why."""

    def __init__(self, suite: Suite, variant: Variant, settings: Settings, k: int | None = None) -> None:
        self.suite = suite
        self.variant = variant
        self.k = k
        self._ground = set_ground(suite, variant, settings)
        self._open = lru_cache(maxsize=MAX_OPEN)(self._build)
        self._build_error: str | None = None

    def diagnose_query(self, query: Query) -> DiagnosedMiss | None:
        """Why a wording missed; None where it did not, or has no expected file.

        Raises:
            UngradableError: the variant cannot be built, or breaks, or breaks the contract.
        """
        miss = describe_query(query, self.k)
        if not miss.expected:
            return None
        answer = self._ask(query)
        if is_cured(answer, miss.expected, miss.k):
            return None
        miss = replace(miss, rank=find_rank(answer, miss.expected), matched=len(answer.hits), shown=tuple(answer.shown))
        trials = tuple(self._try(each, miss) for each in COUNTERFACTUALS)
        found = self._gather(miss, trials)
        rule = classify(found)
        cure, cured_by = choose_cure(found, rule, trials)
        return DiagnosedMiss(
            id=query.id,
            need=query.need.id,
            query=miss.query,
            expected=miss.expected,
            rank=miss.rank,
            matched=miss.matched,
            shown=len(miss.shown),
            miss_class=rule.miss_class,
            rule=rule.when,
            cure=cure,
            cured_by=cured_by,
            trials=trials,
        )

    def diagnose(self, need_ids: Collection[str] = (), progress: Progress | None = None) -> Diagnosis:
        """All misses of the needs with these ids, none meaning all, in file order; `progress` is told as by a run."""
        queries = [
            query
            for query in self.suite.queries()
            if query.need.relevant and (not need_ids or query.need.id in need_ids)
        ]
        found = []
        ungraded = []
        for done, query in enumerate(queries, start=1):
            reason = self._find_unreadable(query)
            try:
                if (miss := self.diagnose_query(query)) is not None:
                    found.append(miss)
            except UngradableError as error:
                reason = reason or str(error)
            if reason is not None:
                ungraded.append(
                    UngradedWording(id=query.id, need=query.need.id, query=query.wording.text, reason=reason)
                )
            if progress is not None:
                progress(self.suite.name, self.variant.name, done, len(queries))
        return Diagnosis(
            suite=self.suite.name,
            variant=self.variant.name,
            k=self.k,
            wordings=len(queries),
            misses=tuple(found),
            ungraded=tuple(ungraded),
        )

    def _find_unreadable(self, query: Query) -> str | None:
        """Why a run does not grade a wording: files that answer it cannot be read; None where all can."""
        files = [str(file) for file in self._ground.unreadable if file.path in query.need.relevant]
        return f"cannot read what answers it: {', '.join(files)}" if files else None

    def _ask(self, query: Query) -> Answer:
        """The answer of the variant to a query as it stands. One that could not be built is not built again."""
        ground = self._ground
        if self._build_error is not None:
            raise UngradableError(self._build_error)
        try:
            retriever = open_retriever(lambda: self._open(self.variant.build, ground.documents, None))
        except UngradableError as error:
            self._build_error = str(error)
            raise
        with name_breakage():
            answer = retriever.search(query.wording.text)
            check_answer(answer, ground.texts.keys())
        return answer

    def _try(self, each: Counterfactual, miss: Miss) -> Trial:
        trial = Trial(name=each.name, cost=each.cost, outcome=Outcome.FAILS, before=miss.rank)
        try:
            plan = each.plan(miss, self._ground)
            if isinstance(plan, Skip):
                outcome = Outcome.NOT_RUN if plan.is_applicable else Outcome.NOT_APPLICABLE
                return replace(trial, outcome=outcome, reason=plan.reason)
            ranks: list[tuple[float, Attempt, int | None]] = []
            for attempt in plan:
                answer = self._search(attempt)
                rank = find_rank(answer, attempt.wanted)
                if is_cured(answer, attempt.wanted, attempt.k):
                    return replace(
                        trial, outcome=Outcome.CURES, query=attempt.query, after=rank, cure=attempt.cure or None
                    )
                ranks.append((float("inf") if rank is None else rank, attempt, rank))
        except MemevalError as error:
            return replace(trial, outcome=Outcome.NOT_RUN, reason=str(error))
        except Exception as error:  # a variant that breaks costs its trial, not the run
            return replace(trial, outcome=Outcome.NOT_RUN, reason=f"{type(error).__name__}: {error}")
        _, attempt, rank = min(ranks, key=lambda entry: entry[0])
        return replace(trial, query=attempt.query, after=rank)

    def _gather(self, miss: Miss, trials: Sequence[Trial]) -> Findings:
        ground = self._ground
        expected = ground.find_expected(miss)
        evidence = miss.evidence
        return Findings(
            miss=miss,
            cured=frozenset(trial.name for trial in trials if trial.outcome is Outcome.CURES),
            matched=frozenset(trial.name for trial in trials if trial.after is not None),
            is_script_open=any(
                trial.outcome is Outcome.NOT_RUN and trial.name in (QUERY_SCRIPT, SCRIPTS) for trial in trials
            ),
            unreadable=tuple(str(file) for file in ground.unreadable if file.path in miss.expected),
            in_scope=bool(expected),
            has_evidence=evidence is None or is_evidence_shown(evidence, [document.text for document in expected]),
            has_words=any(choose_best_words(document.text, ground.counts) for document in expected),
            holder=self._find_holder(miss),
            shared=shared_terms(
                miss.query, "\n".join(f"{document.name.removesuffix('.md')}\n{document.text}" for document in expected)
            ),
        )

    def _find_holder(self, miss: Miss) -> str | None:
        """The first file shown that holds the evidence and that nobody judged; None without evidence that tells."""
        evidence = miss.evidence or ""
        if len(evidence) + sum(map(is_edgeless, evidence)) < MIN_TELLING_COLUMNS:
            return None
        unjudged = (doc_id for doc_id in miss.shown if doc_id not in miss.graded)
        return next(
            (doc_id for doc_id in unjudged if is_evidence_shown(evidence, [self._ground.texts[doc_id].text])), None
        )

    def _search(self, attempt: Attempt) -> Answer:
        return self._open(attempt.variant.build, attempt.documents, attempt.cap_bytes).search(attempt.query)

    def _build(self, build: Build, documents: Documents, cap_bytes: int | None) -> Retriever:
        settings = self._ground.settings
        if cap_bytes is not None:
            settings = replace(settings, budget_bytes=cap_bytes, engine_cap_bytes=cap_bytes)
        return build(documents, settings)


def add_causes(result: VariantResult, diagnoser: Diagnoser) -> VariantResult:
    """The result with the cause of each miss of a stored need; that of a control, which nobody would cure, as it is.

    A miss that cannot be had again, since the variant breaks when it is asked once more, is left without a cause.
    """
    if result.control:
        return result
    queries = {query.id: query for query in diagnoser.suite.queries()}
    return replace(
        result,
        queries=tuple(
            replace(query, cause=_find_cause(diagnoser, queries[query.id]))
            if query.verdict == "miss" and query.found is not None
            else query
            for query in result.queries
        ),
    )


def _find_cause(diagnoser: Diagnoser, query: Query) -> MissCause | None:
    try:
        miss = diagnoser.diagnose_query(query)
    except UngradableError:
        return None
    if miss is None:
        return None
    return MissCause(miss_class=miss.miss_class.value, cure=miss.cure, cured_by=miss.cured_by)


def choose_cure(found: Findings, rule: Rule, trials: Iterable[Trial]) -> tuple[str | None, str | None]:
    """(the cheapest cure, the counterfactual it is of): what is wrong with need or file first, then the first trial."""
    if rule.miss_class is MissClass.UNREADABLE:
        return f"make readable: {', '.join(found.unreadable)}", None
    if rule.miss_class is MissClass.MISLABELLED:
        if found.holder is not None:
            return f"judge {found.holder} for this need: it holds the evidence", None
        return "correct the need: other expected files, or other evidence", None
    return next(((trial.cure, trial.name) for trial in trials if trial.cure is not None), (None, None))


def is_cured(answer: Answer, wanted: Collection[str], k: int | None) -> bool:
    """Whether one of the wanted documents is shown, and among the first k, where there is a k."""
    near = answer.shown if k is None else set(answer.shown).intersection(hit.doc_id for hit in answer.hits[:k])
    return not set(wanted).isdisjoint(near)


def find_rank(answer: Answer, wanted: Collection[str]) -> int | None:
    """The rank from 1 of the wanted document that stands highest; None when none is a candidate."""
    return next((rank for rank, hit in enumerate(answer.hits, start=1) if hit.doc_id in wanted), None)


def _count(labels: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(labels).items(), key=lambda entry: (-entry[1], entry[0])))
