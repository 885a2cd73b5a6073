"""Small hand-made files of every format, and the folder of real benchmarks beside the project."""

import json
from pathlib import Path

import pytest

from memeval.errors import BenchmarkFormatError
from memeval.testbed.importers import ImportOptions, find_importer

BENCHMARKS = Path(__file__).parents[3] / ".." / "shared" / "benchmarks"


@pytest.fixture
def benchmarks():
    """The folder of real benchmarks; the test is skipped where it is not there."""
    if not BENCHMARKS.is_dir():
        pytest.skip("no folder of benchmarks beside the project")
    return BENCHMARKS


@pytest.fixture
def load():
    """A function: what the importer of that name makes of a path, with these options."""

    def run(importer, path, /, **options):
        return find_importer(importer).load(path, licence="CC0, the tests", options=ImportOptions(**options))

    return run


@pytest.fixture
def refuse(load):
    """A function: what the importer of that name says when it refuses a path."""

    def run(importer, path, /, **options):
        with pytest.raises(BenchmarkFormatError) as caught:
            load(importer, path, **options)
        return str(caught.value)

    return run


@pytest.fixture
def write_json(tmp_path):
    """A function: the path of a JSON file with this value, or of a JSON Lines file with these."""

    def write(value, name="file.json"):
        path = tmp_path / name
        rows = value if name.endswith(".jsonl") else [value]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write


@pytest.fixture
def locomo():
    """Two sessions between Ada and Ben, a third without turns, and a question of every category."""
    return [
        {
            "sample_id": "chat-1",
            "conversation": {
                "speaker_a": "Ada",
                "speaker_b": "Ben",
                "session_1_date_time": "9:05 am on 3 May, 2024",
                "session_1": [
                    {"speaker": "Ada", "dia_id": "D1:1", "text": " My bicycle is green. "},
                    {"speaker": "Ben", "dia_id": "D1:2", "text": "Mine too.", "blip_caption": "a photo of a bell"},
                ],
                "session_2_date_time": "11:59 pm on 12 November, 2024",
                "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "I sold it to Ada."}],
                "session_3_date_time": "1:00 pm on 1 December, 2024",
            },
            "qa": [
                {"question": "Who has two bicycles?", "evidence": ["D1:1", "D2:1"], "category": 1, "answer": "Ada"},
                {"question": "When did Ben sell his?", "evidence": ["D2:1"], "category": 2, "answer": 2024},
                {"question": "Does Ada like cars?", "evidence": [], "category": 3, "answer": "no"},
                {"question": "Which colour?", "evidence": ["D1:1"], "category": 4, "answer": "green"},
                {"question": "Why did Ada sell hers?", "evidence": ["D2:1"], "category": 5},
            ],
        }
    ]


@pytest.fixture
def longmemeval():
    """Two questions over one haystack of three sessions, not in order of time, and an abstention with its own."""
    sessions = [
        [
            {"role": "user", "content": "I adopted a cat. ", "has_answer": True},
            {"role": "assistant", "content": "Nice."},
        ],
        [{"role": "user", "content": "How do tides work?"}],
        [{"role": "user", "content": "My cat is called Mog.", "has_answer": True}],
    ]
    haystack = {
        "haystack_session_ids": ["answer_7_1", "tides", "answer_7_2"],
        "haystack_dates": ["2024/03/02 (Sat) 10:00", "2024/03/01 (Fri) 22:30", "2024/03/02 (Sat) 09:59"],
        "haystack_sessions": sessions,
    }
    own = {"question_id": "q7", "question_type": "multi-session", "question": "What is my cat called?"}
    filler = {"question_id": "q7_1", "question_type": "multi-session", "question": "What moves the sea?"}
    unknown = {"question_id": "q8_abs", "question_type": "multi-session", "question": "What is my dog called?"}
    return [
        {**own, "answer_session_ids": ["answer_7_1", "answer_7_2"], **haystack},
        {**filler, "answer_session_ids": ["tides"], **haystack},
        {
            **unknown,
            "answer_session_ids": ["answer_8_abs_1"],
            "haystack_session_ids": ["answer_8_abs_1", "x"],
            "haystack_dates": ["2024/03/04 (Mon) 08:00", "2024/03/05 (Tue) 08:00"],
            "haystack_sessions": [[{"role": "user", "content": "I walk a lot."}], [{"role": "user", "content": "Hm."}]],
        },
    ]


@pytest.fixture
def squad():
    """Two articles with three paragraphs, one of them twice, and an impossible question."""
    river = {
        "context": "The river rises in the hills.",
        "qas": [
            {"id": "r1", "question": "Where does it rise?", "answers": [{"text": "the hills", "answer_start": 19}]}
        ],
    }
    bridge = {
        "context": "A bridge was built in 1901.",
        "qas": [
            {"id": 22, "question": "When was it built?", "is_impossible": False, "answers": []},
            {"id": "b2", "question": "Who built it?", "is_impossible": True, "answers": []},
        ],
    }
    again = {**river, "qas": [{"id": "r2", "question": "What rises there?", "answers": []}]}
    tyne = {"context": "The river rises in the hills.", "qas": [{"id": "t1", "question": "Where?", "answers": []}]}
    return {
        "version": "1",
        "data": [{"title": "Ouse", "paragraphs": [river, bridge, again]}, {"title": "Tyne", "paragraphs": [tyne]}],
    }


@pytest.fixture
def beir(tmp_path, write_files):
    """A BEIR folder of two documents; of four queries one is not judged and one lost its only document."""
    return write_files(
        tmp_path / "kitchen",
        {
            "corpus.jsonl": '{"_id": "tea.md", "title": "Tea", "text": "Boil water."}\n'
            '{"_id": "rice.md", "title": "", "text": "Rinse, then simmer."}\n',
            "queries.jsonl": '{"_id": "q1", "text": "hot drink", "metadata": {"lang": "en"}}\n'
            '{"_id": "q2", "text": "unjudged", "metadata": {"lang": "en"}}\n'
            '{"_id": "q3", "text": "lost", "metadata": {"lang": "en"}}\n'
            '{"_id": "q4", "text": "salad", "metadata": {"lang": "en"}}\n',
            "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\ttea.md\t1\nq3\tgone.md\t1\nq4\trice.md\t0\n",
        },
    )
