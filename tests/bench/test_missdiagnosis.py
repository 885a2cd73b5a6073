"""A tiny store for every class of miss: the counterfactuals that run on it, the class that follows, and the cure."""

from __future__ import annotations

import copy
import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.bench.counterfactuals import COUNTERFACTUALS
from memeval.bench.missclasses import MissClass
from memeval.bench.missdiagnosis import Diagnoser, Outcome
from memeval.bench.run import evaluate
from memeval.errors import NotInstalledError
from memeval.memory.document import UnreadableFile
from memeval.retrieval.base import Answer, Settings
from memeval.retrieval.recipes import find_variant
from tests.bench.misses import diagnose, make_documents, make_suite, trial_of
from tests.embedding.conftest import TopicEmbedder

SMALL = 520
"""A cap in bytes under which an engine shows one or two files: 256 of them are kept for its summary."""


def test_a_vocabulary_gap_is_cured_by_an_alias():
    """No word of the query stands in the file; its own words find it, and so does the query as an alias."""
    suite = make_suite({"a.md": "redis listens on 6380", "b.md": "ink for the printer"}, "cache container")
    miss = diagnose(suite)
    assert miss.miss_class is MissClass.VOCABULARY
    assert (miss.rank, miss.matched) == (None, 0)
    assert (miss.cure, miss.cured_by) == ("alias: cache container", "own words")
    assert trial_of(miss, "best words").outcome is Outcome.CURES
    assert trial_of(miss, "best words").cure is None
    assert trial_of(miss, "local embedding").outcome is Outcome.NOT_RUN


def test_words_of_the_other_wordings_are_an_alias_that_was_not_fitted():
    """What another wording of the need says finds this one; the words they share are named."""
    suite = make_suite({"a.md": "redis listens on 6380"}, "cache down", "the cache container is gone")
    miss = diagnose(suite)
    assert (miss.cure, miss.cured_by) == ("alias: cache", "other wordings")
    assert trial_of(miss, "own words").outcome is Outcome.CURES


def test_aliases_of_the_store_are_put_on(tmp_path):
    """The alias that shares a word with the query is named, not its neighbours."""
    (tmp_path / "aliases.yaml").write_text("a.md: [cache container, in-memory]\n", encoding="utf-8")
    suite = make_suite({"a.md": "redis listens on 6380"}, "cache", corpus={"root": str(tmp_path)})
    miss = diagnose(suite)
    assert (miss.miss_class, miss.cure, miss.cured_by) == (
        MissClass.VOCABULARY,
        "alias: cache container",
        "aliases on",
    )


def test_an_unbroken_query_is_cured_by_spaces():
    """The parts of the run stand in the file, the run does not."""
    miss = diagnose(make_suite({"a.md": "監視の設定は夜間に変更する", "b.md": "別の話"}, "監視設定"))
    assert miss.miss_class is MissClass.SEGMENTATION
    assert miss.cure == "write the query with spaces: “監視 設定”"
    assert trial_of(miss, "profile memeval").outcome is Outcome.CURES


@pytest.mark.parametrize(
    ("query", "text", "cure", "name"),
    [
        ("ｱﾝｹｰﾄ", "アンケート結果", "write the query in the usual width: “アンケート”", "query in NFKC"),
        ("アンケート", "ｱﾝｹｰﾄ結果", "profile memeval", "all in NFKC"),
    ],
)
def test_another_width_is_told_from_other_words(query, text, cure, name):
    """Full and half width: asked in the usual width, or with the notes in it."""
    miss = diagnose(make_suite({"a.md": text, "b.md": "別の話"}, query))
    assert (miss.miss_class, miss.cure) == (MissClass.WIDTH, cure)
    assert trial_of(miss, name).outcome is Outcome.CURES


@pytest.mark.parametrize("variant", ["article", "memeval"])
def test_another_script_is_told_from_other_words(variant):
    """A Simplified query and a Traditional file: asked in the characters of the file, it is found."""
    pytest.importorskip("opencc")
    suite = make_suite({"a.md": "後備連線的步驟", "b.md": "別的話"}, "后备连线")
    miss = diagnose(suite, variant)
    assert (miss.miss_class, miss.cured_by) == (MissClass.SCRIPT, "other script")
    assert miss.cure == "write the query in the characters of the notes: “後備連線”"
    assert trial_of(miss, "scripts as one").outcome is Outcome.CURES


