"""Value types of needs: relevance, query ids, and the digest of a suite."""

import dataclasses
import os
import subprocess
import sys

import pytest

from memeval.testbed.needs import Need, Wording, digest_needs
from memeval.testbed.suitefile import load_suite

NEED = Need(
    id="a",
    expected={"x.md": 1, "y.md": 2},
    wordings=(Wording(text="one"), Wording(text="two", kind="paraphrase")),
    evidence="z",
)


@pytest.mark.parametrize(
    "change",
    [
        {"id": "b"},
        {"expected": {"x.md": 1}},
        {"expected": {"x.md": 1, "y.md": 1}},
        {"must_find": True},
        {"evidence": None},
        {"wordings": NEED.wordings[::-1]},
        {"wordings": NEED.wordings[:1]},
        {"wordings": (NEED.wordings[0], Wording(text="two"))},
        {"wordings": (NEED.wordings[0], Wording(text="two", kind="paraphrase", elicited="free"))},
        {"wordings": (NEED.wordings[0], Wording(text="two", kind="paraphrase", must_find=True))},
    ],
)
def test_the_digest_changes_with_what_decides_a_score(change):
    """Ids, expected files, grades, flags, evidence, wordings, their order and their kinds are the ruler."""
    assert digest_needs([dataclasses.replace(NEED, **change)]) != digest_needs([NEED])


@pytest.mark.parametrize(
    "change", [{"line": 7}, {"note": "why"}, {"situation": "when"}, {"expected": {"y.md": 2, "x.md": 1}}]
)
def test_the_digest_ignores_what_decides_nothing(change):
    """Remarks, lines and the order of expected files leave it as it is."""
    assert digest_needs([dataclasses.replace(NEED, **change)]) == digest_needs([NEED])


def test_relevant_files_have_a_grade_of_one_or_more():
    """Grade 0 is judged and not relevant."""
    assert dataclasses.replace(NEED, expected={"x.md": 0, "y.md": 1, "z.md": 3}).relevant == {"y.md", "z.md"}


def test_the_digest_of_a_suite_is_the_same_for_every_hash_seed(write_suite):
    """A fresh interpreter gives the same digest whatever PYTHONHASHSEED is, and wherever the file lies."""
    path = write_suite(
        "  - {id: a, expect: {MEMORY.md: 1, projects/shop-1/notes/sso.md: 2}, ask: [x, {text: y, kind: z}]}\n"
    )
    script = "import sys; from memeval.testbed.suitefile import load_suite; print(load_suite(sys.argv[1]).digest)"
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    run = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == load_suite(path).digest + "\n"
