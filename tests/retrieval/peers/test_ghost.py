"""Ghost In Shell: what recall finds and shows, how trigger lines are read and followed, and when an index is full."""

from __future__ import annotations

import pytest

from memeval.retrieval.base import Settings
from memeval.retrieval.peers.ghost import (
    NOTHING_RECALLED,
    GhostIndex,
    GhostRecall,
    measure_budget,
    read_episodes,
    read_trigger_lines,
)
from memeval.retrieval.recipes import find_variant

DAILY = "projects/shop/daily"
NOTES = "projects/shop/notes"


def ids(answer):
    return [hit.doc_id for hit in answer.hits]


@pytest.fixture
def logs(make_document):
    """Three days of one shop, and a note."""
    return [
        make_document(f"{DAILY}/2026-03-02.md", "### 09:00 — deploy\nsaid success, old build live\n", "2026-03-02"),
        make_document(
            f"{DAILY}/2026-03-01.md", "### 10:00 — ports\nPort 18789\n\n### 11:00 — lunch\nnoodles\n", "2026-03-01"
        ),
        make_document(f"{DAILY}/2026-03-03.md", "no heading: port 18789 again\n", "2026-03-03"),
        make_document(f"{NOTES}/ports.md", "# Ports\nPort 18789 is the gateway\n"),
    ]


def test_episodes_are_read_oldest_first(logs):
    """Entries of dated logs by day and place, then other files; a text without a heading has no title of its own."""
    assert [(episode.doc_id, episode.title) for episode in read_episodes(logs)] == [
        (f"{DAILY}/2026-03-01.md", "10:00 — ports"),
        (f"{DAILY}/2026-03-01.md", "11:00 — lunch"),
        (f"{DAILY}/2026-03-02.md", "09:00 — deploy"),
        (f"{DAILY}/2026-03-03.md", ""),
        (f"{NOTES}/ports.md", "Ports"),
    ]


def test_text_before_the_first_heading_is_an_episode(make_document):
    """A log that begins without a heading loses none of its lines."""
    log = make_document(f"{DAILY}/2026-03-01.md", "woke up\n### 10:00 — ports\nx\n", "2026-03-01")
    assert [episode.text for episode in read_episodes([log])] == ["woke up", "### 10:00 — ports\nx"]


def test_recall_is_one_literal_and_shows_titles_alone(logs):
    """Whatever the case, the whole query as a substring; the content is searched and never shown."""
    answer = GhostRecall(logs).search("PORT 18789")
    assert ids(answer) == [f"{DAILY}/2026-03-01.md", f"{DAILY}/2026-03-03.md", f"{NOTES}/ports.md"]
    assert answer.text == (
        f"store/{DAILY}/2026-03-01.md\n10:00 — ports\n\nstore/{DAILY}/2026-03-03.md\n\nstore/{NOTES}/ports.md\nPorts"
    )


@pytest.mark.parametrize("query", ["18789 port", "deploy old build", "部署成功但仍是舊版", " \n", ""])
def test_recall_misses_other_orders_gaps_and_languages(logs, query):
    """Words out of order, words with others between them, another language, nothing: no episode."""
    answer = GhostRecall(logs).search(query)
    assert (answer.hits, answer.text) == ((), NOTHING_RECALLED)


def test_recall_stops_at_five_so_that_the_newest_is_lost(make_document):
    """Six matches: the correction, written last, is matched and not shown."""
    days = [make_document(f"{DAILY}/2026-03-0{n}.md", f"### 09:00\nwifi {n}\n", f"2026-03-0{n}") for n in range(1, 7)]
    answer = GhostRecall(days[::-1]).search("wifi")
    assert [hit.score for hit in answer.hits] == [6, 5, 4, 3, 2, 1]
    assert answer.shown == tuple(f"{DAILY}/2026-03-0{n}.md" for n in range(1, 6))


def test_titles_are_cut_at_200_characters(make_document):
    """Code points, not bytes."""
    answer = GhostRecall([make_document(f"{NOTES}/long.md", "# " + "長" * 300 + "\nx\n")]).search("長")
    assert answer.blocks[0].snippet == "\n" + "長" * 200


INDEX = """\
# Boot index

## Tier 1
- "the tool said success, so it is done" → [check the page](projects/shop/notes/deploy.md)
- 「錯誤數是零，沒問題」 -> [零的兩種意思](projects/shop/notes/監控.md)
- [no trigger](projects/shop/notes/deploy.md)
<!-- - "hidden" → [x](projects/shop/notes/deploy.md) -->
- "gone" → [missing](projects/shop/notes/gone.md)
- "half" <!-- a comment --> → [cut](projects/shop/notes/deploy.md)
"""


