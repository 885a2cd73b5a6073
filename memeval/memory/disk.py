"""Files on disk without accidents: reading that never mistakes unreadable for empty, one lock, atomic replacement."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path

from memeval.errors import MemoryStoreError, UnreadableFileError
from memeval.memory.document import UnreadableFile

_LOCK_NAME = ".lock"

if sys.platform == "win32":
    import msvcrt

    def _wait_for_lock(descriptor: int) -> None:
        while True:
            try:
                msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
            except OSError:  # it gives up after ten tries, a second apart
                continue
            return
else:
    import fcntl

    def _wait_for_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def load_text(path: Path, shown: str) -> str | UnreadableFile | None:
    """The text of a file as it is, byte order mark included; why it cannot be read; or None if there is no file."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):  # a pipe would wait for a writer for ever
            return UnreadableFile(shown, "a folder, not a file" if stat.S_ISDIR(mode) else "not a regular file")
        content = path.read_bytes()
    except FileNotFoundError:
        return UnreadableFile(shown, "a link to nothing") if path.is_symlink() else None
    except OSError as error:
        return UnreadableFile(shown, error.strerror or type(error).__name__)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return UnreadableFile(shown, f"not UTF-8: byte 0x{content[error.start]:02x} in line {line}")


def read_text(path: Path, shown: str) -> str | None:
    """The text of a file, None if there is none. Raises UnreadableFileError instead of taking a file for empty."""
    text = load_text(path, shown)
    if isinstance(text, UnreadableFile):
        raise unreadable_error([text])
    return text


def unreadable_error(files: list[UnreadableFile]) -> UnreadableFileError:
    """The error for files that cannot be read, with what to do."""
    named = "; ".join(str(file) for file in files)
    return UnreadableFileError(f"cannot read {named}. Make it readable UTF-8 text, or move it out of the store.")


def list_markdown(folder: Path, shown: str) -> tuple[list[str], list[UnreadableFile]]:
    """The names in a folder that end in `.md`, sorted, and what could not be listed. A missing folder has none.

    Hidden files are left out: editors and file systems leave `.#x.md` and `._x.md` behind.
    """
    try:
        found = sorted(entry.name for entry in folder.iterdir())
    except FileNotFoundError:
        return [], []
    except OSError as error:
        return [], [UnreadableFile(shown, error.strerror or type(error).__name__)]
    found = [name for name in found if name.endswith(".md") and not name.startswith(".")]
    odd = [name for name in found if any("\ud800" <= character <= "\udfff" for character in name)]
    names = [name for name in found if name not in odd]
    return names, [UnreadableFile(f"{shown}{os.sep}{name!r}", "a file name that is not UTF-8") for name in odd]


@contextmanager
def lock_store(root: Path) -> Iterator[None]:
    """Hold the store's one lock: other threads and processes wait until the block is left.

    The system gives the lock back when its holder dies, so a lock file left behind blocks nobody. The file is removed
    by its holder; whoever then holds a file that is no longer the one on disk tries again.
    """
    root.mkdir(parents=True, exist_ok=True)
    path = root / _LOCK_NAME
    descriptor = _open_locked(path)
    try:
        yield
    finally:
        with suppress(OSError):  # Windows does not remove a file that someone has open
            path.unlink()
        os.close(descriptor)


def _open_locked(path: Path) -> int:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _wait_for_lock(descriptor)
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except FileNotFoundError:
            pass  # removed by the one before
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def replace_file(path: Path, text: str, shown: str, backup: tuple[Path, str] | None = None) -> None:
    """Put the text in place of a file, or make it, all at once: a reader sees the old file or the new one.

    Links are followed, the mode is kept, missing folders are made. `backup` is a second file, and its text, that takes
    its place just before: both are written out first, so that a full disk leaves either as it was. When it fails no
    file and no folder is left behind. Raises MemoryStoreError for a file that may not be written.
    """
    target = path.resolve()
    if target.exists() and not os.access(target, os.W_OK):  # to rename over it would need no permission
        raise MemoryStoreError(f"{shown} is read-only; nothing was written. Make it writable first.")
    writes = [(target, text)] if backup is None else [(backup[0].resolve(), backup[1]), (target, text)]
    missing = list(takewhile(lambda folder: not folder.exists(), target.parents))
    staged: list[tuple[Path, Path]] = []
    try:
        if missing:
            target.parent.mkdir(parents=True, exist_ok=True)
        for place, content in writes:
            temporary = place.with_name(f".{os.urandom(8).hex()}.tmp")
            staged.append((temporary, place))
            _write_out(temporary, content, like=place)
        for temporary, place in staged:
            temporary.replace(place)
    except BaseException:
        for temporary, _ in staged:
            with suppress(OSError):
                temporary.unlink()
        for folder in missing:
            with suppress(OSError):
                folder.rmdir()
        raise


def _write_out(path: Path, text: str, *, like: Path) -> None:
    """Write a new file to the disk, with the mode of the file it is going to replace."""
    with path.open("xb") as file:
        file.write(text.encode("utf-8"))
        file.flush()
        os.fsync(file.fileno())
    with suppress(FileNotFoundError):
        path.chmod(stat.S_IMODE(like.stat().st_mode))
