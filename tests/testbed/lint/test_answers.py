"""What counts as an answer: expected files, evidence, near-duplicates, leaks and chance."""

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from memeval.testbed import load_suite
from memeval.testbed.lint import lint_suite
from memeval.testbed.lint.answers import bound_odds, chance_of_success
from memeval.testbed.lint.finding import Subject

PORTS = {"notes/ports.md": "Redis listens on 6380, since 6379 is taken."}
LONG = " ".join(f"word{number}" for number in range(40))


def test_expected_file_outside_the_corpus(make_suite, make_need, find):
    """Any graded file must be searched, also one judged 0."""
    need = make_need("redis", expected={"notes/ports.md": 1, "notes/gone.md": 0})
    (finding,) = find(make_suite([need], PORTS), "expected-outside")
    assert finding.severity == "error"
    assert "notes/gone.md" in finding.message


def test_evidence(make_suite, make_need, find):
    """Evidence stands in one expected file at least, white space alike; none at all is a warning."""
    both = {**PORTS, "notes/old.md": "It was\n1883 then."}
    assert not find(make_suite([make_need("x y", evidence="was 1883", expected=tuple(both))], both), "evidence-absent")
    (finding,) = find(make_suite([make_need("redis", evidence="was 1883")], both), "evidence-absent")
    assert finding.severity == "error"
    (finding,) = find(make_suite([make_need("redis", evidence=None)], PORTS), "no-evidence")
    assert finding.severity == "warning"
    assert not find(make_suite([make_need("redis", evidence=None)], PORTS, kind="beir"), "no-evidence")
    assert not find(make_suite([make_need("redis", expected=())], PORTS), "no-evidence")


def test_answer_files_in_the_corpus_folder(write_files, tmp_path, find):
    """A suite, qrels or query file below the corpus is an error, wherever it lies there; one beside it is none."""
    write_files(
        tmp_path / "store",
        {
            "a.md": "Redis listens on 6380",
            "deep/er/x.recall.yaml": "",
            "qrels.txt": "",
            "queries.jsonl": "",
            "notes.txt": "",
        },
    )
    suite_path = tmp_path / "shop.recall.yaml"
    suite_path.write_text("suite: shop\ncorpus: store\nneeds:\n  - {id: a, expect: [a.md], ask: [redis]}\n")
    found = find(load_suite(suite_path), "answer-file")
    names = {finding.place.rsplit("/store/", 1)[1] for finding in found}
    assert names == {"deep/er/x.recall.yaml", "qrels.txt", "queries.jsonl"}
    assert {finding.severity for finding in found} == {"error"}


def test_document_that_quotes_the_questions(make_suite, make_need, find):
    """Long wordings of three needs word for word make a document an answer file; of two needs they do not."""
    wordings = [
        "cache container will never start twice",
        "postgres primary host name today",
        "nightly backup window length",
    ]
    needs = [make_need(text, id=f"n{number}") for number, text in enumerate(wordings)]
    for quoted, expected in ((3, ["notes/quiz.md"]), (2, [])):
        quiz = "\n".join(text.upper() for text in wordings[:quoted])
        found = find(make_suite(needs, {**PORTS, "notes/quiz.md": quiz}), "answer-file")
        assert [finding.place for finding in found] == expected


def test_near_duplicates(make_suite, make_need, find):
    """A copy that the need does not grade is an error; graded, even 0, or not expected, the pair is a warning."""
    files = {"notes/ports.md": f"6380 {LONG}", "notes/copy.md": f"6390 {LONG}"}
    (finding,) = lint_suite(make_suite([make_need("word1")], files))
    assert (finding.code, finding.severity, finding.need) == ("near-duplicate-ungraded", "error", "ports")
    assert "notes/copy.md" in finding.message
    graded = make_need("word1", expected={"notes/ports.md": 1, "notes/copy.md": 0})
    absent = make_need("word1", expected=())
    for need in (graded, absent):
        (finding,) = lint_suite(make_suite([need], files))
        assert (finding.code, finding.severity) == ("near-duplicates", "warning")
        assert "1 pair of files" in finding.message
        assert "notes/copy.md and notes/ports.md (95%)" in finding.message


