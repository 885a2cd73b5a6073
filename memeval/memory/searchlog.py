"""The search log: what was searched and read, one line of JSON each. Nothing is logged unless it is asked for."""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal, NamedTuple

from memeval.errors import MemoryStoreError, UnreadableFileError
from memeval.memory.disk import lock_store
from memeval.memory.result import Result
from memeval.text import cut_utf8, fold, split_terms, utf8_length

LOG_FILE = "searchlog.jsonl"
"""Name of the log under the root of a store: not Markdown, so that it is never searched, listed or injected."""

_SEARCHED_ENDINGS = (".md", ".markdown")
_MAX_LOG_BYTES = 8 * 1024 * 1024
_MAX_QUERY_BYTES = 4096  # a pasted file is no query; what comes after says nothing more about the wording
_HASH_DIGITS = 16

_RANDOM_LOOKING = "(?=[{0}]*[A-Z])(?=[{0}]*[a-z])(?=[{0}]*[0-9])[{0}]"

REDACTIONS: tuple[tuple[str, str], ...] = (
    ("private-key", r"(?s)-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*-----|\Z)"),
    ("password", r"(?i)(?P<kept>[a-z][a-z0-9+.-]{0,30}://[^\s/:@]{0,80}:)[^\s/]+(?=@)"),
    (
        "token",
        r"(?<![A-Za-z0-9_])(?:(?:AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}"
        r"|glpat-[A-Za-z0-9_-]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|sk-(?:[a-z]+-)*[A-Za-z0-9_-]{20,}"
        r"|AIza[A-Za-z0-9_-]{30,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{20,}|hf_[A-Za-z0-9]{30,}"
        r"|(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?)",
    ),
    ("token", r"(?i)(?P<kept>\b(?:bearer|basic)\s{1,4})(?=\S*[0-9=])[A-Za-z0-9._~+/=-]{12,}"),
    (
        "secret",
        r"(?is)(?P<kept>(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|(?:api|access|private)[_ -]?key|credentials?"
        r"|密碼|密码|口令|パスワード|비밀번호|암호)(?:[_-][\w-]{0,40}|s|key)?[\"']?\s{0,4}(?:=>|[:=：＝])\s{0,4})"
        r"(?!\[redacted:)(?:\"(?:[^\"\\]|\\.)*(?:\"|\Z)|'(?:[^'\\]|\\.)*(?:'|\Z)|\S+)",
    ),
    ("secret", r"(?i)(?P<kept>(?<!\S)--?(?:password|passphrase|secret|token|api-key)\s{1,4})[^\s-]\S*"),
    ("key", rf"(?<![A-Za-z0-9/+=]){_RANDOM_LOOKING.format('A-Za-z0-9/+')}{{40}}(?![A-Za-z0-9/+=])"),
    ("key", rf"(?<![A-Za-z0-9_+=-]){_RANDOM_LOOKING.format('A-Za-z0-9_+=-')}{{32,}}"),
)
"""What a query may not bring into the log: (what it is called there, its pattern), tried in this order.

A match is replaced by `[redacted:NAME]`; a group `kept` stays before it. Better a word too many than a secret too few,
but a list is never complete: where queries are not to be read at all, give the log a salt. The patterns are compiled
when the first event is written, since an agent imports this on every turn.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEvent:
    """One search or one read."""

    time: datetime
    """When, with its offset from UTC."""
    kind: Literal["search", "read"]
    scope: str | None
    """Slug of the project in reach; None = only the files directly under the root."""
    query: str | None = None
    """What was asked, secrets redacted, cut at 4,096 bytes; None for a read, and in a log with a salt."""
    term_hashes: tuple[str, ...] | None = None
    """In a log with a salt, the query's distinct terms, folded and hashed, in order: words that come back are seen to
    come back, without being read. None otherwise."""
    shown: tuple[str, ...]
    """doc_ids of the files displayed, in order; of a read the one file, or none where it does not exist."""
    matched: int
    """Files in the candidate list at any depth; of a read 1 or 0."""
    shown_bytes: int
    """UTF-8 bytes of the text that came back."""

    def to_line(self) -> bytes:
        """The event as one line of JSON in UTF-8, with its line end."""
        asked = {"query": self.query} if self.term_hashes is None else {"term_hashes": self.term_hashes}
        values = {
            "time": self.time.isoformat(timespec="milliseconds"),
            "kind": self.kind,
            "scope": self.scope,
            **(asked if self.kind == "search" else {}),
            "shown": self.shown,
            "matched": self.matched,
            "shown_bytes": self.shown_bytes,
        }
        # half a character becomes `\ud800`, which JSON reads as that half again
        return json.dumps(values, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


class SearchLogContent(NamedTuple):
    """What stands in a log; unpacks as a pair."""

    events: tuple[LogEvent, ...]
    """In the order of the file, which is that of writing."""
    problems: tuple[str, ...]
    """`path:line: what is wrong` of each line that is no event."""


def _ignore(problem: str) -> None:
    """Nothing: what `on_problem` does by default."""


@dataclass(frozen=True, slots=True)
class SearchLog:
    """A log file that searches and reads are added to, by any number of threads and processes at once.

    A line is added by one write at the end of the file, under the lock of the file's folder (under the root of a
    store: the store's own). What cannot be logged is told to `on_problem`, never raised: no search fails for its log.
    The folder has to be there; none is made for a log.

    Raises MemoryStoreError for a path that a search might read as a note, an empty salt, a cap below one byte.
    """

    path: Path
    salt: str | None = field(default=None, repr=False)
    """Hashes the terms of queries (HMAC-SHA-256, 16 hex digits each) instead of writing them. Names of files stay
    readable. Keep it out of the log's folder: whoever has it can try words until their hash fits."""
    max_bytes: int = _MAX_LOG_BYTES
    """A line that would make the file larger begins a new one; the old one becomes `PATH.1`, and what was `PATH.1` is
    gone. A line alone may be larger."""
    on_problem: Callable[[str], None] = field(default=_ignore, compare=False)
    """Called with a sentence when an event could not be written."""

    def __post_init__(self) -> None:
        if self.path.name.lower().endswith(_SEARCHED_ENDINGS):
            raise MemoryStoreError(f"a search log at {self.path} would be searched as a note; end its name in .jsonl")
        if self.salt == "":
            raise MemoryStoreError("the salt of the search log is empty, which hides nothing; give one, or None")
        if self.max_bytes < 1:
            raise MemoryStoreError(f"max_bytes of the search log is {self.max_bytes}; 1 is the least")

    @property
    def older_path(self) -> Path:
        """Where the part before the last rotation is kept."""
        return self.path.with_name(f"{self.path.name}.1")

    def record_search(self, result: Result, *, time: datetime, scope: str | None, max_bytes: int | None = None) -> None:
        """Add a search. `max_bytes` is the cap its text was displayed under; None = the profile's."""
        display = result.display(max_bytes)
        query = redact(result.query)
        self.append(
            LogEvent(
                time=time,
                kind="search",
                scope=scope,
                query=cut_utf8(query, _MAX_QUERY_BYTES) if self.salt is None else None,
                term_hashes=None if self.salt is None else _hash_terms(query, self.salt),
                shown=tuple(block.doc_id for block in display.blocks),
                matched=len(result.hits),
                shown_bytes=utf8_length(display.text),
            )
        )

    def record_read(self, doc_id: str | None, text: str, *, time: datetime, scope: str | None) -> None:
        """Add a read of a file, None where there is none, that gave `text` back."""
        shown = () if doc_id is None else (doc_id,)
        size = utf8_length(text)
        self.append(LogEvent(time=time, kind="read", scope=scope, shown=shown, matched=len(shown), shown_bytes=size))

    def append(self, event: LogEvent) -> None:
        """Add an event, or tell `on_problem` why not."""
        try:
            if not self.path.parent.is_dir():  # the lock would make it
                raise OSError(errno.ENOENT, "its folder does not exist")
            with lock_store(self.path.parent):
                self._add_line(event.to_line())
        except OSError as error:
            reason = error.strerror or type(error).__name__
            self.on_problem(f"{self.path}: {reason}; this {event.kind} is not in the search log")

    def _add_line(self, line: bytes) -> None:
        size = _measure(self.path)
        if size and size + len(line) > self.max_bytes:
            self.path.replace(self.older_path)
            size = 0
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        descriptor = os.open(self.path, flags, 0o600)  # what somebody searched for is for nobody else to read
        try:
            if size:
                os.lseek(descriptor, -1, os.SEEK_END)
                if os.read(descriptor, 1) != b"\n":  # a crash tore the last line: it stays alone
                    line = b"\n" + line
            if os.write(descriptor, line) < len(line):
                os.ftruncate(descriptor, size)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            os.close(descriptor)


