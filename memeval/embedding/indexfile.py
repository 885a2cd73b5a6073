"""One SQLite file of what is derived from texts: their passages, the terms of these, and vectors.

Deleting it loses nothing.
"""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar

from memeval.embedding.passages import Passage
from memeval.embedding.tokens import tokenise

FILE_NAME = ".memeval-vectors.sqlite"
"""Beside a store. Hidden, and no `.md`: neither a search nor a list of the store sees it."""

SCHEMA_VERSION = 3
"""Of the tables and of what stands in them: another way to cut texts into passages or tokens is another version."""
_WAIT_SECONDS = 30.0
_PAGE_BYTES = 16_384
"""Of a vector of 512 numbers a page of 4,096 holds one, and is half empty."""
_MAX_TOKEN_BYTES = 64
"""A longer token stands as its digest: FTS5 cuts long ones, so that two of them would become one."""
_MODEL_TABLE = "CREATE TABLE model (identity TEXT NOT NULL, schema INTEGER NOT NULL)"
"""What tells a file of ours, of whatever version."""
_TABLES = (
    _MODEL_TABLE,
    "CREATE TABLE vectors (digest BLOB PRIMARY KEY, vector BLOB NOT NULL, checksum INTEGER NOT NULL)",
    "CREATE TABLE files (doc_id TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,"
    " digest BLOB NOT NULL, checksum INTEGER NOT NULL)",
    "CREATE TABLE chunks (id INTEGER PRIMARY KEY, doc_id TEXT NOT NULL, ordinal INTEGER NOT NULL,"
    " first_line INTEGER NOT NULL, last_line INTEGER NOT NULL, headings TEXT NOT NULL, text TEXT NOT NULL,"
    " digest BLOB NOT NULL, tokens INTEGER NOT NULL, UNIQUE (doc_id, ordinal))",
)
_TERM_TABLES = (
    "CREATE VIRTUAL TABLE terms USING fts5(tokens, tokenize = 'ascii')",  # its rowid is the id of a chunk
    "CREATE VIRTUAL TABLE instances USING fts5vocab('terms', 'instance')",
)
_BETWEEN_HEADINGS = "\n"  # no heading holds one

TermPlaces = Mapping[str, Mapping[tuple[str, int], int]]
"""{token: {(doc_id, number of its passage, from 0): how often it stands there}}."""
Row = tuple[int, int, int, str, str, int]
"""A passage: its number, first and last line, headings, text, how many tokens."""
Result = TypeVar("Result")


@cache
def has_full_text() -> bool:
    """Whether the SQLite of this Python has FTS5. Without it a file keeps vectors and no passages."""
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
        except sqlite3.OperationalError:
            return False
    return True


def digest_text(text: str) -> bytes:
    """SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def encode_token(token: str) -> str:
    """The token in lower-case letters and digits of ASCII, which FTS5 takes as they are."""
    data = token.encode("utf-8", "surrogatepass")
    return data.hex() if len(data) <= _MAX_TOKEN_BYTES else f"x{hashlib.sha256(data).hexdigest()}"


def _sum_up(*values: object) -> int:
    """CRC-32 of all of them, whatever they are: what SQLite reads from a damaged row may be of any type."""
    checksum = 0
    for value in values:
        data = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogatepass")
        checksum = zlib.crc32(data, checksum)
    return checksum


@dataclass(frozen=True, slots=True)
class FileState:
    """A file on disk as far as it shows without being read; -1 each where it is not there."""

    size: int = -1
    """In bytes."""
    mtime_ns: int = -1
    """From 0, below 2 to the 63: what SQLite holds."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is kept of one document."""

    digest: bytes
    """Of its text."""
    state: FileState
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """What a file holds, seen from some documents."""

    passages: Mapping[str, tuple[Passage, ...]] = field(default_factory=dict)
    """{doc_id: passages} of those of the documents whose text is the one that was kept."""
    states: Mapping[str, FileState] = field(default_factory=dict)
    """{doc_id: its file when it was kept} of all that is there."""


