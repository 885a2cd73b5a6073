"""DocIds: which document a written path means."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.testbed.docids import DocIds

IDS = DocIds(["a.md", "notes/redis.md", "../wiki/net.md", "odd//id", "x/../a.md"])


@pytest.mark.parametrize(
    ("written", "doc_id"),
    [
        ("a.md", "a.md"),
        ("./a.md", "a.md"),
        ("notes//redis.md", "notes/redis.md"),
        ("notes/../notes/redis.md", "notes/redis.md"),
        ("../wiki/net.md", "../wiki/net.md"),
        ("odd//id", "odd//id"),
        ("x/../a.md", "x/../a.md"),
        ("redis.md", None),
        ("A.md", None),
        ("", None),
    ],
)
def test_an_id_is_found_as_written_and_otherwise_as_a_path(written, doc_id):
    """An id that stands exactly so comes first, so that ids which are no paths can be written; then the tidied path."""
    assert IDS.find(written) == doc_id


@given(st.sets(st.text(max_size=8), max_size=8))
def test_every_id_finds_itself(doc_ids):
    """Whatever the ids look like."""
    index = DocIds(doc_ids)
    assert len(index) == len(doc_ids)
    assert {index.find(doc_id) for doc_id in doc_ids} == doc_ids


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_composed_and_combining_characters_meet(form):
    """A name typed one way finds the file stored the other way, under the name it has on disk."""
    stored = unicodedata.normalize(form, "café.md")
    written = unicodedata.normalize("NFD" if form == "NFC" else "NFC", "café.md")
    assert DocIds([stored]).find(written) == stored


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("redis.md", " Did you mean 'notes/redis.md'?"),
        ("notes/redsi.md", " Did you mean 'notes/redis.md'?"),
        ("quite different", ""),
    ],
)
def test_a_near_id_is_suggested(written, hint):
    """The same file name in a folder first, then the nearest spelling."""
    assert IDS.suggest(written) == hint
