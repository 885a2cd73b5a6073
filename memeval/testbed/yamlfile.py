"""Strict YAML: nodes that keep their source text and line. It knows no key of any file.

YAML reads `no`, `010`, `12:30:45` or an unquoted date as something other than text. Whoever reads a file here asks for
a text, a truth value or a whole number; anything else is refused at its line, with what YAML makes of it and the fix.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn, Protocol

import yaml
from yaml.composer import ComposerError
from yaml.error import Mark, MarkedYAMLError
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.reader import ReaderError
from yaml.resolver import Resolver

from memeval.errors import MemevalError

_QUOTE_HINT = "quote a text that holds ': ' or ' #', or begins with one of [ ] { } & * ! | > % @ ` ? - , \" '"
_TAG = "tag:yaml.org,2002:"
MAX_NESTING = 32
"""Levels of lists and mappings in one file: five times what a suite has, far from what Python can follow."""
_RESOLVER = Resolver()
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+", re.ASCII)
"""What YAML 1.2 reads as a number; PyYAML follows YAML 1.1, where `1e3` and `08` are text."""
_TIGHT_COMMENT = re.compile(r"[ \t]+(#[^\s#][^\n]*)")
"""A comment without a space behind its #, which may be meant as text."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_PLAIN = re.compile(r"(?:[^\W\d_]|[./])(?:[\w ./-]*\w)?")
"""Letters and paths, which nobody would quote."""
_SINGLE_QUOTABLE = re.compile(r"[\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]+")
"""Printable in YAML, and no character it takes for a line break or a byte order mark."""


class LocatedErrorType(Protocol):
    """An error that is told where it happened."""

    def __call__(self, message: str, *, path: str, line: int | None = None) -> MemevalError:
        """The error to raise."""
        ...


class _NestingError(MarkedYAMLError):
    """Lists or mappings beyond MAX_NESTING."""


class _StrictLoader(yaml.SafeLoader):
    """PyYAML's pure-Python loader, so that messages and lines are the same on every machine."""

    nesting = 0

    def compose_node(self, parent: Node | None, index: int) -> Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        mark = event.start_mark
        if isinstance(event, yaml.CollectionStartEvent) and self.nesting == MAX_NESTING:
            raise _NestingError(problem_mark=mark)
        if isinstance(event, yaml.AliasEvent):
            raise ComposerError(None, None, f"'*{event.anchor}' is a YAML alias, which is not used here", mark)
        if event.anchor is not None:
            raise ComposerError(None, None, f"'&{event.anchor}' is a YAML anchor, which is not used here", mark)
        if event.tag is not None:
            raise ComposerError(None, None, f"{event.tag!r} is a YAML tag, which is not used here", mark)
        self.nesting += 1
        node = super().compose_node(parent, index)
        self.nesting -= 1
        return node


