"""From a path to a suite: what may be given."""

from __future__ import annotations

import pytest

import memeval
from memeval.bench.suite import expand_paths
from memeval.errors import SuiteFileError


def make_beir(folder):
    """A BEIR folder of one document and one query."""
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text('{"_id": "d", "text": "redis"}\n', encoding="utf-8")
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "redis"}\n', encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text("q\td\t1\n", encoding="utf-8")


def test_a_folder_of_beir_folders_is_their_suites(tmp_path):
    """Sorted, at any depth; each is a suite of its own name."""
    for name in ("zh", "en", "more/ja"):
        make_beir(tmp_path / name)
    assert expand_paths((str(tmp_path),)) == tuple(tmp_path / name for name in ("en", "more/ja", "zh"))
    evaluation = memeval.evaluate(list(expand_paths((str(tmp_path),))), ["grep"])
    assert [suite.name for suite in evaluation.suites] == ["en", "ja", "zh"]


def test_suite_files_go_before_beir_folders_beside_them(small_suite):
    """Those may be the corpora that the suites ask."""
    make_beir(small_suite.parent / "corpus")
    assert expand_paths((str(small_suite.parent),)) == (small_suite,)


def test_a_folder_in_place_of_one_suite_names_one_below(small_suite, tmp_path):
    """The message can be typed; without any suite below it says what is looked for."""
    with pytest.raises(SuiteFileError, match=r"name one of those below it, such as .*shop\.recall\.yaml"):
        memeval.load_suite(small_suite.parent)
    (tmp_path / "empty").mkdir()
    with pytest.raises(SuiteFileError, match=r"no BEIR folder \(one with a corpus\.jsonl\)"):
        expand_paths((str(tmp_path / "empty"),))


@pytest.mark.parametrize("ask", [memeval.load_suite, memeval.evaluate, lambda path: expand_paths((path,))])
def test_an_empty_path_is_not_the_current_folder(small_suite, monkeypatch, ask):
    """Nothing given runs nothing, though there are suites below the folder one stands in."""
    monkeypatch.chdir(small_suite.parent)
    with pytest.raises(SuiteFileError, match=r"'': (is no path|does not exist); give a file ending in"):
        ask("")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# Redis\n\nIt listens on 6380.\n", r"redis\.md:3: the suite must be a mapping .*, not a single value"),
        ("---\nname: redis\n---\nport 6380\n", r"redis\.md:3: a second YAML document begins here"),
        ("- `port`: 6380\n", r"redis\.md:1: broken YAML"),
    ],
)
def test_a_note_in_place_of_a_suite_leads_to_init(tmp_path, text, said):
    """Whatever YAML makes of a note, the message says how its folder gets a suite; for a broken suite it does not."""
    note = tmp_path / "redis.md"
    note.write_text(text, encoding="utf-8")
    with pytest.raises(SuiteFileError, match=said + r".*; is it a suite\? .* `memeval init STORE` writes a first one"):
        memeval.load_suite(note)
    suite = note.rename(tmp_path / "redis.recall.yaml")
    with pytest.raises(SuiteFileError) as error:
        memeval.load_suite(suite)
    assert "memeval init" not in str(error.value)
