"""Other systems held to the contract of every variant: a command, a server, and those that are installed here."""

from __future__ import annotations

import asyncio
import sys
import warnings
from pathlib import Path

import pytest

from memeval.errors import EmbedderUnavailableError, NotInstalledError, UnknownNameError
from memeval.retrieval.base import Settings, check_answer
from memeval.retrieval.external import memsearch, registry
from memeval.retrieval.external.command import command_variant
from memeval.retrieval.external.mcp import mcp_variant
from memeval.retrieval.external.registry import SYSTEMS, find_external, survey_external
from memeval.retrieval.recipes import find_variant, select_variants

NOTE = "projects/shop/notes/redis-deploy.md"
QUERIES = (
    "port conflict",
    "PORT 6380",
    "監視設定",
    "needle-7f",
    "zzz no such word",
    "6380\n6379",
    "",
    " ",
    "(.*)+[",
    '"',
)


HERE = Path(__file__).parent
SCRIPT = """
import pathlib, sys
words = sys.stdin.read().lower().split()
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.md")):
    if any(word in path.read_text(encoding="utf-8").lower() for word in words):
        sys.stdout.buffer.write(f"{path}\\n".encode())
"""
GIVEN = (
    command_variant("a-command", [sys.executable, "-I", "-c", SCRIPT, "{root}"]),
    mcp_variant("a-server", [sys.executable, "-I", str(HERE / "tinymcp.py"), "{root}"]),
)
"""What a person gives for one run."""


def name_systems():
    yield from (pytest.param(variant, id=variant.name) for variant in GIVEN)
    for system in SYSTEMS:
        lack = system.describe_lack()
        marks = [pytest.mark.skip(reason=lack)] if lack else []
        marks += [pytest.mark.slow] if system.variant.needs_embedder else []
        yield pytest.param(system.variant, id=system.variant.name, marks=marks)


each_system = pytest.mark.parametrize("variant", list(name_systems()))


@pytest.fixture
def build(embedder, recwarn):
    """(variant, documents) -> the retriever; what other packages warn of is their matter."""
    warnings.simplefilter("ignore")

    def build(variant, documents):
        return variant.build(documents, Settings(embedder=embedder))

    return build


@each_system
def test_it_keeps_the_contract_and_finds_something(build, documents, variant):
    """Known ids, each once, falling scores, only ranked files shown; blank queries and marks do not break it."""
    retriever = build(variant, documents)
    for query in QUERIES:
        check_answer(retriever.search(query), {document.doc_id for document in documents})
    answer = retriever.search("PORT 6380")
    assert NOTE in [hit.doc_id for hit in answer.hits]
    assert NOTE in answer.shown


@each_system
def test_no_state_and_no_order(build, documents, variant):
    """A query gives the same files again, and from the same documents in another order; ties of others aside."""
    forward, backward = build(variant, documents), build(variant, documents[::-1])
    for query in QUERIES[:4]:
        answer = forward.search(query)
        assert forward.search(query) == answer
        scores = [hit.score for hit in backward.search(query).hits]
        assert scores == pytest.approx([hit.score for hit in answer.hits])


@each_system
@pytest.mark.parametrize("texts", [(), ("",), ("x",)], ids=["no file", "empty", "one letter"])
def test_poor_corpora_are_searched_like_any_other(build, make_document, variant, texts):
    """Nothing to find is no failure."""
    retriever = build(variant, [make_document(f"notes/{place}.md", text) for place, text in enumerate(texts)])
    for query in ("port", ""):
        check_answer(retriever.search(query), {"notes/0.md"})


@pytest.mark.skipif(registry.RIPGREP.describe_lack() is not None, reason=str(registry.RIPGREP.describe_lack()))
def test_ripgrep_finds_what_the_recipe_grep_finds(documents):
    """The same hits, scores and text: matching lines of one literal, whatever the case."""
    real, recipe = (find_variant(name).build(documents, Settings()) for name in ("ripgrep", "grep"))
    for query in (*QUERIES, "port", "設定", " Redis ", "CAFE\u0301", "ﾃﾞﾌﾟﾛｲ"):
        assert real.search(query) == recipe.search(query)


def lack_everything(monkeypatch):
    monkeypatch.setattr("memeval.retrieval.external.systems.find_spec", lambda _: None)
    monkeypatch.setattr("memeval.retrieval.external.ripgrep.shutil.which", lambda _: None)


def test_a_named_system_that_is_not_installed_is_an_error_that_says_how_to_get_it(monkeypatch):
    """Before anything runs; an unknown name is another error, which knows these names."""
    lack_everything(monkeypatch)
    with pytest.raises(NotInstalledError, match=r"the variant tantivy is another system: tantivy not installed: pip"):
        find_variant("tantivy")
    with pytest.raises(NotInstalledError, match=r"memsearch and milvus_lite not installed"):
        select_variants(["bm25", "memsearch-real"])
    with pytest.raises(UnknownNameError, match="Did you mean 'tantivy'"):
        find_variant("tantivvy")


def test_all_leaves_out_what_is_not_installed(monkeypatch):
    """And takes in what is."""
    names = {system.variant.name for system in SYSTEMS}
    lack_everything(monkeypatch)
    assert not names & {variant.name for variant in select_variants(["all"], has_embedder=True)}
    assert {variant.name for variant, _ in survey_external(()).lacking} == names
    monkeypatch.setattr("memeval.retrieval.external.systems.find_spec", lambda _: "here")
    monkeypatch.setattr("memeval.retrieval.external.ripgrep.shutil.which", lambda _: "/bin/rg")
    assert names <= {variant.name for variant in select_variants(["all"], has_embedder=True)}
    assert {"ripgrep", "tantivy"} == names & {variant.name for variant in select_variants(["all"])}
    assert find_external("tantivy", ()) is registry.TANTIVY.variant


@each_system
def test_without_an_embedder_a_dense_one_says_so(documents, variant):
    """As the recipes do."""
    if not variant.needs_embedder:
        pytest.skip("it has no dense leg")
    with pytest.raises(EmbedderUnavailableError, match="needs an embedding model"):
        variant.build(documents, Settings())


def test_what_memsearch_is_given_for_a_provider_is_the_runs_embedder(monkeypatch, embedder):
    """By its identity, since memsearch makes providers by name; its vectors, as plain numbers."""
    monkeypatch.setitem(memsearch._plugged, embedder.identity, embedder)
    provider = memsearch.Provider(embedder.identity)
    assert (provider.model_name, provider.dimension, provider.batch_size) == ("tiny", 8192, 32)
    rows = asyncio.run(provider.embed(["port conflict", "port"]))
    assert rows == embedder.embed_passages(["port conflict", "port"]).tolist()
    assert type(rows[0][0]) is float