@dataclass(frozen=True, slots=True)
class YamlFile:
    """A parsed file; every method refuses with the file's error type at the node's line."""

    path: str
    """As shown in messages."""
    text: str
    root: Node
    error: LocatedErrorType
    _breaks: list[int] = field(init=False, repr=False, compare=False)
    """Where the lines end. PyYAML's own line numbers also count U+0085, U+2028 and U+2029, which no editor does."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_breaks", [place.start() for place in re.finditer("\n", self.text)])

    def line(self, node: Node) -> int:
        """The line a node begins at, from 1, as an editor counts them."""
        return bisect_left(self._breaks, node.start_mark.index) + 1

    def fail(self, node: Node, message: str) -> NoReturn:
        """Raise the file's error at a node's line."""
        raise self.error(message, path=self.path, line=self.line(node))

    def as_text(self, node: Node, what: str, hint: str = "write a text, or take it out") -> str:
        """The node's text, not blank; a block text comes without its last line break. `hint`: what to write instead."""
        if not isinstance(node, ScalarNode):
            self.fail(node, f"{what} must be a text, not a {_kind(node)}; {_QUOTE_HINT}")
        value: str = node.value
        if node.style is None:
            if value == "":
                self.fail(node, f"{what} has no value; {hint}")
            reading = describe_misreading(value)
            if reading:
                self.fail(node, f"{what} is {value}, which YAML reads as {reading}; quote it: '{value}'")
            self._check_comment(node, what)
        elif node.style in "|>":
            value = value.rstrip("\n")
        if not value.strip():
            self.fail(node, f"{what} is empty: {self.source(node)}; {hint}")
        if _SURROGATE.search(value):
            self.fail(node, f"{what} has half of a surrogate pair; write the character itself")
        return value

    def as_truth(self, node: Node, what: str) -> bool:
        """True or False, written `true` or `false`."""
        if not isinstance(node, ScalarNode) or node.style is not None or node.value not in ("true", "false"):
            self.fail(node, f"{what} is {self.source(node)}; write true or false")
        return bool(node.value == "true")

    def as_whole_number(self, node: Node, what: str) -> int:
        """A whole number >= 0, written with plain digits."""
        plain = isinstance(node, ScalarNode) and node.style is None
        if not plain or not re.fullmatch(r"0|[1-9][0-9]{0,8}", node.value):
            self.fail(node, f"{what} is {self.source(node)}; write a whole number from 0, e.g. 1")
        return int(node.value)

    def as_day(self, node: Node, what: str) -> str:
        """A day of the calendar, `YYYY-MM-DD`, quoted or not: YAML reads it as the same day."""
        value = node.value if isinstance(node, ScalarNode) else None
        if value is None or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
            self.fail(node, f"{what} is {self.source(node)}; write a day as YYYY-MM-DD, e.g. 2026-01-31")
        try:
            date.fromisoformat(value)
        except ValueError as exc:
            self.fail(node, f"{what} is {value}, which is no day of the calendar ({exc}); write one that is")
        return str(value)

    def as_items(self, node: Node, what: str) -> list[Node]:
        """The nodes of a list."""
        if not isinstance(node, SequenceNode):
            self.fail(node, f"{what} must be a list ([a, b] or lines with -), not a {_kind(node)}")
        return list(node.value)

    def as_texts(self, node: Node, what: str) -> tuple[str, ...]:
        """The texts of a list, each once, in order."""
        items = self.as_items(node, what)
        return tuple(dict.fromkeys(self.as_text(item, f"an item of {what}") for item in items))

    def as_entries(self, node: Node, what: str) -> list[tuple[str, Node, Node]]:
        """(key, its node, value node) of a mapping, in file order.

        Raises:
            the file's error: no mapping, a key that is no text, or a key that stands twice.
        """
        if not isinstance(node, MappingNode):
            self.fail(node, f"{what} must be a mapping (key: value), not a {_kind(node)}")
        first: dict[str, Node] = {}
        entries = []
        for key_node, value_node in node.value:
            key = self.as_text(key_node, f"a key of {what}")
            if key in first:
                line = self.line(first[key])
                self.fail(key_node, f"key {key!r} of {what} stands twice; the first is in line {line}; keep one")
            first[key] = key_node
            entries.append((key, key_node, value_node))
        return entries

    def as_fields(self, node: Node, what: str, known: Sequence[str], required: Sequence[str] = ()) -> dict[str, Node]:
        """{key: value node} of a mapping that may hold only known keys and must hold the required ones."""
        fields = {}
        for key, key_node, value_node in self.as_entries(node, what):
            if key not in known:
                near = get_close_matches(key.lower(), known, n=1)
                hint = f" Did you mean {near[0]!r}?" if near else ""
                if not hint and isinstance(node, MappingNode) and node.flow_style:
                    hint = " Or is it part of a text? Then quote the text."
                self.fail(key_node, f"unknown key {key!r} in {what}; known: {', '.join(known)}.{hint}")
            fields[key] = value_node
        for key in required:
            if key not in fields:
                self.fail(node, f"{what} has no {key!r}; add it, as `{key}: …`")
        return fields

    def source(self, node: Node) -> str:
        """The first line of a node's source text."""
        return self.text[node.start_mark.index : node.end_mark.index].split("\n", 1)[0].strip() or "nothing"

    def _check_comment(self, node: ScalarNode, what: str) -> None:
        rest = _TIGHT_COMMENT.match(self.text, node.end_mark.index)
        if rest:
            self.fail(
                node,
                f"{what} is {self.source(node)!r}, because YAML takes {rest[1].strip()!r} for a comment; "
                "quote the whole text, or put a space after the # of a comment",
            )


