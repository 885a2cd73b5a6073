"""Agreement with trec_eval (pytrec_eval) and ir_measures on runs they read as we do."""

from __future__ import annotations

import random

import ir_measures
import pytest
import pytrec_eval
from ir_measures import Judged

from memeval.metrics.ranking import (
    judged_at,
    ndcg_at,
    precision_at,
    recall_at,
    reciprocal_rank,
    relevant_ids,
    success_at,
)

KS = (1, 3, 5, 10, 20, 100)
ORACLES = {"success": success_at, "recall": recall_at, "P": precision_at, "ndcg_cut": ndcg_at}


def random_run(seed: int) -> tuple[list[str], dict[str, int]]:
    """A ranking of 0 to 40 documents and graded judgements of 1 to 25, some of them outside the ranking."""
    rng = random.Random(seed)
    doc_ids = [f"文件/{i}.md" if i % 7 == 0 else f"d{i}" for i in range(60)]
    ranked = rng.sample(doc_ids, rng.randint(0, 40))
    grades = {doc_id: rng.choice((0, 0, 1, 1, 2, 3)) for doc_id in rng.sample(doc_ids, rng.randint(1, 25))}
    return ranked, grades


def falling_integers(ranked: list[str]) -> dict[str, float]:
    """The ranking as trec_eval keeps it: strictly falling integers, exact in single precision."""
    return {doc_id: float(len(ranked) - place) for place, doc_id in enumerate(ranked)}


RUNS = {f"q{seed}": random_run(seed) for seed in range(200)}


def test_equal_to_trec_eval_on_random_runs():
    """success, recall, precision, nDCG, reciprocal rank: equal to 1e-12 on 200 runs at six cutoffs."""
    measures = {f"{name}.{','.join(map(str, KS))}" for name in ORACLES} | {"recip_rank"}
    qrels = {query: grades for query, (_, grades) in RUNS.items()}
    run = {query: falling_integers(ranked) for query, (ranked, _) in RUNS.items() if ranked}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    compared = 0
    for query, (ranked, grades) in RUNS.items():
        if query not in theirs or not relevant_ids(grades):
            continue
        assert reciprocal_rank(ranked, grades) == pytest.approx(theirs[query]["recip_rank"], abs=1e-12)
        for name, metric in ORACLES.items():
            for k in KS:
                assert metric(ranked, grades, k) == pytest.approx(theirs[query][f"{name}_{k}"], abs=1e-12), (
                    query,
                    name,
                    k,
                )
                compared += 1
    assert compared > 4000


def test_judged_equals_ir_measures_on_random_runs():
    """judged@k equals ir_measures, a ranking shorter than k included."""
    qrels = {query: grades for query, (_, grades) in RUNS.items()}
    run = {query: falling_integers(ranked) for query, (ranked, _) in RUNS.items() if ranked}
    theirs = {(m.query_id, m.measure): m.value for m in ir_measures.iter_calc([Judged @ k for k in KS], qrels, run)}
    for query, (ranked, grades) in RUNS.items():
        for k in KS:
            if ranked:
                assert judged_at(ranked, grades, k) == pytest.approx(theirs[query, Judged @ k], abs=1e-12)
            else:
                assert judged_at(ranked, grades, k) is None


def test_raw_ties_are_why_exports_write_falling_integers():
    """Two documents with one raw score: a stands first here (doc_id ascending), b in trec_eval."""
    grades = {"a": 1, "b": 0}
    evaluator = pytrec_eval.RelevanceEvaluator({"q": grades}, {"success.1"})
    tied = evaluator.evaluate({"q": {"a": 0.5, "b": 0.5}})["q"]["success_1"]
    falling = evaluator.evaluate({"q": falling_integers(["a", "b"])})["q"]["success_1"]
    assert (success_at(["a", "b"], grades, 1), falling, tied) == (1.0, 1.0, 0.0)


def test_trec_eval_compares_scores_in_single_precision():
    """Raw scores that differ past single precision tie as well, so a raw score is no safe export either."""
    evaluator = pytrec_eval.RelevanceEvaluator({"q": {"a": 1, "b": 0}}, {"success.1"})
    assert evaluator.evaluate({"q": {"a": 0.5 + 1e-12, "b": 0.5}})["q"]["success_1"] == 0.0
