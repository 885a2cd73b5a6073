"""A comparison as a comment: verdict first, changes listed, and nothing of a query gets out of its block."""

from __future__ import annotations

import dataclasses
import runpy
from pathlib import Path

from memeval.bench.comparison import Rules, compare
from memeval.bench.measures import parse_gates
from memeval.report.comment import MARK, MAX_CHANGES, MAX_CHARACTERS, render_comment

MADE = runpy.run_path(str(Path(__file__).parents[1] / "bench" / "conftest.py"))
ask, make = MADE["ask"], MADE["make_evaluation"]


def comment(base, head, *gates):
    """The comment on two {need: …}."""
    return render_comment(compare(make(base), make(head), Rules(gates=parse_gates(gates))))


def test_the_verdict_comes_first():
    """The mark by which it is found again, the exit code, the changes, then everything, folded."""
    text = comment({"redis": (["a"], [ask("port", "a")])}, {"redis": (["a"], [ask("port", "b")])}, "success@1:0needs")
    lines = text.splitlines()
    assert lines[0] == MARK
    assert lines[3].startswith("exit 1: ")
    assert any(line.startswith("- shop · engine: success@1") for line in lines)
    assert text.endswith("```\n\n</details>\n")


def test_changed_files_come_with_what_to_do():
    """Once, before the folded comparison: how the baseline is made anew, and what tells of aliases."""
    needs = {"redis": (["a"], [ask("port", "a")])}
    head = make(needs)
    suites = [{**entry, "corpus_digest": "other"} for entry in head.manifest["suites"]]
    changed = dataclasses.replace(head, manifest={**head.manifest, "suites": suites})
    text = render_comment(compare(make(needs), changed, Rules()))
    before, _, after = text.partition("<details>")
    assert "exit 3: shop: the corpus is another one" in before
    for part in (before, after):
        assert part.count('`memeval baseline bless --why "…"`') == 1
        assert part.count("`memeval aliases ledger SUITE`") == 1


def test_nothing_of_a_query_ends_the_block():
    """Fences, tags and marks inside a wording stay text."""
    wording = "a ```` b </details> <script> <!-- memeval --> | c"
    text = comment({"redis": (["a"], [ask(wording, "a")])}, {"redis": (["a"], [ask(wording, "b")])}, "success@1:0needs")
    opening = next(line for line in text.splitlines() if line.endswith("text"))
    assert opening == "`````text"
    assert text.splitlines().count("`````") == 1
    before, _, _ = text.partition(opening)
    assert "<script>" not in before
    assert before.count(MARK) == 1


def test_a_long_comparison_is_cut(monkeypatch):
    """Servers refuse what is too long; the verdict and the first changes always stand."""
    monkeypatch.setattr("memeval.report.comment.MAX_CHARACTERS", 4_000)
    base = {f"n{place}": (["a"], [ask(f"{place} " + "語" * 50, "a")]) for place in range(60)}
    head = {f"m{place}": (["a"], [ask(f"{place} " + "語" * 50, "a")]) for place in range(60)}
    text = comment(base, head)
    assert 3_900 < len(text) <= 4_100
    assert f"{1 + 2 * 60 - MAX_CHANGES} more changes" in text
    assert "… cut here\n```\n" in text
    assert MAX_CHARACTERS < 65_536
