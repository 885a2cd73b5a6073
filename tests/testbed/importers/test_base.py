"""What all importers share: the licence, the options, and the account of what was dropped."""

import pytest

from memeval.errors import BenchmarkFormatError
from memeval.testbed.importers import IMPORTERS, Dropped, ImportOptions, find_importer
from memeval.testbed.importers.base import DropList


@pytest.mark.parametrize("licence", ["", " \t", "MIT\nand more"], ids=["missing", "blank", "two lines"])
@pytest.mark.parametrize("importer", IMPORTERS, ids=lambda importer: importer.name)
def test_no_importer_reads_without_a_licence_line(importer, licence, tmp_path):
    """A licence that is missing, blank or longer than a line is refused before the path is looked at."""
    with pytest.raises(BenchmarkFormatError, match=r"the licence (is missing|has several lines); give one line"):
        importer.load(tmp_path / "absent", licence=licence)


@pytest.mark.parametrize("importer", IMPORTERS, ids=lambda importer: importer.name)
def test_an_option_that_would_do_nothing_is_refused(importer, tmp_path):
    """Every option is either taken or refused by name, with those that are taken."""
    for name in {"name", "lang", "corpus", "topics", "split"} - set(importer.takes):
        with pytest.raises(BenchmarkFormatError, match=f"has no option '{name}'; it takes .*name"):
            importer.load(tmp_path, licence="MIT", options=ImportOptions(**{name: "x"}))


@pytest.mark.parametrize("importer", [entry for entry in IMPORTERS if entry.requires], ids=lambda entry: entry.name)
def test_an_option_that_cannot_be_done_without_is_asked_for(importer, tmp_path):
    """A format without documents of its own says which option is missing."""
    for name in importer.requires:
        rest = {other: str(tmp_path) for other in importer.requires if other != name}
        with pytest.raises(BenchmarkFormatError, match=f"needs the option '{name}' as well"):
            importer.load(tmp_path, licence="MIT", options=ImportOptions(**rest))


def test_the_licence_reaches_every_corpus(load, write_json, locomo, longmemeval, squad, beir):
    """White space around it aside, the line stands in what was imported and in each suite's corpus."""
    paths = {
        "locomo": write_json(locomo, "a.json"),
        "longmemeval": write_json(longmemeval, "b.json"),
        "squad": write_json(squad, "c.json"),
        "beir": beir,
    }
    for name, path in paths.items():
        imported = find_importer(name).load(path, licence=" CC BY 4.0, somebody ")
        assert imported.licence == "CC BY 4.0, somebody"
        assert {suite.corpus.licence for suite in imported.suites} == {"CC BY 4.0, somebody"}
        assert imported.importer == name


def test_the_licence_of_a_given_corpus_stands_behind(load, write_json, write_files, tmp_path):
    """Whoever imports questions over a corpus with a licence of its own sees both."""
    folder = write_files(tmp_path / "notes", {"corpus.yaml": "name: notes\nlicence: MIT\n", "a.md": "tea"})
    path = write_json([{"queries": ["drink"], "expected": ["a.md"]}], "groups.jsonl")
    (suite,) = load("paraphrases", path, corpus=folder).suites
    assert suite.corpus.licence == "CC0, the tests; documents: MIT"


@pytest.mark.parametrize("name", ["../up", "a/b", ".hidden", "", "a b"])
def test_a_suite_name_can_name_a_folder(name, refuse, write_json, squad):
    """A name that would leave its folder is refused, given or taken from the file."""
    assert "cannot name a suite" in refuse("squad", write_json(squad), name=name)


def test_drops_are_counted_by_reason_with_the_first_examples():
    """The count is whole where the examples are cut, and the text says so."""
    lost = DropList("s")
    for number in range(7):
        lost.add("blank line", f"n{number}")
    lost.add("blank page", "p1")
    lines, pages = lost.result()
    assert lines == Dropped(suite="s", count=7, reason="blank line", examples=("n0", "n1", "n2", "n3", "n4"))
    assert str(lines) == "s: 7 × blank line (n0, n1, n2, n3, n4, …)"
    assert str(pages) == "s: 1 × blank page (p1)"
    assert str(Dropped(suite="s", count=2, reason="blank book")) == "s: 2 × blank book"


def test_a_file_with_nothing_left_to_ask_says_what_was_dropped(refuse, write_json, locomo):
    """An import that would give no suite is refused, with the account of what was dropped."""
    locomo[0]["qa"] = [{"question": "?", "evidence": [], "category": 1}]
    message = refuse("locomo", write_json(locomo))
    assert "no question is left to ask" in message
    assert "locomo-chat-1: 1 × question without evidence (locomo-chat-1-000)" in message
    assert "it has none" in refuse("squad", write_json({"data": []}, "empty.json"))
