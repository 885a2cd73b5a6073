"""The embedding models of a run at the command line: found, shared, left out, and told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from memeval.cli import main
from memeval.embedding.models import DEFAULT_MODEL
from memeval.embedding.onnxmodel import OnnxEmbedder
from memeval.retrieval.base import Variant
from memeval.retrieval.recipes import VARIANTS, look_beside
from tests.embedding.tinymodel import write_model

MINILM = "all-MiniLM-L6-v2"


@pytest.fixture
def cli(monkeypatch, small_suite, no_pictures):
    """Run the command line in the folder that holds store/ and queries/."""
    monkeypatch.chdir(small_suite.parent.parent)
    monkeypatch.delenv("MEMEVAL_MODELS", raising=False)

    def run(*args: object, **environment: str):
        return CliRunner(env=environment).invoke(main, [str(arg) for arg in args], catch_exceptions=False)

    return run


@pytest.fixture
def models(tmp_path):
    """A folder of models that holds tiny ones under the names of two real ones."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    for seed, name in enumerate((DEFAULT_MODEL, MINILM)):
        write_model(tmp_path / "models" / name, seed=seed)
    return tmp_path / "models"


@pytest.fixture
def broken_article(monkeypatch):
    """A variant that cannot be built."""

    def break_down(documents, settings):
        raise RuntimeError("no index")

    broken = Variant(name="article", description="", source="", build=break_down)
    monkeypatch.setattr("memeval.retrieval.recipes.VARIANTS", (broken,))


def read_run() -> dict:
    return json.loads(Path("reports/latest/evaluation.json").read_text(encoding="utf-8"))


@pytest.mark.slow
def test_all_leaves_out_what_has_no_model(cli, no_models):
    """The run is whole without them, and stderr says once for each model which variants were left out, and why."""
    result = cli("run", "--variant", "all")
    assert result.exit_code == 0
    asked = {variant["name"] for variant in read_run()["suites"][0]["variants"]}
    here = (*VARIANTS, *look_beside().variants)
    assert asked == {variant.name for variant in here if not variant.needs_embedder and not variant.model}
    notes = [line for line in result.stderr.splitlines() if line.startswith("memeval: note: left out of all: ")]
    assert len(notes) == 4
    assert "memeval+rerank: no reranker is named: `memeval run --reranker NAME|FOLDER`" in notes[0]
    assert "memeval+hybrid, " in notes[1]
    assert "memeval+rerank" not in notes[1]
    assert notes[1].endswith(f": no model {DEFAULT_MODEL} here")
    assert notes[2].endswith(f"memeval+minilm: no model {MINILM} here")


@pytest.mark.parametrize("variant", ["memeval+hybrid", "memeval+minilm", "memeval+use", "memsearch"])
def test_a_named_variant_without_its_model_is_an_error(cli, no_models, variant):
    """Before anything is asked, in one line, beside `all` too; exit 2 and no report."""
    for more in ((), ("-v", "all")):
        result = cli("run", "-v", variant, *more)
        assert result.exit_code == 2
        assert "no model " in result.stderr.splitlines()[-1]
        assert not Path("reports/latest/evaluation.json").exists()


def test_the_default_model_and_one_of_its_own(cli, models):
    """Both are found in the folder of models; the record says their weights, and stderr what one cannot read."""
    result = cli("run", "-v", "memeval+hybrid", "-v", "memeval+minilm", MEMEVAL_MODELS=str(models))
    assert result.exit_code == 0, result.output
    manifest = read_run()["manifest"]
    assert manifest["embedder"].startswith(f"{DEFAULT_MODEL} graph:")
    assert list(manifest["models"]) == [MINILM]
    assert f"memeval: note: shop: {MINILM} reads English only, and" in result.stderr
    asked = [query for variant in read_run()["suites"][0]["variants"] for query in variant["queries"]]
    assert {query["verdict"] for query in asked} == {"hit", "miss"}


def test_a_folder_as_the_runs_model(cli, models):
    """Peers and the hybrid engine share it; a variant whose own model it is takes it as well."""
    folder = models / MINILM
    result = cli("run", "-v", "memeval+hybrid", "-v", "memsearch", "-v", "memeval+minilm", "--embedder", folder)
    assert result.exit_code == 0, result.output
    manifest = read_run()["manifest"]
    assert manifest["embedder"] == manifest["models"][MINILM]


