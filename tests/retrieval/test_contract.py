"""What every variant keeps, whatever its rule: parametrised over the registry, so a new one is held to it at once."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from memeval.retrieval.base import Settings, check_answer
from memeval.retrieval.recipes import VARIANTS
from memeval.text import utf8_length

TINY = Path(__file__).with_name("tiny.py")
EMBEDDER = runpy.run_path(str(TINY))["TinyEmbedder"]()
RERANKER = runpy.run_path(str(TINY))["TinyReranker"]()
MODELS = {variant.model: EMBEDDER for variant in VARIANTS if variant.model}
NOTE = "projects/shop/notes/redis-deploy.md"
ANSWERS = {"port conflict": {NOTE: 2, "projects/shop/notes/中文.md": 1, "MEMORY.md": 0}}
BLANK = ("", " \n\t", "\u3000")
PUNCTUATION = ("…!?", "---", "(.*)+[")
QUERIES = ("port conflict", "PORT port", "監視設定", "設定", "コーヒー", "한국어", "ภาษาไทย", "cafe\u0301", "needle-7f")
QUERIES += ("zzz no such word", "6380\n6379", *BLANK, *PUNCTUATION)
LINE_NUMBER = re.compile(r"[0-9]+→ ")

ANSWERABLE = {"grep": "PORT 6380", "filename": "redis", "ghost-recall": "PORT 6380", "ghost-index": "redis"}
ANSWERABLE |= dict.fromkeys(
    ("openclaw", "openclaw-2026.8", "openclaw-keyword", "openclaw-trigram", "journal-knowledge", "qmd-lexical"),
    "redis host port",
)
ANSWERABLE |= {"omp-summary": "redis", "opencode-journal-substring": "PORT 6380"}
"""{variant: a query the note answers} where its rule needs other words than `port conflict`."""

each_variant = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
each_cut_variant = pytest.mark.parametrize(
    "variant",
    [v for v in VARIANTS if "profile" not in v.configuration and not v.has_own_cap],
    ids=lambda variant: variant.name,
)


def build(variant, documents, **settings):
    settings["reranker"] = RERANKER if variant.needs_reranker else None
    return variant.build(documents, Settings(answers=ANSWERS, embedder=EMBEDDER, models=MODELS, **settings))


@each_variant
def test_answers_keep_the_contract(variant, documents):
    """Known and unique ids, finite scores that never rise, only ranked documents shown, each block part of the text."""
    retriever = build(variant, documents)
    for query in QUERIES:
        answer = retriever.search(query)
        check_answer(answer, {document.doc_id for document in documents})
        place = 0
        for block in answer.blocks:
            place = answer.text.index(block.text, place) + len(block.text)


@each_variant
def test_a_snippet_is_the_documents_own_text(variant, documents):
    """What a block says about the document, its path or name and the terms found, is its heading; its own text follows.

    The marks of cuts and the numbers of lines aside.
    """
    texts = {document.doc_id: document.text.replace("\r\n", "\n") for document in documents}
    paths = {document.doc_id: document.path for document in documents}
    retriever = build(variant, documents)
    for query in (*QUERIES, "redis", "中文", "dump"):
        for block in retriever.search(query).blocks:
            assert block.text == block.heading + block.snippet
            assert block.heading.startswith((paths[block.doc_id], f"<{Path(block.doc_id).stem}>"))
            for line in block.snippet.split("\n"):
                assert LINE_NUMBER.sub("", line, count=1).strip("…") in texts[block.doc_id]


@each_variant
def test_something_is_found_where_it_can_be(variant, documents):
    """The contract is not kept by silence alone: each variant ranks and shows documents for a query it can answer."""
    query = ANSWERABLE.get(variant.name, "port conflict")
    answer = build(variant, documents).search(query)
    wanted = "MEMORY.md" if variant.name.endswith("-inject") else NOTE
    assert wanted in [hit.doc_id for hit in answer.hits]
    assert wanted in answer.shown


@each_variant
def test_no_state_between_searches(variant, documents):
    """A query gives the same answer first, last and again, and from a retriever built anew."""
    retriever = build(variant, documents)
    first = [retriever.search(query) for query in QUERIES]
    again = [retriever.search(query) for query in reversed(QUERIES)]
    assert first == again[::-1]
    assert first == [build(variant, documents).search(query) for query in QUERIES]


@each_variant
def test_the_order_of_the_documents_does_not_matter(variant, documents):
    """Any order of the same files is the same corpus."""
    forward, backward = build(variant, documents), build(variant, documents[::-1])
    for query in QUERIES:
        assert forward.search(query) == backward.search(query)


@each_variant
def test_a_query_without_a_word_ranks_nothing(variant, documents):
    """Blank, or no word of it stored: nothing is ranked or shown. Random and recency do not look at the query.

    What a variant gives back whatever is asked is held by its own tests.
    """
    retriever = build(variant, documents)
    for query in (*BLANK, "(.*)+[", "zzzz"):
        answer = retriever.search(query)
        if variant.name in {"random", "recency"}:
            assert len(answer.hits) == len(documents)
        elif not variant.always_answers:
            assert (answer.hits, answer.blocks) == ((), ())


@each_variant
def test_poor_corpora_are_well_defined(variant, make_document):
    """No documents, or documents that are empty, without a word or of one letter, are searched like any other."""
    for texts in ((), ("",), ("", "---\n"), ("x",)):
        documents = [make_document(f"notes/{place}.md", text) for place, text in enumerate(texts)]
        retriever = build(variant, documents)
        for query in QUERIES:
            answer = retriever.search(query)
            check_answer(answer, {document.doc_id for document in documents})
            assert documents or not answer.hits


@each_cut_variant
def test_the_budget_is_never_exceeded(variant, documents):
    """Markers included, variants without a cap of their own stay within the budget of the run."""
    for budget_bytes in (-1, 0, 10, 27, 28, 60, 150, 400, 1000, 16384):
        retriever = build(variant, documents, budget_bytes=budget_bytes)
        for query in QUERIES:
            assert utf8_length(retriever.search(query).text) <= max(budget_bytes, 0), (budget_bytes, query)


@each_variant
def test_the_registry_describes_it(variant):
    """A name to type, a description, a source, a configuration that JSON can hold; a control is never a default."""
    assert variant.name == variant.name.lower().strip()
    assert variant.description
    assert variant.source
    assert json.loads(json.dumps(variant.configuration)) == variant.configuration
    assert not (variant.control and variant.default)
    assert not ((variant.needs_embedder or variant.model or variant.needs_reranker) and variant.default)
    assert not (variant.needs_reranker and variant.takes_reranker)


SCRIPT = """
import json, runpy, sys
from memeval.memory.document import Document, Tier
from memeval.retrieval.base import Settings
from memeval.retrieval.recipes import VARIANTS
given = json.load(sys.stdin)
documents = [Document(**{**fields, "tier": Tier(fields["tier"])}) for fields in given["documents"]]
embedder = runpy.run_path(given["tiny"])["TinyEmbedder"]()
reranker = runpy.run_path(given["tiny"])["TinyReranker"]()
models = {variant.model: embedder for variant in VARIANTS if variant.model}
settings = Settings(answers=given["answers"], seed=7, embedder=embedder, models=models, reranker=reranker)
for variant in VARIANTS:
    retriever = variant.build(documents, settings)
    for query in given["queries"]:
        answer = retriever.search(query)
        print(json.dumps([variant.name, query, [[h.doc_id, h.score] for h in answer.hits], answer.text]))
"""


@pytest.mark.slow
def test_the_hash_seed_does_not_matter(documents):
    """Two interpreters with other hash seeds print the same hits, scores and texts for every variant."""
    given = json.dumps(
        {
            "documents": [asdict(d) for d in documents],
            "queries": QUERIES,
            "answers": ANSWERS,
            "tiny": str(TINY),
        }
    )
    printed = []
    for hash_seed in ("0", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(__file__).parents[2])}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT], input=given, capture_output=True, text=True, env=environment, check=True
        )
        assert run.stderr == ""
        printed.append(run.stdout)
    assert printed[0] == printed[1]
    assert printed[0].count("\n") == len(VARIANTS) * len(QUERIES)
