"""Queries asked otherwise: each change on its own, and what it leaves alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.bench.rewordings import (
    adopt_script,
    choose_best_words,
    drop_fillers,
    exchange_characters,
    has_runs,
    name_words,
    pair_runs,
    space_runs,
    stem_words,
    unify_width,
)


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("how do I restart the broker", "restart broker"),
        ("what is the", ""),
        ("redis", "redis"),
        ("監視の設定", "監視 設定"),
        ("怎么要回垫付的钱", "要回垫付 钱"),
        ("怎麼要回墊付的錢", "要回墊付 錢"),
        ("为什么时候改", "改"),
        ("我们部署失败", "部署失败"),
        ("배포하고 키하고", "배포 키"),
        ("redis怎么重启サーバー", "redis 重启サーバー"),
        ("", ""),
    ],
)
def test_fillers_go_and_the_rest_stays_as_it_was_written(query, left):
    """Stop words are left out, function characters cut a run, and what is counted keeps its order."""
    assert drop_fillers(query) == left


def test_a_run_is_cut_into_the_longest_pieces_that_stand():
    """From left to right the longest known piece; a character that begins none is left out."""
    assert space_runs("監視設定を変更", {"監視", "設定", "変更"}.__contains__) == "監視 設定 変更"
    assert space_runs("監視設定", {"監視", "視設定"}.__contains__) == "監視"
    assert space_runs("redis監視", {"監視"}.__contains__) == "redis 監視"
    assert space_runs("監視", set().__contains__) == "監視"
    assert space_runs("「監視設定?」,ping", {"監視", "設定"}.__contains__) == "監視 設定 ping"


def test_pairs_overlap_and_leave_other_scripts_alone():
    """Every two neighbours of a run; one character, and words with spaces, stay."""
    assert pair_runs("監視設定 redis 港") == "監視 視設 設定 redis 港"


@pytest.mark.parametrize(
    ("query", "stems"),
    [
        ("restarting Brokers", "restart Broker"),
        ("only many mobile", "only many mobile"),
        ("redis-ports", "redis-port"),
        ("監視 123", "監視 123"),
    ],
)
def test_stems_are_beginnings_of_the_words(query, stems):
    """Plural, -ed and -ing go; a mere last letter stays, since what is left would begin other words."""
    assert stem_words(query) == stems


def test_width_is_unified():
    """Full-width letters and half-width kana become the usual ones."""
    assert unify_width("Ｑ４ ｱﾝｹｰﾄ") == "Q4 アンケート"


def test_a_query_takes_the_characters_of_the_file():
    """Simplified becomes Traditional where the file is, and back; what the file has stays."""
    simplified = {"後": "后", "備": "备", "連": "连", "線": "线"}
    assert adopt_script("后备连线", ["後備連線"], simplified) == "後備連線"
    assert adopt_script("後備", ["后备"], simplified) == "后备"
    assert adopt_script("后备", ["别的"], simplified) == "后备"
    assert exchange_characters("後備x", simplified) == "后备x"


def test_best_words_are_the_rarest_of_the_file():
    """Fewest files first, then as they stand; single characters are none."""
    counts = {"redis": 2, "port": 9, "on": 9, "6380": 1}
    assert choose_best_words("a redis port on 6380", counts, 2) == ("6380", "redis")
    assert choose_best_words("a ! b", {}) == ()


def test_words_hold_a_letter_or_number():
    """Marks between white space are no words."""
    assert name_words("redis -> port ?") == ("redis", "port")


def test_runs_are_of_scripts_without_spaces():
    """Two characters at least; a Latin word is none."""
    assert has_runs("監視")
    assert not has_runs("redis 港")
    assert not has_runs("")


@given(st.text(max_size=30))
def test_every_rewording_is_a_function_of_the_query(query):
    """Any text is reworded, twice the same."""
    for change in (drop_fillers, pair_runs, stem_words, unify_width, lambda text: space_runs(text, lambda part: True)):
        assert change(query) == change(query)
