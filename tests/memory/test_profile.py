"""The profiles: frozen numbers under a name."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

import memeval.memory
from memeval.errors import UnknownNameError
from memeval.memory import DEFAULT_PROFILE, PROFILES, find_profile


def test_profiles_are_found_by_their_name():
    """Each entry carries its own name, and the default is one of them."""
    assert {name: find_profile(name).name for name in PROFILES} == {name: name for name in PROFILES}
    assert DEFAULT_PROFILE in PROFILES


def test_profiles_cannot_be_changed():
    """Neither a number nor the table."""
    with pytest.raises(FrozenInstanceError):
        find_profile("article").max_regions = 9
    with pytest.raises(TypeError):
        PROFILES["mine"] = find_profile("article")


def test_an_unknown_profile_lists_the_known_ones():
    """So that the reader can choose."""
    with pytest.raises(UnknownNameError, match="known: article, current"):
        find_profile("next")


def test_the_public_names_are_there_and_sorted():
    """`__all__` names what `memeval.memory` offers, in the order the linter keeps."""
    names = memeval.memory.__all__
    assert all(hasattr(memeval.memory, name) for name in names)
    assert names == sorted(names, key=lambda name: (not name.isupper(), name[0].islower(), name))
