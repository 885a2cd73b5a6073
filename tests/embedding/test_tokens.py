"""The token rule, script by script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.embedding.tokens import locate_tokens, tokenise


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Port 6379, docker-compose!", ["port", "6379", "docker", "compose"]),
        ("don't snake_case v2.10", ["don", "t", "snake", "case", "v2", "10"]),
        ("port Port PORT", ["port", "port", "port"]),
        ("監視設定", ["監視", "視設", "設定"]),
        ("設", ["設"]),
        ("設定 を 変更", ["設定", "を", "変更"]),
        ("設定を変更", ["設定", "定を", "を変", "変更"]),
        ("Redis設定port6380番", ["redis", "設定", "port6380", "番"]),
        ("コーヒー・ミルク", ["コー", "ーヒ", "ヒー", "ミル", "ルク"]),
        ("ｱﾝｹｰﾄ", ["ｱﾝ", "ﾝｹ", "ｹｰ", "ｰﾄ"]),
        ("ﾃﾞｰﾀ", ["ﾃﾞ", "ﾞｰ", "ｰﾀ"]),
        ("人々 〆切 すゝめ", ["人々", "〆切", "すゝ", "ゝめ"]),
        ("二〇二六年", ["二〇", "〇二", "二六", "六年"]),
        ("𠀀字", ["𠀀字"]),
        ("한국어 검색", ["한국", "국어", "검색"]),
        ("ＤＢ５４３２番", ["ｄｂ５４３２", "番"]),
        ("「設定」、変更。", ["設定", "変更"]),
        ("ภาษาไทยที่ดี", ["ภาษาไทยที่ดี"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("cafe\u0301 café", ["cafe\u0301", "café"]),
        ("か\u3099き", ["か\u3099き"]),
        ("葛\U000e0100城市", ["葛\U000e0100城", "城市"]),
        ("\u0301abc \u0301", ["abc"]),
        ("İSTANBUL ΟΔΟΣ ﬁ", ["i\u0307stanbul", "οδος", "ﬁ"]),
        ("ⅻ ² ٣", ["ⅻ", "²", "٣"]),
        ("a\u00adb a\u200bb", ["a", "b", "a", "b"]),
        ("", []),
        ("…!? \n\t --- ・", []),
    ],
)
def test_tokens_by_script(text, tokens):
    """Pairs of Han, kana and Hangul; runs of anything else in lower case; the two never joined; marks split nothing."""
    assert tokenise(text) == tokens


TEXTS = st.text(st.sampled_from("aB9é設定をコー・한국ｱﾞกี่हि\u0301\u3099々_- .\n\r\u2028ΣİＡ５"), max_size=40)


@given(TEXTS)
def test_a_token_stands_where_it_is_located(text):
    """The text between start and end, in lower case, is the token; starts never go back."""
    located = list(locate_tokens(text))
    assert all(text[start:end].lower() == token.lower() for token, start, end in located)
    starts = [start for _, start, _ in located]
    assert starts == sorted(starts)
    assert [token for token, _, _ in located] == tokenise(text)


@given(TEXTS, TEXTS)
def test_no_token_spans_a_line_end_or_a_blank(first, second):
    """The tokens of two lines are those of the first, then those of the second."""
    for end in ("\n", "\r\n", " ", "\u3000", "\u2028"):
        assert tokenise(first + end + second) == tokenise(first) + tokenise(second)


@given(TEXTS)
def test_every_letter_and_number_is_in_a_token(text):
    """Nothing that can be looked for is dropped."""
    covered = {place for _, start, end in locate_tokens(text) for place in range(start, end)}
    assert all(place in covered for place, character in enumerate(text) if character.isalnum())
