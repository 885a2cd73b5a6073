"""`memeval run` over a folder with a coverage ledger: its table is recorded and stands in the report."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from memeval.cli import main

pytestmark = pytest.mark.usefixtures("no_pictures")

LEDGER = """\
memories: {any: {what: anything, tags: [ops, conventions], needs: [monitoring, vacation-days]}}
scripts: {Latin: en, Han: zh}
failures: {gap: {what: other words, kinds: [unseen-words]}}
controls: {}
suites: [shop.recall.yaml]
left_out: {}
rows:
  - {failure: gap, memory: any, script: Latin, covered: [redis-port]}
  - {failure: gap, memory: any, script: Han, excluded: no such thing}
"""


@pytest.fixture
def folder(small_suite, monkeypatch):
    """The folder of the small suite, called queries/, with a ledger; the working directory is the one above."""
    (small_suite.parent / "coverage.yaml").write_text(LEDGER, encoding="utf-8")
    monkeypatch.chdir(small_suite.parents[1])
    return small_suite.parent


def run(*arguments: object):
    """The result of a run of one variant."""
    return CliRunner().invoke(main, ["run", "--variant", "article", "--out", "out", *map(str, arguments)])


@pytest.mark.parametrize("arguments", [(), ("queries",)], ids=["default", "named"])
def test_the_ledger_of_a_folder_stands_in_its_report(folder, arguments):
    """Recorded with the evaluation, so that the report can be rendered again with it."""
    assert run(*arguments).exit_code == 0
    out = folder.parent / "out"
    page = (out / "report.md").read_text(encoding="utf-8")
    assert "## What the needs cover\n" in page
    assert "| failure mode | Latin | Han |\n| :--- | ---: | ---: |\n| gap | 1 (1 of 1) | – |\n" in page
    recorded = json.loads((out / "evaluation.json").read_text(encoding="utf-8"))["coverage"]
    assert recorded == [[["failure mode", "Latin", "Han"], ["gap", "1 (1 of 1)", "–"]]]
    (out / "report.md").unlink()
    assert CliRunner().invoke(main, ["report", str(out / "evaluation.json")]).exit_code == 0
    assert (out / "report.md").read_text(encoding="utf-8") == page


def test_a_suite_alone_has_no_ledger(folder, small_suite):
    """The ledger speaks of a folder; of one suite of it the report says nothing."""
    assert run(small_suite).exit_code == 0
    page = (folder.parent / "out" / "report.md").read_text(encoding="utf-8")
    assert "What the needs cover" not in page


def test_a_broken_ledger_costs_no_run(folder):
    """It is told on stderr with its place; the run is as clean as without it."""
    (folder / "coverage.yaml").write_text("memories: {}\n", encoding="utf-8")
    result = run("queries")
    assert result.exit_code == 0
    assert "the report comes without its coverage ledger: queries/coverage.yaml:1" in result.stderr.replace("\\", "/")
    assert "What the needs cover" not in (folder.parent / "out" / "report.md").read_text(encoding="utf-8")