def test_the_runs_reranker(cli, models, tmp_path):
    """By name in the folder of models, or a folder: the record has its weights, and stderr what it cannot read."""
    name = "ms-marco-MiniLM-L6-v2"
    folder = write_model(models / name, output="logits", classes=1, pooling=None)
    result = cli("run", "-v", "memeval+rerank", "--reranker", name, MEMEVAL_MODELS=str(models))
    assert result.exit_code == 0, result.output
    assert read_run()["manifest"]["reranker"].startswith(f"{name} graph:")
    assert f"memeval: note: shop: {name} reads English only, and" in result.stderr
    asked = [query for variant in read_run()["suites"][0]["variants"] for query in variant["queries"]]
    assert {query["verdict"] for query in asked} == {"hit", "miss"}
    more = cli("run", "-v", "files-or-vectors", "--reranker", f"mine={folder}", MEMEVAL_MODELS=str(models))
    assert more.exit_code == 0, more.output
    assert read_run()["manifest"]["reranker"].startswith("mine graph:")


VERBS = (
    ("run",),
    ("retries",),
    ("signals",),
    ("diagnose", "queries/shop.recall.yaml"),
    ("export", "queries/shop.recall.yaml", "--format", "trec", "--out", "trec"),
)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_a_variant_that_needs_a_reranker(cli, models, verb):
    """It is an error that says how to name one; beside `all` too, before anything is asked."""
    for more in ((), ("-v", "all")) if verb == ("run",) else ((),):
        result = cli(*verb, "-v", "memeval+rerank", *more, MEMEVAL_MODELS=str(models))
        assert result.exit_code == 2
        assert "memeval+rerank needs a reranker: `memeval run --reranker NAME|FOLDER`, by name mmarco" in result.stderr
        assert not Path("reports/latest/evaluation.json").exists()


@pytest.mark.parametrize("verb", VERBS[1:], ids=lambda verb: verb[0])
def test_every_verb_that_asks_variants_finds_their_models(cli, models, verb):
    """Those of the run, those of their own, and the reranker: nothing is ungradable for want of one."""
    folder = write_model(models / "mine", output="logits", classes=1, pooling=None)
    asked = ("-v", "memeval+hybrid", "-v", "memeval+minilm", "-v", "memeval+rerank", "--reranker", folder)
    result = cli(*verb, *asked, MEMEVAL_MODELS=str(models))
    assert result.exit_code == (2 if verb == ("signals",) else 0), result.output  # too little data for a verdict
    assert "ungradable" not in result.output
    assert result.stdout


def test_what_agents_will_ask_is_foretold_with_a_model(cli, models):
    """Of agents that searched by meaning as well; without the model it is an error, and no forecast."""
    event = {"event": "search", "session": "s", "time": "2026-07-03T10:00:05Z", "query": "auth socket", "shown": []}
    Path("log.jsonl").write_text(json.dumps(event) + "\n", encoding="utf-8")
    verb = ("sessions", "predict", "log.jsonl", "--suite", "queries/shop.recall.yaml", "-v", "memeval+minilm")
    result = cli(*verb, MEMEVAL_MODELS=str(models))
    assert result.exit_code == 0, result.output
    assert "memeval+minilm" in result.stdout
    assert cli(*verb, "--embedder", "x", MEMEVAL_MODELS=str(models)).exit_code == 2
    for idle in (("-v", "article"), ("--embedder", MINILM), ("--vectors", "kept")):
        refused = cli("sessions", "predict", "log.jsonl", *idle)
        assert refused.exit_code == 2
        assert "changes nothing without --suite" in refused.stderr


