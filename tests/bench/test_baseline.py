"""Saved evaluations: what a file says of itself, how it is found again, and which ones go."""

from __future__ import annotations

import dataclasses
import json

import pytest

from memeval.bench.baseline import (
    Baseline,
    Stamp,
    check_name,
    choose_prunable,
    find_baseline,
    list_baselines,
    read_head,
    render_baseline,
    save_baseline,
    trim_depth,
    unknown_baseline,
)
from memeval.bench.evaluation import Evaluation
from memeval.bench.record import decode_content
from memeval.errors import EvaluationFileError, RunSettingError

STAMP = Stamp(
    name="before",
    branch="main",
    commit="a1b2c3d4" * 5,
    is_dirty=True,
    saved_on="2026-07-03",
    why="“so”",
    changes=("one", "two"),
)


@pytest.fixture
def evaluation(made):
    """One need, a ranking of three."""
    return made.evaluation({"redis": (["a"], [made.ask("port", "a", "b", "c")])}, depth=3)


def test_a_baseline_is_an_evaluation_that_says_what_it_is(evaluation, tmp_path):
    """It is read back as both, to the last value."""
    saved = save_baseline(evaluation, STAMP, tmp_path / "new" / "folder")
    assert saved.path.name == "0001.json"
    assert Evaluation.load(saved.path) == evaluation
    assert read_head(saved.path, 1) == saved
    assert decode_content(saved.path.read_bytes(), "x") == evaluation
    assert json.loads(saved.path.read_text(encoding="utf-8"))["baseline"]["changes"] == ["one", "two"]


def test_numbers_go_on(evaluation, tmp_path):
    """After the highest, whatever was removed below it; other files in the folder are nobody's number."""
    (tmp_path / "notes.json").write_text("{}")
    first, second = (save_baseline(evaluation, Stamp(), tmp_path) for _ in range(2))
    first.path.unlink()
    third = save_baseline(evaluation, Stamp(), tmp_path)
    assert (second.number, third.number) == (2, 3)
    assert [one.number for one in list_baselines(tmp_path)] == [2, 3]
    assert list_baselines(tmp_path / "none") == ()


def test_a_number_that_another_writer_took_is_passed_over(evaluation, tmp_path, monkeypatch):
    """Two that save at once get two numbers, and neither overwrites the other."""
    save_baseline(evaluation, Stamp(name="first"), tmp_path)
    monkeypatch.setattr("memeval.bench.baseline.list_baselines", lambda folder: ())  # as if it was not there yet
    assert save_baseline(evaluation, Stamp(), tmp_path).number == 2
    assert read_head(tmp_path / "0001.json").stamp.name == "first"


