"""Command lines: which of their commands look through files, show them or write them. Read, never run."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

GREP_PROGRAMS = frozenset({"grep", "egrep", "fgrep", "rg", "ag", "ack"})
READ_PROGRAMS = frozenset({"cat", "bat", "head", "tail", "less", "more", "nl", "sed", "awk", "view"})
SHELLS = frozenset({"bash", "sh", "zsh", "dash"})
PREFIXES = frozenset({"sudo", "time", "command", "env", "nice", "exec", "builtin", "do", "then", "else", "if", "!"})
MEMORY_VERBS = frozenset({"search", "read", "write", "edit"})

_SEPARATORS = frozenset({";", "&&", "||", "&", "\n", "(", ")", ";;", "|&", "|"})
_REDIRECTIONS = frozenset({">", ">>", "<", ">&", "<<<", "<<", ">|", "&>", "&>>"})
_HERE_DOCUMENT = re.compile(r"(?<!<)<<-?[ \t]*(?P<quote>['\"]?)(?P<end>\w+)(?P=quote)")
_GREP_TAKES_VALUE, _RG_TAKES_VALUE = frozenset("ABCDdmf"), frozenset("ABCEMdgjmrtTf")
_LONG_TAKES_VALUE = frozenset(
    {"--max-count", "--after-context", "--before-context", "--context", "--glob", "--iglob", "--type", "--type-not",
     "--max-depth", "--file", "--sort", "--color", "--colour", "--max-columns", "--threads"}
)  # fmt: skip
_MAX_NESTING = 4
_MAX_CHARACTERS = 65_536
"""A longer command is a program, and what it does is not looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellUse:
    """One command that searches, reads or writes, with paths as they were typed."""

    kind: Literal["search", "read", "write", "memory"]
    """`memory`: the engine's own command line; its verb and arguments stand in `paths`."""
    program: str
    paths: tuple[str, ...] = ()
    pattern: str | None = None
    is_literal: bool = False
    """The pattern is a text, no regular expression."""
    is_name: bool = False
    """The pattern is one of file names."""
    folder: str | None = None
    """Where `cd` led before; None = where the shell began."""
    options: tuple[tuple[str, str], ...] = ()


def read_command(command: str, nesting: int = 0) -> tuple[ShellUse, ...]:
    """What a command line searches, reads and writes, in order; () for one that is no shell.

    Pipes are followed: `cat a.md | grep x` looks for x in a.md and shows nothing else of it. What stands in a here
    document, or behind xargs, is not looked at.
    """
    if len(command) > _MAX_CHARACTERS:
        return ()
    lexer = shlex.shlex(_drop_here_documents(command), posix=True, punctuation_chars="();<>|&\n")
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    try:
        words = list(lexer)
    except ValueError:  # a quotation mark that is never closed
        return ()
    found: list[ShellUse] = []
    folder: str | None = None
    piped: list[ShellUse] = []
    for separator, simple in _split(words):
        if separator != "|":
            found += piped
            piped = []
        arguments, targets = _take_redirections(simple)
        if arguments and arguments[0] == "cd":
            step = arguments[1] if len(arguments) > 1 else "~"
            folder = step if folder is None or step.startswith(("/", "~")) else posixpath.join(folder, step)
            continue
        piped = _read_simple(arguments, folder, piped, nesting)
        if targets:  # nobody was shown it
            piped = [use for use in piped if use.kind == "write"]
        piped += [ShellUse(kind="write", program="shell", paths=(path,), folder=folder) for path in targets]
    return tuple(found + piped)


def _drop_here_documents(command: str) -> str:
    """The command without the lines that are only what one of its commands is given to read."""
    kept: list[str] = []
    ends: list[str] = []
    for line in command.split("\n"):
        if ends:
            if line.strip() == ends[0]:
                ends.pop(0)
            continue
        ends = [match["end"] for match in _HERE_DOCUMENT.finditer(line)]
        kept.append(_HERE_DOCUMENT.sub("", line))
    return "\n".join(kept)


