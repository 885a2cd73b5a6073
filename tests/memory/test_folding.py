"""Folding: what is made one, and the way back to the stored characters."""

from __future__ import annotations

import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from memeval.memory.folding import drop_ignorable, fold_width

ODD = (
    "aAßẞſKİıŉﬁﬅᾈᾀ部設ー🙂\r\n\t\u3000ｱｶﾞﾊﾟ㍿ＤＢ５４…½™é\u0301\u0323\u0327\u00ad\u200d\ufe0f\ufeffำกั้각\u1100\u1161\u11a8ㄱㅏ\u3164Σς"
    "\u0344\u0345ΐ葛\U000e0100ﷺ"
)
TEXTS = st.text(alphabet=st.one_of(st.sampled_from(ODD), st.characters(exclude_categories=["Cs"])), max_size=30)


def pieces(text):
    """The stored piece of each folded character."""
    folded = fold_width(text)
    return folded, [folded.locate(place, place + 1) for place in range(len(folded.text))]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ｱﾝｹｰﾄ", "アンケート"),
        ("ﾊﾟｽﾜｰﾄﾞ", "パスワード"),
        ("ＤＢ５４３２", "db5432"),
        ("㍿監視", "株式会社監視"),
        ("café", "CAFE\u0301"),
        ("\u1112\u1161\u11ab국", "한국"),
        ("ㅎㅏㄴ", "하ㄴ"),
        ("Straße", "STRASSE"),
        ("ﬁle…", "file..."),
        ("pass\u00adword", "password"),
        ("葛\U000e0100城", "葛城"),
        ("⚠\ufe0f", "⚠"),
        ("\ufeffaliases", "aliases"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("ǅ", "ǆ"),
    ],
)
def test_spellings_that_are_one(one, other):
    """Width, composition, case, ligatures and what is not seen make no difference."""
    assert fold_width(one).text == fold_width(other).text


@pytest.mark.parametrize(
    ("one", "other"), [("port", "ports"), ("アン", "あん"), ("監視", "監査"), ("e", "é"), ("İ", "i")]
)
def test_spellings_that_are_not(one, other):
    """Another letter, script or accent stays another."""
    assert fold_width(one).text != fold_width(other).text


@given(TEXTS)
def test_a_text_folds_as_a_whole(text):
    """Piece by piece the result is that of NFKC and case folding over the whole text, without what is ignorable."""
    assert fold_width(text).text == drop_ignorable(text).casefold()
    assert not regex.search(r"\p{Default_Ignorable_Code_Point}", fold_width(text).text)
    if not regex.search(r"\p{Default_Ignorable_Code_Point}", text):
        assert fold_width(text).text == unicodedata.normalize("NFKC", text).casefold()


@given(TEXTS)
def test_each_character_leads_back_to_what_it_came_from(text):
    """The pieces follow each other without a gap, each folds to exactly the characters that lead to it, none lost."""
    folded, found = pieces(text)
    done = found[0][0] if found else len(text)
    assert fold_width(text[:done]).text == ""
    for piece in dict.fromkeys(found):
        assert piece[0] == done
        done = piece[1]
        own = "".join(folded.text[place] for place, other in enumerate(found) if other == piece)
        assert fold_width(text[slice(*piece)]).text == own
    assert done == len(text)


@given(TEXTS, st.integers(0, 40), st.integers(0, 40))
def test_a_part_leads_back_to_whole_characters(text, one, other):
    """What is located of a part is its pieces, first to last."""
    folded, found = pieces(text)
    start, end = sorted((min(one, len(found)), min(other, len(found))))
    if start < end:
        assert folded.locate(start, end) == (found[start][0], found[end - 1][1])
    else:
        assert folded.locate(start, end) == (folded.find_origin(start),) * 2


@given(TEXTS)
def test_lines_stay_lines(text):
    """As many line ends before as after, so that line numbers agree."""
    folded = fold_width(text)
    assert folded.text.count("\n") == text.count("\n")
    places = [place for place, character in enumerate(folded.text) if character == "\n"]
    assert [text[folded.find_origin(place)] for place in places] == ["\n"] * len(places)


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_a_plain_text_keeps_its_places(text):
    """ASCII costs no table."""
    folded = fold_width(text)
    assert (folded.text, folded.stored, list(folded.places)) == (text.lower(), text, [])


@given(TEXTS)
def test_characters_may_stand_for_others(text):
    """A table of characters, none of them ASCII, is applied to what is folded, one for one; places do not move."""
    table = {"設": "设", "é": "部", "葛": "设", "部": "é"}
    plain, exchanged = fold_width(text), fold_width(text, table)
    assert exchanged.text == "".join(table.get(character, character) for character in plain.text)
    places = range(len(plain.text) + 1)
    assert [exchanged.find_origin(place) for place in places] == [plain.find_origin(place) for place in places]


def test_many_distinct_characters_are_exchanged_as_few_are():
    """Beyond a few dozen they go through one table; nothing changes."""
    wide = "".join(chr(code) for code in range(0xFF01, 0xFF5F))
    assert fold_width(wide * 2).text == "".join(chr(code) for code in range(0x21, 0x7F)).lower() * 2
