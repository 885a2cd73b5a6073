"""evaluate: what is asked, what is recorded, and what happens when a variant breaks."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import memeval
from memeval.bench.evaluation import Evaluation
from memeval.bench.run import SuiteRunner
from memeval.errors import CorpusError, EmbeddingError, RunSettingError, UnknownNameError
from memeval.memory.document import Document
from memeval.retrieval.base import Answer, Block, Hit, Settings, Variant
from memeval.testbed.needs import Wording
from tests.conftest import FILES, SUITE, write_files


def make_variant(search, name="fake", build=None):
    """A variant whose search is the given function of (documents, query)."""

    class Fake:
        def __init__(self, documents: Sequence[Document]) -> None:
            self.documents = documents

        def search(self, query: str) -> Answer:
            return search(self.documents, query)

    return Variant(
        name=name,
        description="for a test",
        source="this test",
        build=build or (lambda documents, settings: Fake(documents)),
    )


def answer_of(*doc_ids: str, shown: int | None = None) -> Answer:
    """An answer that ranks the doc_ids in this order and shows the first `shown`."""
    hits = tuple(Hit(doc_id, float(len(doc_ids) - place)) for place, doc_id in enumerate(doc_ids))
    blocks = tuple(Block(doc_id, doc_id) for doc_id in doc_ids[:shown])
    return Answer(hits, blocks, "\n".join(block.text for block in blocks))


REDIS = "projects/shop-1a2b3c4d/notes/redis-deploy.md"


def by_id(evaluation: Evaluation, variant: str = "fake") -> dict:
    """{query id: result} of one variant of the only suite."""
    (suite,) = evaluation.suites
    (result,) = [result for result in suite.variants if result.name == variant]
    return {query.id: query for query in result.queries}


def test_article_on_the_small_suite_by_hand(small_suite):
    """Verdicts, counts and ranks of the article engine agree with the files read by eye."""
    results = by_id(memeval.evaluate(small_suite, ["article"]), "article")
    port = results["redis-port[0]"]
    assert (port.verdict, port.found, port.found_all) == ("hit", True, True)
    assert port.expected_ranks == {REDIS: 1}
    assert port.evidence_shown is True
    assert REDIS in port.shown
    unseen = results["redis-port[1]"]
    assert (unseen.verdict, unseen.kind) == ("miss", "unseen-words")
    assert results["naming-rules[0]"].found_all is True
    unspaced = results["monitoring[0]"]
    assert (unspaced.verdict, unspaced.matched, unspaced.lang) == ("miss", 0, "zh")
    assert "segmentation" in unspaced.reason
    assert results["monitoring[1]"].verdict == "hit"
    silent = results["vacation-days[0]"]
    assert (silent.verdict, silent.found, silent.shown, silent.evidence_shown) == ("hit", None, (), None)
    false_hit = results["vacation-days[1]"]
    assert (false_hit.verdict, false_hit.found, false_hit.shown) == ("miss", None, ("MEMORY.md",))


def test_summary_counts_by_hand(small_suite):
    """Each rate stands on the queries where it is defined, and says how many they are."""
    (suite,) = memeval.evaluate(small_suite, ["article"]).suites
    summary = suite.variants[0].summary
    assert (summary["found"].value, summary["found"].n) == (3 / 5, 5)
    assert (summary["found-first-wording"].value, summary["found-first-wording"].n) == (2 / 3, 3)
    assert (summary["found-any-wording"].value, summary["found-any-wording"].n) == (1.0, 3)
    assert (summary["false-hit-rate"].value, summary["false-hit-rate"].n) == (1 / 2, 2)
    assert (summary["evidence-in-snippet"].value, summary["evidence-in-snippet"].n) == (1 / 2, 2)
    assert (summary["silent-miss-rate"].value, summary["silent-miss-rate"].n) == (1 / 5, 5)
    assert suite.variants[0].found_by_wording[0] == (1, summary["found-first-wording"])
    assert [(j, share.value, share.n) for j, share in suite.variants[0].found_by_wording[1:]] == [(2, 1.0, 2)]
    assert (suite.documents, suite.needs, suite.wordings, suite.unstored) == (6, 4, 7, 1)


def test_evidence_in_a_heading_is_no_evidence_shown(small_suite):
    """The path, `[matched: …]` and `(filename match)` name what the file does not say where it is shown."""
    suite = memeval.load_suite(small_suite)
    need = dataclasses.replace(suite.needs[0], wordings=(Wording(text="container redis"), Wording(text="deploy")))
    for evidence, shown in [("redis-deploy", False), ("matched", False), ("filename match", False), ("# Redis", True)]:
        asked = dataclasses.replace(suite, needs=(dataclasses.replace(need, evidence=evidence),))
        for variant in memeval.evaluate(asked, ["article", "current", "bm25", "filename", "oracle"]).suites[0].variants:
            seen = [query.evidence_shown for query in variant.queries if query.found]
            assert seen, variant.name
            assert set(seen) == {shown}, (variant.name, evidence)


def test_a_variant_that_cannot_be_built_is_ungradable_not_lost(small_suite):
    """Every query says why, no rate counts them, and the other variants are measured all the same."""

    def build(documents, settings: Settings):
        raise MemoryError("no room")

    evaluation = memeval.evaluate(small_suite, [make_variant(None, build=build), "oracle"])
    broken, sound = evaluation.suites[0].variants
    assert {query.verdict for query in broken.queries} == {"ungradable"}
    assert broken.summary["found"].value is None
    assert broken.summary["found"].n == 0
    assert "no room" in broken.error
    assert sound.summary["found"].value == 1.0


@pytest.mark.parametrize(
    "answer",
    [
        Answer((Hit("nowhere.md", 1.0),), (), ""),
        Answer((Hit(REDIS, 1.0), Hit(REDIS, 0.5)), (), ""),
        Answer((Hit(REDIS, float("nan")),), (), ""),
        Answer((Hit(REDIS, 1.0), Hit("MEMORY.md", 2.0)), (), ""),
        Answer((), (Block(REDIS, "text"),), "text"),
    ],
    ids=["unknown id", "repeated id", "NaN", "rising score", "shown but not ranked"],
)
def test_an_answer_that_breaks_the_contract_is_ungradable(small_suite, answer):
    """A broken ranking never becomes a number."""
    results = by_id(memeval.evaluate(small_suite, [make_variant(lambda documents, query: answer)]))
    assert {query.verdict for query in results.values()} == {"ungradable"}
    assert all(query.reason.startswith("broke the contract") for query in results.values())


def test_a_search_that_fails_on_one_query_leaves_the_others(small_suite):
    """One crash is one ungradable query."""

    def search(documents, query):
        if query == "naming":
            raise ValueError("cannot parse")
        return answer_of(REDIS)

    results = by_id(memeval.evaluate(small_suite, [make_variant(search)]))
    assert results["naming-rules[0]"].verdict == "ungradable"
    assert results["redis-port[0]"].verdict == "hit"


def test_a_variant_that_cannot_be_built_says_so_of_every_query(small_suite):
    """In the same words, whichever is asked first."""

    def build(documents, settings):
        raise ValueError("no index")

    evaluation = memeval.evaluate(small_suite, [make_variant(None, build=build)])
    reasons = {query.reason for query in by_id(evaluation).values()}
    assert reasons == {"cannot be built: ValueError: no index"} == {evaluation.suites[0].variants[0].error}


def test_an_expected_file_that_cannot_be_read_makes_its_needs_ungradable(small_suite):
    """Its needs say which file it is; all others are measured, those of the oracle too."""
    (small_suite.parent.parent / "store" / REDIS).write_bytes(b"caf\xe9")
    evaluation = memeval.evaluate(small_suite, ["article", "oracle"])
    for variant in ("article", "oracle"):
        results = by_id(evaluation, variant)
        broken = [query for query in results.values() if query.verdict == "ungradable"]
        assert {query.need for query in broken} == {"redis-port"}
        assert broken[0].reason == f"cannot read what answers it: {REDIS} (not UTF-8: byte 0xe9 in line 1)"
        assert len(results) > len(broken)


def test_matched_but_not_shown_is_a_miss_with_its_rank(small_suite):
    """A file below the cap is told apart from one that does not match."""
    variant = make_variant(lambda documents, query: answer_of("MEMORY.md", REDIS, shown=1))
    port = by_id(memeval.evaluate(small_suite, [variant]))["redis-port[0]"]
    assert (port.verdict, port.matched, port.expected_ranks) == ("miss", 2, {REDIS: 2})
    assert port.reason.startswith("matched but not shown")


def test_ranks_are_kept_beyond_the_stored_depth(small_suite):
    """The stored ranking ends at the depth; the rank of an expected file does not."""
    variant = make_variant(lambda documents, query: answer_of("MEMORY.md", REDIS))
    port = by_id(memeval.evaluate(small_suite, [variant], ks=1, depth=1))["redis-port[0]"]
    assert [doc_id for doc_id, _ in port.ranking] == ["MEMORY.md"]
    assert port.expected_ranks == {REDIS: 2}


def test_no_figure_moves_with_the_depth(small_suite, tmp_path):
    """A run stored to fewer ranks has the figures of a deep one, in its summary and scored again from its file."""
    asked = ["current", "bm25", "recency"]
    deep, flat = (memeval.evaluate(small_suite, asked, ks=(1, 2), depth=depth) for depth in (100, 2))
    path = tmp_path / "evaluation.json"
    path.write_text(flat.to_json(), encoding="utf-8")
    assert max(len(query.ranking) for query in by_id(flat, "recency").values()) == 2
    assert any((query.expected_ranks.get(REDIS) or 0) > 2 for query in by_id(flat, "recency").values())
    for before, after in zip(deep.suites[0].variants, flat.suites[0].variants, strict=True):
        assert before.summary == after.summary
        assert before.slices == after.slices
    assert Evaluation.load(path).to_frame().equals(deep.to_frame())


def test_mrr_by_hand_beyond_the_depth(small_suite):
    """The second place counts 1/2 although one rank is stored; what is no candidate counts 0."""
    variant = make_variant(lambda documents, query: answer_of("MEMORY.md", REDIS))
    (suite,) = memeval.evaluate(small_suite, [variant], ks=1, depth=1).suites
    summary = suite.variants[0].summary
    assert (summary["mrr"].value, summary["mrr"].n) == (2 * 0.5 / 5, 5)
    assert summary["success@1"].value == 0.0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ks": (1, 20), "depth": 10}, r"k=20 is above depth=10: .* a depth of 20 or more, or cutoffs up to 10"),
        ({"depth": 9}, "k=10 is above depth=9"),
        ({"ks": 101}, "k=101 is above depth=100"),
        ({"ks": 0}, "cutoff k is 0; it must be a whole number from 1"),
        ({"ks": (5, -1)}, "cutoff k is -1;"),
        ({"ks": "10"}, "cutoff k is '1';"),
        ({"ks": (2.5,)}, r"cutoff k is 2\.5;"),
        ({"depth": -1}, "depth is -1;"),
        ({"depth": 0, "ks": ()}, "depth is 0;"),
        ({"depth": None}, "depth is None;"),
        ({"budget_bytes": -5}, "budget_bytes is -5;"),
        ({"budget_bytes": True}, "budget_bytes is True;"),
        ({"budget_bytes": 10**400}, r"budget_bytes has 401 digits; it must be 1e\+300 or less"),
    ],
)
def test_settings_that_cannot_be_measured_with_are_refused(small_suite, settings, message):
    """Before anything is loaded or asked, with the value and what is allowed: no figure is wrong without a word."""
    with pytest.raises(RunSettingError, match=message):
        memeval.evaluate(small_suite, ["current"], **settings)


def test_a_runner_refuses_a_depth_that_stores_nothing(small_suite):
    """A depth below 1 would cut rankings from their end."""
    with pytest.raises(RunSettingError, match="depth is -1;"):
        SuiteRunner(memeval.load_suite(small_suite), "current", depth=-1)


def test_a_record_that_is_not_deep_enough_is_not_scored(small_suite):
    """Cutoffs above the stored depth, as a record of another hand may have, are refused when it is scored again."""
    evaluation = memeval.evaluate(small_suite, ["current"], ks=3, depth=3)
    deeper = dataclasses.replace(evaluation, manifest={**evaluation.manifest, "ks": [3, 5]})
    with pytest.raises(RunSettingError, match="k=5 is above depth=3"):
        deeper.to_frame()


def test_without_cutoffs_the_other_figures_stand(small_suite):
    """No cutoff is asked for: there is no @k metric, and nothing else is missing."""
    plain, none = (memeval.evaluate(small_suite, ["current"], ks=ks).suites[0].variants[0] for ks in (5, ()))
    assert not any("@" in name for name in none.summary)
    assert none.summary == {name: value for name, value in plain.summary.items() if "@" not in name}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory) -> Path:
    """The path of the small suite, for a run that several tests look at."""
    folder = tmp_path_factory.mktemp("shelf")
    write_files(folder / "store", FILES)
    write_files(folder / "queries", {"shop.recall.yaml": SUITE})
    return folder / "queries" / "shop.recall.yaml"


@pytest.fixture(scope="module")
def everything(shelf) -> Evaluation:
    """The evaluation of all variants."""
    return memeval.evaluate(shelf, ["all"])


def test_json_is_strict_and_comes_back_equal(everything, tmp_path):
    """What is written can be read by a strict reader and gives the same evaluation."""
    evaluation = everything
    path = tmp_path / "evaluation.json"
    path.write_text(evaluation.to_json(), encoding="utf-8")

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    data = json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)
    assert data["schema"] == 1
    query = data["suites"][0]["variants"][0]["queries"][0]
    assert {
        "id",
        "need",
        "wording",
        "text",
        "lang",
        "kind",
        "tags",
        "expected",
        "verdict",
        "found",
        "found_all",
    } <= set(query)
    assert {"matched", "shown", "bytes", "ranking"} <= set(query)
    assert Evaluation.load(path).to_json() == evaluation.to_json()


def test_engine_scores_are_places_from_the_end(small_suite):
    """An engine's order is handed over as n - rank + 1 over all it matched."""
    for query in by_id(memeval.evaluate(small_suite, ["current"]), "current").values():
        assert [score for _, score in query.ranking] == [query.matched - place for place in range(len(query.ranking))]


