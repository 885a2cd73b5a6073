"""Stores of other agents: which files their readers see, as which tier, under which doc_id."""

import sys

import pytest

from memeval.errors import CorpusError
from memeval.memory.document import Tier, UnreadableFile
from memeval.testbed.agentstores import list_claude_code_projects, read_claude_code, read_memory_bank, read_openclaw
from memeval.testbed.corpus import load_corpus

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need a privilege there")

CLAUDE = {
    "MEMORY.md": "- [Build](build.md) — make\n",
    "build.md": "---\nname: build\ndescription: how to build\nmetadata:\n  type: project\n---\nmake\n",
    "logs/2026-01-31.md": "x",
    "deep/topic.md": "x",
    ".draft.md": "x",
    "notes.txt": "x",
    "old.markdown": "x",
}

OPENCLAW = {
    "MEMORY.md": "x",
    "USER.md": "x",
    "AGENTS.md": "x",
    "DREAMS.md": "x",
    "memory/2026-01-31.md": "x",
    "memory/2026-01-31-vendor-call.md": "x",
    "memory/archive-2026-01/2026-01-02.md": "x",
    "memory/2026-02-30.md": "x",
    "memory/2026-01-311.md": "x",
    "memory/people/ada.md": "x",
    "memory/.dreams/state.md": "x",
    "memory/index.json": "x",
    "skills/deploy/SKILL.md": "x",
}

BANK = {
    "status.md": "x",
    "2026-01-31.md": "x",
    "notes/2026-01-31_09-00_release.md": "x",
    "notes/2026-01-31.md": "x",
    "plans/done/feature.md": "x",
    "session/2026-01-31_0900_ab12.md": "x",
    "session/_recent.md": "x",
    "session/archive/2026-01-02_0900_cd34.md": "x",
    ".pre-migrate/status.md": "x",
    "notes/.index/a.md": "x",
    "codebase/graph.json": "x",
}


def tiers(documents):
    """{doc_id: (tier, date)} of documents, whose path and name must follow from the doc_id."""
    assert all(document.path == document.doc_id for document in documents)
    assert all(document.name == document.doc_id.rsplit("/", 1)[-1] for document in documents)
    found = {document.doc_id: (document.tier, document.date) for document in documents}
    assert len(found) == len(documents)
    return found


CLAUDE_TIERS = {
    "MEMORY.md": (Tier.LONG_TERM, None),
    "build.md": (Tier.NOTE, None),
    "deep/topic.md": (Tier.NOTE, None),
    "logs/2026-01-31.md": (Tier.DAILY, "2026-01-31"),
}


@pytest.mark.parametrize(
    ("place", "project"),
    [
        ("", None),
        ("memory/", None),
        ("-home-u-app/memory/", "-home-u-app"),
        ("projects/-home-u-app/memory/", "-home-u-app"),
    ],
)
def test_a_claude_code_memory_folder_is_read_from_every_height(tmp_path, write_files, place, project):
    """The memory folder, its project, the projects folder and the folder above give the same files and tiers."""
    root = write_files(tmp_path / "c", {f"{place}{name}": text for name, text in CLAUDE.items()})
    if place:
        write_files(root, {"CLAUDE.md": "x", "agents/a.md": "x", "b/chat.jsonl": "{}"})
    documents = read_claude_code(root, project)
    assert tiers(documents) == {f"{place}{name}": value for name, value in CLAUDE_TIERS.items()}


def test_claude_code_projects_are_those_with_an_index(tmp_path, write_files):
    """Two of them must be told apart by name, as in a store; a project without memory is none."""
    files = {
        "projects/-home-u-app/memory/MEMORY.md": "app",
        "projects/-home-u-web/memory/MEMORY.md": "web",
        "projects/-tmp/chat.jsonl": "{}",
        "CLAUDE.md": "x",
    }
    root = write_files(tmp_path / ".claude", files)
    assert list_claude_code_projects(root) == ("-home-u-app", "-home-u-web")
    assert list_claude_code_projects(root / "projects") == ("-home-u-app", "-home-u-web")
    with pytest.raises(CorpusError, match=r"2 projects \(-home-u-app, -home-u-web\)"):
        load_corpus(root)
    with pytest.raises(CorpusError, match=r"no project '-home-u-apq' in it; known: .*Did you mean '-home-u-app'\?"):
        load_corpus(root, project="-home-u-apq")
    for place, prefix in ((root, "projects/"), (root / "projects", "")):
        corpus = load_corpus(place, project="-home-u-web")
        assert [document.doc_id for document in corpus.documents] == [f"{prefix}-home-u-web/memory/MEMORY.md"]
        assert (corpus.kind, corpus.project) == ("claude-code", "-home-u-web")
    [document] = load_corpus(root / "projects" / "-home-u-app").documents
    assert (document.doc_id, document.text) == ("memory/MEMORY.md", "app")


