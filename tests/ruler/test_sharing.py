"""What a wording shares with a file, and with another wording."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.ruler import (
    cut_passage,
    is_unseen,
    is_zero_overlap,
    ruler_terms,
    shared_terms,
    shares_with_file,
)


@dataclass(frozen=True)
class File:
    """A file as the ruler sees it."""

    name: str
    text: str


WORDS = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima"]
LINES = [f"line {word}" for word in WORDS]
LONG = File("ports.md", "\n".join([*LINES[:6], "the answer is 6380", *LINES[6:]]))


def test_passage_is_five_lines_on_either_side():
    """Line six before the evidence and line six behind it are out, line five is in."""
    assert shares_with_file("bravo", LONG, "6380") == ("bravo",)
    assert shares_with_file("alpha", LONG, "6380") == ()
    assert shares_with_file("kilo", LONG, "6380") == ("kilo",)
    assert shares_with_file("lima", LONG, "6380") == ()


def test_every_place_of_the_evidence_counts():
    """Evidence that stands twice has two passages, and each line of them once."""
    text = "\n".join(["6380", *["far"] * 20, "near the second", "6380"])
    passage = cut_passage(text, "6380")
    assert "near the second" in passage
    assert passage.count("6380") == 2
    assert passage.count("far") == 5 + 4


def test_evidence_may_run_over_line_ends():
    """White space is alike: a suite file writes the evidence on one line, the store need not."""
    text = "\n".join([*["far"] * 9, "6379 is", "  taken here", *["far"] * 9])
    assert cut_passage(text, "is taken").split("\n") == [*["far"] * 5, "6379 is", "  taken here", *["far"] * 5]


@pytest.mark.parametrize("evidence", [None, "absent", "  "])
def test_without_evidence_the_whole_file_counts(evidence):
    """No evidence, or evidence that another expected file holds: nothing of the file is left out."""
    assert cut_passage(LONG.text, evidence) == LONG.text


def test_name_and_aliases_count_and_the_ending_does_not():
    """The file name without its ending and every alias are words of the file."""
    assert shares_with_file("open ports", LONG, "6380") == ("port",)
    assert shares_with_file("md", LONG, "6380") == ()
    assert shares_with_file("socket clash", LONG, "6380", ["socket list", "clashes"]) == ("socket", "clash")
    assert shares_with_file("hidden", File(".hidden", ""), None) == ("hidden",)


def test_unseen_is_nothing_shared():
    """`is_unseen` is the negation, stop words included on neither side."""
    assert is_unseen("which sockets are taken", LONG, "6380")
    assert not is_unseen("which ports are taken", LONG, "6380")


def test_zero_overlap_is_between_wordings():
    """A rewording that keeps the stem of a word is no zero-overlap retry."""
    assert is_zero_overlap("port conflict", "address already in use")
    assert not is_zero_overlap("port conflict", "conflicting services")
    assert is_zero_overlap("埠號衝突", "位址被佔用")
    assert not is_zero_overlap("埠號衝突", "衝突的服務")


def test_a_single_character_is_looked_for_everywhere():
    """A query of one CJK character is shared wherever the character stands, and only then."""
    assert shared_terms("慢", "查詢變慢了") == ("慢",)
    assert shared_terms(" 慢 ", "查詢變慢了") == ("慢",)
    assert shared_terms("慢", "查詢變快了") == ()
    assert shared_terms("慢查", "查詢變慢了") == ()


@pytest.mark.parametrize(
    ("first", "second", "shared"),
    [
        ("プリンタ", "ラベルプリンター", True),
        ("アクセスログ", "ログ", True),
        ("サーバ設定", "サーバー", True),
        ("オークション", "オプション", False),
        ("バー", "バージョン", False),
        ("バー", "バー", True),
    ],
)
def test_katakana_compounds(first, second, shared):
    """A Katakana word is shared whole, or as the beginning or end of a compound; a common pair is not enough."""
    assert bool(shared_terms(first, second)) is shared
    assert bool(shared_terms(second, first)) is shared


TEXTS = st.text(alphabet="ab redis埠號衝突の サーバーログ키를", max_size=30)


@given(TEXTS, TEXTS)
def test_shared_terms_are_terms_of_the_query(query, text):
    """What is shared is a part of the query's terms, in their order."""
    terms = ruler_terms(query)
    shared = shared_terms(query, text)
    assert [term for term in terms if term in shared] == list(shared)


@given(TEXTS)
def test_a_text_shares_everything_with_itself(text):
    """Every term of a text is shared with it."""
    assert shared_terms(text, text) == ruler_terms(text)


@given(TEXTS, TEXTS)
def test_overlap_is_mutual_between_longer_texts(first, second):
    """But for queries of a single character, sharing has no direction."""
    if len(first.strip()) > 1 and len(second.strip()) > 1:
        assert bool(shared_terms(first, second)) == bool(shared_terms(second, first))
