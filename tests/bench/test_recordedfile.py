"""Recorded figures read back."""

from __future__ import annotations

import json

import pytest

from memeval.bench.recordedfile import load_recording
from memeval.errors import EvaluationFileError


def test_another_file_is_an_error_that_says_what_writes_it(tmp_path):
    """An evaluation is none, nor is what does not parse."""
    path = tmp_path / "r.json"
    for text in ("{}", "", json.dumps({"sessions": 1, "needs": "many", "rates": {}, "watches": []})):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(EvaluationFileError, match=r"r\.json: not what `memeval sessions report --json` writes"):
            load_recording(path)


def test_undefined_rates_come_back(tmp_path):
    """None is no 0, and keys for other readers are passed over."""
    path = tmp_path / "r.json"
    rate = {"value": None, "successes": 0, "n": 0, "interval": None}
    values = {"sessions": 2, "needs": 0, "rates": {"reworded": rate}, "watches": [], "tools": {"grep": 1}}
    path.write_text(json.dumps(values), encoding="utf-8")
    told = load_recording(path)
    assert (told.sessions, told.rates["reworded"].value, told.watches) == (2, None, ())
