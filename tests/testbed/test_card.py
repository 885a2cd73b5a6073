"""Corpus cards: what they tell, that no search sees them, and that the committed ones are what would be written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memeval.bench.suite import find_suites, load_suite
from memeval.errors import CorpusError
from memeval.testbed.card import CARD_FILE, CORPUS_FILE, find_corpora, is_card, read_card, write_card
from memeval.testbed.corpus import load_corpus
from memeval.testbed.lint import KINDS

ROOT = Path(__file__).parents[2]
CORPORA = ROOT / "corpora"
FACTS = """\
name: shop
languages: [en, zh]
licence: MIT
blind: true
description: |
  A shop.

  # not a heading
provenance:
  wordings: From one line about the situation.
  origin: Invented.
made: by hand
flaws: [One writer., 'Two | pipes.']
"""


@pytest.fixture
def shop(small_suite, write_files):
    """The folder of a corpus with facts and aliases, and its suite with a free wording and a second writer."""
    root = small_suite.parents[1] / "store"
    write_files(root, {CORPUS_FILE: FACTS, "aliases.yaml": "MEMORY.md: [house rules, working hours]\n"})
    text = small_suite.read_text(encoding="utf-8").replace("lang: en\n", "lang: en\njudged: 2026-11-30\n", 1)
    text = text.replace("- port conflict", "- {text: port conflict, elicited: free}")
    text = text.replace("kind: spaced", "kind: spaced, elicited: requested, writer: b")
    small_suite.write_text(text, encoding="utf-8")
    return root, load_suite(small_suite)


def test_a_card_tells_what_its_sources_say(shop):
    """Facts, provenance in its fixed order, flaws, tiers, and the counts of needs and wordings, all by hand."""
    root, suite = shop
    card = read_card(root, [suite])
    told = re.sub(r"^.*?## How", "## How", card, flags=re.DOTALL)
    assert told.startswith(
        "## How it was made\n\n- **Origin**: Invented.\n- **Wordings**: From one line about the situation.\n- by hand\n"
        "- Blind: whoever wrote the wordings had not read the files.\n\n"
        "## What is wrong with it\n\n- One writer.\n- Two | pipes.\n\n## The files\n"
    )
    assert "A shop. # not a heading\n" in card
    assert "- Languages: en, zh\n- Licence: MIT\n" in card
    for row in (
        ("long-term", 1),
        ("daily", 1),
        ("note", 4),
        ("all", 6),
        ("needs", 4),
        ("of them with nothing stored", 1),
        ("with several files that answer", 1),
        ("with evidence", 1),
        ("that must be found", 1),
        ("wordings", 7),
    ):
        assert re.search(rf"^\| {re.escape(row[0])} \| {row[1]} \|", card, re.MULTILINE), row
    assert "| free | – | 1 | 1 |\n" in card
    assert "| requested | spaced | 1 | 1 |\n" in card
    assert "| not said | unseen-words | 1 | 1 |\n" in card
    assert "Free wordings: 0 of the 1 with something to find share no word" in card
    assert "Judged: 4 pairs of need and file, on 2026-11-30; 4 answer\n" in card
    assert "2 in the overlay for 1 file" in card
    assert "warning `crowded-cutoff`" in card


def test_a_card_without_sources_says_so(store, write_files):
    """An empty corpus.yaml is not filled with guesses, and no suite means no counts of needs."""
    write_files(store, {CORPUS_FILE: "name: bare\n"})
    card = read_card(store, [])
    assert "- Languages: not said\n- Licence: not said\n" in card
    assert "- Whether whoever wrote the wordings had read the files, corpus.yaml does not say.\n" in card
    assert "corpus.yaml names no flaw." in card
    assert card.endswith("## The needs\n\nNo suite asks this corpus.\n")


def test_a_store_that_cannot_be_read_whole_gets_no_card(store, write_files):
    """A card would be of fewer files than there are."""
    write_files(store, {"corpus.yaml": "name: a\n", "projects/shop-1/notes/bad.md": b"caf\xe9"})
    with pytest.raises(CorpusError, match=r"no card without projects/shop-1/notes/bad\.md \(not UTF-8"):
        read_card(store, ())


def test_a_card_is_no_part_of_the_store(shop):
    """Documents and digest are the same with the card; writing it again gives the same card."""
    root, suite = shop
    before = load_corpus(root)
    path = write_card(root, read_card(root, [suite]))
    assert path == root / CARD_FILE
    assert load_corpus(root) == before
    assert read_card(root, [suite]) == path.read_text(encoding="utf-8")


def test_a_readme_of_the_store_stays_in_it(shop):
    """A README that is no card is searched as before, and never written over."""
    root, suite = shop
    (root / CARD_FILE).write_text("# Team\n", encoding="utf-8")
    assert CARD_FILE in [document.doc_id for document in load_corpus(root).documents]
    with pytest.raises(CorpusError, match="is no corpus card"):
        write_card(root, read_card(root, [suite]))
    assert (root / CARD_FILE).read_text(encoding="utf-8") == "# Team\n"


def test_one_card_for_several_corpora(tmp_path, write_files):
    """Folders below one without a corpus.yaml share a card: a row each, what all have in common said once."""
    common = "licence: MIT\nblind: false\nflaws: [Small.]\n"
    for name in ("one", "two"):
        write_files(
            tmp_path / "all" / name, {"MEMORY.md": "x", CORPUS_FILE: f"name: {name}\ndescription: D {name}\n{common}"}
        )
    write_files(tmp_path / "all" / "two", {CORPUS_FILE: f"name: two\n{common.replace('Small.', 'Small., Odd.')}"})
    card = read_card(tmp_path / "all", [])
    assert "2 corpora. What holds for all of them:\n\n- Not blind: " in card
    assert card.count("MIT") == card.count("**Flaw**: Small.") == card.count("Not blind") == 1
    assert card.endswith("## one\n\nD one\n\n## two\n\n- **Flaw**: Odd.\n")
    assert "| [one](#one) | not said | 1 | 1 | 0 | 0 | 0 | 0 | 0 |\n" in card


def test_nothing_to_write_a_card_about(tmp_path):
    """A folder without any corpus.yaml is refused, not described as if it had one."""
    with pytest.raises(CorpusError, match=r"neither a corpus\.yaml here nor one in a folder directly below"):
        find_corpora(tmp_path)


CARDS = sorted({path.parent for path in CORPORA.glob(f"*/{CORPUS_FILE}")} | {CORPORA / "stories"})


@pytest.mark.slow
@pytest.mark.parametrize("folder", CARDS, ids=lambda folder: folder.name)
def test_the_committed_cards_are_what_would_be_written(folder):
    """No card says what its corpus.yaml, files and suites no longer do."""
    names = {root.name for root in find_corpora(folder)}
    suites = [load_suite(path) for path in find_suites(ROOT / "queries") if path.name.split(".")[0] in names]
    assert (folder / CARD_FILE).read_text(encoding="utf-8") == read_card(folder, suites), (
        "write it again: memeval corpus card corpora/* --write"
    )


@pytest.mark.parametrize("folder", CARDS, ids=lambda folder: folder.name)
def test_every_bundled_corpus_has_a_card_and_says_how_it_was_made(folder):
    """A reader finds origin, the blind rule and the flaws of each; a card is told from a file of the store."""
    assert is_card((folder / CARD_FILE).read_text(encoding="utf-8"))
    for root in find_corpora(folder):
        corpus = load_corpus(root)
        assert corpus.provenance.get("origin") or corpus.made
        assert corpus.flaws
        assert corpus.blind is not None


def test_kinds_are_in_the_order_of_the_list():
    """A card shows kinds in the order of KINDS, whatever the order in the file."""
    folder = CORPORA / "ops-ko"
    kinds = re.findall(r"^\| requested \| ([a-z-]+) \|", (folder / CARD_FILE).read_text(encoding="utf-8"), re.MULTILINE)
    assert kinds == [kind for kind in KINDS if kind in kinds]
    assert len(kinds) > 5
