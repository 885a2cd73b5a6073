"""LongMemEval: haystacks become stores with opaque ids; equality with the folder made from the same data."""

import json

import pytest

from memeval.testbed.beir import load_beir


def test_sessions_are_numbered_in_order_of_time(load, write_json, longmemeval):
    """The text has the date and each turn's role; questions with one haystack share one suite."""
    first, second = load("longmemeval", write_json(longmemeval)).suites
    assert [(document.doc_id, document.text) for document in first.corpus.documents] == [
        ("memory/2024-03-01-01.md", "# 2024/03/01 (Fri) 22:30\n\n**user**: How do tides work?\n"),
        ("memory/2024-03-02-02.md", "# 2024/03/02 (Sat) 09:59\n\n**user**: My cat is called Mog.\n"),
        (
            "memory/2024-03-02-03.md",
            "# 2024/03/02 (Sat) 10:00\n\n**user**: I adopted a cat.\n\n**assistant**: Nice.\n",
        ),
    ]
    assert (first.name, second.name, first.lang) == ("lme-q7", "lme-q8-abs", "en")


def test_needs_expect_their_evidence_sessions(load, write_json, longmemeval):
    """Own questions keep their type, one about filler is a third party's, `_abs` has nothing stored."""
    first, second = load("longmemeval", write_json(longmemeval)).suites
    assert [(need.id, need.expected, need.tags) for need in (*first.needs, *second.needs)] == [
        ("lme-q7", {"memory/2024-03-02-03.md": 1, "memory/2024-03-02-02.md": 1}, ("multi-session", "multi-file")),
        ("lme-q7-1", {"memory/2024-03-01-01.md": 1}, ("third-party-question", "single-file")),
        ("lme-q8-abs", {"memory/2024-03-04-01.md": 0}, ("multi-session", "abstention")),
    ]
    assert second.needs[0].relevant == frozenset()


def test_nothing_in_a_store_gives_the_evidence_away(load, write_json, longmemeval):
    """No session id and no mark of an answer stands in an id or a text of a document."""
    for suite in load("longmemeval", write_json(longmemeval)).suites:
        for document in suite.corpus.documents:
            for mark in ("answer_", "has_answer", "tides_", "q7", "q8"):
                assert mark not in document.doc_id + document.text


def test_own_names_of_sessions_make_no_third_party(load, write_json, longmemeval):
    """Where no session id begins with `answer`, nothing can be told from it and the type stays."""
    longmemeval[0]["haystack_session_ids"] = longmemeval[0]["answer_session_ids"] = ["a", "b", "c"]
    longmemeval[0]["answer_session_ids"] = ["a"]
    (suite,) = load("longmemeval", write_json(longmemeval[:1])).suites
    assert suite.needs[0].tags == ("multi-session", "single-file")


def test_equal_times_keep_the_order_of_the_file(load, write_json, longmemeval):
    """The number after the day tells them apart."""
    longmemeval[0]["haystack_dates"] = ["2024/03/02 (Sat) 10:00"] * 3
    (suite,) = load("longmemeval", write_json(longmemeval[:1])).suites
    texts = [document.text.split("**user**: ")[1].split("\n")[0] for document in suite.corpus.documents]
    assert texts == ["I adopted a cat.", "How do tides work?", "My cat is called Mog."]


def test_long_haystacks_sort_by_number(load, write_json, longmemeval):
    """The number is as wide as the last one needs, so that ids sort by time."""
    question = longmemeval[0]
    question["haystack_session_ids"] = [f"s{number}" for number in range(101)]
    question["haystack_dates"] = ["2024/03/02 (Sat) 10:00"] * 101
    question["haystack_sessions"] = [[{"role": "user", "content": str(number)}] for number in range(101)]
    question["answer_session_ids"] = ["s100"]
    (suite,) = load("longmemeval", write_json([question])).suites
    assert suite.corpus.documents[-1].text.endswith("**user**: 100\n")
    assert suite.needs[0].expected == {"memory/2024-03-02-101.md": 1}


def test_equal_texts_under_other_ids_are_another_haystack(load, write_json, longmemeval):
    """Evidence is looked up among the ids of its own question."""
    other = {**longmemeval[0], "question_id": "q9", "haystack_session_ids": ["answer_9", "a", "b"]}
    imported = load("longmemeval", write_json([longmemeval[0], {**other, "answer_session_ids": ["answer_9"]}]))
    assert [suite.name for suite in imported.suites] == ["lme-q7", "lme-q9"]
    assert imported.suites[1].needs[0].expected == {"memory/2024-03-02-03.md": 1}
    assert imported.dropped == ()


def test_a_session_that_stands_twice_is_expected_twice(load, write_json, longmemeval):
    """Both documents answer the question."""
    question = longmemeval[1]
    question["haystack_session_ids"] = ["tides", "tides", "x"]
    (suite,) = load("longmemeval", write_json([question])).suites
    assert suite.needs[0].expected == {"memory/2024-03-01-01.md": 1, "memory/2024-03-02-03.md": 1}


