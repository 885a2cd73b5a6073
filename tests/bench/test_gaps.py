"""Gaps of words and of scripts, computed from a record whose answers are written by hand."""

from __future__ import annotations

import pytest

from memeval.bench.evaluation import Evaluation, QueryResult, SuiteResult, VariantResult
from memeval.bench.gaps import MIN_CASES, find_kind_gaps, find_script_gaps
from memeval.bench.summary import score_results, slice_queries, summarise
from memeval.statistics.intervals import Interval, Rate, difference_interval, wilson
from memeval.statistics.paired import Pairs, paired_interval, paired_low

KS = (1,)


def ask(need: str, wording: int, found: bool | None, **more) -> QueryResult:
    """One wording: found, missed or with nothing stored."""
    values = {
        "id": f"{need}[{wording}]",
        "need": need,
        "wording": wording,
        "text": "x",
        "elicited": "free" if wording == 0 else "requested",
        "expected": {} if found is None else {"a.md": 1},
        "verdict": "hit" if found else "miss",
        "found": found,
        "found_all": found,
        "matched": int(bool(found)),
        "shown": ("a.md",) if found else (),
        "bytes": 0,
        "ranking": (),
    }
    return QueryResult(**(values | more))


def suite_of(name: str, lang: str | None, *variants: tuple[str, list[QueryResult]]) -> SuiteResult:
    """A suite whose variants have these answers."""
    results = []
    for variant, queries in variants:
        scored = score_results(queries, KS)
        results.append(
            VariantResult(
                name=variant, summary=summarise(scored, KS), slices=slice_queries(scored, KS), queries=tuple(queries)
            )
        )
    return SuiteResult(
        name=name, corpus=name, kind="recall", lang=lang, documents=1, needs=1, wordings=1, variants=tuple(results)
    )


def run_of(*suites: SuiteResult) -> Evaluation:
    """A run over the suites."""
    return Evaluation(manifest={}, suites=suites)


def answers(found: str, prefix: str = "need") -> list[QueryResult]:
    """A need for each letter: y found, n missed, - nothing stored."""
    return [
        ask(f"{prefix}-{place}", 0, {"y": True, "n": False, "-": None}[letter]) for place, letter in enumerate(found)
    ]


def test_a_kind_gap_by_hand():
    """12 of 12 against 3 of 12: the difference is 0.75, its interval that of the two rates."""
    queries = [ask(f"a{place}", 1, True, kind="same-words") for place in range(12)]
    queries += [ask(f"b{place}", 1, place < 3, kind="unseen-words") for place in range(12)]
    queries += [ask(f"c{place}", 1, True, kind="paraphrase") for place in range(MIN_CASES - 1)]
    (gap,) = find_kind_gaps(suite_of("s", "en", ("article", queries)))
    assert (gap.variant, gap.kind) == ("article", "unseen-words")
    assert (gap.base.value, gap.other.value, gap.difference.value, gap.difference.n) == (1.0, 0.25, 0.75, 24)
    rates = [Rate(value.value, Interval(*value.interval)) for value in (gap.base, gap.other)]
    assert gap.difference.interval == difference_interval(*rates)
    assert gap.base.interval == pytest.approx(wilson(12, 12), abs=1e-6)


def test_no_kind_gap_without_same_words():
    """A suite without enough same-words wordings has nothing to compare with."""
    queries = [ask(f"b{place}", 1, True, kind="unseen-words") for place in range(12)]
    queries += [ask(f"a{place}", 1, True, kind="same-words") for place in range(MIN_CASES - 1)]
    assert find_kind_gaps(suite_of("s", "en", ("article", queries))) == ()


def test_a_script_gap_by_hand():
    """Ten needs in both with something stored: 5 both, 3 only English, 1 only Chinese, 1 neither."""
    english = suite_of("ops-en", "en", ("article", answers("yyyyyyyynn-y")))
    chinese = suite_of("ops-zh", "zh-Hant", ("article", answers("yyyyynnnynn-")))
    (gap,) = find_script_gaps(run_of(chinese, english))
    pairs = Pairs(both=5, only_first=3, only_second=1, neither=1)
    assert (gap.first, gap.second, gap.variant, gap.is_free) == ("ops-en", "ops-zh", "article", True)
    assert (gap.base.value, gap.other.value) == (0.8, 0.6)
    assert gap.difference.value == pytest.approx(0.2)
    assert gap.difference.n == 10
    assert gap.difference.interval == paired_interval(pairs)
    assert gap.low == paired_low(pairs)


def test_the_first_free_wording_counts():
    """A requested wording before it does not; a need without a free one is left out; unlabelled, the first counts."""

    def needs(first, second, elicited=("requested", "free")):
        return [
            ask(f"need-{place}", wording, found, elicited=elicited[wording])
            for place in range(12)
            for wording, found in enumerate((first, second))
        ]

    english = suite_of("en", "en", ("article", needs(False, True)))
    other = [*needs(True, False), ask("only-requested", 0, True, elicited="requested")]
    (gap,) = find_script_gaps(run_of(english, suite_of("ja", "ja", ("article", other))))
    assert (gap.base.value, gap.other.value, gap.difference.n, gap.is_free) == (1.0, 0.0, 12, True)
    bare = suite_of("ja", "ja", ("article", needs(True, False, (None, None))))
    (gap,) = find_script_gaps(run_of(english, bare))
    assert (gap.base.value, gap.other.value, gap.is_free) == (1.0, 1.0, False)


def test_which_suites_are_compared():
    """Each with English where it shares needs with it, else with the first of the run; never within a language."""

    def suite(name, lang, prefix="need"):
        return suite_of(name, lang, ("article", answers("y" * 12, prefix)), ("only-here-" + name, answers("y" * 12)))

    gaps = find_script_gaps(
        run_of(suite("zh", "zh"), suite("en-cured", "en"), suite("en", "en"), suite("ja", "ja"), suite("none", None))
    )
    assert [(gap.first, gap.second) for gap in gaps] == [("en-cured", "zh"), ("en-cured", "ja")]
    gaps = find_script_gaps(
        run_of(suite("zh", "zh"), suite("en", "en", "else"), suite("ja", "ja"), suite("tw", "zh-TW"))
    )
    assert [(gap.first, gap.second) for gap in gaps] == [("zh", "ja"), ("ja", "tw")]


def test_few_shared_needs_are_no_pair():
    """An id that two suites happen to share says nothing about scripts."""
    english = suite_of("en", "en", ("article", answers("y" * (MIN_CASES - 1))))
    assert find_script_gaps(run_of(english, suite_of("ja", "ja", ("article", answers("y" * 20))))) == ()
