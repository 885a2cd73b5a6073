"""`memeval memory write|edit|read|search|list|context`: what is written, from where, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def test_memory_verbs_write_read_search_edit_and_list(cli):
    """The engine's tools work from the shell, in text and in JSON."""
    where = ("--root", "mem", "--project", "shop-1a2b3c4d", "--today", "2026-03-28")
    assert "Wrote" in cli("memory", "write", "note", "Redis listens on 6380.", "--name", "redis", *where).output
    assert cli("memory", "write", "daily", *where, stdin="- from a pipe\n").exit_code == 0
    assert "6380" in cli("memory", "search", "redis port", *where).output
    found = json.loads(cli("memory", "search", "redis", "--json", *where).output)
    assert [hit["doc_id"] for hit in found["hits"]] == ["projects/shop-1a2b3c4d/notes/redis.md"]
    assert cli("memory", "search", "nothing-like-it", *where).output.startswith("No matches for 'nothing-like-it'. ")
    edited = cli("memory", "edit", "note", "--name", "redis", "--old", "6380", "--new", "6390", *where)
    assert edited.exit_code == 0, edited.output
    assert cli("memory", "read", "note", "--name", "redis", *where).output.strip() == "Redis listens on 6390."
    listed = json.loads(cli("memory", "list", "--json", *where).output)["files"]
    assert listed == ["projects/shop-1a2b3c4d/daily/2026-03-28.md", "projects/shop-1a2b3c4d/notes/redis.md"]
    assert "- from a pipe" in cli("memory", "context", *where).output


def test_open_items_can_be_written_as_they_are(cli):
    """Content may begin like an option."""
    where = ("--root", "mem", "--project", "shop-1a2b3c4d")
    result = cli("memory", "write", "scratchpad", "- [ ] rotate keys", *where)
    assert result.exit_code == 0, result.output
    assert cli("memory", "read", "scratchpad", *where).stdout == "- [ ] rotate keys\n\n"


def test_standard_input_is_written_byte_for_byte(cli):
    """Line ends of any kind are content; what is not UTF-8 is refused and nothing is written."""
    where = ("--name", "n", "--root", "mem", "--project", "shop-1a2b3c4d")
    text = "a\r\nb\rc\n監\r\n"
    assert cli("memory", "write", "note", *where, stdin=text.encode()).exit_code == 0
    note = Path("mem/projects/shop-1a2b3c4d/notes/n.md")
    assert note.read_bytes() == text.encode()
    refused = cli("memory", "write", "note", *where, stdin=b"ok\ncaf\xe9\n")
    assert refused.exit_code == 2
    assert refused.stderr == "memeval: standard input is not UTF-8: byte 0xe9 in line 2; nothing was written\n"
    assert note.read_bytes() == text.encode()


@pytest.mark.parametrize(
    "query",
    [["--lf"], ["--", "--lf"], ["--lf flag"], ["--lf=x"], ["-lf"], ["--", "--json"], ["--", "--help"]],
    ids=" ".join,
)
def test_a_query_may_begin_with_a_dash(cli, query):
    """Options of other programs are words that files hold; behind -- our own are, too."""
    where = ("--root", "mem", "--project", "shop-1a2b3c4d")
    cli("memory", "write", "note", "pytest --lf=x -lf --json --help flag", "--name", "n", *where)
    result = cli("memory", "search", *where, *query)
    assert result.exit_code == 0, result.output
    assert "notes/n.md" in result.stdout


def test_a_mistyped_option_of_a_search_is_no_query(cli):
    """With a query there, it is one word too many."""
    result = cli("memory", "search", "redis", "--rot", "mem", "--root", "mem")
    assert result.exit_code == 2
    assert "--rot" in result.output


def test_a_store_or_project_that_is_not_there_is_told_on_stderr(cli):
    """A typing error is not mistaken for an empty memory, and a first use is no error."""
    first = cli("memory", "search", "redis", "--root", "nowhere", "--project", "a-12345678")
    assert (first.exit_code, first.stdout) == (0, "No matches for 'redis'. Try another word for it.\n")
    assert "no store at nowhere" in first.stderr
    cli("memory", "write", "note", "x", "--name", "n", "--root", "mem", "--project", "shop-1a2b3c4d")
    typo = cli("memory", "list", "--root", "mem", "--project", "shop-1a2b3c4e")
    assert "known: shop-1a2b3c4d" in typo.stderr


def test_memory_errors_exit_with_2_and_write_nothing(cli):
    """A refused call leaves no trace."""
    result = cli("memory", "write", "note", "text", "--name", "../escape", "--root", "mem", "--project", "p-1")
    assert result.exit_code == 2
    assert not Path("mem").exists() or not any(
        path.is_file() and path.suffix == ".md" for path in Path("mem").rglob("*")
    )


@pytest.mark.parametrize("text", ["- Deploys happen on Tuesdays", "- [ ] the oven", "- what", "-h"])
def test_a_bullet_is_written_whatever_letters_it_has(cli, tmp_path, text):
    """No letter behind a dash is read as an option: the text is written and found, not lost behind a page of help."""
    where = ("--root", str(tmp_path / "mem"))
    assert cli("memory", "write", "long_term", text, *where).output.startswith("Wrote")
    assert (tmp_path / "mem" / "MEMORY.md").read_text(encoding="utf-8") == f"{text}\n"
    assert "MEMORY.md" in cli("memory", "search", text, *where).output or text == "- what"


def test_projects_that_cannot_be_listed_are_not_said_to_be_missing(cli, monkeypatch):
    """What is not known is not told: the answer names what cannot be read."""

    def refuse(root):
        raise PermissionError(13, "Permission denied", root)

    monkeypatch.setattr("memeval.cli_store.list_projects", refuse)
    result = cli("memory", "search", "redis", "--root", "store", "--project", "shop-1a2b3c4d")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "redis" in result.stdout
