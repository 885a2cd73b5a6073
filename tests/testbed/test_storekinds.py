"""The kinds of store: which folder is taken for what, and that corpora, first suites and suites work on every kind."""

import sys
from pathlib import Path

import pytest

from memeval.errors import CorpusError
from memeval.testbed.beir import load_beir
from memeval.testbed.corpus import load_corpus
from memeval.testbed.starter import build_starter
from memeval.testbed.storekinds import STORE_KINDS, detect_kind, find_kind
from memeval.testbed.suitefile import load_suite

LINKING = "- [Build](build.md) — how to build\n"

FOLDERS = {
    "beir": {"corpus.jsonl": '{"_id": "a", "text": "# Build\\nmake"}\n', "NOTE.md": "x"},
    "openclaw": {"MEMORY.md": LINKING, "memory/2026-01-31.md": "# Build\nmake", "build.md": "x"},
    "claude-code": {"MEMORY.md": LINKING, "build.md": "# Build\nmake"},
    "memory-bank": {".memory-bank/notes/build.md": "# Build\nmake", "README.md": "x"},
    "store": {"MEMORY.md": "x", "projects/shop-1/notes/build.md": "# Build\nmake"},
    "plain": {"build.md": "# Build\nmake", "deep/MEMORY.md": LINKING},
}
"""A small folder of each kind."""

SKILLBANK = Path(__file__).parents[3] / "shared" / "benchmarks" / "mem-skillbank"


def test_the_example_folders_cover_every_kind():
    """The tests below see each entry of the registry, and names are unique."""
    assert [kind.name for kind in STORE_KINDS] == list(FOLDERS)
    assert all(find_kind(kind.name) is kind for kind in STORE_KINDS)
    assert find_kind("zip") is None


@pytest.mark.parametrize("name", FOLDERS)
def test_each_kind_is_recognised_and_read(tmp_path, write_files, name):
    """Detection, corpus.yaml and the corpus agree on the kind; the digest is that of the kind's own reader."""
    root = write_files(tmp_path / "memory of ours", FOLDERS[name])
    kind = detect_kind(root)
    assert kind.name == name
    corpus = load_corpus(root)
    read = kind.read(root, corpus.project, ())
    assert (corpus.kind, corpus.root) == (name, str(root))
    assert sorted(document.doc_id for document in read) == [document.doc_id for document in corpus.documents]
    assert any(document.text == "# Build\nmake" for document in corpus.documents)
    write_files(root, {"corpus.yaml": f"kind: {name}\n"})
    assert load_corpus(root) == corpus


@pytest.mark.parametrize("name", FOLDERS)
def test_a_first_suite_can_be_written_for_each_kind(tmp_path, write_files, name):
    """What `build_starter` writes loads, expects files that are searched, and takes a path in the same spelling."""
    root = write_files(tmp_path / "store", FOLDERS[name])
    path = tmp_path / "x.recall.yaml"
    path.write_text(build_starter(root, suite_path=path), encoding="utf-8")
    suite = load_suite(path)
    assert suite.corpus == load_corpus(root)
    assert {doc_id for need in suite.needs for doc_id in need.expected} <= {
        document.doc_id for document in suite.corpus.documents
    }
    assert "Build" in [wording.text for need in suite.needs for wording in need.wordings]


@pytest.mark.parametrize("name", FOLDERS)
def test_reading_writes_nothing(tmp_path, write_files, name):
    """A store is read in place: afterwards the folder holds what it held."""
    root = write_files(tmp_path / "store", FOLDERS[name])
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    load_corpus(root)
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == before


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"MEMORY.md": "x"}, "store"),
        ({"MEMORY.md": LINKING, "build.md": "x", "projects/a/daily/2026-01-31.md": "x"}, "store"),
        ({"MEMORY.md": LINKING}, "store"),
        ({"MEMORY.md": "[elsewhere](https://x/build.md)", "build.md": "x"}, "store"),
        ({"MEMORY.md": "- [Build](./deep/build%20it.md#top)", "deep/build it.md": "x"}, "claude-code"),
        ({"MEMORY.md": "x", "deep/build.md": "x"}, "plain"),
        ({"memory/MEMORY.md": "x", "session.jsonl": "{}"}, "claude-code"),
        ({"memory/MEMORY.md": "x", "memory/2026-01-31.md": "x"}, "claude-code"),
        ({"projects/-home-u-app/memory/MEMORY.md": "x"}, "claude-code"),
        ({"projects/-home-u-app/memory/topic.md": "x"}, "plain"),
        ({"-home-u-app/memory/MEMORY.md": "x"}, "plain"),
        ({"memory/2026-01-31-call.md": "x"}, "openclaw"),
        ({"memory/archive/2026-01-31.md": "x"}, "openclaw"),
        ({"memory/topic.md": "x"}, "plain"),
        ({"memory.md": "x", "memory/topic.md": "x"}, "openclaw"),
        ({"MEMORY.md": "x", "memory/2026-01-31.md": "x", "projects/a/notes/b.md": "x"}, "openclaw"),
        ({"MEMORY.md": "x", "memory/.dreams/a.md": "x"}, "store"),
        ({".memory-bank/readme.txt": "x", "a.md": "x"}, "plain"),
        ({"memory-bank/a.md": "x", "b.md": "x"}, "plain"),
    ],
)
def test_near_misses_go_to_the_right_kind(tmp_path, write_files, files, name):
    """What tells the kinds apart, and what is left to the plain folder."""
    assert detect_kind(write_files(tmp_path / "c", files)).name == name


