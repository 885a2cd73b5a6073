"""The report on a terminal."""

from __future__ import annotations

import dataclasses

from memeval.report import render_terminal


def test_first_line_says_what_was_measured(small):
    """The caption comes first, then the table, a line a variant."""
    lines = render_terminal(small).splitlines()
    assert lines[0] == "ops-en · 48 files · 4 needs, 8 wordings · 16 KiB shown per search"
    assert [line.split()[0] for line in lines[3:6]] == ["article", "bm25", "oracle"]


def test_needs_that_nothing_finds_are_shown(small):
    """Their number, and of three of them what was asked, what was expected and why it was missed."""
    suite = dataclasses.replace(small.suites[0], variants=small.suites[0].variants[::2])
    lines = render_terminal(dataclasses.replace(small, suites=(suite,))).splitlines()
    assert lines[-3:] == [
        "1 need is found by no wording:",
        '  sso-callback   "login loop"   expected notes/sso-callback.md',
        "    article: not matched: no word of the query stands in the file",
    ]


def test_a_lost_need_is_explained_by_the_variant_that_came_closest(small):
    """With several variants the reason and the wording are those of the nearest one, and it is named."""
    suite = small.suites[0]
    article, bm25, _ = suite.variants
    queries = [
        dataclasses.replace(query, verdict="miss", found=False, expected_ranks={"notes/sso-callback.md": 40 - place})
        if query.need == "sso-callback"
        else query
        for place, query in enumerate(bm25.queries)
    ]
    queries[4] = dataclasses.replace(queries[4], reason="matched but not shown: rank 36 of 479")
    changed = dataclasses.replace(suite, variants=(article, dataclasses.replace(bm25, queries=tuple(queries))))
    assert render_terminal(dataclasses.replace(small, suites=(changed,))).splitlines()[-3:] == [
        "1 need is found by no wording of any of 2 variants:",
        '  sso-callback   "sso url"   expected notes/sso-callback.md',
        "    bm25: matched but not shown: rank 36 of 479",
    ]


def test_long_lists_are_cut_and_counted(evaluate, invent):
    """Of many lost needs three are shown and all are counted."""
    suite = invent("s", ["weak"], needs=60, wordings=1)
    lost = [query for query in suite.variants[0].queries if query.found is False]
    text = render_terminal(evaluate(suite))
    assert len(lost) > 3
    assert f"{len(lost)} needs are found by no wording (3 shown):" in text
    assert text.count("expected notes/") == 3


def test_ungradable_is_loud(small):
    """A variant that could not be built is named with its reason and how many wordings it leaves open."""
    suite = small.suites[0]
    queries = tuple(
        dataclasses.replace(query, verdict="ungradable", found=None, reason="RuntimeError: no model")
        for query in suite.variants[1].queries
    )
    broken = dataclasses.replace(suite.variants[1], queries=queries, error="cannot be built: no model")
    changed = dataclasses.replace(suite, variants=(suite.variants[0], broken))
    text = render_terminal(dataclasses.replace(small, suites=(changed,)))
    assert "UNGRADABLE  bm25: 8 of 8 wordings; cannot be built: no model" in text
    assert "bm25 (ungradable)" in text
    single = dataclasses.replace(broken, error=None, queries=(queries[0], *suite.variants[1].queries[1:]))
    changed = dataclasses.replace(suite, variants=(single,))
    assert "UNGRADABLE  bm25: 1 of 8 wordings; RuntimeError: no model" in render_terminal(
        dataclasses.replace(small, suites=(changed,))
    )


def test_the_reason_of_an_ungradable_wording_is_told_in_full(small):
    """Its end often says how to mend it; of several reasons each is told once, the surplus counted."""
    suite = small.suites[0]
    long = f"EmbedderUnavailableError: {'no model ' * 60}here; give --embedding FOLDER"
    reasons = [long, "two", "three", "four", "five", long]
    queries = tuple(
        dataclasses.replace(query, verdict="ungradable", found=None, reason=reason)
        for query, reason in zip(suite.variants[1].queries, reasons, strict=False)
    )
    broken = dataclasses.replace(suite.variants[1], queries=queries)
    changed = dataclasses.replace(suite, variants=(broken,))
    lines = render_terminal(dataclasses.replace(small, suites=(changed,))).splitlines()
    place = next(place for place, line in enumerate(lines) if line.startswith("UNGRADABLE"))
    assert lines[place : place + 4] == [
        f"UNGRADABLE  bm25: 6 of 6 wordings; {long}",
        "            two",
        "            three",
        "            … 2 more reasons in the report",
    ]


def test_no_control_sequence_reaches_the_terminal(small):
    """Names and texts from data cannot colour, clear or forge lines of a terminal."""
    suite = small.suites[0]
    evil = "\x1b[2J\nops \u202e"
    queries = tuple(
        dataclasses.replace(query, text=evil, need=evil, reason=evil, found=False, verdict="miss", expected={evil: 1})
        for query in suite.variants[0].queries
    )
    variant = dataclasses.replace(suite.variants[0], name=evil, queries=queries)
    text = render_terminal(
        dataclasses.replace(small, suites=(dataclasses.replace(suite, name=evil, variants=(variant,)),))
    )
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert text.count("\n") == 3 + 3, "caption, two header lines, the variant, and three lines on the lost need"


def test_suites_stand_apart_and_nothing_is_said_to_be_nothing(evaluate, invent):
    """A blank line between suites; an evaluation without suites says so; a suite without variants too."""
    two = evaluate(invent("one", ["a"], needs=3), invent("two", ["a"], needs=3))
    assert [block.split(" · ")[0] for block in render_terminal(two).split("\n\n")] == ["one", "two"]
    assert render_terminal(evaluate()) == "nothing was measured: the evaluation holds no suite"
    bare = dataclasses.replace(two.suites[0], variants=(), contrasts=())
    assert render_terminal(evaluate(bare)).endswith("\nno variant was run")
