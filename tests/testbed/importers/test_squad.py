"""SQuAD-style JSON: paragraphs become documents; the conventions of the folders made from DRCD and JSQuAD hold."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.testbed.beir import load_beir
from memeval.testbed.importers import ImportOptions, find_importer, write_imported


def test_a_paragraph_is_a_document(load, write_json, squad):
    """The title is the heading; equal texts under different titles stay apart, a repeated paragraph is merged."""
    imported = load("squad", write_json(squad, "Rivers-v1.json"), lang="en")
    (suite,) = imported.suites
    assert [(document.doc_id, document.text) for document in suite.corpus.documents] == [
        ("rivers-v1/0001.md", "# Ouse\n\nThe river rises in the hills.\n"),
        ("rivers-v1/0002.md", "# Ouse\n\nA bridge was built in 1901.\n"),
        ("rivers-v1/0003.md", "# Tyne\n\nThe river rises in the hills.\n"),
    ]
    assert [str(entry) for entry in imported.dropped] == [
        "rivers-v1: 1 × paragraph that repeats another word for word, merged with it ($.data[0].paragraphs[2].context)"
    ]
    assert (suite.lang, suite.corpus.languages) == ("en", ("en",))


def test_questions_expect_their_paragraph(load, write_json, squad):
    """An impossible one has nothing stored and its paragraph grade 0; the id in the file makes the query's."""
    (suite,) = load("squad", write_json(squad), name="r").suites
    assert [(need.id, need.expected, need.tags) for need in suite.needs] == [
        ("r-r1", {"r/0001.md": 1}, ("squad-style",)),
        ("r-22", {"r/0002.md": 1}, ("squad-style",)),
        ("r-b2", {"r/0002.md": 0}, ("squad-style", "unanswerable")),
        ("r-r2", {"r/0001.md": 1}, ("squad-style",)),
        ("r-t1", {"r/0003.md": 1}, ("squad-style",)),
    ]
    assert not suite.needs[2].relevant
    assert suite.lang is None


def test_the_list_of_contexts_is_read_too(load, write_json):
    """CMRC 2018 as first published: `context_text`, `query_text`, `query_id`."""
    value = [
        {
            "context_id": "C1",
            "context_text": "橋はふたつある。",
            "title": "橋",
            "qas": [{"query_id": "C1_Q0", "query_text": "いくつ？", "answers": ["ふたつ"]}],
        },
        {"context_id": "C2", "context_text": "川は深い。", "qas": []},
    ]
    (suite,) = load("squad", write_json(value), name="c", lang="ja").suites
    assert [document.text for document in suite.corpus.documents] == ["# 橋\n\n橋はふたつある。\n", "川は深い。\n"]
    assert [(need.id, need.expected, need.lang) for need in suite.needs] == [("c-C1_Q0", {"c/0001.md": 1}, "ja")]


def test_many_paragraphs_sort_by_number(load, write_json):
    """The number is as wide as the last one needs, so that ids keep the order of the file."""
    paragraphs = [{"context": f"page {number}", "qas": []} for number in range(1, 10_001)]
    paragraphs[-1]["qas"] = [{"id": 1, "question": "?"}]
    (suite,) = load("squad", write_json({"data": [{"paragraphs": paragraphs}]}), name="b").suites
    assert [document.text for document in suite.corpus.documents] == [f"page {n}\n" for n in range(1, 10_001)]
    assert suite.needs[0].expected == {"b/10000.md": 1}


@pytest.mark.parametrize(
    ("context", "text"),
    [
        ("橋 [SEP] 橋は長い。", "# 橋\n\n橋は長い。\n"),
        ("川 [SEP] 橋は長い。", "# 橋\n\n川 [SEP] 橋は長い。\n"),
        ("\n橋は長い。\u3000", "# 橋\n\n橋は長い。\n"),
    ],
)
def test_a_title_inside_the_context_stands_once(context, text, load, write_json):
    """JSQuAD writes `title [SEP] text`; only the article's own title is taken off."""
    qas = [{"id": "1", "question": "?"}]
    value = {"data": [{"title": "橋", "paragraphs": [{"context": context, "qas": qas}]}]}
    (suite,) = load("squad", write_json(value)).suites
    assert suite.corpus.documents[0].text == text


def test_a_question_without_text_is_counted(load, write_json, squad):
    """The others stay."""
    squad["data"][0]["paragraphs"][1]["qas"][0]["question"] = "\n"
    imported = load("squad", write_json(squad), name="r")
    assert [need.id for need in imported.suites[0].needs] == ["r-r1", "r-b2", "r-r2", "r-t1"]
    assert str(imported.dropped[-1]) == "r: 1 × question without text (r-22)"


