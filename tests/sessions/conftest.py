"""Small transcripts of each format, written by hand; the database is made from its statements."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memeval.sessions.memoryfiles import MemoryFiles
from memeval.sessions.readers import detect_reader

DATA = Path(__file__).parent / "data"


def write_database(path: Path) -> Path:
    """opencode's database at a path."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript((DATA / "opencode" / "opencode.sql").read_text(encoding="utf-8"))
    return path


@pytest.fixture(scope="session")
def database(tmp_path_factory) -> Path:
    """The database of opencode; not to be written to."""
    return write_database(tmp_path_factory.mktemp("opencode") / "opencode.db")


@pytest.fixture(scope="session")
def transcripts(database) -> dict[str, Path]:
    """{name: file or folder} of every transcript."""
    files = sorted(path for path in DATA.rglob("*") if path.suffix in (".json", ".jsonl"))
    names = {f"{path.parent.name}/{path.stem}": path for path in files if "storage" not in path.parts}
    return {**names, "opencode/database": database, "opencode/storage": DATA / "opencode" / "storage"}


@pytest.fixture
def read(transcripts):
    """The content of a transcript, by its name, as the reader that recognises it gives it."""

    def read_named(name, memory=MemoryFiles()):  # noqa: B008 - a frozen value
        path = transcripts[name]
        return detect_reader(path).read(path, memory)

    return read_named


@pytest.fixture
def copies(tmp_path) -> Path:
    """A folder with a copy of every transcript, the database among them."""
    shutil.copytree(DATA, tmp_path / "recorded")
    write_database(tmp_path / "recorded" / "opencode" / "opencode.db")
    return tmp_path / "recorded"


@pytest.fixture
def build_database():
    """Writes opencode's database to a path and gives it back."""
    return write_database


@pytest.fixture
def statements() -> str:
    """What opencode's database is made of."""
    return (DATA / "opencode" / "opencode.sql").read_text(encoding="utf-8")


@pytest.fixture
def describe():
    """(kind, agent, what was asked or which file, what was shown) of each event of a content, in order."""

    def describe_events(content):
        rows = []
        for event in content.events:
            said = getattr(event, "query", None) or getattr(event, "file", None)
            shown = getattr(event, "shown", None)
            names = None if shown is None else [path.rsplit("/", 1)[-1] for path in shown]
            rows.append((type(event).__name__.lower(), event.agent, said and said.rsplit("/", 1)[-1], names))
        return rows

    return describe_events
