"""Command lines: what they search, read and write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memeval.sessions.shell import read_command


def tell(command):
    """(kind, pattern, paths, folder) of each thing a command does."""
    return [(use.kind, use.pattern, use.paths, use.folder) for use in read_command(command)]


@pytest.mark.parametrize(
    ("command", "uses"),
    [
        ("grep -rn 'redis|port' m/ n/", [("search", "redis|port", ("m/", "n/"), None)]),
        ("rg -A 3 -g '*.md' redis m", [("search", "redis", ("m",), None)]),
        ("rg -e foo --regexp=bar -- m", [("search", "foo|bar", ("m",), None)]),
        ("grep --max-count 2 --include='*.md' x1 m", [("search", "x1", ("m",), None)]),
        ("git grep -n foo m", [("search", "foo", ("m",), None)]),
        ("cat a.md | grep -i foo", [("search", "foo", ("a.md",), None)]),
        ("rg foo m | grep -v bar | head -5", [("search", "foo", ("m",), None)]),
        ("ls m | grep redis", [("search", "redis", ("m",), None)]),
        ("find m -type f -name '*redis*'", [("search", "*redis*", ("m",), None)]),
        ("fd redis m", [("search", "redis", ("m",), None)]),
        ("ls -la m", [("search", None, ("m",), None)]),
        ("cd ~/mem && cd notes; cat a.md", [("read", None, ("a.md",), "~/mem/notes")]),
        ("sudo timeout 5 cat a.md", [("read", None, ("a.md",), None)]),
        ("LANG=C cat a.md b.md", [("read", None, ("a.md",), None), ("read", None, ("b.md",), None)]),
        ("echo x >> a.md", [("write", None, ("a.md",), None)]),
        ("grep foo m > out.txt", [("write", None, ("out.txt",), None)]),
        ("cat a.md 2>/dev/null", [("read", None, ("a.md",), None)]),
        ("cat a.md 2>&1 | tee b.md", [("read", None, ("a.md",), None), ("write", None, ("b.md",), None)]),
        ("sed -i s/a/b/ a.md", [("write", None, ("s/a/b/",), None), ("write", None, ("a.md",), None)]),
        ("cat >> a.md <<'E'\ngrep foo m\nE\nrg x m", [("write", None, ("a.md",), None), ("search", "x", ("m",), None)]),
        ("bash -lc \"rg 'a b' m\"", [("search", "a b", ("m",), None)]),
        ("grep foo m\ncat a.md", [("search", "foo", ("m",), None), ("read", None, ("a.md",), None)]),
        ("npm test && echo done", []),
        ("echo 'never closed", []),
        ("", []),
    ],
)  # fmt: skip
def test_what_a_command_does(command, uses):
    """Greps, listings, reads and writes in order; pipes, folders, here documents and nested shells are followed."""
    assert tell(command) == uses


def test_the_engines_own_command_line():
    """Its verb, its arguments and the options that name a place."""
    (use,) = read_command('/x/bin/memeval memory search "port clash" --root=m --project p --json')
    assert use.kind == "memory"
    assert use.paths == ("search", "port clash")
    assert dict(use.options) == {"--root": "m", "--project": "p"}
    assert read_command("python3 -m memeval memory read note --name redis --root m")[0].paths == ("read", "note")
    assert read_command("memeval run x.recall.yaml") == ()


def test_a_literal_pattern_is_known():
    """grep -F, fgrep and --fixed-strings look for a text."""
    for command in ("grep -F a.b m", "fgrep a.b m", "rg --fixed-strings a.b m", "grep -rnF a.b m"):
        assert read_command(command)[0].is_literal
    assert not read_command("grep a.b m")[0].is_literal


@given(st.text(alphabet="ab.|&;<>()'\"\\ \n-$*{}>cat grep") | st.text())
def test_no_command_raises(command):
    """Whatever was typed."""
    read_command(command)


def test_shells_in_shells_end():
    """A command that starts itself for ever is read only so deep."""
    command = "grep foo m"
    for _ in range(9):
        command = "bash -c " + "'" + command.replace("'", "'\\''") + "'"
    assert read_command(command) == ()
