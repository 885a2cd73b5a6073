"""The coverage ledger of a folder of suites, as a table for the report."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memeval.bench.evaluation import Table
from memeval.testbed.coverage import LEDGER_FILE, load_coverage, tabulate_coverage
from memeval.testbed.needs import Suite


def tabulate_ledger(folder: Path | str, suites: Iterable[Suite]) -> Table | None:
    """What the needs of a folder's suites cover, as `tabulate_coverage` has it; None where it has no coverage.yaml.

    Args:
        folder: the folder of the ledger.
        suites: those that were run; the ones the ledger counts are taken from them.

    Raises:
        SuiteFileError: the ledger is broken.
    """
    path = Path(folder) / LEDGER_FILE
    if not path.is_file():
        return None
    ledger = load_coverage(path)
    counted = {(Path(folder) / name).resolve() for name in ledger.suites}
    table = tabulate_coverage(ledger, [suite for suite in suites if Path(suite.path).resolve() in counted])
    return tuple(map(tuple, table))
