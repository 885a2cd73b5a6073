"""A store in an empty folder, and what stands in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memeval.memory import Document, Memory, Tier

PROJECT = "shop-1a2b3c4d"
TODAY = "2026-07-03"


class Desk:
    """A store's folder with a few verbs for tests."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.notes = root / "projects" / PROJECT / "notes"
        self.daily = root / "projects" / PROJECT / "daily"
        self.scratchpad = root / "projects" / PROJECT / "SCRATCHPAD.md"
        self.long_term = root / "MEMORY.md"

    def open(self, profile="current", **settings) -> Memory:
        return Memory(self.root, **{"project": PROJECT, "today": TODAY, "profile": profile, **settings})

    def put(self, path: Path, content: str | bytes) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def files(self) -> dict[str, bytes]:
        """Every file, hidden ones too."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
        }


@pytest.fixture
def desk(tmp_path) -> Desk:
    return Desk(tmp_path / "store")


@pytest.fixture
def filled(desk):
    """A store with two notes and long-term memory."""
    memory = desk.open()
    memory.write("note", "Redis listens on 6380.\n", name="redis")
    memory.write("note", "The port of the proxy is 8443.\n", name="proxy")
    memory.write("long_term", "- Deploys happen on Tuesdays\n")
    return desk


@pytest.fixture
def desks(tmp_path) -> dict[str, Desk]:
    """A store for each profile, in one folder."""
    return {name: Desk(tmp_path / name) for name in ("article", "current")}


@pytest.fixture(params=["article", "current"])
def profile(request) -> str:
    """Each profile in turn."""
    return request.param


@pytest.fixture
def document():
    """Makes a document out of a doc_id and a text."""

    def make(doc_id: str, text: str = "", *, tier: Tier = Tier.NOTE, date: str | None = None) -> Document:
        return Document(doc_id=doc_id, path=doc_id, tier=tier, name=doc_id.rsplit("/", 1)[-1], text=text, date=date)

    return make