def test_an_openclaw_workspace_is_what_openclaw_indexes(tmp_path, write_files):
    """Three files of the root and Markdown below memory/; a name that begins with a real day is that day's log."""
    assert tiers(read_openclaw(write_files(tmp_path / "w", OPENCLAW))) == {
        "MEMORY.md": (Tier.LONG_TERM, None),
        "USER.md": (Tier.LONG_TERM, None),
        "memory/2026-01-31.md": (Tier.DAILY, "2026-01-31"),
        "memory/2026-01-31-vendor-call.md": (Tier.DAILY, "2026-01-31"),
        "memory/archive-2026-01/2026-01-02.md": (Tier.DAILY, "2026-01-02"),
        "memory/2026-02-30.md": (Tier.NOTE, None),
        "memory/2026-01-311.md": (Tier.NOTE, None),
        "memory/people/ada.md": (Tier.NOTE, None),
    }


def test_extra_paths_come_from_the_corpus_file(tmp_path, write_files):
    """Folders and files, inside and outside the workspace, keep ids that an `expect` can name; they are notes."""
    write_files(tmp_path / "wiki", {"net.md": "x", "deep/2026-01-31.md": "x", "a.txt": "x"})
    root = write_files(
        tmp_path / "w",
        {
            "MEMORY.md": "x",
            "memory/a.md": "x",
            "docs/run.md": "x",
            "docs/b/c.md": "x",
            "corpus.yaml": f"extra_paths: [../wiki, ./docs/run.md, {tmp_path / 'w' / 'docs'}, memory]\n",
        },
    )
    corpus = load_corpus(root)
    assert tiers(corpus.documents) == {
        "MEMORY.md": (Tier.LONG_TERM, None),
        "memory/a.md": (Tier.NOTE, None),
        "../wiki/net.md": (Tier.NOTE, None),
        "../wiki/deep/2026-01-31.md": (Tier.NOTE, None),
        "docs/run.md": (Tier.NOTE, None),
        "docs/b/c.md": (Tier.NOTE, None),
    }
    absolute = (tmp_path / "wiki").as_posix()
    found = tiers(read_openclaw(root, (absolute,)))
    assert set(found) == {"MEMORY.md", "memory/a.md", f"{absolute}/net.md", f"{absolute}/deep/2026-01-31.md"}


@pytest.mark.parametrize(
    ("extra", "reason"),
    [("none", "does not exist"), ("a.txt", r"is no \*\.md file"), ("~/notes", "~ is not expanded")],
)
def test_a_wrong_extra_path_is_refused(tmp_path, write_files, extra, reason):
    """A path that adds nothing is a mistake, never silence."""
    root = write_files(tmp_path / "w", {"MEMORY.md": "x", "memory/a.md": "x", "a.txt": "x"})
    with pytest.raises(CorpusError, match=f"extra path '{extra}'.*{reason}"):
        read_openclaw(root, (extra,))


@needs_links
def test_openclaw_skips_links_and_counts_a_file_once(tmp_path, write_files):
    """A linked file or folder in memory/ is left out; one file reached by two extra paths is one document."""
    outside = write_files(tmp_path / "outside", {"o.md": "x"})
    root = write_files(tmp_path / "w", {"MEMORY.md": "x", "memory/a.md": "x"})
    (root / "memory" / "one.md").symlink_to(outside / "o.md")
    (root / "memory" / "many").symlink_to(outside)
    (root / "USER.md").symlink_to(outside / "o.md")
    (root / "shelf").symlink_to(outside)
    assert set(tiers(read_openclaw(root))) == {"MEMORY.md", "memory/a.md"}
    assert set(tiers(read_openclaw(root, ("../outside", "shelf")))) == {"MEMORY.md", "memory/a.md", "../outside/o.md"}


BANK_TIERS = {
    "status.md": (Tier.LONG_TERM, None),
    "2026-01-31.md": (Tier.DAILY, "2026-01-31"),
    "notes/2026-01-31_09-00_release.md": (Tier.NOTE, None),
    "notes/2026-01-31.md": (Tier.DAILY, "2026-01-31"),
    "plans/done/feature.md": (Tier.NOTE, None),
    "session/2026-01-31_0900_ab12.md": (Tier.DAILY, "2026-01-31"),
    "session/_recent.md": (Tier.NOTE, None),
    "session/archive/2026-01-02_0900_cd34.md": (Tier.DAILY, "2026-01-02"),
}


@pytest.mark.parametrize(
    ("folder", "place"), [("project", ".memory-bank/"), (".memory-bank", ""), ("memory-bank", ""), ("bank", "")]
)
def test_a_memory_bank_is_read_alone_or_in_its_project(tmp_path, write_files, folder, place):
    """Every Markdown file but hidden ones, at any depth; the rest of a project is not memory."""
    root = write_files(tmp_path / folder, {f"{place}{name}": text for name, text in BANK.items()})
    if place:
        write_files(root, {"README.md": "x", "docs/a.md": "x"})
    assert tiers(read_memory_bank(root)) == {f"{place}{name}": value for name, value in BANK_TIERS.items()}


@pytest.mark.parametrize(
    ("read", "name"),
    [
        (lambda root: read_claude_code(root, None), "MEMORY.md"),
        (read_openclaw, "memory/a.md"),
        (read_memory_bank, "notes/a.md"),
    ],
    ids=["claude-code", "openclaw", "memory-bank"],
)
def test_a_file_that_is_not_utf8_is_named(tmp_path, write_files, read, name):
    """No reader takes an undecodable file for empty."""
    root = write_files(tmp_path / "c", {name: b"first\ncaf\xe9\n"})
    assert read(root) == [UnreadableFile(name, "not UTF-8: byte 0xe9 in line 2")]
