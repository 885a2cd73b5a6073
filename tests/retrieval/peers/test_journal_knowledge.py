"""Two layers: which logs are still in scope."""

from __future__ import annotations

from memeval.retrieval.base import Settings
from memeval.retrieval.peers.journal_knowledge import limit_journal
from memeval.retrieval.recipes import find_variant


def test_logs_of_five_days_stay(make_document):
    """The newest log and the four days before it; notes and long-term memory whatever their age."""
    days = [f"2026-03-{day}" for day in range(20, 29)]
    documents = [make_document("MEMORY.md", "x"), make_document("notes/a.md", "x")]
    documents += [make_document(f"memory/{day}.md", "x", day) for day in days]
    kept = [document.doc_id for document in limit_journal(documents)]
    assert kept == ["MEMORY.md", "notes/a.md", *(f"memory/{day}.md" for day in days[-5:])]


def test_without_logs_everything_is_in_scope(make_document):
    """No day, no age."""
    documents = [make_document("notes/a.md", "x")]
    assert limit_journal(documents) == documents


def test_the_topic_note_is_found_and_the_old_debug_trail_is_not(make_document, embedder):
    """The article's case: the trail of nine days ago has all the words, and is archived."""
    documents = [
        make_document("memory/2026-03-19.md", "wireguard settings", "2026-03-19"),
        make_document("memory/2026-03-28.md", "bread", "2026-03-28"),
        make_document("notes/wireguard.md", "wireguard settings final"),
    ]
    settings = Settings(embedder=embedder)
    answers = {
        name: [hit.doc_id for hit in find_variant(name).build(documents, settings).search("wireguard settings").hits]
        for name in ("openclaw", "journal-knowledge")
    }
    assert answers["openclaw"] == ["memory/2026-03-19.md", "notes/wireguard.md"]
    assert answers["journal-knowledge"] == ["notes/wireguard.md"]
