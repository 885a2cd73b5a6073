"""Systems from outside at the command line: `--external` and `--mcp` of `memeval run` and other verbs."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from memeval.cli import main
from memeval.retrieval.recipes import find_variant

SERVER = Path(__file__).parent / "retrieval" / "external" / "tinymcp.py"
PYTHON = shlex.quote(sys.executable)
SEARCH = """\
import pathlib, sys
root, query, k = sys.argv[1:]
texts = {path: path.read_text(encoding="utf-8") for path in sorted(pathlib.Path(root).rglob("*.md"))}
found = [path for path, text in texts.items() if any(word in text for word in query.split())]
sys.stdout.buffer.write("\\n".join(map(str, found[: int(k)])).encode())
sys.exit(not found)
"""


@pytest.fixture
def cli(monkeypatch, small_suite, no_pictures):
    """Run `memeval run` in the folder that holds store/, queries/ and a search of one's own, without the page."""
    monkeypatch.chdir(small_suite.parent.parent)
    Path("search.py").write_text(SEARCH, encoding="utf-8")

    def run(*args: object):
        return CliRunner().invoke(main, ["run", "--no-page", *(str(arg) for arg in args)], catch_exceptions=False)

    return run


def read_variants() -> dict:
    record = json.loads(Path("reports/latest/evaluation.json").read_text(encoding="utf-8"))
    return {variant["name"]: variant for variant in record["suites"][0]["variants"]}


def test_a_command_is_measured_beside_the_variants(cli):
    """Its name is in the table; the defaults stay, or those named."""
    mine = f"mine={PYTHON} search.py {{root}} {{query}} {{k}}"
    result = cli("-v", "grep", "--external", mine, "--external-no-match", 1, "--external-k", 3)
    assert result.exit_code == 0, result.output
    assert "mine" in result.stdout
    variants = read_variants()
    assert list(variants) == ["grep", "mine"]
    measured = {query["text"]: query["verdict"] for query in variants["mine"]["queries"]}
    assert (measured["port conflict"], measured["監控 設定"], measured["naming"]) == ("hit", "hit", "miss")


def test_a_command_that_fails_makes_its_queries_ungradable(cli):
    """Exit 2, with the reason in the record; the other variant is measured."""
    result = cli("-v", "grep", "--external", f"mine={PYTHON} search.py {{root}} {{query}} {{k}}")
    assert result.exit_code == 2
    measured = {query["text"]: query for query in read_variants()["mine"]["queries"]}
    assert measured["port conflict"]["verdict"] == "hit"
    assert measured["naming"]["verdict"] == "ungradable"
    assert measured["naming"]["reason"].endswith(
        "ended with exit code 1 and printed nothing; where that says that nothing was found, "
        "add --external-no-match 1 (no_match_exit=1 in Python)"
    )
    assert {query["verdict"] for query in read_variants()["grep"]["queries"]} <= {"hit", "miss"}


def test_a_server_is_measured_with_its_tool_and_arguments(cli):
    """The tool by its name; one argument for the query, others with values, `{k}` as a number."""
    server = f"theirs={PYTHON} {shlex.quote(str(SERVER))} {{root}} json"
    arguments = ("--mcp-argument", "query", "--mcp-argument", "limit={k}", "--external-k", 1)
    result = cli("-v", "grep", "--mcp", server, "--mcp-tool", "search_notes", *arguments)
    assert result.exit_code == 0, result.output
    theirs = read_variants()["theirs"]
    assert {len(query["ranking"]) for query in theirs["queries"]} == {0, 1}


def test_the_gate_holds_a_system_from_outside_to_account(cli):
    """It can be the variant under test."""
    nothing = f"mine={PYTHON} -c pass"
    result = cli("-v", "grep", "--external", nothing, "--fail-on-must-find", "--gate-variant", "mine")
    assert result.exit_code == 1
    assert "must-find gate on mine: 1 of 1 lost" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("verb", "told"),
    [
        (("retries", "-v", "grep"), "mine"),
        (("signals", "-v", "grep"), "variant mine"),
        (("diagnose", "queries/shop.recall.yaml", "-v", "grep"), "shop · mine: "),
        (("export", "queries/shop.recall.yaml", "-v", "grep", "--format", "trec", "-o", "trec"), "run.mine.txt"),
    ],
)
def test_every_verb_that_asks_variants_takes_a_system_from_outside(cli, verb, told):
    """Beside those named; its name is checked, too."""
    mine = f"{PYTHON} search.py {{root}} {{query}} {{k}}"
    result = CliRunner().invoke(main, [*verb, "--external", f"mine={mine}", "--external-no-match", "1"])
    assert result.exit_code == (2 if verb[0] == "signals" else 0), result.output  # too little data for a verdict
    assert told in result.stdout
    assert "ungradable" not in result.output
    refused = CliRunner().invoke(main, [*verb, "--external", f"grep={mine}"])
    assert refused.exit_code == 2
    assert "there is a variant 'grep' already" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--external", "grep -l {query}"], "write NAME=COMMAND"),
        (["--external", "=grep"], "write NAME=COMMAND"),
        (["--external", "mine="], "write NAME=COMMAND"),
        (["--external", "mine=grep 'x"], "is no command line"),
        (["--external", "bm25=grep"], "there is a variant 'bm25' already"),
        (["--external", "ripgrep=rg"], "there is a variant 'ripgrep' already"),
        (["--external", "mine=a", "--mcp", "mine=b"], "there is a variant 'mine' already"),
        (["--external-no-match", "1"], "--external-no-match changes nothing without --external"),
        (["--mcp-tool", "search"], "--mcp-tool changes nothing without --mcp"),
        (["--external", "mine=a", "--mcp-argument", "q"], "--mcp-argument changes nothing without --mcp"),
        (["--external-k", "3"], "--external-k changes nothing without --external or --mcp"),
        (["--mcp", "a=b", "--mcp-argument", "q", "--mcp-argument", "p"], "one argument takes the query"),
        (["--mcp", "a=b", "--mcp-argument", "query=1"], "--mcp-argument query=1: this argument takes the query"),
        (["--mcp", "a=b", "--mcp-argument", "q", "--mcp-argument", "q=1"], "--mcp-argument q=1: this argument takes"),
        (["--mcp", "a=b", "--mcp-argument", "=5"], "--mcp-argument =5: this argument has no name: write NAME=VALUE"),
        (["--external", "My=a"], "cannot name a variant"),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_is(cli, arguments, reason):
    """One line, exit 2, no report."""
    result = cli("-v", "grep", *arguments)
    assert result.exit_code == 2
    assert reason in result.stderr
    assert not Path("reports").exists()


def test_a_named_system_that_is_not_installed_is_refused_and_all_says_what_it_leaves_out(cli, monkeypatch):
    """One line that says how to get it, exit 2, no report; for `all` one line for those that are missing."""
    monkeypatch.setattr("memeval.retrieval.external.systems.find_spec", lambda _: None)
    monkeypatch.setattr("memeval.retrieval.external.ripgrep.shutil.which", lambda _: None)
    result = cli("-v", "grep", "-v", "ripgrep")
    assert result.exit_code == 2
    assert "the variant ripgrep is another system: there is no program rg: https://" in result.stderr.splitlines()[-1]
    assert not Path("reports").exists()
    monkeypatch.setattr("memeval.retrieval.recipes.VARIANTS", (find_variant("grep"),))
    assert cli("-v", "all").stderr.splitlines()[0] == (
        "memeval: note: not installed, so not in all: ripgrep, tantivy, lancedb, memsearch-real; "
        "`memeval list variants` says how"
    )
    assert list(read_variants()) == ["grep"]
