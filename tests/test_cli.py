"""The command line: its verbs explain themselves, refuse with the fix, and those of cli.py: init and export."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memeval.cli import main


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "nowhere.recall.yaml"), "does not exist"),
        (("run", "store"), "memeval init"),
        (("run", "--variant", "bm52"), "Did you mean 'bm25'"),
        (("run", "--fail-on-must-find", "--gate-variant", "oracle"), "add --variant oracle"),
        (("report", "queries/shop.recall.yaml"), "not an evaluation"),
    ],
)
def test_errors_name_the_fix_and_exit_with_2(cli, arguments, message):
    """Every refusal says what to do next."""
    result = cli(*arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_help_lists_verbs_as_one_comes_to_need_them(cli):
    """From the first suite on, not by the alphabet, and no sentence of theirs is cut."""
    listed = cli("--help").stdout.split("Commands:")[1]
    verbs = [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "]
    assert verbs[:3] == ["init", "run", "report"]
    assert set(verbs) == set(main.commands)
    assert "..." not in listed
    assert "..." not in cli("corpus", "--help").stdout.split("Commands:")[1]


def test_places_that_cannot_be_written_are_refused_before_the_run(cli, small_suite):
    """Exit 1 is kept for lost needs; a wrong place is bad input, told in one line."""
    Path("afile").write_text("x", encoding="utf-8")
    for arguments in (
        ("run", "--out", "afile/x"),
        ("run", "--json", "afile/x/e.json"),
        ("init", "store", "-o", "afile/x.recall.yaml"),
    ):
        result = cli(*arguments)
        assert result.exit_code == 2
        assert "afile" in result.output
        assert "Traceback" not in result.output


def test_init_writes_a_suite_that_runs(cli):
    """A person with a store gets a first suite with checked paths, and never loses one that is there."""
    result = cli("init", "store", "--out", "mine.recall.yaml")
    assert result.exit_code == 0, result.output
    assert cli("run", "mine.recall.yaml", "--out", "r").exit_code == 0
    again = cli("init", "store", "--out", "mine.recall.yaml")
    assert again.exit_code == 2
    assert "--force" in again.output


def test_init_says_which_files_have_no_need_yet(cli):
    """How many, and by which rule the others were chosen; nothing where every file has one."""
    folder = Path("many")
    folder.mkdir()
    for number in range(10):
        (folder / f"n{number}.md").write_text(f"# Heading {number}\n", encoding="utf-8")
    result = cli("init", "many")
    assert "many.recall.yaml: 10 files searched, 6 needs to start from\n4 files have no need yet: " in result.output
    for name in list(folder.iterdir())[:4]:
        name.unlink()
    assert "no need yet" not in cli("init", "many", "--force").output


def test_init_replaces_a_suite_as_a_whole(cli, monkeypatch):
    """With --force a failed write leaves the suite that was there; links stay links."""
    cli("init", "store", "--out", "mine.recall.yaml")
    kept = Path("mine.recall.yaml").read_bytes()
    Path("link.recall.yaml").symlink_to("mine.recall.yaml")
    assert cli("init", "store", "--name", "other", "--out", "link.recall.yaml", "--force").exit_code == 0
    assert Path("link.recall.yaml").is_symlink()
    changed = Path("mine.recall.yaml").read_bytes()
    assert changed != kept

    def fail(path, target):
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(Path, "replace", fail)
    assert cli("init", "store", "--out", "mine.recall.yaml", "--force").exit_code == 2
    assert Path("mine.recall.yaml").read_bytes() == changed


def test_init_stays_in_its_folder_and_prints_what_can_be_typed(cli):
    """A name is no path, and a path with a blank is quoted."""
    refused = cli("init", "store", "--name", "x/../../y")
    assert refused.exit_code == 2
    assert "letters, digits" in refused.output
    result = cli("init", "store", "--out", "two words/mine.recall.yaml")
    assert "memeval run 'two words/mine.recall.yaml'" in result.output


def test_init_and_run_take_stores_of_other_agents(cli):
    """A Claude Code projects folder gets a suite for the project that is named, and the suite runs."""
    for slug in ("-home-u-app", "-home-u-web"):
        folder = Path("claude/projects", slug, "memory")
        folder.mkdir(parents=True)
        (folder / "MEMORY.md").write_text("- [Build](build.md)\n", encoding="utf-8")
        (folder / "build.md").write_text("# Build with make\n", encoding="utf-8")
    assert "2 projects (-home-u-app, -home-u-web)" in cli("init", "claude").output
    result = cli("init", "claude", "--project", "-home-u-web", "--out", "web.recall.yaml")
    assert result.exit_code == 0, result.output
    assert "2 files searched" in result.output
    assert "projects/-home-u-web/memory/build.md" in Path("web.recall.yaml").read_text(encoding="utf-8")
    assert cli("run", "web.recall.yaml", "--out", "r").exit_code == 0


def test_export_gives_a_beir_folder_that_scores_the_same(cli):
    """What is exported can be run, with equal rankings."""
    assert cli("export", "queries/shop.recall.yaml", "--out", "beir").exit_code == 0
    cli("run", "queries/shop.recall.yaml", "--variant", "bm25", "--out", "a")
    cli("run", "beir", "--variant", "bm25", "--out", "b")
    first, second = (
        json.loads(Path(folder, "evaluation.json").read_text(encoding="utf-8"))["suites"][0]["variants"][0]
        for folder in "ab"
    )
    rankings = [[query["ranking"] for query in side["queries"]] for side in (first, second)]
    assert rankings[0] == rankings[1]


def test_export_gives_trec_files(cli):
    """One qrels file and one run a variant."""
    result = cli("export", "queries/shop.recall.yaml", "--format", "trec", "--variant", "bm25", "--out", "trec")
    assert result.exit_code == 0, result.output
    assert {path.name for path in Path("trec").iterdir()} == {"qrels.txt", "run.bm25.txt"}
    assert cli("export", "queries/shop.recall.yaml", "--format", "trec", "--out", "trec").exit_code == 2


def test_options_of_runs_are_refused_for_a_beir_folder(cli):
    """It holds no rankings."""
    for option in (("--variant", "bm25"), ("--embedder", "x"), ("--download",), ("--external", "mine=grep")):
        result = cli("export", "queries/shop.recall.yaml", "--out", "beir", *option)
        assert result.exit_code == 2
        assert f"{option[0]} changes nothing without --format trec" in result.stderr


def test_export_gives_as_few_ranks_as_asked_for(cli):
    """The depth of a run file may be below any cutoff: nothing is scored."""
    shallow = ("--format", "trec", "--variant", "recency", "--depth", "1")
    result = cli("export", "queries/shop.recall.yaml", *shallow, "--out", "trec")
    assert result.exit_code == 0, result.output
    assert len(Path("trec/run.recency.txt").read_text(encoding="utf-8").splitlines()) == 7


def test_variants_lists_every_variant(cli):
    """What `--variant` takes can be looked up."""
    from memeval.retrieval.recipes import VARIANTS

    output = cli("variants").output
    assert all(variant.name in output for variant in VARIANTS)


@pytest.mark.parametrize("verb", sorted(main.commands))
def test_every_verb_explains_itself_with_an_example(cli, verb):
    """`--help` shows a command a person could type."""
    output = cli(verb, "--help").output
    assert "memeval " + verb in output
