"""Verdicts over a small store whose variants find exactly what they are told to."""

from __future__ import annotations

import json

import pytest

from memeval.bench.evaluation import Evaluation
from memeval.bench.record import decode_evaluation
from memeval.bench.signalrecord import SignalVerdict
from memeval.bench.signalrules import SignalRules
from memeval.bench.signals import find_status, measure_signals
from memeval.errors import NotInstalledError
from memeval.retrieval.base import Answer, Variant
from memeval.testbed.needs import Need, Suite
from tests.bench.told import N, Told, misses, variant


@pytest.fixture
def judge(make_told_suite, monkeypatch):
    """The only verdict on `make_told_suite()` for `article`, the registry being the variants given."""

    def run(*variants: Variant, rules: SignalRules | None = None, **settings) -> SignalVerdict:
        monkeypatch.setattr("memeval.retrieval.recipes.VARIANTS", variants)
        suite = settings.pop("suite", None) or make_told_suite()
        (verdict,) = measure_signals([suite], [variants[0]], rules, **settings).signals
        return verdict

    return run


def test_few_misses_are_quiet_and_nothing_is_climbed(judge):
    """Of 60 needs 6 are quiet: stay; no step is run, and the denominator is every findable need."""
    verdict = judge(variant("article", misses(range(6))), variant("memeval", misses([])))
    assert (verdict.n, verdict.not_matched.count, verdict.state, verdict.decision) == (60, 6, "quiet", "stay")
    assert verdict.stages == ()
    assert verdict.aliases_remove is None
    assert verdict.chosen is None
    assert find_status([verdict]) == 0


def test_between_the_limits_is_watched(judge):
    """10 of 60: 8.9 % to 27 %; more needs at that rate would decide."""
    verdict = judge(variant("article", misses(range(10))))
    assert (verdict.state, verdict.decision) == ("watch", "stay, watch")
    assert verdict.needs_to_decide > 0
    assert verdict.fires_from == 11
    assert find_status([verdict]) == 0


def test_too_few_needs_are_insufficient(judge, make_told_suite):
    """44 needs, all of them missed, say nothing yet; exit 2."""
    verdict = judge(variant("article", misses(range(44))), suite=make_told_suite(44))
    assert (verdict.state, verdict.decision) == ("insufficient", "insufficient data")
    assert find_status([verdict]) == 2
    assert find_status([]) == 2, "nothing measurable"


def test_the_cheapest_step_that_cures_is_recommended(judge):
    """A profile leaves 5 of 30, one of them new, and wins one elsewhere, the embedding leaves none: the profile."""
    missed = misses(range(30))
    verdict = judge(
        variant("article", lambda query: missed(query) and query != "later words 50"),
        variant("memeval", misses([0, 1, 2, 3, 40])),
        variant("memeval+hybrid", misses([])),
    )
    assert (verdict.state, verdict.decision, verdict.chosen) == ("firing", "stage 0", "memeval")
    assert find_status([verdict]) == 1
    profile = next(one for one in verdict.stages if one.variant == "memeval")
    assert profile.left.needs == ("need-0", "need-1", "need-2", "need-3", "need-40")
    assert profile.new == ("need-40",)
    assert profile.cures
    assert profile.state == "quiet"
    assert profile.others == 2 * N - 30, "all wordings but the first ones that triggered"
    assert (profile.lost, profile.won) == (("need-40[0]",), ("need-50[1]",))
    assert next(one for one in verdict.stages if one.stage == 2).left.count == 0, "the dearer one is shown, too"


def test_a_step_that_loses_elsewhere_does_not_help(judge):
    """One of 90 other wordings lost is above one in a hundred; the first wordings that triggered are not among them."""
    worse = variant("memeval", lambda query: query != "first 59" and query != "later words 3")
    verdict = judge(variant("article", misses(range(30))), worse)
    profile = next(one for one in verdict.stages if one.variant == "memeval")
    assert profile.lost == ("need-3[1]", "need-59[0]")
    assert not profile.helps
    assert verdict.decision == "neither"
    assert find_status([verdict]) == 1


def test_what_was_not_run_is_named_and_never_recommended(judge):
    """No such variant, no model, no aliases, not installed, broken: each with its reason; neither is the verdict."""

    def refuse(documents, settings):
        raise NotInstalledError("opencc is not installed")

    broken = Variant(name="memeval+opencc", description="", source="", build=refuse)
    verdict = judge(
        variant("article", misses(range(30))),
        broken,
        variant("article+aliases", misses([])),
        variant("memeval+hybrid", misses([]), needs_embedder=True),
    )
    reasons = {one.variant: one.not_run for one in verdict.stages}
    assert reasons["memeval"] == "no variant of that name"
    assert reasons["article+aliases"] == "the corpus has no aliases.yaml"
    assert "embedding model" in reasons["memeval+hybrid"]
    assert "opencc is not installed" in reasons["memeval+opencc"]
    assert verdict.decision == "neither"


def test_a_step_behind_the_red_lines_is_refused(judge):
    """Another system may cure all: it is shown, refused, and the next step is taken."""
    verdict = judge(
        variant("article", misses(range(30))),
        variant("vector-service", misses([])),
        variant("memeval+hybrid", misses([])),
        rules=SignalRules(stage_0=("vector-service",)),
    )
    first = verdict.stages[0]
    assert (first.variant, first.cures) == ("vector-service", True)
    assert "daemon" in first.refused
    assert (verdict.decision, verdict.chosen) == ("stage 2", "memeval+hybrid")
    alone = judge(
        variant("article", misses(range(30))),
        variant("vector-service", misses([])),
        rules=SignalRules(stage_0=("vector-service",)),
    )
    assert alone.decision == "neither"


