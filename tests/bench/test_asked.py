"""Which needs count, which wording is their first, and what a trigger is."""

from __future__ import annotations

import pytest

from memeval.bench.asked import ask_needs, count_misses, find_kinds, is_unseen, share_needs, split_languages
from memeval.bench.evaluation import QueryResult
from memeval.bench.suite import load_suite
from memeval.statistics.intervals import wilson


def ask(need: str, wording: int, rank: int | None, *, shown: bool = True, text: str = "x", **more) -> QueryResult:
    """One wording whose expected file has this rank, None for no candidate, and is shown or not."""
    found = rank is not None and shown
    values = {
        "id": f"{need}[{wording}]",
        "need": need,
        "wording": wording,
        "text": text,
        "expected": {"a.md": 1},
        "expected_ranks": {"a.md": rank},
        "verdict": "hit" if found else "miss",
        "found": found,
        "found_all": found,
        "matched": 1,
        "shown": ("a.md",) if found else (),
        "bytes": 0,
        "ranking": (),
    }
    return QueryResult(**(values | more))


def test_a_trigger_is_a_miss_without_a_candidate():
    """Not shown though matched is a miss, and no trigger; so is a second expected file that is a candidate."""
    queries = [
        ask("unmatched", 0, None),
        ask("beyond-the-cap", 0, 40, shown=False),
        ask("found", 0, 1),
        ask("other", 0, None, expected={"a.md": 1, "b.md": 1}, expected_ranks={"a.md": None, "b.md": 7}),
    ]
    needs = ask_needs(queries).needs
    assert [need.is_missed for need in needs] == [True, True, False, True]
    assert [need.is_trigger for need in needs] == [True, False, False, False]
    share = share_needs(needs, lambda need: need.is_trigger)
    assert (share.count, share.n, share.value, share.needs) == (1, 4, 0.25, ("unmatched",))
    assert share.interval == pytest.approx(wilson(1, 4), abs=1e-6)


def test_the_first_wording_is_the_first_free_one():
    """Where wordings are labelled a requested one is never the first; a need without a free one is left out."""
    queries = [
        ask("a", 0, 1, elicited="requested", text="asked for"),
        ask("a", 1, None, elicited="free", text="came to mind"),
        ask("b", 0, 1, elicited="requested"),
    ]
    asked = ask_needs(queries)
    assert asked.is_labelled
    assert asked.without_free == 1
    (need,) = asked.needs
    assert [query.text for query in need.queries] == ["came to mind", "asked for"]
    assert need.is_trigger
    assert need.found_at == 1


def test_without_labels_the_first_is_as_given():
    """A recorded or imported suite says nothing of how wordings came about."""
    asked = ask_needs([ask("a", 0, None, text="one"), ask("a", 1, 1, text="two")])
    assert not asked.is_labelled
    assert asked.needs[0].first.text == "one"


def test_what_is_not_findable_is_counted_apart():
    """Nothing stored, and anything ungradable, leave the denominator in sight."""
    queries = [
        ask("none", 0, None, found=None, expected={}, expected_ranks={}),
        ask("broken", 0, 1),
        ask("broken", 1, None, verdict="ungradable", found=None, expected_ranks={}),
        ask("fine", 0, 1),
    ]
    asked = ask_needs(queries)
    assert (asked.unstored, asked.ungradable, [need.id for need in asked.needs]) == (1, 1, ["fine"])


def test_a_zero_overlap_retry_shares_no_word_with_the_first():
    """The wording that finds it counts, not those between; found at once is no retry."""
    first = ask("a", 0, None, text="port conflict")
    between = ask("a", 1, None, text="cache container")
    apart, overlapping = ask("a", 2, 1, text="redis deploy"), ask("a", 2, 1, text="redis ports")
    assert ask_needs([first, between, apart]).needs[0].is_zero_overlap_retry
    assert not ask_needs([first, between, overlapping]).needs[0].is_zero_overlap_retry
    assert not ask_needs([first, between]).needs[0].is_zero_overlap_retry
    assert not ask_needs([ask("a", 0, 1, text="port"), apart]).needs[0].is_zero_overlap_retry


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("port", "Latin"),
        ("redis 連接埠", "Han+Latin"),
        ("サーバーの設定", "Han+Kana"),
        ("6380", "none"),
        ("포트", "Hangul"),
    ],
)
def test_the_script_of_a_need_is_that_of_its_first_wording(text, script):
    """Both kana are one; digits are no script."""
    assert ask_needs([ask("a", 0, 1, text=text)]).needs[0].script == script


def test_the_language_is_told_by_the_script_where_nobody_says():
    """So that needs of two languages are not pooled by a suite that names none."""
    asked = ask_needs([ask("a", 0, 1, text="port"), ask("b", 0, 1, text="連接埠"), ask("c", 0, 1, text="6380")])
    assert [need.lang for need in asked.needs] == ["en", "zh", None]
    assert list(split_languages([ask("a", 0, 1, text="port", lang="de")], None)) == ["de"]
    assert split_languages([], "ja") == {"ja": []}


def test_misses_of_a_need_are_one_cluster():
    """Two needs of three wordings, all alike within: worth two needs, and the interval is that wide."""
    misses = count_misses("symptom", [("a", True)] * 3 + [("b", False)] * 3)
    assert (misses.misses, misses.wordings, misses.needs, misses.value) == (3, 6, 2, 0.5)
    assert misses.effective == 2
    assert misses.interval[1] - misses.interval[0] > 0.9


def test_kinds_are_found_by_the_ruler(small_suite):
    """A wording that shares a word with its file is same-words whatever its label; one without a term is neither."""
    suite = load_suite(small_suite)
    kinds = find_kinds(suite)
    assert kinds["redis-port[0]"] == "same-words"
    assert kinds["redis-port[1]"] == "unseen-words"
    assert "vacation-days[0]" not in kinds, "nothing is stored for it"
    assert is_unseen(ask("redis-port", 1, None), kinds)
    assert not is_unseen(ask("nobody", 0, None), kinds)
