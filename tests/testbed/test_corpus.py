"""Corpora: what a store offers to a search, which project, the facts of corpus.yaml, and the digest."""

import os
import random
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.errors import CorpusError
from memeval.memory.document import Document, Tier
from memeval.testbed.corpus import digest_documents, load_corpus

FOUR = (
    "MEMORY.md",
    "projects/shop-1/daily/2026-05-30.md",
    "projects/shop-1/notes/redis.md",
    "projects/shop-1/notes/sso.md",
)


def ids(corpus):
    return tuple(document.doc_id for document in corpus.documents)


def document(doc_id, text):
    return Document(doc_id=doc_id, path=doc_id, tier=Tier.NOTE, name=doc_id, text=text)


def test_a_store_offers_what_the_engine_searches(store, write_files):
    """Markdown directly under the root, notes and logs of the project; no scratchpad, backup or other ending."""
    write_files(
        store,
        {
            "OTHER.md": "x",
            "MEMORY.md.bak": "old",
            "notes/stray.md": "x",
            "projects/shop-1/notes/a.txt": "x",
            "projects/shop-1/notes/deep/er.md": "x",
            "projects/shop-1/README.md": "x",
        },
    )
    corpus = load_corpus(store)
    assert ids(corpus) == tuple(sorted((*FOUR, "OTHER.md")))
    assert (corpus.kind, corpus.name, corpus.project) == ("store", "store", "shop-1")
    assert all(each.path == each.doc_id for each in corpus.documents)
    tiers = {each.doc_id: (each.tier, each.date) for each in corpus.documents}
    assert tiers["MEMORY.md"] == (Tier.LONG_TERM, None)
    assert tiers["projects/shop-1/daily/2026-05-30.md"] == (Tier.DAILY, "2026-05-30")
    assert tiers["projects/shop-1/notes/sso.md"] == (Tier.NOTE, None)


def test_several_projects_need_a_name(store, write_files):
    """With two projects and none named the slugs are listed, with the three places to name one."""
    write_files(store, {"projects/blog-2/notes/post.md": "draft", "projects/.cache/notes/x.md": "x"})
    with pytest.raises(CorpusError, match=r"2 projects \(blog-2, shop-1\)") as caught:
        load_corpus(store)
    for place in ("suite file", "corpus.yaml", "--project"):
        assert place in str(caught.value)
    assert ids(load_corpus(store, project="shop-1")) == FOUR
    assert ids(load_corpus(store, project="blog-2")) == ("MEMORY.md", "projects/blog-2/notes/post.md")
    write_files(store, {"corpus.yaml": "project: blog-2\n"})
    assert load_corpus(store).project == "blog-2"
    assert load_corpus(store, project="shop-1").project == "shop-1"


def test_an_unknown_project_lists_the_known_ones(store, tmp_path, write_files):
    """A misspelt slug names the nearest one; a path is no slug."""
    with pytest.raises(CorpusError, match=r"known: shop-1\. Did you mean 'shop-1'\?"):
        load_corpus(store, project="shop1")
    with pytest.raises(CorpusError, match=r"no project '\.\./store'"):
        load_corpus(store, project="../store")
    bare = write_files(tmp_path / "bare", {"MEMORY.md": "x"})
    with pytest.raises(CorpusError, match="which has no projects"):
        load_corpus(bare, project="shop-1")


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({"projects/a/notes/x.md": "x"}, "store"),
        ({"MEMORY.md": "x", "projects/a/SCRATCHPAD.md": "x"}, "store"),
        ({"MEMORY.md": "x"}, "store"),
        ({"MEMORY.md": "x", "OTHER.md": "x"}, "store"),
        ({"MEMORY.md": "x", "sub/other.md": "x"}, "plain"),
        ({"a.md": "x"}, "plain"),
        ({"projects/garden/plan.md": "x", "projects/house/roof.md": "x"}, "plain"),
        ({"sub/a.md": "x"}, "plain"),
        ({"MEMORY.md": "x", "corpus.yaml": "kind: plain"}, "plain"),
    ],
)
def test_the_kind_is_detected(tmp_path, write_files, files, kind):
    """A project's parts or a lone MEMORY.md make a store, other Markdown a plain folder; corpus.yaml decides."""
    assert load_corpus(write_files(tmp_path / "c", files)).kind == kind


def test_a_written_report_is_no_part_of_the_notes_beside_it(tmp_path, write_files):
    """A report quotes every query: searched, it would answer all of them at the next run."""
    write_files(
        tmp_path / "notes", {"a.md": "x", "reports/latest/report.md": "x", "reports/latest/evaluation.json": "{}"}
    )
    assert [document.doc_id for document in load_corpus(tmp_path / "notes").documents] == ["a.md"]


