"""The calibration: worlds judged by their truth, the same truth found by the engine, and what is demanded."""

from __future__ import annotations

from pathlib import Path

import pytest

from memeval.bench.calibration import (
    BETWEEN,
    RECORDED_WORLDS,
    SIZES,
    VERDICTS,
    WORLD_KINDS,
    Calibration,
    Cell,
    RecordedCell,
    calibrate,
    judge_recordings,
    judge_truths,
    judge_worlds,
)
from memeval.bench.signals import measure_signals
from memeval.report.calibration import END, START, render_calibration, replace_calibration
from memeval.retrieval.recipes import find_variant
from memeval.testbed.generator import Parameters, generate_world, word_needs, write_world

PAGE = Path(__file__).parents[2] / "docs" / "signals.md"


def kind(multiple: float, truth: str):
    """The one sort of world of this rate and truth."""
    return next(one for one in WORLD_KINDS if (one.multiple, one.truth) == (multiple, truth))


def cell(multiple: float, truth: str, needs: int, **verdicts: int) -> Cell:
    """A cell with these verdicts, given with _ for blanks."""
    counts = dict.fromkeys(VERDICTS, 0) | {name.replace("_", " "): number for name, number in verdicts.items()}
    return Cell(kind=kind(multiple, truth), needs=needs, worlds=sum(counts.values()), verdicts=counts)


@pytest.fixture
def small_worlds(monkeypatch):
    """Recordings of a world that is made in no time."""
    monkeypatch.setattr("memeval.bench.calibration._WORLD_NEEDS", 150)
    monkeypatch.setattr("memeval.bench.calibration._RECORDED_SESSIONS", 150)


def test_what_is_right_and_what_is_demanded():
    """Six upgrades of a hundred are the most at the threshold, one at half of it; watching is staying."""
    assert cell(1.0, "stay", 135, stay=94, stage_0=6).holds
    assert not cell(1.0, "stay", 135, stay=93, neither=7).holds
    assert not cell(0.5, "stay", 72, stay=98, stage_1=2).holds
    assert cell(3.0, "stage 1", 135, stage_1=95, stage_2=5).holds
    assert not cell(3.0, "stage 1", 135, stage_1=94, stage_2=6).holds
    assert cell(3.0, "stage 1", 72, stage_1=90, stay=10).holds
    assert cell(2.0, BETWEEN, 72, stay=1).right is None


def test_a_world_has_so_many_findable_needs():
    """A tenth has nothing stored: 150 and 80 needs give 135 and 72."""
    found = judge_worlds(kind(0.5, "stay"), 72, range(1))
    assert (found.worlds, found.needs) == (1, 72)
    _, truths = word_needs(Parameters(documents=90, needs=80, noise=0, duplicates=0, stale=0), 0)
    assert sum(truth.file is not None for truth in truths) == 72


def test_the_needs_of_a_world_are_those_of_the_whole_world():
    """What is judged without a search is what would be written to disk."""
    parameters = Parameters(documents=60, needs=30, languages=("en", "zh"), unspaced=0.5)
    world = generate_world(parameters, 7)
    needs, truths = word_needs(parameters, 7)
    assert needs == world.suite.needs
    assert truths == world.truth.needs


def test_a_recording_is_looked_at_after_each_session(small_worlds):
    """At three times the threshold four recordings all fire, and none later than it was counted."""
    found = judge_recordings(3.0, 0.0, 0.49, range(4))
    assert found.rate == pytest.approx(0.3, abs=0.07)
    assert found.fired[80] <= found.fired[150] <= found.fired[300] == 4


def test_the_tables_find_their_place_in_a_page():
    """Between the two marks; a page without them has none."""
    recorded = RecordedCell(multiple=1.0, correlation=0.3, rate=0.101, worlds=200, fired={80: 5, 150: 8, 300: 15})
    found = Calibration(cells=(cell(1.0, "stay", 135, stay=93, neither=7),), recorded=(recorded,))
    page = replace_calibration(f"# Page\n{START}\nold\n{END}\nrest\n", found)
    assert page.startswith(f"# Page\n{START}\n\nPer cent of worlds")
    assert page.endswith(f"\n\n{END}\nrest\n")
    assert "old" not in page
    assert "| 10 | stay | 135 | 100 | 0 | 93 | 0 | 0 | 0 | 0 | 7 | 7 | 93 | upgrades ≤ 6 % |" in page
    assert "| 10.1 | 0.3 | 200 | 2.5 | 4 | 7.5 | ≤ 6 % |" in page
    assert replace_calibration("# Page\n", found) is None
    assert len(found.failures) == 2


