"""Missed needs, grouped."""

from __future__ import annotations

import dataclasses

import pytest

from memeval.report.misses import group_misses, needs_missed_by_all, systems_of, ungradable_queries


def test_order_of_importance(small):
    """Lost must-find needs first, then needs missed by every wording, the others in their order, false hits."""
    article, bm25, _ = small.suites[0].variants
    assert [(group.need, len(group.missed), group.asked, group.must_find) for group in group_misses(article)] == [
        ("sso-callback", 3, 3, True),
        ("redis-port-clash", 1, 2, False),
        ("backup-window", 1, 2, False),
    ]
    assert [(group.need, group.by_every_wording, group.expected) for group in group_misses(bm25)] == [
        ("sso-callback", False, ("notes/sso-callback.md",)),
        ("backup-window", False, ("notes/backup-window.md",)),
        ("lunch-menu", True, ()),
    ]


def test_a_wording_can_be_a_must_find_of_its_own(small):
    """A missed wording that must be found marks its need although another wording is found."""
    bm25 = small.suites[0].variants[1]
    marked = [dataclasses.replace(query, must_find=query.id == "backup-window[0]") for query in bm25.queries]
    first = group_misses(dataclasses.replace(bm25, queries=tuple(marked)))[0]
    assert (first.need, first.must_find, first.by_every_wording) == ("backup-window", True, False)


def test_an_ungradable_wording_is_no_miss_and_loses_no_need(small):
    """What could not be graded is listed as that; a need with such a wording is not called lost."""
    article = small.suites[0].variants[0]
    broken = [
        dataclasses.replace(query, verdict="ungradable", found=None) if query.id == "sso-callback[2]" else query
        for query in article.queries
    ]
    variant = dataclasses.replace(article, queries=tuple(broken))
    assert [query.id for query in ungradable_queries(variant)] == ["sso-callback[2]"]
    sso = next(group for group in group_misses(variant) if group.need == "sso-callback")
    assert (len(sso.missed), sso.asked, sso.by_every_wording, sso.must_find) == (2, 3, False, False)


def test_needs_that_nothing_finds(small):
    """Only needs with an expected file that every system misses by every wording; controls do not count."""
    suite = small.suites[0]
    assert needs_missed_by_all(suite) == []
    alone = dataclasses.replace(suite, variants=suite.variants[::2])
    assert [(lost.group.need, lost.variant) for lost in needs_missed_by_all(alone)] == [("sso-callback", "article")]
    controls = dataclasses.replace(suite, variants=suite.variants[2:])
    assert systems_of(controls) == []
    assert needs_missed_by_all(controls) == []


NOTHING = (None, 0)
"""Rank of the expected file, files matched."""
OTHERS = (None, 5)


@pytest.mark.parametrize(
    ("outcomes", "nearest"),
    [
        ([[(90, 100), NOTHING], [OTHERS, OTHERS]], ("first", "need-000[0]")),
        ([[(90, 100), NOTHING], [OTHERS, (7, 9)]], ("second", "need-000[1]")),
        ([[(7, 9), (7, 9)], [(7, 9), (8, 9)]], ("first", "need-000[0]")),
        ([[OTHERS, NOTHING], [NOTHING, OTHERS]], ("second", "need-000[1]")),
        ([[NOTHING, OTHERS], [NOTHING, NOTHING]], ("first", "need-000[1]")),
        ([[NOTHING, NOTHING], [NOTHING, NOTHING]], ("first", "need-000[0]")),
    ],
    ids=["a rank before a match", "best rank", "tie", "last that matched", "only one matched", "none matched"],
)
def test_the_nearest_attempt_speaks_for_a_lost_need(invent, outcomes, nearest):
    """The wording and variant that ranked an expected file best explain a miss; without any, those that matched."""
    suite = invent("s", ["first", "second"], needs=1, wordings=2)

    def lose(variant, attempts):
        queries = tuple(
            dataclasses.replace(
                query, verdict="miss", found=False, matched=matched, expected_ranks=dict.fromkeys(query.expected, rank)
            )
            for query, (rank, matched) in zip(variant.queries, attempts, strict=True)
        )
        return dataclasses.replace(variant, queries=queries)

    variants = tuple(map(lose, suite.variants, outcomes))
    (lost,) = needs_missed_by_all(dataclasses.replace(suite, variants=variants))
    assert (lost.variant, lost.query.id) == nearest
    assert lost.query in {variant.name: variant.queries for variant in variants}[lost.variant]


def test_false_hits_come_after_every_missed_need(small):
    """A need with nothing stored is last, whatever else is said of it."""
    bm25 = small.suites[0].variants[1]
    first = [dataclasses.replace(query, need_must_find=query.need == "lunch-menu") for query in bm25.queries[::-1]]
    groups = group_misses(dataclasses.replace(bm25, queries=tuple(first)))
    assert [group.need for group in groups] == ["backup-window", "sso-callback", "lunch-menu"]
