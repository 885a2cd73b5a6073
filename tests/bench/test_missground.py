"""The ground of counterfactuals: caps, twins, and the other projects of a store."""

from __future__ import annotations

import dataclasses

import pytest

from memeval.bench.missground import describe_query, read_other_projects, set_ground
from memeval.bench.suite import load_suite
from memeval.retrieval.base import Settings
from memeval.retrieval.recipes import find_variant
from memeval.testbed.corpus import load_corpus
from tests.bench.misses import make_ground, make_suite

PAGE = "the broker listens on port 4222 and the cluster gossips on port 6222, as agreed in spring"


def test_a_query_is_described_with_its_need():
    """Expected files are the relevant ones, sorted; the other wordings are the need's."""
    suite = make_suite({"a.md": "x"}, "one", "two", evidence="x")
    miss = describe_query(suite.queries()[0], 5)
    assert (miss.query, miss.expected, miss.evidence, miss.k) == ("one", ("a.md",), "x", 5)
    assert miss.other_wordings == ("two",)


@pytest.mark.parametrize(
    ("variant", "settings", "cap"),
    [
        ("article", Settings(), 16_384),
        ("current", Settings(), 32_768),
        ("article", Settings(engine_cap_bytes=500), 500),
        ("bm25", Settings(budget_bytes=700), 700),
        ("load-all", Settings(), None),
    ],
)
def test_the_cap_is_the_one_that_can_be_set(variant, settings, cap):
    """An engine's profile, else the budget of the run; None where a rule of the variant limits what is shown."""
    assert make_ground({"a.md": "x"}, variant, settings=settings).find_cap() == cap


def test_twins_are_near_duplicates_in_both_directions():
    """Each of two versions of a page is the other's twin; a page of its own has none."""
    ground = make_ground({"a.md": PAGE, "b.md": PAGE.replace("spring", "autumn"), "c.md": "the printer is out of ink"})
    assert ground.twins == {"a.md": {"b.md"}, "b.md": {"a.md"}}


def test_counts_are_of_files():
    """A token counts once a file."""
    ground = make_ground({"a.md": "redis redis", "b.md": "redis port"})
    assert (ground.counts["redis"], ground.counts["port"]) == (2, 1)
    assert ground.stands("is po")
    assert not ground.stands("queue")


def test_other_projects_are_read_without_what_is_searched_already(small_suite):
    """The notes of another project, not MEMORY.md, which both see; a store without projects has none."""
    store = small_suite.parent.parent / "store"
    other = store / "projects" / "site-9f9f9f9f" / "notes"
    other.mkdir(parents=True)
    (other / "dns.md").write_text("# DNS\nthe zone is at the registrar\n", encoding="utf-8")
    corpus = load_corpus(store, project="shop-1a2b3c4d")
    found = read_other_projects(corpus)
    assert {name: [document.doc_id for document in documents] for name, documents in found.items()} == {
        "site-9f9f9f9f": ["projects/site-9f9f9f9f/notes/dns.md"]
    }
    assert read_other_projects(dataclasses.replace(corpus, kind="plain")) == {}


def test_the_ground_of_a_suite_is_its_corpus(small_suite):
    """Documents, unreadable files and the aliases beside the store."""
    (small_suite.parent.parent / "store" / "aliases.yaml").write_text("MEMORY.md: [house rules]\n", encoding="utf-8")
    suite = load_suite(small_suite)
    ground = set_ground(suite, find_variant("article"), Settings())
    assert ground.documents == suite.corpus.documents
    assert ground.overlay == {"MEMORY.md": ("house rules",)}
    assert not ground.is_overlaid
