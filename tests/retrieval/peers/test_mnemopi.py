"""oh-my-pi's rows: shares of words, floors, age, and previews that end at 500 characters."""

from __future__ import annotations

import math

import pytest

from memeval.retrieval.base import Settings
from memeval.retrieval.peers.mnemopi import Mnemopi, keep_fresh, list_tokens, share_words


def test_tokens_of_a_query():
    """Lower-cased, fillers left out, hyphens split, a CJK run whole, each once."""
    assert list_tokens("What is the DEC-0054 Port port 成语接龙") == ("dec", "0054", "port", "成语接龙")


@pytest.mark.parametrize(
    ("query", "text", "share"),
    [
        ("port", "a port", 0.7),
        ("port", "port port port", 0.9),
        ("port", "port " * 9, 1.0),
        ("port", "none", 0.0),
        ("port conflict", "a port of conflict", 1.0),
        ("port conflict", "the port conflict", 1.0),
        ("port conflict", "conflict of ports", 0.75),
        ("port conflict twice", "port", 1 / 3),
        ("成语", "今天玩成语接龙游戏", 0.7),
        ("", "x", 0.0),
    ],
)
def test_share_of_words(query, text, share):
    """One word by its occurrences; several by substring, else whole ones, and half for one inside a word."""
    assert share_words(query, list_tokens(query), text) == pytest.approx(share)


def test_age_leaves_seven_tenths():
    """0.7 + 0.3 * exp(-hours / 72)."""
    assert keep_fresh(0) == 1.0
    assert keep_fresh(3) == pytest.approx(0.7 + 0.3 * math.exp(-1))


@pytest.fixture
def ask(make_document, embedder):
    """(texts, query) -> the answer over notes/0.md, notes/1.md, …"""

    def search(texts, query):
        documents = [make_document(f"notes/{place}.md", text) for place, text in enumerate(texts)]
        return Mnemopi(documents, Settings(embedder=embedder)).search(query)

    return search


def test_the_score_of_a_row(ask):
    """Alone, with one of two words in two: max(0.5 * 0.5 + 0.3 * 1 + 0.1, 0.8 * 0.5) * 0.8 = 0.52."""
    (hit,) = ask(["port x"], "port conflict").hits
    assert hit.score == pytest.approx((0.5 * 0.5 + 0.3 + 0.1) * 0.8)


def test_rows_below_both_floors_are_dropped(ask):
    """One of four words is above 0.22, one of five is below it; a near meaning passes by its cosine."""
    assert len(ask(["port"], "port aa bb cc").hits) == 1
    assert ask(["port " + " ".join(f"w{n}" for n in range(9))], "port aa bb cc dd").hits == ()
    assert len(ask(["doctor"], "physician").hits) == 1


def test_a_preview_ends_at_500_characters(ask):
    """Without a mark: what stands behind is matched and never seen."""
    answer = ask(["x" * 600 + " needle"], "needle")
    assert answer.text == "store/notes/0.md#L1-L1\n" + "x" * 500


def test_eight_rows_are_shown(ask):
    """Of nine."""
    answer = ask(["port"] * 9, "port")
    assert (len(answer.hits), len(answer.blocks)) == (9, 8)


def test_the_newer_of_two_logs_comes_first(make_document, embedder):
    """The same words, 30 days apart."""
    documents = [make_document(f"memory/{day}.md", "wifi heron", day) for day in ("2026-03-01", "2026-03-31")]
    hits = Mnemopi(documents, Settings(embedder=embedder)).search("wifi").hits
    assert [hit.doc_id for hit in hits] == ["memory/2026-03-31.md", "memory/2026-03-01.md"]
    assert hits[1].score / hits[0].score == pytest.approx(0.7 + 0.3 * math.exp(-10))
