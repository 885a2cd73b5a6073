"""Files on disk without accidents: reading that never mistakes unreadable for empty, one lock, atomic replacement."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import takewhile
from pathlib import Path

from memeval.errors import MemoryStoreError, UnreadableFileError
from memeval.memory.document import UnreadableFile

_LOCK_NAME = ".lock"
_NO_LINKS: int = getattr(os, "O_NOFOLLOW", 0)  # a lock behind a link would make a file elsewhere
_TEMPORARY = re.compile(r"\.[0-9a-f]{16}\.tmp")

if sys.platform == "win32":
    import msvcrt

    def _wait_for_lock(descriptor: int) -> None:
        while True:
            try:
                msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
            except OSError:  # it gives up after ten tries, a second apart
                continue
            return

    def _remove_unless_held(path: Path) -> None:
        path.unlink()  # refused while its writer has it open
else:
    import fcntl

    def _wait_for_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)

    def _remove_unless_held(path: Path) -> None:
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
        finally:
            os.close(descriptor)


def encode_path(*parts: str) -> Path:
    """The place on disk of a path given in parts of text: UTF-8 bytes, whatever locale Python reads file names in.

    Bytes that Python could not decode (lone surrogates U+DC80 to U+DCFF) stay the bytes they were. Raises
    UnicodeEncodeError for other lone surrogates.
    """
    return Path(*(os.fsdecode(part.encode("utf-8", "surrogateescape")) for part in parts))


def decode_name(name: str) -> str:
    """The text of a name that Python read from a folder: its bytes as UTF-8, those that are none as lone surrogates."""
    return os.fsencode(name).decode("utf-8", "surrogateescape")


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
        found = sorted(decode_name(entry.name) for entry in folder.iterdir())
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
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _NO_LINKS, 0o666)
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
    file and no folder is left behind; what a killed writer left in the folders is removed. Raises MemoryStoreError for
    a file that may not be written.
    """
    target = path.resolve()
    if target.exists() and not os.access(target, os.W_OK):  # to rename over it would need no permission
        raise MemoryStoreError(f"{shown} is read-only; nothing was written. Make it writable first.")
    writes = [(target, text)]
    if backup is not None:  # a link in its place is replaced, not followed: nobody wants a backup written elsewhere
        writes.insert(0, (backup[0].parent.resolve() / backup[0].name, backup[1]))
    missing = list(takewhile(lambda folder: not folder.exists(), target.parents))
    staged: list[tuple[Path, Path]] = []
    with ExitStack() as held:
        try:
            if missing:
                target.parent.mkdir(parents=True, exist_ok=True)
            for folder in {place.parent for place, _ in writes}:
                _remove_left_over(folder)
            for place, content in writes:
                temporary, descriptor = _create_temporary(place.parent)
                held.callback(os.close, descriptor)
                staged.append((temporary, place))
                _write_out(descriptor, content)
                with suppress(FileNotFoundError):
                    temporary.chmod(stat.S_IMODE(place.stat().st_mode))
            if sys.platform == "win32":
                held.close()  # an open file cannot be renamed there
            for temporary, place in staged:
                temporary.replace(place)
        except BaseException:
            held.close()
            for temporary, _ in staged:
                with suppress(OSError):
                    temporary.unlink()
            for folder in missing:
                with suppress(OSError):
                    folder.rmdir()
            raise


def describe_refusal(error: OSError, path: Path) -> str:
    """Why the system refused to change a file, and at what, where that is not the file itself: its folder, the lock."""
    reason = error.strerror or type(error).__name__
    named = error.filename if error.filename2 is None else error.filename2
    if not isinstance(named, str | Path):
        return reason
    place = Path(named)
    place = place.parent if _TEMPORARY.fullmatch(place.name) else place
    return reason if place in (path, path.resolve()) else f"{reason} at {place}"


def _create_temporary(folder: Path) -> tuple[Path, int]:
    """A new file and its open descriptor, locked for as long as that is open: nobody takes it for left over."""
    while True:
        path = folder / f".{os.urandom(8).hex()}.tmp"
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        with suppress(OSError):  # without locks on this file system, nobody can lock it to remove it, either
            _wait_for_lock(descriptor)
        if path.exists():
            return path, descriptor
        os.close(descriptor)  # taken for left over before it was locked


def _remove_left_over(folder: Path) -> None:
    """Remove the temporary files of writers that were killed; a living one holds its file locked.

    Nothing is removed that cannot be told to be left over: the file of another user, one that cannot be locked.
    """
    with suppress(OSError):
        for path in folder.iterdir():
            if _TEMPORARY.fullmatch(path.name):
                with suppress(OSError):
                    _remove_unless_held(path)


def _write_out(descriptor: int, text: str) -> None:
    """Write the text of a new file to the disk; the descriptor stays open."""
    with open(descriptor, "wb", closefd=False) as file:
        file.write(text.encode("utf-8"))
        file.flush()
        os.fsync(descriptor)
