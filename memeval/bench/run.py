"""Suites × variants -> Evaluation. Orchestration only: formulas are in metrics/, wording of misses in diagnosis.py."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memeval.bench.diagnosis import explain_miss
from memeval.bench.evaluation import Evaluation, QueryResult, SuiteResult, VariantResult
from memeval.bench.manifest import describe_run, describe_versions
from memeval.bench.missdiagnosis import Diagnoser, add_causes
from memeval.bench.suite import load_suite
from memeval.bench.summary import (
    DEFAULT_DEPTH,
    DEFAULT_KS,
    check_cutoffs,
    check_positive,
    contrast_variants,
    curve_found,
    curve_recall,
    score_results,
    slice_queries,
    summarise,
)
from memeval.embedding.base import check_embedder, check_reranker
from memeval.embedding.kept import KeptEmbedder, share_vectors
from memeval.errors import SuiteFileError, UngradableError
from memeval.metrics.cost import bytes_shown, summarise_seconds
from memeval.metrics.discovery import is_evidence_shown, is_found, is_found_all, is_hit
from memeval.retrieval.base import (
    DEFAULT_BUDGET_BYTES,
    Answer,
    Retriever,
    Settings,
    Variant,
    check_answer,
    name_breakage,
    open_retriever,
)
from memeval.retrieval.recipes import select_variants
from memeval.testbed.aliases import find_overlay, overlay_aliases
from memeval.testbed.needs import Query, Suite

if TYPE_CHECKING:
    from memeval.embedding.base import Embedder, Reranker

__all__ = ["DEFAULT_DEPTH", "DEFAULT_KS", "Progress", "SuiteRunner", "evaluate"]

Progress = Callable[[str, str, int, int], None]
"""Called with suite, variant, queries done, queries in all."""

Clock = Callable[[], float]


def evaluate(
    suites: Suite | Path | str | Sequence[Suite | Path | str],
    variants: Variant | str | Sequence[Variant | str] = (),
    *,
    ks: int | Sequence[int] = DEFAULT_KS,
    budget_bytes: int = DEFAULT_BUDGET_BYTES,
    depth: int = DEFAULT_DEPTH,
    seed: int = 0,
    aliases: bool = False,
    embedder: Embedder | None = None,
    models: Mapping[str, Embedder] | None = None,
    reranker: Reranker | None = None,
    diagnose: bool = False,
    progress: Progress | None = None,
    clock: Clock = time.perf_counter,
) -> Evaluation:
    """The evaluation of every variant on every suite.

    Args:
        suites: loaded suites or paths to them, one or several.
        variants: variants or their names, one or several; none means the default ones, `all` every one.
        ks: cutoffs of the @k metrics, one or several, each from 1 to `depth`; none means no @k metric.
        budget_bytes: cap on what variants without a cap of their own show, from 1.
        depth: ranks stored per query, from 1. It limits what is stored and no figure: what has no cutoff (mrr) stands
            on all candidates.
        seed: of the random control.
        aliases: put the aliases of each corpus's `aliases.yaml` into the texts that are searched.
        embedder: the model of every dense leg; without one, variants that need it are ungradable, and `all` leaves
            them out.
        models: {name: model} for variants that bring a model of their own; without it they are ungradable, too.
        reranker: the model of every variant that reads its first hits again; without one, variants that need it are
            ungradable, and `all` leaves them out.
        diagnose: find out the class and the cheapest cure of each miss of a variant that is no control, by asking again
            some twenty times.
        progress: told after each query.
        clock: seconds, for the timings alone.

    Raises:
        RunSettingError: a cutoff, the budget or the depth is no whole number from 1, or a cutoff is above the depth.
        MemevalError: a suite or corpus that cannot be read, aliases asked for where a corpus has none, an unknown
            variant. A variant that breaks while it runs makes its queries ungradable instead, and an expected file
            that cannot be read those of its needs.
    """
    cutoffs = (ks,) if isinstance(ks, int) else tuple(ks)
    check_cutoffs(cutoffs, depth)
    cutoffs = tuple(sorted(set(cutoffs)))
    check_positive("budget_bytes", budget_bytes)
    given = [suites] if isinstance(suites, Suite | Path | str) else list(suites)
    loaded = [suite if isinstance(suite, Suite) else load_suite(suite) for suite in given]
    if aliases:
        loaded = [overlay_aliases(suite) for suite in loaded]
    check_names(loaded)
    asked = [variants] if isinstance(variants, Variant | str) else variants
    embedder, models = share_models(embedder, models or {})
    if reranker is not None:
        check_reranker(reranker)
    chosen = select_variants(asked, has_embedder=embedder is not None, models=models, has_reranker=reranker is not None)
    timings: dict[str, dict[str, object]] = {}
    results = []
    for suite in loaded:
        settings = build_settings(
            suite, budget_bytes=budget_bytes, seed=seed, embedder=embedder, models=models, reranker=reranker
        )
        measured = []
        for variant in chosen:
            runner = SuiteRunner(suite, variant, settings=settings, depth=depth, clock=clock)
            result = run_variant(runner, cutoffs, progress)
            measured.append(add_causes(result, Diagnoser(suite, variant, settings)) if diagnose else result)
            timings.setdefault(suite.name, {})[variant.name] = runner.describe_timing()
        results.append(build_suite_result(suite, tuple(measured)))
        for model in (*models.values(), *([embedder] if embedder else ())):
            model.flush()
    return Evaluation(
        manifest=describe_run(
            loaded,
            chosen,
            ks=cutoffs,
            budget_bytes=budget_bytes,
            depth=depth,
            seed=seed,
            embedder=embedder,
            models=models,
            reranker=reranker,
        ),
        versions=describe_versions(),
        timings=timings,
        suites=tuple(results),
    )


def share_models(
    embedder: Embedder | None, models: Mapping[str, Embedder]
) -> tuple[KeptEmbedder | None, dict[str, KeptEmbedder]]:
    """Both as models that embed no passage twice, whichever variants share them; those of one identity are one."""
    for model in (*([] if embedder is None else [embedder]), *models.values()):
        check_embedder(model)
    shared: dict[str, KeptEmbedder] = {}
    run = None if embedder is None else shared.setdefault(embedder.identity, share_vectors(embedder))
    return run, {name: shared.setdefault(model.identity, share_vectors(model)) for name, model in models.items()}


def check_names(suites: Sequence[Suite]) -> None:
    """Raise SuiteFileError when two suites have one name: their results could not be told apart."""
    paths: dict[str, str] = {}
    for suite in suites:
        if suite.name in paths:
            raise SuiteFileError(
                f"the suite is called {suite.name!r}, as {paths[suite.name]} is; give one of them another name",
                path=suite.path,
            )
        paths[suite.name] = suite.path


def build_settings(
    suite: Suite,
    *,
    budget_bytes: int = DEFAULT_BUDGET_BYTES,
    seed: int = 0,
    embedder: Embedder | None = None,
    models: Mapping[str, Embedder] | None = None,
    reranker: Reranker | None = None,
) -> Settings:
    """The settings of a run on one suite; the oracle's answers are the union over needs that share a wording."""
    unreadable = {file.path for file in suite.corpus.unreadable}
    answers: dict[str, dict[str, int]] = {}
    for query in suite.queries():
        grades = answers.setdefault(query.wording.text, {})
        for doc_id, grade in query.need.expected.items():
            if doc_id in unreadable:
                continue  # no document that a variant could rank
            grades[doc_id] = max(grade, grades.get(doc_id, 0))
    aliases = find_overlay(suite.corpus)
    return Settings(
        budget_bytes=budget_bytes,
        seed=seed,
        answers=answers,
        aliases=aliases,
        embedder=embedder,
        models=models or {},
        reranker=reranker,
    )