class IndexFile:
    """Passages, their terms and vectors, of one model, kept from one process to the next.

    A vector is looked up by the digest of what it is the vector of, the passages of a document by the digest of its
    text, so that a changed text finds nothing and nothing is ever stale. Every write is one transaction that checks the
    model first: a file left half-written is rolled back by SQLite when it is next opened; one of another model or
    another version is emptied; one that is no database is replaced; another program's is left alone. A row whose
    checksum is not that of what it holds is none, since SQLite does not see a flipped bit. Two processes may read and
    write at once. Where the file cannot be read or written, nothing is kept and `problem` says why; one that stayed
    locked is not waited for again before something could be written.

    Args:
        path: a name of our own.
        identity: of the model.
    """

    def __init__(self, path: Path, identity: str) -> None:
        self._path = path
        self._identity = identity
        self._wait_seconds = _WAIT_SECONDS
        self.problem: str | None = None

    def read_vectors(self, digests: Iterable[bytes]) -> dict[bytes, bytes]:
        """{digest: vector} of those that are there, as little-endian single-precision numbers."""

        def read(connection: sqlite3.Connection) -> dict[bytes, bytes]:
            select = "SELECT vector, checksum FROM vectors WHERE digest = ?"
            rows = ((digest, connection.execute(select, (digest,)).fetchone()) for digest in digests)
            return {digest: row[0] for digest, row in rows if row and _sum_up(digest, row[0]) == row[1]}

        return self._read(read, {})

    def write_vectors(self, vectors: Mapping[bytes, bytes]) -> None:
        """Keep {digest: vector}."""
        insert = "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)"
        rows = [(digest, vector, _sum_up(digest, vector)) for digest, vector in sorted(vectors.items())]
        self._write(lambda connection: connection.executemany(insert, rows))

    def read_passages(self, digests: Mapping[str, bytes]) -> Held:
        """The passages of the documents whose kept text has the digest that is given, and what else is there."""

        def read(connection: sqlite3.Connection) -> Held:
            rows = connection.execute("SELECT doc_id, size, mtime_ns, digest, checksum FROM files").fetchall()
            sums = {doc_id: checksum for doc_id, _, _, digest, checksum in rows if digests.get(doc_id) == digest}
            states = {doc_id: FileState(size, mtime_ns) for doc_id, size, mtime_ns, *_ in rows}
            found = {doc_id: _select_rows(connection, doc_id) for doc_id in sums}
            sound = {doc_id: rows for doc_id, rows in found.items() if _sum_up(*rows) == sums[doc_id]}
            return Held({doc_id: _read_passages(rows) for doc_id, rows in sound.items()}, states)

        return self._read(read, Held()) if has_full_text() else Held()

    def write_passages(
        self,
        entries: Mapping[str, Entry],
        is_stale: Callable[[str, FileState], bool],
        needed: Collection[bytes] = (),
    ) -> None:
        """Keep documents in place of what was kept of them; drop those that are stale, and vectors of no passage.

        Nothing is done without FTS5.

        Args:
            entries: {doc_id: what to keep}.
            is_stale: for a document that is not among these: whether its file is gone, or another one.
            needed: digests of vectors that stay though no passage has them.
        """

        def write(connection: sqlite3.Connection) -> None:
            known = connection.execute("SELECT doc_id, size, mtime_ns FROM files ORDER BY doc_id").fetchall()
            for doc_id, size, mtime_ns in known:
                if doc_id in entries or is_stale(doc_id, FileState(size, mtime_ns)):
                    _delete(connection, doc_id)
            for doc_id, entry in sorted(entries.items()):
                _insert(connection, doc_id, entry)
            marks = ", ".join("?" * len(needed))
            unneeded = f"digest NOT IN (SELECT digest FROM chunks) AND digest NOT IN ({marks})"
            connection.execute(f"DELETE FROM vectors WHERE {unneeded}", tuple(needed))

        if has_full_text():
            self._write(write)

    def read_lengths(self, digests: Mapping[str, bytes]) -> dict[tuple[str, int], int] | None:
        """{(doc_id, number of a passage): its tokens}; None unless every document is kept with the digest given."""

        def read(connection: sqlite3.Connection) -> dict[tuple[str, int], int] | None:
            if not _holds(connection, digests):
                return None
            rows = connection.execute("SELECT doc_id, ordinal, tokens FROM chunks")
            return {(doc_id, ordinal): tokens for doc_id, ordinal, tokens in rows if doc_id in digests}

        return self._read(read, None) if has_full_text() else None

    def count_terms(self, tokens: Sequence[str], digests: Mapping[str, bytes]) -> TermPlaces | None:
        """Where these tokens stand in the documents; None unless every one is kept with the digest given."""

        def read(connection: sqlite3.Connection) -> TermPlaces | None:
            if not _holds(connection, digests):
                return None
            return {
                token: {place: tf for place, tf in _select_instances(connection, token) if place[0] in digests}
                for token in tokens
            }

        return self._read(read, None) if has_full_text() else None

    def _read(self, read: Callable[[sqlite3.Connection], Result], default: Result) -> Result:
        """What is read in one transaction; the default where there is nothing of this model, or nothing readable."""
        if self._path.exists():
            with self._guard(), closing(self._connect()) as connection:
                connection.execute("BEGIN")
                if self._is_ours(connection):
                    return read(connection)
        return default

    def _write(self, write: Callable[[sqlite3.Connection], object]) -> None:
        with self._guard(), closing(self._connect()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            if not self._is_ours(connection):
                self._empty(connection)
            write(connection)
            connection.execute("COMMIT")
            self._wait_seconds = _WAIT_SECONDS

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=self._wait_seconds, isolation_level=None)
        connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")  # of a file that is not there yet
        return connection

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn what SQLite refuses into a note; remove a file that is none of its databases."""
        try:
            yield
        except sqlite3.OperationalError as error:  # locked for too long, read-only, a full disk
            if "locked" in str(error):
                self._wait_seconds = 0.0
            reason = "a folder stands there; move it away" if self._path.is_dir() else error
            self.problem = f"{self._path}: {reason}; as long as that is so, nothing is kept"
        except sqlite3.DatabaseError as error:
            self.problem = f"{self._path}: {error}; it is made anew"
            try:
                self._path.unlink(missing_ok=True)
            except OSError as refusal:
                self.problem = f"{self._path}: {error}; it cannot be removed: {refusal.strerror}"

    def _is_ours(self, connection: sqlite3.Connection) -> bool:
        tables = {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE type = 'table'")}
        if not tables.issuperset(_list_tables()):
            return False
        return connection.execute("SELECT identity, schema FROM model").fetchall() == [(self._identity, SCHEMA_VERSION)]

    def _empty(self, connection: sqlite3.Connection) -> None:
        """Make the tables anew, in a file that is empty or was ours.

        Raises:
            _ForeignError: it is another program's; nothing of it is touched.
        """
        select = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
        made = dict(connection.execute(f"{select} ORDER BY rowid DESC").fetchall())
        if made and made.get("model") != _MODEL_TABLE:
            raise _ForeignError("a database of another program stands there; move it away")
        virtual = [name for name, sql in made.items() if sql.startswith("CREATE VIRTUAL")]
        if virtual and not has_full_text():
            raise sqlite3.DatabaseError("it holds full-text tables, which this Python cannot empty")
        for name in (*virtual, *(name for name in made if name not in virtual)):
            # with a virtual table go those that it keeps its rows in
            connection.execute(f"DROP TABLE {'' if name in virtual else 'IF EXISTS '}{name}")
        for statement in _list_tables():
            connection.execute(statement)
        connection.execute("INSERT INTO model VALUES (?, ?)", (self._identity, SCHEMA_VERSION))


class _ForeignError(sqlite3.OperationalError):
    """A database that this package did not make."""


def _holds(connection: sqlite3.Connection, digests: Mapping[str, bytes]) -> bool:
    kept = dict(connection.execute("SELECT doc_id, digest FROM files"))
    return all(kept.get(doc_id) == digest for doc_id, digest in digests.items())


def _list_tables() -> tuple[str, ...]:
    """What creates the tables, to the letter as SQLite remembers it."""
    return (*_TABLES, *(_TERM_TABLES if has_full_text() else ()))


def _select_rows(connection: sqlite3.Connection, doc_id: str) -> list[Row]:
    select = "SELECT ordinal, first_line, last_line, headings, text, tokens FROM chunks WHERE doc_id = ?"
    return connection.execute(f"{select} ORDER BY ordinal", (doc_id,)).fetchall()


def _read_passages(rows: Iterable[Row]) -> tuple[Passage, ...]:
    return tuple(
        Passage(first, last, tuple(headings.split(_BETWEEN_HEADINGS)) if headings else (), text)
        for _, first, last, headings, text, _ in rows
    )


def _select_instances(connection: sqlite3.Connection, token: str) -> Iterator[tuple[tuple[str, int], int]]:
    rows = connection.execute(
        "SELECT chunks.doc_id, chunks.ordinal, count(*) FROM instances CROSS JOIN chunks ON chunks.id = instances.doc"
        " WHERE instances.term = ? GROUP BY chunks.id",
        (encode_token(token),),
    )
    return (((doc_id, ordinal), tf) for doc_id, ordinal, tf in rows)


def _delete(connection: sqlite3.Connection, doc_id: str) -> None:
    connection.execute("DELETE FROM terms WHERE rowid IN (SELECT id FROM chunks WHERE doc_id = ?)", (doc_id,))
    connection.execute("DELETE FROM chunks WHERE doc_id = ?", (doc_id,))
    connection.execute("DELETE FROM files WHERE doc_id = ?", (doc_id,))


def _insert(connection: sqlite3.Connection, doc_id: str, entry: Entry) -> None:
    rows: list[Row] = []
    for ordinal, passage in enumerate(entry.passages):
        tokens = tokenise(passage.text)
        place = (ordinal, passage.first_line, passage.last_line)
        rows.append((*place, _BETWEEN_HEADINGS.join(passage.headings), passage.text, len(tokens)))
        number = connection.execute(
            "INSERT INTO chunks VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)",
            (doc_id, *rows[-1][:-1], digest_text(passage.text), len(tokens)),
        ).lastrowid
        encoded = " ".join(map(encode_token, tokens))
        connection.execute("INSERT INTO terms (rowid, tokens) VALUES (?, ?)", (number, encoded))
    row = (doc_id, entry.state.size, entry.state.mtime_ns, entry.digest, _sum_up(*rows))
    connection.execute("INSERT INTO files VALUES (?, ?, ?, ?, ?)", row)
