"""The search log at the command line: off, on by option or environment, never in the way."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from memeval.cli import main
from memeval.memory import read_search_log
from tests.embedding.tinymodel import write_model

WHERE = ("--root", "store", "--project", "shop-1a2b3c4d")
LOG = Path("store/searchlog.jsonl")


@pytest.fixture
def cli(monkeypatch, small_suite):
    """Run `memeval memory …` on a small store, with the environment given."""
    monkeypatch.chdir(small_suite.parent.parent)
    monkeypatch.delenv("MEMEVAL_SEARCH_LOG", raising=False)
    monkeypatch.delenv("MEMEVAL_SEARCH_LOG_SALT", raising=False)

    def run(*args: str, **environment: str):
        runner = CliRunner(env=environment)
        return runner.invoke(main, ["memory", *args, *WHERE], catch_exceptions=False)

    return run


SEARCH = ("search", "redis port")
READ = ("read", "note", "--name", "redis-deploy")


def test_the_help_of_search_says_what_is_not_searched(cli):
    """A person who looks for an open item learns that the scratchpad is read, not searched."""
    shown = " ".join(cli("search", "--help").stdout.split())
    assert "The scratchpad never is: `memeval memory read scratchpad` shows it." in shown


def test_a_name_that_names_nothing_is_told_with_those_there_are(cli):
    """On stderr, with exit code 2; the text is the engine's. An empty note and a tier not begun are no error."""
    missing = cli("read", "note", "--name", "redis-deplyo")
    assert (missing.stdout, missing.exit_code) == ("(empty)\n", 2)
    assert missing.stderr.startswith("memeval: there is no note 'redis-deplyo'; known: redis-deploy")
    as_json = cli("read", "note", "--name", "nothere.md", "--json")
    assert (json.loads(as_json.stdout), as_json.exit_code) == ({"text": "(empty)"}, 2)
    assert "there is no note 'nothere'" in as_json.stderr
    day = cli("read", "daily", "--name", "1999-01-01")
    assert (day.stdout, day.exit_code) == ("(empty)\n", 2)
    assert "there is no daily log '1999-01-01'; known: " in day.stderr
    Path("store/projects/shop-1a2b3c4d/notes/hollow.md").write_text("", encoding="utf-8")
    for there in (("note", "--name", "hollow"), ("daily", "--today", "1999-01-01")):
        result = cli("read", *there)
        assert (result.stdout, result.stderr, result.exit_code) == ("(empty)\n", "", 0)


def test_what_is_in_reach_without_a_project_is_said_alike_everywhere(cli):
    """Every option and paragraph of help: the files directly under the root, not MEMORY.md alone."""
    for verb in ("write", "edit", "read", "search", "list", "context"):
        shown = " ".join(cli(verb, "--help").stdout.split())
        assert "Without it, only the files directly under the root are in reach, as MEMORY.md." in shown
    assert '"Across 2 files" counts those with a match' in " ".join(cli("search", "--help").stdout.split())


@pytest.mark.parametrize("verb", [("search", "quokka"), ("list",), ("context",)])
def test_without_a_project_the_projects_there_are_named(cli, verb):
    """Who forgot --project learns which there are; the answer itself stays as it is, and --project ends the note."""
    given = CliRunner().invoke(main, ["memory", *verb, "--root", "store"], catch_exceptions=False)
    assert given.stderr == (
        "memeval: note: only the files directly under the root are in reach; "
        "for a project as well add --project: shop-1a2b3c4d\n"
    )
    assert "note:" not in given.stdout
    assert cli(*verb).stderr == ""


def test_a_store_without_projects_is_searched_without_a_word(cli, tmp_path):
    """There is nothing that was left out."""
    (tmp_path / "MEMORY.md").write_text("- Deploys happen on Tuesdays\n", encoding="utf-8")
    found = CliRunner().invoke(main, ["memory", "search", "deploys", "--root", str(tmp_path)], catch_exceptions=False)
    assert found.stderr == ""
    assert "Tuesdays" in found.stdout


def test_many_projects_are_counted(cli):
    """The note stays one line that can be read."""
    for number in range(12):
        Path(f"store/projects/p{number:02}-1a2b3c4d/notes").mkdir(parents=True)
    note = CliRunner().invoke(main, ["memory", "search", "x", "--root", "store"], catch_exceptions=False).stderr
    assert "p00-1a2b3c4d" in note
    assert note.endswith("p07-1a2b3c4d and 5 more\n")


