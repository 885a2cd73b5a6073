"""An evaluation's rankings as TREC files, so that other tools can score them."""

from __future__ import annotations

from pathlib import Path

from memeval.bench.evaluation import Evaluation
from memeval.errors import BenchmarkFormatError
from memeval.testbed.needs import Suite
from memeval.testbed.trec import write_qrels, write_run


def export_runs(suite: Suite, evaluation: Evaluation, folder: Path) -> list[Path]:
    """The paths written: `qrels.txt`, and `run.<variant>.txt` for each variant asked of the suite.

    Raises:
        BenchmarkFormatError: the folder holds such files already; those of another run must not be mixed in.
    """
    qrels = folder / "qrels.txt"
    if qrels.exists() or any(folder.glob("run.*.txt")):
        raise BenchmarkFormatError("holds TREC files already; export to an empty folder", path=str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    write_qrels(suite.qrels(), qrels)
    written = [qrels]
    for result in evaluation.suites:
        if result.name != suite.name:
            continue
        for variant in result.variants:
            path = folder / f"run.{variant.name}.txt"
            rankings = {query.id: [doc_id for doc_id, _ in query.ranking] for query in variant.queries}
            write_run(rankings, path, tag=variant.name)
            written.append(path)
    return written