@pytest.fixture
def indexed(make_document):
    """A boot index, a shelf index, three notes one of which no line leads to, and a log."""
    return [
        make_document("MEMORY.md", INDEX),
        make_document(f"{NOTES}/INDEX_tools.md", '- "which flags does tar take" → [tar](tar.md)\n'),
        make_document(f"{NOTES}/deploy.md", "# Deploy\nread the footer\n"),
        make_document(f"{NOTES}/監控.md", "# 監控\n零也可能沒跑\n"),
        make_document(f"{NOTES}/tar.md", "# Tar\nuse -C\n"),
        make_document(f"{NOTES}/orphan.md", "---\nname: orphan\ndescription: how bread rises\n---\n# Bread\nslowly\n"),
        make_document(f"{DAILY}/2026-03-01.md", "### 10:00 — bread\n", "2026-03-01"),
    ]


def test_trigger_lines_are_read(indexed):
    """Both arrows and quotes; paths from the index's folder or the root; no comment, no dead link, no bare link."""
    lines = [(line.trigger, line.target, line.source) for line in read_trigger_lines(indexed)]
    assert lines == [
        ("the tool said success, so it is done", f"{NOTES}/deploy.md", "MEMORY.md"),
        ("錯誤數是零，沒問題", f"{NOTES}/監控.md", "MEMORY.md"),
        ("which flags does tar take", f"{NOTES}/tar.md", f"{NOTES}/INDEX_tools.md"),
        ("how bread rises", f"{NOTES}/orphan.md", None),
    ]


def test_the_boot_index_is_in_context_and_a_line_leads_to_its_note(indexed):
    """A symptom in the words of its line opens the note whole; the index is paid for and ranked last."""
    answer = GhostIndex(indexed, 16_384).search("tool reports success")
    assert ids(answer) == [f"{NOTES}/deploy.md", "MEMORY.md"]
    assert answer.text == f"store/MEMORY.md\n{INDEX.rstrip()}\n\nstore/{NOTES}/deploy.md\n# Deploy\nread the footer"


def test_nothing_fires_for_the_cause_in_other_words(indexed):
    """Who already doubts thinks of other words: only the boot index is there, as for any query."""
    answer = GhostIndex(indexed, 16_384).search("unreliable reports")
    assert ids(answer) == ["MEMORY.md"]


def test_of_a_shelf_the_lines_that_fire_are_seen(indexed):
    """A shelf index shows its matching line, then the note it leads to."""
    answer = GhostIndex(indexed, 16_384).search("tar flags")
    assert ids(answer) == [f"{NOTES}/tar.md", "MEMORY.md", f"{NOTES}/INDEX_tools.md"]
    assert answer.blocks[1].snippet == '\n- "which flags does tar take" → [tar](tar.md)'


def test_an_orphan_is_found_by_its_description(indexed):
    """A note that no index names has the line a clean store would give it; a log is no note."""
    answer = GhostIndex(indexed, 16_384).search("bread")
    assert ids(answer) == [f"{NOTES}/orphan.md", "MEMORY.md"]
    assert f'- "how bread rises" → [Bread]({NOTES}/orphan.md)' in answer.text


def test_notes_are_opened_while_the_budget_lasts(indexed):
    """The index is there whatever the budget; a note that does not fit is ranked and not shown."""
    note = f"store/{NOTES}/deploy.md\n# Deploy\nread the footer"
    exact = len(note) + 2
    assert GhostIndex(indexed, exact).search("tool success").shown == ("MEMORY.md", f"{NOTES}/deploy.md")
    assert GhostIndex(indexed, exact - 1).search("tool success").shown == ("MEMORY.md",)


def test_the_end_of_a_boot_index_over_the_edge_is_lost(make_document):
    """24,400 characters are loaded; the newest line, behind them, is not in context."""
    text = "x" * 24_399 + "\nnewest"
    answer = GhostIndex([make_document("MEMORY.md", text)], 16_384).search("newest")
    assert answer.text == "store/MEMORY.md\n" + "x" * 24_399 + "\n"


@pytest.mark.parametrize(
    ("chars", "status", "exit_code"),
    [
        (0, "ok", 0),
        (19_999, "ok", 0),
        (20_000, "over_budget", 1),
        (24_399, "over_budget", 1),
        (24_400, "truncating", 2),
    ],
)
def test_the_budget_warns_before_anything_is_lost(chars, status, exit_code):
    """Characters, not bytes; both bounds belong to what lies above them."""
    budget = measure_budget("長" * chars)
    assert (budget.chars, budget.status, budget.exit_code) == (chars, status, exit_code)


def test_a_missing_index_is_said():
    """No file is no empty file."""
    assert measure_budget(None).exit_code == 3


def test_the_variants_are_these(logs):
    """The registry builds what is tested here."""
    assert isinstance(find_variant("ghost-recall").build(logs, Settings()), GhostRecall)
    assert isinstance(find_variant("ghost-index").build(logs, Settings()), GhostIndex)
