"""Verdicts in words."""

from __future__ import annotations

import dataclasses

from memeval.bench.evaluation import Slice, Value
from memeval.report.verdict import write_tally, write_verdict


def give(suite, metric, *figures):
    """The suite with these (value, n) as the metric of its variants, in order."""
    variants = [
        dataclasses.replace(variant, summary={**variant.summary, metric: Value(*figure)})
        for variant, figure in zip(suite.variants, figures, strict=True)
    ]
    return dataclasses.replace(suite, variants=tuple(variants))


def test_who_finds_most_and_on_the_first_wording(small):
    """Both leaders are named, with every figure and its n, and what each finds that the other does not."""
    sentences = write_verdict(small.suites[0])
    assert sentences[0] == "**`bm25` finds most**: `bm25` 0.71 and `article` 0.29 (n 7 wordings each)."
    assert sentences[1] == (
        "On the first wording `article` finds most: `article` 0.67 and `bm25` 0.33 (n 3 needs each)."
    )
    assert sentences[2] == "`bm25` finds 4 wordings that `article` does not, `article` 1 that `bm25` does not."


def test_nothing_stored_and_controls_are_told(small):
    """What is shown where nothing is stored, least first; floor and ceiling apart from the systems."""
    text = " ".join(write_verdict(small.suites[0]))
    assert "something is shown all the same: `article` 0.00 and `bm25` 1.00 (n 1 wording each)." in text
    assert "Controls: `oracle` 1.00 (n 7 wordings)." in text


def test_silence_everywhere_is_not_called_a_fault(small):
    """Where no variant shows anything for what is not stored, there is no sentence on it."""
    suite = give(small.suites[0], "false-hit-rate", (0.0, 4), (0.0, 4), (0.0, 4))
    assert not any("all the same" in sentence for sentence in write_verdict(suite))


def test_small_numbers_are_called_small(small, invent):
    """Under thirty wordings the reader is told how much one of them weighs; with more, nothing is said."""
    assert write_verdict(small.suites[0])[-1] == (
        "With so few wordings (n 7) a single one moves found by 0.14: read it as a hint."
    )
    assert not any("hint" in sentence for sentence in write_verdict(invent("s", ["a", "b"], needs=40)))


def test_ties_are_ties(small):
    """Equal figures have no winner, whatever their order in the record."""
    suite = give(small.suites[0], "found", (0.5, 40), (0.5, 40), (0.9, 40))
    assert (
        write_verdict(suite)[0]
        == "**`article` and `bm25` find the same**: `article` 0.50 and `bm25` 0.50 (n 40 wordings each)."
    )
    suite = dataclasses.replace(suite, variants=tuple(dataclasses.replace(v, control=False) for v in suite.variants))
    suite = give(suite, "found", (0.9, 40), (0.5, 40), (0.9, 40))
    assert write_verdict(suite)[0].startswith("**`article` and `oracle` find most**: `article` 0.90, `oracle` 0.90 and")


def test_different_wordings_are_not_compared_silently(small):
    """Where the figures stand on different cases each has its own n and the reader is warned."""
    sentences = write_verdict(give(small.suites[0], "found", (0.5, 40), (0.6, 35), (1.0, 40)))
    assert sentences[0] == "**`bm25` finds most**: `bm25` 0.60 (n 35) and `article` 0.50 (n 40) (n: wordings)."
    assert "not graded on the same wordings" in sentences[-1]


def test_where_they_differ_most(invent):
    """The language or kind with the widest gap is named with both ends, unless it stands on too few cases."""
    suite = invent("s", ["a", "b"], needs=40)

    def cut(name, *figures):
        slices = [
            Slice(dimension="kind", label=label, queries=n, summary={"found": Value(value, n)})
            for label, value, n in figures
        ]
        return dataclasses.replace(next(v for v in suite.variants if v.name == name), slices=tuple(slices))

    first = cut("a", ("plain", 0.8, 40), ("unseen|words", 0.1, 40), ("rare", 0.0, 9))
    second = cut("b", ("plain", 0.8, 40), ("unseen|words", 0.6, 40), ("rare", 1.0, 9))
    sentences = write_verdict(dataclasses.replace(suite, variants=(first, second)))
    label = "<code>unseen&#124;words</code>"
    assert f"They differ most on wordings of kind {label}: `b` 0.60 and `a` 0.10 (n 40 wordings each)." in sentences
    same = write_verdict(dataclasses.replace(suite, variants=(first, dataclasses.replace(first, name="b"))))
    assert not any("differ most" in sentence for sentence in same)


def test_one_wording_a_need_has_no_first(invent):
    """Where each need has one wording, the first wording is not told twice."""
    assert not any(
        "first wording" in sentence for sentence in write_verdict(invent("s", ["a", "b"], needs=40, wordings=1))
    )


def test_one_variant_is_no_contest(small):
    """A single system has figures but no winner."""
    suite = dataclasses.replace(small.suites[0], variants=small.suites[0].variants[:1], contrasts=())
    sentences = write_verdict(suite)
    assert sentences[0] == "Found: `article` 0.29 (n 7 wordings)."
    assert not any("most" in sentence for sentence in sentences)


def test_nothing_to_judge_is_said(small):
    """No variant, only controls, all broken, nothing stored: each has its own sentence."""
    suite = small.suites[0]
    assert write_verdict(dataclasses.replace(suite, variants=())) == ["No variant was run."]
    only = dataclasses.replace(suite, variants=suite.variants[2:])
    assert write_verdict(only) == ["Only controls were run: there is nothing to choose from."]
    broken = dataclasses.replace(suite, variants=(dataclasses.replace(suite.variants[0], error="no model"),))
    assert write_verdict(broken) == ["No variant could be graded."]
    empty = give(suite, "found", (None, 0), (None, 0), (None, 0))
    assert write_verdict(empty)[0] == "No wording with something to find could be graded."


def test_many_variants_are_counted_not_listed(invent):
    """A sentence names five variants at most."""
    sentences = write_verdict(invent("s", [f"v{number}" for number in range(9)], needs=40))
    assert all(len(set(sentence.split("`")[1::2])) <= 6 for sentence in sentences)


def test_tally_over_suites(small, evaluate, invent):
    """Each suite counts once for each of its leaders; suites without a figure are left out."""
    suite = small.suites[0]
    tied = give(suite, "found", (0.5, 7), (0.5, 7), (1.0, 7))
    empty = give(suite, "found", (None, 0), (None, 0), (None, 0))
    assert write_tally(evaluate(suite, tied, empty)) == (
        "Most is found by `bm25` in 2 and `article` in 1 of 2 suites (a tie counts for each)."
    )
    assert write_tally(evaluate(empty)) == "No suite has a wording with something to find that could be graded."
