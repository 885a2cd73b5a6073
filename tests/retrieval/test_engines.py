"""The engine's profiles with aliases more or less, and with scripts folded."""

from __future__ import annotations

import pytest

from memeval.retrieval.base import Settings
from memeval.retrieval.recipes import find_variant


@pytest.fixture
def notes(make_document):
    return [
        make_document("notes/redis.md", "Redis listens on 6380.\n"),
        make_document("notes/cluster.md", "---\naliases: [k8s]\n---\n# Cluster\n"),
    ]


def shown(name, notes, query, **settings):
    return find_variant(name).build(notes, Settings(**settings)).search(query).shown


@pytest.mark.parametrize("profile", ["article", "current", "memeval"])
def test_the_overlay_is_put_into_the_notes(profile, notes):
    """What no word of the note says is found by an alias of the overlay, and only with the stage."""
    overlay = {"notes/redis.md": ("cache container",)}
    assert shown(f"{profile}+aliases", notes, "cache", aliases=overlay) == ("notes/redis.md",)
    assert shown(profile, notes, "cache", aliases=overlay) == ()


@pytest.mark.parametrize("profile", ["article", "memeval"])
def test_own_aliases_are_taken_out(profile, notes):
    """Without them a note is not found by them, and by its text as before."""
    assert shown(profile, notes, "k8s") == ("notes/cluster.md",)
    assert shown(f"{profile}-aliases", notes, "k8s") == ()
    assert shown(f"{profile}-aliases", notes, "cluster") == ("notes/cluster.md",)


def test_scripts_meet_only_in_the_named_variant(make_document):
    """A Simplified query finds a Traditional note through OpenCC, and what is installed never changes `memeval`."""
    pytest.importorskip("opencc")
    notes = [make_document("notes/ports.md", "後備連線的步驟\n"), make_document("notes/other.md", "別的\n")]
    assert shown("memeval+opencc", notes, "后备连线") == ("notes/ports.md",)
    assert shown("memeval", notes, "后备连线") == ()
    (block, *_) = find_variant("memeval+opencc").build(notes, Settings()).search("后备").blocks
    assert "後備連線" in block.text


@pytest.mark.parametrize("name", ["article", "current", "memeval", "memeval+aliases", "article-aliases"])
def test_another_cap_shows_more_and_ranks_the_same(name, make_document):
    """What a larger cap would show is asked through the settings; the order of the hits does not depend on it."""
    notes = [make_document(f"notes/{number:02}.md", "redis port\n" * 40) for number in range(12)]
    small, large = (
        find_variant(name).build(notes, Settings(engine_cap_bytes=cap)).search("redis") for cap in (600, 100_000)
    )
    assert small.hits == large.hits
    assert 0 < len(small.blocks) < len(large.blocks) == 12
    assert len(small.text.encode()) <= 700
