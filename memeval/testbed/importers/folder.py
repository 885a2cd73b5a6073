"""Imported suites written to disk: a BEIR folder for each, and a note that says where it comes from."""

from __future__ import annotations

from pathlib import Path

from memeval.errors import BenchmarkFormatError
from memeval.testbed.beir import CORPUS, QRELS, QUERIES, export_beir
from memeval.testbed.importers.base import Dropped, Imported
from memeval.testbed.needs import Suite

NOTE = "NOTE.md"


def write_imported(imported: Imported, folder: Path | str) -> list[Path]:
    """The folders written, one for each suite: `folder`/<suite name> as a BEIR folder with a `NOTE.md`.

    A wording is a query there; its need and its place among the wordings stand in the query's metadata.

    Raises:
        BenchmarkFormatError: one of the files is there already; nothing was written.
    """
    targets = [Path(folder) / suite.name for suite in imported.suites]
    for target in targets:
        for name in (CORPUS, QUERIES, QRELS, NOTE):
            if (target / name).exists():
                raise BenchmarkFormatError("exists already; choose an empty folder", path=str(target / name))
    for suite, target in zip(imported.suites, targets, strict=True):
        export_beir(suite, target)
        dropped = [entry for entry in imported.dropped if entry.suite == suite.name]
        (target / NOTE).write_text(_describe(suite, imported, dropped), encoding="utf-8", newline="\n")
    return targets


def _describe(suite: Suite, imported: Imported, dropped: list[Dropped]) -> str:
    queries = suite.queries()
    unstored = sum(not need.relevant for need in suite.needs)
    left_out = [f"- {_count(entry)}" for entry in dropped] or ["Nothing."]
    lines = [
        f"# {suite.name}",
        "",
        *([suite.description, ""] if suite.description else []),
        f"- Licence: {imported.licence}",
        f"- Source: {Path(suite.path).name}, read by the importer `{imported.importer}`",
        f"- Documents: {len(suite.corpus.documents)} (`{suite.corpus.digest}`)",
        f"- Needs: {len(suite.needs)}, of which {unstored} with nothing stored (`{suite.digest}`)",
        f"- Queries: {len(queries)}, one for each wording; their metadata holds `need` and `wording`",
        "",
        "## Left out",
        "",
        *left_out,
    ]
    return "\n".join(lines) + "\n"


def _count(entry: Dropped) -> str:
    return str(entry).removeprefix(f"{entry.suite}: ")
