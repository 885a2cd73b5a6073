"""OpenClaw: chunks, keywords and their fallback, the weighted sum, the floor, and what the later generation adds."""

from __future__ import annotations

import pytest

from memeval.retrieval.base import Settings
from memeval.retrieval.fulltext import TRIGRAM, UNICODE61
from memeval.retrieval.peers.openclaw import (
    CLASSIC,
    CURRENT,
    KeywordLeg,
    OpenClaw,
    chunk_text,
    compute_decay,
    diversify,
    list_fallback_terms,
    list_words,
    score_rank,
    score_words,
    weigh,
)

OTHERS = ("one more file of other words", "nothing of note here", "bread rises slowly", "tide tables of may")


@pytest.fixture
def make_store(make_document):
    """(text, …) -> documents notes/0.md, notes/1.md, …"""
    return lambda *texts: [make_document(f"notes/{place}.md", text) for place, text in enumerate(texts)]


def ids(answer):
    return [hit.doc_id for hit in answer.hits]


def test_sizes_count_cjk_four_times():
    """Han, kana, Hangul and full-width forms; everything else once."""
    assert weigh("abc 漢かカ한Ａ é") == 4 + 4 * 5 + 2


def test_chunks_are_whole_lines_of_1600_with_320_repeated():
    """Lines of 99 characters and their end: 16 to a chunk, the last four of them again."""
    text = "\n".join(f"{number:099}" for number in range(40))
    spans = [(piece.first_line, piece.last_line) for piece in chunk_text(text, CLASSIC)]
    assert spans == [(1, 16), (13, 28), (25, 40)]


@pytest.mark.parametrize(("generation", "size"), [(CLASSIC, 3001), (CURRENT, 1500)])
def test_a_long_last_line_is_carried_by_the_classic_alone(generation, size):
    """Two lines of 1,500: the classic's second chunk begins with all of the first line."""
    pieces = list(chunk_text("a" * 1500 + "\n" + "b" * 1500, generation))
    assert len(pieces[1].text) == size


@pytest.mark.parametrize(
    ("query", "tokenizer", "terms"),
    [
        ("which port 18789", UNICODE61, ("port",)),
        ("The gateway timeout of db", UNICODE61, ("gateway", "timeout")),
        ("成语接龙", UNICODE61, ("成", "语", "接", "龙", "成语", "语接")),
        ("成语接龙", TRIGRAM, ("成语接龙",)),
        ("什么", TRIGRAM, ()),
        ("什麼", TRIGRAM, ("什麼",)),
        (
            "a1 b2 alpha beta gamma delta epsilon zeta eta",
            UNICODE61,
            ("alpha", "beta", "gamma", "delta", "epsilon", "zeta"),
        ),
    ],
)
def test_fallback_terms(query, tokenizer, terms):
    """Numbers, short words and stop words go; Traditional stop words stay; six at most."""
    assert list_fallback_terms(query, tokenizer) == terms


def test_the_text_score_of_a_rank():
    """|r| / (1 + |r|) for SQLite's negative ranks."""
    assert score_rank(-3.0) == 0.75
    assert score_rank(0.0) == 1.0
    assert score_rank(1.0) == 0.5


def found(texts, query, tokenizer=UNICODE61, generation=CLASSIC):
    return [place for place, _ in KeywordLeg(texts, generation, tokenizer).rank(query)]


@pytest.mark.parametrize(
    ("query", "tokenizer", "hit"),
    [
        ("18789 port", UNICODE61, True),
        ("which port", UNICODE61, True),  # by the fallback alone
        ("which gateway 18789", UNICODE61, False),  # the fallback drops the number
        ("成语", UNICODE61, False),
        ("成语", TRIGRAM, True),
        ("成语接龙", UNICODE61, False),
        ("成语接龙", TRIGRAM, True),
        ("成語接龍", TRIGRAM, False),
        ("1878", TRIGRAM, True),
        ("飞书插件配置", TRIGRAM, False),
    ],
)
def test_what_keywords_find(query, tokenizer, hit):
    """All words in any order; else single words; CJK inside a sentence under trigram alone, never across scripts."""
    texts = ["the port is 18789", "今天玩成语接龙游戏", "飞书插件的配置说明", *OTHERS]
    assert bool(found(texts, query, tokenizer)) is hit


def test_a_short_term_beside_a_long_one_is_a_substring_too():
    """`配置 gateway` under trigram: both must be there."""
    texts = ["gateway 的配置", "gateway only", *OTHERS]
    assert found(texts, "配置 gateway", TRIGRAM) == [0]


def test_short_latin_terms_are_looked_up_by_the_later_generation():
    """`db gateway`: the classic's index has no term of two letters and falls back to the other word."""
    texts = ["db for the gateway", "gateway only", "x", "y", "z"]
    classic, current = (dict(KeywordLeg(texts, g, TRIGRAM).rank("db gateway")) for g in (CLASSIC, CURRENT))
    assert set(classic) == {0, 1}
    assert set(current) == {0, 1}  # the pool is thin: the fallback adds the second
    assert classic[0] < classic[1]
    assert KeywordLeg(texts, CURRENT, TRIGRAM).rank("db") == [(0, 0.0)]
    assert KeywordLeg(texts, CLASSIC, TRIGRAM).rank("db") == []