def test_a_forecast_of_what_cannot_be_graded_is_no_success(cli, broken_article):
    """It leaves those wordings out, and the exit says so."""
    event = {"event": "search", "session": "s", "time": "2026-07-03T10:00:05Z", "query": "auth socket", "shown": []}
    Path("log.jsonl").write_text(json.dumps(event) + "\n", encoding="utf-8")
    result = cli("sessions", "predict", "log.jsonl", "--suite", "queries/shop.recall.yaml", "-v", "article", "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)
    assert "some wordings of shop are ungradable (`memeval run -v article` says why); exit 2" in result.stderr


def test_a_run_file_without_all_of_its_queries_is_no_success(cli, broken_article):
    """What is exported is written, and the exit says that a query could not be graded, with the reason."""
    result = cli("export", "queries/shop.recall.yaml", "--format", "trec", "-v", "article", "--out", "trec")
    assert result.exit_code == 2
    said = "ungradable, the first: article · redis-port[0] · cannot be built: RuntimeError: no index; exit 2"
    assert said in result.stderr
    assert Path("trec/run.article.txt").read_text(encoding="utf-8") == ""


def test_a_reranker_that_is_nowhere(cli, models):
    """The error lists the choices, or each way to get it."""
    result = cli("run", "-v", "memeval+rerank", "--reranker", "ms-marco", MEMEVAL_MODELS=str(models))
    assert result.exit_code == 2
    assert "unknown reranker 'ms-marco'; known: mmarco-mMiniLMv2-L12-H384-v1, ms-marco-MiniLM-L6-v2" in result.stderr


@pytest.mark.parametrize(
    "idle", [("--embedder", MINILM), ("--reranker", "mine"), ("--download",), ("--vectors", "kept")]
)
def test_options_that_would_do_nothing_are_refused(cli, idle):
    """No variant of the run has an embedding model."""
    result = cli("run", "-v", "bm25", *idle)
    assert result.exit_code == 2
    assert f"{idle[0]} changes nothing: none of the variants" in result.stderr


def test_a_second_run_embeds_nothing(cli, models, monkeypatch, tmp_path):
    """With --vectors nothing is embedded twice, in one run or two; the evaluation is the same but for its timings."""
    embedded = []
    embed_all = OnnxEmbedder._embed_all
    monkeypatch.setattr(
        OnnxEmbedder, "_embed_all", lambda self, texts: embedded.extend(texts) or embed_all(self, texts)
    )
    vectors, found = tmp_path / "deep" / "vectors", []
    for more in ((), ("--vectors", vectors), ("--vectors", vectors)):
        embedded.clear()
        names = ("memeval+hybrid", "memeval+rrf", "memsearch", "memeval+minilm")
        result = cli("run", *(f"--variant={name}" for name in names), *more, MEMEVAL_MODELS=str(models))
        assert result.exit_code == 0, result.output
        assert "vectors are not kept" not in result.stderr
        passages = [text for text in embedded if text.startswith("passage: ")]
        found.append(({**read_run(), "timings": {}}, len(passages), len(set(passages)), set(embedded)))
    (plain, count, distinct, _), first, second = found
    assert count == distinct > 0
    assert first[:3] == (plain, count, distinct)
    assert (second[0], second[3]) == (plain, {"query: a", "a"})  # asked for the dimension alone
    assert len(list(vectors.iterdir())) == 2


def test_vectors_that_cannot_be_kept(cli, models, tmp_path):
    """A file in the place of the folder is refused before anything is asked; a file that cannot be written is told."""
    folder = tmp_path / "vectors"
    folder.write_text("a file")
    result = cli("run", "-v", "memeval+hybrid", "--vectors", folder, MEMEVAL_MODELS=str(models))
    assert result.exit_code == 2
    assert "is a file" in result.stderr
    folder.unlink()
    run = ("run", "-v", "memeval+hybrid", "--vectors", folder)
    assert cli(*run, MEMEVAL_MODELS=str(models)).exit_code == 0
    (file,) = folder.iterdir()
    file.unlink()
    file.mkdir()
    result = cli(*run, MEMEVAL_MODELS=str(models))
    assert result.exit_code == 0
    assert f"memeval: warning: vectors are not kept: {file}: a folder stands there; move it away" in result.stderr


def test_an_unknown_model_is_refused(cli, models):
    """The message lists the choices."""
    result = cli("run", "-v", "memeval+hybrid", "--embedder", "minilm")
    assert result.exit_code == 2
    assert f"unknown embedding model 'minilm'; known: {MINILM}" in result.stderr