def test_a_question_asked_twice_is_one_need(load, write_json, squad):
    """It expects every paragraph it is asked of; impossible for one, it is answered by the other."""
    ouse, tyne = squad["data"]
    for qas in (ouse["paragraphs"][0]["qas"], tyne["paragraphs"][0]["qas"]):
        qas[0]["question"] = "Who built it?"
    imported = load("squad", write_json(squad), name="r")
    (need,) = (need for need in imported.suites[0].needs if need.wordings[0].text == "Who built it?")
    assert (need.id, need.tags) == ("r-r1", ("squad-style",))
    assert need.expected == {"r/0001.md": 1, "r/0002.md": 0, "r/0003.md": 1}
    assert "r: 2 × question that repeats another word for word, merged with it (r-b2, r-t1)" in map(
        str, imported.dropped
    )


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"version": "1"}, "$ has no 'data'; it has version"),
        ({"data": {}}, "$.data must be a list"),
        ({"data": [{"title": "x", "context": "<html>", "qas": []}]}, "$.data[0] has no 'paragraphs'; it has title"),
        ({"data": [{"paragraphs": [{"context": " ", "qas": []}]}]}, "$.data[0].paragraphs[0].context is empty"),
        ({"data": [{"paragraphs": [{"context": "x"}]}]}, "$.data[0].paragraphs[0] has no 'qas'"),
        (
            {"data": [{"paragraphs": [{"context": "x", "qas": [{"question": "?"}]}]}]},
            "paragraphs[0].qas[0] has no 'id'",
        ),
        (
            {"data": [{"paragraphs": [{"context": "x", "qas": [{"id": 1, "question": "?", "is_impossible": 1}]}]}]},
            "qas[0].is_impossible must be true or false, not the number 1",
        ),
        (
            {"data": [{"paragraphs": [{"context": "x", "qas": [{"id": 1, "question": "?"}] * 2}]}]},
            "$.data[0].paragraphs[0].qas[1].id makes the id 'file-1', as $.data[0].paragraphs[0].qas[0].id does",
        ),
        ([{"context_text": "x"}], "$[0] has no 'qas'"),
        (3, "$ must be an object"),
    ],
)
def test_broken_input_is_refused_at_its_place(value, message, refuse, write_json):
    """The message has the JSON path and what is wrong."""
    assert message in refuse("squad", write_json(value))


@pytest.mark.parametrize(("folder", "lang"), [("drcd", "zh-Hant"), ("jsquad", "ja")])
def test_folders_made_from_such_data_come_out_equal(folder, lang, load, write_json, benchmarks):
    """Their paragraphs and questions, written as SQuAD-style JSON, are imported as the same documents and needs.

    The published files are not at hand, so that this holds the conventions (ids, heading, tags), not the reading of
    the files as published.
    """
    suite = load_beir(benchmarks / folder)
    paragraphs = []
    for document in suite.corpus.documents:
        title, context = document.text.removeprefix("# ").removesuffix("\n").split("\n\n", 1)
        qas = []
        for need in suite.needs:
            # one question of JSQuAD expects two paragraphs, as if it had been asked of both
            place = list(need.expected).index(document.doc_id) if document.doc_id in need.expected else None
            if place is not None:
                number = need.id.removeprefix(f"{folder}-") + "'" * place
                qas.append({"id": number, "question": need.wordings[0].text})
        separator = f"{title} [SEP] " if folder == "jsquad" else ""
        paragraphs.append({"title": title, "paragraphs": [{"context": f"{separator}{context}", "qas": qas}]})
    imported = load("squad", write_json({"data": paragraphs}), name=folder, lang=lang)
    (made,) = imported.suites
    assert sum(entry.count for entry in imported.dropped) == sum(len(need.expected) - 1 for need in suite.needs)
    assert made.corpus.documents == suite.corpus.documents
    assert {need.id: (need.expected, need.wordings, need.tags, need.lang) for need in made.needs} == {
        need.id: (need.expected, need.wordings, need.tags, need.lang) for need in suite.needs
    }


LINES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip)


@given(st.lists(st.tuples(LINES, LINES, st.lists(st.tuples(LINES, st.booleans()), max_size=3)), min_size=1, max_size=4))
def test_any_paragraphs_survive_the_way_to_a_folder(tmp_path_factory, articles):
    """Whatever the texts hold, the BEIR folder written from them loads as the same documents, queries and grades."""
    folder = tmp_path_factory.mktemp("any")
    path = folder / "any.json"
    counter = iter(range(100))
    data = [
        {
            "title": title,
            "paragraphs": [
                {
                    "context": context,
                    "qas": [{"id": next(counter), "question": text, "is_impossible": flag} for text, flag in asked],
                }
            ],
        }
        for title, context, asked in [*articles, ("title", "context", [("asked", False)])]
    ]
    path.write_text(json.dumps({"data": data}), encoding="utf-8")
    imported = find_importer("squad").load(path, licence="CC0", options=ImportOptions(lang="en"))
    (written,) = write_imported(imported, folder / "out")
    suite, back = imported.suites[0], load_beir(written)
    assert back.corpus.documents == suite.corpus.documents
    assert back.digest == suite.digest
    assert [(need.tags, need.lang) for need in back.needs] == [(need.tags, need.lang) for need in suite.needs]
