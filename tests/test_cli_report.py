"""`memeval report`: a stored evaluation rendered again, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest


def test_report_renders_a_stored_evaluation_again(cli):
    """The same record gives the same page."""
    cli("run", "--out", "one")
    first = Path("one/report.md").read_bytes()
    result = cli("report", "one/evaluation.json", "--out", "two")
    assert result.exit_code == 0, result.output
    assert Path("two/report.md").read_bytes() == first


def test_a_folder_stands_for_the_evaluation_in_it(cli):
    """A folder without one is refused, with what it lacks."""
    cli("run", "--out", "one")
    assert cli("report", "one", "--base", "one").exit_code == 0
    assert cli("overview", "one").exit_code == 0
    refused = cli("report", ".")
    assert (refused.exit_code, "the folder '.' holds no evaluation.json" in refused.stderr) == (2, True)


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
