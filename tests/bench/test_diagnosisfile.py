"""A stored diagnosis read back."""

from __future__ import annotations

import json

import pytest

from memeval.bench.diagnosisfile import find_diagnosis, load_diagnoses
from memeval.errors import EvaluationFileError
from tests.report.conftest import make_query

MISS = {"id": "n[0]", "query": "q", "miss_class": "script", "rule": "r", "cure": None, "trials": [], "rank": 3}


def write(path, diagnoses, schema=1):
    path.write_text(json.dumps({"schema": schema, "diagnoses": diagnoses}), encoding="utf-8")
    return path


def test_a_miss_is_found_by_suite_variant_and_wording(tmp_path):
    """A wording of the same id that asks something else by now has none."""
    told = load_diagnoses(write(tmp_path / "d.json", [{"suite": "s", "variant": "v", "misses": [MISS]}]))
    query = make_query("n", 0, "q", None)
    found = find_diagnosis(told, "s", "v", query)
    assert found is not None
    assert (found.miss_class, found.cure) == ("script", None)
    assert find_diagnosis(told, "s", "w", query) is None
    assert find_diagnosis(told, "s", "v", make_query("n", 0, "another", None)) is None


@pytest.mark.parametrize("text", ["", "[]", '{"schema": 1}', "\ud800".encode("utf-8", "surrogatepass"), "[" * 100_000])
def test_another_file_is_an_error_with_its_name(tmp_path, text):
    """Whatever it holds."""
    path = tmp_path / "d.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(EvaluationFileError, match=r"d\.json: not what"):
        load_diagnoses(path)


def test_a_wording_that_stands_twice_is_an_error(tmp_path):
    """Of two diagnoses of one wording nobody could say which is shown."""
    told = {"suite": "s", "variant": "v", "misses": [MISS]}
    other = {**told, "variant": "w"}
    assert len(load_diagnoses(write(tmp_path / "d.json", [told, other]))) == 2
    with pytest.raises(EvaluationFileError, match=r"d\.json: wording n\[0\] of suite s, variant v, stands twice"):
        load_diagnoses(write(tmp_path / "d.json", [told, other, told]))


def test_another_schema_and_no_file_are_errors(tmp_path):
    """Each says what can be done."""
    with pytest.raises(EvaluationFileError, match="schema 2; 1 can be read"):
        load_diagnoses(write(tmp_path / "d.json", [], schema=2))
    with pytest.raises(EvaluationFileError, match="cannot be read"):
        load_diagnoses(tmp_path / "none.json")
