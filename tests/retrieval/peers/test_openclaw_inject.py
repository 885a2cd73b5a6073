"""What OpenClaw reads at the start: the cap of a file, and the logs of two days."""

from __future__ import annotations

from memeval.retrieval.peers.openclaw_inject import OpenClawInject, cut_middle


def test_the_middle_of_a_file_over_the_cap_is_lost():
    """At 12,000: 9,000 characters of the head, a mark, 2,880 of the tail; a text that fits is whole."""
    text = "".join(f"{n:05}\n" for n in range(2001))
    assert len(text) == 12_006
    cut = cut_middle(text)
    assert cut == f"{text[:9000]}\n…\n{text[-2880:]}"
    assert cut_middle(text[:12_000]) == text[:12_000]


def test_memory_and_the_logs_of_two_days_are_read(make_document):
    """The newest log and the day before it, the newest first; no other log, no note, whatever is asked."""
    days = ("2026-03-01", "2026-03-04", "2026-03-05")
    documents = [make_document(f"memory/{day}.md", day, day) for day in days]
    documents += [make_document("notes/a.md", "x"), make_document("MEMORY.md", "rule\n")]
    answer = OpenClawInject(documents).search("anything")
    assert answer.text == (
        "store/MEMORY.md\nrule\n\nstore/memory/2026-03-05.md\n2026-03-05\n\nstore/memory/2026-03-04.md\n2026-03-04"
    )
    assert [hit.score for hit in answer.hits] == [3, 2, 1]


def test_all_files_together_have_a_cap(make_document):
    """Five files of 12,000 characters are 60,000; the sixth is left out."""
    logs = [make_document(f"memory/2026-03-0{1 + n // 3}-{n}.md", "x" * 12_000) for n in range(5)]
    answer = OpenClawInject([make_document("MEMORY.md", "x" * 12_000), *logs]).search("")
    assert len(answer.blocks) == 5
