"""LoCoMo: conversations become stores of sessions; equality with the folders made from the same data."""

import json

import pytest

from memeval.memory.document import Document, Tier
from memeval.testbed.beir import load_beir
from memeval.testbed.importers import Dropped
from memeval.testbed.importers.locomo import CATEGORIES


def test_a_session_is_a_document(load, write_json, locomo):
    """Day and number make the id; each turn is a list item without white space around it, a photo its caption."""
    (suite,) = load("locomo", write_json(locomo)).suites
    first, second = suite.corpus.documents
    assert first == Document(
        doc_id="memory/2024-05-03-session-01.md",
        path="memory/2024-05-03-session-01.md",
        tier=Tier.NOTE,
        name="2024-05-03-session-01.md",
        text=(
            "# 2024-05-03 session 1\n\nDate: 9:05 am on 3 May, 2024. Ada and Ben.\n\n"
            "- Ada: My bicycle is green.\n- Ben: Mine too. [shares a photo of a bell]\n"
        ),
    )
    assert second.doc_id == "memory/2024-11-12-session-02.md"
    assert (suite.name, suite.corpus.name, suite.kind, suite.lang) == ("locomo-chat-1", "locomo-chat-1", "beir", "en")


def test_evidence_turns_expect_their_sessions(load, write_json, locomo):
    """The category is the first tag, the number of expected documents the second; ids count every question."""
    imported = load("locomo", write_json(locomo))
    (suite,) = imported.suites
    first, second = (document.doc_id for document in suite.corpus.documents)
    assert [(need.id, need.expected, need.tags) for need in suite.needs] == [
        ("locomo-chat-1-000", {first: 1, second: 1}, ("multi-hop", "multi-file")),
        ("locomo-chat-1-001", {second: 1}, ("temporal", "single-file")),
        ("locomo-chat-1-003", {first: 1}, ("single-hop", "single-file")),
        ("locomo-chat-1-004", {second: 1}, ("adversarial", "single-file")),
    ]
    assert [query.id for query in suite.queries()] == [need.id for need in suite.needs]
    assert imported.dropped == (
        Dropped(suite="locomo-chat-1", count=1, reason="session with a date and no turns", examples=("session 3",)),
        Dropped(suite="locomo-chat-1", count=1, reason="question without evidence", examples=("locomo-chat-1-002",)),
    )


@pytest.mark.parametrize(
    ("evidence", "sessions", "reasons"),
    [
        (["D1:1; D2:1"], {1, 2}, []),
        (["D1:1 D2:1"], {1, 2}, []),
        (["D:2:1"], {2}, []),
        (["D2:01"], {2}, []),
        (["D1:1", "D"], {1}, ["evidence that names no turn of the conversation"]),
        (["D1:9", "D1:2"], {1}, ["evidence that names no turn of the conversation"]),
        (["D1:1; D9:1"], {1}, ["evidence that names no turn of the conversation"]),
        (
            ["D"],
            None,
            ["evidence that names no turn of the conversation", "question whose evidence is all dropped"],
        ),
        (None, None, ["question without evidence"]),
    ],
)
def test_odd_evidence_is_read_or_counted(evidence, sessions, reasons, load, write_json, locomo):
    """The published file writes turns in several ways and names a few that do not exist."""
    kept = {"question": "Kept?", "evidence": ["D1:1"], "category": 4}
    locomo[0]["qa"] = [kept, {"question": "Odd?", "evidence": evidence, "category": 4}]
    imported = load("locomo", write_json(locomo))
    odd = [need.relevant for need in imported.suites[0].needs[1:]]
    numbers = [{int(doc_id[-5:-3]) for doc_id in relevant} for relevant in odd]
    assert numbers == ([] if sessions is None else [sessions])
    assert [entry.reason for entry in imported.dropped[1:]] == reasons


def test_every_conversation_is_a_suite(load, write_json, locomo):
    """The name begins with the option `name`; the language is the option's; blank questions are counted."""
    other = {**locomo[0], "sample_id": 2, "qa": [*locomo[0]["qa"], {"question": " ", "evidence": [], "category": 1}]}
    imported = load("locomo", write_json([locomo[0], other]), name="chats", lang="en-GB")
    assert [suite.name for suite in imported.suites] == ["chats-chat-1", "chats-2"]
    assert {need.lang for suite in imported.suites for need in suite.needs} == {"en-GB"}
    assert [str(entry) for entry in imported.dropped if entry.suite == "chats-2"][-1] == (
        "chats-2: 1 × question without text (chats-2-005)"
    )


