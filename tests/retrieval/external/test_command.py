"""A command as a variant: what it is given, what it may print, and how it may fail."""

from __future__ import annotations

import json
import sys

import pytest

from memeval import evaluate
from memeval.errors import ContractError, ExternalSystemError
from memeval.retrieval.base import Settings, check_answer
from memeval.retrieval.external.command import command_variant

NOTE = "projects/shop/notes/redis-deploy.md"

SEARCH = """
import pathlib, sys
root, word = pathlib.Path(sys.argv[1]), sys.stdin.read()
found = [path for path in sorted(root.rglob("*.md")) if word in path.read_text(encoding="utf-8")]
sys.stdout.buffer.write("\\n".join(str(path) for path in found).encode())
"""


def make(script, *arguments, **options):
    """A variant that runs a Python script."""
    return command_variant("mine", [sys.executable, "-I", "-c", script, *arguments], **options)


def ask(documents, script, *arguments, query="port", budget_bytes=16384, **options):
    variant = make(script, *arguments, **options)
    return variant.build(documents, Settings(budget_bytes=budget_bytes)).search(query)


def printing(text):
    return f"import sys; sys.stdout.buffer.write({text.encode()!r})"


def test_the_files_it_prints_are_ranked_in_its_order_and_shown_with_an_excerpt(documents):
    """Absolute paths below the folder it is given; each file with the line that holds most words of the query."""
    answer = ask(documents, SEARCH, "{root}", query="host port")
    check_answer(answer, {document.doc_id for document in documents})
    assert [(hit.doc_id, hit.score) for hit in answer.hits] == [(NOTE, 1.0)]
    assert "host port 6380" in answer.text


def test_query_k_and_folder_are_put_into_any_word_and_other_braces_stay(documents):
    """One pass: a query that looks like a place is a query; no shell sees quotes, dollars or spaces of it."""
    script = "import json, sys; print(json.dumps([{'path': 'MEMORY.md', 'text': '|'.join(sys.argv[1:])}]))"
    query = "{root} \"$HOME\" 'a b'; {k} 設定"
    (block,) = ask(documents, script, "q={query}", "{k}", "{print}", "{root}/x", query=query, k=7).blocks
    assert block.snippet == f"\nq={query}|7|{{print}}|x"


@pytest.mark.parametrize("line", [NOTE, f"./{NOTE}", f"  {NOTE}\r", f"\n{NOTE}\n\n", f"{NOTE}\n{NOTE}"])
def test_a_path_may_be_relative_and_repeated(documents, line):
    """Blank lines and line ends aside; a file counts at its first place."""
    assert [hit.doc_id for hit in ask(documents, printing(line)).hits] == [NOTE]


def test_json_brings_scores_and_texts(documents):
    """The texts of one file stand together under its path; the score is that of its first."""
    items = [
        {"path": NOTE, "score": 0.9, "text": "host port 6380"},
        {"path": "MEMORY.md", "score": 0.5, "text": "Ask before"},
        {"path": NOTE, "score": 0.25, "text": "RESTART"},
    ]
    answer = ask(documents, printing(json.dumps(items)))
    assert [(hit.doc_id, hit.score) for hit in answer.hits] == [(NOTE, 0.9), ("MEMORY.md", 0.5)]
    assert answer.text == f"store/{NOTE}\nhost port 6380\n…\nRESTART\n\nstore/MEMORY.md\nAsk before"


def test_json_of_paths_alone_and_of_nothing(documents):
    """A list of strings is like lines; an empty list, or no output, found nothing."""
    assert [hit.score for hit in ask(documents, printing(json.dumps([NOTE, "MEMORY.md"]))).hits] == [2.0, 1.0]
    for text in ("[]", "", "\n"):
        answer = ask(documents, printing(text))
        assert (answer.hits, answer.text) == ((), "")


def test_what_is_shown_stays_within_the_budget_of_the_run(documents):
    """Its own texts too: what does not fit is counted."""
    items = [{"path": NOTE, "text": "x" * 60}, {"path": "MEMORY.md", "text": "y" * 200}]
    answer = ask(documents, printing(json.dumps(items)), budget_bytes=160)
    assert answer.shown == (NOTE,)
    assert answer.text.endswith("…[1 more file omitted]")
    assert len(answer.text.encode()) <= 160


