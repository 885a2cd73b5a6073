"""The LanceDB plugin: each step of its score by hand, and what its floor, age, length and diversity do to an answer."""

from __future__ import annotations

import math

import pytest

from memeval.errors import EmbeddingError
from memeval.retrieval.base import Settings
from memeval.retrieval.chunking import Piece, Unit
from memeval.retrieval.peers.lancedb_pro import (
    LanceDbPro,
    TwoSides,
    blend,
    compute_age_factor,
    fuse,
    rerank,
    score_bm25,
    score_vector,
    shorten,
)

FILL = ("bread rises slowly", "tide tables of may", "one more file", "nothing of note")


def ids(answer):
    return [hit.doc_id for hit in answer.hits]


@pytest.fixture
def recall(make_document, embedder):
    """(texts, query, **settings) -> the answer over notes/0.md, notes/1.md, … and four others."""

    def ask(texts, query, **settings):
        documents = [make_document(f"notes/{place}.md", text) for place, text in enumerate((*texts, *FILL))]
        return LanceDbPro(documents, Settings(embedder=embedder, **settings)).search(query)

    return ask


@pytest.mark.parametrize(("cosine", "score"), [(1.0, 1.0), (0.0, 0.5), (0.1, 1 / 1.9), (-1.0, 1 / 3)])
def test_a_vector_score_is_never_below_a_third(cosine, score):
    """1 / (2 - cosine)."""
    assert score_vector(cosine) == pytest.approx(score)


def test_nothing_in_common_comes_to_the_floor_exactly():
    """0.7 * 0.5 = 0.35: on the vector side alone the floor separates nothing."""
    assert fuse(score_vector(0.0), None) == pytest.approx(0.35)
    assert fuse(score_vector(0.1), None) == pytest.approx(0.368, abs=5e-4)


def test_any_word_is_half_and_three_quarters_need_5_5():
    """sigmoid(raw / 5)."""
    assert score_bm25(0.0) == 0.5
    assert score_bm25(5.5) == pytest.approx(0.75, abs=2e-3)


@pytest.mark.parametrize(
    ("vector", "text", "fused"),
    [(0.8, 0.6, 0.74), (0.5, 0.9, 0.828), (0.5, 0.74, 0.572), (None, 0.55, 0.55), (0.625, None, 0.4375)],
)
def test_two_sides_become_one_score(vector, text, fused):
    """Weighted, a strong text kept at 0.92, a row by text alone unweighted."""
    assert fuse(vector, text) == pytest.approx(fused)


def test_any_word_beats_every_vector_below_0_6():
    """0.5 for the least text hit; 0.7 / (2 - 0.6) = 0.5."""
    assert fuse(None, score_bm25(0.0)) == pytest.approx(fuse(score_vector(0.6), None))


@pytest.mark.parametrize(("text", "score"), [(0.8, 0.76), (0.7, 0.72), (0.0, 0.4)])
def test_a_second_look_takes_a_part_only(text, score):
    """Fused 0.8, second look 0: 0.4 * 0.8 = 0.32, but never below 0.95, 0.9 or 0.5 of fused."""
    assert rerank(0.8, text, 0.0) == pytest.approx(score)
    assert rerank(0.8, text, 1.0) == pytest.approx(0.92)


def test_without_a_reranker_the_cosine_is_mixed_in():
    """0.7 * fused + 0.3 * cosine: 0.245 for nothing in common."""
    assert blend(0.35, 0.0) == pytest.approx(0.245)


@pytest.mark.parametrize(("chars", "factor"), [(500, 1.0), (1000, 0.667), (2000, 0.5), (4000, 0.4)])
def test_length_costs(chars, factor):
    """From 500 characters on."""
    assert shorten(1.0, chars) == pytest.approx(factor, abs=5e-4)


