"""What came back from a call: which memory files it showed, how much, or that it failed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from memeval.sessions.jsonfiles import as_list, as_mapping, as_text, parse_json
from memeval.sessions.memoryfiles import ENDINGS, MemoryFiles, normalise_path
from memeval.sessions.tools import ToolUse
from memeval.text import utf8_length

_NOTHING = re.compile(
    r"\s*(?:no (?:matches|matching|results?|files|memories|notes|entries|hits|relevant)\b|nothing (?:found|matched)"
    r"|found 0\b|0 (?:matches|results|files|hits)\b)",
    re.IGNORECASE,
)
_NO_STORE = re.compile(
    r"no such file or directory|(?:path|directory|folder) (?:does not|doesn't) exist|not found: .*memor"
    r"|(?:memory|store|journal) is empty|no memor(?:y|ies) (?:files|stored|yet|saved)",
    re.IGNORECASE,
)
_GREP_FOUND_NOTHING = re.compile(r"\bexit(?:ed)?(?: with)?(?: code| status)?:? 1\b", re.IGNORECASE)
_HEADING = re.compile(r"^(?P<path>\S.*?)  \[matched: ", re.MULTILINE)
"""The line above what the engine shows of a file."""
_SEARCHED = re.compile(r"^Searched \d+ terms?: .* across (\d+) files?\b")
_MARKS = re.compile(r"[ \t]*(?:(?:[-*#>]|\d+[.)])[ \t]+)*[`\[\"]?")
"""What may stand before a path at the beginning of a line: list marks, headings, quotation marks."""
_FILE_END = re.compile(r"\.(?:md|markdown)(?=$|[\s:`\"\])#,-])", re.IGNORECASE)
_LINE_NUMBER = re.compile(r"[:-]\d+[:-]")
_NO_PATH = re.compile(r"[`\"\]<>|]|(?<!^[A-Za-z]):")
_LIST_KEYS = ("hits", "results", "matches", "memories", "documents", "files", "items")
_PATH_KEYS = ("doc_id", "path", "file", "file_path", "filePath", "source", "uri", "name", "id")
_MAX_PATH_CHARACTERS = 1_024
_MAX_ERROR_CHARACTERS = 400
"""A longer text is no message, whatever stands in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back from one call."""

    text: str | None = None
    """None where the text was not recorded."""
    is_error: bool = False
    exit_code: int | None = None
    files: tuple[str, ...] | None = None
    """The files found, where the format lists them beside the text."""
    is_new: bool | None = None
    """Of a write: whether the file did not exist before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search brought."""

    shown: tuple[str, ...] | None
    matched: int | None
    shown_bytes: int | None
    is_store_empty: bool | None


def is_failure(use: ToolUse, answer: Answer) -> bool:
    """Whether a call failed or was refused; a search that found nothing, or no folder to search, did not."""
    if use.kind == "search" and (_found_nothing(use, answer) or _says_no_store(answer)):
        return False
    return answer.is_error or (answer.exit_code or 0) != 0


def read_answer(use: ToolUse, answer: Answer, where: tuple[str, ...], memory: MemoryFiles) -> Found:
    """What a search that did not fail brought, `where` being the normalised places it looked in."""
    size = None if answer.text is None else utf8_length(answer.text)
    if _says_no_store(answer):
        return Found(shown=(), matched=0, shown_bytes=size, is_store_empty=True)
    if _found_nothing(use, answer):
        return Found(shown=(), matched=0, shown_bytes=size, is_store_empty=None)
    if answer.files is None and answer.text is None:
        return Found(shown=None, matched=None, shown_bytes=None, is_store_empty=None)
    written = answer.files if answer.files is not None else tuple(_find_paths(use, answer.text or ""))
    paths = [normalise_path(path) for path in written]
    known = [path for path in paths if memory.holds(path) or use.is_memory_tool or _lies_in(path, where, memory)]
    if not known and len(where) == 1 and where[0].lower().endswith(ENDINGS):
        known = [where[0]]  # a search of one file does not repeat its name
    shown = tuple(dict.fromkeys(known))
    said = _SEARCHED.match(answer.text or "")
    matched = int(said[1]) if said else len(shown) or None
    return Found(shown=shown or None, matched=matched, shown_bytes=size, is_store_empty=False if shown else None)


def _found_nothing(use: ToolUse, answer: Answer) -> bool:
    if answer.files is not None:
        return not answer.files
    if answer.text is None:
        return False
    if answer.is_error or (answer.exit_code or 0) != 0:
        is_one = answer.exit_code == 1 or (answer.exit_code is None and _GREP_FOUND_NOTHING.search(answer.text))
        return not use.is_memory_tool and bool(is_one) and len(answer.text) < _MAX_ERROR_CHARACTERS
    first = answer.text.strip()
    if not first or _NOTHING.match(first):
        return True
    listed = _find_list(answer.text)
    return listed is not None and not listed


def _says_no_store(answer: Answer) -> bool:
    text = answer.text or ""
    return len(text) < _MAX_ERROR_CHARACTERS and _NO_STORE.search(text) is not None


def _lies_in(path: str, where: tuple[str, ...], memory: MemoryFiles) -> bool:
    """Whether a path that does not look like memory was found by looking in memory alone."""
    return path.lower().endswith(ENDINGS) and bool(where) and all(memory.holds(place) for place in where)


def _find_paths(use: ToolUse, text: str) -> Iterator[str]:
    """The paths that a search's text puts at the beginning of its lines, in order, some of them twice."""
    listed = _find_list(text)
    if listed is not None:
        for item in listed:
            values = as_mapping(item)
            path = next((values[key] for key in _PATH_KEYS if as_text(values.get(key))), as_text(item))
            if path:
                yield path
        return
    if use.is_memory_tool:
        headings = [match["path"] for match in _HEADING.finditer(text)]
        if headings:
            yield from headings
            return
    for line in text.split("\n"):
        path = _find_path(line.rstrip("\r"), may_have_blanks=not use.is_memory_tool)
        if path is not None:
            yield path


def _find_path(line: str, *, may_have_blanks: bool) -> str | None:
    """The path a line begins with; one with blanks only where it fills the line or a line number follows."""
    marks = _MARKS.match(line)
    start = marks.end() if marks else 0
    end = _FILE_END.search(line, start)
    if end is None:
        return None
    path, rest = line[start : end.end()], line[end.end() :]
    if _NO_PATH.search(path) or len(path) > _MAX_PATH_CHARACTERS:
        return None
    if any(character.isspace() for character in path):
        is_whole = may_have_blanks and (not rest or _LINE_NUMBER.match(rest) is not None)
        return path if is_whole else None
    return path


def _find_list(text: str) -> list[Any] | None:
    """The list of hits in an answer that is JSON; None for any other answer."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    value = parse_json(text)
    if isinstance(value, list):
        return value
    if not isinstance(value, Mapping):
        return None
    return next((as_list(value[key]) for key in _LIST_KEYS if isinstance(value.get(key), list)), None)
