"""One file that was found: how it is named, and its lines in three sizes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.memory import PROFILES, Document, Tier
from memeval.memory.candidate import MAX_TAIL_BYTES, MAX_TERM_BYTES, SURROUNDINGS, WIDE, name_term
from memeval.memory.discovery import DiscoverySearch
from memeval.memory.folding import fold_width
from memeval.text import CLIPPED, utf8_length

WORDS = [
    "redis",
    "port",
    "transport",
    "v2.1",
    "監視設定",
    "監視",
    "設定",
    "ﾊﾟｽ",
    "\n",
    "\n# head\n",
    "x" * 200,
    "針" * 90,
]
TEXTS = st.lists(st.sampled_from([*WORDS, "\naliases: cache\n"]), max_size=25).map(" ".join)
QUERIES = st.sampled_from(["port", "redis port", "監視設定", "v2.1 パス", "cache", "針 x"])


def find(query, text, name="a.md"):
    """The only hit of a query in a store of two files."""
    documents = [
        Document(doc_id=one, path=one, tier=Tier.NOTE, name=one.rsplit("/", 1)[-1], text=other)
        for one, other in ((name, text), ("filled.md", "nothing"))
    ]
    hits = DiscoverySearch(documents, PROFILES["memeval"]).search(query).hits
    return next((hit for hit in hits if hit.doc_id == name), None)


@pytest.mark.parametrize(
    ("query", "text", "name", "matched"),
    [
        ("redis port", "a port of redis", "a.md", ("redis", "port")),
        ("ports", "the port", "a.md", ("ports",)),
        ("port", "transport", "a.md", ("port in a word",)),
        ("port", "transport port", "a.md", ("port",)),
        ("port", "nothing", "port-map.md", ("port",)),
        ("cache", "aliases: cache", "a.md", ("alias cache",)),
        ("cache", "aliases: cache\n\ncache", "a.md", ("cache",)),
        ("ache", "aliases: cache", "a.md", ("alias ache in a word",)),
        ("redis-deploy", "see redis-deploy", "a.md", ("redis-deploy",)),
        ("redis-deploy", "deploy redis", "a.md", ("redis", "deploy")),
        ("監視設定", "監視設定", "a.md", ("監視設定",)),
        ("監視設定", "監視の設定", "a.md", ("監視", "設定")),
        ("監視設定", "aliases: 監視設定", "a.md", ("alias 監視設定",)),
        ("deployments", "the deployer", "a.md", ("deploy…",)),
        ("PORT", "a port", "a.md", ("port",)),
    ],
)
def test_what_was_matched(query, text, name, matched):
    """Each thing found once, with where it stands unless that is the text or the name; pairs as the run they make."""
    assert find(query, text, name).matched_terms == matched


@pytest.mark.parametrize(
    ("text", "name", "is_by_name", "lines"),
    [
        ("a port\nports\nx", "a.md", False, 2),
        ("x\ny", "port.md", True, 0),
        ("aliases: port\nx", "a.md", False, 0),
        ("aliases: port\nport", "port.md", False, 1),
    ],
)
def test_where_it_was_found(text, name, is_by_name, lines):
    """By the name alone, or not; lines that hold something, lines of aliases aside."""
    hit = find("port", text, name)
    assert (hit.filename_only, hit.total_hits) == (is_by_name, lines)


def test_a_name_alone_shows_the_beginning():
    """The first lines that tell something, without aliases."""
    hit = find("port", "---\n\naliases: cache\n# head\none\ntwo\nthree", "port.md")
    assert (hit.line, hit.body, hit.wide_body) == ("# head", "# head\none\ntwo", "# head\none\ntwo")


def test_the_heading_is_path_and_terms():
    """Eight things are named, then a mark."""
    words = [f"w{number}" for number in range(10)]
    assert find("port", "port", "n/a.md").heading == "n/a.md  [matched: port]"
    assert find(" ".join(words), " ".join(words)).heading == f"a.md  [matched: {', '.join(words[:8])}, …]"


def test_a_long_term_is_named_by_its_beginning():
    """At most so many bytes, on a character, with a mark."""
    assert name_term("x" * MAX_TERM_BYTES) == "x" * MAX_TERM_BYTES
    assert name_term("x" * (MAX_TERM_BYTES + 1)) == "x" * MAX_TERM_BYTES + CLIPPED
    assert name_term("設" * 21) == "設" * 20 + CLIPPED


@given(TEXTS, QUERIES)
def test_three_sizes(text, query):
    """One line, some lines, more lines: each under its cap, with a mark of what was found, and no more than before."""
    hit = find(query, text)
    if hit is None:
        return
    for shown, max_bytes in (
        (hit.line, MAX_TAIL_BYTES),
        (hit.body, SURROUNDINGS.max_bytes),
        (hit.wide_body, WIDE.max_bytes),
    ):
        assert utf8_length(shown) <= max_bytes
        marks = [term.key for term, _ in hit.match.held]
        assert not hit.spots or any(mark in fold_width(shown).text for mark in marks)
    assert len(hit.body.split("\n")) <= len(hit.wide_body.split("\n"))


@given(TEXTS, QUERIES)
def test_a_hit_is_found_somewhere(text, query):
    """It names what was matched, and has lines, or is found by its name or aliases."""
    hit = find(query, text, "v2.1/port.md")
    if hit is None:
        return
    assert hit.matched_terms
    assert (hit.total_hits > 0) == bool(hit.spots)
    assert hit.spots or hit.filename_only or any(term.startswith("alias ") for term in hit.matched_terms)
