"""Missed needs, grouped."""

from __future__ import annotations

import dataclasses

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
    assert [(group.need, nearest) for group, nearest in needs_missed_by_all(alone)] == [("sso-callback", "article")]
    controls = dataclasses.replace(suite, variants=suite.variants[2:])
    assert systems_of(controls) == []
    assert needs_missed_by_all(controls) == []


def test_the_nearest_variant_speaks_for_a_lost_need(evaluate, invent):
    """The one that ranked an expected file explains the miss, before one that only matched other files."""
    suite = invent("s", ["first", "second"], needs=1, wordings=1)

    def lose(variant, rank, matched):
        (query,) = variant.queries
        ranks = dict.fromkeys(query.expected, rank)
        lost = dataclasses.replace(query, verdict="miss", found=False, expected_ranks=ranks, matched=matched)
        return dataclasses.replace(variant, queries=(lost,))

    def nearest(*outcomes):
        variants = tuple(lose(variant, *outcome) for variant, outcome in zip(suite.variants, outcomes, strict=True))
        ((_, name),) = needs_missed_by_all(dataclasses.replace(suite, variants=variants))
        return name

    assert nearest((90, 100), (None, 5)) == "first"
    assert nearest((90, 100), (7, 9)) == "second"
    assert nearest((None, 0), (None, 5)) == "second"
    assert nearest((None, 0), (None, 0)) == "first"
