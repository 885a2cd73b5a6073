"""The table of rules: each holds by itself, the first decides, and the last always does."""

from __future__ import annotations

import dataclasses

import pytest

from memeval.bench.counterfactuals import COUNTERFACTUALS
from memeval.bench.missclasses import RULES, Findings, MissClass, classify
from memeval.bench.missground import Miss

ABSENT = Miss(query="cache container", expected=("a.md",))
RANKED = dataclasses.replace(ABSENT, rank=9, matched=20)
RUN = dataclasses.replace(ABSENT, query="監視設定")


def found(miss=ABSENT, *cured, **facts):
    return Findings(miss=miss, cured=frozenset(cured), matched=frozenset(cured), **facts)


@pytest.mark.parametrize(
    ("findings", "expected"),
    [
        (found(unreadable=("a.md (not UTF-8)",), in_scope=False), MissClass.UNREADABLE),
        (found(ABSENT, "other projects", in_scope=False), MissClass.OUT_OF_SCOPE),
        (found(ABSENT, "other projects", has_evidence=False), MissClass.OUT_OF_SCOPE),
        (found(in_scope=False), MissClass.MISLABELLED),
        (found(ABSENT, "best words", has_evidence=False), MissClass.MISLABELLED),
        (found(RANKED, "best words", holder="b.md"), MissClass.MISLABELLED),
        (found(RANKED, "twins removed", "larger cap", holder="b.md"), MissClass.TWIN),
        (found(ABSENT, "all in NFKC", "profile memeval"), MissClass.WIDTH),
        (found(ABSENT, "query in NFKC", "with spaces"), MissClass.WIDTH),
        (found(ABSENT, "other script", "scripts as one"), MissClass.SCRIPT),
        (found(ABSENT, "scripts as one"), MissClass.SCRIPT),
        (found(ABSENT, "scripts as one", "profile memeval", "best words"), MissClass.VOCABULARY),
        (found(RUN, "character pairs", shared=("監視",)), MissClass.SEGMENTATION),
        (found(RUN, "fillers dropped", shared=("監視",)), MissClass.SEGMENTATION),
        (found(RUN, "character pairs", "best words"), MissClass.VOCABULARY),
        (found(RANKED, "fillers dropped", "larger cap"), MissClass.FILLER_FLOOD),
        (found(RANKED, "no inside hits", "larger cap"), MissClass.INSIDE_WORD),
        (found(ABSENT, "stems", "best words", shared=("contain",)), MissClass.WORD_FORM),
        (found(ABSENT, "stems", "best words"), MissClass.VOCABULARY),
        (found(RANKED, "larger cap", "best words"), MissClass.VOCABULARY),
        (found(RANKED, "larger cap", "best words", shared=("cache",)), MissClass.CAP),
        (found(RANKED, "one term alone", "best words", shared=("cache",)), MissClass.OUTRANKED),
        (found(RANKED), MissClass.OUTRANKED),
        (found(ABSENT, "one term alone", "best words", shared=("cache",)), MissClass.PHRASE),
        (found(ABSENT, "best words", shared=("cache",)), MissClass.VOCABULARY),
        (found(ABSENT, "profile memeval", "best words", shared=("deploi",)), MissClass.WORD_FORM),
        (found(RUN, "profile memeval", "best words", shared=("監視",)), MissClass.VOCABULARY),
        (found(ABSENT, "profile memeval", "one term alone", shared=("cache",)), MissClass.PHRASE),
        (found(ABSENT, "best words", is_script_open=True), MissClass.VOCABULARY_OR_SCRIPT),
        (found(RANKED, "best words", is_script_open=True), MissClass.VOCABULARY_OR_SCRIPT),
        (found(ABSENT, "best words", shared=("cache",), is_script_open=True), MissClass.VOCABULARY_OR_SCRIPT),
        (found(RANKED, "larger cap", shared=("cache",), is_script_open=True), MissClass.CAP),
        (found(shared=("cache",)), MissClass.UNREACHED),
        (found(has_words=False), MissClass.MISLABELLED),
    ],
)
def test_the_first_rule_that_holds_decides(findings, expected):
    """Facts on the file and the need first, then the narrow causes, then the wide ones."""
    assert classify(findings).miss_class is expected


def test_every_class_has_a_rule_and_every_rule_names_counterfactuals_there_are():
    """No class that nothing can be of, and no rule on a counterfactual that is never run."""
    assert {rule.miss_class for rule in RULES} == set(MissClass)
    names = {each.name for each in COUNTERFACTUALS}
    for rule in RULES:
        assert set(rule.when.split("`")[1::2]) <= names


def test_the_last_rule_always_holds():
    """Whatever is found, there is a class."""
    assert RULES[-1].holds(found())
