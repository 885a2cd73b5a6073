"""An evaluation as a pandas frame. The only home of pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memeval.bench.evaluation import Evaluation
from memeval.bench.summary import DEFAULT_DEPTH, DEFAULT_KS, check_cutoffs, score_result

if TYPE_CHECKING:
    import pandas


def build_frame(evaluation: Evaluation) -> pandas.DataFrame:
    """One row per suite × variant × query: who asked what, the verdict, and every metric (missing where undefined).

    Columns: suite, variant, id, need, wording, text, lang, kind, elicited, tags, verdict, matched, shown, then the
    metrics of the summary by their names.

    Raises:
        RunSettingError: the rankings are not stored as deep as the cutoffs of the run.
    """
    import pandas

    ks = tuple(evaluation.manifest.get("ks", DEFAULT_KS))
    check_cutoffs(ks, evaluation.manifest.get("depth", DEFAULT_DEPTH))
    rows = [
        {
            "suite": suite.name,
            "variant": variant.name,
            "id": query.id,
            "need": query.need,
            "wording": query.wording,
            "text": query.text,
            "lang": query.lang,
            "kind": query.kind,
            "elicited": query.elicited,
            "tags": query.tags,
            "verdict": query.verdict,
            "matched": query.matched,
            "shown": query.shown,
            **{name: None if score is None else float(score) for name, score in score_result(query, ks).items()},
        }
        for suite in evaluation.suites
        for variant in suite.variants
        for query in variant.queries
    ]
    frame: pandas.DataFrame = pandas.DataFrame(rows)
    return frame
