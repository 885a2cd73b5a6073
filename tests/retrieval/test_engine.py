"""The engine as a variant says what the engine says."""

from __future__ import annotations

import pytest

from memeval.memory.profile import PROFILES
from memeval.memory.search import open_search
from memeval.retrieval.engine import EngineRetriever
from memeval.text import utf8_length


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)
def test_order_and_text_are_the_engines(profile, documents):
    """Hits in the engine's order with scores from n down to 1; the text is what its search tool says."""
    retriever, searcher = EngineRetriever(open_search(documents, profile)), open_search(documents, profile)
    for query in ("port conflict", "6380 設定", "redis", "nowhere"):
        answer, result = retriever.search(query), searcher.search(query)
        assert [hit.doc_id for hit in answer.hits] == [hit.doc_id for hit in result.hits]
        assert [hit.score for hit in answer.hits] == list(range(len(result.hits), 0, -1))
        assert answer.text == result.text()


@pytest.mark.parametrize(("name", "cap"), [("article", 16_384), ("current", 32_768)])
def test_matched_and_shown_are_two_things(name, cap, make_document):
    """60 files of 1 KiB match; what is shown stops at the profile's own cap, whatever the budget of the run."""
    documents = [make_document(f"notes/{i:02}.md", "port " + "x" * 1000) for i in range(60)]
    answer = EngineRetriever(open_search(documents, PROFILES[name])).search("port")
    assert len(answer.hits) == 60
    assert cap // 1100 <= len(answer.shown) < cap // 1000
    assert answer.shown == tuple(hit.doc_id for hit in answer.hits[: len(answer.shown)])
    assert utf8_length(answer.text) <= cap


def test_nothing_found_is_said_in_the_engines_words(documents):
    """The sentence is what the agent reads, so it is the text, though no document is shown."""
    answer = EngineRetriever(open_search(documents, PROFILES["article"])).search("nowhere")
    assert (answer.hits, answer.blocks, answer.text) == ((), (), "No matches for 'nowhere'.")
