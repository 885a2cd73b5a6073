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
