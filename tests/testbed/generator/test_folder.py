"""A world on disk: what is read back is what was made."""

import json
from dataclasses import replace

import pytest
import yaml

from memeval.errors import CorpusError
from memeval.testbed.generator import Parameters, generate_world, write_world
from memeval.testbed.generator.folder import list_events
from memeval.testbed.suitefile import load_suite


@pytest.fixture(scope="module")
def folder(rich_world, tmp_path_factory):
    folder = tmp_path_factory.mktemp("world") / "deep" / "rich"
    assert write_world(rich_world, folder) == folder / "rich.recall.yaml"
    return folder


def test_written_suite_loads_as_the_world(rich_world, folder):
    """Corpus, documents and needs are equal to those in memory, digests included."""
    loaded = load_suite(folder / "rich.recall.yaml")
    assert loaded.corpus == rich_world.suite.corpus
    needs = tuple(replace(need, line=None) for need in loaded.needs)
    assert needs == rich_world.suite.needs
    assert replace(loaded, path=rich_world.suite.path, needs=needs) == rich_world.suite


def test_store_holds_what_an_engine_lays_out(folder, rich_parameters):
    """Below the store there are the documents, corpus.yaml and the aliases; the answers lie outside."""
    store = folder / "store"
    below = {path.relative_to(store).as_posix() for path in store.rglob("*") if path.is_file()}
    assert {name for name in below if not name.startswith("projects/")} == {"MEMORY.md", "corpus.yaml", "aliases.yaml"}
    assert len(below) == rich_parameters.documents + 2
    assert {path.name for path in folder.iterdir()} == {"store", "rich.recall.yaml", "truth.json", "sessions.jsonl"}


def test_truth_is_written_whole(rich_world, folder):
    """truth.json holds every need with its stages, the exact rates, and where copies, stale facts and noise are."""
    written = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    truth = rich_world.truth
    assert written["seed"] == 7
    assert (
        Parameters(**{**written["parameters"], "languages": tuple(written["parameters"]["languages"])})
        == truth.parameters
    )
    assert written["rates"]["zh"] == truth.rates["zh"].as_dict()
    assert written["session_counts"] == truth.session_counts.as_dict()
    assert written["session_expectation"] == truth.session_expectation.as_dict()
    for need, known in zip(written["needs"], truth.needs, strict=True):
        assert (need["id"], need["file"], need["found_at"]) == (known.id, known.file, known.found_at)
        for wording, knows in zip(need["wordings"], known.wordings, strict=True):
            assert wording["reach"] == knows.reach
            assert wording["stage"] == (knows.reach.stage if knows.reach else None)
            assert wording["matched"] == list(knows.matched)
            assert [form["text"] for form in wording["bridge"]] == [form.text for form in knows.bridge]
    stages = {wording["stage"] for need in written["needs"] for wording in need["wordings"]}
    assert stages == {0, 1, 2, None}
    for key in ("duplicates", "superseded"):
        assert [(copy["file"], copy["origin"], tuple(copy["needs"])) for copy in written[key]] == [
            (copy.file, copy.origin, copy.needs) for copy in getattr(truth, key)
        ]
    assert [(noise["file"], tuple(noise["mentions"])) for noise in written["noise"]] == [
        (noise.file, noise.mentions) for noise in truth.noise
    ]
    assert {file: tuple(aliases) for file, aliases in written["aliases"].items()} == truth.aliases


def test_aliases_are_yaml(rich_world, folder):
    """aliases.yaml maps a file to its aliases."""
    written = yaml.safe_load((folder / "store" / "aliases.yaml").read_text(encoding="utf-8"))
    assert {file: tuple(aliases) for file, aliases in written.items()} == rich_world.truth.aliases


def test_events_are_one_a_line(rich_world, folder):
    """sessions.jsonl holds the events in order; every need ends with a read or a stop."""
    lines = (folder / "sessions.jsonl").read_text(encoding="utf-8").splitlines()
    events = [json.loads(line) for line in lines]
    assert events == list(list_events(rich_world.sessions))
    attempts = [attempt for session in rich_world.sessions for attempt in session.attempts]
    ends = [event for event in events if event["event"] in {"read", "stop"}]
    assert [(event["need"], event.get("file")) for event in ends] == [
        (attempt.need, attempt.read) for attempt in attempts
    ]
    assert {event["event"] for event in events} == {"search", "read", "stop"}


def test_nothing_is_overwritten(rich_world, tmp_path):
    """A folder that holds something, or a file, is refused and left as it is; an empty folder is taken."""
    (tmp_path / "mine.txt").write_text("keep")
    with pytest.raises(CorpusError, match="no empty folder; choose another"):
        write_world(rich_world, tmp_path)
    with pytest.raises(CorpusError, match="no empty folder"):
        write_world(rich_world, tmp_path / "mine.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    (tmp_path / "empty").mkdir()
    assert write_world(rich_world, tmp_path / "empty").is_file()


def test_smallest_world_loads(tmp_path):
    """Ten files, one need without an answer, no sessions and no aliases are written and read back."""
    world = generate_world(Parameters(documents=10, needs=1, unanswerable=1, sessions=0, name="small"))
    loaded = load_suite(write_world(world, tmp_path / "small"))
    assert loaded.corpus == world.suite.corpus
    assert not (tmp_path / "small" / "store" / "aliases.yaml").exists()
