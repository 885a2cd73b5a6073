"""Evaluations made by hand for the tests of the report: every shape a record can have, without a search engine."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from random import Random

import pytest

from memeval.bench.evaluation import (
    Contrast,
    Evaluation,
    QueryResult,
    Slice,
    SuiteResult,
    Value,
    VariantResult,
)
from memeval.report import plots
from memeval.statistics.intervals import wilson

KS = (1, 2, 3, 5, 10, 20, 50, 100)
CAP = 8
"""Documents shown in these records."""


def average(values: Iterable[bool | float | None]) -> Value:
    defined = [float(value) for value in values if value is not None]
    return Value(sum(defined) / len(defined) if defined else None, len(defined))


def rate(values: Iterable[bool | None]) -> Value:
    """A rate with Wilson's interval, as if each value were of a need of its own."""
    defined = [value for value in values if value is not None]
    interval = wilson(sum(defined), len(defined))
    return dataclasses.replace(average(defined), interval=interval and tuple(interval))


def make_query(need: str, wording: int, text: str, rank: int | None, **more: object) -> QueryResult:
    """The answer that ranks the one expected file at `rank` (None: nothing matched); `expected={}` stores nothing."""
    expected = more.pop("expected", {f"notes/{need}.md": 1})
    depth = 0 if rank is None else max(rank, 12)
    wanted = next((doc_id for doc_id, grade in expected.items() if grade >= 1), None)
    ids = [wanted if place == rank and wanted else f"notes/other-{place:02}.md" for place in range(1, depth + 1)]
    shown = tuple(ids[:CAP])
    found = None if wanted is None else wanted in shown
    hit = not shown if found is None else found
    reason = None
    if not hit:
        reason = (
            f"false hit: {len(shown)} files shown although nothing is stored"
            if wanted is None
            else "not matched: no word of the query stands in the file"
            if rank is None
            else f"matched but not shown: {wanted} is rank {rank} of {depth}"
        )
    values = {
        "id": f"{need}[{wording}]",
        "need": need,
        "wording": wording,
        "text": text,
        "lang": "en",
        "kind": ("same-words", "paraphrase", "unseen-words")[wording % 3],
        "expected": expected,
        "verdict": "hit" if hit else "miss",
        "found": found,
        "found_all": found,
        "matched": depth,
        "shown": shown,
        "bytes": 1000 * len(shown),
        "ranking": tuple((doc_id, float(depth - place)) for place, doc_id in enumerate(ids)),
        "reason": reason,
    }
    return QueryResult(**(values | more))


def make_ungradable(query: QueryResult, reason: str) -> QueryResult:
    """The same question with a broken answer."""
    return make_query(
        query.need,
        query.wording,
        query.text,
        None,
        expected=query.expected,
        verdict="ungradable",
        found=None,
        found_all=None,
        reason=reason,
    )


def rank_of(query: QueryResult) -> int | None:
    relevant = {doc_id for doc_id, grade in query.expected.items() if grade >= 1}
    return next((place for place, (doc_id, _) in enumerate(query.ranking, start=1) if doc_id in relevant), None)


def summarise(queries: Sequence[QueryResult]) -> dict[str, Value]:
    gradable = [query for query in queries if query.verdict != "ungradable"]
    stored = [query for query in gradable if query.found is not None]
    empty = [query for query in gradable if query.found is None]
    top = {query.id: rank_of(query) or 1_000 for query in stored}
    return {
        "found": rate(query.found for query in stored),
        "found-first-wording": rate(query.found for query in stored if query.wording == 0),
        "success@1": rate(top[query.id] <= 1 for query in stored),
        "success@5": rate(top[query.id] <= 5 for query in stored),
        "recall@10": average(top[query.id] <= 10 for query in stored),
        "silent-miss-rate": rate(query.matched == 0 for query in stored),
        "false-hit-rate": rate(bool(query.shown) for query in empty),
        "documents-shown": average(len(query.shown) for query in gradable),
        "bytes-shown": average(query.bytes for query in gradable),
    }


def make_slices(queries: Sequence[QueryResult]) -> tuple[Slice, ...]:
    groups: dict[tuple[str, str], list[QueryResult]] = {}
    for query in queries:
        labels = [("lang", query.lang), ("kind", query.kind), ("elicited", query.elicited)]
        labels += [("wording", str(query.wording + 1)), *(("tag", tag) for tag in query.tags)]
        for dimension, label in labels:
            if label is not None:
                groups.setdefault((dimension, label), []).append(query)
    return tuple(
        Slice(dimension=dimension, label=label, queries=len(part), summary=summarise(part))
        for (dimension, label), part in sorted(groups.items())
    )


def make_variant(name: str, queries: Sequence[QueryResult], **more: object) -> VariantResult:
    """A variant whose summary, slices and curves follow from its queries."""
    stored = [query for query in queries if query.found is not None]
    needs: dict[str, list[bool | None]] = {}
    for query in stored:
        needs.setdefault(query.need, []).append(query.found)
    longest = max(map(len, needs.values()), default=0)
    curve = [(k, average((rank_of(query) or 1_000) <= k for query in stored)) for k in KS]
    return VariantResult(
        name=name,
        summary=summarise(queries),
        slices=make_slices(queries),
        recall_curve=tuple(curve),
        found_by_wording=tuple(
            (number, average(any(row[:number]) for row in needs.values() if len(row) >= number))
            for number in range(1, longest + 1)
        ),
        queries=tuple(queries),
        **more,
    )