def test_what_is_dropped_is_counted(load, write_json, longmemeval):
    """Sessions without turns, evidence that is not there, questions left without any or without text."""
    first, second, third = longmemeval
    haystack = {key: value for key, value in first.items() if key.startswith("haystack")}
    haystack["haystack_sessions"] = [[], *haystack["haystack_sessions"][1:]]
    questions = [
        {**first, **haystack},
        {**second, **haystack, "answer_session_ids": ["gone"]},
        {**second, **haystack, "question_id": "q9", "answer_session_ids": []},
        {**second, **haystack, "question_id": "q10", "question": " "},
        {**third, "answer_session_ids": []},
    ]
    imported = load("longmemeval", write_json(questions))
    assert [[need.id for need in suite.needs] for suite in imported.suites] == [["lme-q7"], ["lme-q8-abs"]]
    assert imported.suites[1].needs[0].expected == {}
    assert [str(entry) for entry in imported.dropped] == [
        "lme-q7: 1 × session without turns (answer_7_1)",
        "lme-q7: 2 × evidence that is not in the haystack (lme-q7: answer_7_1, lme-q7-1: gone)",
        "lme-q7: 1 × question whose evidence is all dropped (lme-q7-1)",
        "lme-q7: 1 × question without evidence (lme-q9)",
        "lme-q7: 1 × question without text (lme-q10)",
    ]


def test_a_haystack_without_a_question_left_is_no_suite(load, write_json, longmemeval):
    """The others are imported, and what was dropped is told all the same."""
    longmemeval[2].update(question_id="q8", answer_session_ids=["gone"])
    imported = load("longmemeval", write_json(longmemeval))
    assert [suite.name for suite in imported.suites] == ["lme-q7"]
    assert {entry.suite for entry in imported.dropped} == {"lme-q8"}


def test_a_file_of_evidence_alone_is_refused(refuse, write_json, longmemeval):
    """Where every haystack holds its evidence and nothing else, every search would be right."""
    question = longmemeval[0]
    question["answer_session_ids"] = question["haystack_session_ids"]
    assert "(an oracle file): nothing to search" in refuse("longmemeval", write_json([question]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"haystack_dates": ["2024/03/02 (Sat) 10:00"]}, "$[0] has lists of different lengths: "),
        ({"haystack_dates": ["yesterday"] * 3}, "$[0].haystack_dates[0] is 'yesterday'; a date is written like"),
        ({"haystack_sessions": [[1], [], []]}, "$[0].haystack_sessions[0][0] must be an object"),
        ({"haystack_sessions": [[{"role": "user"}], [], []]}, "$[0].haystack_sessions[0][0] has no 'content'"),
        ({"question": 3}, "$[0].question must be a text"),
        ({"question_type": ""}, "$[0].question_type is empty"),
        ({"answer_session_ids": None}, "$[0] has no 'answer_session_ids'"),
        ({"question_id": "a/b"}, "'lme-a/b' cannot name a suite"),
        ({"question_id": "q7-1"}, "$[1].question_id makes the id 'lme-q7-1', as $[0].question_id does"),
    ],
)
def test_broken_input_is_refused_at_its_place(change, message, refuse, write_json, longmemeval):
    """The message has the JSON path and what is wrong."""
    longmemeval[0].update(change)
    assert message in refuse("longmemeval", write_json(longmemeval))


def test_equal_to_the_folder_made_from_the_same_data(load, benchmarks):
    """Documents are those of the folder, and so are the two questions that the sample has of its nine."""
    (suite,) = load("longmemeval", benchmarks / "raw" / "longmemeval_sample.json").suites
    folder = load_beir(benchmarks / "lme-mini-852ce960")
    assert suite.corpus.documents == folder.corpus.documents
    assert suite.corpus.digest == folder.corpus.digest
    needs = {need.id: need for need in folder.needs}
    assert [need.id for need in suite.needs] == ["lme-852ce960-0", "lme-852ce960-1"]
    for need in suite.needs:
        other = needs[need.id]
        assert (need.expected, need.wordings, need.lang, need.tags) == (
            other.expected,
            other.wordings,
            other.lang,
            other.tags,
        )


def test_the_sample_names_its_evidence_openly(load, benchmarks):
    """Why ids are made anew: in the file a session id that begins with `answer` is an expected one."""
    path = benchmarks / "raw" / "longmemeval_sample.json"
    question = json.loads(path.read_text(encoding="utf-8"))[0]
    given_away = {session for session in question["haystack_session_ids"] if session.startswith("answer")}
    assert given_away == set(question["answer_session_ids"])
    for document in load("longmemeval", path).suites[0].corpus.documents:
        assert not any(session in document.doc_id or session in document.text for session in given_away)
