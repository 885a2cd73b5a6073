"""BM25 against bm25s used directly, its formula and a value worked by hand; the literal line by line."""

from __future__ import annotations

import logging
import math
from collections import Counter

import bm25s
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.memory.document import Document, Tier
from memeval.retrieval.base import Hit
from memeval.retrieval.lexical import Bm25Ranking, LiteralRanking, LiteralTerms


def as_documents(texts):
    return [
        Document(doc_id=f"{place}", path=f"{place}", tier=Tier.NOTE, name=f"{place}", text=text)
        for place, text in enumerate(texts)
    ]


def test_bm25_worked_by_hand():
    """Three texts of 3, 2 and 1 tokens (mean 2); `redis` stands twice in the first alone.

    idf = ln(1 + (3 - 1 + 0.5) / (1 + 0.5)) = ln(8/3) = 0.980829; the length factor is
    1.5 * (1 - 0.75 + 0.75 * 3/2) = 2.0625; tf part = 2 / (2 + 2.0625) = 32/65. Score = 0.482870.
    """
    (hit,) = rank_bm25("redis", ["Redis port redis", "port conflict", "設定"])
    assert hit.doc_id == "0"
    assert hit.score == pytest.approx(math.log(8 / 3) * 32 / 65, rel=1e-7)
    assert hit.score == pytest.approx(0.482870, abs=1e-6)


def rank_bm25(query, texts):
    return Bm25Ranking(as_documents(texts)).rank(query)


def test_bm25_equals_bm25s_on_tokens_written_by_hand():
    """The same scores, bit for bit, as bm25s fed with the tokens a reader of the rule would write."""
    texts = ["Port conflict: port 6379!", "監視設定を変更", "夜間の設定", "", "conflict 設定"]
    tokens = [["port", "conflict", "port", "6379"], ["監視", "視設", "設定", "定を", "を変", "変更"]]
    tokens += [["夜間", "間の", "の設", "設定"], [], ["conflict", "設定"]]
    index = bm25s.BM25(method="lucene", k1=1.5, b=0.75, dtype="float64")
    index.index(tokens, show_progress=False)
    for query, query_tokens in [
        ("PORT 設定", ["port", "設定"]),
        ("conflict?", ["conflict"]),
        ("設定変更", ["設定", "変更"]),
    ]:
        theirs = index.get_scores(query_tokens)
        ours = {hit.doc_id: hit.score for hit in rank_bm25(query, texts)}
        assert ours == {f"{place}": score for place, score in enumerate(theirs) if score}
        assert ours


WORDS = st.lists(st.sampled_from(["port", "redis", "a", "b", "設定", "9"]), max_size=8).map(" ".join)


@given(st.lists(WORDS, min_size=1, max_size=6), WORDS)
def test_bm25_follows_its_formula(texts, query):
    """On any small corpus each score is the sum in the docstring, and only documents with a token are ranked."""
    bags = [Counter(text.split()) for text in texts]
    mean_length = sum(bag.total() for bag in bags) / len(bags)
    wanted = {}
    for place, bag in enumerate(bags):
        for token in query.split():
            if bag[token]:
                df = sum(token in other for other in bags)
                idf = math.log(1 + (len(bags) - df + 0.5) / (df + 0.5))
                length_factor = 1.5 * (1 - 0.75 + 0.75 * bag.total() / mean_length)
                wanted[f"{place}"] = wanted.get(f"{place}", 0.0) + idf * bag[token] / (bag[token] + length_factor)
    hits = rank_bm25(query, texts)
    assert {hit.doc_id: hit.score for hit in hits} == pytest.approx(wanted, rel=1e-6)


def test_a_repeated_token_of_the_query_counts_each_time():
    """As in bm25s and Lucene: twice the word, twice its score."""
    texts = ["port", "redis", "other"]
    (once,), (twice,) = rank_bm25("port", texts), rank_bm25("port PORT", texts)
    assert twice.score == 2 * once.score


def test_equal_documents_tie_and_fall_to_their_ids():
    """The same statistics give the very same score, in whatever place the document stands."""
    hits = rank_bm25("redis port", ["a redis port", "x", "port redis b", "redis port c"])
    assert [hit.doc_id for hit in hits] == ["0", "2", "3"]
    assert len({hit.score for hit in hits}) == 1


def test_bm25_is_silent(capfd, caplog):
    """No progress bar and no log record, even where a program logs everything."""
    with caplog.at_level(logging.DEBUG):
        rank_bm25("port", ["port", "redis"])
    assert caplog.records == []
    assert capfd.readouterr() == ("", "")


def rank_literal(query, texts):
    return LiteralRanking(as_documents(texts)).rank(query)


def test_the_literal_counts_matching_lines():
    """Lines, not occurrences; more lines first; the words in another order do not match."""
    hits = rank_literal(
        "port conflict", ["Port Conflict, port conflict", "port conflict\r\nPORT CONFLICT", "conflict port"]
    )
    assert hits == (Hit("1", 2.0), Hit("0", 1.0))


@pytest.mark.parametrize(
    ("query", "text", "matches"),
    [
        (" 設定\u3000", "監視設定", True),
        ("a.c", "abc", False),
        ("a.c", "xA.Cx", True),
        ("\u212a9s", "k9s", True),
        ("straße", "STRASSE", False),
        ("i", "İ", False),
        ("one\ntwo", "one\ntwo", False),
        ("one\x0ctwo", "one\x0ctwo", True),
        ("one", "two\r", False),
    ],
)
def test_the_literal_ignores_case_alone(query, text, matches):
    """Stripped, literal, simple case folding, within one line; lines end at line feeds only."""
    assert bool(rank_literal(query, [text])) is matches


def test_the_literal_is_located_where_it_stands():
    """Offsets are those of the line as stored, also behind characters whose full folding is longer."""
    terms = LiteralTerms()
    (literal,) = terms.of_query(" PORT ")
    assert terms.locate_first("ßİ port PORT", frozenset({literal})) == (3, 7)
    assert terms.locate_first("nothing", frozenset({literal})) == (0, 0)
