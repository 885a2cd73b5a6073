"""`memeval baseline`: saved, listed, shown, blessed and pruned, in a checkout of git and without one."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from memeval.bench.evaluation import Evaluation
from memeval.cli import main

SUITE = "queries/shop.recall.yaml"
COMMITTED = Path("reports/baseline")


@pytest.fixture
def cli(monkeypatch, small_suite, no_pictures):
    """Run the command line in the folder that holds store/ and queries/, outside of any checkout."""
    monkeypatch.chdir(small_suite.parent.parent)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(small_suite.parent.parent.parent))
    for name in ("GITHUB_HEAD_REF", "GITHUB_REF_NAME"):
        monkeypatch.delenv(name, raising=False)
    runner = CliRunner()

    def run(*args: str):
        return runner.invoke(main, [str(arg) for arg in args], catch_exceptions=False)

    return run


def git(*arguments: str) -> str:
    """What git says, as somebody whom no configuration of this machine knows."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    run = subprocess.run(["git", *who, *arguments], check=True, capture_output=True, text=True)
    return run.stdout.strip()


def commit() -> str:
    """The commit, on branch main, of everything but the reports of runs."""
    if not Path(".git").exists():
        git("init", "--quiet", "--initial-branch", "main")
    git("add", "store", "queries", *(["reports/baseline"] if COMMITTED.exists() else []))
    git("commit", "--quiet", "--message", "x")
    return git("rev-parse", "HEAD")


def measure(cli, variant: str = "current", *options: str) -> None:
    """Ask the small suite of one variant."""
    result = cli("run", SUITE, "--variant", variant, *options)
    assert result.exit_code == 0, result.output


def test_a_baseline_is_found_by_all_that_it_is(cli):
    """By number, name, branch and commit; it holds the run to the last byte of its rankings."""
    measure(cli)
    sha = commit()
    result = cli("baseline", "save", "--name", "before")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"reports/baselines/0001.json: before (baseline 1, {sha[:7]}), from reports/latest\n"
    assert Evaluation.load("reports/baselines/0001.json") == Evaluation.load("reports/latest/evaluation.json")
    for address in ("1", "before", "main", sha[:7], sha, "reports/baselines/0001.json", "reports/latest"):
        compared = cli("compare", address)
        assert compared.exit_code == 0, (address, compared.output)
        assert "· shop · current ·" in compared.stdout.splitlines()[0]
    shown = cli("baseline", "show", "before").stdout
    assert "main" in shown
    assert "1 suite · current · 4 needs, 7 wordings · depth 100" in shown


def test_the_list_says_what_there_is(cli):
    """In a line each, or as JSON; nothing is told, too."""
    assert cli("baseline", "list").stdout.startswith("no baseline is saved")
    measure(cli)
    sha = commit()
    assert cli("baseline", "save").exit_code == 0
    Path("store/MEMORY.md").write_text("changed\n")
    result = cli("baseline", "save", "--name", "later")
    assert "changes that no commit holds" in result.stderr
    Path("reports/baselines/0003.json").write_text("torn")
    lines = cli("baseline", "list").stdout.splitlines()
    assert lines[0] == "reports/baselines/: 3 baselines"
    assert lines[1].endswith(f"main  {sha[:7]}")
    assert lines[2].endswith(f"main  {sha[:7]}  later  (with uncommitted changes)")
    assert lines[3] == "reports/baselines/0003.json: cannot be read (is no evaluation)"
    data = json.loads(cli("baseline", "list", "--json").stdout)
    assert [(one["number"], one["name"], one["commit"]) for one in data] == [
        (1, None, sha),
        (2, "later", sha),
        (3, None, None),
    ]


def test_without_git_a_baseline_has_a_number_and_a_name(cli):
    """Nothing is made up."""
    measure(cli)
    assert cli("baseline", "save", "--name", "mine").stdout.startswith("reports/baselines/0001.json: mine (baseline 1)")
    assert json.loads(cli("baseline", "show", "1", "--json").stdout)["commit"] is None
    assert cli("compare", "mine").exit_code == 0


def test_blessing_says_what_changed_and_why(cli):
    """The committed baseline, its report, and a record that grows at its top."""
    measure(cli)
    result = cli("baseline", "bless", "--why", "the first one", "--variant", "current")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("reports/baseline/evaluation.json: blessed, from reports/latest; the first one\n")
    assert {path.name for path in COMMITTED.iterdir()} == {"evaluation.json", "report.md", "blessed.md"}
    measure(cli, "bm25", "--variant", "current")
    again = cli("baseline", "bless", "--why", "one\nmore *variant*", "--variant", "current", "--depth", "20")
    assert again.exit_code == 0
    assert "1 change against the one before" in again.stdout
    text = (COMMITTED / "blessed.md").read_text(encoding="utf-8")
    assert text.startswith("# Why this baseline is as it is\n\nNewest first.\n\n## ")
    assert text.index("one more &#42;variant&#42;") < text.index("the first one")
    assert "- new: variant bm25 of shop" in text
    blessed = Evaluation.load(COMMITTED / "evaluation.json")
    assert blessed.manifest["depth"] == 20
    shown = cli("baseline", "show", "baseline").stdout
    assert "one more *variant*" in shown
    assert "new: variant bm25 of shop" in shown
    assert cli("compare", "baseline").exit_code == 0


