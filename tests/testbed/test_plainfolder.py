"""Plain folders of Markdown: which files are documents, as which tier, with which text."""

import os
import sys
from pathlib import Path

import pytest

from memeval.memory.document import Document, Tier, UnreadableFile
from memeval.testbed.plainfolder import read_plain_folder

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need a privilege there")


def read(root):
    """{doc_id: document} of a folder."""
    return {each.doc_id: each for each in read_plain_folder(root) if isinstance(each, Document)}


def test_every_markdown_file_below_is_a_document(tmp_path, write_files):
    """`*.md` and `*.markdown` at any depth, whatever the case of the ending; no other ending, nothing hidden."""
    write_files(
        tmp_path,
        {
            "a.md": "1",
            "deep/er/b.markdown": "2",
            "C.MD": "3",
            "d.txt": "4",
            "e.md.bak": "5",
            "md": "6",
            ".hidden.md": "7",
            ".git/f.md": "8",
            "deep/.obsidian/g.md": "9",
            "corpus.yaml": "name: x",
        },
    )
    assert set(read(tmp_path)) == {"a.md", "deep/er/b.markdown", "C.MD"}


def test_a_hidden_root_is_read(tmp_path, write_files):
    """Only names below the root are skipped for their dot."""
    assert set(read(write_files(tmp_path / ".memory-bank", {"a.md": "x"}))) == {"a.md"}


@pytest.mark.parametrize(
    ("name", "tier", "date"),
    [
        ("MEMORY.md", Tier.LONG_TERM, None),
        ("sub/MEMORY.md", Tier.NOTE, None),
        ("memory.md", Tier.NOTE, None),
        ("2026-01-31.md", Tier.DAILY, "2026-01-31"),
        ("journal/2026-01-31.markdown", Tier.DAILY, "2026-01-31"),
        ("2026-02-30.md", Tier.NOTE, None),
        ("20260131.md", Tier.NOTE, None),
        ("2026-W05-6.md", Tier.NOTE, None),
        ("2026-01-31-standup.md", Tier.NOTE, None),
        ("設定.md", Tier.NOTE, None),
    ],
)
def test_tier_and_date_follow_the_name(tmp_path, write_files, name, tier, date):
    """Long-term memory by its place, a log by a real date, everything else a note."""
    [document] = read_plain_folder(write_files(tmp_path, {name: "x"}))
    assert (document.doc_id, document.path, document.name) == (name, name, name.rsplit("/", 1)[-1])
    assert (document.tier, document.date) == (tier, date)


def test_text_is_what_the_file_says(tmp_path, write_files):
    """A byte order mark is left out, line ends and odd separators stay."""
    write_files(tmp_path, {"a.md": "\ufeff# A\r\nb\u2028c\x0cd\r\n", "empty.md": ""})
    documents = read(tmp_path)
    assert documents["a.md"].text == "# A\r\nb\u2028c\x0cd\r\n"
    assert documents["empty.md"].text == ""


def test_a_file_that_is_not_utf8_is_named(tmp_path, write_files):
    """An undecodable file comes with its line, never as an empty one; the others are read."""
    write_files(tmp_path, {"good.md": "x", "sub/bad.md": b"first\ncaf\xe9\n"})
    assert unreadable(tmp_path) == ["sub/bad.md (not UTF-8: byte 0xe9 in line 2)"]
    assert list(read(tmp_path)) == ["good.md"]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_named(tmp_path, write_files):
    """A file and a folder that the system refuses are named; the others are read."""
    write_files(tmp_path, {"locked.md": "x", "shut/in.md": "x", "good.md": "x"})
    (tmp_path / "locked.md").chmod(0)
    (tmp_path / "shut").chmod(0)
    assert unreadable(tmp_path) == ["locked.md (Permission denied)", "shut (a folder that cannot be listed)"]
    assert list(read(tmp_path)) == ["good.md"]
    (tmp_path / "shut").chmod(0o700)


def test_a_folder_that_cannot_be_listed_is_named(tmp_path, write_files, monkeypatch):
    """What is beside it is read all the same; so it is where the system says no to whoever asks."""
    write_files(tmp_path, {"shut/in.md": "x", "good.md": "x"})
    listed = Path.iterdir

    def refuse(path):
        if path.name == "shut":
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert unreadable(tmp_path) == ["shut (a folder that cannot be listed)"]
    assert list(read(tmp_path)) == ["good.md"]


