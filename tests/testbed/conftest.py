"""A small store on disk, and a way to write suites for it."""

from pathlib import Path

import pytest


@pytest.fixture
def write_files():
    """A function: the given root, now holding these files."""

    def write(root: Path, files: dict[str, str | bytes]) -> Path:
        root.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return root

    return write


@pytest.fixture
def store(tmp_path, write_files):
    """A store with one project: a long-term file, two notes, a log and a scratchpad."""
    return write_files(
        tmp_path / "store",
        {
            "MEMORY.md": "- deploys need a ticket\n",
            "projects/shop-1/notes/redis.md": "# Redis deploy\n\nPort 6380, since 6379 is\ntaken on the host.\n",
            "projects/shop-1/notes/sso.md": "# Single sign-on\n\nThe callback must end in /cb.\n",
            "projects/shop-1/daily/2026-05-30.md": "### 09:12 — standup\nmoved to ten\n",
            "projects/shop-1/SCRATCHPAD.md": "- [ ] call the provider\n",
        },
    )


@pytest.fixture
def write_suite(tmp_path, store):
    """A function: the path of a suite file beside the store that holds these needs, or exactly this text."""

    def write(needs: str = "", *, text: str | bytes | None = None) -> Path:
        path = tmp_path / "ops.recall.yaml"
        content = f"suite: ops\ncorpus: store\nlang: en\nneeds:\n{needs}" if text is None else text
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
