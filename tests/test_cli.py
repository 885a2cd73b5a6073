"""The command line: what it prints, what it writes, how it exits."""

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


@pytest.fixture
def cli(monkeypatch, small_suite, no_pictures):
    """Run the command line in the folder that holds store/ and queries/."""
    monkeypatch.chdir(small_suite.parent.parent)
    runner = CliRunner()

    def run(*args: str, stdin: str | bytes | None = None):
        return runner.invoke(main, [str(arg) for arg in args], input=stdin, catch_exceptions=False)

    return run


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


def test_report_renders_a_stored_evaluation_again(cli):
    """The same record gives the same page."""
    cli("run", "--out", "one")
    first = Path("one/report.md").read_bytes()
    result = cli("report", "one/evaluation.json", "--out", "two")
    assert result.exit_code == 0, result.output
    assert Path("two/report.md").read_bytes() == first


@pytest.mark.parametrize(
    "content",
    [b"\xff", b"[" * 100_000, b"[]", b'{"schema": 1}', b'{"schema": 1, "manifest": NaN}', b""],
    ids=["not UTF-8", "nested", "a list", "empty object", "NaN", "empty"],
)
def test_a_report_of_what_is_no_evaluation_exits_with_2(cli, content):
    """One line with the file, and nothing is written."""
    Path("e.json").write_bytes(content)
    result = cli("report", "e.json", "--out", "two")
    assert result.exit_code == 2
    assert result.stderr.startswith("memeval: e.json: not an evaluation of schema 1 (")
    assert len(result.stderr.splitlines()) == 1
    assert not Path("two").exists()


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


def test_export_gives_as_few_ranks_as_asked_for(cli):
    """The depth of a run file may be below any cutoff: nothing is scored."""
    shallow = ("--format", "trec", "--variant", "recency", "--depth", "1")
    result = cli("export", "queries/shop.recall.yaml", *shallow, "--out", "trec")
    assert result.exit_code == 0, result.output
    assert len(Path("trec/run.recency.txt").read_text(encoding="utf-8").splitlines()) == 7


def test_cutoffs_beyond_the_depth_are_refused(cli):
    """Exit 2 and the fix, not a figure that is wrong."""
    result = cli("run", "--variant", "current", "-k", "5", "--depth", "3")
    assert result.exit_code == 2
    assert "k=5 is above depth=3" in result.output


def test_import_writes_folders_that_run_and_says_what_was_left_out(cli):
    """A question set in SQuAD form becomes a BEIR folder with its licence."""
    answers = [{"text": "6380", "answer_start": 0}]
    questions = [{"id": "q1", "question": "Which port?", "answers": answers}]
    paragraphs = [{"context": "6380 is the port.", "qas": questions}, {"context": "Nothing here.", "qas": []}]
    Path("set.json").write_text(json.dumps({"version": "1", "data": [{"title": "T", "paragraphs": paragraphs}]}))
    refused = cli("import", "set.json", "--out", "made")
    assert refused.exit_code == 2
    assert "--licence" in refused.output
    result = cli("import", "set.json", "--licence", "MIT, a test", "--name", "ports", "--out", "made")
    assert result.exit_code == 0, result.output
    assert "MIT, a test" in result.output
    assert cli("run", "made/ports", "--variant", "bm25", "--out", "r").exit_code == 0


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


def test_memory_verbs_write_read_search_edit_and_list(cli):
    """The engine's tools work from the shell, in text and in JSON."""
    where = ("--root", "mem", "--project", "shop-1a2b3c4d", "--today", "2026-03-28")
    assert "Wrote" in cli("memory", "write", "note", "Redis listens on 6380.", "--name", "redis", *where).output
    assert cli("memory", "write", "daily", *where, stdin="- from a pipe\n").exit_code == 0
    assert "6380" in cli("memory", "search", "redis port", *where).output
    found = json.loads(cli("memory", "search", "redis", "--json", *where).output)
    assert [hit["doc_id"] for hit in found["hits"]] == ["projects/shop-1a2b3c4d/notes/redis.md"]
    assert cli("memory", "search", "nothing-like-it", *where).output.startswith("No matches for 'nothing-like-it'. ")
    edited = cli("memory", "edit", "note", "--name", "redis", "--old", "6380", "--new", "6390", *where)
    assert edited.exit_code == 0, edited.output
    assert cli("memory", "read", "note", "--name", "redis", *where).output.strip() == "Redis listens on 6390."
    listed = json.loads(cli("memory", "list", "--json", *where).output)["files"]
    assert listed == ["projects/shop-1a2b3c4d/daily/2026-03-28.md", "projects/shop-1a2b3c4d/notes/redis.md"]
    assert "- from a pipe" in cli("memory", "context", *where).output


