"""`memeval compare`: what it opens, prints and writes, and how it exits."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from memeval.bench.comparison import Rules, Side, compare
from memeval.bench.measures import parse_gates
from memeval.bench.run import evaluate
from memeval.bench.suite import bundled_suites
from memeval.cli import main
from memeval.report.comparison import render_comparison
from memeval.retrieval.lexical import Bm25Index

SUITE = "queries/shop.recall.yaml"


@pytest.fixture
def cli(monkeypatch, small_suite, no_pictures):
    """Run the command line in the folder that holds store/ and queries/."""
    monkeypatch.chdir(small_suite.parent.parent)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(small_suite.parent.parent.parent))
    runner = CliRunner()

    def run(*args: str):
        return runner.invoke(main, [str(arg) for arg in args], catch_exceptions=False)

    return run


def measure(cli, folder: str = "reports/latest", *options: str) -> None:
    """Ask the small suite of BM25."""
    result = cli("run", SUITE, "--variant", "bm25", "--out", folder, *options)
    assert result.exit_code == 0, result.output


def edit(path: str, old: str, new: str) -> None:
    """Change a text of a file."""
    file = Path(path)
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def lose(folder: str) -> None:
    """As if the engine did not show the monitoring note any more."""
    file = Path(folder) / "evaluation.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    for query in data["suites"][0]["variants"][0]["queries"]:
        if query["need"] == "monitoring":
            query |= {"shown": [], "ranking": [], "matched": 0, "found": False, "verdict": "miss"}
            query["expected_ranks"] = dict.fromkeys(query["expected_ranks"])
    file.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")


@pytest.mark.slow
def test_the_comparison_in_the_readme_is_measured(monkeypatch):
    """The page shows what comes out, to the last character: BM25 on the bundled suite, its k1 1.5 and 3.0."""
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    block = readme.split("<!-- compare -->\n")[1].split("<!-- /compare -->")[0]
    shown = [line.removeprefix("    ") for line in block.splitlines()]
    suite = next(path for path in bundled_suites() if path.name == "ops-en.recall.yaml")
    base = evaluate(suite, ["bm25"])
    monkeypatch.setitem(Bm25Index.__init__.__kwdefaults__, "k1", 3.0)
    head = evaluate(suite, ["bm25"])
    (entry,) = head.manifest["variants"]
    configured = {**entry, "configuration": {**entry["configuration"], "k1": 3.0}}
    head = dataclasses.replace(head, manifest={**head.manifest, "variants": [configured]})
    rules = Rules(gates=parse_gates(["success@5:0needs"]), is_complete=True)
    sides = shown[0].split(" · ")[0].split(" → ")
    compared = compare(base, head, rules, base_side=Side(label=sides[0]), head_side=Side(label=sides[1]))
    assert render_comparison(compared).splitlines() == shown


def test_an_untouched_run_is_clean(cli):
    """The same inputs again: the first line says what was compared on what, the last the exit code."""
    measure(cli, "before")
    measure(cli)
    result = cli("compare", "before", "--gate", "success@5:0needs", "--gate", "found:0")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "before → reports/latest · shop · bm25 · 4 needs, 7 wordings in both"
    assert lines[-1] == "exit 0: every gate holds"


def test_a_lost_need_is_named(cli):
    """By its id and its words, and the gate that it broke; without a gate it is told and fails nothing."""
    measure(cli, "before")
    measure(cli)
    lose("reports/latest")
    result = cli("compare", "before", "--gate", "found:0needs")
    assert result.exit_code == 1
    assert 'monitoring[0]  "監控設定"' in result.stdout
    assert result.stdout.splitlines()[-1] == "exit 1: shop · bm25: found −1, 0 needs may be lost"
    assert cli("compare", "before", "--gate", "found:1need").exit_code == 0
    assert cli("compare", "before").exit_code == 0


def test_deleting_a_failing_need_does_not_help(cli):
    """It is named, with the words that would allow it."""
    measure(cli, "before")
    edit(SUITE, "  - id: naming-rules", "  - id: naming-other")
    measure(cli)
    result = cli("compare", "before", "--gate", "found:0needs")
    assert result.exit_code == 1
    assert "vanished  need naming-rules of shop: 'naming'  (--allow need:naming-rules)" in result.stdout
    assert cli("compare", "before", "--allow", "need:naming-rules").exit_code == 0


def test_other_files_are_no_comparison(cli):
    """A changed store: exit 3, and nothing is scored."""
    measure(cli, "before")
    edit("store/MEMORY.md", "Tuesdays", "Wednesdays")
    measure(cli)
    result = cli("compare", "before")
    assert result.exit_code == 3
    assert "the corpus is another one" in result.stdout.splitlines()[-1]


def test_json_for_machines(cli):
    """The whole comparison, strict, alone on standard output."""
    measure(cli, "before")
    measure(cli)
    lose("reports/latest")
    result = cli("compare", "before", "--gate", "found:0needs", "--json")
    data = json.loads(result.stdout)
    assert (result.exit_code, data["exit_code"]) == (1, 1)
    assert data["base"]["label"] == "before"
    assert [flip["query"] for flip in data["figures"][0]["flips"]] == ["monitoring[0]", "monitoring[1]"]


def test_what_nobody_judged_is_written_down(cli):
    """A patch in YAML; the gate it decides is open until then, or by choice not."""
    note = "projects/shop-1a2b3c4d/notes/監控.md"
    edit(SUITE, f"    expect: [{note}]", f"    expect: {{{note}: 1, MEMORY.md: 0}}")
    measure(cli, "before")
    measure(cli)
    other = "projects/shop-1a2b3c4d/notes/naming.md"
    lose("reports/latest")
    file = Path("reports/latest/evaluation.json")
    data = json.loads(file.read_text(encoding="utf-8"))
    for query in data["suites"][0]["variants"][0]["queries"]:
        if query["need"] == "monitoring":
            query |= {"shown": [other], "ranking": [[other, 1.0]], "matched": 1}
    file.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    result = cli("compare", "before", "--gate", "found:0needs", "--patch", "judge/me.yaml")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[-1].startswith("exit 0: undecided: found on shop · bm25")
    (suite,) = yaml.safe_load(Path("judge/me.yaml").read_text(encoding="utf-8"))
    assert suite["needs"] == [{"id": "monitoring", "expect": {other: None}}]
    assert cli("compare", "before", "--gate", "found:0needs", "--unjudged", "wrong").exit_code == 1


def test_the_front_is_shown_on_request(cli):
    """A table of what each variant finds, shows and takes."""
    assert cli("run", SUITE, "--variant", "bm25", "--variant", "grep").exit_code == 0
    result = cli("compare", "latest", "latest", "--front", "--variant", "bm25", "--suite", "shop")
    assert result.exit_code == 0, result.output
    assert "shop: found, KiB shown, ms a search" in result.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--gate", "recall@5:2needs"], "cannot be gated"),
        (["--gate", "success@5:2%"], "success@5:2needs"),
        (["--gate", "found:1", "--gate", "found:2"], "gated twice"),
        (["--allow", "redis-port"], "--allow redis-port: write one of suite, variant, need"),
        (["--require-significance"], "--require-significance changes nothing without --gate"),
        (["--unjudged", "wrong"], "--unjudged changes nothing without --gate"),
        (["--suite", "shpo"], "Did you mean 'shop'?"),
        (["--variant", "bm24"], "Did you mean 'bm25'?"),
        (["--patch", "queries"], "is a directory"),
    ],
)
def test_bad_options_name_the_fix(cli, options, message):
    """Exit 2, one line, and nothing is written."""
    measure(cli)
    result = cli("compare", "latest", *options)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (
            "nothing",
            "unknown baseline 'nothing'; known: baseline, latest. There is no git repository here (or no git), so",
        ),
        ("baseline", "reports/baseline/evaluation.json: cannot be read"),
        ("store", "unknown baseline 'store'"),
        (SUITE, "not an evaluation"),
    ],
)
def test_what_cannot_be_opened_is_told(cli, address, message):
    """A folder without an evaluation is none, and neither is a file of another kind."""
    measure(cli)
    result = cli("compare", address)
    assert result.exit_code == 2
    assert message in result.stderr
