"""JSON and JSON lines that may be damaged: every value that is whole, and what is wrong with the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from memeval.sessions.events import Problem

_BOM = b"\xef\xbb\xbf"
_GAP = re.compile(r"[\s,]*")


class Line(NamedTuple):
    """One line of JSON."""

    number: int
    value: Mapping[str, Any]


class Lines(NamedTuple):
    """What stands in a file of JSON lines."""

    lines: tuple[Line, ...]
    """The JSON objects."""
    problems: tuple[Problem, ...]
    """One for each line that is none; empty lines are let be."""


def read_lines(path: Path) -> Lines:
    """The JSON objects of a file, one a line.

    Lines end at `\\n` alone: U+2028 and its like stand inside a text. Bytes that are not UTF-8 become U+FFFD. A last
    line without its end that is no JSON is told as the tail of the file.

    Raises:
        OSError: the file cannot be read.
    """
    lines: list[Line] = []
    problems: list[Problem] = []
    pieces = path.read_bytes().removeprefix(_BOM).split(b"\n")
    for number, piece in enumerate(pieces, start=1):
        if not piece.strip():
            continue
        value = parse_json(piece.decode("utf-8", "replace"))
        if isinstance(value, dict):
            lines.append(Line(number, value))
            continue
        reason = "not a line of JSON" if value is None else "not a JSON object"
        problems.append(Problem(str(path), number, reason, is_tail=value is None and number == len(pieces)))
    return Lines(tuple(lines), tuple(problems))


def find_lines(path: Path, most: int = 50) -> tuple[Mapping[str, Any], ...]:
    """The first JSON objects of a file, one a line, for whoever wants to know what it is; () where it has none.

    Raises:
        OSError: the file cannot be read.
    """
    found: list[Mapping[str, Any]] = []
    with path.open("rb") as file:
        for _, piece in zip(range(most), file, strict=False):
            value = parse_json(piece.removeprefix(_BOM).decode("utf-8", "replace"))
            if isinstance(value, dict):
                found.append(value)
    return tuple(found)


def parse_json(text: str) -> Any:  # noqa: ANN401 - any JSON
    """The value of a JSON text; None where it is none (or is `null`)."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # numbers beyond Python's limit of digits are a ValueError
        return None


class Listing(NamedTuple):
    """A JSON object with a list in it, as far as both are whole."""

    head: Mapping[str, Any]
    """The object without the list; of a torn file what stands before the list."""
    items: tuple[Any, ...]
    problem: Problem | None


def read_listing(path: Path, key: str) -> Listing:
    """The object of a JSON file and the list under a key of it, even where the file is cut off within the list.

    Raises:
        OSError: the file cannot be read.
    """
    text = path.read_bytes().removeprefix(_BOM).decode("utf-8", "replace")
    value = parse_json(text)
    if isinstance(value, dict):
        items = value.get(key)
        head = {name: part for name, part in value.items() if name != key}
        problem = None if isinstance(items, list) else Problem(str(path), None, f"it has no list {key!r}")
        return Listing(head, tuple(items) if isinstance(items, list) else (), problem)
    if value is not None or not text.strip():
        return Listing({}, (), Problem(str(path), 1, "not a JSON object" if text.strip() else "the file is empty"))
    problem = Problem(str(path), text.count("\n") + 1, "not JSON: cut off", is_tail=True)
    # inside a text every quotation mark has a backslash before it, so this is a key
    start = re.search(rf'"{re.escape(key)}"\s*:\s*\[', text)
    if start is None:
        return Listing({}, (), problem)
    head = parse_json(text[: start.start()].rstrip().rstrip(",") + "}")
    return Listing(head if isinstance(head, dict) else {}, tuple(_read_items(text, start.end())), problem)


def _read_items(text: str, place: int) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    while True:
        gap = _GAP.match(text, place)
        try:
            item, place = decoder.raw_decode(text, gap.end() if gap else place)
        except (ValueError, RecursionError):
            return
        yield item


def as_text(value: object) -> str | None:
    """The value if it is a text, else None."""
    return value if isinstance(value, str) else None


def as_mapping(value: object) -> Mapping[str, Any]:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def read_content(content: object) -> str | None:
    """The text of what a message holds: a text, or a list of blocks some of which have one; None where none has."""
    if isinstance(content, str):
        return content
    texts = [text for block in as_list(content) if (text := as_text(as_mapping(block).get("text"))) is not None]
    return "\n".join(texts) if texts else None