class SuiteRunner:
    """One variant on one suite: built at the first query, each query asked once."""

    def __init__(
        self,
        suite: Suite,
        variant: Variant,
        *,
        settings: Settings | None = None,
        depth: int = DEFAULT_DEPTH,
        clock: Clock = time.perf_counter,
    ) -> None:
        check_positive("depth", depth)
        self.suite = suite
        self.variant = variant
        self.settings = settings or build_settings(suite)
        self.depth = depth
        self.error: str | None = None
        self._clock = clock
        self._queries = {query.id: query for query in suite.queries()}
        self._documents = {document.doc_id: document for document in suite.corpus.documents}
        self._unreadable = {file.path: file for file in suite.corpus.unreadable}
        self._retriever: Retriever | None = None
        self._build_seconds: float | None = None
        self._seconds: list[float] = []
        self._results: dict[str, QueryResult] = {}

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The ids of all queries, in file order."""
        return tuple(self._queries)

    def query_ids_of(self, need_id: str) -> tuple[str, ...]:
        """The ids of the queries of one need."""
        return tuple(query.id for query in self._queries.values() if query.need.id == need_id)

    def line_of(self, query_id: str) -> int | None:
        """The line of the query's need in its file, from 1."""
        return self._queries[query_id].need.line

    def run_query(self, query_id: str) -> QueryResult:
        """The result of one query; ungradable when the variant breaks, which is never an exception here."""
        if query_id not in self._results:
            self._results[query_id] = self._ask(self._queries[query_id])
        return self._results[query_id]

    def outline_query(self, query_id: str) -> QueryResult:
        """What a query asks and expects, as the record of one that was not asked: ungradable."""
        return self._grade(self._queries[query_id], None, "was not asked")

    def describe_timing(self) -> dict[str, object]:
        """Seconds to build and milliseconds per query of what ran so far."""
        return {"build_seconds": self._build_seconds, **summarise_seconds(self._seconds)}

    def _ask(self, query: Query) -> QueryResult:
        unreadable = [self._unreadable[doc_id] for doc_id in sorted(query.need.relevant) if doc_id in self._unreadable]
        if unreadable:
            return self._grade(query, None, f"cannot read what answers it: {', '.join(map(str, unreadable))}")
        try:
            retriever = self._build()
            with name_breakage():
                start = self._clock()
                answer = retriever.search(query.wording.text)
                self._seconds.append(self._clock() - start)
                check_answer(answer, self._documents.keys())
        except UngradableError as error:
            return self._grade(query, None, str(error))
        return self._grade(query, answer, None)

    def _build(self) -> Retriever:
        if self.error is not None:
            raise UngradableError(self.error)
        if self._retriever is None:
            start = self._clock()
            try:
                self._retriever = open_retriever(lambda: self.variant.build(self.suite.corpus.documents, self.settings))
            except UngradableError as error:
                self.error = str(error)
                raise
            self._build_seconds = self._clock() - start
        return self._retriever

    def _grade(self, query: Query, answer: Answer | None, broken: str | None) -> QueryResult:
        need = query.need
        relevant = need.relevant
        shown = answer.shown if answer else ()
        ranks = {hit.doc_id: rank for rank, hit in enumerate(answer.hits, start=1)} if answer else {}
        evidence_shown = None
        if answer and relevant and need.evidence is not None:
            snippets = [block.snippet for block in answer.blocks if block.doc_id in relevant]
            evidence_shown = is_evidence_shown(need.evidence, snippets)
        verdict = "ungradable" if answer is None else "hit" if is_hit(shown, relevant) else "miss"
        reason = broken
        if answer is not None and verdict == "miss":
            expected = [self._documents[doc_id] for doc_id in sorted(relevant)]
            reason = explain_miss(query.wording.text, answer, ranks, expected)
        return QueryResult(
            id=query.id,
            need=need.id,
            wording=query.index,
            text=query.wording.text,
            lang=query.wording.lang or need.lang or self.suite.lang,
            kind=query.wording.kind,
            elicited=query.wording.elicited,
            tags=need.tags,
            must_find=query.wording.must_find,
            need_must_find=need.must_find,
            expected=dict(need.expected),
            expected_ranks={doc_id: ranks.get(doc_id) for doc_id in sorted(relevant)} if answer else {},
            verdict=verdict,
            found=is_found(shown, relevant) if answer else None,
            found_all=is_found_all(shown, relevant) if answer else None,
            matched=len(answer.hits) if answer else 0,
            shown=shown,
            bytes=bytes_shown(answer.text) if answer else 0,
            evidence_shown=evidence_shown,
            ranking=tuple((hit.doc_id, hit.score) for hit in answer.hits[: self.depth]) if answer else (),
            reason=reason,
        )


