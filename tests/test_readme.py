"""The README says what is true: its tables are the measured ones, its commands exist, its examples run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import memeval
from memeval.bench.comparison import Rules, compare
from memeval.bench.evaluation import Evaluation
from memeval.bench.measures import parse_gates
from memeval.bench.record import decode_evaluation
from memeval.cli import main
from memeval.report import render_terminal
from memeval.report.comparison import render_comparison
from memeval.report.notation import count
from memeval.report.tables import render_headline_table

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BASELINE = ROOT / "reports" / "baseline" / "evaluation.json"


@pytest.fixture(scope="module")
def record() -> dict:
    """The committed evaluation as JSON, read once."""
    return json.loads(BASELINE.read_text(encoding="utf-8"))


def read_block(name: str) -> str:
    """What stands between the markers of that name."""
    return README.split(f"<!-- {name} -->\n")[1].split(f"<!-- /{name} -->")[0].strip()


@pytest.mark.slow
def test_the_first_table_is_the_committed_baseline(record):
    """Figures in the README were measured: they are those of reports/baseline (`make baseline`)."""
    suites = [
        {**suite, "variants": [{**variant, "queries": []} for variant in suite["variants"]]}
        for suite in record["suites"]
    ]
    parts = []
    for suite in decode_evaluation({**record, "suites": suites}).suites:
        if not suite.name.startswith("ops-"):
            continue  # the stories are told one by one, in tests/test_stories.py
        parts.append(
            f"**{suite.name}**: {count(suite.documents, 'file')}, {count(suite.needs, 'need')}, "
            f"{count(suite.wordings, 'wording')}"
        )
        parts.append(render_headline_table(suite))
    assert read_block("bundled") == "\n\n".join(parts)


def test_the_figures_in_the_beginning_are_those_of_the_table():
    """The ranges that are told in words go from the least to the most of the four tables."""
    rows = [line.strip("| ").split(" | ") for line in read_block("bundled").splitlines() if line.startswith("| `")]
    beginning = " ".join(README.split("## Two commands")[0].split())
    for variant, column, sentence in (
        ("article", 1, "literally) finds {} of what"),
        ("article", 5, 'says "no matches" to {} of it'),
        ("article", 7, "instead of {}."),
        ("memeval", 1, "package, finds {} and"),
        ("memeval", 5, "says so to {};"),
        ("memeval", 7, "look through: {} files"),
        ("bm25", 1, "`bm25` finds {}."),
    ):
        figures = sorted((row[column].split()[0] for row in rows if row[0] == f"`{variant}`"), key=float)
        assert sentence.format(f"{figures[0]} to {figures[-1]}") in beginning


@pytest.mark.slow
def test_the_baseline_is_of_the_bundled_suites_as_they_are(record, bundled):
    """A changed corpus, suite or variant cannot leave old figures standing."""
    from memeval.bench.manifest import describe_run
    from memeval.retrieval.recipes import default_variants

    manifest = record["manifest"]
    now = describe_run(
        list(bundled.values()),
        default_variants(),
        ks=manifest["ks"],
        budget_bytes=manifest["budget_bytes"],
        depth=manifest["depth"],
        seed=manifest["seed"],
    )
    assert manifest == now, "run `make baseline` and look at what changed"


def test_the_overview_is_that_of_the_page():
    """Each row of the table of systems stands in the first one of reports/overview.md, in the same order."""
    page = (ROOT / "reports" / "overview.md").read_text(encoding="utf-8")
    table = page.split("## All of them\n\n")[1].split("\n\n")[0]
    shown = read_block("overview").splitlines()
    assert shown == [row for row in table.splitlines() if row in shown]
    assert {row.split(" | ")[0].strip("| ") for row in shown[2:]} >= {"memeval", "article", "bm25", "memsearch"}


@pytest.mark.slow
def test_search_is_as_good_as_the_baseline(bundled):
    """Measured again, no variant loses a need, net, by a primary metric; an order of exact ties is no loss."""
    stored = Evaluation.load(BASELINE)
    again = memeval.evaluate(list(bundled.values()), depth=stored.manifest["depth"])
    rules = Rules(gates=parse_gates(["found:0needs", "success@5:0needs", "success@10:0needs"]), is_complete=True)
    compared = compare(stored, again, rules)
    assert compared.exit_code == 0, render_comparison(compared)
    assert len(compared.variants) >= 5


@pytest.mark.slow
def test_what_a_run_says_is_what_it_says():
    """The output of `memeval run` that is shown comes out again, line by line."""
    evaluation = memeval.evaluate(ROOT / "queries" / "ops-ko.recall.yaml", ["article", "memeval"])
    told = [" ".join(line.split()) for line in render_terminal(evaluation).splitlines()]
    shown = [" ".join(line.split()) for line in read_block("run").splitlines()]
    assert shown == told[: len(shown)]
    assert len(shown) == 5


BENCHMARKS = ROOT.parent / "shared" / "benchmarks"
BENCHMARK_ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in README.split("| set |")[1].split("\n\n")[0].splitlines()[2:]
    if line.startswith("| ")
]


@pytest.mark.slow
@pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the public data is not part of this package")
@pytest.mark.parametrize("row", BENCHMARK_ROWS, ids=lambda row: row[0])
def test_the_second_table_is_measured(row):
    """The figures on public data come out again, to the last digit shown."""
    name, size, *figures = row[:8]
    if not (BENCHMARKS / name).is_dir():
        pytest.skip(f"{name} is not here")
    (suite,) = memeval.evaluate(BENCHMARKS / name, ["article", "bm25", "memeval"], depth=10).suites
    assert size == f"{suite.documents:,}, {suite.wordings}"
    measured = [variant.summary[metric] for metric in ("success@10", "found") for variant in suite.variants]
    assert figures == [f"{value.value:.2f}" for value in measured]


@pytest.mark.slow
def test_the_diagnosis_in_the_readme_comes_out():
    """Each line shown is one of the command's, as far as it is shown."""
    (command,) = re.findall(r"^    memeval (diagnose queries/.*)$", README, re.MULTILINE)
    arguments = [str(ROOT / word) if word.startswith("queries/") else word for word in command.split()]
    told = CliRunner().invoke(main, arguments).stdout.splitlines()
    lines = [
        line.removeprefix("    ") for line in README.split("<!-- diagnosis -->\n")[1].split("<!-- /")[0].splitlines()
    ]
    for line in lines:
        assert line.strip() == "…" or any(one.startswith(line.removesuffix(" …")) for one in told), line


