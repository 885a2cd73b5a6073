"""The project's own memory: its log of searches is whole and harmless, and its needs are taken from it alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memeval import load_suite
from memeval.memory import read_search_log
from memeval.memory.searchlog import LOG_FILE
from memeval.testbed.lint.privacy import find_private

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "corpora" / "devlog"
LOG = CORPUS / LOG_FILE


@pytest.fixture(scope="module")
def events():
    """What was searched and read, in order; every line of the log is an event."""
    found, problems = read_search_log(LOG)
    assert problems == ()
    return found


@pytest.fixture(scope="module")
def suite():
    """The recorded needs."""
    return load_suite(ROOT / "queries" / "devlog.recall.yaml")


def test_the_counts_that_are_stated_are_those_of_the_log(events, suite):
    """corpus.yaml says how many searches there were, and no search is missing from the file or added to it."""
    kinds = [event.kind for event in events]
    stated = re.search(r"(\d+) searches and (\d+) reads", suite.corpus.made)
    assert (int(stated[1]), int(stated[2])) == (kinds.count("search"), kinds.count("read"))
    assert f"{len(suite.needs)} of them became needs" in suite.corpus.made


def test_every_wording_was_typed_and_its_file_was_read_afterwards(events, suite):
    """Wordings are queries of the log, word for word and in their order; an expected file was read after the last."""
    places = {event.query: place for place, event in enumerate(events) if event.kind == "search"}
    for need in suite.needs:
        asked = [places[wording.text] for wording in need.wordings]
        assert asked == sorted(asked), need.id
        read = {doc_id for event in events[asked[-1] :] if event.kind == "read" for doc_id in event.shown}
        assert need.relevant & read, need.id
        assert need.tags == ("recorded",)
        assert not need.must_find


def test_the_log_holds_nothing_private():
    """No secret, no address, no home folder, in any line of the log."""
    for line in LOG.read_text(encoding="utf-8").splitlines():
        assert [pattern.name for pattern in find_private(line)] == []


def test_the_log_is_searched_by_nobody(suite):
    """Neither the log nor what describes the corpus is among its documents."""
    names = {document.name for document in suite.corpus.documents}
    assert all(name.endswith(".md") for name in names)
    assert "README.md" not in names
    assert len(names) >= 20