def test_one_word_of_four_passes_without_vectors():
    """0.1 + 0.45 / 4 + 0.2 / 60 + 0.18 = 0.396: over the floor by the length of the text."""
    text = "port " + "sixmore " * 59
    assert score_words("alpha beta gamma port", "notes/x.md", text, 0.1) == pytest.approx(0.396, abs=5e-4)


def test_a_term_in_the_path_adds_and_the_sum_ends_at_one():
    """0.18 for each."""
    base = score_words("redis port", "notes/x.md", "x", 0.0)
    assert score_words("redis port", "notes/redis-port.md", "x", 0.0) == pytest.approx(base + 0.36)
    assert score_words("port", "port.md", "port", 0.9) == 1.0


def search(documents, embedder, query, generation=CLASSIC):
    return OpenClaw(documents, generation, UNICODE61, Settings(embedder=embedder)).search(query)


def test_both_legs_add_up(make_store, embedder):
    """0.7 * cosine + 0.3 * text, above the floor; a shared word in three is not enough."""
    documents = make_store("port conflict", "port of call", *OTHERS)
    assert ids(search(documents, embedder, "port conflict")) == ["notes/0.md"]


def test_an_exact_id_below_the_floor_is_given_back_as_a_keyword_hit(make_store, embedder):
    """One word of a long text: 0.7 * 0.18 + 0.3 * 0.6 does not pass, so that the keyword hit comes anyway."""
    long = "tk-4711 " + " ".join(f"word{n}" for n in range(28))
    answer = search(make_store(long, *OTHERS), embedder, "4711")
    assert ids(answer) == ["notes/0.md"]


def test_where_something_passes_keyword_hits_do_not_come(make_store, embedder):
    """The same text beside one that passes."""
    long = "tk-4711 " + " ".join(f"word{n}" for n in range(28))
    assert ids(search(make_store(long, "4711", *OTHERS), embedder, "4711")) == ["notes/1.md"]


def test_a_meaning_without_a_common_word_is_found_by_vectors(make_store, embedder):
    """`physician` for `doctor`: cosine 1 / sqrt(2) passes."""
    assert ids(search(make_store("doctor visit", *OTHERS), embedder, "physician")) == ["notes/0.md"]


def test_six_chunks_of_700_characters_are_shown(make_store, embedder):
    """Of eight files that pass, six; of a long one its beginning."""
    text = "port " + " " * 800 + "end"
    answer = search(make_store(*[text] * 8), embedder, "port end")
    assert len(answer.hits) == 8
    assert answer.shown == tuple(f"notes/{n}.md" for n in range(6))
    assert answer.blocks[0].text == f"store/notes/0.md#L1-L1\n{text[:700]}"


def test_logs_lose_half_in_thirty_days(make_document):
    """By the day a name begins with, the newest one standing for today; other files never age."""
    names = ("2026-05-31.md", "2026-05-01-notes.md", "topic.md", "2026-13-01.md")
    decay = compute_decay([make_document(f"memory/{name}", "x") for name in names])
    assert decay == {"memory/2026-05-31.md": 1.0, "memory/2026-05-01-notes.md": pytest.approx(0.5)}


def test_the_later_generation_prefers_the_newer_log(make_document, embedder):
    """The same words: the classic ties by name, the later one drops the old log below the floor."""
    documents = [
        make_document("memory/2026-01-01.md", "wifi password old"),
        make_document("memory/2026-03-02.md", "wifi password new"),
    ]
    assert ids(search(documents, embedder, "wifi password"))[0] == "memory/2026-01-01.md"
    assert ids(search(documents, embedder, "wifi password", CURRENT)) == ["memory/2026-03-02.md"]


def test_near_duplicates_make_room():
    """The second says the same as the first: 0.7 * 0.9 - 0.3 is less than 0.7 * 0.85."""
    same, other = frozenset("abc"), frozenset("xyz")
    words = [same, same, other]
    assert diversify([(0, 1.0), (1, 0.9), (2, 0.85), (3, 0.0)], [*words, frozenset()]) == [
        (0, 1.0),
        (2, 0.85),
        (1, 0.9),
        (3, 0.0),
    ]


def test_words_of_a_snippet():
    """ASCII words, CJK characters and pairs."""
    assert list_words("Redis 連接埠") == {"redis", "連", "接", "埠", "連接", "接埠"}


def test_an_exact_name_comes_first_in_the_later_generation(make_document, embedder):
    """A dated file stem as the query, though its text shares nothing with it."""
    documents = [make_document("memory/2026-03-01.md", "bread"), make_document("notes/a.md", "2026-03-01 2026-03-01")]
    assert ids(search(documents, embedder, "2026-03-01", CURRENT))[0] == "memory/2026-03-01.md"


def test_spare_places_go_to_hits_by_keyword_alone(make_document, embedder):
    """The one file with the word is not among the 200 nearest: it comes behind them, though it is below the floor."""
    near = [make_document(f"notes/{n:03}.md", "automobile") for n in range(200)]
    far = make_document("notes/far.md", "car " + " ".join(f"word{n}" for n in range(50)))
    assert ids(search([*near, far], embedder, "car", CURRENT))[-1] == "notes/far.md"
    assert "notes/far.md" not in ids(search([*near, far], embedder, "car"))
    assert "notes/far.md" not in ids(search([*near[1:], far], embedder, "car", CURRENT))  # the 200th nearest: no spare
