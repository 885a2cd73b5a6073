"""How a wording differs from the ones before it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.sessions.wordings import Asked, Change, classify_change, has_overlap, measure_closeness

QUERIES = st.text(max_size=20)


def classify(*queries, places=None):
    """The class of the last query after the others."""
    asked = [Asked(query, None, place) for query, place in zip(queries, places or [None] * len(queries), strict=True)]
    return classify_change(asked[:-1], asked[-1])


@pytest.mark.parametrize(
    ("queries", "change"),
    [
        (("redis port", "Redis  PORT"), Change.REPEAT),
        (("redis port", "port redis"), Change.REPEAT),
        (("redis", "cache", "redis"), Change.REPEAT),
        (("redis", "redis port"), Change.NARROWING),
        (("redis port clash", "redis port"), Change.WIDENING),
        (("監控設定", "監控 設定"), Change.SPACING),
        (("logrotate", "log rotate"), Change.SPACING),
        (("ＤＢ接続", "DB接続"), Change.SCRIPT),
        (("ｱﾝｹｰﾄ", "アンケート"), Change.SCRIPT),
        (("さくら", "サクラ"), Change.SCRIPT),
        (("监控设定", "監控設定"), Change.SCRIPT),
        (("redis", "快取"), Change.SCRIPT),
        (("redis port", "port clash"), Change.OVERLAP),
        (("redis deploys", "deployed caches"), Change.OVERLAP),
        (("redis", "cache"), Change.ZERO_OVERLAP),
        (("auth", "login flow"), Change.ZERO_OVERLAP),
        (("redis", "cache", "cache restart"), Change.ZERO_OVERLAP),
        (("備份 還原", "快照 回復"), Change.ZERO_OVERLAP),
        (("the", "cache"), Change.UNCLASSED),
        (("redis", "how to"), Change.UNCLASSED),
    ],
)
def test_each_class_by_an_example(queries, change):
    """Words kept, added, taken away, written otherwise, exchanged; zero overlap is against the first wording."""
    assert classify(*queries) is change


def test_the_same_words_in_another_place_are_no_repeat():
    """Kept to a folder they narrow, taken out of it they widen."""
    assert classify("redis", "redis", places=[None, "/m/notes"]) is Change.NARROWING
    assert classify("redis", "redis", places=["/m", "/m/notes"]) is Change.NARROWING
    assert classify("redis", "redis", places=["/m/notes", None]) is Change.WIDENING
    assert classify("redis", "redis", places=["/m", "/m"]) is Change.REPEAT


@pytest.mark.parametrize(
    ("hashes", "change"),
    [
        ((("a", "b"), ("b", "a")), Change.REPEAT),
        ((("a",), ("a", "b")), Change.NARROWING),
        ((("a", "b"), ("a",)), Change.WIDENING),
        ((("a", "b"), ("b", "c")), Change.OVERLAP),
        ((("a",), ("b",)), Change.ZERO_OVERLAP),
        (((), ("b",)), Change.UNCLASSED),
    ],
)
def test_hashes_tell_what_comes_back(hashes, change):
    """A log with a salt hides the words, not that they are the same ones."""
    first, later = (Asked(None, one) for one in hashes)
    assert classify_change([first], later) is change


def test_overlap_is_the_rulers():
    """Stems count, stop words do not; without a word nothing can be said."""
    assert has_overlap(Asked("deploys"), Asked("the deployed app")) is True
    assert has_overlap(Asked("redis"), Asked("the cache")) is False
    assert has_overlap(Asked("the"), Asked("cache")) is None
    assert has_overlap(Asked(None, ("a",)), Asked(None, ("a", "b"))) is True
    assert has_overlap(Asked(None, ()), Asked("cache")) is None


def test_closeness_is_a_share_of_the_shorter_query():
    """One word of four is a quarter; the same text in other characters is wholly close; nothing is not close."""
    assert measure_closeness(Asked("answer files corpus folder"), Asked("free wordings writer saw files")) == 0.25
    assert measure_closeness(Asked("redis"), Asked("redis port")) == 1
    assert measure_closeness(Asked("监控"), Asked("監控")) == 1
    assert measure_closeness(Asked("redis"), Asked("the")) == 0
    assert measure_closeness(Asked(None, ("a", "b")), Asked(None, ("b", "c"))) == 0.5


@given(st.lists(QUERIES, min_size=2, max_size=4))
def test_every_text_has_a_class(queries):
    """Whatever was asked; a text after itself is a repeat, if it has a word at all."""
    classify(*queries)
    if queries[0].split():
        assert classify(queries[0], queries[0]) is Change.REPEAT


@given(QUERIES, QUERIES)
def test_closeness_has_no_direction(one, other):
    """It is within [0, 1], and the same both ways."""
    there, back = measure_closeness(Asked(one), Asked(other)), measure_closeness(Asked(other), Asked(one))
    assert there == back
    assert 0 <= there <= 1
