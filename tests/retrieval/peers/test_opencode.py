"""opencode-agent-memory: what stands in context of a block, and what the journal finds and shows."""

from __future__ import annotations

import pytest

from memeval.errors import EmbedderUnavailableError
from memeval.retrieval.base import Settings
from memeval.retrieval.peers.opencode import read_block
from memeval.retrieval.recipes import find_variant


def build(documents, variant="opencode-blocks", **settings):
    return find_variant(variant).build(documents, Settings(**settings))


FRONT = "---\nlabel: human\ndescription: who <they> are\nlimit: 300\nread_only: true\n---\nAda\nlikes tea & rain\n"


def test_a_block_is_rendered_with_what_is_known_of_it(make_document):
    """The description is escaped, the value is not and has numbered lines; its size is in UTF-16 code units."""
    answer = build([make_document("MEMORY.md", FRONT), make_document("notes/a1.md", "😀")]).search("tea")
    first, second = answer.blocks
    assert first.heading == (
        "<human>\n<description>\nwho &lt;they&gt; are\n</description>\n<metadata>\n- chars_current=21\n"
        "- chars_limit=300\n- read_only=true\n- scope=global\n</metadata>\n<value>\n"
    )
    assert first.snippet == "1→ Ada\n2→ likes tea & rain"
    assert "- chars_current=2\n- chars_limit=5000\n- read_only=false\n- scope=project\n" in second.heading
    assert answer.text == (
        f"<memory_blocks>\n{first.text}\n</value>\n</human>\n{second.text}\n</value>\n</a1>\n</memory_blocks>"
    )


def test_all_blocks_in_the_order_of_injection(make_document):
    """Persona, human and project, the other global ones, the other ones of the project; the same for any query."""
    names = ("notes/zz.md", "notes/project.md", "notes/aa.md", "notes/human.md", "MEMORY.md", "notes/persona.md")
    retriever = build([make_document(name, "x") for name in names])
    answer = retriever.search("anything")
    assert answer.shown == (
        "notes/persona.md",
        "notes/human.md",
        "notes/project.md",
        "MEMORY.md",
        "notes/aa.md",
        "notes/zz.md",
    )
    assert [hit.score for hit in answer.hits] == [6, 5, 4, 3, 2, 1]
    assert retriever.search("") == answer


def test_a_block_over_its_limit_is_injected_whole(make_document):
    """The limit is kept when a tool writes; a file edited by hand is not cut."""
    (block,) = build([make_document("long.md", "y" * 6000)]).search("").blocks
    assert "- chars_current=6000\n- chars_limit=5000\n" in block.heading
    assert block.snippet.count("y") == 6000


@pytest.mark.parametrize("name", ["a.md", "x" * 62 + ".md", "監控.md", "-ab.md", "two words.md"])
def test_a_file_without_a_label_is_no_block(make_document, name):
    """2 to 61 ASCII letters, digits, `_` and `-`."""
    assert read_block(make_document(f"notes/{name}", "x")) is None
    assert build([make_document(f"notes/{name}", "x")]).search("x").hits == ()


def test_front_matter_with_other_line_ends_is_text(make_document):
    """It is part of the value, and the label is the file name; so is one that does not begin the file or end."""
    for text in (FRONT.replace("\n", "\r\n"), "\n" + FRONT, "---\nlabel: human\n"):
        block = read_block(make_document("notes/who.md", text))
        assert (block.label, block.value) == ("who", text)


def test_the_journal_shows_twenty_titles(make_document, embedder):
    """Every cosine above 0 counts, the newest of equal ones first; no body, so no evidence but the title's own."""
    documents = [
        make_document(f"daily/2026-03-{day:02}.md", f"# Day\nport {day} {'w ' * day}", f"2026-03-{day:02}")
        for day in range(1, 25)
    ]
    documents.append(make_document("notes/other.md", "# Other\nnothing"))
    answer = build(documents, "opencode-journal", embedder=embedder).search("port")
    assert len(answer.hits) == 24
    assert len(answer.blocks) == 20
    assert answer.hits[0].doc_id == "daily/2026-03-24.md"  # all cosines are one over the root of four words
    assert answer.blocks[0].text == "store/daily/2026-03-24.md\nDay"
    assert answer.text.startswith("20 of 24 entries\n\n")


def test_an_entry_is_one_vector_of_title_and_body(make_document, embedder):
    """The nearest of all, whatever the length: a word among many is far away."""
    documents = [
        make_document("a.md", "# Car\nred"),
        make_document("b.md", "# Notes\n" + "automobile " + " ".join(f"w{place}" for place in range(60))),
        make_document("c.md", "---\ntitle: automobile\n---\nred"),
    ]
    answer = build(documents, "opencode-journal", embedder=embedder).search("automobile")
    assert [hit.doc_id for hit in answer.hits] == ["a.md", "c.md", "b.md"]
    assert [block.text.split("\n")[1] for block in answer.blocks] == ["Car", "automobile", "Notes"]
    assert build(documents, "opencode-journal", embedder=embedder).search(" ").hits == ()


def test_without_a_model_the_whole_query_is_a_substring(make_document):
    """Whatever the case, words in this order, in title or body; the newest first."""
    documents = [
        make_document("notes/a.md", "# Ports\nPort Conflict again"),
        make_document("daily/2026-03-01.md", "port conflict", "2026-03-01"),
        make_document("daily/2026-03-02.md", "port conflict", "2026-03-02"),
        make_document("notes/b.md", "conflict of a port"),
    ]
    answer = build(documents, "opencode-journal-substring").search("port conflict")
    assert [(hit.doc_id, hit.score) for hit in answer.hits] == [
        ("daily/2026-03-02.md", 3),
        ("daily/2026-03-01.md", 2),
        ("notes/a.md", 1),
    ]
    assert build(documents, "opencode-journal-substring").search("port  conflict").hits == ()


def test_a_title_from_a_file_name_is_no_text_of_the_entry(make_document):
    """It stands in the heading, so that it is no evidence."""
    (block,) = build([make_document("notes/port-map.md", "6380")], "opencode-journal-substring").search("6380").blocks
    assert block.text == "store/notes/port-map.md\nport map"
    assert block.snippet == ""


def test_the_journal_needs_an_embedder(documents):
    """The one by substring does not."""
    with pytest.raises(EmbedderUnavailableError):
        build(documents, "opencode-journal")
    assert build(documents, "opencode-journal-substring").search("6380").hits
