"""Names in pictures: legible, or an id with a key."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib import font_manager

from memeval.report import labels
from memeval.report.labels import Key, choose_lettering, list_keys


@pytest.fixture
def no_wide_font(monkeypatch):
    """A machine without any font for Han, kana or Hangul."""
    monkeypatch.setattr(labels, "WIDE_FAMILIES", ())
    monkeypatch.setattr(font_manager, "findSystemFonts", list)


def build_font(path: Path, family: str, text: str) -> Path:
    """A font file that can draw the characters of `text` and nothing else, each as a square."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    pen.moveTo((100, 0))
    for corner in ((100, 700), (900, 700), (900, 0)):
        pen.lineTo(corner)
    pen.closePath()
    names = {ord(character): f"u{ord(character):04X}" for character in text}
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", *names.values()])
    builder.setupCharacterMap(names)
    builder.setupGlyf(dict.fromkeys([".notdef", *names.values()], pen.glyph()))
    builder.setupHorizontalMetrics(dict.fromkeys([".notdef", *names.values()], (1000, 100)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    builder.setupPost()
    builder.save(path)
    return path


@pytest.fixture
def wide_font(monkeypatch, tmp_path):
    """A machine on which a font for 維運中文 was installed after matplotlib listed the fonts."""
    path = build_font(tmp_path / "TestHan-cjk.ttf", "Memeval Test Han", "維運中文")
    broken = tmp_path / "broken-cjk.ttf"
    broken.write_bytes(b"no font")
    other = build_font(tmp_path / "TestKana-cjk.ttf", "Memeval Test Kana", "かな")
    monkeypatch.setattr(labels, "WIDE_FAMILIES", ("Memeval Absent", "Memeval Test Kana", "Memeval Test Han"))
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: [str(path), str(broken), str(other)])
    monkeypatch.setattr(font_manager.fontManager, "ttflist", list(font_manager.fontManager.ttflist))


def key(name: str) -> Key:
    return labels._make_keys("S", [name])[0]


def test_plain_names_are_written_as_they_are(no_wide_font):
    """Latin, accents and symbols need no other font, no id and, when ASCII, no key."""
    lettering = choose_lettering([key("ops-en"), key("café $x$")])
    assert lettering.families == (labels.BASE_FAMILY,)
    assert [lettering.label(key(name)) for name in ("ops-en", "café $x$")] == ["ops-en", "café $x$"]
    assert (key("ops-en").may_be_id, key("café").may_be_id) == (False, True)


def test_without_a_font_a_name_becomes_its_id(no_wide_font, evaluate, invent):
    """Only names that cannot be drawn become ids, numbered by their place among all names."""
    evaluation = evaluate(invent("ops-en", ["bm25"], needs=2), invent("維運", ["bm25", "混合"], needs=2))
    suites, variants = list_keys(evaluation)
    lettering = choose_lettering([*suites, *variants])
    assert [lettering.label(entry) for entry in suites] == ["ops-en", "S2"]
    assert [lettering.label(entry) for entry in variants] == ["bm25", "V2"]
    assert [entry.may_be_id for entry in (*suites, *variants)] == [False, True, False, True]


def test_an_installed_font_draws_the_name(wide_font):
    """A font that has the glyphs is taken, even one matplotlib had not listed; one without them is not."""
    lettering = choose_lettering([key("維運-中文"), key("日本語")])
    assert lettering.families == (labels.BASE_FAMILY, "Memeval Test Han")
    assert lettering.label(key("維運-中文")) == "維運-中文"
    assert lettering.label(key("日本語")) == "S1", "a font counts by its glyphs, not by its name"


def test_several_fonts_share_the_work(wide_font):
    """Names in two scripts are drawn by two fonts, each taken only when it is needed."""
    lettering = choose_lettering([key("維運"), key("かな")])
    assert lettering.families == (labels.BASE_FAMILY, "Memeval Test Kana", "Memeval Test Han")
    assert [lettering.label(key(name)) for name in ("維運", "かな")] == ["維運", "かな"]


def test_names_that_room_makes_alike_become_ids(evaluate, invent):
    """Long names that differ only where they are cut stay apart; so do equal, empty ones and one like another's id."""
    long = [f"a-very-long-name-of-a-suite-{number}-that-goes-on-and-on" for number in (1, 2)]
    names = ["short", *long, "twin", "twin", " ", "S2"]
    suites, _ = list_keys(evaluate(*(invent(name, ["a"], needs=1) for name in names)))
    assert [entry.short for entry in suites] == ["short", "S2", "S3", "S4", "S5", "S6", "S7"]
    assert [entry.may_be_id for entry in suites] == [False, True, True, True, True, True, True]


def test_invisible_characters_are_drawn_or_replaced(no_wide_font):
    """A control character in a name is a visible sign or makes the name an id, never an empty box."""
    lettering = choose_lettering([key("a\u202eb"), key("a\nb")])
    assert lettering.label(key("a\u202eb")) in {"a⟨U+202E⟩b", "S1"}
    assert "\n" not in lettering.label(key("a\nb"))
