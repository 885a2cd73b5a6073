"""`memeval import`: a benchmark becomes a folder that runs."""

from __future__ import annotations

import json
from pathlib import Path


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