def test_a_word_in_a_longer_form_is_a_word_form():
    """No stem of `deploy` is shorter: what reads both forms as one finds the file, and the class says so."""
    miss = diagnose(make_suite({"a.md": "Deploys go out on Friday", "b.md": "ink"}, "deploy"), "bm25")
    assert (miss.miss_class, miss.cure) == (MissClass.WORD_FORM, "profile memeval")


def test_without_opencc_the_class_leaves_the_script_open(monkeypatch):
    """No more is claimed than was tried; where both are of one script, it is a vocabulary gap."""

    def refuse():
        raise NotInstalledError("OpenCC is not installed")

    monkeypatch.setattr("memeval.bench.counterfactuals.load_simplified", refuse)
    miss = diagnose(make_suite({"a.md": "後備連線的步驟", "b.md": "別的話"}, "后备连线"), "memeval")
    assert miss.miss_class is MissClass.VOCABULARY_OR_SCRIPT
    assert "extra opencc, variant memeval+opencc" in miss.rule
    assert trial_of(miss, "other script").outcome is Outcome.NOT_RUN
    same = diagnose(make_suite({"a.md": "收据放在抽屉", "b.md": "別的話"}, "发票"), "memeval")
    assert same.miss_class is MissClass.VOCABULARY
    assert trial_of(same, "other script").outcome is Outcome.NOT_APPLICABLE


def test_fillers_that_flood_are_dropped():
    """Files with many stop words stand above the one that holds the word that tells."""
    noise = {f"n{number}.md": "how do the things work when we ask\n" * 3 for number in range(20)}
    miss = diagnose(make_suite({**noise, "z.md": "redis"}, "how do the redis", expected="z.md"), engine_cap_bytes=SMALL)
    assert miss.rank == 21
    assert (miss.miss_class, miss.cured_by) == (MissClass.FILLER_FLOOD, "fillers dropped")
    assert miss.cure == "drop the filler words: “redis”"
    assert trial_of(miss, "fillers dropped").after == 1


def test_hits_inside_longer_words_are_found_out():
    """`ip` stands in `scripts` and `recipes`: without those words the file is first."""
    noise = {f"n{number}.md": "scripts and recipes\nscript\n" * 9 for number in range(20)}
    miss = diagnose(make_suite({**noise, "z.md": "ip 10.0.0.8"}, "ip", expected="z.md"), engine_cap_bytes=SMALL)
    assert (miss.rank, miss.miss_class) == (21, MissClass.INSIDE_WORD)
    assert trial_of(miss, "no inside hits").after == 1
    assert (miss.cure, miss.cured_by) == ("profile memeval", "profile memeval")


def test_inflections_are_cured_by_stems():
    """The file has the word in another form."""
    miss = diagnose(make_suite({"a.md": "restart the broker", "b.md": "ink"}, "restarting brokers"))
    assert (miss.miss_class, miss.cure) == (MissClass.WORD_FORM, "write the stems of the words: “restart broker”")


def test_a_file_below_the_cap_is_cured_by_a_larger_one():
    """The word is right and stands in several files; twice the bytes show this one, too."""
    texts = {f"{word}.md": f"redis {word}\n" * 6 for word in ("ink", "oil", "salt", "tea")}
    miss = diagnose(make_suite(texts, "redis", expected="tea.md"), engine_cap_bytes=SMALL)
    assert miss.rank == 4
    assert (miss.miss_class, miss.cure) == (MissClass.CAP, "cap 1,040 bytes")


def test_a_file_far_below_others_is_outranked():
    """More files hold the same words than four times the cap shows."""
    texts = {f"n{number:02}.md": f"redis {number}\n" * 9 for number in range(60)}
    miss = diagnose(make_suite({**texts, "z.md": "redis queue"}, "redis", expected="z.md"), engine_cap_bytes=SMALL)
    assert (miss.rank, miss.miss_class) == (61, MissClass.OUTRANKED)
    assert trial_of(miss, "larger cap").outcome is Outcome.FAILS


