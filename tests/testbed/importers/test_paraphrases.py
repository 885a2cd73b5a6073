"""Paraphrase groups: several wordings of one need over a corpus that is there already."""

import json

import pytest

from memeval.testbed.beir import load_beir
from memeval.testbed.needs import Wording


@pytest.fixture
def corpus(tmp_path, write_files):
    """A folder of two notes."""
    return write_files(tmp_path / "notes", {"tea.md": "Boil water.", "rice.md": "Rinse, then simmer."})


def test_a_group_is_a_need_with_its_wordings(load, write_json, corpus):
    """Wordings keep their order and are of no stated kind; a query's id has the need and the wording's place."""
    rows = [
        {"id": "hot", "queries": ["hot drink", "make tea"], "expected": ["tea.md"], "lang": "en", "tags": ["x"]},
        {"queries": ["grain"], "expected": ["rice.md", "tea.md", "rice.md"], "other": 1},
    ]
    imported = load("paraphrases", write_json(rows, "groups.jsonl"), corpus=corpus, lang="en-GB")
    (suite,) = imported.suites
    first, second = suite.needs
    assert first.wordings == (Wording(text="hot drink"), Wording(text="make tea"))
    assert (first.id, first.expected, first.lang, first.tags) == ("hot", {"tea.md": 1}, "en", ("x",))
    assert (second.id, second.expected, second.lang, second.tags) == (
        "line-0002",
        {"rice.md": 1, "tea.md": 1},
        "en-GB",
        (),
    )
    assert [query.id for query in suite.queries()] == ["hot[0]", "hot[1]", "line-0002[0]"]
    assert (suite.name, suite.corpus.name, suite.kind) == ("groups", "notes", "recall")
    assert imported.dropped == ()


def test_what_is_dropped_is_counted(load, write_json, corpus):
    """Blank and repeated wordings, unknown documents, and groups left without either."""
    rows = [
        {"id": "a", "queries": [" hot drink", " ", "hot drink "], "expected": ["tea.md", "gone.md"]},
        {"id": "b", "queries": [""], "expected": ["tea.md"]},
        {"id": "c", "queries": ["x"], "expected": ["gone.md"]},
        {"id": "d", "queries": ["x"], "expected": []},
    ]
    imported = load("paraphrases", write_json(rows, "g.jsonl"), corpus=corpus, name="cups")
    assert [(need.id, need.wordings) for need in imported.suites[0].needs] == [("a", (Wording(text="hot drink"),))]
    assert [str(entry) for entry in imported.dropped] == [
        "cups: 2 × wording without text (a: $.queries[1], b: $.queries[0])",
        "cups: 1 × wording that repeats another of its group (a: $.queries[2])",
        "cups: 2 × expected document that the corpus does not have (a: gone.md, c: gone.md)",
        "cups: 1 × group without a wording (b)",
        "cups: 1 × group whose expected documents are all dropped (c)",
        "cups: 1 × group without an expected document (d)",
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"queries": ["x"]}, "g.jsonl:2: $ has no 'expected'; it has queries"),
        ({"queries": "x", "expected": []}, "g.jsonl:2: $.queries must be a list"),
        ({"queries": [1], "expected": []}, "g.jsonl:2: $.queries[0] must be a text"),
        ({"queries": ["x"], "expected": [""]}, "g.jsonl:2: $.expected[0] is empty"),
        ({"queries": ["x"], "expected": ["tea.md"], "tags": "x"}, "g.jsonl:2: $.tags must be a list"),
        ({"id": "a b", "queries": [], "expected": []}, "g.jsonl:2: $.id is 'a b'; an id is made of letters"),
        ({"id": "one", "queries": [], "expected": []}, "g.jsonl:2: $ has the id 'one', which stands in line 1"),
        ([], "g.jsonl:2: $ must be an object"),
    ],
)
def test_broken_input_is_refused_at_its_line(row, message, refuse, write_json, corpus):
    """The message has the line and the JSON path."""
    rows = [{"id": "one", "queries": ["x"], "expected": ["tea.md"]}, row]
    assert message in refuse("paraphrases", write_json(rows, "g.jsonl"), corpus=corpus)


def test_a_folder_that_is_no_corpus_is_refused(refuse, write_json, tmp_path):
    """The message names the folder."""
    path = write_json([{"queries": ["x"], "expected": ["tea.md"]}], "g.jsonl")
    assert "absent: cannot be the corpus" in refuse("paraphrases", path, corpus=tmp_path / "absent")


def test_real_groups_over_their_folder(load, benchmarks):
    """Nothing is lost of the published groups, and the corpus is the folder's, to the digest."""
    path = benchmarks / "pairs" / "tldr-en-paraphrases.jsonl"
    imported = load("paraphrases", path, corpus=benchmarks / "tldr-en")
    (suite,) = imported.suites
    assert imported.dropped == ()
    assert suite.corpus.digest == load_beir(benchmarks / "tldr-en").corpus.digest
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [(need.id, [wording.text for wording in need.wordings], list(need.expected)) for need in suite.needs] == [
        (row["id"], row["queries"], row["expected"]) for row in rows
    ]
    assert {need.lang for need in suite.needs} == {"en"}
