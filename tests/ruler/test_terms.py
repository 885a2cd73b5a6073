"""What is a term of a text."""

import runpy
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.ruler import find_frequent_pairs, locate_stopped, locate_terms, render_frequent_pairs, ruler_terms

WORDS = {
    "stop words, stems and a possessive": ("Don’t move the vendor’s caches", ("move", "vendor", "cach")),
    "short numbers are times and dates": ("2026-03-02 09:14 port 6380", ("2026", "port", "6380")),
    "single letters": ("plan B for x", ("plan",)),
    "parts of an identifier": ("kelp-db2 pg_dump v2", ("kelp", "db2", "pg", "dump", "v2")),
    "accents stay": ("Café", ("café",)),
    "each term once, in order": ("port ports redis port", ("port", "redi")),
    "nothing but stop words": ("what was it about?", ()),
}
CJK = {
    "pairs": ("埠號衝突", ("埠號", "號衝", "衝突")),
    "cut at a function character": ("舊的看法", ("舊", "看法")),
    "function words": ("為什麼會重開", ("麼會", "會重", "重開")),
    "a frequent pair does not count": ("看板", ()),
    "one character": ("慢", ("慢",)),
    "one character beside Latin": ("redis 慢", ("redi", "慢")),
    "particles cut kanji free": ("鍵を無くした", ("鍵", "無く")),
    "endings do not count": ("つながらない", ()),
    "okurigana counts": ("切り戻し", ("切り", "り戻", "戻し")),
    "a Katakana word is one term": ("ラベルプリンタの設定", ("ラベルプリンタ", "設定")),
    "without its last long mark": ("サーバー", ("サーバ",)),
    "unless it is short": ("キー", ("キー",)),
    "Hangul pairs": ("동점입찰", ("동점", "점입", "입찰")),
    "a syllable with its particle": ("키를 분실", ("키를", "키", "분실")),
    "a Korean stop word alone": ("왜 멈춤", ("멈춤",)),
    "a Korean stop word is no cut": ("수정 방법", ("수정", "방법")),
    "scripts in one run": ("PR核准人數", ("pr", "核准", "准人", "人數")),
}


@pytest.mark.parametrize(("text", "terms"), [*WORDS.values(), *CJK.values()], ids=[*WORDS, *CJK])
def test_terms(text, terms):
    """The rule's parts, one by one."""
    assert ruler_terms(text) == terms


@pytest.mark.parametrize(
    ("first", "second"),
    [("ｻｰﾊﾞｰ", "サーバー"), ("ＭＴＵ", "mtu"), ("Straße", "STRASSE"), ("ﬁle", "file"), ("하나다", "하나다")],
)
def test_widths_cases_and_compositions_are_one(first, second):
    """Full-width and half-width, upper and lower case, composed and decomposed spellings give the same terms."""
    for text in (second, unicodedata.normalize("NFD", second)):
        assert ruler_terms(first) == ruler_terms(text)


@given(st.text(max_size=40))
def test_any_text_has_distinct_terms(text):
    """No text breaks the tokeniser, and no term comes twice or empty."""
    terms = ruler_terms(text)
    assert len(set(terms)) == len(terms)
    assert all(terms)


@given(st.lists(st.sampled_from(["redis", "埠號", "プリンタ", "분실", "6380"]), unique=True))
def test_words_apart_are_terms_in_order(words):
    """Words between blanks do not touch each other."""
    assert ruler_terms(" ".join(words)) == tuple("redi" if word == "redis" else word for word in words)


def test_frequent_is_more_than_a_quarter_of_the_files():
    """Of four files, a pair in one is not frequent and a pair in two is; how often it stands in one does not matter."""
    assert find_frequent_pairs(["拍賣 拍賣 拍賣", "漁獲", "漁獲", "盒子"]) == ("漁獲",)


def test_only_pairs_can_be_frequent():
    """Latin words, Katakana words, single characters and uncounted pairs are never on the list."""
    assert find_frequent_pairs(["redis サー 慢 から 什麼"]) == ()


def test_shipped_list_is_what_the_rule_gives():
    """The list is computed, not chosen; after a store has changed: `python tests/rebuild_frequent_pairs.py`."""
    rebuild = runpy.run_path(str(Path(__file__).parents[1] / "rebuild_frequent_pairs.py"))
    assert rebuild["PAIRS"].read_text(encoding="utf-8") == rebuild["render"]()


def test_rendered_list_says_its_rule():
    """The rule stands in the head of the file, each language under its own heading."""
    rendered = render_frequent_pairs({"zh": ["盒子"], "ko": []})
    assert "more than 25% of the files" in rendered
    assert rendered.endswith("[zh]\n盒子\n\n[ko]\n")


def test_stop_list_has_no_doubles():
    """A word stands once in its section, so that taking it out takes it out."""
    path = Path(__file__).parents[2] / "memeval" / "ruler" / "stop_words.txt"
    sections = path.read_text(encoding="utf-8").split("\n[")[1:]
    for section in sections:
        words = [word for line in section.splitlines()[1:] if not line.startswith("#") for word in line.split()]
        assert sorted({word for word in words if words.count(word) > 1}) == []


@pytest.mark.parametrize("text", [text for text, _ in (*WORDS.values(), *CJK.values())])
def test_terms_are_located_where_they_stand(text):
    """The places give the same terms in the same order, each over the characters it was read from."""
    shown, places = locate_terms(text)
    assert tuple(dict.fromkeys(place.term for place in places)) == ruler_terms(text)
    for place in places:
        assert ruler_terms(shown[place.start : place.end])[:1] == (place.term,)


def test_places_hold_in_text_that_folding_alters():
    """Own case where folding keeps the length, folded text where it does not."""
    shown, (place,) = locate_terms("ＶＰＮ’s")
    assert (shown[place.start : place.end], place.term) == ("VPN", "vpn")
    shown, places = locate_terms("GROẞE Cache")
    assert [shown[place.start : place.end] for place in places] == ["grosse", "cache"]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("怎么要回", {0, 1}),
        ("怎麼要回", {0, 1}),
        ("垫付为什么", {2, 3, 4}),
        ("배포하고", {2, 3}),
        ("why 的 ない", set()),
        ("", set()),
    ],
)
def test_function_words_of_two_characters_are_located(text, places):
    """Every place that one takes up, overlapping ones included, in both scripts of Chinese and in Korean."""
    assert locate_stopped(text) == places
