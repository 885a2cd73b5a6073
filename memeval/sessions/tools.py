"""What a tool call asks for: which tools search, read and write, under which names. One visible table."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from memeval.sessions.jsonfiles import as_list, as_text
from memeval.sessions.patterns import find_name_words, find_words
from memeval.sessions.shell import ShellUse, read_command

Kind = Literal["search", "read", "write"]

GREP_TOOLS = frozenset({"grep", "rg", "ripgrep", "grep_search", "search_files", "search_file_content", "search"})
NAME_TOOLS = frozenset({"glob", "find", "find_files", "file_search"})
READ_TOOLS = frozenset({"read", "view", "read_file", "open", "cat", "notebookread"})
WRITE_TOOLS = frozenset(
    {"write", "edit", "multiedit", "write_file", "edit_file", "create_file", "str_replace", "create"}
)
PATCH_TOOLS = frozenset({"apply_patch", "patch"})
SHELL_TOOLS = frozenset(
    {"bash", "shell", "exec_command", "local_shell", "container.exec", "run_terminal_cmd", "execute", "run_command"}
)
MEMORY_WORDS = frozenset({"memory", "memories", "mem", "journal", "memsearch"})
"""A tool with one of these words in its name is one of memory; the first of the following says what it does."""
MEMORY_VERBS: Mapping[str, Kind] = {
    "search": "search",
    "query": "search",
    "recall": "search",
    "find": "search",
    "lookup": "search",
    "retrieve": "search",
    "read": "read",
    "get": "read",
    "open": "read",
    "expand": "read",
    "write": "write",
    "edit": "write",
    "append": "write",
    "add": "write",
    "save": "write",
    "store": "write",
    "update": "write",
    "remember": "write",
}
"""Others list or delete and are no event."""
QUERY_KEYS = ("query", "q", "text", "search", "question", "keywords", "pattern")
FILE_KEYS = ("file_path", "filePath", "filepath", "path", "file", "doc_id", "uri", "name", "id")
PATTERN_KEYS = ("pattern", "query", "regex")
WHERE_KEYS = ("path", "directory", "dir", "cwd", "include", "glob")
COMMAND_KEYS = ("command", "cmd", "script")

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PATCHED = re.compile(r"^\*\*\* (Add|Update) File: (.+?)\s*$", re.MULTILINE)
_TIER_FILES = {"long_term": "MEMORY.md", "scratchpad": "SCRATCHPAD.md"}
_TIER_FOLDERS = {"daily": "daily", "note": "notes"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """One thing that a call does, with paths as they were written."""

    kind: Kind
    tool: str
    query: str | None = None
    """None for a search whose pattern holds no word."""
    pattern: str | None = None
    where: tuple[str, ...] = ()
    """Where a search looks; () = where the tool does by itself."""
    file: str | None = None
    """What is read or written; None where the call does not say."""
    is_memory_tool: bool = False
    """It reaches nothing but memory."""
    is_new: bool | None = None
    folder: str | None = None
    """Where the command went before, by `cd`."""


def describe_call(name: str, arguments: Mapping[str, Any]) -> tuple[ToolUse, ...]:
    """What a call does; () for a tool that neither searches, reads nor writes, or whose arguments say nothing."""
    tool = name.rsplit("__", 1)[-1].lower()
    words = [word.lower() for word in _WORD.findall(name)]
    if MEMORY_WORDS.intersection(words):
        return _describe_memory_call(name, words, arguments)
    if tool in SHELL_TOOLS:
        return tuple(map(_from_shell, read_command(_find_command(arguments) or "")))
    if tool in PATCH_TOOLS:
        text = as_text(arguments.get("input")) or as_text(arguments.get("patch")) or as_text(arguments.get("patchText"))
        return tuple(
            ToolUse(kind="write", tool=name, file=path, is_new=action == "Add")
            for action, path in _PATCHED.findall(text or "")
        )
    if tool in GREP_TOOLS or tool in NAME_TOOLS:
        pattern = _find_text(arguments, PATTERN_KEYS)
        if pattern is None:
            return ()
        where = tuple(text for key in WHERE_KEYS if (text := as_text(arguments.get(key))))
        words_of = find_words if tool in GREP_TOOLS else find_name_words
        if tool in NAME_TOOLS and not where:
            where = (pattern,)
        return (ToolUse(kind="search", tool=name, query=words_of(pattern), pattern=pattern, where=where),)
    if tool in READ_TOOLS or tool in WRITE_TOOLS:
        file = _find_text(arguments, FILE_KEYS[:-2])
        is_edit = tool not in ("write", "write_file", "create_file", "create")
        if tool in READ_TOOLS:
            return (ToolUse(kind="read", tool=name, file=file),) if file else ()
        return (ToolUse(kind="write", tool=name, file=file, is_new=False if is_edit else None),) if file else ()
    return ()


def _describe_memory_call(name: str, words: list[str], arguments: Mapping[str, Any]) -> tuple[ToolUse, ...]:
    kind = next((MEMORY_VERBS[word] for word in reversed(words) if word in MEMORY_VERBS), None)
    if kind is None:
        return ()
    if kind == "search":
        query = _find_text(arguments, QUERY_KEYS)
        where = tuple(text for key in ("project", "scope", "path") if (text := as_text(arguments.get(key))))
        return (ToolUse(kind=kind, tool=name, query=query, where=where, is_memory_tool=True),) if query else ()
    is_new = False if kind == "write" and "edit" in words else None
    return (ToolUse(kind=kind, tool=name, file=_find_tier_file(arguments), is_memory_tool=True, is_new=is_new),)


def _find_tier_file(arguments: Mapping[str, Any]) -> str | None:
    """The file of a call that names a tier, as the engine's tools do; else the one it names."""
    tier = as_text(arguments.get("source")) or as_text(arguments.get("target")) or ""
    name = as_text(arguments.get("name"))
    if tier in _TIER_FILES:
        return _TIER_FILES[tier]
    if tier in _TIER_FOLDERS:
        return f"{_TIER_FOLDERS[tier]}/{name.removesuffix('.md')}.md" if name else None
    return _find_text(arguments, FILE_KEYS)