def test_open_items_can_be_written_as_they_are(cli):
    """Content may begin like an option."""
    where = ("--root", "mem", "--project", "shop-1a2b3c4d")
    result = cli("memory", "write", "scratchpad", "- [ ] rotate keys", *where)
    assert result.exit_code == 0, result.output
    assert cli("memory", "read", "scratchpad", *where).stdout == "- [ ] rotate keys\n\n"


def test_standard_input_is_written_byte_for_byte(cli):
    """Line ends of any kind are content; what is not UTF-8 is refused and nothing is written."""
    where = ("--name", "n", "--root", "mem", "--project", "shop-1a2b3c4d")
    text = "a\r\nb\rc\n監\r\n"
    assert cli("memory", "write", "note", *where, stdin=text.encode()).exit_code == 0
    note = Path("mem/projects/shop-1a2b3c4d/notes/n.md")
    assert note.read_bytes() == text.encode()
    refused = cli("memory", "write", "note", *where, stdin=b"ok\ncaf\xe9\n")
    assert refused.exit_code == 2
    assert refused.stderr == "memeval: standard input is not UTF-8: byte 0xe9 in line 2; nothing was written\n"
    assert note.read_bytes() == text.encode()


@pytest.mark.parametrize(
    "query",
    [["--lf"], ["--", "--lf"], ["--lf flag"], ["--lf=x"], ["-lf"], ["--", "--json"], ["--", "--help"]],
    ids=" ".join,
)
def test_a_query_may_begin_with_a_dash(cli, query):
    """Options of other programs are words that files hold; behind -- our own are, too."""
    where = ("--root", "mem", "--project", "shop-1a2b3c4d")
    cli("memory", "write", "note", "pytest --lf=x -lf --json --help flag", "--name", "n", *where)
    result = cli("memory", "search", *where, *query)
    assert result.exit_code == 0, result.output
    assert "notes/n.md" in result.stdout


def test_a_mistyped_option_of_a_search_is_no_query(cli):
    """With a query there, it is one word too many."""
    result = cli("memory", "search", "redis", "--rot", "mem", "--root", "mem")
    assert result.exit_code == 2
    assert "--rot" in result.output


def test_a_store_or_project_that_is_not_there_is_told_on_stderr(cli):
    """A typing error is not mistaken for an empty memory, and a first use is no error."""
    first = cli("memory", "search", "redis", "--root", "nowhere", "--project", "a-12345678")
    assert (first.exit_code, first.stdout) == (0, "No matches for 'redis'. Try another word for it.\n")
    assert "no store at nowhere" in first.stderr
    cli("memory", "write", "note", "x", "--name", "n", "--root", "mem", "--project", "shop-1a2b3c4d")
    typo = cli("memory", "list", "--root", "mem", "--project", "shop-1a2b3c4e")
    assert "known: shop-1a2b3c4d" in typo.stderr


def test_memory_errors_exit_with_2_and_write_nothing(cli):
    """A refused call leaves no trace."""
    result = cli("memory", "write", "note", "text", "--name", "../escape", "--root", "mem", "--project", "p-1")
    assert result.exit_code == 2
    assert not Path("mem").exists() or not any(
        path.is_file() and path.suffix == ".md" for path in Path("mem").rglob("*")
    )


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


@pytest.mark.parametrize("text", ["- Deploys happen on Tuesdays", "- [ ] the oven", "- what", "-h"])
def test_a_bullet_is_written_whatever_letters_it_has(cli, tmp_path, text):
    """No letter behind a dash is read as an option: the text is written and found, not lost behind a page of help."""
    where = ("--root", str(tmp_path / "mem"))
    assert cli("memory", "write", "long_term", text, *where).output.startswith("Wrote")
    assert (tmp_path / "mem" / "MEMORY.md").read_text(encoding="utf-8") == f"{text}\n"
    assert "MEMORY.md" in cli("memory", "search", text, *where).output or text == "- what"