def test_a_save_that_fails_leaves_no_number_behind(evaluation, tmp_path, monkeypatch):
    """An empty file would be a baseline that nobody can read."""

    def fail(*arguments):
        raise OSError("disk full")

    monkeypatch.setattr("memeval.bench.baseline.replace_file", fail)
    with pytest.raises(OSError, match="disk full"):
        save_baseline(evaluation, Stamp(), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_heads_of_any_file(evaluation, tmp_path):
    """An evaluation that was only run says nothing; one that was laid out again is still read; damage is told."""
    plain, folded, broken, gone = (tmp_path / name for name in ("plain", "folded", "broken", "gone"))
    plain.write_text(evaluation.to_json(), encoding="utf-8")
    folded.write_text(json.dumps(dict(reversed(json.loads(render_baseline(evaluation, STAMP)).items()))))
    broken.write_text('{"schema": 1, "baseline": {"name": 7}}')
    assert read_head(plain).stamp == Stamp()
    assert read_head(folded).stamp.name == "before"
    assert "name" in read_head(broken).problem
    assert "No such file" in read_head(gone).problem
    broken.write_text("")
    assert read_head(broken).problem == "is no evaluation"
    with pytest.raises(EvaluationFileError, match="main: not an evaluation"):
        decode_content(b"{}", "main")


def test_a_head_that_is_long_is_read_whole(evaluation, tmp_path):
    """What changed may fill more than the beginning that is read first."""
    stamp = Stamp(changes=tuple(f"change {number}: {'x' * 200}" for number in range(1000)))
    saved = save_baseline(evaluation, stamp, tmp_path)
    assert read_head(saved.path, 1).stamp == stamp


def listed(tmp_path, *stamps):
    """Baselines as a folder has them."""
    return tuple(
        Baseline(path=tmp_path / str(number), number=number, stamp=stamp)
        for number, stamp in enumerate(stamps, start=1)
    )


def test_addresses(tmp_path):
    """A number, else the newest of that name, of that branch, or of the commit it begins."""
    saved = listed(
        tmp_path,
        Stamp(name="before", branch="main", commit="aaaa1111"),
        Stamp(branch="main", commit="aaaa2222"),
        Stamp(branch="before", commit="1234567"),
    )
    found = {
        address: (one := find_baseline(address, saved)) and one.number
        for address in ("1", "0002", "before", "main", "aaaa1", "1234567", "12", "dev", "aaa", "")
    }
    assert found == {
        "1": 1,
        "0002": 2,
        "before": 1,
        "main": 2,
        "aaaa1": 1,
        "1234567": 3,
        "12": None,
        "dev": None,
        "aaa": None,
        "": None,
    }
    with pytest.raises(RunSettingError, match="aaaa begins 2 commits"):
        find_baseline("aaaa", saved)
    with pytest.raises(Exception, match="aaaa222, baseline, before, latest, main"):
        raise unknown_baseline("dev", saved)


def test_labels(tmp_path):
    """By name or branch, number and commit; by its path where it says nothing."""
    one, two, three = listed(tmp_path, STAMP, Stamp(branch="main"), Stamp())
    assert (one.label, two.label, three.label) == ("before (baseline 1, a1b2c3d)", "main (baseline 2)", "baseline 3")
    assert Baseline(path=tmp_path).label == str(tmp_path)


@pytest.mark.parametrize("name", ["3", "latest", "baseline", "", "a b", "-x", "a/b", "ä"])
def test_names_are_ones_that_an_address_can_mean(name):
    """No number, no word that stands for something else, nothing a shell minds."""
    with pytest.raises(RunSettingError, match="cannot name a baseline"):
        check_name(name)
    assert check_name("before-1.2_x") == "before-1.2_x"


def test_the_newest_of_each_branch_stay(tmp_path):
    """And so does whatever has a name, or cannot be read."""
    saved = (
        *listed(tmp_path, Stamp(branch="main"), Stamp(branch="dev"), Stamp(name="x", branch="main")),
        Baseline(path=tmp_path / "4", number=4, stamp=Stamp(branch="main")),
        Baseline(path=tmp_path / "5", number=5, problem="torn"),
    )
    assert [one.number for one in choose_prunable(saved, 1)] == [1]
    assert [one.number for one in choose_prunable(saved, 0)] == [1, 2, 4]
    with pytest.raises(RunSettingError, match="-1"):
        choose_prunable(saved, -1)


def test_rankings_are_cut_as_a_run_of_that_depth_has_them(evaluation):
    """Not below a cutoff, which could not be scored again."""
    evaluation = dataclasses.replace(evaluation, manifest={**evaluation.manifest, "ks": [1]})
    cut = trim_depth(evaluation, 2)
    assert cut.manifest["depth"] == 2
    assert [doc_id for doc_id, _ in cut.suites[0].variants[0].queries[0].ranking] == ["a", "b"]
    assert trim_depth(evaluation, 5) is evaluation
    with pytest.raises(RunSettingError, match="k=5 is above depth=2"):
        trim_depth(dataclasses.replace(evaluation, manifest={"ks": [5], "depth": 9}), 2)
