"""The order of files: the formula worked by hand, what must raise a score, and ties."""

from __future__ import annotations

import importlib
import math
import re
from functools import reduce
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.memory import Document, Tier
from memeval.memory.folding import fold_width
from memeval.memory.ranking import ALIAS_WEIGHT, INSIDE_WEIGHT, K1, NAME_WEIGHT, B, Ranker
from memeval.memory.terms import TermKind, parse_query, split_grams

WORDS = [
    "redis",
    "port",
    "ports",
    "transport",
    "report",
    "v2.1",
    "設定",
    "再設定",
    "監視",
    "aliases: cache",
    "\n",
    "-",
    "ﾊﾟｽ",
]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join)
STORES = st.lists(TEXTS, min_size=1, max_size=6)
QUERIES = st.sampled_from(["port", "redis port", "設定", "監視設定", "v2.1", "cache パス", "note"])


def make(text, doc_id="a.md", date=None):
    return Document(doc_id=doc_id, path=doc_id, tier=Tier.NOTE, name=doc_id.rsplit("/", 1)[-1], text=text, date=date)


def make_all(texts):
    return [make(text, f"note-{number}.md") for number, text in enumerate(texts)]


def rank(query, *documents):
    """(doc_id, score) best first."""
    return [(documents[match.place].doc_id, match.score) for match in Ranker(documents).rank(parse_query(query))]


def work_out(tf, holders, files, size, mean, weight=1.0):
    """The formula of the module's first lines."""
    idf = math.log(1 + (files - holders + 0.5) / (holders + 0.5))
    return weight * idf * tf * (K1 + 1) / (tf + K1 * (1 - B + B * size / mean))


def test_the_formula_by_hand():
    """Fields are summed before saturation; a word inside longer ones has its own count of holders and less weight."""
    texts = ["port port aliases", "aliases: port\n", "transport", "nothing of it at all"]
    documents = [make(text, name) for text, name in zip(texts, ["port-map.md", "b.md", "c.md", "d.md"], strict=True)]
    sizes = [len(text) for text in texts]
    mean = sum(sizes) / 4
    scores = dict(rank("port", *documents))
    assert scores == {
        "port-map.md": pytest.approx(work_out(2 + NAME_WEIGHT, 2, 4, sizes[0], mean), abs=1e-8),
        "b.md": pytest.approx(work_out(1 + ALIAS_WEIGHT, 2, 4, sizes[1], mean), abs=1e-8),
        "c.md": pytest.approx(work_out(1, 3, 4, sizes[2], mean, INSIDE_WEIGHT), abs=1e-8),
    }


def test_terms_add_up():
    """The score of two words is the sum of their scores."""
    documents = make_all(["redis port", "redis", "port port", "x"])
    alone = [dict(rank(query, *documents)) for query in ("redis", "port")]
    both = dict(rank("redis port", *documents))
    assert both == {doc_id: pytest.approx(sum(scores.get(doc_id, 0) for scores in alone), abs=2e-9) for doc_id in both}


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("port", make("port"), make("transport")),
        ("port", make("port port x"), make("port x x x x")),
        ("port", make("port"), make("port" + " filled" * 40)),
        ("port", make("x", "port.md"), make("port", "b.md")),
        ("port", make("aliases: port"), make("the lines port")),
        ("redis port", make("redis port x x x"), make("port port x x x x")),
        ("監視設定", make("監視設定"), make("監視の設定")),
    ],
)
def test_what_weighs_more(query, better, worse):
    """A whole word, more of it, in fewer words, in the name, in an alias; both words; neighbours."""
    better, worse = make(better.text, "n/" + better.name), make(worse.text, "m/" + worse.name)
    others = [make("something else", f"o/{number}.md") for number in range(5)]
    assert [doc_id for doc_id, _ in rank(query, worse, better, *others)][:2] == [better.doc_id, worse.doc_id]


def test_rare_words_weigh_more():
    """What every file holds decides little."""
    documents = [make("hall redis", "a.md"), make("hall gull", "b.md"), *make_all(["redis hall"] * 5)]
    assert rank("redis gull", *documents)[0][0] == "b.md"


def test_ties():
    """Equal evidence: newer log first, then what has no date, then by path."""
    documents = [
        make("port", "z.md"),
        make("port", "b.md"),
        make("port", "daily/2026-03-02.md", "2026-03-02"),
        make("port", "daily/2026-03-05.md", "2026-03-05"),
    ]
    order = ["daily/2026-03-05.md", "daily/2026-03-02.md", "b.md", "z.md"]
    assert [doc_id for doc_id, _ in rank("port", *documents)] == order