def _from_shell(use: ShellUse) -> ToolUse:
    if use.kind == "memory":
        return _from_memory_command(use)
    if use.kind != "search":
        return ToolUse(kind=use.kind, tool=use.program, file=use.paths[0], folder=use.folder)
    query = None
    if use.pattern is not None:
        query = find_name_words(use.pattern) if use.is_name else find_words(use.pattern, is_literal=use.is_literal)
    return ToolUse(
        kind="search", tool=use.program, query=query, pattern=use.pattern, where=use.paths, folder=use.folder
    )


def _from_memory_command(use: ShellUse) -> ToolUse:
    """What `memeval memory VERB …` does, from its words."""
    verb, *rest = use.paths
    options = dict(use.options)
    named = {"source": rest[0] if rest else None, "name": options.get("--name")}
    if verb == "search":
        where = tuple(options[key] for key in ("--project", "--root") if key in options)
        return ToolUse(kind="search", tool="memeval", query=rest[0] if rest else None, where=where, is_memory_tool=True)
    kind: Kind = "read" if verb == "read" else "write"
    is_new = False if verb == "edit" else None
    return ToolUse(kind=kind, tool="memeval", file=_find_tier_file(named), is_memory_tool=True, is_new=is_new)


def _find_text(arguments: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    """The first text, or list of texts joined by blanks, under one of the keys."""
    for key in keys:
        value = arguments.get(key)
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            value = " ".join(value)
        if isinstance(value, str) and value.strip():
            return value
    return None


def _find_command(arguments: Mapping[str, Any]) -> str | None:
    """The command line; of `[bash, -lc, X]` it is X, any other list is joined."""
    for key in COMMAND_KEYS:
        value = arguments.get(key)
        if isinstance(value, str):
            return value
        words = [word for word in as_list(value) if isinstance(word, str)]
        if len(words) == 3 and words[1].startswith("-") and words[1].endswith("c"):
            return words[2]
        if words:
            return shlex.join(words)
    return None
