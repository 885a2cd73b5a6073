"""Aliases written down: the table of a run, the ledger and the trial on a terminal, from finished values."""

from __future__ import annotations

import dataclasses

import pytest

from memeval.bench.aliaseffect import Reached, measure_effect
from memeval.bench.aliasledger import AliasEntry, AliasLedger
from memeval.bench.aliastrial import AliasTrial, Tally, TrialPair
from memeval.bench.evaluation import Value
from memeval.report import render_report
from memeval.report.aliases import EFFECT_NOTE, FITTED_NOTE, render_ledger, render_trial, write_effects


def test_a_run_with_and_without_aliases_has_a_table(evaluate, invent):
    """A row a pair of variants, the difference with its interval; it stands among the results of the suite."""
    suite = invent("ops", ["weak", "strong"], needs=40)
    pair = [dataclasses.replace(one, name=name) for one, name in zip(suite.variants, ("x", "x+aliases"), strict=True)]
    suite = dataclasses.replace(suite, variants=tuple(pair))
    note, table = write_effects(suite)
    assert note == EFFECT_NOTE
    header, _, row = table.splitlines()
    assert header.startswith("| with − without | n | found without | found with | difference | first 5 | won | lost |")
    assert row.startswith("| `x+aliases` − `x` | 36 | ")
    assert " [" in row
    page = render_report(evaluate(suite))
    assert table in page
    assert page.index(EFFECT_NOTE) < page.index("Every metric on")


def test_a_run_without_such_a_pair_has_none(invent):
    """Nothing is written, not even the note."""
    assert write_effects(invent("ops", ["weak", "strong"], needs=10)) == []


def entry(alias: str, **values) -> AliasEntry:
    """An alias that does nothing, but for these values."""
    fields = {
        "doc_id": "notes/redis.md",
        "alias": alias,
        "asked": 2,
        "gained": (),
        "lost": (),
        "first_gained": (),
        "first_lost": (),
        "risen": 0,
        "fallen": 0,
        "false_hits": (),
        "rank_without": None,
        "is_held": False,
    }
    return AliasEntry(**{**fields, **values})


@pytest.fixture
def ledger() -> AliasLedger:
    """One alias of each standing."""
    before = {"a[0]": Reached("a", False, None), "b[0]": Reached("b", True, 1)}
    after = {"a[0]": Reached("a", True, 1), "b[0]": Reached("b", True, 1)}
    return AliasLedger(
        suite="ops",
        variant="memeval",
        lang="en",
        wordings=1234,
        searches=7,
        entries=(
            entry("port clash", gained=("a[0]",), risen=1),
            entry("harmful", lost=("b[0]",), fallen=1, rank_without=2, is_held=True),
            entry("holiday", false_hits=("c[0]",)),
            entry("dead", rank_without=12),
            entry("unasked", asked=0),
        ),
        effect=measure_effect(before, after, without="none", with_aliases="all"),
    )


def test_the_ledger_sorts_aliases_by_what_they_are_worth(ledger):
    """All together first, then each standing with its meaning and its aliases; what is matched anyway last."""
    text = render_ledger(ledger)
    lines = text.splitlines()
    assert lines[0] == "ops · variant memeval · 5 aliases of 1 file · 1,234 wordings · 7 asked again"
    assert lines[1].startswith("all together: found +50.0 points [")
    assert ", a mean over 2 needs (1 wording won, 0 lost)" in lines[1]
    assert [line.split(":")[0] for line in lines if ": 1  (" in line] == [
        "gains",
        "costs",
        "shifts",
        "dead",
        "unasked",
        "matched anyway",
    ]
    assert "redis.md won a[0]" in text
    assert "redis.md lost b[0]" in text
    assert "shown for nothing: c[0]" in text
    assert "of 1 the file holds every word" in lines[-2]
    assert lines[-1].startswith("words of the suite: 0  (")


@pytest.mark.parametrize(
    ("worded", "is_told"),
    [((), False), (("dead",), False), (("port clash",), True), (("harmful", "dead", "unasked"), True)],
)
def test_aliases_fitted_to_the_wordings_are_told(ledger, worded, is_told):
    """Half of all, or of those that gain: what they win here says nothing, and the honest test is named."""
    entries = tuple(dataclasses.replace(one, is_worded=one.alias in worded) for one in ledger.entries)
    text = render_ledger(dataclasses.replace(ledger, entries=entries))
    assert f"words of the suite: {len(worded)}  (" in text
    assert (f"\nfitted: {FITTED_NOTE}" in text) is is_told
    assert not dataclasses.replace(ledger, entries=()).is_fitted


def test_a_long_ledger_is_cut_and_counted(ledger):
    """Those that do most come first; the rest is a number."""
    many = tuple(entry(f"a{number}", gained=("x[0]",) * number) for number in range(1, 6))
    text = render_ledger(dataclasses.replace(ledger, entries=many), limit=2)
    assert text.index("  a5 ") < text.index("  a4 ")
    assert "  a3 " not in text
    assert "… 3 more" in text
    assert "a5" not in render_ledger(dataclasses.replace(ledger, entries=many), limit=0)


def test_the_trial_says_ceiling_share_and_loss():
    """Each with its interval and what is demanded; a demand that is not met stands below."""
    trial = AliasTrial(
        suite="ops",
        variant="memeval",
        lang="en",
        max_elsewhere=6,
        is_paraphrases=False,
        pairs=(TrialPair(learned="b", asked="c", needs=60, misses=40, within_reach=20, found=10),),
        needs=60,
        without_note=1,
        aliases={"b": 30},
        sharing=Tally(24, 40, (0.4, 0.7)),
        ceiling=Tally(20, 40, (0.3, 0.7)),
        reached=Tally(10, 20, (0.3, 0.7)),
        cured=Tally(11, 40, (0.1, 0.4)),
        unseen=Tally(0, 0, None),
        change_found=Value(0.0, 80, (-0.01, 0.01)),
        change_first=Value(-0.02, 80, (-0.03, -0.01)),
        lost=("z[0]",),
    )
    text = render_trial(trial)
    assert "b → c                    60             40            20     10" in text
    assert "20 of 40 held-out misses, 50 % [30, 70], share a term" in text
    assert "10 of 20 misses, 50 % [30, 70], within reach are found (demanded 85 %)" in text
    assert "unseen needs     0 of 0 misses of needs" in text
    assert "first 5 −2.0 points [−3.0, −1.0], found 0.0 points [−1.0, +1.0] of 80 other needs" in text
    assert text.count("not as demanded:") == 2
    assert "1 need that no note answers" in text
