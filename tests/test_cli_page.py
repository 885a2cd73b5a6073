"""The page from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from memeval.cli import main
from memeval.cli_page import show_page

SEARCH_LOG = Path(__file__).parents[1] / "corpora/devlog/searchlog.jsonl"
PAGE = {"report.html", "needs.csv", "variants.csv"}


@pytest.fixture
def cli(monkeypatch, small_suite, no_pictures):
    """Run the command line in the folder that holds store/ and queries/."""
    monkeypatch.chdir(small_suite.parent.parent)

    def run(*args: object):
        return CliRunner().invoke(main, [str(arg) for arg in args], catch_exceptions=False)

    return run


@pytest.fixture
def opened(monkeypatch) -> list[str]:
    """The addresses that were to be shown in a browser."""
    addresses: list[str] = []

    def take(address: str) -> bool:
        addresses.append(address)
        return True

    monkeypatch.setattr("webbrowser.open", take)
    return addresses


def list_names(folder: str) -> set[str]:
    return {path.name for path in Path(folder).iterdir()}


def test_run_and_report_write_the_page(cli, opened):
    """Beside report.md, and the same from the stored evaluation; nothing is shown unasked."""
    result = cli("run", "queries", "-v", "grep", "-v", "bm25")
    assert result.exit_code == 0, result.output
    assert "report.html, needs.csv, variants.csv" in result.stdout
    assert PAGE | {"evaluation.json", "report.md"} == list_names("reports/latest")
    assert cli("report", "reports/latest/evaluation.json", "--out", "again").exit_code == 0
    for name in PAGE:
        assert Path("again", name).read_bytes() == Path("reports/latest", name).read_bytes()
    assert opened == []


def test_without_the_page_there_is_the_report_alone(cli):
    """As the committed baseline is kept."""
    assert cli("run", "queries", "-v", "grep", "--no-page").exit_code == 0
    assert PAGE.isdisjoint(list_names("reports/latest"))
    assert cli("report", "reports/latest/evaluation.json", "--no-page").exit_code == 0
    assert PAGE.isdisjoint(list_names("reports/latest"))


def test_open_shows_the_page(cli, opened):
    """By its address, after it was written, from run and from report."""
    assert cli("run", "queries", "-v", "grep", "--open").exit_code == 0
    assert cli("report", "reports/latest/evaluation.json", "--open").exit_code == 0
    assert opened == [Path("reports/latest/report.html").resolve().as_uri()] * 2


def test_open_without_the_page_is_refused(cli, opened):
    """Before anything is asked."""
    result = cli("run", "queries", "-v", "grep", "--open", "--no-page")
    assert (result.exit_code, opened) == (2, [])
    assert "--open needs the page" in result.stderr
    assert not Path("reports").exists()


def test_a_base_run_is_drawn_into_the_page(cli):
    """And is refused where no page is written."""
    assert cli("run", "queries", "-v", "bm25").exit_code == 0
    stored = "reports/latest/evaluation.json"
    assert cli("report", stored, "--base", stored).exit_code == 0
    assert "Against the base run" in Path("reports/latest/report.html").read_text(encoding="utf-8")
    result = cli("report", stored, "--base", stored, "--no-page")
    assert result.exit_code == 2
    assert "--base changes nothing with --no-page" in result.stderr


def test_a_diagnosis_is_shown_on_the_page(cli):
    """What `memeval diagnose` wrote of the same needs; another file is an error that names it."""
    assert cli("run", "queries", "-v", "grep").exit_code == 0
    assert cli("diagnose", "queries", "-v", "grep", "--json", "why.json").exit_code == 0
    stored = "reports/latest/evaluation.json"
    assert cli("report", stored, "--diagnosis", "why.json").exit_code == 0
    assert "cheapest cure: " in Path("reports/latest/report.html").read_text(encoding="utf-8")
    assert "cheapest cure: " in Path("reports/latest/needs.csv").read_text(encoding="utf-8")
    result = cli("report", stored, "--diagnosis", stored)
    assert result.exit_code == 2
    assert "not what `memeval diagnose --json` writes" in result.stderr


def test_recorded_sessions_are_shown_on_the_page(cli):
    """What `memeval sessions report --json` says of a search log."""
    assert cli("run", "queries", "-v", "grep").exit_code == 0
    told = cli("sessions", "report", SEARCH_LOG, "--json")
    Path("recorded.json").write_text(told.stdout, encoding="utf-8")
    stored = "reports/latest/evaluation.json"
    result = cli("report", stored, "--recorded", "recorded.json")
    assert result.exit_code == 0, result.output
    assert "Recorded sessions" in Path("reports/latest/report.html").read_text(encoding="utf-8")
    assert "sessions report --json" in cli("report", stored, "--recorded", stored).stderr


def test_where_no_browser_is_the_page_is_named(tmp_path, capsys):
    """A server has none, and that is no error."""
    show_page(tmp_path / "report.html", open_address=lambda address: False)
    assert f"the page is {tmp_path / 'report.html'}" in capsys.readouterr().err