def test_the_command_line_logs_nothing_by_default(cli):
    """Without the option and with the variable unset, empty or 0 there is no log."""
    for environment in ({}, {"MEMEVAL_SEARCH_LOG": ""}, {"MEMEVAL_SEARCH_LOG": "0"}):
        assert cli(*SEARCH, **environment).exit_code == 0
        assert cli(*READ, **environment).exit_code == 0
    assert not LOG.exists()


def test_option_and_variable_turn_the_log_on(cli):
    """`--log` or MEMEVAL_SEARCH_LOG=1 note the call, `--no-log` leaves one out; what is printed stays the same."""
    plain, logged = cli(*SEARCH), cli(*SEARCH, "--log")
    assert (logged.stdout, logged.stderr) == (plain.stdout, plain.stderr)
    assert cli(*READ, MEMEVAL_SEARCH_LOG="1").stdout == cli(*READ).stdout
    cli(*SEARCH, "--no-log", MEMEVAL_SEARCH_LOG="1")
    events, problems = read_search_log(LOG)
    assert problems == ()
    assert [(event.kind, event.query, event.scope) for event in events] == [
        ("search", "redis port", "shop-1a2b3c4d"),
        ("read", None, "shop-1a2b3c4d"),
    ]
    assert events[1].shown == ("projects/shop-1a2b3c4d/notes/redis-deploy.md",)
    assert events[0].time <= events[1].time <= datetime.now(tz=events[1].time.tzinfo)


def test_the_log_is_of_what_was_printed(cli):
    """`--max-bytes` changes what is shown, and the log with it."""
    printed = cli(*SEARCH, "--max-bytes", "120", "--log").stdout
    (event,), _ = read_search_log(LOG)
    assert event.shown_bytes == len(printed.removesuffix("\n").encode())


def test_a_salt_in_the_environment_hashes_the_words(cli):
    """MEMEVAL_SEARCH_LOG_SALT keeps words out of the log."""
    cli(*SEARCH, "--log", MEMEVAL_SEARCH_LOG_SALT="pepper")
    (event,), _ = read_search_log(LOG)
    assert event.query is None
    assert len(event.term_hashes) == 2
    assert "redis port" not in LOG.read_text(encoding="utf-8")


def test_a_log_that_cannot_be_written_is_one_warning(cli):
    """The search goes through, exit code 0; stderr says once why it was not logged."""
    plain = cli(*SEARCH)
    LOG.mkdir()
    result = cli(*SEARCH, "--log")
    assert result.exit_code == 0
    assert result.stdout == plain.stdout
    assert result.stderr == f"memeval: warning: {LOG}: not a regular file; this search is not in the search log\n"


@pytest.mark.parametrize("verb", [SEARCH, READ])
def test_a_variable_that_says_neither_is_a_warning(cli, verb):
    """A typing error in the variable is told, with what is allowed; the search goes through and is not logged."""
    result = cli(*verb, MEMEVAL_SEARCH_LOG="banana")
    assert (result.exit_code, result.stdout) == (0, cli(*verb).stdout)
    told = "memeval: warning: MEMEVAL_SEARCH_LOG is 'banana'; write 1 or 0. This call is not in the search log\n"
    assert result.stderr == told
    assert not LOG.exists()
    assert cli(*verb, "--log", MEMEVAL_SEARCH_LOG="banana").stderr == ""
    assert LOG.exists()


@pytest.mark.parametrize("words", [("true",), ("yes",), ("on",), ("1",)])
def test_the_ways_to_say_yes(cli, words):
    """As click has them for any switch."""
    cli(*SEARCH, MEMEVAL_SEARCH_LOG=words[0])
    assert LOG.exists()


def write(*arguments, stdin=None):
    """`memeval memory write note` of a note called n."""
    arguments = ["memory", "write", "note", *arguments, "--name", "n", *WHERE]
    return CliRunner().invoke(main, arguments, input=stdin, catch_exceptions=False)


@pytest.mark.parametrize("stdin", ["", "\n", " \n\t"])
@pytest.mark.parametrize("mode", ["append", "overwrite"])
def test_empty_input_is_no_note(cli, stdin, mode):
    """A command before the pipe that failed makes no note of nothing and wipes none."""
    note = Path("store/projects/shop-1a2b3c4d/notes/n.md")
    for before in (None, "as it was\n"):
        if before:
            note.write_text(before, encoding="utf-8")
        result = write("--mode", mode, stdin=stdin)
        assert result.exit_code == 2
        assert "standard input is empty; nothing was written" in result.stderr
        assert note.exists() is bool(before)
    assert note.read_text(encoding="utf-8") == "as it was\n"


