"""`memeval run`, and what it shares with the verbs that read a store: warnings, refusals before the work is done."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import memeval
from memeval.cli import main

NOTES = Path("store/projects/shop-1a2b3c4d/notes")
STORE = ("store", "--project", "shop-1a2b3c4d")


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


def test_run_without_arguments_asks_all_suites_of_the_default_variants(cli):
    """`memeval run` in a project writes the record, the report and a table."""
    from memeval.retrieval.recipes import default_variants

    result = cli("run")
    assert result.exit_code == 0, result.output
    assert "shop · 6 files · 4 needs, 7 wordings" in result.output
    assert {path.name for path in Path("reports/latest").iterdir()} >= {"evaluation.json", "report.md"}
    data = json.loads(Path("reports/latest/evaluation.json").read_text(encoding="utf-8"))
    asked = [variant["name"] for variant in data["suites"][0]["variants"]]
    assert asked == [variant.name for variant in default_variants()]


@pytest.mark.parametrize("option", ["-v", "--variant", "--variants"])
def test_the_option_for_variants_has_three_names(cli, option):
    """Whichever is written, and as often as there are variants."""
    result = cli("run", "queries/shop.recall.yaml", option, "grep", option, "article", "--no-page")
    assert result.exit_code == 0, result.output
    data = json.loads(Path("reports/latest/evaluation.json").read_text(encoding="utf-8"))
    assert [variant["name"] for variant in data["suites"][0]["variants"]] == ["grep", "article"]


@pytest.mark.slow
def test_a_run_draws_its_pictures(monkeypatch, small_suite):
    """The report's plots lie beside it."""
    monkeypatch.chdir(small_suite.parent.parent)
    assert CliRunner().invoke(main, ["run", "--variant", "grep"], catch_exceptions=False).exit_code == 0
    drawn = {path.name for path in Path("reports/latest").glob("*.png")}
    assert drawn == {"found.png", "recall-1-shop.png", "wordings-1-shop.png"}


def test_run_takes_cutoffs_variants_and_a_place_for_the_json(cli, no_models):
    """The options reach the record."""
    Path("out").mkdir()
    result = cli("run", "queries", "--variant", "all", "-k", "2", "--depth", "3", "--json", "out/e.json", "--out", "r")
    assert result.exit_code == 0, result.output
    data = json.loads(Path("out/e.json").read_text(encoding="utf-8"))
    assert data["manifest"]["ks"] == [2]
    names = [variant["name"] for variant in data["suites"][0]["variants"]]
    assert {"random", "recency", "filename", "oracle"} < set(names)
    assert all(len(query["ranking"]) <= 3 for variant in data["suites"][0]["variants"] for query in variant["queries"])
    assert Path("out/e.json").read_bytes() == Path("r/evaluation.json").read_bytes()


def test_json_to_standard_output_is_json_alone(cli):
    """`--json -` can be piped."""
    result = cli("run", "--variant", "article", "--json", "-")
    assert json.loads(result.stdout)["schema"] == 1


def test_a_lost_must_find_exits_with_1_only_when_asked(cli):
    """Quality never moves the exit code by itself."""
    assert cli("run", "--variant", "grep").exit_code == 0
    lost = cli("run", "--variant", "grep", "--fail-on-must-find")
    assert lost.exit_code == 1
    assert "must-find lost: shop · grep · redis-port" in lost.output
    assert cli("run", "--fail-on-must-find").exit_code == 0, "the default gate is the engine's default profile"
    assert cli("run", "--fail-on-must-find", "--gate-variant", "grep").exit_code == 1


def test_a_broken_suite_exits_with_2_and_says_where(cli, small_suite):
    """Bad input is the harness's trouble, never a quality verdict."""
    small_suite.write_text(small_suite.read_text(encoding="utf-8").replace("must_find", "must_fnd"), encoding="utf-8")
    result = cli("run")
    assert result.exit_code == 2
    assert "shop.recall.yaml:10" in result.output
    assert "must_find" in result.output


def test_an_ungradable_query_exits_with_2(cli, monkeypatch):
    """A variant that breaks is never read as a bad ranking."""
    from memeval.retrieval import recipes

    def fail(documents, settings):
        raise RuntimeError("broken on purpose")

    from dataclasses import replace

    broken = tuple(replace(variant, build=fail) if variant.name == "bm25" else variant for variant in recipes.VARIANTS)
    monkeypatch.setattr(recipes, "VARIANTS", broken)
    result = cli("run")
    assert result.exit_code == 2
    assert "ungradable" in result.output


def test_two_suites_of_one_name_are_refused(cli, small_suite):
    """Their results could not be told apart."""
    (small_suite.parent / "again.recall.yaml").write_bytes(small_suite.read_bytes())
    result = cli("run")
    assert result.exit_code == 2
    assert "give one of them another name" in result.output


def test_a_gate_without_any_promise_says_so(cli, small_suite):
    """Nothing lost is not the same as nothing promised."""
    text = small_suite.read_text(encoding="utf-8").replace("    must_find: true\n", "")
    small_suite.write_text(text, encoding="utf-8")
    result = cli("run", "--fail-on-must-find")
    assert result.exit_code == 0
    assert "no need is marked must_find" in result.output


def test_run_without_queries_says_how_to_begin(cli, tmp_path, monkeypatch):
    """An empty folder is not an error to puzzle over."""
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    result = cli("run")
    assert result.exit_code == 2
    assert "memeval init" in result.output


def test_run_with_aliases_needs_a_file_of_them(cli):
    """`--aliases` puts the overlay in and says so in the record; without the file it is refused."""
    refused = cli("run", "--aliases")
    assert refused.exit_code == 2
    assert "aliases.yaml" in refused.output
    Path("store/aliases.yaml").write_text("MEMORY.md: [house rules]\n", encoding="utf-8")
    result = cli("run", "--aliases", "--variant", "bm25", "--out", "r")
    assert result.exit_code == 0, result.output
    manifest = json.loads(Path("r/evaluation.json").read_text(encoding="utf-8"))["manifest"]
    assert [suite["aliases"] for suite in manifest["suites"]] == [True]


def test_cutoffs_beyond_the_depth_are_refused(cli):
    """Exit 2 and the fix, not a figure that is wrong."""
    result = cli("run", "--variant", "current", "-k", "5", "--depth", "3")
    assert result.exit_code == 2
    assert "k=5 is above depth=3" in result.output


@pytest.mark.slow
def test_bundled_suites_run_from_anywhere(tmp_path):
    """`memeval run --bundled` needs no file of the working folder."""
    environment = {**os.environ, "PYTHONPATH": str(Path(memeval.__file__).parents[1])}
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "memeval.cli",
            "run",
            "--bundled",
            "--variant",
            "filename",
            "--out",
            str(tmp_path / "r"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "ops-en" in run.stdout
    assert "ops-zh" in run.stdout
