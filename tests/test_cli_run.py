"""`memeval run`, and what it shares with the verbs that read a store: warnings, refusals before the work is done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from memeval.cli import main

NOTES = Path("store/projects/shop-1a2b3c4d/notes")
STORE = ("store", "--project", "shop-1a2b3c4d")


@pytest.fixture
def cli(monkeypatch, small_suite, no_pictures):
    """Run the command line in the folder that holds store/ and queries/."""
    monkeypatch.chdir(small_suite.parent.parent)

    def run(*args: object):
        return CliRunner().invoke(main, [str(arg) for arg in args], catch_exceptions=False)

    return run


@pytest.mark.parametrize(
    "verb",
    [
        ("run", "queries", "-v", "grep"),
        ("init", *STORE),
        ("corpus", "describe", *STORE),
        ("corpus", "lint", "queries"),
        ("export", "queries/shop.recall.yaml", "--out", "beir"),
    ],
    ids=lambda verb: " ".join(verb[:2]),
)
def test_a_file_that_cannot_be_read_is_a_warning(cli, verb):
    """No need expects it, so the exit code and everything else stay as they are."""
    (NOTES / "bad.md").write_bytes(b"caf\xe9")
    result = cli(*verb)
    assert result.exit_code == 0, result.output
    (warning,) = [line for line in result.stderr.splitlines() if line.startswith("memeval: ")]
    assert warning.startswith("memeval: warning: ")
    assert "store: cannot read projects/shop-1a2b3c4d/notes/bad.md (not UTF-8: byte 0xe9 in line 1); it is" in warning


def test_a_huge_budget_is_no_cap(cli):
    """Whoever wants everything shown types a large number; the record can be read back."""
    result = cli("run", "queries", "-v", "bm25", "--budget", 10**30)
    assert result.exit_code == 0, result.output
    assert cli("report", "reports/latest/evaluation.json").exit_code == 0


@pytest.mark.parametrize("verb", ["run", "retries", "signals"])
def test_a_place_for_json_without_its_folder_is_refused(cli, verb):
    """Before anything is asked, and no folder is made: a typing error is no wish for one."""
    result = cli(verb, "queries", "-v", "grep", "--json", "nope/x.json")
    assert result.exit_code == 2
    assert "'nope/x.json': there is no folder nope to write it into; make it first" in result.stderr
    assert not Path("nope").exists()
    assert not Path("reports").exists()


def test_json_may_go_into_the_folder_of_the_report(cli):
    """The run makes that one itself, wherever it stands on the command line."""
    assert cli("run", "queries", "-v", "grep", "--json", "new/x.json", "--out", "new").exit_code == 0
    assert Path("new/x.json").read_bytes() == Path("new/evaluation.json").read_bytes()


def test_a_need_of_a_file_that_cannot_be_read_is_ungradable(cli):
    """Exit 2, the file in the report; the other needs are graded."""
    (NOTES / "redis-deploy.md").write_bytes(b"caf\xe9")
    result = cli("run", "queries", "-v", "grep", "--json", "out.json")
    assert result.exit_code == 2
    assert "redis-deploy.md (not UTF-8: byte 0xe9 in line 1)" in Path("reports/latest/report.md").read_text("utf-8")
    queries = json.loads(Path("out.json").read_text("utf-8"))["suites"][0]["variants"][0]["queries"]
    assert {query["need"] for query in queries if query["verdict"] == "ungradable"} == {"redis-port"}
    assert {query["verdict"] for query in queries if query["need"] != "redis-port"} <= {"hit", "miss"}


def test_misses_are_diagnosed_where_that_is_asked_for(cli):
    """The report names class and cheapest cure of each miss; without the option it is as it was."""
    assert cli("run", "queries", "-v", "article", "--diagnose", "--no-page").exit_code == 0
    report = Path("reports/latest/report.md")
    told = report.read_text(encoding="utf-8")
    assert "– **CJK segmentation**, cure: write the query with spaces: “監控 設定”" in told
    assert cli("run", "queries", "-v", "article", "--no-page").exit_code == 0
    assert "CJK segmentation" not in report.read_text(encoding="utf-8")