def test_an_empty_text_empties_only_where_that_is_said(cli):
    """'' with --mode overwrite is a wish; without it there is nothing to append."""
    assert write("x").exit_code == 0
    assert "CONTENT is empty" in write("").stderr
    assert write("", "--mode", "overwrite").exit_code == 0
    assert Path("store/projects/shop-1a2b3c4d/notes/n.md").read_text(encoding="utf-8") == ""


HYBRID = ("search", "redis cache", "--retrieval", "hybrid", "--embedder")


def test_hybrid_search_at_the_command_line(cli, tmp_path):
    """A model in a folder: the same form of text and JSON, and a derived file beside the store."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    folder = str(write_model(tmp_path / "tiny"))
    text = cli(*HYBRID, folder)
    assert (text.exit_code, text.stderr) == (0, "")
    assert text.stdout.startswith("Searched 2 terms: redis(")
    assert "[matched: " in text.stdout
    assert cli(*HYBRID, folder, "--json").stdout.startswith('{"terms": [{"term": "redis"')
    assert Path("store/.memeval-vectors.sqlite").is_file()
    assert cli("list").stdout.count("sqlite") == 0
    assert cli(*HYBRID, folder, "--fusion", "gated").stdout == text.stdout
    ranks = cli("search", "zzzz", *HYBRID[2:], folder, "--fusion", "ranks").stdout
    assert "[matched: by meaning]" in ranks


def test_a_reranker_at_the_command_line(cli, tmp_path):
    """A folder, or a name in the folder of models, reads the first again; the same files in the same form."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    hybrid = (*HYBRID, str(write_model(tmp_path / "tiny")))
    name = "mmarco-mMiniLMv2-L12-H384-v1"
    folder = write_model(tmp_path / "models" / name, output="logits", classes=1, pooling=None)
    plain, by_folder = cli(*hybrid), cli(*hybrid, "--reranker", str(folder))
    by_name = cli(*hybrid, "--reranker", name, MEMEVAL_MODELS=str(tmp_path / "models"))
    assert (by_folder.exit_code, by_folder.stderr) == (by_name.exit_code, by_name.stderr) == (0, "")
    assert by_folder.stdout == by_name.stdout
    assert sorted(by_folder.stdout.splitlines()) == sorted(plain.stdout.splitlines())
    english = cli(*hybrid, "--reranker", f"ms-marco-MiniLM-L6-v2={folder}")
    assert "warning: ms-marco-MiniLM-L6-v2 reads English only, and" in english.stderr
    embedding = cli(*hybrid, "--reranker", str(tmp_path / "tiny"))
    assert embedding.exit_code == 2
    assert "gives last_hidden_state: no score for a pair of texts" in embedding.stderr
    unknown = cli(*hybrid, "--reranker", "ms-marco")
    assert unknown.exit_code == 2
    assert "unknown reranker 'ms-marco'; known: mmarco-mMiniLMv2-L12-H384-v1, ms-marco-MiniLM-L6-v2." in unknown.stderr


def test_a_model_that_is_nowhere(cli, tmp_path, monkeypatch):
    """The message says where it was looked for and each way to get it; exit 2, nothing is asked of the network."""
    pytest.importorskip("onnxruntime")
    hub = pytest.importorskip("huggingface_hub")

    def find_nothing(**request):
        assert request["local_files_only"]
        raise hub.errors.LocalEntryNotFoundError("not there")

    monkeypatch.setattr(hub, "snapshot_download", find_nothing)
    result = cli(*HYBRID, "multilingual-e5-small", MEMEVAL_MODELS=str(tmp_path / "models"))
    assert result.exit_code == 2
    told = ("no model multilingual-e5-small", str(tmp_path / "models"), "--download", "--embedder FOLDER")
    assert [one for one in told if one not in result.stderr] == []


def test_what_a_hybrid_search_could_not_do_is_told(cli, tmp_path):
    """An index that cannot be kept is a warning on stderr, the answer stays."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    Path("store/.memeval-vectors.sqlite").mkdir()
    result = cli(*HYBRID, str(write_model(tmp_path / "tiny")))
    assert result.exit_code == 0
    assert "[matched: " in result.stdout
    assert result.stderr.startswith("memeval: warning: ")


@pytest.mark.parametrize(
    "idle", [("--embedder", "use"), ("--reranker", "mine"), ("--fusion", "gated"), ("--download",)]
)
def test_a_model_without_hybrid_is_refused(cli, idle):
    """An option that would do nothing is an error that says what it needs."""
    result = cli("search", "redis", *idle)
    assert result.exit_code == 2
    assert f"{idle[0]} changes nothing in a search by words; add --retrieval hybrid" in result.stderr