def open_search_log(wanted: SearchLog | str | os.PathLike[str] | bool | None, root: Path) -> SearchLog | None:
    """The log that is meant: None for None and False, `searchlog.jsonl` under the root for True, one at a path."""
    if wanted is None or isinstance(wanted, SearchLog):
        return wanted
    if isinstance(wanted, bool):
        return SearchLog(root / LOG_FILE) if wanted else None
    return SearchLog(Path(wanted))


def redact(text: str) -> str:
    """The text with each match of REDACTIONS replaced by `[redacted:NAME]`."""
    for name, pattern in REDACTIONS:
        kept = r"\g<kept>" if "(?P<kept>" in pattern else ""
        text = re.sub(pattern, f"{kept}[redacted:{name}]", text)
    return text


def read_search_log(path: str | os.PathLike[str]) -> SearchLogContent:
    """The events of a log file, and what is wrong with the lines that are none, such as a last line torn by a crash.

    Empty lines and unknown keys are passed over. One file is read; the part before the last rotation is `PATH.1`.
    Raises UnreadableFileError for a file that is not there or cannot be opened.
    """
    shown = os.fspath(path)
    try:
        _measure(Path(path))
        content = Path(path).read_bytes()
    except OSError as error:
        raise UnreadableFileError(f"cannot read the search log {shown}: {error.strerror or error}") from error
    events: list[LogEvent] = []
    problems: list[str] = []
    lines = content.split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            events.append(_parse(line))
        except ValueError as error:
            torn = " (the line has no end: it is torn)" if number == len(lines) else ""
            problems.append(f"{shown}:{number}: {error}{torn}")
    return SearchLogContent(tuple(events), tuple(problems))