@pytest.mark.parametrize(
    ("place", "files", "name"),
    [
        ("projects", {"-home-u-app/memory/MEMORY.md": "x"}, "claude-code"),
        (".memory-bank", {"a.md": "x"}, "memory-bank"),
        ("memory-bank", {"a.md": "x"}, "memory-bank"),
        ("Memory_Bank", {"a.md": "x"}, "memory-bank"),
        ("memory-bank-notes", {"a.md": "x"}, "plain"),
        ("memory-bank", {"a.txt": "x"}, "plain"),
    ],
)
def test_some_folders_are_known_by_their_name(tmp_path, write_files, place, files, name):
    """A projects folder of Claude Code, and a memory bank, which has no file that every bank holds."""
    assert detect_kind(write_files(tmp_path / place, files)).name == name


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need a privilege there")
def test_a_linked_memory_folder_is_not_left_out_unasked(tmp_path, write_files):
    """OpenClaw skips it, and so does `kind: openclaw`; undeclared, the folder is taken for a kind that reads it.

    No kind reads what lies outside of the folder.
    """
    root = write_files(tmp_path / "w", {"MEMORY.md": "x", ".vault/2026-01-31.md": "x"})
    outside = write_files(tmp_path / "outside", {"2026-02-01.md": "x"})
    (root / "elsewhere").symlink_to(outside)
    (root / "memory").symlink_to(root / ".vault")
    assert [document.doc_id for document in load_corpus(root).documents] == ["MEMORY.md", "memory/2026-01-31.md"]
    write_files(root, {"corpus.yaml": "kind: openclaw\n"})
    assert [document.doc_id for document in load_corpus(root).documents] == ["MEMORY.md"]


@pytest.mark.parametrize("name", [kind.name for kind in STORE_KINDS if kind.list_projects is None])
def test_kinds_without_projects_refuse_one(tmp_path, write_files, name):
    """A named project is never ignored."""
    root = write_files(tmp_path / "store", FOLDERS[name])
    with pytest.raises(CorpusError, match=r"project 'shop-1' is named, but an? .* has no projects"):
        load_corpus(root, project="shop-1")


def test_a_beir_folder_gives_the_corpus_its_suite_has(tmp_path, write_files):
    """`load_corpus` and `load_beir` read the same documents of one folder."""
    root = write_files(
        tmp_path / "bench",
        {
            "corpus.jsonl": '{"_id": "a", "title": "T", "text": "x"}\n{"_id": "../b", "text": "y"}\n',
            "queries.jsonl": '{"_id": "1", "text": "what is x"}\n',
            "qrels/test.tsv": "query-id\tcorpus-id\tscore\n1\ta\t1\n",
        },
    )
    assert load_corpus(root) == load_beir(root).corpus
    write_files(root, {"corpus.jsonl": '{"_id": "a"}\n'})
    with pytest.raises(CorpusError, match=r"corpus\.jsonl:1: the object has no 'text'"):
        load_corpus(root)


def test_ids_that_are_no_paths_can_be_expected(tmp_path, write_files):
    """A BEIR id is found as it is written, though tidying it as a path would give another."""
    write_files(tmp_path / "bench", {"corpus.jsonl": '{"_id": "a//b", "text": "x"}\n{"_id": "7", "text": "y"}\n'})
    path = tmp_path / "x.recall.yaml"
    path.write_text("suite: s\ncorpus: bench\nneeds:\n  - {id: n, expect: {a//b: 1, '7': 2}, ask: [x]}\n", "utf-8")
    assert load_suite(path).needs[0].expected == {"a//b": 1, "7": 2}


@pytest.mark.slow
@pytest.mark.skipif(not SKILLBANK.is_dir(), reason="the benchmark data is not here")
def test_a_real_memory_store_in_beir_form_is_read(tmp_path):
    """A memory bank of 192 files, up to 248 KB each, with hidden folders in its ids: all there, and a suite loads."""
    corpus = load_corpus(SKILLBANK)
    assert (corpus.kind, len(corpus.documents)) == ("beir", 192)
    assert corpus.digest == load_beir(SKILLBANK).corpus.digest
    assert all(document.doc_id.startswith(".memory-bank/") for document in corpus.documents)
    path = tmp_path / "x.recall.yaml"
    path.write_text(build_starter(SKILLBANK, suite_path=path), encoding="utf-8")
    assert load_suite(path).corpus == corpus
