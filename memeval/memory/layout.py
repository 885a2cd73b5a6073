"""Where each tier lives in a store, which names are safe, and which files a search sees."""

from __future__ import annotations

import os
import re
import unicodedata
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path

from memeval.errors import InvalidNameError, InvalidTargetError, MemoryStoreError
from memeval.memory.disk import decode_name, encode_path, list_markdown, load_text, unreadable_error
from memeval.memory.document import Document, Tier, UnreadableFile
from memeval.text import WHITE_SPACE

MEMORY_FILE = "MEMORY.md"
_SCRATCHPAD_FILE = "SCRATCHPAD.md"
_PROJECTS = "projects"
_NOTES = "notes"
_DAILY = "daily"

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
_NOTE_NAME_RULE = "invalid note name (no slashes or dots)"
_DAILY_NAME_RULE = "invalid daily date name (expected YYYY-MM-DD: digits and hyphens only)"

_MAX_NAME_BYTES = 255 - len(".bak")  # file systems allow 255 bytes; a note's backup is the longest name it gets
_UNSAFE_CHARACTERS = frozenset('<>:"|?*')  # Windows refuses them, or takes `a:b` for a stream hidden in `a`
_UNSAFE_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})  # controls, lone surrogates, line and paragraph separators
_DEVICE = re.compile(r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³])", re.IGNORECASE)

