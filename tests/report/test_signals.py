"""The text and the page on signals, from verdicts written by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memeval.bench.evaluation import Evaluation, QueryResult, SuiteResult, VariantResult
from memeval.bench.shares import Misses, Mix, Share
from memeval.bench.signalrecord import Census, ScriptDifference, SignalVerdict, StageOutcome
from memeval.report.markdown import render_report
from memeval.report.signals import write_signals
from memeval.report.signaltext import render_signals, write_cost, write_state, write_verdict


def share(*needs: str, n: int = 60) -> Share:
    """These of n needs."""
    return Share(count=len(needs), n=n, interval=(0.1, 0.3) if n else None, needs=needs)


def misses(number: int, wordings: int) -> Misses:
    """So many of so many wordings."""
    return Misses(
        kind="unseen-words", misses=number, wordings=wordings, needs=wordings, interval=(0.1, 0.3), effective=wordings
    )


MIX = Mix(
    threshold=0.1,
    unseen=misses(5, 10),
    unseen_first=misses(2, 5),
    other=misses(0, 20),
    first_unseen=share("need-1"),
    break_even=0.2,
    fires_at_any_mix=False,
    is_quiet_at_any_mix=False,
)
CURE = StageOutcome(
    variant="memeval",
    stage=0,
    left=share("need-1", "need-9"),
    new=("need-9",),
    others=100,
    lost=("need-5[0]",),
    won=("need-6[0]", "need-7[0]"),
    false_hits=("none[0]",),
    false_hits_before=0,
    unstored_wordings=4,
    helps=True,
    cures=True,
    state="quiet",
    mix=MIX,
    bytes_shown=4096.0,
)
MISSING = StageOutcome(variant="memeval+hybrid", stage=2, not_run="no variant of that name")
BASE = SignalVerdict(
    suite="told",
    lang="zh",
    variant="article",
    basis="written",
    decides=True,
    is_labelled=True,
    n=60,
    unstored=0,
    ungradable=0,
    without_free=0,
    missed_first=share("need-1", "need-2", "need-3"),
    not_matched=share("need-1", "need-2"),
    not_shown=share("need-3"),
    zero_overlap=share("need-2"),
    census=Census(files=1200, bytes=2048, cut_share=0.5, consistency=0.4, notes=("more than 1,000 files",)),
    threshold=0.1,
    low=0.11,
    high=0.3,
    fires_from=11,
    quiet_up_to=6,
    needs_to_decide=0,
    state="firing",
    state_by="count",
    kinds=(),
    mix=MIX,
    bytes_shown=1024.0,
    stages=(CURE, MISSING),
    decision="stage 0",
    chosen="memeval",
)


def evaluate(*verdicts: SignalVerdict) -> Evaluation:
    """An evaluation with these verdicts."""

    def ask(need: str) -> QueryResult:
        return QueryResult(
            id=f"{need}[0]",
            need=need,
            wording=0,
            text=f"asked | for {need}",
            elicited="free",
            expected={"a.md": 1},
            expected_ranks={"a.md": None},
            verdict="miss",
            found=False,
            found_all=False,
            matched=0,
            shown=(),
            bytes=0,
            ranking=(),
        )

    queries = tuple(ask(f"need-{number}") for number in range(1, 4))
    suite = SuiteResult(
        name="told",
        corpus="told",
        kind="recall",
        lang="zh",
        documents=1200,
        needs=60,
        wordings=120,
        variants=(
            VariantResult(name="article", summary={}, queries=queries),
            VariantResult(name="memeval", summary={}, queries=queries),
        ),
    )
    timings = {"told": {"memeval": {"build_seconds": 0.25, "p50_ms": 12.0}}}
    return Evaluation(manifest={}, suites=(suite,), timings=timings, signals=verdicts)


def test_the_text_of_a_verdict():
    """Measured on what, the signals with their figures, the state, the verdict, its cost, what else was tried."""
    text = render_signals(evaluate(BASE))
    lines = text.splitlines()
    assert lines[0] == "told · 1,200 files · variant article · zh 60 needs"
    assert "zh  S1 first wording misses        5 % [10, 30]   not matched 3 % · matched but not shown 2 %" in lines
    assert (
        "trigger 3 % of 60 needs at the author's mix (2, fires from 11 on, quiet up to 6), threshold 10 %   FIRING"
        in text
    )
    assert (
        'verdict zh: STAGE 0, take the profile "memeval" · on the same needs it leaves 2 of 2 misses, 1 of them new'
        in text
    )
    assert "and elsewhere brings 1 of 100 other wordings into the first five (2 in, 1 out)" in text
    assert "cost: 4.0 KiB shown a search instead of 1.0, files shown for 1 of 4 wordings with nothing stored" in text
    assert "0.25 s to start, 12 ms a search, nothing to install" in text
    assert "under it the trigger is quiet" in text
    assert "not run: memeval+hybrid (no variant of that name)" in text
    assert "MORE THAN 1,000 FILES" in text


def test_a_legend_explains_the_words_that_occur_once():
    """At the end, each line of a word in the text above it; a quiet verdict explains no stages."""
    told, _, legend = render_signals(evaluate(BASE, replace(BASE, variant="memeval"))).partition(
        "\n\nhow to read it:\n"
    )
    words = [line.strip().partition(": ")[0] for line in legend.splitlines()]
    assert "how to read it" not in told
    assert {"S1 first wording misses", "trigger", "FIRING", "mix", "stage"} <= set(words)
    assert "would leave n" not in words, "no other step was run"
    assert len(words) == len(set(words))
    quiet = replace(BASE, state="quiet", decision="stay", chosen=None, stages=())
    calm = render_signals(evaluate(quiet)).partition("how to read it:\n")[2]
    assert "  QUIET: " in calm
    assert not any(word in calm for word in ("  FIRING: ", "  stage: ", "  S3 ", "  S4 ", "  would leave"))
    gap = ScriptDifference(suite="ops-en", value=0.41, n=61, interval=(0.29, 0.52), low=0.31, fires=True)
    full = replace(BASE, script=gap, aliases_remove=0.5, aliases_net=3, embedding_removes=0.2)
    assert all(f"\n  S{number} " in render_signals(evaluate(full)) for number in range(1, 7))


def test_too_few_needs_have_no_limits():
    """A count above what would fire is not told beside INSUFFICIENT: so few needs decide nothing."""
    few = replace(BASE, state="insufficient", decision="insufficient data", n=20, fires_from=3, needs_to_decide=25)
    assert write_state(few) == (
        "trigger 3 % of 20 needs at the author's mix (2, below 45 needs nothing is decided), threshold 10 %, "
        "25 more needs like these would decide   INSUFFICIENT"
    )


def test_one_need_is_one_need():
    """The head counts in the singular where there is one."""
    assert render_signals(evaluate(replace(BASE, n=1))).splitlines()[0].endswith("zh 1 need")


def test_one_text_for_each_suite_and_variant():
    """Languages of one suite share its first line; without verdicts that is said."""
    english = replace(BASE, lang="en", state="quiet", decision="stay", chosen=None, stages=())
    text = render_signals(evaluate(english, BASE))
    assert text.count("told · 1,200 files") == 1
    assert "verdict en: stay\nverdict zh: STAGE 0" in text
    assert render_signals(Evaluation(manifest={}, suites=())) == "nothing was measured: the evaluation holds no verdict"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"decision": "stay"}, "stay"),
        ({"decision": "stay, watch"}, "stay, watch"),
        ({"decision": "insufficient data", "needs_to_decide": 27}, "insufficient data: 27 more needs would do"),
        (
            {"decision": "neither", "chosen": None},
            "NEITHER, no stage that was run helps: look at these needs: need-1, need-2",
        ),
        (
            {"stages": (replace(CURE, variant="article+aliases", stage=1, cures=False),), "chosen": "article+aliases"},
            'write aliases: "article+aliases", which helps and does not cure',
        ),
        (
            {"stages": (replace(CURE, variant="memeval+hybrid", stage=2),), "chosen": "memeval+hybrid"},
            'add the local embedding: "memeval+hybrid"',
        ),
    ],
)
def test_every_verdict_has_its_words(change, told):
    """Short ones for staying, an instruction for the others."""
    assert told in write_verdict(replace(BASE, **change))


def test_a_loss_elsewhere_is_said():
    """Never `costs nothing` where something is lost."""
    worse = replace(CURE, lost=("a[0]", "b[0]", "c[0]"), won=("d[0]",))
    text = write_verdict(replace(BASE, stages=(worse,)))
    assert "loses 2 of 100 other wordings from the first five (1 in, 3 out)" in text
    assert "nothing elsewhere" not in text


def test_costing_nothing_is_losing_nothing():
    """No wording out of the first five, and no file shown where nothing is stored; else it is not said."""
    free = replace(CURE, lost=(), false_hits=())
    told = [
        write_verdict(replace(BASE, stages=(one,)))
        for one in (free, replace(free, won=()), replace(free, false_hits=("x",)))
    ]
    assert told[0].endswith("and costs nothing elsewhere: 2 more of 100 other wordings in the first five")
    assert told[1].endswith("and costs nothing elsewhere")
    assert "nothing elsewhere" not in told[2]


def test_what_a_step_takes_is_told():
    """Packages with their megabytes where they are installed, aliases in the store, the model."""
    dear = replace(CURE, packages=("onnxruntime", "tokenizers"), store_bytes=2048, model="tiny-model int8")
    evaluation = evaluate(BASE)
    evaluation = replace(evaluation, timings={"told": {"memeval": {"megabytes": 41.5}}})
    told = write_cost(BASE, dear, evaluation, "told")
    assert told.endswith(
        "2.0 KiB of aliases in the store, to install: onnxruntime and tokenizers (41.5 MB), model tiny-model int8"
    )


def test_the_state_of_recorded_needs_stands_on_evidence():
    """And that at a recorded mix on the rate there."""
    recorded = replace(BASE, basis="recorded", state_by="evidence", evidence_peak=25.59, fired_at=3, abandoned=4)
    assert "evidence 25.6, fires at 20, reached at need 3   FIRING" in write_state(recorded)
    mixed = replace(
        BASE, state="watch", state_by="mix", mix=replace(MIX, recorded=share("a", n=25), rate=0.14, low=0.09, high=0.22)
    )
    assert "14 % [9, 22] at the recorded mix, 4 % of 25 without a word of the file   WATCH" in write_state(mixed)


def test_a_recorded_verdict_says_how_many_gave_up():
    """The share of silent failures is only bounded."""
    recorded = replace(
        BASE, basis="recorded", abandoned=12, zero_overlap_most=0.18, decides=False, decision="insufficient data"
    )
    text = render_signals(evaluate(BASE, recorded))
    assert "(recorded, 60 needs; 12 abandoned, with them 18 % at most)" in text
    assert "too few to decide" in text


def test_the_page_lists_the_needs_behind_every_figure():
    """Each missed need with its wording, its file, and which step leaves it; markup in a wording cannot break it."""
    page = "\n".join(write_signals(evaluate(BASE)))
    assert "| S1a not matched: the trigger | 3 % [10, 30] |" in page
    assert "| `memeval` | 0 | 2 (1 new) | yes | yes |" in page
    assert "not run: no variant of that name" in page
    assert "<code>asked &#124; for need&#45;1</code> | `a.md` | yes | left |" in page
    assert "<code>asked &#124; for need&#45;2</code> | `a.md` | yes | gone |" in page
    assert "<code>asked &#124; for need&#45;3</code> | `a.md` | no | gone |" in page
    assert "New under `memeval`: `need-9`" in page


def test_the_script_gap_is_a_row():
    """S3 with its interval and where it leads."""
    gap = ScriptDifference(suite="ops-en", value=0.41, n=61, interval=(0.29, 0.52), low=0.31, fires=True)
    page = "\n".join(write_signals(evaluate(replace(BASE, script=gap))))
    assert "| S3 script gap | 41 pt [29, 52] | less than in `ops-en`, 61 needs in both, firing |" in page
    assert "S3 script gap to ops-en      41 pt [29, 52]" in render_signals(evaluate(replace(BASE, script=gap)))


def test_a_report_has_the_section_where_signals_were_asked():
    """And an evaluation without verdicts has none."""
    assert "## Signals" in render_report(evaluate(BASE))
    assert "## Signals" not in render_report(replace(evaluate(BASE), signals=()))