def _split(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """(what stands before it, its words) of each simple command."""
    before, simple = ";", list[str]()
    for word in words:
        if word and (word in _SEPARATORS or not word.strip("\n;")):
            if simple:
                yield before, simple
            before, simple = word, []
        else:
            simple.append(word)
    if simple:
        yield before, simple


def _take_redirections(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """(the command's words without redirections, the files written to)."""
    kept: list[str] = []
    targets: list[str] = []
    rest = iter(words)
    for word in rest:
        if word not in _REDIRECTIONS:
            kept.append(word)
            continue
        target = next(rest, "")
        if kept and kept[-1] in ("1", "2"):
            kept.pop()
            continue
        if word not in ("<", "<<", "<<<", ">&") and target and target not in ("/dev/null", "1", "2"):
            targets.append(target)
    return kept, targets


def _read_simple(words: Sequence[str], folder: str | None, piped: list[ShellUse], nesting: int) -> list[ShellUse]:
    """What a command adds to, or makes of, what the pipe before it does."""
    rest = list(words)
    while rest and (rest[0] in PREFIXES or re.fullmatch(r"\w+=.*", rest[0], re.DOTALL)):
        rest.pop(0)
    if rest and rest[0] == "timeout":
        rest = rest[2:]
    if not rest:
        return piped
    program, arguments = posixpath.basename(rest[0]), rest[1:]
    if program == "git" and arguments[:1] == ["grep"]:
        program, arguments = "grep", arguments[1:]
    if program in SHELLS and nesting < _MAX_NESTING:
        script = next((word for flag, word in pairwise(arguments) if flag in ("-c", "-lc")), "")
        return [*piped, *read_command(script, nesting + 1)]
    if program in GREP_PROGRAMS:
        return _read_grep(program, arguments, folder, piped)
    if program in ("find", "fd", "ls", "tree"):
        return [*piped, *_read_find(program, arguments, folder)]
    if program == "memeval" or (program.startswith("python") and arguments[:2] == ["-m", "memeval"]):
        return [*piped, *_read_engine(arguments[2:] if program != "memeval" else arguments)]
    files = [word for word in arguments if not word.startswith("-")]
    if program == "tee" or (program == "sed" and any(word.startswith(("-i", "--in-place")) for word in arguments)):
        return [*piped, *(ShellUse(kind="write", program=program, paths=(file,), folder=folder) for file in files)]
    if program in READ_PROGRAMS:
        return [*piped, *(ShellUse(kind="read", program=program, paths=(file,), folder=folder) for file in files)]
    return piped


def _read_grep(program: str, arguments: Sequence[str], folder: str | None, piped: list[ShellUse]) -> list[ShellUse]:
    takes = _RG_TAKES_VALUE if program in ("rg", "ag") else _GREP_TAKES_VALUE
    patterns: list[str] = []
    plain: list[str] = []
    is_literal = program == "fgrep"
    rest = iter(arguments)
    for word in rest:
        if word == "--":
            plain += rest
        elif word.startswith("--"):
            name, is_joined, value = word.partition("=")
            if name == "--regexp":
                patterns.append(value if is_joined else next(rest, ""))
            elif name in _LONG_TAKES_VALUE and not is_joined:
                next(rest, "")
            is_literal |= name == "--fixed-strings"
        elif word.startswith("-") and len(word) > 1:
            flags = word[1:]
            is_literal |= "F" in flags
            if flags[-1] == "e":
                patterns.append(next(rest, ""))
            elif flags[-1] in takes:
                next(rest, "")
        else:
            plain.append(word)
    if not patterns and plain:
        patterns.append(plain.pop(0))
    paths = tuple(plain)
    if not paths and piped:
        # it filters what came through the pipe: of files it is a search in them, of another search nothing new
        if any(use.kind == "search" and use.pattern is not None for use in piped):
            return piped
        paths = tuple(path for use in piped for path in use.paths)
        folder = piped[0].folder
        is_listing = all(use.kind == "search" for use in piped)
        return [_make_search(program, patterns, paths, folder, is_literal=is_literal, is_name=is_listing)]
    return [*piped, _make_search(program, patterns, paths, folder, is_literal=is_literal)]


def _make_search(
    program: str,
    patterns: Sequence[str],
    paths: tuple[str, ...],
    folder: str | None,
    *,
    is_literal: bool,
    is_name: bool = False,
) -> ShellUse:
    return ShellUse(
        kind="search",
        program=program,
        pattern="|".join(patterns),
        paths=paths,
        folder=folder,
        is_literal=is_literal and len(patterns) == 1,
        is_name=is_name,
    )


def _read_find(program: str, arguments: Sequence[str], folder: str | None) -> list[ShellUse]:
    """A search by name; one without a name is a listing, its pattern None."""
    pattern = next(
        (value for flag, value in pairwise(arguments) if flag in ("-name", "-iname", "-path", "-ipath")), None
    )
    paths: list[str] = []
    for word in arguments:
        if word.startswith("-") and program == "find":
            break
        if not word.startswith("-"):
            paths.append(word)
    if program == "fd" and paths:
        pattern = paths.pop(0)
    return [ShellUse(kind="search", program=program, pattern=pattern, paths=tuple(paths), folder=folder, is_name=True)]


def _read_engine(arguments: Sequence[str]) -> list[ShellUse]:
    if len(arguments) < 2 or arguments[0] != "memory" or arguments[1] not in MEMORY_VERBS:
        return []
    words, options = [arguments[1]], list[tuple[str, str]]()
    rest = iter(arguments[2:])
    for word in rest:
        name, is_joined, value = word.partition("=")
        if name in ("--root", "--project", "--name", "--cwd", "--profile", "--today", "--max-bytes", "--mode"):
            options.append((name, value if is_joined else next(rest, "")))
        elif not word.startswith("--"):
            words.append(word)
    return [ShellUse(kind="memory", program="memeval", paths=tuple(words), options=tuple(options))]