@pytest.mark.slow
def test_the_work_can_be_shared_out(small_worlds, monkeypatch):
    """However the cells are gone through, and in whatever parts, the tables are the same."""
    monkeypatch.setattr("memeval.bench.calibration.WORLD_KINDS", WORLD_KINDS[:1])
    monkeypatch.setattr("memeval.bench.calibration.RECORDED_WORLDS", RECORDED_WORLDS[:2])
    backwards = calibrate(1, 1, lambda judge, tasks: list(reversed([judge(task) for task in reversed(list(tasks))])))
    assert backwards == calibrate(1, 1)
    monkeypatch.setattr("memeval.bench.calibration.WORLD_KINDS", (kind(1.0, "stay"),))
    whole = calibrate(4, 1)
    monkeypatch.setattr("memeval.bench.calibration._PART", 3)
    assert calibrate(4, 1) == whole
    assert [cell.worlds for cell in whole.cells] == [4, 4]
    assert (len(backwards.cells), len(backwards.recorded)) == (2, 2)


@pytest.mark.slow
def test_the_verdict_is_as_right_as_demanded():
    """Fewer worlds than the page stands on, the same seeds: every demand holds but for one world more in a hundred."""
    for one in WORLD_KINDS:
        for needs in SIZES:
            found = judge_worlds(one, needs, range(60 if one.truth == "stay" else 20))
            if one.truth == "stay":
                assert found.upgrades <= (0.02 if one.multiple < 1 else 0.08)
            elif found.right is not None:
                assert found.right >= 0.9
    for multiple, gap, most in ((1.0, 0.154, 0.08), (0.5, 0.0835, 0.03)):
        found = judge_recordings(multiple, 0.3, gap, range(120))
        assert max(found.fired.values()) <= most * found.worlds


@pytest.mark.slow
@pytest.mark.parametrize(
    ("truth", "languages", "steps"),
    [
        ("stage 0", ("zh",), {0: "memeval"}),
        ("stage 1", ("en",), {0: "memeval", 1: "article+aliases"}),
    ],
)
def test_the_engine_finds_what_the_truth_says(tmp_path, truth, languages, steps):
    """A world on disk, asked of the engine: the same needs trigger, the same are left, the verdict is the same."""
    chosen = dict(kind(3.0, truth).parameters) | {"languages": languages}
    parameters = Parameters(documents=260, needs=80, **chosen)
    world = generate_world(parameters, 5)
    write_world(world, tmp_path / "world")
    from memeval.bench.suite import load_suite

    suite = load_suite(tmp_path / "world" / "generated.recall.yaml")
    (verdict,) = measure_signals([suite], [find_variant("article")]).signals
    stored = [need for need in world.truth.needs if need.file is not None]
    assert verdict.not_matched.needs == tuple(need.id for need in stored if need.is_missed_first)
    for stage, name in steps.items():
        left = next(one.left for one in verdict.stages if one.variant == name)
        reaches = {need.id: need.wordings[0].reach for need in stored}
        expected = {id for id, reach in reaches.items() if reach.stage is None or reach.stage > stage}
        assert set(left.needs) == expected
    assert verdict.decision == judge_truths(world.truth.needs) == truth


def test_the_page_holds_what_is_demanded():
    """docs/signals.md has its tables, with every sort of world in both sizes, and no demand left open."""
    page = PAGE.read_text(encoding="utf-8")
    table = page[page.index(START) : page.index(END)]
    rows = [
        [part.strip() for part in line.strip("| ").split("|")] for line in table.splitlines() if line.startswith("| ")
    ]
    worlds = [row for row in rows if len(row) == 14 and row[2].isdigit()]
    assert len(worlds) == len(WORLD_KINDS) * len(SIZES)
    for row in worlds:
        number = float(row[11 if row[13].startswith("upgrades") else 12].replace("–", "nan"))
        words = row[13].split()
        if len(words) > 2:
            limit = float(words[2])
            assert number <= limit if words[1] == "≤" else number >= limit, row
    recorded = [row for row in rows if len(row) == 7 and row[2].replace(",", "").isdigit()]
    assert len(recorded) == 6
    assert all(max(map(float, row[3:6])) <= 6 for row in recorded if row[6] != "–")
    assert render_calibration(Calibration(cells=(), recorded=())).startswith("Per cent")