def test_a_plain_folder_has_no_project(tmp_path, write_files):
    """Naming a project for a plain folder is refused, not ignored."""
    root = write_files(tmp_path / "c", {"a.md": "x"})
    assert load_corpus(root).project is None
    with pytest.raises(CorpusError, match="a plain folder of Markdown has no projects"):
        load_corpus(root, project="a")


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "nothing to search"),
        ({"a.txt": "x"}, "nothing to search"),
        ({"projects/a/SCRATCHPAD.md": "x"}, r"engine lays it out.*project a.*no SCRATCHPAD"),
        ({"projects/readme.txt": "x"}, "nothing to search"),
        ({"corpus.jsonl": "{}"}, r"corpus\.jsonl:1: .*'_id'"),
        ({"projects/a/notes/x.md": b"caf\xe9"}, r"x\.md"),
    ],
)
def test_a_folder_that_cannot_be_searched_is_refused(tmp_path, write_files, files, reason):
    """Nothing to search and a file that cannot be decoded are errors that say so."""
    with pytest.raises(CorpusError, match=reason):
        load_corpus(write_files(tmp_path / "c", files))


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need a privilege there")
@pytest.mark.parametrize("folder", ["notes", "memory", "projects/a/notes"], ids=["plain", "claude-code", "engine"])
def test_one_unreadable_file_stops_nothing(tmp_path, write_files, folder):
    """Bytes that are no text and a link to nothing are named with their doc_id; the others are the corpus."""
    root = write_files(tmp_path / "c", {f"{folder}/{name}.md": "x" for name in ("a", "MEMORY")})
    write_files(root, {f"{folder}/bad.md": b"caf\xe9"})
    (root / folder / "gone.md").symlink_to(root / folder / "nowhere.md")
    corpus = load_corpus(root)
    assert ids(corpus) == (f"{folder}/MEMORY.md", f"{folder}/a.md")
    assert [str(file) for file in corpus.unreadable] == [
        f"{folder}/bad.md (not UTF-8: byte 0xe9 in line 1)",
        f"{folder}/gone.md (a link to nothing)",
    ]
    assert corpus.file_ids == (*ids(corpus), f"{folder}/bad.md", f"{folder}/gone.md")


def test_a_folder_called_like_a_note_is_named(tmp_path, write_files):
    """In a store of the engine, which does not look into it, a folder x.md is no note and stops nothing."""
    corpus = load_corpus(write_files(tmp_path / "c", {"projects/a/notes/a.md": "x", "projects/a/notes/x.md/b.md": "x"}))
    assert ids(corpus) == ("projects/a/notes/a.md",)
    assert [str(file) for file in corpus.unreadable] == ["projects/a/notes/x.md (a folder, not a file)"]


def test_a_path_that_is_no_folder_is_refused(tmp_path, write_files):
    """A missing folder and a file are told apart."""
    write_files(tmp_path, {"a.md": "x"})
    with pytest.raises(CorpusError, match="does not exist"):
        load_corpus(tmp_path / "none")
    with pytest.raises(CorpusError, match="is a file"):
        load_corpus(tmp_path / "a.md")


def test_an_empty_path_is_not_the_current_folder(tmp_path, write_files, monkeypatch):
    """Nothing given reads nothing, though the folder one stands in could be searched."""
    monkeypatch.chdir(write_files(tmp_path, {"a.md": "x"}))
    with pytest.raises(CorpusError, match=r"corpus '' is no path; give the folder"):
        load_corpus("")
    assert ids(load_corpus(".")) == ("a.md",)


def test_corpus_yaml_gives_the_facts(store, write_files):
    """Every key is read; `made` is free text or a mapping, taken as written."""
    write_files(
        store,
        {
            "corpus.yaml": "name: ops-en\nkind: store\nlanguages: [en, 'no']\nlicence: CC0-1.0\n"
            "description: A small team.\nproject: shop-1\n"
            "made:\n  when: 2026-05-30\n  by: [hand, 010]\n  sources: {a: b}\n"
            "provenance: {wordings: blind, origin: 'invented'}\nflaws: [one voice, stale pages]\n"
        },
    )
    corpus = load_corpus(store)
    assert (corpus.name, corpus.languages, corpus.licence) == ("ops-en", ("en", "no"), "CC0-1.0")
    assert (corpus.description, corpus.project) == ("A small team.", "shop-1")
    assert list(corpus.provenance.items()) == [("origin", "invented"), ("wordings", "blind")]
    assert corpus.flaws == ("one voice", "stale pages")
    assert corpus.made == "when: 2026-05-30\nby:\n  - hand\n  - 010\nsources:\n  a: b"
    write_files(store, {"corpus.yaml": "made: by hand, in 2026\n"})
    assert load_corpus(store).made == "by hand, in 2026"


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("name: a\nlicense: MIT\n", 2, "Did you mean 'licence'?"),
        ("name: a\nkind: zip\n", 2, "known: beir, openclaw, claude-code, memory-bank, store, plain"),
        ("languages: en\n", 1, "must be a list"),
        ("languages: [no]\n", 1, "quote it: 'no'"),
        ("name: 010\n", 1, "quote it: '010'"),
        ("name: a\nname: b\n", 2, "stands twice"),
        ("project: nope\n", None, "no project 'nope'"),
        ("provenance: by hand\n", 1, "must be a mapping"),
        ("provenance:\n  orign: by hand\n", 2, "Did you mean 'origin'?"),
        ("flaws: none\n", 1, "must be a list"),
        ("extra_paths: [docs]\n", None, "only kind openclaw has"),
        ("extra_paths: docs\n", 1, "must be a list"),
        ("- a\n", 1, "mapping"),
        ("", 1, "empty"),
    ],
)
def test_a_broken_corpus_yaml_is_refused_at_its_line(store, write_files, text, line, part):
    """Unknown keys and YAML's traps are refused with file:line."""
    write_files(store, {"corpus.yaml": text})
    with pytest.raises(CorpusError) as caught:
        load_corpus(store)
    place = f"{store}: " if line is None else f"{store / 'corpus.yaml'}:{line}: "
    assert str(caught.value).startswith(place)
    assert part in str(caught.value)


