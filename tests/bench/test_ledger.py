"""The coverage ledger of a run."""

from __future__ import annotations

import dataclasses

import pytest

from memeval.bench.evaluation import Evaluation
from memeval.bench.ledger import tabulate_ledger
from memeval.bench.record import decode_evaluation, encode_evaluation
from memeval.bench.suite import load_suite
from memeval.errors import SuiteFileError
from memeval.testbed.coverage import load_coverage, tabulate_coverage

LEDGER = """\
memories: {any: {what: anything, tags: [ops, conventions], needs: [monitoring, vacation-days]}}
scripts: {Latin: en, Han: zh}
failures: {gap: {what: other words, kinds: [unseen-words]}}
controls: {}
suites: [shop.recall.yaml]
left_out: {}
rows:
  - {failure: gap, memory: any, script: Latin, covered: [redis-port]}
  - {failure: gap, memory: any, script: Han, uncovered: none written}
"""


@pytest.fixture
def folder(small_suite):
    """The folder of the small suite, with a ledger."""
    (small_suite.parent / "coverage.yaml").write_text(LEDGER, encoding="utf-8")
    return small_suite.parent


def test_the_suites_of_the_ledger_are_counted(folder, small_suite, tmp_path, monkeypatch):
    """The table is that of the ledger over its own suites, however they are named; others do not count."""
    monkeypatch.chdir(folder)
    suite = load_suite("./shop.recall.yaml")
    other = dataclasses.replace(suite, path=str(tmp_path / "elsewhere.recall.yaml"))
    table = tabulate_ledger(folder, [other, suite, other])
    assert table == (("failure mode", "Latin", "Han"), ("gap", "1 (1 of 1)", "0 (0 of 1)"))
    assert [*map(list, table)] == tabulate_coverage(load_coverage(folder / "coverage.yaml"), [suite])


def test_no_ledger_no_table(small_suite):
    """A folder without one, and a path that is a suite."""
    assert tabulate_ledger(small_suite.parent, []) is None
    assert tabulate_ledger(small_suite, []) is None


def test_a_broken_ledger_is_refused(folder):
    """With its place, as everywhere."""
    (folder / "coverage.yaml").write_text("memories: {}\n", encoding="utf-8")
    with pytest.raises(SuiteFileError, match=r"coverage\.yaml:1"):
        tabulate_ledger(folder, [])


def test_the_record_keeps_the_table():
    """Read back it is the same; a record of before has none."""
    evaluation = Evaluation(manifest={}, suites=(), coverage=((("failure mode", "Latin"), ("gap", "1 (1 of 1)")),))
    data = encode_evaluation(evaluation)
    assert data["coverage"] == [[["failure mode", "Latin"], ["gap", "1 (1 of 1)"]]]
    assert decode_evaluation(data) == evaluation
    data.pop("coverage")
    assert decode_evaluation(data).coverage == ()