def make_suite(name: str, variants: Sequence[VariantResult], **more: object) -> SuiteResult:
    """A suite around its variants, with the contrasts of those that are no controls."""
    queries = variants[0].queries if variants else ()
    needs = {query.need: any(grade >= 1 for grade in query.expected.values()) for query in queries}
    systems = [variant for variant in variants if not variant.control]
    contrasts = []
    for place, first in enumerate(systems):
        for second in systems[place + 1 :]:
            ids = [{query.id: None for query in variant.queries if query.found} for variant in (first, second)]
            contrasts.append(
                Contrast(
                    first=first.name,
                    second=second.name,
                    only_first=tuple(query_id for query_id in ids[0] if query_id not in ids[1]),
                    only_second=tuple(query_id for query_id in ids[1] if query_id not in ids[0]),
                )
            )
    values = {
        "corpus": name,
        "kind": "recall",
        "documents": 48,
        "needs": len(needs),
        "wordings": len(queries),
        "unstored": sum(not stored for stored in needs.values()),
    }
    return SuiteResult(name=name, variants=tuple(variants), contrasts=tuple(contrasts), **(values | more))


def make_evaluation(*suites: SuiteResult) -> Evaluation:
    """A run over the suites, with a manifest, versions and timings like a real one's."""
    names = dict.fromkeys(variant.name for suite in suites for variant in suite.variants)
    return Evaluation(
        manifest={
            "suites": [
                {"name": suite.name, "suite_digest": "sha256:" + "ab" * 32, "corpus_digest": "sha256:" + "cd" * 32}
                for suite in suites
            ],
            "variants": [{"name": name, "configuration": {"k1": 1.5, "b": 0.75}, "source": "a|b"} for name in names],
            "ks": [1, 5, 10],
            "budget_bytes": 16384,
            "depth": 100,
            "seed": 0,
        },
        versions={"python": "3.11.7", "memeval": "0.1.0"},
        timings={
            suite.name: {
                variant.name: {"build_seconds": 0.25, "p50_ms": 1.5, "p95_ms": 12.25, "max_ms": 140.0, "queries": 10}
                for variant in suite.variants
            }
            for suite in suites
        },
        suites=suites,
    )


@cache
def invent_suite(
    name: str, variants: tuple[str, ...], *, needs: int, wordings: int = 3, seed: int = 0, beir: bool = False
) -> SuiteResult:
    """A suite of any size with plausible ranks: later variants are better, later wordings harder."""
    random = Random(seed)
    tags = [f"tag-{number:02}" for number in range(16)]
    results = []
    for strength, variant in enumerate(variants, start=1):
        queries = []
        for number in range(needs):
            for wording in range(wordings):
                rank = int(random.expovariate(0.15 + 0.05 * strength) * (1 + wording)) + 1
                stored = number % 10 != 9
                queries.append(
                    make_query(
                        f"need-{number:03}",
                        wording,
                        f"how do we handle case {number} {'again ' * wording}".strip(),
                        None if random.random() < 0.1 * wording or (not stored and strength % 2) else rank,
                        id=f"q{number}" if beir else f"need-{number:03}[{wording}]",
                        expected={f"notes/need-{number:03}.md": 1} if stored else {},
                        lang=("en", "zh")[number % 2],
                        elicited="free" if wording == 0 else "requested",
                        tags=() if beir else (tags[number % 16], "ops"),
                        kind=None if beir else ("same-words", "paraphrase", "unseen-words")[wording % 3],
                        need_must_find=number % 7 == 0,
                    )
                )
        control = variant in {"random", "recency", "filename", "oracle"}
        results.append(make_variant(variant, queries, control=control))
    return make_suite(name, results, kind="beir" if beir else "recall", documents=7425 if beir else 48)


@pytest.fixture
def small() -> Evaluation:
    """One English suite of four needs, two variants and a control."""
    texts = {
        "redis-port-clash": ["port conflict", "cache container will not start"],
        "sso-callback": ["login loop", "redirect after sign-in fails", "sso url"],
        "backup-window": ["when do backups run", "nightly dump time"],
        "lunch-menu": ["what is for lunch"],
    }
    ranks = {
        "article": {
            "redis-port-clash": [1, None],
            "sso-callback": [None, None, None],
            "backup-window": [2, 9],
            "lunch-menu": [None],
        },
        "bm25": {
            "redis-port-clash": [1, 4],
            "sso-callback": [None, 3, 6],
            "backup-window": [10, 1],
            "lunch-menu": [3],
        },
        "oracle": {
            "redis-port-clash": [1, 1],
            "sso-callback": [1, 1, 1],
            "backup-window": [1, 1],
            "lunch-menu": [None],
        },
    }
    variants = []
    for name, needs in ranks.items():
        queries = [
            make_query(
                need,
                wording,
                texts[need][wording],
                rank,
                tags=("ops", "cache") if need == "redis-port-clash" else ("ops",),
                need_must_find=need == "sso-callback",
                **({"expected": {}} if need == "lunch-menu" else {}),
            )
            for need, places in needs.items()
            for wording, rank in enumerate(places)
        ]
        variants.append(make_variant(name, queries, control=name == "oracle"))
    description = "Memory of a small operations team."
    return make_evaluation(make_suite("ops-en", variants, description=description, licence="MIT"))


@pytest.fixture
def invent() -> Callable[..., SuiteResult]:
    return lambda name, variants, **more: invent_suite(name, tuple(variants), **more)


@pytest.fixture
def evaluate() -> Callable[..., Evaluation]:
    return make_evaluation


@pytest.fixture
def blank_pictures(monkeypatch) -> None:
    """Plots are filled, named and put beside the report, but not laid out and drawn, which takes most of their time."""
    from matplotlib.figure import Figure

    @contextmanager
    def leave_blank(_plotter: plots.Plotter) -> Iterator[Figure]:
        yield Figure()

    monkeypatch.setattr(plots.Plotter, "_picture", leave_blank)
    monkeypatch.setattr(plots, "write_png", lambda figure, path: path.write_bytes(b"PNG"))
