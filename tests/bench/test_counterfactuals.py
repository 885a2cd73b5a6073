"""The list of counterfactuals: its order, what each plans, and where it does not apply."""

from __future__ import annotations

import dataclasses

import pytest

from memeval.bench.counterfactuals import COUNTERFACTUALS, Cost, Skip
from memeval.bench.missground import Miss
from memeval.errors import NotInstalledError
from memeval.retrieval.base import Settings
from memeval.text import fold
from tests.bench.misses import make_documents, make_ground

MISS = Miss(query="how do I restart brokers", expected=("a.md",), rank=3, matched=9)
TEXTS = {"a.md": "restart the broker", "b.md": "ink"}


def plan(name, miss=MISS, ground=None):
    """What the counterfactual of that name would ask."""
    (each,) = [each for each in COUNTERFACTUALS if each.name == name]
    return each.plan(miss, ground or make_ground(TEXTS))


def test_the_list_is_in_the_order_of_cost():
    """The cheapest first, each name once, and what only shows a cause last."""
    costs = [list(Cost).index(each.cost) for each in COUNTERFACTUALS]
    assert costs == sorted(costs)
    assert len({each.name for each in COUNTERFACTUALS}) == len(COUNTERFACTUALS)
    assert all(each.changes for each in COUNTERFACTUALS)


@pytest.mark.parametrize(
    ("name", "queries"),
    [
        ("fillers dropped", ["restart brokers"]),
        ("one term alone", ["restart", "brokers"]),
        ("stems", ["how do I restart broker"]),
        ("larger cap", [MISS.query, MISS.query]),
        ("best words", ["restart the broker", "restart", "the", "broker"]),
    ],
)
def test_queries_are_planned_over_the_store_as_it_is(name, queries):
    """One search, or several to be tried in order; the documents are the very same."""
    ground = make_ground(TEXTS)
    attempts = plan(name, ground=ground)
    assert [attempt.query for attempt in attempts] == queries
    assert all(attempt.documents is ground.documents for attempt in attempts)


def test_caps_and_depths_are_doubled_twice():
    """Settings are tried from the smaller one on, and the cure names them."""
    assert [(attempt.cap_bytes, attempt.cure) for attempt in plan("larger cap")] == [
        (32_768, "cap 32 KiB"),
        (65_536, "cap 64 KiB"),
    ]
    assert [(attempt.k, attempt.cure) for attempt in plan("deeper k", dataclasses.replace(MISS, k=5))] == [
        (10, "k 10"),
        (20, "k 20"),
    ]


def test_another_variant_is_asked_the_same():
    """The engine's own profile over the same documents."""
    (attempt,) = plan("profile memeval")
    assert (attempt.variant.name, attempt.query, attempt.cure) == ("memeval", MISS.query, "profile memeval")


def test_notes_are_changed_for_the_search_alone():
    """Aliases go into the expected file; the ground keeps its documents."""
    ground = make_ground(TEXTS)
    attempts = plan("own words", dataclasses.replace(MISS, query="the queue"), ground)
    assert [attempt.documents[0].text for attempt in attempts] == [
        "restart the broker\naliases: queue\n",
        "restart the broker\naliases: the queue\n",
    ]
    assert ground.documents == make_documents(TEXTS)


@pytest.mark.parametrize(
    ("name", "miss", "variant", "reason"),
    [
        ("fillers dropped", {"query": "restart"}, "article", "leaves the query as it is"),
        ("fillers dropped", {"query": "how do I"}, "article", "nothing is left"),
        ("one term alone", {"query": "restart"}, "article", "one term"),
        ("with spaces", {}, "article", "no unbroken run"),
        ("character pairs", {}, "article", "no unbroken run"),
        ("query in NFKC", {}, "article", "leaves the query as it is"),
        ("deeper k", {}, "article", "only with --k"),
        ("larger cap", {"rank": None}, "article", "no candidate"),
        ("larger cap", {}, "load-all", "its own rule"),
        ("profile memeval", {}, "memeval+aliases", "itself"),
        ("twins removed", {}, "article", "no near-duplicate"),
        ("all in NFKC", {}, "article", "in one width"),
        ("aliases on", {}, "article", "no aliases.yaml"),
        ("aliases on", {}, "article+aliases", "on, or off by intent"),
        ("other wordings", {}, "article", "no other wording"),
        ("other wordings", {"other_wordings": ("the queue",)}, "article", "shares a word"),
        ("other projects", {}, "article", "no other project"),
        ("local embedding", {}, "memeval+hybrid", "already"),
        ("no inside hits", {"query": "ink"}, "article", "inside a longer one"),
        ("best words", {"expected": ("gone.md",)}, "article", "no words"),
    ],
)
def test_what_does_not_apply_says_why(name, miss, variant, reason):
    """The search would be the same, or the variant has no such thing."""
    skip = plan(name, dataclasses.replace(MISS, **miss), make_ground(TEXTS, variant))
    assert isinstance(skip, Skip)
    assert reason in skip.reason
    assert not skip.is_applicable


def test_what_is_not_installed_is_not_run(monkeypatch):
    """A missing package or model is told apart from what does not apply."""

    def fail():
        raise NotInstalledError("OpenCC is not installed")

    monkeypatch.setattr("memeval.bench.counterfactuals.load_simplified", fail)
    invoice = dataclasses.replace(MISS, query="发票")
    ground = make_ground({"a.md": "發票在抽屜"}, settings=Settings())
    for name in ("other script", "scripts as one", "local embedding"):
        assert plan(name, invoice, ground).is_applicable, name


@pytest.mark.parametrize("name", ["other script", "scripts as one"])
@pytest.mark.parametrize(
    ("query", "text"), [("invoice", "發票"), ("發票", "invoice"), ("发票", "收据"), ("發票", "收據")]
)
def test_scripts_do_not_apply_where_they_are_no_cause(monkeypatch, name, query, text):
    """Without OpenCC, too: no Han on one side, or one script on both."""

    def fail():
        raise NotInstalledError("OpenCC is not installed")

    monkeypatch.setattr("memeval.bench.counterfactuals.load_simplified", fail)
    skip = plan(name, dataclasses.replace(MISS, query=query), make_ground({"a.md": text}))
    assert not skip.is_applicable


def test_a_function_word_is_not_cut_in_two():
    """Of 怎么要回 no alias begins with 么, neither of the query's own words nor of those another wording shares."""
    miss = dataclasses.replace(MISS, query="怎么要回垫付的钱", other_wordings=("要回垫付款", "什么要紧"))
    ground = make_ground({"a.md": "報銷"})
    own = [attempt.cure for attempt in plan("own words", miss, ground)]
    assert own == ["alias: 要回垫付 钱", "alias: 怎么要回垫付的钱"]
    assert [attempt.cure for attempt in plan("other wordings", miss, ground)] == ["alias: 要回垫付"]


def test_other_projects_are_asked_where_they_hold_the_evidence():
    """A project that holds neither file nor evidence is not searched."""
    others = {"site": make_documents({"dns.md": "Zone at the Registrar"}), "shop": make_documents({"x.md": "ink"})}
    (attempt,) = plan(
        "other projects", dataclasses.replace(MISS, evidence="at the registrar"), make_ground(TEXTS, others=others)
    )
    assert (attempt.wanted, attempt.cure) == (("dns.md",), "search project site")
    assert fold("registrar") in fold(attempt.documents[-1].text)