@pytest.mark.parametrize("prefix", ["answer", "distractor"])
def test_names_that_give_answers_away(make_suite, make_need, find, prefix):
    """A prefix that only expected files have is an error, and so is one that only the others have."""
    telling, plain = (f"{prefix}_{{}}.md", "file_{}.md")
    gold, other = (telling, plain) if prefix == "answer" else (plain, telling)
    files = {gold.format(number): f"6380 gold {number}" for number in range(4)}
    files |= {other.format(number): f"other {number * 7}" for number in range(30)}
    needs = [
        make_need(f"need {doc_id}", id=f"n{number}", expected=(doc_id,))
        for number, doc_id in enumerate(list(files)[:4])
    ]
    found = find(make_suite(needs, files, filler=False), "guessable-names")
    assert {finding.severity for finding in found} == {"error"}
    assert any(repr(prefix) in finding.message for finding in found)


def test_names_by_chance_are_no_finding(make_suite, make_need, find):
    """Expected files spread over the prefixes, all under one prefix, or told apart by their folder are clean."""
    spread = {f"{word}_{number}.md": f"{word} {number * 7}" for word in ("red", "blue") for number in range(15)}
    gold = ["red_1.md", "red_2.md", "blue_1.md", "blue_2.md"]
    needs = [make_need("x", id=f"n{number}", expected=(doc_id,), evidence=None) for number, doc_id in enumerate(gold)]
    assert not find(make_suite(needs, spread, filler=False), "guessable-names")
    folders = {f"notes/file-{number}.md": f"{number * 7}" for number in range(5)}
    folders |= {f"daily/2026-03-{number:02}.md": f"{number * 11}" for number in range(1, 30)}
    needs = [make_need("x", id=f"n{number}", expected=(f"notes/file-{number}.md",)) for number in range(5)]
    assert not find(make_suite(needs, folders, filler=False), "guessable-names")


def test_guessing_odds_are_exact():
    """The bound is twice the smaller hypergeometric tail, as counting every draw gives it."""
    answers, total, drawn = 3, 9, 4
    draws = [sum(item < answers for item in draw) for draw in combinations(range(total), drawn)]
    for hits in range(answers + 1):
        tails = [sum(count >= hits for count in draws), sum(count <= hits for count in draws)]
        assert bound_odds(hits, drawn, answers, total) == min(Fraction(2 * min(tails), len(draws)), 1)


def test_crowded_cutoffs(make_suite, make_need, find):
    """One warning names each cutoff at a fifth of the corpus or above, with its chance level, and none below."""
    files = {**PORTS, **{f"notes/other-{number}.md": f"other{number}" for number in range(9)}}
    suite = make_suite([make_need("redis")], files, filler=False)
    (finding,) = find(suite, "crowded-cutoff", ks=(1, 2, 5))
    assert finding.severity == "warning"
    assert "20% at k = 2, 50% at k = 5" in finding.message
    assert "k = 1" not in finding.message
    assert not find(suite, "crowded-cutoff", ks=(1,))
    assert not find(make_suite([make_need("redis")], PORTS), "crowded-cutoff", ks=(5,))


def test_chance_of_success(make_suite, make_need):
    """The mean over findable needs of the odds that a random order shows one of their files in the top k."""
    files = {f"notes/n{number}.md": f"text{number} 6380" for number in range(6)}
    needs = [
        make_need("a", id="one", expected=("notes/n0.md",)),
        make_need("b", id="two", expected=("notes/n1.md", "notes/n2.md")),
        make_need("c", id="none", expected=()),
    ]
    subject = Subject(suite=make_suite(needs, files, filler=False))
    by_hand = (1 - comb(5, 2) / comb(6, 2) + 1 - comb(4, 2) / comb(6, 2)) / 2
    assert chance_of_success(subject, 2) == pytest.approx(by_hand)
    assert chance_of_success(subject, 60) == 1
    assert chance_of_success(Subject(suite=make_suite([needs[2]], files)), 2) == 0
