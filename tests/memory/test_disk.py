"""Reading that never takes unreadable for empty, and replacement that is whole or nothing."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from memeval.errors import MemoryStoreError, UnreadableFileError
from memeval.memory import Memory, UnreadableFile, disk, project_slug
from memeval.memory.disk import describe_refusal, list_markdown, load_text, lock_store, read_text, replace_file


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


def test_a_lock_that_is_a_link_makes_no_file_elsewhere(tmp_path):
    """It is refused, and what it leads to is neither made nor removed."""
    root = tmp_path / "store"
    root.mkdir()
    (root / ".lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"), lock_store(root):
        pass
    assert not (tmp_path / "elsewhere").exists()


HOLD = """
import sys, time
from pathlib import Path
from memeval.memory.disk import lock_store
print("ready", flush=True)
with lock_store(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


WRITE = """
import sys
from pathlib import Path
from memeval.memory import Memory
rename = Path.replace
def wait(path, target):
    print("staged", flush=True)
    sys.stdin.readline()
    return rename(path, target)
Path.replace = wait
Memory(sys.argv[1]).write("long_term", "- from the other\\n", "overwrite")
print("written", flush=True)
"""


@contextmanager
def writer(root, script=HOLD):
    """Another process that takes the lock and keeps it; gives its output, unbuffered, for `select`."""
    command = [sys.executable, "-c", script, str(root)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    try:
        yield process.stdout if script is HOLD else process
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


def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path):
    """Killed with two files written out and none in place: the next write into the folder takes both away."""
    (tmp_path / "MEMORY.md").write_text("- old\n")
    with writer(tmp_path, WRITE) as process:
        assert process.stdout.readline() == b"staged\n"
    left = sorted(path.name for path in tmp_path.iterdir())
    assert [bool(re.fullmatch(r"\.[0-9a-f]{16}\.tmp", name)) for name in left] == [True, True, False, False]
    assert (tmp_path / "MEMORY.md").read_text() == "- old\n"
    Memory(tmp_path, project="p", today="2026-07-03").write("daily", "- elsewhere")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*left[:2], "MEMORY.md", "projects"])
    Memory(tmp_path).write("long_term", "- new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["MEMORY.md", "projects"]
    assert (tmp_path / "MEMORY.md").read_text() == "- old\n- new\n"


def test_what_a_living_writer_needs_is_left_alone(tmp_path):
    """Its files stand although another, that does not know of its lock, writes into the folder; then it goes on."""
    with writer(tmp_path, WRITE) as process:
        assert process.stdout.readline() == b"staged\n"
        replace_file(tmp_path / "other.md", "x", "other.md")
        assert len(list(tmp_path.glob(".*.tmp"))) == 1
        process.stdin.write(b"\n")
        assert process.stdout.readline() == b"written\n"
    assert (tmp_path / "MEMORY.md").read_text() == "- from the other\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["MEMORY.md", "other.md"]


def test_only_names_of_our_pattern_are_taken_for_left_over(tmp_path):
    """Whatever only looks like one stays: other lengths, letters, endings, a folder, a link and what it leads to."""
    ours = ".0123456789abcdef.tmp"
    (tmp_path / ours).touch()
    names = [".0123456789abcde.tmp", ".0123456789ABCDEF.tmp", "0123456789abcdef.tmp", f"{ours}.md", f"x{ours}", ".tmp"]
    for name in names:
        (tmp_path / name).touch()
    (tmp_path / ".aaaaaaaaaaaaaaaa.tmp").mkdir()
    (tmp_path / ".bbbbbbbbbbbbbbbb.tmp").symlink_to(tmp_path / names[0])
    replace_file(tmp_path / "a.md", "x", "a.md")
    kept = [*names, ".aaaaaaaaaaaaaaaa.tmp", ".bbbbbbbbbbbbbbbb.tmp", "a.md"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)


def test_a_file_taken_away_before_it_was_locked_is_made_again(tmp_path, monkeypatch):
    """Between making and locking a new file another may take it for left over: nothing is lost by it."""
    lock = disk._wait_for_lock

    def come_too_late(descriptor):
        monkeypatch.setattr(disk, "_wait_for_lock", lock)
        for path in tmp_path.glob(".*.tmp"):
            path.unlink()
        lock(descriptor)

    monkeypatch.setattr(disk, "_wait_for_lock", come_too_late)
    replace_file(tmp_path / "a.md", "x", "a.md")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.md", "x")]


def test_a_file_system_without_locks_can_be_written(tmp_path, monkeypatch):
    """Where no file can be locked, nothing is taken for left over and writing goes on."""

    def refuse(_descriptor, _operation):
        raise OSError(95, "Operation not supported")

    (tmp_path / ".0123456789abcdef.tmp").touch()
    monkeypatch.setattr(disk.fcntl, "flock", refuse)
    replace_file(tmp_path / "a.md", "x", "a.md")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".0123456789abcdef.tmp", "a.md"]