def test_a_stale_twin_is_named():
    """An older version of the page stands above it: without it, the page is shown."""
    page = "the broker listens on port 4222 and the cluster gossips on port 6222, as agreed in spring\n"
    texts = {"old.md": page * 3 + "port\n", "new.md": page * 3}
    miss = diagnose(make_suite(texts, "port", expected="new.md"), engine_cap_bytes=300)
    assert (miss.rank, miss.miss_class) == (2, MissClass.TWIN)
    assert trial_of(miss, "twins removed").cure == "remove or merge the twin old.md"


def test_a_file_that_cannot_be_read_is_named_with_the_reason():
    """No search can find it; the cure is to make it readable."""
    suite = make_suite(
        {"b.md": "ink"}, "redis", corpus={"unreadable": (UnreadableFile("a.md", "not UTF-8 at byte 5"),)}
    )
    miss = diagnose(suite)
    assert (miss.miss_class, miss.cure) == (MissClass.UNREADABLE, "make readable: a.md (not UTF-8 at byte 5)")


def test_a_file_of_another_project_is_out_of_scope(small_suite):
    """The need is of another project of the store, whose notes are not searched."""
    store = small_suite.parent.parent / "store"
    (other := store / "projects" / "site-9f9f9f9f" / "notes").mkdir(parents=True)
    (other / "dns.md").write_text("the zone is at the registrar\n", encoding="utf-8")
    facts = {"root": str(store), "kind": "store", "project": "shop-1a2b3c4d"}
    suite = make_suite({"a.md": "redis"}, "registrar", expected="projects/site-9f9f9f9f/notes/dns.md", corpus=facts)
    miss = diagnose(suite)
    assert (miss.miss_class, miss.cure) == (MissClass.OUT_OF_SCOPE, "search project site-9f9f9f9f")


@pytest.mark.parametrize(
    ("texts", "fields", "cure"),
    [
        ({"b.md": "ink"}, {}, "correct the need: other expected files, or other evidence"),
        ({"a.md": "", "b.md": "ink"}, {}, "correct the need: other expected files, or other evidence"),
        (
            {"a.md": "salt", "b.md": "ink"},
            {"evidence": "redis listens on"},
            "correct the need: other expected files, or other evidence",
        ),
        (
            {"a.md": "salt: redis listens on 6380", "b.md": "ink redis listens on 6380"},
            {"evidence": "redis listens on"},
            "judge b.md for this need: it holds the evidence",
        ),
    ],
)
def test_a_need_that_says_something_wrong_is_told(texts, fields, cure):
    """No such file, one without a word, evidence that is not in it, or another file that holds it."""
    miss = diagnose(make_suite(texts, "ink", **fields))
    assert (miss.miss_class, miss.cure, miss.cured_by) == (MissClass.MISLABELLED, cure, None)


def test_a_variant_that_never_shows_the_file_is_told_from_a_wrong_need():
    """What is injected whatever is asked has no place for this file; another engine has."""
    miss = diagnose(make_suite({"MEMORY.md": "# Rules", "a.md": "redis"}, "redis"), "claude-inject")
    assert (miss.miss_class, miss.cure) == (MissClass.UNREACHED, "profile memeval")


def test_a_variant_that_breaks_on_another_query_costs_that_trial_alone():
    """The trial says what went wrong; the others run."""

    class Brittle:
        def search(self, query):
            if query != "the cache":
                raise ValueError("too short")
            return Answer((), (), "")

    variant = dataclasses.replace(find_variant("grep"), name="brittle", build=lambda documents, settings: Brittle())
    suite = make_suite({"a.md": "redis"}, "the cache")
    miss = Diagnoser(suite, variant, Settings()).diagnose_query(suite.queries()[0])
    trial = trial_of(miss, "fillers dropped")
    assert (trial.outcome, trial.reason) == (Outcome.NOT_RUN, "ValueError: too short")
    assert trial_of(miss, "profile memeval").outcome is Outcome.FAILS


def test_short_evidence_accuses_no_other_file():
    """A figure such as 6380 stands in files that answer nothing."""
    texts = {"a.md": "salt 6380", "b.md": "ink 6380"}
    assert diagnose(make_suite(texts, "ink", evidence="6380")).miss_class is MissClass.VOCABULARY


def test_a_variant_that_takes_the_query_as_one_phrase():
    """The words stand in the file, but not in this order: one of them alone finds it."""
    miss = diagnose(make_suite({"a.md": "port of redis", "b.md": "ink"}, "redis port"), "grep")
    assert (miss.miss_class, miss.cure) == (MissClass.PHRASE, "ask for one word: “redis”")