@given(STORES, QUERIES)
def test_the_order_is_that_of_the_scores(texts, query):
    """Falling, all above 0, of documents that hold a term; masks say which, and each document stands once."""
    terms = parse_query(query)
    ranker = Ranker(make_all(texts))
    matches = ranker.rank(terms)
    assert [match.score for match in matches] == sorted((match.score for match in matches), reverse=True)
    assert len({match.place for match in matches}) == len(matches)
    for match in matches:
        assert match.score > 0
        assert not match.whole_mask & match.inside_mask
        assert [term for term, _ in match.held] == [term for n, term in enumerate(terms) if match.mask >> n & 1]
    for term in terms:
        assert ranker.count(term) == sum(term in [held for held, _ in match.held] for match in matches)


@given(st.permutations(range(5)), st.lists(TEXTS, min_size=5, max_size=5), QUERIES)
def test_the_order_of_documents_makes_no_difference(order, texts, query):
    """Scores and ranking belong to the files."""
    documents = make_all(texts)
    assert rank(query, *documents) == rank(query, *(documents[place] for place in order))


@given(STORES, st.sampled_from(["port", "redis", "設定"]))
def test_once_more_is_more(texts, word):
    """Of two files of one length the one that holds the word more often, as a whole, stands first."""
    more, less = f"{word} {word} {texts[0]}", f"{word} {'x' * len(word.encode())} {texts[0]}"
    scores = dict(rank(word, make(more, "more.md"), make(less, "less.md"), *make_all(texts)))
    assert scores["more.md"] > scores["less.md"]


@given(STORES, st.sampled_from(WORDS))
def test_lines_are_counted(texts, word):
    """By any literal, and by those that hold a term as a whole; terms looked up before change no count."""
    documents = make_all(texts)
    literal = fold_width(word.strip()).text
    wanted = sum(literal in line for text in texts for line in fold_width(text).text.split("\n")) if literal else 0
    ranker = Ranker(documents)
    assert ranker.count_lines(literal) == wanted
    other = Ranker(documents)
    other.rank(parse_query(word))
    assert other.count_lines(literal, parse_query(word)) == wanted
    for term in parse_query("port"):
        whole = [line for text in texts for line in text.split("\n") if {"port", "ports"} & set(line.split())]
        assert other.count_whole_lines(term) == len(whole)


def test_parts_count_where_two_of_them_meet():
    """Two characters of a pair on one line, in any field; one alone, or on two lines, is no hit; words always are."""
    texts = ["監督が視る", "監督\n視る", "監督", "aliases: 視監", "beginning"]
    ranker = Ranker(make_all(texts))
    parts = split_grams(parse_query("監視"))
    assert {term.kind for term in parts} == {TermKind.CHARACTER}
    assert sorted(match.place for match in ranker.rank_loosely(parts)) == [0, 3]
    assert [match.place for match in ranker.rank_loosely([*parts[:1], *parse_query("beginning")])] == [4]


def test_rarity_is_by_whole_words_first():
    """A term that stands inside longer words alone is weighed by those."""
    ranker = Ranker(make_all(["port", "transport", "report", "x"]))
    port, trans = parse_query("port trans")
    assert ranker.weigh(port) == math.log(1 + 3.5 / 1.5)
    assert ranker.weigh(trans) == math.log(1 + 3.5 / 1.5)
    assert ranker.count(port) == 3


def test_a_text_stands_in_any_field():
    """Text, file name without its ending, aliases; folded."""
    ranker = Ranker([make("ＤＢ\naliases: cache", "port-map.md")])
    assert [ranker.stands(text) for text in ("db", "cache", "port-map", ".md", "wifi")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_nothing_to_rank():
    """No documents, no terms, documents without a byte."""
    assert Ranker([]).rank(parse_query("port")) == []
    assert Ranker([make("port")]).rank([]) == []
    assert rank("port", make("", "port.md"), make("", "b.md"))[0][0] == "port.md"


PAGE = Path(__file__).parents[2] / "docs" / "ranking.md"
CONSTANTS = re.findall(r"^\| `(\w+)\.([\w.]+)` \| (\S+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize(
    ("module", "name", "value"), CONSTANTS, ids=[f"{module}.{name}" for module, name, _ in CONSTANTS]
)
def test_constants_of_the_page_are_those_of_the_code(module, name, value):
    """What docs/ranking.md says of a constant is what runs."""
    constant = reduce(getattr, name.split("."), importlib.import_module(f"memeval.memory.{module}"))
    assert constant == float(value)


def test_the_page_names_the_constants_of_the_order():
    """Each number of the formula is there."""
    named = {name for module, name, _ in CONSTANTS if module == "ranking"}
    assert named == {"K1", "B", "NAME_WEIGHT", "ALIAS_WEIGHT", "INSIDE_WEIGHT"}
