"""Imported suites on disk: BEIR folders that load as the same suite, each with a note of where it comes from."""

import json
import os
import subprocess
import sys

import pytest

from memeval.errors import BenchmarkFormatError
from memeval.testbed.beir import load_beir
from memeval.testbed.importers import write_imported


def test_a_folder_loads_as_the_suite_it_was_written_from(load, write_json, locomo, longmemeval, squad, tmp_path):
    """Name, documents, needs, grades, tags and languages come back, for every format with documents of its own."""
    for importer, value in (("locomo", locomo), ("longmemeval", longmemeval), ("squad", squad)):
        imported = load(importer, write_json(value), lang="en")
        folders = write_imported(imported, tmp_path / importer)
        assert folders == [tmp_path / importer / suite.name for suite in imported.suites]
        for suite, folder in zip(imported.suites, folders, strict=True):
            back = load_beir(folder)
            assert (back.name, back.lang, back.corpus.languages) == (suite.name, "en", ("en",))
            assert back.corpus.documents == suite.corpus.documents
            assert back.corpus.digest == suite.corpus.digest
            assert back.digest == suite.digest
            assert [query.id for query in back.queries()] == [query.id for query in suite.queries()]
            assert [need.tags for need in back.needs] == [need.tags for need in suite.needs]
            assert back.unjudged_queries == 0


def test_wordings_keep_their_need_in_the_metadata(load, write_json, write_files, tmp_path):
    """A BEIR folder has one query for each wording; which belong together can still be told."""
    corpus = write_files(tmp_path / "notes", {"tea.md": "Boil water."})
    rows = [{"id": "hot", "queries": ["hot drink", "make tea"], "expected": ["tea.md"]}]
    imported = load("paraphrases", write_json(rows, "g.jsonl"), corpus=corpus, lang="en")
    (folder,) = write_imported(imported, tmp_path / "out")
    lines = (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    queries = [(row["_id"], row["text"], row["metadata"]) for row in map(json.loads, lines)]
    assert queries == [
        ("hot[0]", "hot drink", {"need": "hot", "wording": 0, "lang": "en"}),
        ("hot[1]", "make tea", {"need": "hot", "wording": 1, "lang": "en"}),
    ]
    assert load_beir(folder).qrels() == imported.suites[0].qrels()


def test_the_note_says_where_it_comes_from(load, write_json, locomo, tmp_path):
    """Licence, source, counts and what was left out, without a path of the machine."""
    held = {key: value for key, value in locomo[0]["conversation"].items() if "session_3" not in key}
    locomo.append({"sample_id": "full", "conversation": held, "qa": locomo[0]["qa"][:1]})
    imported = load("locomo", write_json(locomo))
    first, second = write_imported(imported, tmp_path / "out")
    suite = imported.suites[0]
    note = (first / "NOTE.md").read_text(encoding="utf-8")
    assert note.startswith(f"# locomo-chat-1\n\n{suite.description}\n\n")
    for line in (
        "- Licence: CC0, the tests",
        "- Source: file.json, read by the importer `locomo`",
        f"- Documents: 2 (`{suite.corpus.digest}`)",
        f"- Needs: 4, of which 0 with nothing stored (`{suite.digest}`)",
        "- Queries: 4, one for each wording; their metadata holds `need` and `wording`",
        "- 1 × session with a date and no turns (session 3)",
        "- 1 × question without evidence (locomo-chat-1-002)",
    ):
        assert f"\n{line}\n" in note
    assert str(tmp_path) not in note
    assert (second / "NOTE.md").read_text(encoding="utf-8").endswith("## Left out\n\nNothing.\n")


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels/old.tsv", "NOTE.md"])
def test_nothing_is_written_where_something_is(name, load, write_json, longmemeval, write_files, tmp_path):
    """A file in the folder of the second suite keeps the first from being written too."""
    imported = load("longmemeval", write_json(longmemeval))
    last = imported.suites[-1].name
    out = write_files(tmp_path / "out", {f"{last}/{name}": "mine"})
    with pytest.raises(BenchmarkFormatError, match="exists already; choose an empty folder"):
        write_imported(imported, out)
    files = [path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()]
    assert files == [f"{last}/{name}"]


SCRIPT = """
import sys
from memeval.testbed.importers import detect_importer, write_imported
write_imported(detect_importer(sys.argv[1]).load(sys.argv[1], licence="CC0"), sys.argv[2])
"""


def test_the_same_file_gives_the_same_bytes(write_json, locomo, tmp_path):
    """Whatever order sets and hashes have in a process."""
    path = write_json(locomo)
    written = []
    for seed in ("0", "1"):
        out = tmp_path / seed
        subprocess.run(
            [sys.executable, "-c", SCRIPT, path, out], check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        )
        written.append({file.relative_to(out): file.read_bytes() for file in out.rglob("*") if file.is_file()})
    assert len(written[0]) == 4
    assert written[0] == written[1]