def test_age_costs_a_fifth_at_most():
    """Half-life 30 * e^0.75 = 63.5 days down to the tier's floor: 0.79."""
    assert compute_age_factor(0) == 1.0
    assert compute_age_factor(10) == pytest.approx(0.3 + 0.7 * 0.5 ** (10 / (30 * math.exp(0.75))))
    assert compute_age_factor(10_000) == pytest.approx(0.79)


def test_three_rows_are_shown_whole(recall):
    """Of four that pass."""
    answer = recall(["port conflict a", "port conflict b", "port conflict c", "port conflict d"], "port conflict")
    assert len(answer.hits) == 4
    assert answer.shown == ("notes/0.md", "notes/1.md", "notes/2.md")
    assert answer.blocks[0].text == "store/notes/0.md#L1-L1\nport conflict a"


def test_six_rows_are_looked_at_again(recall):
    """Twice as many as are given back; a seventh as good is dropped."""
    assert len(recall(["port conflict"] * 9, "port conflict").hits) == 6


def test_words_out_of_order_and_a_word_too_many_are_found(recall):
    """OR over words."""
    assert ids(recall(["the port is 18789"], "which 18789 port")) == ["notes/0.md"]


def test_a_cjk_word_inside_a_sentence_is_found_by_substring(embedder):
    """Where the words find nothing: 0.72 + 0.02 * 2; but the whole query must be contained, in the same script."""
    sides = TwoSides([Unit("notes/0.md", Piece("今天玩成语接龙游戏", 1, 1))], Settings(embedder=embedder))
    assert sides.rank("成语")[2] == {0: pytest.approx(0.76)}
    assert sides.rank("成语接龙游戏今天玩成语接龙游戏")[2] == sides.rank("成語")[2] == {}


def test_a_long_note_falls_below_the_floor(recall):
    """The same words with 4,000 characters around them: 0.4 of the score."""
    short = "port conflict " + " ".join(f"w{n}" for n in range(20))
    long = "port conflict " + " ".join(f"word-{n:04}" for n in range(400))
    assert ids(recall([short], "port conflict")) == ["notes/0.md"]
    assert ids(recall([long], "port conflict")) == []


def test_near_copies_stand_behind_what_differs(recall):
    """Cosine above 0.85 to a row that is kept: behind the others, not left out."""
    copies = ["alpha beta gamma delta epsilon zeta eta", "alpha beta gamma delta epsilon zeta theta"]
    answer = recall([*copies, "alpha beta " + " ".join(f"x{n}" for n in range(6))], "alpha beta gamma")
    assert ids(answer) == ["notes/0.md", "notes/2.md", "notes/1.md"]


def test_an_old_note_is_rarely_lost_by_age(make_document, embedder):
    """A year old and contradicted: it loses a fifth, stands second, and is shown."""
    documents = [
        make_document("memory/2025-03-01.md", "wifi password heron"),
        make_document("memory/2026-03-01.md", "wifi password tern"),
    ]
    answer = LanceDbPro(documents, Settings(embedder=embedder)).search("wifi password")
    assert answer.shown == ("memory/2026-03-01.md", "memory/2025-03-01.md")


class Second:
    """A reranker that likes one text."""

    identity = "second"

    def score(self, query, passages):
        return [1.0 if "tern" in passage else 0.0 for passage in passages]


def test_the_reranker_of_the_run_is_used(recall):
    """Two rows of one score: the one it likes is first."""
    texts = ["wifi password heron", "wifi password tern"]
    assert ids(recall(texts, "wifi password"))[0] == "notes/0.md"
    assert ids(recall(texts, "wifi password", reranker=Second()))[0] == "notes/1.md"


def test_a_reranker_that_does_not_keep_its_word_is_named(recall):
    """As in a hybrid search: a number too few moves no row without a word."""
    odd = Second()
    odd.score = lambda query, passages: [float("nan")] * len(passages)
    with pytest.raises(EmbeddingError, match="the reranker 'second' gave the score nan for"):
        recall(["wifi password heron", "wifi password tern"], "wifi password", reranker=odd)