@pytest.mark.slow
def test_two_runs_differ_in_timings_alone(everything, shelf):
    """Same inputs, same bytes."""
    first, second = (json.loads(run.to_json()) for run in (everything, memeval.evaluate(shelf, "all")))
    first.pop("timings")
    second.pop("timings")
    assert first == second


def test_unknown_variant_names_the_choices(small_suite):
    """A typing error is answered with the name that was meant, anything else with the names there are."""
    with pytest.raises(UnknownNameError, match="Did you mean 'article'"):
        memeval.evaluate(small_suite, ["artcle"])
    with pytest.raises(UnknownNameError, match=r"article.*bm25"):
        memeval.evaluate(small_suite, ["zzz"])


def test_frame_has_a_row_per_query_and_the_metrics(small_suite):
    """`to_frame` agrees with the summary when a person takes the mean."""
    evaluation = memeval.evaluate(small_suite, ["article", "bm25"])
    frame = evaluation.to_frame()
    assert len(frame) == 2 * 7
    mean = frame[frame.variant == "article"]["found"].mean()
    assert mean == pytest.approx(evaluation.suites[0].variants[0].summary["found"].value)


def test_an_alias_finds_what_the_words_do_not(small_suite):
    """On documents that differ by one line of aliases, a lost wording is found; the record tells the runs apart."""
    aliases = small_suite.parent.parent / "store" / "aliases.yaml"
    aliases.write_text(f"{REDIS}: [cache does not start]\n", encoding="utf-8")
    runs = [memeval.evaluate(small_suite, ["current", "bm25"], aliases=on) for on in (False, True)]
    for variant in ("current", "bm25"):
        without, overlaid = (by_id(run, variant) for run in runs)
        assert (without["redis-port[1]"].verdict, without["redis-port[1]"].expected_ranks) == ("miss", {REDIS: None})
        assert (overlaid["redis-port[1]"].verdict, overlaid["redis-port[1]"].expected_ranks) == ("hit", {REDIS: 1})
        assert {query_id for query_id in without if without[query_id].verdict != overlaid[query_id].verdict} == {
            "redis-port[1]"
        }
    (plain,), (changed,) = (run.manifest["suites"] for run in runs)
    assert (plain["aliases"], changed["aliases"]) == (False, True)
    assert {key for key in plain if plain[key] != changed[key]} == {"aliases", "corpus_digest", "overlay_digest"}
    assert memeval.evaluate(small_suite, ["current"]).manifest["suites"] == [plain]


def test_aliases_that_a_corpus_lacks_are_no_empty_overlay(small_suite):
    """A run that was to have aliases is refused without them, never run as if there were none."""
    with pytest.raises(CorpusError, match=r"suite 'shop' cannot be run with aliases: there is no .*aliases\.yaml"):
        memeval.evaluate(small_suite, ["current"], aliases=True)


def test_all_variants_are_those_the_run_can_build(everything):
    """Without a model those that need one are not asked."""
    (suite,) = everything.suites
    assert not [variant.name for variant in suite.variants if variant.error]
    assert "memsearch" not in [variant.name for variant in suite.variants]


def test_what_is_no_model_is_refused_before_anything_is_asked(small_suite):
    """A name in the place of a model, or anything else, with where a model of that name comes from."""
    for model in ({"embedder": "minilm"}, {"reranker": "minilm"}, {"models": {"all-MiniLM-L6-v2": "minilm"}}):
        kind = "reranker" if "reranker" in model else "embedder"
        with pytest.raises(
            EmbeddingError, match=rf"the {kind}, an object of str, has no identity.*open_{kind}\(NAME\)"
        ):
            memeval.evaluate(small_suite, "bm25", **model)
