"""Where a term stands: as a whole word, inside a longer one, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.memory.folding import fold_width
from memeval.memory.occurrences import find_occurrences, judge_occurrence
from memeval.memory.terms import parse_query

PIECES = ["port", "Port", "PORT", "ports", "re", "ed", "ing", " ", "-", "_", ".", "2.1", "v", "7", "\n", "é", "e\u0301"]
PIECES += ["設定", "再", "ﾊﾟ", "パス", "㍿", "Ａ", "ß", "\u00ad", "ing ", "oAuth", "auth", "ion", "한국", "ตั้งค่า", "🔥"]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=2), max_size=14).map("".join)
QUERIES = [
    "port",
    "ports",
    "auth",
    "v2.1",
    "port-2",
    "設定",
    "設",
    "パス",
    "한국",
    "ตั้งค่า",
    "🔥",
    "é",
    "ss",
    "policy",
    "a",
]


def find(query, text, number=0):
    """(starts, whether whole) of the first term of a query."""
    occurrences = find_occurrences(parse_query(query)[number], fold_width(text))
    return list(occurrences.starts), occurrences.is_whole


@pytest.mark.parametrize(
    ("query", "text", "starts", "is_whole"),
    [
        ("CI", "CI runs", [0], True),
        ("CI", "decision, pricing", [2, 13], False),
        ("CI", "decision log of the CI", [20], True),
        ("port", "Ports: ported, porting", [0, 7, 15], True),
        ("port", "transport", [5], False),
        ("port", "portion", [0], False),
        ("port", "portfolio", [0], False),
        ("ports", "port", [0], True),
        ("auth", "auth_token oAuth2", [0], True),
        ("auth", "oauth2", [1], False),
        ("redis", "myRedisPort", [2], True),
        ("http", "getHTTPResponse", [3], True),
        ("migrate", "migration", [0], False),
        ("deploy", "deployment", [0], False),
        ("v2.1", "pinned to v2.1", [10], True),
        ("v2.1", "v2.1.7", [0], False),
        ("v2.1", "v2.11", [0], False),
        ("v2.1", "v2.10.3", [0], False),
        ("v2.1", "(v2.1).", [1], True),
        ("2.1", "1.2.1", [2], False),
        ("2.1", "is 2.1.", [3], True),
        ("redis-deploy", "the redis-deploy note", [4], True),
        ("設定", "再設定する", [1], True),
        ("設", "監視設定", [2], True),
        ("DB", "DB接続", [0], True),
        ("port", "ポートport番号", [3], True),
        ("パス", "ﾊﾟｽﾜｰﾄﾞ", [0], True),
        ("école", "ecole", [], False),
        ("police", "policies", [0], True),
        ("run", "runs running ran", [0, 5], True),
        ("🔥", "is 🔥!", [3], True),
        ("port", "", [], False),
    ],
)
def test_by_hand(query, text, starts, is_whole):
    """Word edges, humps, inflections, derivations, versions; none of them for scripts without edges."""
    assert find(query, text) == (starts, is_whole)


def test_a_stem_alone_is_no_word():
    """What only begins like a word is not it and stands inside none: `policeman` for `policies`."""
    assert find("policies", "policeman") == ([], False)


@given(st.sampled_from(QUERIES), TEXTS)
def test_found_is_what_is_judged(query, text):
    """The fast walk gives what judging each place by itself gives."""
    folded = fold_width(text)
    for term in parse_query(query):
        judged = {True: [], False: [], None: []}
        start = folded.text.find(term.key)
        while start >= 0:
            judged[judge_occurrence(term, folded, start)].append(start)
            start = folded.text.find(term.key, start + len(term.key))
        found = find_occurrences(term, folded)
        assert (list(found.starts), found.is_whole) == (judged[True] or judged[False], bool(judged[True]))


@given(st.sampled_from(QUERIES), TEXTS)
def test_places_lead_back_to_the_stored_text(query, text):
    """Each is in the text, after the one before it, and what is stored there folds to the key."""
    folded = fold_width(text)
    for term in parse_query(query):
        end = 0
        for start in find_occurrences(term, folded).starts:
            assert start >= end
            end = start + len(term.key)
            first, last = folded.locate(start, end)
            assert 0 <= first < last <= len(text)
            assert term.key in fold_width(text[first:last]).text


@given(TEXTS, TEXTS, st.sampled_from(QUERIES))
def test_a_place_to_begin_at(before, text, query):
    """From a place on the same is found as in the whole text behind it, if what is before holds nothing."""
    term = parse_query(query)[0]
    folded = fold_width(before + "\n" + text)
    begin = len(fold_width(before).text) + 1
    from_there = [start for start in find_occurrences(term, folded, begin).starts if start >= begin]
    assert [start - begin for start in from_there] == list(find_occurrences(term, fold_width(text)).starts)
