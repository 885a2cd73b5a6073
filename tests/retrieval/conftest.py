"""A small store in many scripts, and documents with defaults for all but the point of a test."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from memeval.memory.document import Document, Tier


def _make_document(doc_id: str, text: str, date: str | None = None) -> Document:
    tier = Tier.LONG_TERM if doc_id == "MEMORY.md" else Tier.DAILY if "/daily/" in doc_id else Tier.NOTE
    return Document(
        doc_id=doc_id, path=f"store/{doc_id}", tier=tier, name=doc_id.rsplit("/", 1)[-1], text=text, date=date
    )


@pytest.fixture(scope="session")
def make_document():
    """(doc_id, text, date=None) -> Document."""
    return _make_document


@pytest.fixture(scope="session")
def documents() -> tuple[Document, ...]:
    """Eleven files: seven languages, CRLF, an empty one, one without a word, one with a very long line."""
    notes, daily = "projects/shop/notes", "projects/shop/daily"
    return (
        _make_document("MEMORY.md", "# Rules\n\nAsk before you deploy. Ports live in `compose.yaml`.\n"),
        _make_document(
            f"{daily}/2026-03-28.md", "### 14:32\nredis could not bind port 6379\nmoved it to 6380\n", "2026-03-28"
        ),
        _make_document(
            f"{daily}/2026-03-30.md", "### 09:10\r\nPort conflict again\r\nport 8080 this time\r\n", "2026-03-30"
        ),
        _make_document(f"{daily}/later.md", "ideas for later: a port scanner", "later"),
        _make_document(
            f"{notes}/redis-deploy.md", "# Redis\nhost port 6380, port inside 6379\nRESTART the container\n"
        ),
        _make_document(f"{notes}/中文.md", "# 資料庫\n監視的設定在夜間批次之前變更\n連接埠衝突改用 6380\n"),
        _make_document(f"{notes}/日本語.md", "ﾃﾞﾌﾟﾛｲ手順\nコーヒー・ミルクの設定を変更する。port は 6380 だ。\n"),
        _make_document(f"{notes}/多語.md", "한국어 검색 설정\nภาษาไทยที่ดี\nहिन्दी में खोज\ncafe\u0301 naïve\n"),
        _make_document(f"{notes}/empty.md", ""),
        _make_document(f"{notes}/marks.md", "---\n***\n…!?\n"),
        _make_document(f"{notes}/dump.md", "x" * 900 + " needle-7f port " + "設定" * 300),
    )


@pytest.fixture(scope="session")
def embedder():
    """A model whose cosines are counted by hand; see tiny.py."""
    return runpy.run_path(str(Path(__file__).with_name("tiny.py")))["TinyEmbedder"]()
