"""Which suites a report shows first, and which share one table."""

from __future__ import annotations

import dataclasses
import json

import pytest

from memeval.report import render_report, render_terminal, write_report
from memeval.report.arrangement import arrange

SIZES = {"story-a": 2, "middle": 20, "story-b": 3, "large": 40, "story-c": 1, "also-middle": 20}


@pytest.fixture
def many(evaluate, invent):
    """Three small suites among three others."""
    return evaluate(*(invent(name, ["weak", "strong"], needs=size, wordings=1) for name, size in SIZES.items()))


def test_large_suites_come_first_and_small_ones_apart(many):
    """Most needs first, equals as they came; the small ones keep their order."""
    main, small = arrange(many)
    assert [suite.name for suite in main.suites] == ["large", "middle", "also-middle"]
    assert [suite.name for suite in small] == ["story-a", "story-b", "story-c"]
    assert arrange(main).main == main, "arranged once is arranged"


def test_few_suites_and_small_ones_alone_stay_as_they_are(many):
    """Nobody drowns there."""
    few = dataclasses.replace(many, suites=many.suites[:4])
    assert arrange(few) == (few, ())
    small = tuple(suite for suite in many.suites if suite.needs < 10)
    stories = dataclasses.replace(many, suites=(*small, *(dataclasses.replace(s, name=f"{s.name}-2") for s in small)))
    assert next(suite.name for suite in arrange(stories).main.suites) == "story-b"
    assert arrange(stories).small == ()
    one = dataclasses.replace(many, suites=tuple(s for s in many.suites if s.name not in ("story-a", "story-b")) * 2)
    assert len(arrange(dataclasses.replace(one, suites=one.suites[:5])).main.suites) == 5


def test_a_small_suite_is_one_line_on_the_terminal(many):
    """Below the others, each with what every variant finds of it."""
    text = render_terminal(many)
    assert text.startswith("large · ")
    head, columns, *rows = text.split("\n\n")[-1].splitlines()
    assert head.startswith("3 small suites, of fewer than 10 needs each")
    assert columns.split() == ["found", "needs", "n", "weak", "strong"]
    assert [row.split()[:3] for row in rows] == [["story-a", "2", "2"], ["story-b", "3", "3"], ["story-c", "1", "1"]]


def test_what_is_ungradable_in_a_small_suite_is_not_folded_away(many):
    """It is named with its suite below the table."""
    suite = many.suites[0]
    query = dataclasses.replace(suite.variants[0].queries[0], verdict="ungradable", found=None, reason="no model")
    broken = dataclasses.replace(suite.variants[0], queries=(query, *suite.variants[0].queries[1:]))
    changed = dataclasses.replace(suite, variants=(broken, *suite.variants[1:]))
    text = render_terminal(dataclasses.replace(many, suites=(changed, *many.suites[1:])))
    assert text.splitlines()[-1] == "UNGRADABLE  story-a · weak: 1 of 2 wordings; no model"


def test_small_suites_share_one_section_of_the_page(many, tmp_path, blank_pictures):
    """One row each, their misses folded away; pictures and parts of their own have the others alone."""
    report, *pictures = write_report(many, tmp_path)
    text = report.read_text(encoding="utf-8")
    assert text.startswith("# What 2 variants find on 6 suites\n")
    assert "Beside them 3 suites of fewer than 10 needs each: [small suites](#small)." in text
    section = text.split("## Small suites")[1].split("\n## ")[0]
    assert section.count("\n| `story-") == section.count("<summary>Misses and false hits on") == 3
    assert "### `story-" not in text
    assert {path.name for path in pictures} == {
        "found.png",
        "recall-1-large.png",
        "recall-2-middle.png",
        "recall-3-also-middle.png",
    }
    assert "(recall-2-middle.png)" in text


def test_the_record_keeps_the_order_it_was_run_in(many):
    """Only what is shown is arranged."""
    render_report(many)
    assert [suite["name"] for suite in json.loads(many.to_json())["suites"]] == [*SIZES]
