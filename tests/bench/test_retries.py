"""Retries of a small record whose answers are written by hand."""

from __future__ import annotations

import pytest

from memeval.bench.asked import ask_needs, count_misses
from memeval.bench.evaluation import QueryResult, VariantResult
from memeval.bench.mixing import measure_mix
from memeval.bench.retries import Policy, measure_retries
from memeval.bench.run import evaluate
from memeval.bench.suite import load_suite
from memeval.statistics.mix import Counts, mix_rate


def ask(need: str, wording: int, rank: int | None, text: str, **more) -> QueryResult:
    """One wording that shows files up to the expected one at this rank, or none of it."""
    shown = (*(f"other-{place}.md" for place in range(1, rank)), "a.md") if rank else ("other-1.md",)
    values = {
        "id": f"{need}[{wording}]",
        "need": need,
        "wording": wording,
        "text": text,
        "lang": "en",
        "elicited": "requested" if wording else "free",
        "kind": "symptom" if wording else None,
        "expected": {"a.md": 1},
        "expected_ranks": {"a.md": rank},
        "verdict": "hit" if rank else "miss",
        "found": bool(rank),
        "found_all": bool(rank),
        "matched": len(shown),
        "shown": shown,
        "bytes": 0,
        "ranking": (),
    }
    return QueryResult(**(values | more))


QUERIES = [
    ask("at-once", 0, 1, "redis port"),
    ask("at-once", 1, 1, "redis ports"),
    ask("at-once", 2, None, "who listens"),
    ask("apart", 0, None, "port conflict"),
    ask("apart", 1, 3, "redis deploy"),
    ask("overlapping", 0, None, "port conflict"),
    ask("overlapping", 1, 2, "port clash"),
    ask("never", 0, None, "port conflict"),
    ask("never", 1, None, "cache"),
]


@pytest.fixture
def measured(small_suite):
    """The retries of QUERIES under the policy that is asked for."""
    suite = load_suite(small_suite)

    def measure(**settings):
        return measure_retries(suite, VariantResult(name="engine", summary={}, queries=tuple(QUERIES)), **settings)

    return measure


def test_rates_and_curve_by_hand(measured):
    """One of four at once, two of the three others by the second wording, one never."""
    whole = measured().groups[0]
    assert (whole.dimension, whole.needs) == ("all", 4)
    assert [(row.wordings, row.at_risk, row.found, row.share) for row in whole.curve] == [
        (1, 4, 1, 0.25),
        (2, 3, 2, 0.75),
    ]
    assert whole.paraphrase_retries.needs == ("apart", "overlapping")
    assert whole.zero_overlap_retries.needs == ("apart",)
    assert whole.never_found.needs == ("never",)
    assert whole.budget == 2, "no need not yet found has a third wording"
    assert whole.searches.value == pytest.approx((1 + 2 + 2 + 3) / 4)
    assert whole.orbit.value == 0
    assert whole.orbit.n == 1, "one need has three wordings"


def test_an_agent_that_reads_the_first_file_goes_on(measured):
    """Found at rank 3 or 2 is not found by who reads one file: only the first need is."""
    whole = measured(policy=Policy(read=1)).groups[0]
    assert [row.share for row in whole.curve] == [0.25, 0.25]
    assert whole.never_found.count == 3
    assert measured(policy=Policy(read=2)).groups[0].paraphrase_retries.needs == ("overlapping",)
    assert measured(policy=Policy(read=3)).groups[0].paraphrase_retries.needs == ("apart", "overlapping")


def test_a_smaller_budget_counts_a_later_wording_as_never(measured):
    """Under one search, found at the second costs budget + 1."""
    assert measured(budget=1).groups[0].searches.value == pytest.approx((1 + 2 + 2 + 2) / 4)


def test_kinds_are_counted_apart(measured):
    """The first wordings under `free`, the others under the kind they were asked for."""
    assert [(kind.kind, kind.misses, kind.wordings) for kind in measured().kinds] == [("free", 3, 4), ("symptom", 2, 5)]


def test_groups_are_of_first_wordings(measured):
    """By language and script; kinds that the ruler cannot tell are no group."""
    assert [(group.dimension, group.label) for group in measured().groups] == [
        ("all", "all"),
        ("lang", "en"),
        ("script", "Latin"),
    ]


def test_the_same_figures_twice(measured):
    """Seeded: the same record gives the same figures."""
    assert measured() == measured()
    assert measured(seed=1).groups[0].searches.value == measured().groups[0].searches.value


def test_a_suite_that_was_run(small_suite):
    """Over a real search: the port conflict is found by its word, the container in no literal search."""
    suite = load_suite(small_suite)
    (variant,) = evaluate(suite, "article").suites[0].variants
    found = measure_retries(suite, variant)
    assert found.unstored == 1
    assert not found.is_free
    assert found.groups[0].needs == 3
    assert {group.dimension for group in found.groups} == {"all", "lang", "script", "first wording"}


def test_the_mix_by_hand():
    """One of two unseen-words wordings unmatched, none of the two others: above 10 % from a fifth on."""
    needs = ask_needs(
        [
            ask("a", 0, 1, "redis"),
            ask("a", 1, None, "cache"),
            ask("b", 0, 1, "redis"),
            ask("b", 1, 4, "other"),
        ]
    ).needs
    kinds = {"a[0]": "same-words", "b[0]": "same-words", "a[1]": "unseen-words", "b[1]": "unseen-words"}
    mix = measure_mix(needs, kinds)
    assert (mix.unseen.value, mix.other.value, mix.break_even) == (0.5, 0.0, pytest.approx(0.2))
    assert mix.rate is None
    assert not mix.fires_at_any_mix
    assert not mix.is_quiet_at_any_mix


def test_requested_wordings_count_only_among_the_unseen():
    """A requested wording that shares a word is somebody's quota, and no first search."""
    needs = ask_needs([ask("a", 0, 1, "redis"), ask("a", 1, None, "redis port")]).needs
    mix = measure_mix(needs, {"a[0]": "same-words", "a[1]": "same-words"})
    assert (mix.other.misses, mix.other.wordings, mix.unseen.wordings) == (0, 1, 0)
    assert mix.break_even is None, "there is no wording without a common word"


def test_records_fill_in_the_mix():
    """A quarter of 20 recorded first searches: the rate between both kinds, with its bounds."""
    from memeval.bench.shares import Share

    needs = ask_needs([ask(f"n{i}", 0, 1 if i > 5 else None, "x") for i in range(20)]).needs
    kinds = {f"n{i}[0]": "unseen-words" if i < 10 else "same-words" for i in range(20)}
    recorded = Share(count=5, n=20, interval=None, needs=())
    mix = measure_mix(needs, kinds, recorded=recorded)
    assert mix.rate == pytest.approx(0.25 * 0.6)
    expected = mix_rate(Counts(5, 20), Counts(6, 10), Counts(0, 10))
    assert (mix.low, mix.high) == (pytest.approx(expected.low, abs=1e-6), pytest.approx(expected.high, abs=1e-6))
    assert count_misses("x", []).value is None
