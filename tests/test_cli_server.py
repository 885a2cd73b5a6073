"""What a build server is given: only where its variables ask for it."""

from __future__ import annotations

import pytest

from memeval.cli_server import COMMENT_VARIABLE, SUMMARY_VARIABLE, append_step_summary, write_comment
from memeval.errors import RunSettingError


def test_a_summary_is_appended(tmp_path, monkeypatch):
    """Steps before it keep theirs."""
    path = tmp_path / "summary.md"
    path.write_text("earlier\n", encoding="utf-8")
    monkeypatch.setenv(SUMMARY_VARIABLE, str(path))
    assert append_step_summary("監控 \udce9\n") is None
    assert path.read_text(encoding="utf-8") == "earlier\n監控 \\udce9\n\n"


def test_a_summary_that_cannot_be_written_fails_nothing(tmp_path, monkeypatch):
    """The reason is told instead; without the variable there is none."""
    monkeypatch.setenv(SUMMARY_VARIABLE, str(tmp_path))
    assert "cannot be written" in append_step_summary("text\n")
    monkeypatch.delenv(SUMMARY_VARIABLE)
    assert append_step_summary("text\n") is None


def test_a_comment_is_replaced(tmp_path, monkeypatch):
    """The file holds the newest text alone; a place that cannot be written is an error, for it was asked for."""
    path = tmp_path / "comment.md"
    monkeypatch.setenv(COMMENT_VARIABLE, str(path))
    write_comment("first\n")
    write_comment("second\n")
    assert path.read_text(encoding="utf-8") == "second\n"
    monkeypatch.setenv(COMMENT_VARIABLE, str(path / "comment.md"))
    with pytest.raises(RunSettingError, match=COMMENT_VARIABLE):
        write_comment("third\n")
    monkeypatch.delenv(COMMENT_VARIABLE)
    write_comment("fourth\n")
    assert path.read_text(encoding="utf-8") == "second\n"
