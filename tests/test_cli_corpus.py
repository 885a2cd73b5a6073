"""`memeval corpus`: lint and describe, their output and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from memeval.bench.suite import find_suites
from memeval.cli import main
from memeval.testbed.lint import ERROR, lint_suite

QUERIES = Path(__file__).parents[1] / "queries"
LEDGER = """\
memories: {any: {what: anything, tags: [ops, conventions], needs: [monitoring, vacation-days]}}
scripts: {Latin: en, Han: zh}
failures: {gap: {what: other words, kinds: [unseen-words]}, spacing: {what: runs, kinds: [spaced, unspaced]}}
controls: {}
suites: [shop.recall.yaml]
left_out: {}
rows:
  - {failure: gap, memory: any, script: Latin, covered: [redis-port]}
  - {failure: gap, memory: any, script: Han, uncovered: none written}
  - {failure: spacing, memory: any, script: Han, covered: [monitoring]}
  - {failure: spacing, memory: any, script: Latin, excluded: no such thing}
"""


def call(*arguments: object):
    """The result of the command line."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_warnings_only_exit_0(small_suite):
    """Warnings do not move the exit code; each stands on a line of its own, with its place, before the summary."""
    result = call("corpus", "lint", small_suite)
    assert result.exit_code == 0
    *findings, summary = result.stdout.splitlines()
    assert any(line.startswith(f"{small_suite}:13: warning[no-evidence] naming-rules") for line in findings)
    assert summary.startswith(f"{small_suite}: 4 needs, 7 wordings over 6 files")
    assert summary.endswith(f"0 errors, {len(findings)} warnings")


def test_one_is_singular(small_suite):
    """`1 warning`, `1 need`: figures are read aloud."""
    head, _, _ = small_suite.read_text(encoding="utf-8").partition("  - id: naming-rules")
    small_suite.write_text(head.replace("      - {text: cache", "      # - {text: cache"), encoding="utf-8")
    *_, summary = call("corpus", "lint", small_suite).stdout.splitlines()
    assert f"{small_suite}: 1 need, 1 wording over 6 files" in summary
    assert summary.endswith((": 0 errors, 1 warning", ": 0 errors, 0 warnings"))


def test_an_error_exits_1(small_suite):
    """A wording that is not of its kind is told with its own line."""
    text = small_suite.read_text(encoding="utf-8")
    small_suite.write_text(text.replace("cache container will not start", "redis is gone"), encoding="utf-8")
    result = call("corpus", "lint", small_suite)
    assert result.exit_code == 1
    assert f"{small_suite}:9: error[unseen-words-overlap] redis-port[1]" in result.stdout


@pytest.mark.parametrize("arguments", [["nowhere.recall.yaml"], []], ids=["missing", "no queries folder"])
def test_bad_input_exits_2(arguments, tmp_path, monkeypatch):
    """What cannot be read is no finding."""
    monkeypatch.chdir(tmp_path)
    result = call("corpus", "lint", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""


def test_json_has_findings_and_computed_kinds(small_suite):
    """The whole result as one object, also when there are errors."""
    text = small_suite.read_text(encoding="utf-8")
    small_suite.write_text(text.replace("kind: unseen-words", "kind: unseen"), encoding="utf-8")
    result = call("corpus", "lint", small_suite, "--json", "-k", "1")
    assert result.exit_code == 1
    (suite,) = json.loads(result.stdout)["suites"]
    assert suite["computed_kinds"]["redis-port[0]"] == "same-words"
    assert suite["computed_kinds"]["redis-port[1]"] == "unseen-words"
    unknown = [finding for finding in suite["findings"] if finding["code"] == "unknown-kind"]
    assert [(finding["need"], finding["wording"]) for finding in unknown] == [("redis-port", 1)]


def test_free_wordings_are_counted(small_suite):
    """The summary tells how many free wordings share no word with their answer."""
    text = small_suite.read_text(encoding="utf-8").replace("- port conflict", "- {text: cache, elicited: free}")
    small_suite.write_text(text, encoding="utf-8")
    assert "1 of 1 free ones share no word" in call("corpus", "lint", small_suite).stdout


def test_overlay_counts_when_asked(small_suite):
    """Aliases beside the corpus are words of a file with --aliases only."""
    overlay = small_suite.parents[1] / "store" / "aliases.yaml"
    overlay.write_text("projects/shop-1a2b3c4d/notes/redis-deploy.md: [cache trouble]\n", encoding="utf-8")
    text = small_suite.read_text(encoding="utf-8").replace("cache container will not start", "cache broken")
    small_suite.write_text(text, encoding="utf-8")
    assert "unseen-words-overlap" not in call("corpus", "lint", small_suite).stdout
    assert "unseen-words-overlap" in call("corpus", "lint", small_suite, "--aliases").stdout


def test_a_ledger_is_held_against_its_folder(small_suite):
    """coverage.yaml of a folder is checked with the folder; drift is an error."""
    folder = small_suite.parent
    (folder / "coverage.yaml").write_text(LEDGER, encoding="utf-8")
    assert call("corpus", "lint", folder).exit_code == 0
    (folder / "coverage.yaml").write_text(LEDGER.replace("covered: [monitoring]", "uncovered: none"), encoding="utf-8")
    result = call("corpus", "lint", folder)
    assert result.exit_code == 1
    assert "coverage.yaml:10: any × Han × spacing: uncovered, but the suites have monitoring" in result.stdout


def test_describe(small_suite):
    """The facts about a store, its overlay included."""
    store = small_suite.parents[1] / "store"
    (store / "aliases.yaml").write_text("MEMORY.md: [house rules, working hours]\n", encoding="utf-8")
    result = call("corpus", "describe", store)
    assert result.exit_code == 0
    assert "6 (1 long-term, 1 daily, 4 note)" in result.stdout
    assert "2 in the overlay for 1 file" in result.stdout


def test_describe_of_nothing_exits_2(tmp_path):
    """A folder that does not exist, or holds nothing to search, is bad input."""
    assert call("corpus", "describe", tmp_path / "gone").exit_code == 2
    assert call("corpus", "describe", tmp_path).exit_code == 2


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(
            path,
            id=path.name.removesuffix(".recall.yaml"),
            marks=[pytest.mark.slow] if path.name.startswith("ops-") else [],  # hundreds of wordings each
        )
        for path in find_suites(QUERIES)
    ],
)
def test_bundled_suites_have_no_error(path, load_bundled):
    """Everything bundled passes its own lint."""
    assert [str(finding) for finding in lint_suite(load_bundled(path)) if finding.severity == ERROR] == []