_MAX_SLUG_STEM = 40
_FNV_OFFSET, _FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of one store. A file is named by its doc_id: its path relative to the root, `/` separators."""

    root: str
    """As it was given: neither resolved nor made absolute."""
    project: str | None = None
    """Slug of the project in reach; None = only the files directly under the root."""

    def __post_init__(self) -> None:
        if not self.root or "\0" in self.root or not _is_encodable(self.root):
            raise MemoryStoreError(f"{self.root!r} is no root of a store; give a folder, '.' for the current one")
        if self.project is not None:
            _check_project(self.project)

    def path(self, doc_id: str) -> Path:
        """Where the file is."""
        return encode_path(self.root, doc_id)

    def shown(self, doc_id: str) -> str:
        """Its path as the reader sees it: the root as it was given, then the doc_id."""
        return _join(self.root, doc_id)

    def scratchpad(self) -> str:
        """The doc_id of the scratchpad. Raises InvalidTargetError without a project, as `daily` and `note` do."""
        return self._in_project(Tier.SCRATCHPAD, _SCRATCHPAD_FILE)

    def daily(self, day: str) -> str:
        """The doc_id of the log of a day, `YYYY-MM-DD`. Raises InvalidNameError for another shape."""
        stem = _bare_name(day)
        if not _DAY.fullmatch(stem):
            raise InvalidNameError(_DAILY_NAME_RULE)
        return self._in_project(Tier.DAILY, f"{_DAILY}/{stem}.md")

    def note(self, name: str | None) -> str:
        """The doc_id of a note, with or without its `.md`. Raises InvalidNameError for a name that is not safe.

        Where a note has this name with its accents composed otherwise (`é` as one character or two), it is that one.
        """
        return self._find_spelling(self._in_project(Tier.NOTE, f"{_NOTES}/{_check_note_name(name)}.md"))

    def find_files(self) -> tuple[list[tuple[str, Tier]], list[UnreadableFile]]:
        """The files a search sees, (doc_id, tier) sorted by doc_id, and the folders that cannot be listed.

        These are all `*.md` directly under the root, and those in the project's `notes/` and `daily/`.
        """
        folders = [("", Tier.LONG_TERM)]
        if self.project is not None:
            folders += [(f"{_PROJECTS}/{self.project}/{folder}/", tier) for folder, tier in _FOLDERS]
        files: list[tuple[str, Tier]] = []
        unreadable: list[UnreadableFile] = []
        for folder, tier in folders:
            shown = self.shown(folder.rstrip("/")) if folder else self.root
            names, unlisted = list_markdown(self.path(folder), shown)
            files += [(folder + name, tier) for name in names]
            unreadable += unlisted
        return sorted(files), unreadable

    def find_days(self) -> tuple[list[str], list[UnreadableFile]]:
        """The days of the calendar that have a log, newest first, and the folder if it cannot be listed."""
        if self.project is None:
            return [], []
        folder = f"{_PROJECTS}/{self.project}/{_DAILY}"
        names, unlisted = list_markdown(self.path(folder), self.shown(folder))
        days = [name.removesuffix(".md") for name in names]
        return sorted(filter(_is_day, days), reverse=True), unlisted

    def _find_spelling(self, doc_id: str) -> str:
        if doc_id.isascii() or self.path(doc_id).exists():
            return doc_id
        folder, _, name = doc_id.rpartition("/")
        composed = unicodedata.normalize("NFC", name)
        there, _ = list_markdown(self.path(folder), folder)
        return next((f"{folder}/{one}" for one in there if unicodedata.normalize("NFC", one) == composed), doc_id)

    def _in_project(self, tier: Tier, place: str) -> str:
        if self.project is None:
            raise InvalidTargetError(
                f"{tier.value} belongs to a project and none was given; give project=SLUG or cwd=FOLDER. "
                "Without one, only long_term is in reach."
            )
        return f"{_PROJECTS}/{self.project}/{place}"


_FOLDERS = ((_NOTES, Tier.NOTE), (_DAILY, Tier.DAILY))


def read_documents(layout: Layout, *, shown_root: str | None = None) -> tuple[list[Document], list[UnreadableFile]]:
    """The documents a search sees, sorted by doc_id, and what could not be read.

    `shown_root` stands before the doc_id in each document's path; None = the path is the doc_id alone. A byte order
    mark is not part of the text.
    """
    files, unreadable = layout.find_files()
    documents: list[Document] = []
    for doc_id, tier in files:
        path = doc_id if shown_root is None else _join(shown_root, doc_id)
        text = load_text(layout.path(doc_id), path)
        if isinstance(text, UnreadableFile):
            unreadable.append(text)
        elif text is not None:  # None: it went away while we were reading the others
            name = doc_id.rsplit("/", 1)[-1]
            day = name.removesuffix(".md") if tier is Tier.DAILY else None
            text = text.removeprefix("\ufeff")
            documents.append(Document(doc_id=doc_id, path=path, tier=tier, name=name, text=text, date=day))
    return documents, unreadable


def read_store(
    root: str | os.PathLike[str], project: str | None = None, *, shown_root: str | None = None
) -> tuple[Document, ...]:
    """The documents a search of the store sees, sorted by doc_id: the same on every machine.

    `shown_root` is put before the doc_id to make each document's path; None = the path is the doc_id. Raises
    UnreadableFileError, naming all of them, when a file or folder cannot be read.
    """
    documents, unreadable = read_documents(Layout(os.fspath(root), project), shown_root=shown_root)
    if unreadable:
        raise unreadable_error(unreadable)
    return tuple(documents)


def list_projects(root: str | os.PathLike[str]) -> tuple[str, ...]:
    """The project slugs of a store, sorted; none when it has no `projects/`."""
    folder = Layout(os.fspath(root)).path(_PROJECTS)
    if not folder.is_dir():
        return ()
    names = [entry.name for entry in folder.iterdir() if entry.is_dir() and not entry.name.startswith(".")]
    return tuple(sorted(decode_name(name) for name in names))


def project_slug(path: str | os.PathLike[str]) -> str:
    """A folder's project slug: `<base name>-<8 hex digits>`, the same for the same path on any machine.

    Of the base name, everything but A-Z, a-z, 0-9, `-` and `_` becomes `-`; it is cut at 40 characters, `root` when
    empty. The digits are the low 32 bits of the 64-bit FNV-1a hash of the path's UTF-8 bytes, as it is given. Raises
    InvalidNameError for half a character (a lone surrogate), which no path holds.
    """
    given = os.fspath(path)
    if not _is_encodable(given):
        raise InvalidNameError(f"{given!r} is no path: it holds half a character; give the folder's whole name")
    content = given.encode("utf-8", "surrogateescape")
    text = content.decode("utf-8", "surrogateescape")  # a path that Python read without knowing UTF-8, read again
    parts = [part for part in text.split("/") if part not in {"", "."}]
    base = parts[-1] if parts and parts[-1] != ".." else ""
    stem = re.sub(r"[^A-Za-z0-9_-]", "-", base)[:_MAX_SLUG_STEM] or "root"
    digest = _FNV_OFFSET
    for byte in content:
        digest = (digest ^ byte) * _FNV_PRIME & 0xFFFFFFFFFFFFFFFF
    return f"{stem}-{digest & 0xFFFFFFFF:08x}"


def format_day(day: date | str) -> str:
    """A day as `YYYY-MM-DD`. Raises InvalidNameError for anything else than a date or such a day."""
    if isinstance(day, date):
        return day.isoformat()[:10]  # a datetime is a date too, and says more
    if not isinstance(day, str) or not _DAY.fullmatch(day):
        raise InvalidNameError(f"{day!r} is no day; today must be a date, 'YYYY-MM-DD', or a callable that gives one")
    try:
        date.fromisoformat(day)
    except ValueError as error:
        raise InvalidNameError(f"{day!r} is no day of the calendar ({error})") from None
    return day


def _is_day(text: str) -> bool:
    try:
        return bool(_DAY.fullmatch(text) and date.fromisoformat(text))
    except ValueError:
        return False


def format_time(moment: datetime | time | str) -> str:
    """A time of day as `HH:MM`. Raises MemoryStoreError for anything else than a datetime, a time or such a text."""
    if isinstance(moment, datetime | time):
        return f"{moment:%H:%M}"
    if not isinstance(moment, str) or not _TIME.fullmatch(moment):
        raise MemoryStoreError(f"now gave {moment!r}; it must give a datetime, a time, or a text like '14:32'")
    return moment


def day_before(day: str) -> str | None:
    """The day before a day, both `YYYY-MM-DD`; None before the first day of the calendar, 0001-01-01."""
    date_of_day = date.fromisoformat(day)
    return None if date_of_day == date.min else (date_of_day - timedelta(days=1)).isoformat()


def _is_encodable(text: str) -> bool:
    """Whether a path can be written in bytes: no lone surrogates but those that stand for undecoded bytes."""
    return not any("\ud800" <= character <= "\udfff" and not "\udc80" <= character <= "\udcff" for character in text)


def _join(root: str, doc_id: str) -> str:
    separator = "" if root.endswith(("/", os.sep)) else os.sep
    return f"{root}{separator}{doc_id.replace('/', os.sep)}"


def _bare_name(name: str) -> str:
    return name.strip(WHITE_SPACE).removesuffix(".md").strip(WHITE_SPACE)


def _check_note_name(name: str | None) -> str:
    if name is None:
        raise InvalidNameError("a note needs a name: name='redis-deploy'")
    bare = _bare_name(name)
    if not bare or any(character in bare for character in "/\\."):
        raise InvalidNameError(_NOTE_NAME_RULE)
    odd = [
        character
        for character in bare
        if character in _UNSAFE_CHARACTERS or unicodedata.category(character) in _UNSAFE_CATEGORIES
    ]
    if odd:
        raise InvalidNameError(f"invalid note name {bare!r}: {odd[0]!r} cannot stand in a file name everywhere")
    if _DEVICE.fullmatch(bare):
        raise InvalidNameError(f"invalid note name {bare!r}: Windows keeps it for a device; add a word to it")
    if len(bare.encode()) > _MAX_NAME_BYTES:
        raise InvalidNameError(
            f"invalid note name {bare[:20]!r}…: {len(bare.encode())} bytes; {_MAX_NAME_BYTES} are the most"
        )
    return bare


def _check_project(slug: str) -> None:
    odd = any(character in "/\\" or unicodedata.category(character) in _UNSAFE_CATEGORIES for character in slug)
    if odd or not slug.strip(". "):
        raise InvalidNameError(
            f"invalid project {slug!r}: it is the name of one folder in projects/, like shop-1a2b3c4d. "
            "For a working directory give cwd=FOLDER instead."
        )
