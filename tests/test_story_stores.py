"""The stores of the stories are what their cards say: small, described, and changed by their cures in one thing."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations
from pathlib import Path

import pytest

from memeval import evaluate, load_suite
from memeval.retrieval.tokens import tokenise
from memeval.testbed.aliases import overlay_aliases
from memeval.testbed.needs import Suite

ROOT = Path(__file__).parents[1]
CORPORA = ROOT / "corpora" / "stories"
QUERIES = ROOT / "queries" / "stories"
SEEDS = ("zerostack-memory", "ghost-in-shell", "journal-and-knowledge", "files-or-vectors")
SUITES = sorted(path.name.removesuffix(".recall.yaml") for path in QUERIES.iterdir())
CURED = [name for name in SUITES if name.endswith("-cured")]


@lru_cache
def load(name: str) -> Suite:
    return load_suite(QUERIES / f"{name}.recall.yaml")


@pytest.mark.parametrize("name", SUITES)
def test_a_story_is_small_and_says_what_it_is_for(name):
    """5 to 25 files, 2 to 6 needs with a note each, and the seed it comes from."""
    suite = load(name)
    assert 5 <= len(suite.corpus.documents) <= 25
    assert 2 <= len(suite.needs) <= 6
    assert all(need.note and need.situation for need in suite.needs)
    assert suite.corpus.name == suite.name == name
    assert sum(f"{seed}.txt" in suite.corpus.provenance["origin"] for seed in SEEDS) == 1


@pytest.mark.parametrize("name", CURED)
def test_a_cured_suite_asks_the_same(name):
    """Before and after differ in the store and not in the questions."""
    before, after = load(name.removesuffix("-cured")), load(name)
    asked = [
        [(need.id, [wording.text for wording in need.wordings]) for need in suite.needs] for suite in (before, after)
    ]
    assert asked[0] == asked[1]


@pytest.mark.parametrize("name", SUITES)
def test_must_find_guards_the_cures_alone(name):
    """A store that shows a failure demands nothing; a cured one demands what `current` finds."""
    for need in load(name).needs:
        assert need.must_find is (name in CURED and bool(need.relevant)), need.id
    if name in CURED:
        (variant,) = evaluate(load(name), ["current"]).suites[0].variants
        assert all(query.verdict == "hit" for query in variant.queries)


def texts(name: str) -> dict[str, str]:
    """{path within the store: text} of what a search sees."""
    return {document.doc_id: document.text for document in load(name).corpus.documents}


def likeness(first: str, second: str) -> float:
    """Shared tokens of two texts by all their tokens, 0 to 1."""
    left, right = set(tokenise(first)), set(tokenise(second))
    return len(left & right) / len(left | right)


def test_nine_pairs_contradict_each_other_and_none_is_left():
    """Every note has one near-duplicate that is not its equal; after merging no two are alike."""
    notes = {path: text for path, text in texts("duplicate-notes").items() if "/notes/" in path}
    pairs = {(path, path.replace("/areas-", "/project-")) for path in notes if "/areas-" in path}
    assert len(pairs) == 9
    alike = {(one, two) for one, two in combinations(sorted(notes), 2) if likeness(notes[one], notes[two]) >= 0.5}
    assert alike == pairs
    assert all(notes[one] != notes[two] for one, two in pairs)
    merged = [text for path, text in texts("duplicate-notes-cured").items() if "/notes/" in path]
    assert len(merged) == 9
    assert max(likeness(one, two) for one, two in combinations(merged, 2)) < 0.5


def test_the_overlay_and_the_written_aliases_are_one_store():
    """Aliases put in by a run and aliases written by hand search the same texts."""
    assert overlay_aliases(load("redis-cache")).corpus.digest == load("redis-cache-cured").corpus.digest


def test_cleaning_the_captures_changes_no_note():
    """What was cured is the noise alone: thirteen scraps fewer, every other file as it was."""
    before, after = texts("captured-noise"), texts("captured-noise-cured")
    assert after.items() <= before.items()
    assert len(before) - len(after) == 13


def test_splitting_the_boot_index_loses_no_line():
    """Every trigger of the long index stands in the short one or on the shelf, once."""
    trigger = re.compile(r"^- 「.+?」 → \[.+?\]", re.MULTILINE)
    before, after = texts("boot-index"), texts("boot-index-cured")
    shelf = "projects/nightferry-8b42ec9f/notes/書架索引.md"
    moved = trigger.findall(after["MEMORY.md"]) + trigger.findall(after[shelf])
    assert sorted(moved) == sorted(trigger.findall(before["MEMORY.md"]))
    assert len(before["MEMORY.md"].encode()) > 16 * 1024 > 4 * len(after["MEMORY.md"].encode())


def test_every_link_of_the_boot_index_leads_somewhere():
    """An index that points at nothing would be another story."""
    for name in ("boot-index", "boot-index-cured"):
        for path in (CORPORA / name).rglob("*.md"):
            for link in re.findall(r"\]\((.+?\.md)\)", path.read_text(encoding="utf-8")):
                assert (path.parent / link).is_file(), f"{path}: {link}"


def test_one_file_of_rules_holds_every_rule_word_for_word():
    """Gathering the rules lost none of them."""
    rules = [text for path, text in texts("rule-below-threshold").items() if "/規則-" in path]
    whole = texts("rule-below-threshold-cured")["projects/tallyhouse-371f90f4/notes/審查規則.md"]
    assert len(rules) == 8
    assert all(rule.split("\n\n", 1)[1] in whole for rule in rules)


def test_the_final_answer_stands_past_line_two_hundred():
    """The buried line is as deep as the story says."""
    log = texts("buried-setting")["projects/attic-nas-2f0399dc/daily/2026-03-22.md"].split("\n")
    assert [number for number, line in enumerate(log, start=1) if "rclone" in line] == [203]