def test_aliases_and_embedding_are_measured_against_each_other(judge, told_store):
    """S4: 20 of 30 triggers removed by aliases; S5: of the 10 left the embedding removes 6."""
    (told_store / "aliases.yaml").write_text("note-1.md: [other word]\n", encoding="utf-8")
    verdict = judge(
        variant("article", misses(range(30), later=False)),
        variant("article+aliases", misses(range(10))),
        variant("memeval+hybrid", misses(range(4))),
        rules=SignalRules(stage_0=()),
    )
    assert verdict.aliases_remove == pytest.approx(20 / 30, abs=1e-6)
    assert verdict.aliases_net == 60, "every later wording comes in"
    assert verdict.embedding_removes == pytest.approx(0.6)
    aliases = verdict.stages[0]
    assert aliases.store_bytes == len("other word, ")
    assert (verdict.decision, verdict.chosen) == ("stage 1", "article+aliases")


def test_matched_beyond_the_display_is_no_trigger(judge):
    """S1b: the file is a candidate; the miss is counted, the trigger is not."""

    class Hidden(Told):
        def search(self, query: str) -> Answer:
            answer = super().search(query)
            return answer if not query.startswith("first") else Answer(hits=answer.hits, blocks=(), text="")

    hidden = Variant(name="article", description="", source="", build=lambda d, s: Hidden(lambda query: True))
    verdict = judge(hidden)
    assert (verdict.missed_first.count, verdict.not_shown.count, verdict.not_matched.count) == (N, N, 0)
    assert verdict.state == "quiet"


def test_zero_overlap_retries_are_named(judge):
    """S2: found by `later words`, which share nothing with `first` but the number that stands in both."""
    verdict = judge(variant("article", misses([3, 4])))
    assert verdict.zero_overlap.needs == ("need-3", "need-4"), "numbers of two digits are no words"
    assert verdict.zero_overlap_most is None


def test_what_nothing_is_stored_for_leaves_the_denominator(judge, make_told_suite):
    """Unanswerable needs are counted apart, and what a step shows for them is told."""
    suite = make_told_suite(unstored=5)
    verdict = judge(
        variant("article", misses(range(30), later=True)),
        variant("memeval", misses([]), extra=True),
        suite=suite,
    )
    assert (verdict.n, verdict.unstored) == (60, 5)
    profile = next(one for one in verdict.stages if one.variant == "memeval")
    assert (profile.unstored_wordings, profile.false_hits_before, len(profile.false_hits)) == (5, 5, 5)


def test_an_ungradable_variant_is_not_measurable(judge):
    """A variant that cannot be built has no findable need: exit 2, never a miss."""

    def break_down(documents, settings):
        raise RuntimeError("no index")

    verdict = judge(Variant(name="article", description="", source="", build=break_down))
    assert (verdict.n, verdict.ungradable, verdict.state) == (0, 60, "insufficient")
    assert verdict.not_matched.value is None
    assert find_status([verdict]) == 2


def test_languages_are_never_pooled(make_told_suite, monkeypatch):
    """One suite with two languages has two verdicts; the gap to another suite of the same needs is told (S3)."""
    told = variant("article", misses(range(30)))
    monkeypatch.setattr("memeval.retrieval.recipes.VARIANTS", (told, variant("memeval", misses([]))))
    english, chinese = make_told_suite(name="a", lang="en"), make_told_suite(name="b", lang="zh")
    mixed = Suite(
        name="c",
        path="c.recall.yaml",
        corpus=english.corpus,
        needs=tuple(
            Need(id=n.id, expected=n.expected, wordings=n.wordings, lang="zh" if place % 2 else "en")
            for place, n in enumerate(english.needs)
        ),
        digest="sha256:0",
    )
    verdicts = measure_signals([english, chinese, mixed], [told]).signals
    assert [(one.suite, one.lang, one.n) for one in verdicts] == [
        ("a", "en", 60),
        ("b", "zh", 60),
        ("c", "en", 30),
        ("c", "zh", 30),
    ]
    assert verdicts[0].script is None
    assert (verdicts[1].script.suite, verdicts[1].script.value, verdicts[1].script.fires) == ("a", 0.0, False)


def test_a_verdict_survives_its_record(make_told_suite, monkeypatch):
    """Written as JSON and read back it is the same, to the byte; an evaluation without verdicts has no such key."""
    suite = make_told_suite()
    told, cure = variant("article", misses(range(30))), variant("memeval", misses([1]))
    monkeypatch.setattr("memeval.retrieval.recipes.VARIANTS", (told, cure))
    evaluation = measure_signals([suite], [told])
    text = evaluation.to_json()
    again = decode_evaluation(json.loads(text))
    assert again.signals == evaluation.signals
    assert again.to_json() == text
    assert '"signals"' not in Evaluation(manifest={}, suites=()).to_json()


def test_the_same_verdict_twice(make_told_suite, monkeypatch):
    """All but timings is the same in a second run."""
    suite = make_told_suite()
    told, cure = variant("article", misses(range(30))), variant("memeval", misses([1]))
    monkeypatch.setattr("memeval.retrieval.recipes.VARIANTS", (told, cure))
    first, second = (measure_signals([suite], [told]) for _ in range(2))
    assert first.signals == second.signals
    assert first.manifest == second.manifest