def test_doc_ids_do_not_depend_on_where_the_store_lies(store, tmp_path, monkeypatch):
    """Absolute, relative and linked roots give the same corpus."""
    expected = load_corpus(store)
    monkeypatch.chdir(store)
    assert load_corpus(".") == expected
    monkeypatch.chdir(tmp_path)
    assert load_corpus("store/../store/") == expected


def test_file_names_stay_as_they_are_on_disk(store, write_files):
    """A name of combining characters is not recomposed: the path shown opens the file."""
    name = unicodedata.normalize("NFD", "café.md")
    write_files(store, {f"projects/shop-1/notes/{name}": "x"})
    assert f"projects/shop-1/notes/{name}" in ids(load_corpus(store))


@given(
    st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), st.text(max_size=20), max_size=5),
    st.randoms(use_true_random=False),
)
def test_the_digest_ignores_order_only(texts, shuffler):
    """Any order of documents has one digest, and any change of a text or an id has another."""
    texts = {key: value.encode("utf-8", "ignore").decode() for key, value in texts.items()}
    documents = [document(doc_id, text) for doc_id, text in texts.items()]
    digest = digest_documents(documents)
    shuffler.shuffle(documents)
    assert digest_documents(documents) == digest
    for index, changed in enumerate(documents):
        rest = documents[:index] + documents[index + 1 :]
        assert digest_documents(rest) != digest
        assert digest_documents([*rest, document(changed.doc_id, changed.text + "x")]) != digest


def test_the_digest_tells_where_an_id_ends():
    """Lengths stand before ids and texts, so that moving a character from one to the other shows."""
    assert digest_documents([document("ab", "c")]) != digest_documents([document("a", "bc")])
    assert digest_documents([document("a", "b"), document("c", "d")]) != digest_documents([document("a", "bcd")])


def test_the_digest_is_a_known_value():
    """SHA-256 of 8-byte big-endian lengths and UTF-8 contents, worked with another tool."""
    expected = "sha256:b319ab60c7aadfb85dd3b54c24f8a6fa0f68dc96108da27ef8df6b9505b42302"
    assert digest_documents([document("a.md", "é")]) == expected


def test_the_digest_is_the_same_for_every_hash_seed(store):
    """A fresh interpreter gives the same digest and order whatever PYTHONHASHSEED is."""
    script = "import sys; from memeval.testbed.corpus import load_corpus; c = load_corpus(sys.argv[1]); "
    script += "print(c.digest, *[d.doc_id for d in c.documents])"
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    run = subprocess.run(
        [sys.executable, "-c", script, str(store)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == " ".join((load_corpus(store).digest, *FOUR)) + "\n"


@pytest.mark.parametrize("kind", ["store", "plain", "claude-code", "openclaw", "memory-bank"])
def test_the_order_of_the_file_system_moves_nothing(store, write_files, monkeypatch, kind):
    """However a file system lists its files, the corpus is the same."""
    files = {f"{folder}{name}.md": name for name in "zyxab" for folder in ("", "memory/")}
    write_files(store, {"corpus.yaml": f"kind: {kind}\n", **files})
    if kind == "claude-code":  # the project that stands there is one of the engine
        shutil.rmtree(store / "projects")
    corpus = load_corpus(store)
    shuffler = random.Random(7)
    listdir, scandir, iterdir = os.listdir, os.scandir, Path.iterdir

    class ShuffledScan(list):
        def __enter__(self):
            return iter(self)

        def __exit__(self, *args):
            return None

    def shuffled(entries, container=list):
        entries = list(entries)
        return container(shuffler.sample(entries, len(entries)))

    monkeypatch.setattr(os, "listdir", lambda *args: shuffled(listdir(*args)))
    monkeypatch.setattr(os, "scandir", lambda *args: shuffled(scandir(*args), ShuffledScan))
    monkeypatch.setattr(Path, "iterdir", lambda path: iter(shuffled(iterdir(path))))
    for _ in range(5):
        assert load_corpus(store) == corpus
