"""Reading that never takes unreadable for empty, and replacement that is whole or nothing."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from memeval.errors import MemoryStoreError, UnreadableFileError
from memeval.memory import UnreadableFile
from memeval.memory.disk import list_markdown, load_text, lock_store, read_text, replace_file


def refuse(*_args, **_settings):
    raise PermissionError(13, "Permission denied")


def test_a_file_is_read_as_it_is(tmp_path):
    """Line ends and byte order mark stay; a missing file is None, an empty one is not."""
    file = tmp_path / "a.md"
    assert load_text(file, "a.md") is None
    file.write_bytes(b"")
    assert load_text(file, "a.md") == ""
    file.write_bytes(b"\xef\xbb\xbfa\r\nb")
    assert load_text(file, "a.md") == "\ufeffa\r\nb"


def test_why_a_file_cannot_be_read(tmp_path, monkeypatch):
    """Wrong bytes with their line, folders, pipes (without waiting), dead links, refusals of the system."""
    (tmp_path / "latin.md").write_bytes(b"- keep\n- caf\xe9\n")
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "dead.md").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop.md").symlink_to(tmp_path / "loop.md")
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "file").write_text("x")
    reasons = {
        "latin.md": "not UTF-8: byte 0xe9 in line 2",
        "folder.md": "a folder, not a file",
        "dead.md": "a link to nothing",
        "pipe.md": "not a regular file",
        "file/a.md": "Not a directory",
    }
    for name, reason in reasons.items():
        assert load_text(tmp_path / name, f"s/{name}") == UnreadableFile(f"s/{name}", reason)
    assert isinstance(load_text(tmp_path / "loop.md", "loop"), UnreadableFile)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(UnreadableFileError, match=r"cannot read s/file \(Permission denied\)"):
        read_text(tmp_path / "file", "s/file")


def test_a_listing_is_sorted_markdown_without_hidden_files(tmp_path):
    """A missing folder is empty, a file in its place is not; a name that no text can show is reported."""
    for name in ("b.md", "a.md", ".x.md", ".md", "c.MD", "d.md.bak"):
        (tmp_path / name).touch()
    assert list_markdown(tmp_path, "s") == (["a.md", "b.md"], [])
    assert list_markdown(tmp_path / "none", "s") == ([], [])
    assert list_markdown(tmp_path / "a.md", "s") == ([], [UnreadableFile("s", "Not a directory")])
    (tmp_path / os.fsdecode(b"caf\xe9.md")).touch()
    names, unreadable = list_markdown(tmp_path, "s")
    assert names == ["a.md", "b.md"]
    assert unreadable == [UnreadableFile(f"s{os.sep}'caf\\udce9.md'", "a file name that is not UTF-8")]


def test_replacing_keeps_mode_and_links(tmp_path):
    """The file behind a link is replaced, the link stays; a new file has the mode that files have here."""
    real = tmp_path / "elsewhere" / "real.md"
    real.parent.mkdir()
    real.write_text("old")
    real.chmod(0o640)
    link = tmp_path / "link.md"
    link.symlink_to(real)
    replace_file(link, "new\r\n", "link.md")
    assert link.is_symlink()
    assert real.read_bytes() == b"new\r\n"
    assert real.stat().st_mode & 0o777 == 0o640
    (tmp_path / "plain").touch()
    replace_file(tmp_path / "deep" / "er" / "a.md", "x", "a.md")
    assert (tmp_path / "deep" / "er" / "a.md").stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert sorted(path.name for path in real.parent.iterdir()) == ["real.md"]


def test_a_failed_replacement_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    """Whatever fails last, the bytes are the old ones and no temporary file is left."""
    file = tmp_path / "a.md"
    file.write_text("old")
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(PermissionError):
        replace_file(file, "new", "a.md")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_read_only_file_is_not_replaced(tmp_path, monkeypatch):
    """Renaming over it would go through; the owner's wish counts."""
    file = tmp_path / "a.md"
    file.write_text("old")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(MemoryStoreError, match=r"s/a\.md is read-only; nothing was written"):
        replace_file(file, "new", "s/a.md")
    assert file.read_text() == "old"


def test_the_lock_leaves_nothing_behind(tmp_path):
    """A lock that was given back, or broken off by an error, is no file of the store."""
    root = tmp_path / "store"
    with lock_store(root):
        assert len(list(root.iterdir())) == 1
    with pytest.raises(RuntimeError), lock_store(root):
        raise RuntimeError
    assert list(root.iterdir()) == []


HOLD = """
import sys, time
from pathlib import Path
from memeval.memory.disk import lock_store
print("ready", flush=True)
with lock_store(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@contextmanager
def writer(root):
    """Another process that takes the lock and keeps it; gives its output, unbuffered, for `select`."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(root)], stdout=subprocess.PIPE, bufsize=0)
    try:
        yield process.stdout
    finally:
        process.kill()
        process.communicate()


def test_the_lock_of_a_killed_writer_blocks_nobody(tmp_path):
    """Its file is still there, the lock is not: the next writer goes ahead and takes the file away."""
    with writer(tmp_path) as said:
        assert [said.readline().strip(), said.readline().strip()] == [b"ready", b"held"]
    assert len(list(tmp_path.iterdir())) == 1
    with lock_store(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_second_writer_waits(tmp_path):
    """While one process holds the lock another does not get in; then it does."""
    with writer(tmp_path) as said:
        with lock_store(tmp_path):
            assert said.readline().strip() == b"ready"
            assert select.select([said], [], [], 0.3)[0] == []
        assert said.readline().strip() == b"held"