def run_variant(runner: SuiteRunner, ks: Sequence[int], progress: Progress | None) -> VariantResult:
    """The variant's results on all queries of the suite, with their summary, slices and curves."""
    total = len(runner.query_ids)
    queries = []
    for done, query_id in enumerate(runner.query_ids, start=1):
        queries.append(runner.run_query(query_id))
        if progress is not None:
            progress(runner.suite.name, runner.variant.name, done, total)
    scored = score_results(queries, ks)
    return VariantResult(
        name=runner.variant.name,
        control=runner.variant.control,
        summary=summarise(scored, ks),
        slices=slice_queries(scored, ks),
        recall_curve=curve_recall(queries, runner.depth),
        found_by_wording=curve_found(queries),
        queries=tuple(queries),
        error=runner.error,
    )


def build_suite_result(suite: Suite, variants: tuple[VariantResult, ...]) -> SuiteResult:
    """The suite's results with what each pair of non-control variants found alone."""
    return SuiteResult(
        name=suite.name,
        corpus=suite.corpus.name,
        kind=suite.kind,
        lang=suite.lang,
        documents=len(suite.corpus.documents),
        needs=len(suite.needs),
        wordings=len(suite.queries()),
        unstored=sum(not need.relevant for need in suite.needs),
        unjudged_queries=suite.unjudged_queries,
        unknown_documents=suite.unknown_documents,
        licence=suite.corpus.licence,
        description=suite.corpus.description,
        unanswering={need.id: need.unanswering for need in suite.needs if need.unanswering},
        variants=variants,
        contrasts=contrast_variants(variants),
    )