def test_rows_without_an_ending_are_files_and_the_folder_goes_with_the_retriever(make_document, tmp_path, monkeypatch):
    """A row of a BEIR folder is a Markdown file, found by its name or its id; nothing is left on the disk."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    retriever = make(printing("12\n7.md")).build([make_document("12", "a"), make_document("7", "b")], Settings())
    assert [hit.doc_id for hit in retriever.search("a").hits] == ["12", "7"]
    (folder,) = tmp_path.iterdir()
    assert sorted(path.name for path in folder.iterdir()) == ["12.md", "7.md"]
    del retriever
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("import sys; print('boom', file=sys.stderr); sys.exit(3)", r"exit code 3: boom"),
        ("import sys; sys.exit(1)", r"exit code 1 and printed nothing; .* add --external-no-match 1 "),
        ("import sys; print('MEMORY.md'); sys.exit(1)", r"exit code 1$"),
        (printing("no/such.md"), r"result 1: 'no/such\.md' is not a document of this corpus"),
        (printing("../../etc/passwd"), r"is not a document"),
        ("import sys; sys.stdout.buffer.write(b'a\\xff')", r"not UTF-8: byte 0xff at 1"),
        (printing("[{"), r"begins as a JSON list and is none"),
        (printing("[{}]"), r"result 1: \{\} is neither a path nor"),
        (printing('[{"path": "MEMORY.md", "score": "high"}]'), r"score 'high' is no number"),
        (printing('[{"path": "MEMORY.md", "score": NaN}]'), r"score nan"),
        (printing('[{"path": "MEMORY.md", "text": 1}]'), r"text 1 is no text"),
        (
            printing(json.dumps([{"path": "MEMORY.md", "score": 0.1}, {"path": NOTE, "score": 0.2}])),
            r"result 2: score 0\.2 .* after 0\.1",
        ),
    ],
    ids=[
        "fails",
        "fails mutely",
        "fails after a line",
        "unknown",
        "outside",
        "bytes",
        "json",
        "object",
        "score",
        "nan",
        "text",
        "rising",
    ],
)
def test_a_failure_is_told(documents, script, reason):
    """What is wrong, and where."""
    with pytest.raises((ExternalSystemError, ContractError), match=reason):
        ask(documents, script)


def test_it_is_ended_when_it_takes_too_long(documents):
    """The limit holds although what the program started holds its output open as well."""
    script = "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', sys.argv[1]]); time.sleep(60)"
    with pytest.raises(ExternalSystemError, match=r"gave no answer in 0\.2 s and was ended"):
        ask(documents, script, "import time; time.sleep(60)", timeout_seconds=0.2)


def test_an_exit_code_may_say_that_nothing_was_found(documents):
    """As 1 of grep does, where that is said; any other stays a failure."""
    assert ask(documents, "import sys; sys.exit(1)", no_match_exit=1).hits == ()
    with pytest.raises(ExternalSystemError, match="exit code 2"):
        ask(documents, "import sys; sys.exit(2)", no_match_exit=1)


def test_a_query_that_no_program_can_be_given_is_an_error(documents):
    """An argument ends at a NUL."""
    with pytest.raises(ExternalSystemError, match="cannot be started"):
        ask(documents, SEARCH, "{query}", query="a\0b")


@pytest.mark.parametrize("doc_id", ["../a.md", "/a.md", "a//b.md", "."])
def test_an_id_that_is_no_path_is_refused(make_document, doc_id):
    """Nothing is written outside the folder."""
    with pytest.raises(ExternalSystemError, match="no plain path"):
        make("").build([make_document(doc_id, "x")], Settings())


@pytest.mark.parametrize(
    ("name", "command", "options", "reason"),
    [
        ("mine", "", {}, "the command is empty"),
        ("mine", "grep 'a", {}, "is no command line: No closing quotation"),
        ("My tool", "grep", {}, "cannot name a variant"),
        ("all", "grep", {}, "'all' cannot name a variant: it stands for every one"),
        ("mine", "grep", {"k": 0}, "have to be above 0"),
        ("mine", "grep", {"timeout_seconds": 0}, "have to be above 0"),
        ("mine", "grep", {"timeout_seconds": float("nan")}, "have to be above 0"),
        ("mine", "grep", {"timeout_seconds": float("inf")}, "inf is more than a day; at most 86400 may pass"),
        ("mine", "grep", {"timeout_seconds": 1e11}, "is more than a day"),
    ],
)
def test_what_is_no_variant_is_refused_at_once(name, command, options, reason):
    """Before anything runs."""
    with pytest.raises(ExternalSystemError, match=reason):
        command_variant(name, command, **options)


def test_one_failed_query_is_ungradable_and_the_others_are_measured(small_suite):
    """The reason stands in the record; the variant's configuration says what ran."""
    script = SEARCH + "if word == 'naming': sys.exit('no index')"
    evaluation = evaluate(small_suite, [make(script, "{root}", k=5)])
    (measured,) = evaluation.suites[0].variants
    assert {query.verdict for query in measured.queries if query.text != "naming"} <= {"hit", "miss"}
    (broken,) = (query for query in measured.queries if query.text == "naming")
    assert broken.verdict == "ungradable"
    assert broken.reason.endswith("ended with exit code 1: no index")
    (described,) = evaluation.manifest["variants"]
    assert described["configuration"]["k"] == 5


def test_a_missing_program_is_named(small_suite):
    """Every query is ungradable for that reason."""
    (measured,) = evaluate(small_suite, command_variant("mine", "no-such-program-7f {query}")).suites[0].variants
    assert {query.reason for query in measured.queries} == {
        "ExternalSystemError: there is no program 'no-such-program-7f'; install it, or write its whole path"
    }
