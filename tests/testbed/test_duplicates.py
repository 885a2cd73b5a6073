"""Near-duplicates, against the definition worked out pair by pair."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.memory.document import Document, Tier
from memeval.testbed.duplicates import SHINGLE_TOKENS, DuplicatePair, find_near_duplicates


def documents(*texts):
    """A document for each text, named by its place."""
    return [
        Document(doc_id=f"{number}.md", path=f"{number}.md", tier=Tier.NOTE, name=f"{number}.md", text=text)
        for number, text in enumerate(texts)
    ]


def test_resemblance_by_hand():
    """Four shingles of six words against four with the last word changed: three in common of five."""
    pairs = find_near_duplicates(documents("a b c d e f", "a b c d e g", "x y z"))
    assert pairs == (DuplicatePair("0.md", "1.md", 3 / 5),)


def test_threshold_is_included():
    """A pair exactly at the threshold counts, one above it does not reach."""
    texts = documents("a b c d e f", "a b c d e g")
    assert find_near_duplicates(texts, threshold=3 / 5)
    assert not find_near_duplicates(texts, threshold=0.61)


@pytest.mark.parametrize(
    ("first", "second"),
    [("Redis Port  6380!", "redis\nport (6380)"), ("ＲＥＤＩＳ port x", "redis port x"), ("埠號表", "埠 號 表")],
)
def test_case_width_and_punctuation_are_alike(first, second):
    """Only letters and numbers make a shingle, after normalisation; a CJK character is a token of its own."""
    assert find_near_duplicates(documents(first, second)) == (DuplicatePair("0.md", "1.md", 1.0),)


def test_short_and_empty_documents():
    """Fewer tokens than a shingle are one shingle; documents without any resemble nothing, not even each other."""
    assert find_near_duplicates(documents("ok", "OK.", "no")) == (DuplicatePair("0.md", "1.md", 1.0),)
    assert find_near_duplicates(documents("", "---", "")) == ()


@given(
    st.lists(st.text(alphabet="abc", max_size=14), max_size=7),
    st.sampled_from([0.1, 0.25, 0.5, 2 / 3, 0.8, 1.0]),
)
def test_no_pair_is_missed(letters, threshold):
    """The prefix filter finds what comparing every pair finds."""
    texts = [" ".join(text) for text in letters]

    def cut(text):
        tokens = text.split()
        if not tokens:
            return set()
        last = max(len(tokens) - SHINGLE_TOKENS, 0)
        return {tuple(tokens[at : at + SHINGLE_TOKENS]) for at in range(last + 1)}

    expected = {}
    for first, second in combinations(range(len(texts)), 2):
        one, other = cut(texts[first]), cut(texts[second])
        if one | other and len(one & other) / len(one | other) >= threshold:
            expected[f"{first}.md", f"{second}.md"] = len(one & other) / len(one | other)
    found = find_near_duplicates(documents(*texts), threshold=threshold)
    assert {(pair.first, pair.second): pair.resemblance for pair in found} == expected
