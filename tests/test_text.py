"""Cuts, terms, lines and folding, against rules written down a second time."""

from __future__ import annotations

import regex
from hypothesis import given
from hypothesis import strategies as st

from memeval.text import WHITE_SPACE, cut_utf8, fold, split_lines, split_terms, split_words, utf8_length

TEXTS = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("aAßẞſKİıŉﬁﬅᾈᾀ部設ー🙂\r\n\t\u3000\x1c\x85")))


@given(TEXTS, st.integers(-1, 80))
def test_cut_is_the_longest_prefix_that_fits(text, max_bytes):
    """No character is halved, and one more would not fit."""
    cut = cut_utf8(text, max_bytes)
    assert text.startswith(cut)
    assert utf8_length(cut) <= max(max_bytes, 0)
    if cut != text:
        assert utf8_length(text[: len(cut) + 1]) > max_bytes


def test_cut_takes_a_lone_surrogate_as_three_bytes():
    """Half a character in foreign data stops no search."""
    assert cut_utf8("\ud83dab", 4) == "\ud83da"
    assert utf8_length("\ud83d") == 3


def test_white_space_is_the_unicode_property():
    """The 25 code points of White_Space, which are not those of str.isspace."""
    every = (chr(number) for number in range(0x110000) if not 0xD800 <= number <= 0xDFFF)
    assert set(WHITE_SPACE) == set(regex.findall(r"\p{White_Space}", "".join(every)))
    assert len(WHITE_SPACE) == 25
    assert "\x1c".isspace()
    assert split_words("a\x1cb") == ["a\x1cb"]


@given(TEXTS)
def test_words_hold_all_but_the_white_space(text):
    """Splitting loses nothing else and leaves no white space in a word."""
    words = split_words(text)
    assert "".join(words) == regex.sub(r"\p{White_Space}", "", text)
    assert not any(character in WHITE_SPACE for word in words for character in word)
    assert "" not in words


def test_terms_drop_repeats_in_another_ascii_case_only():
    """The first spelling stays; other letters than A to Z keep their cases apart here."""
    assert split_terms("Port\u3000PORT É é port\xa0k \u212a") == ("Port", "É", "é", "k", "\u212a")


def test_lines_end_at_line_feeds_only():
    r"""`\n` and `\r\n` end a line; form feeds, U+0085, U+2028 and a lone `\r` stand inside one."""
    assert split_lines("a\x0cb\x85c\u2028d\re\r\nf\n\ng\r") == ["a\x0cb\x85c\u2028d\re", "f", "", "g\r"]
    assert split_lines("") == []
    assert split_lines("\n") == [""]
    assert split_lines("a\n") == split_lines("a") == ["a"]


@given(TEXTS, TEXTS)
def test_fold_keeps_every_offset(left, right):
    """A fold has as many characters as its text, folds again to itself, and knows no neighbours."""
    assert len(fold(left)) == len(left)
    assert fold(fold(left)) == fold(left)
    assert fold(left + right) == fold(left) + fold(right)


def test_fold_meets_an_independent_implementation():
    """What folds alike here matches without regard to case there, and a full folding of one code point is the fold."""
    for number in range(0x20000):
        character = chr(number)
        folded = fold(character)
        if folded != character:
            assert regex.fullmatch(regex.escape(folded), character, regex.IGNORECASE), hex(number)
        if len(character.casefold()) == 1:
            assert folded == character.casefold()


def test_fold_of_the_hard_cases():
    """Capitals with a full folding of several code points take their simple one; dotted and dotless i stay apart."""
    assert fold("ẞ") == "ß"
    assert fold("ᾈ") == "ᾀ"
    assert fold("\u212a\u017f") == "ks"
    assert fold("\ufb05") == fold("\ufb06")
    assert fold("ﬁ ŉ ΐ") == "ﬁ ŉ ΐ"
    assert len({fold("İ"), fold("ı"), fold("i")}) == 3
