"""The ledger of aliases on tiny stores whose answers are worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from memeval.bench.aliasledger import Standing, find_askers, gather_all, keep_ledger
from memeval.bench.suite import load_suite
from memeval.errors import CorpusError
from memeval.retrieval.recipes import find_variant

PROJECT = "shop-1a2b3c4d"
REDIS = f"projects/{PROJECT}/notes/redis-deploy.md"
NAMING = f"projects/{PROJECT}/notes/naming.md"
TOPICS = f"projects/{PROJECT}/notes/naming-topics.md"


@pytest.fixture
def suite(small_suite):
    """The small suite with an overlay: of each kind of alias one."""
    overlay = f"{REDIS}: [cache container, port mapping, zebra]\n{NAMING}: [holiday]\n{TOPICS}: [naming of things]\n"
    (small_suite.parents[1] / "store" / "aliases.yaml").write_text(overlay, encoding="utf-8")
    return load_suite(small_suite)


@pytest.fixture
def ledger(suite):
    """Its ledger for the engine's own profile, by alias."""
    return {entry.alias: entry for entry in keep_ledger(suite, find_variant("memeval")).entries}


def test_an_alias_that_finds_its_file(ledger):
    """Left out, the wording is missed: it gains that one, and asked for by itself the file is found by nothing else."""
    entry = ledger["cache container"]
    assert (entry.gained, entry.first_gained, entry.lost, entry.risen) == (
        ("redis-port[1]",),
        ("redis-port[1]",),
        (),
        1,
    )
    assert (entry.standing, entry.asked, entry.rank_without, entry.is_held) == (Standing.GAINS, 1, None, False)


def test_an_alias_that_is_matched_without(ledger):
    """Its words stand in the file: the tokeniser finds the file by them anyway, and the ruler says so."""
    entry = ledger["port mapping"]
    assert (entry.is_held, entry.is_matched_anyway, entry.rank_without) == (True, True, 1)


def test_an_alias_that_is_taken_from_a_wording(suite):
    """It stands as it is in a wording that asks for its file, whatever its case and width; one of another file does not
    count."""
    overlay = f"{REDIS}: [Ｃache  Container, port mapping]\n{NAMING}: [cache container]\n"
    (Path(suite.corpus.root) / "aliases.yaml").write_text(overlay, encoding="utf-8")
    entries = keep_ledger(load_suite(suite.path), find_variant("memeval")).entries
    assert {(entry.doc_id, entry.is_worded) for entry in entries if "ontainer" in entry.alias} == {
        (REDIS, True),
        (NAMING, False),
    }
    assert [entry.is_worded for entry in entries if entry.alias == "port mapping"] == [False]


def test_an_alias_that_nobody_asks(ledger):
    """No wording answers to it."""
    assert (ledger["zebra"].standing, ledger["zebra"].asked, ledger["zebra"].rank_without) == (
        Standing.UNASKED,
        0,
        None,
    )


def test_a_false_hit_by_an_alias(ledger):
    """Something is shown where nothing is stored, only with it."""
    assert ledger["holiday"].false_hits == ("vacation-days[0]",)
    assert ledger["holiday"].standing is Standing.SHIFTS


@pytest.mark.parametrize("name", ["memeval", "article"])
def test_asking_a_few_again_gives_what_asking_all_gives(suite, name):
    """Found, lost, false hits and the file's place for the alias itself are those of the whole suite asked again."""
    quick, whole = (keep_ledger(suite, find_variant(name), ask_all=every) for every in (False, True))
    assert quick.searches < whole.searches
    for few, every in zip(quick.entries, whole.entries, strict=True):
        for field in ("alias", "gained", "lost", "false_hits", "rank_without", "is_held"):
            assert getattr(few, field) == getattr(every, field)
    assert quick.effect == whole.effect


def test_aliases_of_the_notes_are_left_out_too(small_suite):
    """In front matter or on a line, with those of an overlay behind them, each once."""
    store = small_suite.parents[1] / "store"
    (store / REDIS).write_text("---\naliases: [cache container]\n---\nhost 6380\n", encoding="utf-8")
    (store / "aliases.yaml").write_text(f"{REDIS}: [Cache Container, port]\n", encoding="utf-8")
    suite = load_suite(small_suite)
    assert gather_all(suite) == {REDIS: ("cache container", "port")}
    ledger = {entry.alias: entry for entry in keep_ledger(suite, find_variant("memeval")).entries}
    assert ledger["cache container"].gained == ("redis-port[1]",)
    assert "redis-port[0]" in ledger["port"].gained + ledger["port"].first_gained
    assert keep_ledger(suite, find_variant("memeval")).effect.found.difference.value > 0


def test_wordings_that_answer_to_an_alias(suite):
    """By the variant's own rule: the engine's reads inflections, the literal one what stands there."""
    aliases = {REDIS: ("cache containers", "cache container")}
    for name, expected in (("memeval", 2), ("article", 2)):
        askers = find_askers(find_variant(name), aliases, suite.queries())
        assert len(askers) == expected
        assert [query.id for query in askers[REDIS, "cache container"]] == ["redis-port[1]"]


def test_without_aliases_there_is_no_ledger(small_suite):
    """The error says what proposes some."""
    with pytest.raises(CorpusError, match="memeval aliases suggest"):
        keep_ledger(load_suite(small_suite), find_variant("memeval"))


def test_progress_is_told_by_alias(suite):
    """Once an alias."""
    told = []
    keep_ledger(suite, find_variant("article"), progress=lambda *call: told.append(call[2:]))
    assert told == [(number, 5) for number in range(1, 6)]
