"""What a corpus is, counted."""

import re
from dataclasses import replace

from memeval.memory.document import Document, Tier
from memeval.testbed import load_corpus
from memeval.testbed.corpus import Corpus, digest_documents
from memeval.testbed.description import MAX_PAIRS_SHOWN, describe_corpus, render_description


def test_counts_of_a_store(store):
    """Files and bytes by tier, sizes, lines, scripts and days, by hand."""
    description = describe_corpus(load_corpus(store))
    assert [(tier.tier, tier.files, tier.size_bytes) for tier in description.tiers] == [
        (Tier.LONG_TERM, 1, 24),
        (Tier.DAILY, 1, 35),
        (Tier.NOTE, 2, 60 + 48),
    ]
    assert (description.files, description.size_bytes) == (4, 167)
    assert (description.largest, description.largest_bytes) == ("projects/shop-1/notes/redis.md", 60)
    assert (description.median_bytes, description.most_lines) == (35, 4)
    assert (description.first_day, description.last_day, description.days) == ("2026-05-30", "2026-05-30", 1)
    assert description.script_files == {"Latin": 4}
    assert description.duplicates == ()


def make(texts, **fields):
    """A corpus of notes."""
    documents = tuple(
        Document(doc_id=doc_id, path=doc_id, tier=Tier.NOTE, name=doc_id, text=text) for doc_id, text in texts.items()
    )
    return Corpus(name="c", documents=documents, digest=digest_documents(documents), **fields)


def test_aliases_of_both_kinds():
    """Aliases in files and in the overlay are counted apart; an empty list is none."""
    corpus = make({"a.md": "aliases: one, two", "b.md": "x"})
    description = describe_corpus(corpus, {"b.md": ["three"], "a.md": []})
    assert (description.own_aliases, description.overlay_aliases) == ({"a.md": 2}, {"b.md": 1})
    assert "2 in 1 file, 1 in the overlay for 1 file" in render_description(description)


def test_rendered_description(store):
    """Every fact has its line, and what is not said is called so."""
    lines = render_description(describe_corpus(load_corpus(store))).splitlines()
    facts = {line[2:19].strip(): line[19:].strip() for line in lines[1:]}
    assert lines[0] == "store"
    assert facts["files"] == "4 (1 long-term, 1 daily, 2 note)"
    assert re.fullmatch(
        r"\d+; the median file has 35, the largest \d+ \(.+\.md\); the longest has 4 lines", facts["bytes"]
    )
    assert facts["what"].startswith("a memory root as the engine lays it out: MEMORY.md")
    assert facts["logs"] == "1, 2026-05-30 to 2026-05-30 (1 day)"
    assert facts["scripts"] == "Latin 100.0% of the letters, in 4 files"
    assert (facts["licence"], facts["blind"], facts["aliases"]) == ("not said", "not said", "none")


def test_a_name_cannot_forge_a_line():
    """Control characters of a name are shown as escapes."""
    text = render_description(describe_corpus(replace(make({"a\nfiles 9.md": "x"}), name="c\x1b[2J")))
    assert "\x1b" not in text
    assert "\nfiles 9" not in text


def test_empty_and_alike_files():
    """A corpus without a letter or a log has no division by nothing, and many pairs are shown in part."""
    description = describe_corpus(make({f"{number:02}.md": "1 2 3" for number in range(6)}))
    assert len(description.duplicates) == 15
    lines = render_description(description).splitlines()
    assert sum(line.startswith("    100%") for line in lines) == MAX_PAIRS_SHOWN
    assert any("no letter" in line for line in lines)
    assert any("none named after a day" in line for line in lines)
    assert describe_corpus(make({"a.md": ""})).most_lines == 0
