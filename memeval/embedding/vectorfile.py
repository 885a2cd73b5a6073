"""One SQLite file of vectors, each under the digest of what was embedded. Derived only: deleting it loses nothing."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

FILE_NAME = ".memeval-vectors.sqlite"
"""Hidden, and no `.md`: neither a search nor a list of the store sees it."""

SCHEMA_VERSION = 1
_WAIT_SECONDS = 30.0
_TABLES = """
CREATE TABLE IF NOT EXISTS model (identity TEXT NOT NULL, schema INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS chunks (digest BLOB PRIMARY KEY, vector BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS files (doc_id TEXT NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (doc_id, digest))
    WITHOUT ROWID;
"""


def digest_passage(passage: str) -> bytes:
    """SHA-256 of a passage as it is embedded."""
    return hashlib.sha256(passage.encode("utf-8", "surrogatepass")).digest()


class VectorFile:
    """Vectors of one model, kept from one process to the next.

    A vector is looked up by what it is the vector of, so that a changed text finds nothing and none is ever stale.
    Every write is one transaction that checks the model first: a file left half-written is rolled back by SQLite when
    it is next opened; one of another model or another layout is emptied; one that is no database is replaced. Two
    processes may read and write at once. Where the file cannot be read or written, nothing is kept and `problem` says
    why.
    """

    def __init__(self, folder: Path, identity: str) -> None:
        self._path = folder / FILE_NAME  # a name of our own: what has it may be emptied and replaced
        self._identity = identity
        self.problem: str | None = None

    def read(self, digests: Iterable[bytes]) -> dict[bytes, bytes]:
        """{digest: vector} of those that are there, as little-endian single-precision numbers."""
        if not self._path.exists():
            return {}
        found: dict[bytes, bytes] = {}
        with self._guard(), closing(self._connect()) as connection:
            connection.execute("BEGIN")
            if self._is_ours(connection):
                for digest in digests:
                    row = connection.execute("SELECT vector FROM chunks WHERE digest = ?", (digest,)).fetchone()
                    if row is not None:
                        found[digest] = row[0]
        return found

    def write(
        self,
        vectors: Mapping[bytes, bytes],
        needs: Mapping[str, Iterable[bytes]] | None = None,
        is_gone: Callable[[str], bool] | None = None,
    ) -> None:
        """Keep vectors, and drop those that no file needs any more.

        Args:
            vectors: {digest: vector}.
            needs: {doc_id: all digests it needs}, in place of what was kept for these files; None = drop nothing.
            is_gone: whether a file that is not among these does no longer exist; None = nobody knows, all are kept.
        """
        with self._guard(), closing(self._connect()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            if not self._is_ours(connection):
                self._empty(connection)
            connection.executemany("INSERT OR REPLACE INTO chunks VALUES (?, ?)", sorted(vectors.items()))
            if needs is not None:
                self._drop_unneeded(connection, needs, is_gone)
            connection.execute("COMMIT")

    def _drop_unneeded(
        self,
        connection: sqlite3.Connection,
        needs: Mapping[str, Iterable[bytes]],
        is_gone: Callable[[str], bool] | None,
    ) -> None:
        known = [doc_id for (doc_id,) in connection.execute("SELECT DISTINCT doc_id FROM files ORDER BY doc_id")]
        gone = [doc_id for doc_id in known if doc_id not in needs and is_gone is not None and is_gone(doc_id)]
        connection.executemany("DELETE FROM files WHERE doc_id = ?", [(doc_id,) for doc_id in (*needs, *gone)])
        rows = [(doc_id, digest) for doc_id, digests in needs.items() for digest in digests]
        connection.executemany("INSERT OR IGNORE INTO files VALUES (?, ?)", rows)
        connection.execute("DELETE FROM chunks WHERE digest NOT IN (SELECT digest FROM files)")

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=_WAIT_SECONDS, isolation_level=None)

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn what SQLite refuses into a note; remove a file that is none of its databases."""
        try:
            yield
        except sqlite3.OperationalError as error:  # locked for too long, read-only, a full disk
            self.problem = f"{self._path}: {error}"
        except sqlite3.DatabaseError as error:
            self.problem = f"{self._path}: {error}; it is made anew"
            try:
                self._path.unlink(missing_ok=True)
            except OSError as refusal:
                self.problem = f"{self._path}: {error}; it cannot be removed: {refusal.strerror}"

    def _is_ours(self, connection: sqlite3.Connection) -> bool:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not {"model", "chunks", "files"} <= tables:
            return False
        return connection.execute("SELECT identity, schema FROM model").fetchall() == [(self._identity, SCHEMA_VERSION)]

    def _empty(self, connection: sqlite3.Connection) -> None:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in names:
            connection.execute(f'DROP TABLE "{name}"')
        for statement in _TABLES.split(";"):
            connection.execute(statement)
        connection.execute("INSERT INTO model VALUES (?, ?)", (self._identity, SCHEMA_VERSION))