def _parse(line: bytes) -> LogEvent:
    """The event on a line. Raises ValueError that says what is wrong with it."""
    try:
        values = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise ValueError("not a line of JSON") from None
    if not isinstance(values, dict):
        raise ValueError("not a JSON object")
    kind = values.get("kind")
    if kind not in ("search", "read"):
        raise ValueError(f"kind {kind!r} is neither 'search' nor 'read'")
    event = LogEvent(
        time=_read_time(values.get("time")),
        kind=kind,
        scope=_read_optional(values, "scope"),
        query=_read_optional(values, "query"),
        term_hashes=None if values.get("term_hashes") is None else _read_texts(values, "term_hashes"),
        shown=_read_texts(values, "shown"),
        matched=_read_number(values, "matched"),
        shown_bytes=_read_number(values, "shown_bytes"),
    )
    if kind == "search" and (event.query is None) == (event.term_hashes is None):
        raise ValueError("a search needs one of 'query' and 'term_hashes'")
    return event


def _read_time(value: object) -> datetime:
    try:
        time = datetime.fromisoformat(value.replace("Z", "+00:00") if isinstance(value, str) else "")
    except ValueError:
        raise ValueError(f"time {value!r} is no ISO 8601 time") from None
    if time.tzinfo is None:
        raise ValueError(f"time {value!r} has no offset from UTC")
    return time


def _read_optional(values: dict[str, object], key: str) -> str | None:
    value = values.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{key} {value!r} is no text")
    return value


def _read_texts(values: dict[str, object], key: str) -> tuple[str, ...]:
    value = values.get(key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"{key} {value!r} is no list of texts")
    return tuple(value)


def _read_number(values: dict[str, object], key: str) -> int:
    value = values.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{key} {value!r} is no count")
    return value


def _hash_terms(query: str, salt: str) -> tuple[str, ...]:
    import hmac  # few logs have a salt, and every import of the engine would wait for it

    terms = dict.fromkeys(fold(term) for term in split_terms(query))
    key = salt.encode("utf-8", "surrogatepass")
    return tuple(
        hmac.new(key, term.encode("utf-8", "surrogatepass"), "sha256").hexdigest()[:_HASH_DIGITS] for term in terms
    )


def _measure(path: Path) -> int:
    """The size of a file in bytes, 0 if there is none. Raises OSError for a pipe, which would wait, and its like."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return 0
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
    return status.st_size
