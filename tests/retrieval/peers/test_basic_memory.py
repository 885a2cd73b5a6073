"""basic-memory: beginnings of words, parts of notes, and the larger of two scores."""

from __future__ import annotations

import pytest

from memeval.retrieval.base import Settings
from memeval.retrieval.peers.basic_memory import BasicMemoryRanking, chunk_note, fuse


def test_parts_of_a_note():
    """A heading begins one, each bullet is its own with its indented lines, prose behind bullets begins anew."""
    text = "# Redis\nintro\nmore\n\n- host 6380\n  inside 6379\n- restart\nprose\n## Next\nend\n"
    assert [(piece.text, piece.first_line, piece.last_line) for piece in chunk_note(text)] == [
        ("# Redis\nintro\nmore", 1, 3),
        ("- host 6380\n  inside 6379", 5, 6),
        ("- restart", 7, 7),
        ("prose", 8, 8),
        ("## Next\nend", 9, 10),
    ]


def test_prose_is_cut_at_900_characters():
    """With 120 repeated."""
    pieces = list(chunk_note(" ".join(f"{n:04}" for n in range(400))))
    assert [len(piece.text) <= 900 for piece in pieces] == [True] * 3
    assert pieces[1].text[:100] in pieces[0].text


def test_the_larger_score_and_a_part_of_the_other():
    """max + 0.3 * min, whichever side it is."""
    assert fuse(0.8, 0.5) == fuse(0.5, 0.8) == pytest.approx(0.95)


def find(make_document, embedder, texts, query):
    documents = [make_document(f"notes/{place}.md", text) for place, text in enumerate(texts)]
    return {hit.doc_id: hit.score for hit in BasicMemoryRanking(documents, Settings(embedder=embedder)).rank(query)}


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("即适者生存，生存等于正确的道理", "即适者", True),
        ("即适者生存，生存等于正确的道理", "适者生", False),
        ("雾凇 拼音", "雾凇", True),
        ("deploying", "deploy", True),
        ("docs/setup/redis", "docs/setup", True),
    ],
)
def test_words_are_found_by_their_beginning(make_document, embedder, text, query, found):
    """In any script, slashes within a word; the text score of the one hit is 1."""
    scores = find(make_document, embedder, [text, "x", "y"], query)
    assert (scores.get("notes/0.md", 0.0) >= 1) is found


def test_words_written_together_are_not_those_apart(make_document, embedder):
    """`雾凇拼音` begins no word; what is left is what vectors say, and these share the pairs of characters."""
    assert find(make_document, embedder, ["雾凇 拼音", "x"], "雾凇拼音")["notes/0.md"] < 1


def test_both_sides_of_one_note(make_document, embedder):
    """Cosine 1 and the only text hit: 1 + 0.3; by meaning alone its cosine."""
    assert find(make_document, embedder, ["doctor", "x"], "doctor") == {"notes/0.md": pytest.approx(1.3)}
    assert find(make_document, embedder, ["doctor visit", "x"], "physician") == {
        "notes/0.md": pytest.approx(0.5**0.5, abs=1e-6)
    }