def test_a_baseline_of_less_than_before_is_told(cli):
    """Whoever blesses a run of one variant reads which others are no longer in the baseline."""
    measure(cli, "bm25", "--variant", "current")
    assert "no longer" not in cli("baseline", "bless", "--why", "both", "--variant", "current").stderr
    measure(cli)
    result = cli("baseline", "bless", "--why", "one", "--variant", "current")
    assert (result.exit_code, "no longer in the baseline: variant bm25;" in result.stderr) == (0, True)


def test_a_broken_promise_is_not_blessed(cli):
    """`grep` does not find what must be found: exit 1, named, and nothing is written."""
    measure(cli, "grep")
    result = cli("baseline", "bless", "--why", "x", "--variant", "grep")
    assert result.exit_code == 1
    assert "must find: shop · grep: redis-port (port conflict, cache container will not start)" in result.stderr
    assert not COMMITTED.exists()
    assert "--variant current was not run" in cli("baseline", "bless", "--why", "x", "--variant", "current").stderr
    assert cli("baseline", "bless", "--why", " ", "--variant", "grep").exit_code == 2


def test_ungradable_runs_are_not_blessed(cli):
    """A harness that broke is nobody's measure; saved, it says so."""
    measure(cli)
    file = Path("reports/latest/evaluation.json")
    file.write_text(file.read_text(encoding="utf-8").replace('"verdict": "miss"', '"verdict": "ungradable"'))
    result = cli("baseline", "bless", "--why", "x", "--variant", "current")
    assert (result.exit_code, COMMITTED.exists()) == (2, False)
    assert "ungradable" in cli("baseline", "save").stderr


def test_a_branch_stands_for_its_committed_baseline(cli):
    """Without anything saved here, git knows what was blessed there."""
    measure(cli)
    commit()
    assert "but there is no reports/baseline/evaluation.json in it" in cli("compare", "main").stderr
    assert cli("baseline", "bless", "--why", "x", "--variant", "current").exit_code == 0
    sha = commit()
    git("checkout", "--quiet", "-b", "feature")
    result = cli("compare", "main")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"main (reports/baseline/evaluation.json at {sha[:7]}) → reports/latest · shop")
    refused = cli("compare", "dev").stderr
    assert "unknown baseline 'dev'" in refused
    assert "Git knows no such branch or commit here." in refused


def test_pruning_keeps_the_newest_and_the_named(cli):
    """Of each branch as many as asked; what is named goes by its name alone."""
    measure(cli)
    commit()
    for options in ([], ["--name", "kept"], [], []):
        assert cli("baseline", "save", *options).exit_code == 0
    result = cli("baseline", "prune", "--keep", "1")
    assert result.stdout.splitlines()[-1] == "2 baselines left in reports/baselines/"
    assert [path.name for path in sorted(Path("reports/baselines").iterdir())] == ["0002.json", "0004.json"]
    assert cli("baseline", "prune", "kept", "2").stdout.splitlines()[-1] == "1 baseline left in reports/baselines/"
    assert "unknown baseline '9'" in cli("baseline", "prune", "9").stderr
    for arguments in ([], ["4", "--keep", "1"]):
        assert cli("baseline", "prune", *arguments).exit_code == 2


def test_names_and_addresses_that_mean_nothing_are_refused(cli):
    """With what there is."""
    measure(cli)
    assert "cannot name a baseline" in cli("baseline", "save", "--name", "7").stderr
    assert not Path("reports/baselines").exists()
    assert "unknown baseline 'x'" in cli("baseline", "show", "x").stderr
    assert cli("baseline", "show", "baseline").exit_code == 2


def test_a_name_that_is_taken_is_kept_unless_it_is_to_be_replaced(cli):
    """Of two with one name an address would mean the newer, unsaid: refused, with both ways out."""
    measure(cli)
    assert cli("baseline", "save", "--name", "before").exit_code == 0
    refused = cli("baseline", "save", "--name", "before")
    assert refused.exit_code == 2
    assert "--name before is taken by reports/baselines/0001.json (before (baseline 1))" in refused.stderr
    assert "`memeval baseline prune before`" in refused.stderr
    assert [path.name for path in Path("reports/baselines").iterdir()] == ["0001.json"]
    replaced = cli("baseline", "save", "--name", "before", "--replace")
    assert replaced.stdout.splitlines()[-1] == "removed reports/baselines/0001.json: before (baseline 1)"
    assert [path.name for path in Path("reports/baselines").iterdir()] == ["0002.json"]
    assert cli("baseline", "save", "--replace").exit_code == 2


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_baseline_keeps_why_the_ones_before_were_accepted(tmp_path):
    """Old figures and pictures go, blessed.md stays, the new figures come."""
    old = tmp_path / "reports" / "baseline"
    (old / "plots").mkdir(parents=True)
    for name in ("blessed.md", "evaluation.json", "plots/old.png"):
        (old / name).write_text("before", encoding="utf-8")
    program = tmp_path / "bin" / "memeval"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho now > reports/baseline/evaluation.json\n", encoding="utf-8")
    program.chmod(0o755)
    for name in ("pyproject.toml", "ready"):
        (tmp_path / name).touch()
    makefile = Path(__file__).parents[1] / "Makefile"
    made = ["make", "-f", str(makefile), "BIN=bin", "READY=ready", "baseline"]
    subprocess.run(made, cwd=tmp_path, check=True, capture_output=True)
    left = {path.name: path.read_text(encoding="utf-8") for path in old.iterdir()}
    assert left == {"blessed.md": "before", "evaluation.json": "now\n"}
