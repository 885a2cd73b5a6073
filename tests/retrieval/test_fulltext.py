"""SQLite's full-text index as a stage: what its tokenizers find, and how rows are ranked."""

from __future__ import annotations

import math

import pytest

from memeval.retrieval.fulltext import TRIGRAM, UNICODE61, FullText, quote_term

DOC = "今天玩成语接龙游戏"


def places(texts, expression, tokenize=UNICODE61):
    return [place for place, _ in FullText([(text,) for text in texts], tokenize).match(expression)]


@pytest.mark.parametrize(
    ("tokenize", "query", "found"),
    [
        (UNICODE61, "成语接龙", False),
        (UNICODE61, "成语", False),
        (UNICODE61, DOC, True),
        (TRIGRAM, "成语接龙", True),
        (TRIGRAM, "成语", False),
        (TRIGRAM, "成語接龍", False),
    ],
)
def test_a_cjk_run_is_one_token_or_its_trigrams(tokenize, query, found):
    """Under unicode61 only the whole run is found; under trigram three characters and more, in the same script."""
    assert places([DOC], quote_term(query), tokenize) == ([0] if found else [])


def test_trigram_finds_inside_a_word():
    """`1878` in `18789`, whatever the case of letters."""
    assert places(["Port 18789"], '"1878" AND "ORT"', TRIGRAM) == [0]


def test_the_rank_is_that_of_sqlite():
    """Worked by hand: idf ln((5 - 1 + 0.5) / (1 + 0.5)), tf 1, length 3 of a mean of 3.8."""
    rows = [("the ticket port",)] + [("four words of filler",)] * 4
    ((place, rank),) = FullText(rows).match('"ticket"')
    idf = math.log(4.5 / 1.5)
    assert place == 0
    assert rank == pytest.approx(-idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 3 / 3.8)))


def test_a_word_of_every_row_is_worth_a_millionth():
    """A rank does not turn positive."""
    assert FullText([("port",)]).match('"port"')[0][1] == pytest.approx(-1e-6)


def test_equal_rows_come_by_place_and_the_limit_holds():
    """The same text twice: the first one first."""
    texts = FullText([("b port",), ("a port",), ("x",), ("y",), ("z",)])
    assert [place for place, _ in texts.match('"port"')] == [0, 1]
    assert [place for place, _ in texts.match('"port"', limit=1)] == [0]


@pytest.mark.parametrize("rows", [(), [("",)]])
def test_nothing_to_find(rows):
    """No rows, empty rows, and an empty expression."""
    assert FullText(rows).match('"a"') == []
    assert FullText([("a",)]).match("") == []


def test_any_text_can_be_stored_and_quoted():
    """Quotes, half characters, and operators inside a quoted term."""
    texts = FullText([('say "hi" OR \ud800 x',), ("other",), ("more",)])
    assert [place for place, _ in texts.match(quote_term('"hi" or'))] == [0]
    assert texts.match(quote_term("\ud800 y")) == []


def test_columns_are_searched_together():
    """A row is found by a word of any of its columns."""
    assert [place for place, _ in FullText([("title", "body"), ("x", "y")]).match('"title" AND "body"')] == [0]
