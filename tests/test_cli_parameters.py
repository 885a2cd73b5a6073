"""What the verbs take: kinds of values, options that would do nothing, places where no file can stand."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from memeval.cli import main
from memeval.cli_parameters import TEXT, Place, SuiteName, check_target


@pytest.fixture
def cli(monkeypatch, small_suite):
    """Run the command line in the folder that holds store/ and queries/; `refusal` is the one line of an error."""
    monkeypatch.chdir(small_suite.parents[1])
    monkeypatch.setattr("memeval.report.write_report", lambda evaluation, place: [])  # plots take their time

    def run(*args: object):
        return CliRunner().invoke(main, [str(arg) for arg in args], catch_exceptions=False)

    return run


def refusal(result) -> str:
    """The one line that an exit of 2 is told in."""
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.splitlines()
    assert line.startswith("memeval: ")
    return line


@pytest.mark.skipif(os.name == "nt", reason="arguments are text there")
def test_bytes_of_an_argument_are_utf8_under_any_locale(monkeypatch):
    """Python hands over as half characters what it could not decode; UTF-8 among it is read again."""
    assert TEXT.convert("監控 é", None, None) == "監控 é"
    monkeypatch.setattr(os, "fsencode", lambda text: text.encode("ascii", "surrogateescape"))
    assert TEXT.convert("監".encode().decode("ascii", "surrogateescape"), None, None) == "監"
    with pytest.raises(click.BadParameter, match="not UTF-8"):
        TEXT.convert("caf\udce9", None, None)


def test_an_empty_path_is_refused():
    """An unset variable of a script never stands for the current folder."""
    assert Place().convert(".", None, None) == "."
    with pytest.raises(click.BadParameter, match="unset"):
        Place(path_type=Path).convert("", None, None)


@pytest.mark.parametrize("name", ["x/../../y", "..", "a\\b", "", " ", "/tmp/x", "-x", "two words"])
def test_a_name_that_could_leave_its_folder_is_refused(name):
    """Separators above all; the message says what is allowed."""
    with pytest.raises(click.BadParameter, match="letters, digits"):
        SuiteName().convert(name, None, None)


@pytest.mark.parametrize("name", ["shop", "監控", "a.b-c_1"])
def test_a_name_of_any_script_is_taken(name):
    """Letters are letters."""
    assert SuiteName().convert(name, None, None) == name


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("run", "--split", "test"), "none is given"),
        (("run", "queries", "--split", "test"), "none is given"),
        (("corpus", "lint", "queries", "--split", "test"), "none is given"),
        (("export", "queries/shop.recall.yaml", "--split", "test", "--out", "o"), "none is given"),
        (("run", "beir", "--project", "shop-1a2b3c4d"), "only BEIR folders are given"),
        (("corpus", "lint", "beir", "--project", "shop-1a2b3c4d"), "only BEIR folders are given"),
        (("export", "beir", "--project", "shop-1a2b3c4d", "--out", "o"), "only BEIR folders are given"),
        (("export", "queries/shop.recall.yaml", "--variant", "grep", "--out", "o"), "without --format trec"),
        (("export", "queries/shop.recall.yaml", "--depth", "5", "--out", "o"), "without --format trec"),
        (("run", "--gate-variant", "grep", "--variant", "grep"), "without --fail-on-must-find"),
        (("run", "--seed", "1", "--variant", "grep"), "add --variant random"),
        (("run", "--budget", "500", "--variant", "current"), "a cap of its own"),
        (("corpus", "lint", "queries", "--aliases"), "no corpus has aliases"),
        (("memory", "edit", "note", "--name", "n", "--new", "x", "--root", "m"), "--new needs --old"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_an_option_that_would_do_nothing_is_refused(cli, arguments, told):
    """Silence would be taken for success."""
    assert cli("export", "queries/shop.recall.yaml", "--out", "beir").exit_code == 0
    assert told in refusal(cli(*arguments))
    assert not Path("o").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "beir", "--split", "test", "--variant", "grep"),
        ("run", "beir", "queries", "--split", "test", "--project", "shop-1a2b3c4d", "--variant", "grep"),
        ("run", "queries", "--seed", "1", "--variant", "random", "--budget", "500"),
        ("run", "queries", "--fail-on-must-find", "--gate-variant", "bm25", "--variant", "bm25"),
        ("export", "beir", "--split", "test", "--out", "o"),
        ("export", "beir", "--format", "trec", "--variant", "grep", "--depth", "5", "--out", "o"),
    ],
    ids=" ".join,
)
def test_the_same_options_are_taken_where_they_act(cli, arguments):
    """On one input of several is enough."""
    cli("export", "queries/shop.recall.yaml", "--out", "beir")
    assert cli(*arguments).exit_code == 0


@pytest.mark.parametrize("arguments", [("-k", "20", "--depth", "10"), ("--depth", "5")], ids=" ".join)
def test_a_cutoff_above_the_depth_is_refused_before_anything_is_made(cli, arguments):
    """Its figures would be those of the depth."""
    assert "above depth" in refusal(cli("run", *arguments))
    assert not Path("reports").exists()


def test_a_cutoff_at_the_depth_is_measured(cli):
    """The limit itself is within it."""
    assert cli("run", "-k", "5", "--depth", "5", "--variant", "grep").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("run", "--json", ""), "the path is empty"),
        (("run", "--out", ""), "the path is empty"),
        (("run", ""), "the path is empty"),
        (("init", "store", "--out", ""), "the path is empty"),
        (("memory", "list", "--root", ""), "the path is empty"),
        (("memory", "list", "--root", "m", "--cwd", ""), "the path is empty"),
        (("run", "--json", "store"), "is a directory"),
        (("run", "--json", "file/x.json"), "is a file"),
        (("run", "--out", "taken"), "report.md is a folder"),
        (("run", "--out", "taken/too"), "evaluation.json is a folder"),
        (("report", "file", "--out", "taken"), "not an evaluation"),
        (("init", "store", "--name", "taken", "--force"), "taken.recall.yaml is a folder"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_place_that_cannot_be_written_is_told_at_once(cli, arguments, told):
    """Before anything is measured, in one line."""
    for folder in ("taken/report.md", "taken/too/evaluation.json", "taken.recall.yaml"):
        Path(folder).mkdir(parents=True)
    Path("file").write_text("{}", encoding="utf-8")
    assert told in refusal(cli(*arguments))


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_place_without_permission_is_told_at_once(tmp_path):
    """A read-only file or folder is known before the work is done."""
    (tmp_path / "file").touch(mode=0o400)
    (tmp_path / "folder").mkdir(mode=0o500)
    for path in (tmp_path / "file", tmp_path / "folder" / "new"):
        with pytest.raises(click.UsageError):
            check_target(path)