def spoil(locomo, path, value):
    """Put a value at a path of keys; None takes the key away."""
    node = locomo
    for key in path[:-1]:
        node = node[key]
    if value is None:
        del node[path[-1]]
    else:
        node[path[-1]] = value
    return locomo


CONVERSATION = (0, "conversation")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ((0, "sample_id"), None, "$[0] has no 'sample_id'; it has conversation, qa"),
        ((0, "sample_id"), "../x", "'locomo-../x' cannot name a suite"),
        ((0, "qa"), {}, "$[0].qa must be a list"),
        ((0, "qa", 3, "category"), 6, "$[0].qa[3].category is 6; allowed: 1 (multi-hop), 2 (temporal)"),
        ((0, "qa", 3, "category"), True, "$[0].qa[3].category must be a whole number"),
        ((0, "qa", 3, "question"), None, "$[0].qa[3] has no 'question'"),
        ((0, "qa", 3, "evidence"), "D1:1", "$[0].qa[3].evidence must be a list"),
        ((0, "qa", 3, "evidence", 0), 1, "$[0].qa[3].evidence[0] must be a text"),
        ((*CONVERSATION, "speaker_b"), None, "$[0].conversation has no 'speaker_b'"),
        ((*CONVERSATION, "session_2_date_time"), None, "$[0].conversation has no 'session_2_date_time'"),
        ((*CONVERSATION, "session_2_date_time"), "2024-11-12", "is '2024-11-12'; a date is written like '1:56 pm"),
        ((*CONVERSATION, "session_2", 0, "dia_id"), "D2", "$[0].conversation.session_2[0].dia_id is 'D2'"),
        ((*CONVERSATION, "session_2", 0, "dia_id"), "D1:1", "stands in two sessions"),
        ((*CONVERSATION, "session_2", 0, "text"), None, "$[0].conversation.session_2[0] has no 'text'"),
        ((*CONVERSATION, "session_2", 0, "speaker"), "", "$[0].conversation.session_2[0].speaker is empty"),
    ],
)
def test_broken_input_is_refused_at_its_place(path, value, message, refuse, write_json, locomo):
    """The message has the JSON path, what is there, and what is allowed."""
    text = refuse("locomo", write_json(spoil(locomo, path, value)))
    assert message in text
    assert "file.json: " in text


def test_a_sample_that_stands_twice_is_refused(refuse, write_json, locomo):
    """Its questions would have ids of another's."""
    assert "$[1].sample_id makes the id 'locomo-chat-1', as $[0].sample_id does" in refuse(
        "locomo", write_json(locomo * 2)
    )


def test_equal_to_the_folders_made_from_the_same_data(load, benchmarks):
    """Documents, needs, wordings, grades and tags are those of the three folders, to the digest."""
    suites = load("locomo", benchmarks / "raw" / "locomo_sample.json").suites
    assert len(suites) == 3
    for suite in suites:
        folder = load_beir(benchmarks / suite.name)
        assert suite.corpus.documents == folder.corpus.documents
        assert suite.corpus.digest == folder.corpus.digest
        assert suite.digest == folder.digest
        assert suite.qrels() == folder.qrels()
        assert [(need.id, need.lang, need.tags) for need in suite.needs] == [
            (need.id, need.lang, need.tags) for need in folder.needs
        ]


def test_the_data_bears_the_categories_out(benchmarks):
    """Category 1 mostly names turns of several sessions and 4 of one, 2 asks when, only 5 lacks an answer."""
    questions = [
        question
        for sample in json.loads((benchmarks / "raw" / "locomo_sample.json").read_text(encoding="utf-8"))
        for question in sample["qa"]
    ]
    named = {number: [q for q in questions if q["category"] == number] for number in CATEGORIES}

    def share(number, holds):
        return sum(map(holds, named[number])) / len(named[number])

    def spreads(question):
        return len({turn.split(":")[0] for turn in question["evidence"]}) > 1

    assert share(1, spreads) > 0.9
    assert share(4, spreads) < 0.05
    assert share(2, lambda question: "when" in question["question"].lower()) > 0.5
    assert [number for number in named if share(number, lambda question: "answer" not in question) > 0.5] == [5]


def test_what_the_sample_drops(load, benchmarks):
    """Two questions without evidence, and the dates of sixteen sessions that were never held."""
    dropped = load("locomo", benchmarks / "raw" / "locomo_sample.json").dropped
    assert [(entry.suite, entry.count, entry.reason) for entry in dropped] == [
        ("locomo-conv-26", 16, "session with a date and no turns"),
        ("locomo-conv-26", 2, "question without evidence"),
    ]
