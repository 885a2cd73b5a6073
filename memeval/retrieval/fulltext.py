"""SQLite's full-text index FTS5 over texts, in memory: the lexical leg of every system that is built on it."""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Iterable, Sequence

UNICODE61 = "unicode61"
"""Runs of letters and numbers, lower-cased, Latin diacritics removed; a run of CJK characters is one token."""
TRIGRAM = "trigram"
"""Every three characters in a row, so that a term of three or more is found as a substring, whatever the case."""


class FullText:
    """Rows of texts in an FTS5 table, found by an FTS5 expression.

    The rank of a row is that of SQLite's bm25(): below 0, the lower the better; k1 1.2, b 0.75, the rarity of a term
    ln((N - n + 0.5) / (n + 0.5)), and a millionth where half of the rows or more have it.

    Args:
        rows: the texts of each row, one for each column.
        tokenize: FTS5's tokenizer and its arguments.
    """

    def __init__(self, rows: Iterable[Sequence[str]], tokenize: str = UNICODE61) -> None:
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        weakref.finalize(self, self._connection.close)
        given = [tuple(_encode(text) for text in row) for row in rows]
        columns = [f"c{place}" for place in range(len(given[0]) if given else 1)]
        quoted = tokenize.replace("'", "''")
        self._connection.execute(f"CREATE VIRTUAL TABLE texts USING fts5({', '.join(columns)}, tokenize='{quoted}')")
        marks = ", ".join("?" * (len(columns) + 1))
        self._connection.executemany(
            f"INSERT INTO texts(rowid, {', '.join(columns)}) VALUES ({marks})",
            ((place, *row) for place, row in enumerate(given)),
        )

    def match(self, expression: str, limit: int | None = None) -> list[tuple[int, float]]:
        """(place of a row, rank) of the rows an FTS5 expression finds, best first, equal ones by place.

        An empty expression finds nothing. Words from a query are to be quoted by `quote_term`.
        """
        if not expression:
            return []
        found = self._connection.execute(
            "SELECT rowid, rank FROM texts WHERE texts MATCH ? ORDER BY rank, rowid LIMIT ?",
            (_encode(expression), -1 if limit is None else limit),
        )
        return [(place, rank) for place, rank in found]


def quote_term(term: str) -> str:
    """The term as a string of an FTS5 expression: a phrase of the tokens it holds."""
    return '"' + term.replace('"', '""') + '"'


def _encode(text: str) -> str:
    """The text with `?` for each half of a character, which SQLite does not take."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
