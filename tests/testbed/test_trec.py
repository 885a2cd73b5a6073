"""TREC qrels and run files: written so that trec_eval's rules cannot reorder them, and read back."""

import sys

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from memeval.errors import BenchmarkFormatError
from memeval.testbed.trec import QrelsRow, read_qrels, read_qrels_rows, read_run, write_qrels, write_run

IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
GRADES = st.dictionaries(IDS, st.dictionaries(IDS, st.integers(-2, 5), min_size=1, max_size=4), max_size=4)
RANKINGS = st.dictionaries(IDS, st.lists(IDS, unique=True, min_size=1, max_size=6), max_size=4)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("trec") / "file.txt"


@given(GRADES)
def test_qrels_read_back(path, qrels):
    """Whatever the ids, what was written is what is read."""
    write_qrels(qrels, path)
    assert read_qrels(path) == qrels


def test_rows_know_their_lines(path):
    """The line is the one an editor shows, blank lines counted; the order is the file's."""
    path.write_text("b 0 x%20y 2\n\na 0 z -1\n", encoding="utf-8")
    assert read_qrels_rows(path) == [QrelsRow(1, "b", "x y", 2), QrelsRow(3, "a", "z", -1)]


@given(RANKINGS)
def test_runs_read_back(path, rankings):
    """The order of a ranking survives, as scores that fall by one to 1."""
    write_run(rankings, path, tag="a b")
    run = read_run(path)
    assert {query_id: list(scores) for query_id, scores in run.items()} == rankings
    for scores in run.values():
        assert list(scores.values()) == list(range(len(scores), 0, -1))


@given(IDS)
def test_ids_hold_no_white_space_in_the_file(path, doc_id):
    """A reader that splits at any white space finds the six columns, even one that splits bytes."""
    write_run({doc_id: [doc_id]}, path)
    assert len(path.read_text(encoding="utf-8").split()) == 6
    assert len(path.read_bytes().split()) == 6
    write_qrels({doc_id: {doc_id: 1}}, path)
    assert len(path.read_text(encoding="utf-8").split()) == 4


def test_every_white_space_character_is_escaped(path):
    """No code point that Python calls white space is left out, nor is `%` or U+FEFF."""
    doc_id = "".join(chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()) + "%\ufeff"
    write_qrels({"q": {doc_id: 1}}, path)
    assert path.read_text(encoding="utf-8").isascii()
    assert read_qrels(path) == {"q": {doc_id: 1}}


def test_the_files_have_the_known_form(path):
    """The columns are TREC's, white space and percent signs are percent-encoded."""
    write_qrels({"redis[0]": {"notes/a b.md": 1, "notes/100%.md": 0}, "none[0]": {}}, path)
    assert path.read_bytes() == b"redis[0] 0 notes/a%20b.md 1\nredis[0] 0 notes/100%25.md 0\n"
    write_run({"redis[0]": ["b", "a"], "none[0]": []}, path, tag="bm25")
    assert path.read_bytes() == b"redis[0] Q0 b 1 2 bm25\nredis[0] Q0 a 2 1 bm25\n"


def test_only_escapes_that_are_written_are_undone(path):
    """A file of another tool keeps its `%41`."""
    path.write_text("q 0 a%41%zz%20b 1\n", encoding="utf-8")
    assert read_qrels(path) == {"q": {"a%41%zz b": 1}}


def test_trec_eval_scores_the_ranking_as_it_is(path):
    """Oracle: trec_eval, which breaks ties by id descending, sees the order that was written."""
    ranking = [f"d{number:02}" for number in range(20)]
    write_run({"q": ranking}, path)
    evaluator = pytrec_eval.RelevanceEvaluator({"q": {"d00": 1}}, {"recip_rank"})
    assert evaluator.evaluate(read_run(path))["q"]["recip_rank"] == 1.0
    tied = dict.fromkeys(ranking, 1.0)
    assert evaluator.evaluate({"q": tied})["q"]["recip_rank"] == pytest.approx(1 / 20)


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("q 0 d 1\nq 0 d\n", 2, "3 columns where 4"),
        ("q 0 d 1\n\nq 0 e 1.0\n", 3, "'1.0' is no whole number"),
        ("q 0 d 1\nq 0 d 1\n", 2, "'d' stands twice"),
        (b"q 0 d 1\nq 0 \xe9 1\n", 2, "not UTF-8"),
    ],
)
def test_broken_qrels_are_refused_at_their_line(path, text, line, part):
    """A row that cannot be used names its line."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BenchmarkFormatError, match=part) as caught:
        read_qrels(path)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("row", "part"),
    [
        ("q Q0 d 1 0.5", "5 columns where 6"),
        ("q Q0 d 1 high x", "'high' is no finite number"),
        ("q Q0 d 1 nan x", "'nan' is no finite number"),
        ("q Q0 d 1 -inf x", "no finite number"),
        ("q Q0 a 1 1 x", "'a' stands twice"),
    ],
)
def test_broken_runs_are_refused_at_their_line(path, row, part):
    """A row that cannot be used names its line."""
    path.write_text(f"q Q0 a 1 2.5 x\r\n{row}\r\n", encoding="utf-8")
    with pytest.raises(BenchmarkFormatError, match=part) as caught:
        read_run(path)
    assert caught.value.line == 2


def test_a_missing_file_is_refused(tmp_path):
    """A path without a file is named."""
    with pytest.raises(BenchmarkFormatError, match=r"none\.txt: cannot be read"):
        read_run(tmp_path / "none.txt")


@pytest.mark.parametrize("rankings", [{"q": ["a", "b", "a"]}, {"": ["a"]}, {"q": [""]}])
def test_a_ranking_that_no_run_file_can_hold_is_refused(tmp_path, rankings):
    """A repeated document or an empty id is refused before anything is written."""
    with pytest.raises(BenchmarkFormatError, match=r"run\.txt: "):
        write_run({"ok": ["a"], **rankings}, tmp_path / "run.txt")
    assert not (tmp_path / "run.txt").exists()
