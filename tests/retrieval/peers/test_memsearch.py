"""memsearch: what its legs see, how deep they look, what is shown, and what a hit is expanded to."""

from __future__ import annotations

import pytest

from memeval.errors import EmbedderUnavailableError
from memeval.retrieval.base import Settings
from memeval.retrieval.chunking import Piece
from memeval.retrieval.peers.memsearch import find_section, split_at_underscores, split_words
from memeval.retrieval.recipes import find_variant
from memeval.text import utf8_length


@pytest.fixture
def search(embedder):
    """(documents, query, variant) -> Answer."""
    settings = Settings(embedder=embedder)
    return lambda documents, query, variant="memsearch": find_variant(variant).build(documents, settings).search(query)


def ranks(answer):
    return [(hit.doc_id, pytest.approx(hit.score, abs=1e-4)) for hit in answer.hits]


@pytest.mark.parametrize(
    ("text", "whole", "split"),
    [
        ("memory_search", ["memory_search"], ["memory", "search"]),
        ("DEC-0054 Mod.rs", ["dec", "0054", "mod", "rs"], ["dec", "0054", "mod", "rs"]),
        (
            "今天玩成语接龙游戏 然后 部署",
            ["今天玩成语接龙游戏", "然后", "部署"],
            ["今天玩成语接龙游戏", "然后", "部署"],
        ),
    ],
)
def test_the_two_tokenisers(text, whole, split):
    """They differ in the underscore alone; a run of Han without spaces is one token to both."""
    assert split_words(text) == whole
    assert split_at_underscores(text) == split


def test_a_part_of_an_identifier_is_found_by_the_older_tokeniser_alone(make_document, search):
    """The word leg of the newer one is silent, and the score says so: one leg, the vectors', which always answers."""
    documents = [make_document("a.md", "green"), make_document("b.md", "snake_case here")]
    assert ranks(search(documents, "snake_case")) == [("b.md", 1.0), ("a.md", 0.4919)]
    assert search(documents, "snake", "memsearch-2.5").hits[0].doc_id == "b.md"
    assert search(documents, "snake", "memsearch-2.5").hits[0].score > 0.9
    assert max(hit.score for hit in search(documents, "snake").hits) == 0.5


def test_an_unspaced_run_leaves_the_vectors_alone(make_document, search):
    """成语接龙 is no token of the text that holds it, so no score is above 0.5; 部署 stands between spaces."""
    documents = [
        make_document("a.md", "今天玩成语接龙游戏 然后 部署"),
        make_document("b.md", "我们决定用 PostgreSQL 16"),
    ]
    assert max(hit.score for hit in search(documents, "成语接龙").hits) == 0.5
    assert ranks(search(documents, "部署"))[0] == ("a.md", 1.0)
    assert ranks(search(documents, "postgresql"))[0] == ("b.md", 1.0)


def test_each_leg_is_five_deep(make_document, search):
    """A sixth file of the vectors is not there, however near; nonsense gives five at 0.5, 0.4919, …"""
    documents = [make_document(f"{place}.md", f"word{place}") for place in range(7)]
    answer = search(documents, "nonsense")
    assert ranks(answer) == [
        ("0.md", 0.5),
        ("1.md", 0.4919),
        ("2.md", 0.4841),
        ("3.md", 0.4766),
        ("4.md", 0.4692),
    ]
    assert answer.shown == tuple(f"{place}.md" for place in range(5))


def test_a_chunk_does_not_know_the_headings_above_it(make_document, search):
    """What stands under `# Auth` is not found by its word, since a heading without a body is no chunk."""
    documents = [make_document("a.md", "# Auth\n## JWT\nRS256\n"), make_document("b.md", "nothing\n")]
    assert max(hit.score for hit in search(documents, "auth").hits) == 0.5
    assert ranks(search(documents, "jwt"))[0] == ("a.md", 1.0)


def test_comments_are_in_the_words_and_not_in_the_vectors(make_document, search):
    """The id of a session in an anchor is found by BM25; the vector is that of the text beside it."""
    documents = [make_document("a.md", "red\n<!-- session:f00d -->"), make_document("b.md", "red")]
    assert ranks(search(documents, "f00d"))[0] == ("a.md", 1.0)
    # To BM25 the shorter text is the better one; to the vectors both are equal, and a comes first.
    assert ranks(search(documents, "red")) == [("a.md", 0.9919), ("b.md", 0.9919)]


def test_five_chunks_are_shown_whole_by_file(make_document, search):
    """Two chunks of one file stand together, and its evidence is in its own text, whatever its length."""
    long = "# Long\n" + "needle " * 200
    documents = [make_document("a.md", f"{long}\n# Other\nneedle hay"), make_document("b.md", "straw")]
    answer = search(documents, "needle")
    first = answer.blocks[0]
    assert first.doc_id == "a.md"
    assert first.heading in {"store/a.md#L1-L2,L3-L4", "store/a.md#L3-L4,L1-L2"}
    assert f"needle {'needle ' * 190}".strip() in first.snippet
    assert "# Other\nneedle hay" in first.snippet


def test_expanding_a_hit():
    """Back to a heading as high as its own, or higher, that stands before its first line, and on to the next one."""
    lines = ["# A", "a", "## B", "b", "### C", "c", "## D", "d", "# E", "e"]
    section = lambda line, level: find_section(lines, Piece("", line, line, "", level))  # noqa: E731
    spans = {
        (line, level): (section(line, level).first_line, section(line, level).last_line)
        for line, level in [(1, 1), (2, 1), (4, 2), (6, 3), (3, 2), (7, 2), (10, 1), (9, 1), (3, 0)]
    }
    assert spans == {
        (1, 1): (1, 8),
        (2, 1): (1, 8),
        (4, 2): (3, 6),
        (6, 3): (5, 6),
        (3, 2): (1, 6),  # it begins with its own heading, and the section before it comes along
        (7, 2): (3, 8),
        (10, 1): (9, 10),
        (9, 1): (1, 10),
        (3, 0): (3, 10),  # above the first heading: to the end of the file
    }
    assert section(4, 2).text == "## B\nb\n### C\nc"


def test_a_comment_in_a_code_fence_ends_a_section():
    """The fence is not seen; `#Tag` counts as well."""
    lines = ["## A", "```", "# step", "```", "#Tag", "x"]
    assert find_section(lines, Piece("", 1, 2, "", 2)).last_line == 2
    assert find_section(lines, Piece("", 4, 4, "", 1)).first_line == 3


def test_a_section_is_read_once_and_both_steps_are_paid_for(make_document, search):
    """Two chunks of one section: one section shown; the text is that of the search, then that of the sections."""
    body = "\n\n".join(f"needle{place} " + "w " * 340 for place in range(4))
    documents = [make_document("a.md", f"# Long\n\n{body}\n\nlast line")]
    hits, expanded = search(documents, "needle1"), search(documents, "needle1", "memsearch-expand")
    assert len(hits.blocks[0].heading.split(",")) > 1
    assert "last line" in expanded.blocks[0].snippet
    assert expanded.blocks[0].snippet.count("# Long") == 1
    assert expanded.hits == hits.hits
    assert expanded.text == f"{hits.text}\n\n{expanded.blocks[0].text}"
    assert utf8_length(expanded.text) > utf8_length(hits.text)


def test_without_an_embedder_it_cannot_be_built(documents):
    """A run records it as ungradable, with the way to a model."""
    for variant in ("memsearch", "memsearch-2.5", "memsearch-expand"):
        with pytest.raises(EmbedderUnavailableError, match="embedding model"):
            find_variant(variant).build(documents, Settings())
