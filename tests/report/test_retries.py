"""The text on retries, from figures written by hand."""

from __future__ import annotations

import dataclasses

import pytest

from memeval.bench.evaluation import Value
from memeval.bench.retries import CurveRow, RetryFigures, VariantRetries
from memeval.bench.shares import Misses, Mix, Share
from memeval.report.legend import HEAD
from memeval.report.retries import align_rows, render_retries, write_mix, write_percent, write_share

NOTHING = Share(count=0, n=0, interval=None, needs=())


def misses(kind: str, number: int, wordings: int) -> Misses:
    """Misses of so many needs of one wording."""
    interval = (0.1, 0.3) if wordings else None
    return Misses(kind=kind, misses=number, wordings=wordings, needs=wordings, interval=interval, effective=wordings)


def mix(unseen: tuple[int, int], other: tuple[int, int], share: float | None = None, **more) -> Mix:
    """A mix of these counts."""
    values = {
        "first_unseen": NOTHING,
        "unseen_first": misses("unseen-words", 0, 0),
        "threshold": 0.1,
        "fires_at_any_mix": False,
        "is_quiet_at_any_mix": False,
        "break_even": share,
    }
    return Mix(unseen=misses("unseen-words", *unseen), other=misses("same-words", *other), **(values | more))


def figures(dimension: str = "all", label: str = "all") -> RetryFigures:
    """Four needs, one of them found at once."""
    share = Share(count=1, n=4, interval=(0.05, 0.7), needs=("a",))
    return RetryFigures(
        dimension=dimension,
        label=label,
        needs=4,
        curve=(CurveRow(wordings=1, at_risk=4, found=1, share=0.25, interval=(0.05, 0.7)),),
        searches=Value(1.75, 4, (1.5, 1.9)),
        budget=1,
        is_coarse=True,
        paraphrase_retries=share,
        zero_overlap_retries=share,
        never_found=share,
        orbit=Value(None, 0),
    )


def retries(*groups: RetryFigures, **more) -> VariantRetries:
    """One variant with these groups."""
    values = {
        "suite": "shop",
        "variant": "engine",
        "is_free": True,
        "unstored": 2,
        "ungradable": 0,
        "without_free": 0,
        "kinds": (misses("symptom", 3, 9),),
        "mix": mix((5, 10), (0, 20), 0.2),
    }
    return VariantRetries(groups=groups, **(values | more))


def test_the_first_line_says_what_was_measured_on_what():
    """Suite, files, needs, order of the wordings and what ends a search; then the figures with their intervals."""
    lines = render_retries("shop", 7, "stops", [retries(figures())]).splitlines()
    assert lines[0] == "shop · 7 files · 4 needs that can be found · the first free wording first · an agent stops"
    assert lines[2].split() == ["engine", "0.25", "[0.05,", "0.70]"], "no need has three wordings"
    assert any(line.startswith("engine") and "1.75 [1.50, 1.90]?" in line for line in lines), (
        "a coarse interval is marked"
    )
    assert any("25 % [5, 70]" in line for line in lines)
    assert lines[lines.index(HEAD) - 1] == "engine: left out: 2 needs with nothing stored"


def test_every_word_of_the_tables_is_explained_once():
    """Those that stand there and no others; three wordings are drawn where a need has them."""
    text = render_retries("shop", 7, "stops", [retries(figures())])
    told, legend = text.split(f"\n{HEAD}\n")
    assert [line.split(":")[0].strip() for line in legend.splitlines()] == [
        "found by wording j",
        "[low, high]",
        "mean",
        "?",
        "paraphrase retry",
        "zero overlap",
        "never found",
        "kind of wording",
        "mix",
    ]
    assert "worst of 3" not in told
    drawn = dataclasses.replace(figures(), orbit=Value(0.5, 4, (0.2, 0.8)))
    assert "\n  worst of 3: " in render_retries("shop", 7, "stops", [retries(drawn)])


def test_what_is_all_zero_is_one_line():
    """Where first wordings find everything there is no table of zeroes."""
    none = Share(count=0, n=4, interval=(0.0, 0.5), needs=())
    whole = dataclasses.replace(
        figures(),
        curve=(CurveRow(wordings=1, at_risk=4, found=4, share=1.0, interval=(0.5, 1.0)),),
        searches=Value(1.0, 4),
        paraphrase_retries=none,
        zero_overlap_retries=none,
        never_found=none,
    )
    parts = [dataclasses.replace(whole, dimension="lang", label=lang) for lang in ("en", "zh")]
    found = retries(whole, *parts, unstored=0, kinds=(misses("symptom", 0, 9),), mix=mix((0, 10), (0, 20)))
    assert render_retries("shop", 7, "stops", [found]).split(f"\n{HEAD}")[0].splitlines()[1:] == [
        "found by wording                  1",
        "engine            1.00 [0.50, 1.00]",
        "every need is found by its first wording",
        "engine: no wording is unmatched",
    ]


def test_groups_are_shown_where_there_are_two():
    """One language is no comparison."""
    one = render_retries("shop", 7, "stops", [retries(figures(), figures("lang", "en"))])
    two = render_retries("shop", 7, "stops", [retries(figures(), figures("lang", "en"), figures("lang", "zh"))])
    assert "by language" not in one
    assert "zh · engine" in two


def test_nothing_to_find_is_said():
    """Without a findable need there is one line."""
    text = render_retries("shop", 7, "stops", [retries(is_free=False)])
    assert text == "shop · 7 files · no need that could be found (left out: 2 needs with nothing stored)"


@pytest.mark.parametrize(
    ("found", "end"),
    [
        (mix((5, 10), (0, 20), 0.2), "above 10 % if more than 20 % of first searches have none"),
        (mix((5, 10), (9, 20), fires_at_any_mix=True), "above 10 % at any mix"),
        (mix((0, 10), (0, 20), is_quiet_at_any_mix=True), "not above 10 % at any mix"),
        (mix((0, 0), (0, 20)), "so that none can be told"),
        (mix((5, 10), (0, 0)), "so that none can be told"),
    ],
)
def test_the_mix_in_words(found, end):
    """Each case has its sentence."""
    assert write_mix(found).endswith(end)


def test_per_cent_never_rounds_to_none_or_all():
    """`0 %` and `100 %` are exactly that; a share has its interval."""
    assert [write_percent(value) for value in (0, 0.004, 0.18, 0.996, 1, None)] == [
        "0 %",
        "<1 %",
        "18 %",
        ">99 %",
        "100 %",
        "–",
    ]
    assert write_share(Share(count=18, n=100, interval=(0.12, 0.26), needs=())) == "18 % [12, 26]"
    assert write_share(NOTHING) == "–"


def test_columns_stand_below_each_other_in_wide_scripts():
    """Two columns a character, as terminals draw them."""
    assert align_rows([["監控", "n"], ["ab", "12"]]) == ["監控   n", "ab    12"]