def test_among_the_first_k_is_asked_with_k_alone():
    """A file that is shown in third place is no miss; with k = 1 it is, and k = 4 cures it."""
    texts = {f"{name}.md": f"redis {word}" for name, word in zip("abc", ("ink", "salt", "oil"), strict=True)}
    suite = make_suite(texts, "redis", expected="c.md")
    assert Diagnoser(suite, find_variant("article"), Settings()).diagnose().misses == ()
    miss = diagnose(suite, k=1)
    assert (miss.rank, miss.miss_class, miss.cure) == (3, MissClass.OUTRANKED, "k 4")


def test_a_local_embedding_is_tried_where_there_is_one():
    """With a model that knows what the words mean, the file is found without an alias."""
    texts = {"a.md": "redis 6380", **{f"n{number}.md": word for number, word in enumerate(("river", "rice", "museum"))}}
    miss = diagnose(make_suite(texts, "cache"), embedder=TopicEmbedder())
    assert (miss.miss_class, miss.cure, miss.cured_by) == (MissClass.VOCABULARY, "local embedding", "local embedding")
    hybrid = diagnose(make_suite(texts, "whales"), "memeval+hybrid", embedder=TopicEmbedder())
    assert trial_of(hybrid, "local embedding").outcome is Outcome.NOT_APPLICABLE


def test_a_diagnosis_counts_classes_and_cures():
    """Each miss has one class; a cure counts for every miss it cures, and once for those it is the cheapest of."""
    suite = make_suite({"a.md": "restart the broker", "b.md": "ink"}, "restarting brokers", "cache", "broker")
    diagnosis = Diagnoser(suite, find_variant("article"), Settings()).diagnose()
    assert (diagnosis.wordings, len(diagnosis.misses)) == (3, 2)
    assert diagnosis.classes == {"vocabulary gap": 1, "word form": 1}
    assert diagnosis.cures["stems"] == (1, 1)
    assert diagnosis.cures["own words"] == (2, 1)
    assert "best words" not in diagnosis.cures
    assert sum(cheapest for _, cheapest in diagnosis.cures.values()) == 2
    assert Diagnoser(suite, find_variant("article"), Settings()).diagnose(["other"]).wordings == 0


WORD = st.sampled_from(["redis", "ports", "the", "監視設定", "Ｑ４", "how", "后备", "port"])
WORDS = st.lists(WORD, min_size=1, max_size=4)


@given(st.lists(WORDS, min_size=2, max_size=4), WORDS, st.sampled_from(["article", "memeval", "bm25", "grep"]))
def test_counterfactuals_change_nothing_they_are_given(notes, query, variant):
    """Whatever the store and the wording: suite and documents stay, and the same is said again."""
    texts = {f"{'abcd'[number]}.md": " ".join(words) for number, words in enumerate(notes)}
    suite = make_suite(texts, " ".join(query))
    before = copy.deepcopy(suite)
    settings = Settings(budget_bytes=60, engine_cap_bytes=60)
    first = Diagnoser(suite, find_variant(variant), settings, k=1).diagnose()
    assert suite == before
    assert suite.corpus.documents == make_documents(texts)
    assert Diagnoser(suite, find_variant(variant), settings, k=1).diagnose() == first
    for miss in first.misses:
        assert [trial.name for trial in miss.trials] == [each.name for each in COUNTERFACTUALS]
        assert (miss.cured_by is None) or trial_of(miss, miss.cured_by).cure == miss.cure


def test_causes_change_nothing_else_of_a_result(small_suite):
    """With and without them a run has the same figures, rankings and verdicts; controls have none."""
    plain = evaluate(small_suite, ["article", "random"]).suites[0]
    told = evaluate(small_suite, ["article", "random"], diagnose=True).suites[0]
    for one, other in zip(plain.variants, told.variants, strict=True):
        queries = tuple(dataclasses.replace(query, cause=None) for query in other.queries)
        assert dataclasses.replace(other, queries=queries) == one
        missed = {query.id for query in other.queries if query.verdict == "miss" and query.found is not None}
        assert {query.id for query in other.queries if query.cause is not None} == (set() if other.control else missed)