def read_yaml(path: Path, *, error: LocatedErrorType) -> YamlFile:
    """The one YAML document of a file.

    Raises:
        error: the file cannot be read, is not UTF-8, is broken or empty, nests more than MAX_NESTING levels, or uses
            anchors, aliases or tags.
    """
    shown = str(path)
    try:
        content = path.read_bytes()
    except OSError as exc:
        raise error(f"cannot be read ({exc.strerror}); make it readable, or give another", path=shown) from exc
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        # utf-8-sig counts from behind the byte order mark
        line = exc.object.count(b"\n", 0, exc.start) + 1
        found = exc.object[exc.start : exc.start + 1]
        raise error(f"byte {found!r} is not UTF-8; save the file as UTF-8", path=shown, line=line) from exc
    try:
        root = _StrictLoader(text).get_single_node()
    except MarkedYAMLError as exc:
        raise error(_explain(exc, text), path=shown, line=_line_at(text, _culprit(exc))) from exc
    except ReaderError as exc:
        line = text.count("\n", 0, exc.position) + 1
        code = ord(text[exc.position])
        raise error(f"control character U+{code:04X} is not allowed in YAML; remove it", path=shown, line=line) from exc
    if root is None:
        raise error("the file is empty; write keys and values into it, as `key: value`", path=shown, line=1)
    return YamlFile(shown, text, root, error)


def describe_misreading(value: str) -> str | None:
    """What YAML makes of an unquoted text; None when it stays that text."""
    tag = _RESOLVER.resolve(ScalarNode, value, (True, False)).removeprefix(_TAG)  # type: ignore[no-untyped-call]
    if tag == "str":
        return "a number" if _NUMBER.fullmatch(value) else None
    if tag in ("merge", "value"):
        return "a special key"
    kind = {"bool": "the truth value", "null": "nothing:", "timestamp": "the date"}.get(tag, "the number")
    try:
        meaning = yaml.safe_load(value)
    except ValueError:  # a date that is none (month 13), or digits beyond Python's limit
        return "a date" if tag == "timestamp" else "a number"
    return f"{kind} {str(meaning).lower() if tag == 'bool' else 'null' if meaning is None else meaning}"


def quote_scalar(text: str) -> str:
    """The text as a YAML scalar on one line, quoted where it must be; reads back as the same text."""
    if _PLAIN.fullmatch(text) and describe_misreading(text) is None:
        return text
    if _SINGLE_QUOTABLE.fullmatch(text):
        return "'" + text.replace("'", "''") + "'"
    quoted: str = yaml.safe_dump(text, default_style='"', allow_unicode=True, width=float("inf"))
    return quoted.rstrip("\n")


def _kind(node: Node) -> str:
    names: Iterable[tuple[type[Node], str]] = ((SequenceNode, "list"), (MappingNode, "mapping"))
    return next((name for node_type, name in names if isinstance(node, node_type)), "single value")


def _line_at(text: str, mark: Mark | None) -> int:
    # PyYAML's own line numbers also count U+0085, U+2028 and U+2029, which no editor does
    return 1 if mark is None else text.count("\n", 0, mark.index) + 1


def _culprit(exc: MarkedYAMLError) -> Mark | None:
    """Where the mistake was made: an open quote or bracket, not the place where the reader gave up."""
    opened = (exc.context or "").startswith(("while scanning", "while parsing a flow"))
    return exc.context_mark if opened and exc.context_mark else exc.problem_mark


def _explain(exc: MarkedYAMLError, text: str) -> str:
    if isinstance(exc, _NestingError) and exc.problem_mark:
        start = text[exc.problem_mark.index :].split("\n", 1)[0][:20]
        return (
            f"lists and mappings are nested too deeply: level {MAX_NESTING + 1} begins with {start!r} and "
            f"{MAX_NESTING} are allowed; take some out, or quote it if it is a text"
        )
    problem = ", ".join(part for part in (exc.context, exc.problem) if part)
    if "'\\t'" in problem:
        return "broken YAML: a tab stands where spaces are needed; indent with spaces"
    if isinstance(exc, ComposerError) and exc.context:
        return "a second YAML document begins here; keep one per file"
    if isinstance(exc, ComposerError):
        return f"{problem}; quote it if it is a text"
    noticed = f" (noticed in line {_line_at(text, exc.problem_mark)})" if exc.problem_mark else ""
    return f"broken YAML: {problem}{noticed}; {_QUOTE_HINT}"
