"""The registry: every importer is found by its name and by the content of its files."""

import json

import pytest

from memeval.errors import BenchmarkFormatError, UnknownNameError
from memeval.testbed.importers import IMPORTERS, detect_importer, find_importer


def test_importers_are_found_by_name():
    """Names are unique; a wrong one is refused with the nearest."""
    assert [find_importer(importer.name) for importer in IMPORTERS] == list(IMPORTERS)
    assert len({importer.name for importer in IMPORTERS}) == len(IMPORTERS)
    with pytest.raises(UnknownNameError, match="Did you mean 'locomo'"):
        find_importer("locomoo")


@pytest.fixture
def samples(write_json, tmp_path, locomo, longmemeval, squad, beir):
    """{importer: a path of its format}."""
    qrels = tmp_path / "test.qrels"
    qrels.write_text("\n401 0 tea.md 1\n", encoding="utf-8")
    return {
        "locomo": write_json(locomo, "one.json"),
        "longmemeval": write_json(longmemeval, "two.json"),
        "squad": write_json(squad, "three.json"),
        "beir": beir,
        "trec": qrels,
        "paraphrases": write_json([{"queries": ["a"], "expected": ["b"]}] * 2, "groups.jsonl"),
    }


def test_importers_are_detected_by_content(samples, tmp_path):
    """Each format is recognised by its own importer and by no other; the ending does not decide."""
    assert set(samples) == {importer.name for importer in IMPORTERS}
    for name, path in samples.items():
        assert detect_importer(path).name == name
        if path.is_file():
            indented = path.read_text(encoding="utf-8")
            if path.suffix == ".json":
                indented = json.dumps(json.loads(indented), indent=1)
            other = tmp_path / f"{name}.data"
            other.write_text(indented, encoding="utf-8")
            assert detect_importer(other).name == name


def test_a_second_way_of_writing_is_detected(write_json):
    """CMRC 2018 as first published is SQuAD-style too."""
    assert detect_importer(write_json([{"context_text": "x", "qas": []}])).name == "squad"


@pytest.mark.parametrize("value", [[], {}, [1], 7, {"data": 1}, [{"qa": []}], {"queries": []}, [[{}]]])
def test_what_nobody_recognises_is_refused_with_what_is_known(value, write_json):
    """The message lists how each format is recognised."""
    with pytest.raises(BenchmarkFormatError, match=r"no importer recognises it.*locomo: .*'conversation' and 'qa'"):
        detect_importer(write_json(value))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'[{"a": 1},\n 2', r":2: broken JSON"),
        (b"\xff\n", "is not UTF-8"),
        (b"three columns 1\n", "no importer recognises it"),
        (b"", "no importer recognises it"),
        (b"[" * 100_000, "broken JSON"),
    ],
)
def test_broken_files_are_refused_while_looking(content, message, tmp_path):
    """A file that cannot be read as anything is refused with the place, whatever its ending."""
    path = tmp_path / "what.txt"
    path.write_bytes(content)
    with pytest.raises(BenchmarkFormatError, match=message):
        detect_importer(path)


def test_a_path_that_is_not_there_is_refused(tmp_path):
    """An absent file and an empty folder."""
    with pytest.raises(BenchmarkFormatError, match="cannot be read"):
        detect_importer(tmp_path / "absent")
    with pytest.raises(BenchmarkFormatError, match="no importer recognises it"):
        detect_importer(tmp_path)


def test_real_files_are_detected(benchmarks):
    """The published samples, as they are."""
    found = {
        path: detect_importer(benchmarks / path).name
        for path in (
            "raw/locomo_sample.json",
            "raw/longmemeval_sample.json",
            "pairs/tldr-en-paraphrases.jsonl",
            "drcd",
        )
    }
    assert list(found.values()) == ["locomo", "longmemeval", "paraphrases", "beir"]