C_LOCALE = """
import json, sys
from memeval.memory import Memory, list_projects, project_slug, read_store
root = sys.stdin.buffer.read().decode()
said = {"encoding": sys.getfilesystemencoding(), "slug": [project_slug(root), project_slug(sys.argv[1])]}
memory = Memory(root, project="店", today="2026-07-03")
memory.write("note", "監控 alpha", name="字")
memory.write("daily", "log")
memory.edit("note", "alpha", "beta", "字")
said["read"] = memory.read("note", "字")
said["list"] = memory.list()
said["found"] = [hit.doc_id for hit in memory.search("字").hits]
said["text"] = memory.search("beta").text()
said["stored"] = [document.doc_id for document in read_store(root, "店")]
said["projects"] = list_projects(root)
memory.edit("note", name="字")
said["after"] = memory.list()
print(json.dumps(said))
"""


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are always Unicode there")
@pytest.mark.parametrize(("utf8_mode", "encoding"), [("0", "ascii"), ("1", "utf-8")])
def test_the_locale_does_not_matter_for_names(tmp_path, utf8_mode, encoding):
    """Names of any script are written, read, edited, found, listed and deleted, as the same bytes everywhere."""
    root = str(tmp_path / "庫")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": utf8_mode, "PYTHONCOERCECLOCALE": "0"}
    script = C_LOCALE.encode("ascii", "backslashreplace")  # an argument would be read in the locale, too
    ran = subprocess.run(
        [sys.executable, "-c", script, root], input=root.encode(), capture_output=True, env=environment, check=True
    )
    said = json.loads(ran.stdout)
    assert said["encoding"] == encoding
    note, log = "projects/店/notes/字.md", "projects/店/daily/2026-07-03.md"
    assert said["slug"] == [project_slug(root)] * 2
    assert said["read"] == "監控 beta\n"
    assert said["list"] == said["stored"] == [log, note]
    assert said["found"] == [note]
    assert f"{root}/{note}  [matched: beta]" in said["text"]
    assert said["projects"] == ["店"]
    assert said["after"] == [log]
    assert (tmp_path / "庫" / "projects" / "店" / "notes" / "字.bak").read_text(encoding="utf-8") == "監控 beta\n"


def test_a_backup_is_written_nowhere_else(tmp_path):
    """A link in its place is replaced: the file it leads to is nobody's backup."""
    outside, note, backup = tmp_path / "outside.txt", tmp_path / "a.md", tmp_path / "a.bak"
    outside.write_text("mine", encoding="utf-8")
    note.write_text("before", encoding="utf-8")
    backup.symlink_to(outside)
    replace_file(note, "after", "a.md", (backup, "before"))
    assert outside.read_text(encoding="utf-8") == "mine"
    assert (note.read_text(encoding="utf-8"), backup.read_text(encoding="utf-8")) == ("after", "before")
    assert not backup.is_symlink()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(28, "No space left on device"), "No space left on device"),
        (PermissionError(13, "Permission denied", "/s/notes/a.md"), "Permission denied"),
        (PermissionError(13, "Permission denied", "/s/notes/.0123456789abcdef.tmp"), "Permission denied at /s/notes"),
        (IsADirectoryError(21, "Is a directory", Path("/s/.lock")), "Is a directory at /s/.lock"),
        (
            IsADirectoryError(21, "Is a directory", "/s/x.tmp", None, "/s/notes/a.bak"),
            "Is a directory at /s/notes/a.bak",
        ),
        (OSError(), "OSError"),
    ],
)
def test_a_refusal_names_what_stands_in_the_way(error, told):
    """The lock, the backup, the folder that takes no new file; the file itself is named anyway."""
    assert describe_refusal(error, Path("/s/notes/a.md")) == told
