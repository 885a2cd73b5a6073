"""Names in a picture: as they are where an installed font can draw them, else an id, with a key beside the picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from memeval.bench.evaluation import Evaluation
from memeval.report.notation import make_visible, shorten_middle

MAX_LABEL_CHARACTERS = 28

BASE_FAMILY = "DejaVu Sans"
"""Ships with matplotlib; Latin, Greek, Cyrillic."""

WIDE_FAMILIES = (
    "Noto Sans CJK TC",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans CJK KR",
    "Noto Sans CJK HK",
    "Noto Sans TC",
    "Noto Sans SC",
    "Noto Sans JP",
    "Noto Sans KR",
    "Source Han Sans TC",
    "Source Han Sans SC",
    "Source Han Sans",
    "Source Han Sans K",
    "PingFang TC",
    "PingFang SC",
    "PingFang HK",
    "Heiti TC",
    "Hiragino Sans",
    "Hiragino Sans GB",
    "Apple SD Gothic Neo",
    "Microsoft JhengHei",
    "Microsoft YaHei",
    "Yu Gothic",
    "Meiryo",
    "MS Gothic",
    "Malgun Gothic",
    "SimHei",
    "SimSun",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "AR PL UMing TW",
    "AR PL UKai TW",
    "IPAexGothic",
    "IPAGothic",
    "IPAPGothic",
    "TakaoGothic",
    "TakaoPGothic",
    "VL Gothic",
    "NanumGothic",
    "UnDotum",
    "Arial Unicode MS",
    "Noto Serif CJK TC",
    "Noto Serif CJK SC",
    "Noto Serif CJK JP",
    "Noto Serif CJK KR",
    "Droid Sans Fallback",
)
"""Families with Han, kana or Hangul, in order of preference."""

_FILE_NAME_HINT = re.compile(
    "cjk|han|noto|pingfang|heiti|hiragino|gothic|meiryo|msj|msy|malgun|sim|wqy|uming|ukai|ipa|takao|nanum|undotum"
    "|arialuni|droid",
    re.IGNORECASE,
)
"""What the file names of those families hold, so that a machine's other fonts need not be opened."""


@dataclass(frozen=True, slots=True)
class Key:
    """One name that a picture may write as an id."""

    id: str
    name: str
    short: str
    """The name as a picture has room for it; the id where that would be empty or not be the only one."""

    @property
    def may_be_id(self) -> bool:
        """Whether a picture may write the id. The name alone decides, so that a report is the same everywhere."""
        return self.short == self.id or not self.short.isascii()


def list_keys(evaluation: Evaluation) -> tuple[tuple[Key, ...], tuple[Key, ...]]:
    """The suites (`S1` …, one per place) and the variants (`V1` …, in order of first appearance) with their ids."""
    variants = dict.fromkeys(variant.name for suite in evaluation.suites for variant in suite.variants)
    return _make_keys("S", [suite.name for suite in evaluation.suites]), _make_keys("V", list(variants))


def _make_keys(letter: str, names: Sequence[str]) -> tuple[Key, ...]:
    shorts = [shorten_middle(make_visible(name), MAX_LABEL_CHARACTERS).strip() for name in names]
    ids = [f"{letter}{place}" for place in range(1, len(names) + 1)]
    taken = [*shorts, *ids]
    return tuple(
        Key(key_id, name, short if short and taken.count(short) == 1 else key_id)
        for key_id, name, short in zip(ids, names, shorts, strict=True)
    )


@dataclass(frozen=True, slots=True)
class Lettering:
    """The font families of a picture and the characters they can draw."""

    families: tuple[str, ...]
    characters: frozenset[int]

    def label(self, key: Key) -> str:
        """The short name, or the id when a character of it cannot be drawn."""
        return key.short if self.characters.issuperset(map(ord, key.short)) else key.id


def choose_lettering(keys: Iterable[Key]) -> Lettering:
    """The base family plus as few installed wide families as draw every character of the names, as far as any can."""
    wanted = {ord(character) for key in keys for character in key.short}
    families, drawn = [BASE_FAMILY], _read_characters(BASE_FAMILY)
    if wanted - drawn:
        _register_new_fonts()
        for family in _installed(WIDE_FAMILIES):
            characters = _read_characters(family)
            if (wanted - drawn) & characters:
                families.append(family)
                drawn |= characters
            if wanted <= drawn:
                break
    return Lettering(tuple(families), frozenset(drawn))


def _installed(families: Iterable[str]) -> list[str]:
    """Those of `families` that matplotlib knows."""
    from matplotlib.font_manager import fontManager

    known = {font.name for font in fontManager.ttflist}
    return [family for family in families if family in known]


def _read_characters(family: str) -> set[int]:
    """The code points for which the family's upright font has a glyph."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    return set(get_font(findfont(FontProperties(family=[family]))).get_charmap())


def _register_new_fonts() -> None:
    """Tell matplotlib of fonts installed since it last listed them: its list is kept between runs and never renewed."""
    from matplotlib.font_manager import findSystemFonts, fontManager

    known = {Path(font.fname).name for font in fontManager.ttflist}
    for path in sorted(map(Path, findSystemFonts())):
        if path.name not in known and _FILE_NAME_HINT.search(path.name):
            try:
                fontManager.addfont(path)
            except (OSError, RuntimeError):  # a broken font file of the machine's
                continue