def test_every_command_in_the_readme_exists():
    """A reader can type what is shown."""
    verbs = set(re.findall(r"(?:^ +|`|run: )memeval ([a-z]+)", README, re.MULTILINE))
    assert {"run", "init", "memory"} <= verbs <= set(main.commands)
    targets = set(re.findall(r"make ([a-z]+)", README))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(f"\n{target}:" in makefile for target in targets)


def test_every_verb_stands_in_the_readme():
    """A reader learns of each, those of `corpus` and `list` too; `report` and its like stand in the text."""
    verbs = set(main.commands) - {"corpus", "list"}
    verbs |= {f"{group} {verb}" for group in ("corpus", "list") for verb in main.commands[group].commands}
    missing = {verb for verb in verbs if not re.search(rf"(?:^ +|`|run: )memeval {verb}\b", README, re.MULTILINE)}
    assert not missing


def test_every_option_in_the_readme_exists():
    """No option is shown that the command line refuses."""
    verbs = list(main.commands.values())
    verbs += [verb for group in verbs for verb in getattr(group, "commands", {}).values()]
    known = {option for verb in verbs for parameter in verb.params for option in parameter.opts}
    of_pytest = {"--memeval-variant", "--memeval-baseline", "--lf", "--ff", "--sw", "--runxfail"}
    shown = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README)) - of_pytest
    assert shown <= known | {"--help"}, shown - known


def test_the_suite_in_the_readme_loads(tmp_path):
    """The format shown is the format read."""
    text = re.search(r"    suite: notes\n(?:    .*\n)+", README).group(0)
    note = tmp_path / "notes" / "projects" / "shop-1a2b3c4d" / "notes" / "redis-deploy.md"
    note.parent.mkdir(parents=True)
    note.write_text("docker-compose port mapping: 6380\n", encoding="utf-8")
    path = tmp_path / "queries" / "notes.recall.yaml"
    path.parent.mkdir()
    path.write_text("\n".join(line[4:] for line in text.splitlines()), encoding="utf-8")
    (need,) = memeval.load_suite(path).needs
    assert need.must_find
    assert [wording.text for wording in need.wordings] == ["port conflict", "cache container will not start"]


def test_the_python_in_the_readme_runs(memory_store, recall):
    """The fixtures do what the example says."""
    source = re.search(r"    def test_port_conflict.*\n(?:        .*\n)+", README).group(0)
    scope: dict = {}
    exec("\n".join(line[4:] for line in source.splitlines()), scope)
    scope["test_port_conflict"](memory_store, recall)