def test_a_folder_called_like_a_file_is_a_folder(tmp_path, write_files):
    """What is in it is read, and it is no file itself."""
    assert names(write_files(tmp_path, {"dir.md/note.md": "x"})) == ["dir.md/note.md"]


def unreadable(root):
    """What cannot be read, as text."""
    return sorted(str(each) for each in read_plain_folder(root) if isinstance(each, UnreadableFile))


def names(root):
    """The doc_ids of a folder, in the order of the walk."""
    return [document.doc_id for document in read_plain_folder(root)]


@needs_links
def test_folders_that_link_each_other_are_read_once(tmp_path, write_files):
    """Twelve siblings, each with a link to every other and one back up: one document a file, under its own name."""
    folders = [f"f{number:02}" for number in range(12)]
    root = write_files(tmp_path, {f"{folder}/note.md": folder for folder in folders})
    for folder in folders:
        (root / folder / "up").symlink_to("..")
        for other in folders:
            (root / folder / f"to-{other}").symlink_to(f"../{other}")
    assert names(root) == [f"{folder}/note.md" for folder in folders]


@needs_links
def test_a_folder_with_two_names_is_read_by_its_own(tmp_path, write_files):
    """Links before and after it in the alphabet, to it, to its file and to a folder in it, add nothing."""
    root = write_files(tmp_path, {"m/note.md": "x", "m/deep/er.md": "y"})
    for name, target in [("a", "m"), ("z", "m"), ("b", "m/deep"), ("a.md", "m/note.md"), ("m/again.md", "m/note.md")]:
        (root / name).symlink_to(root / target)
    assert names(root) == ["m/deep/er.md", "m/note.md"]


@needs_links
def test_what_only_links_lead_to_is_read_by_the_first(tmp_path, write_files):
    """A hidden folder and a file of another ending have no own name here; of their links the first by path counts."""
    root = write_files(tmp_path, {".vault/note.md": "x", ".vault/sub/more.md": "y", "log.txt": "z", "own.md": "o"})
    for name, target in [
        ("b", ".vault"),
        ("a", ".vault/sub"),
        ("c", ".vault"),
        ("e.md", "log.txt"),
        ("d.md", "log.txt"),
    ]:
        (root / name).symlink_to(root / target)
    (root / ".vault" / "sub" / "back").symlink_to(root / ".vault")
    assert names(root) == ["own.md", "a/more.md", "a/back/note.md", "d.md"]


@needs_links
def test_links_out_of_the_root_are_not_followed(tmp_path, write_files):
    """Neither a folder nor a file nor a neighbour whose name begins alike; a root that is a link itself is read."""
    outside = write_files(tmp_path / "root-2", {"o.md": "x", "deep/p.md": "y"})
    root = write_files(tmp_path / "root", {"sub/a.md": "x"})
    (root / "linked").symlink_to(outside)
    (root / "one.md").symlink_to(outside / "o.md")
    (root / "all").symlink_to(tmp_path)
    (root / "gone.md").symlink_to(tmp_path / "nowhere.md")
    (tmp_path / "alias").symlink_to(root)
    assert names(root) == names(tmp_path / "alias") == ["sub/a.md"]


def test_folders_nest_as_deep_as_the_system_allows(tmp_path, write_files):
    """A deep tree is no error of ours."""
    deep = "/".join(["d"] * 600)
    assert names(write_files(tmp_path, {f"{deep}/a.md": "x"})) == [f"{deep}/a.md"]


@needs_links
@pytest.mark.parametrize("target", ["nowhere.md", "gone.md"])
def test_a_broken_link_is_named(tmp_path, write_files, target):
    """A link to nowhere below the root, or to itself, is no empty file, and the others are read."""
    write_files(tmp_path, {"a.md": "x"})
    (tmp_path / "gone.md").symlink_to(tmp_path / target)
    (named,) = unreadable(tmp_path)
    assert named.startswith("gone.md (")
    assert "link" in named
    assert list(read(tmp_path)) == ["a.md"]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are always Unicode there")
def test_a_file_name_that_is_not_utf8_is_named(tmp_path):
    """A name of raw bytes cannot be written in a suite or a report; it is named in ASCII."""
    with open(os.fsencode(tmp_path) + b"/caf\xe9.md", "wb") as handle:  # noqa: PTH123 - a bytes path
        handle.write(b"x")
    assert unreadable(tmp_path) == ["'caf\\udce9.md' (the file name is not UTF-8; rename it)"]
