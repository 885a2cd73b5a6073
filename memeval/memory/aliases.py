"""Other words for a note, kept in the note itself: read in whatever form they have, written in the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from memeval.text import fold

_LINE = re.compile(r"(?:^|(?<=\ufeff))(?:aliases|Aliases|ALIASES):[ \t]*(?P<value>[^\r\n]*)", re.MULTILINE)
_ITEM = re.compile(r"\r?\n[ \t]*-[ \t]+(?P<item>[^\r\n]*)")
_INDENT = re.compile(r"\r?\n(?P<indent>[ \t]*)")
_LINE_END = re.compile(r"(?:\r?\n)?")
_FENCE = re.compile(r"(?m)^ {0,3}(?:```|~~~)")
_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n(?P<body>(?:(?!---|\.\.\.).*\n)*)(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)")
_PLAIN = re.compile(
    r"(?!(?:true|false|yes|no|on|off|null|y|n)\Z)[^\W\d_](?:[^\n,:?#\[\]{}\"'\\]*[^\s,:?#\[\]{}\"'\\])?", re.IGNORECASE
)
_QUOTED = re.compile(r"""\s*(?:"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>(?:[^']|'')*)')\s*(?=,|\Z)""", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_GAP = r"(?:[ \t]|\r?\n(?=[ \t\]]))*"
_FLOW_ITEM = re.compile(
    rf"""{_GAP}(?:"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\r\n]|'')*'){_GAP}(?=[,\]])|(?:[^,\]\r\n]|\r?\n(?=[ \t\]]))*"""
)
"""Of a list in brackets; a later line of it is indented, but for the bracket that closes it."""
_FLOW_REST = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?=\r?\n|\Z)")
_FLOW_BREAK = re.compile(r"[ \t]*\r?\n[ \t]*")
_NO_SCALAR = re.compile(r"[-?:,\[\]{}#&*!|>'\"%@`]|.*(?::(?:\s|\Z)|\s#)")
"""What YAML would not read as one text."""
_UNHOLDABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})
_BYTE_ORDER_MARK = "\ufeff"


def is_alias(text: str) -> bool:
    """Whether a text can be an alias: one that can be seen, on one line, without control characters."""
    return bool(text.strip()) and not any(
        character == _BYTE_ORDER_MARK or unicodedata.category(character) in _UNHOLDABLE for character in text
    )


def find_aliases(text: str) -> tuple[str, ...]:
    """The distinct aliases of a text, in order; () where it has none.

    Read are `aliases: one, two`, `aliases: [one, "two"]`, also over several indented lines, and `aliases:` with the
    aliases below it, one to a line that begins with a dash; in upper or lower case, in front matter or outside of it.
    Quotation marks around a whole alias are those of YAML and no part of it: `"a, b"` is one with a comma. All others
    are its own: `5" disk`, `say "hi"`.
    """
    found: list[str] = []
    for start, end in locate_aliases(text):
        line = _LINE.match(text, start)
        value = text[line.start("value") : end].strip() if line else ""
        if line and not line["value"].strip():
            found += [_read_item(item["item"]) for item in _ITEM.finditer(text, line.end(), end)]
        elif line and value.startswith("["):
            bracket = _close_flow(text, line.start("value"))
            inner = value.removeprefix("[").removesuffix("]")
            inner = inner if bracket is None else text[line.start("value") + 1 : bracket]
            found += [_FLOW_BREAK.sub(" ", item) for item in _read_items(inner)]
        else:
            found += _read_items(value)
    return tuple(dict.fromkeys(filter(None, found)))


def locate_aliases(text: str) -> list[tuple[int, int]]:
    """(start, end) of each place where aliases stand, its items included, the final line end not."""
    places: list[tuple[int, int]] = []
    if "liases" not in text and "LIASES" not in text:  # most texts: much faster than the pattern
        return places
    for line in _LINE.finditer(text):
        end = line.end()
        value = line["value"].strip()
        if not value:
            while item := _ITEM.match(text, end):
                end = item.end()
        elif value.startswith("[") and (bracket := _close_flow(text, line.start("value"))):
            end = max(end, bracket + 1)
        places.append((line.start(), end))
    return places


def _close_flow(text: str, start: int) -> int | None:
    """The place of the bracket that closes the list which begins at a place; None where none does.

    A bracket between quotation marks closes nothing, nor does one behind which the line goes on.
    """
    place = start
    while place == start or text.startswith(",", place):
        place = _FLOW_ITEM.match(text, place + 1).end()  # type: ignore[union-attr]  # it matches everywhere
    return place if text.startswith("]", place) and _FLOW_REST.match(text, place + 1) else None


def _read_items(listed: str) -> list[str]:
    """The aliases between commas; one between quotation marks may hold commas."""
    found, place = [], 0
    while place <= len(listed):
        item = _QUOTED.match(listed, place)
        comma = listed.find(",", place)
        end = item.end() if item else comma if comma >= 0 else len(listed)
        found.append(_read_item(listed[place:end]))
        place = end + 1
    return found


def _read_item(item: str) -> str:
    """An alias as it is meant: without quotes around the whole of it and, between double ones, backslashes."""
    quoted = _QUOTED.fullmatch(item)
    if quoted and quoted["double"] is not None:
        return _ESCAPED.sub(r"\1", quoted["double"]).strip()
    if quoted:
        return quoted["single"].replace("''", "'").strip()
    return item.strip()


def add_aliases(text: str, aliases: Sequence[str]) -> str:
    """The text with these aliases joined to those it has, each once whatever its case; the rest is equal.

    They take the form that stands there: after a comma, inside the brackets, or as items below. Where the text has
    none yet, they are the last line of its front matter (a list), or else its last line (`aliases: one, two`). Where
    that form would make something else of one, it is quoted; a line in front matter then becomes a list.
    Each is an alias (`is_alias`) without white space around it, and is read back as it was given.
    """
    known = {fold(alias) for alias in find_aliases(text)}
    new = list({fold(alias): alias for alias in aliases if fold(alias) not in known}.values())
    if not new:
        return text
    line_end = "\r\n" if "\r\n" in text else "\n"
    matter = _FRONT_MATTER.match(text)
    place = _find_open(text, matter.end() if matter else 0)
    if place:
        return _extend(text, place, new, line_end)
    if matter:
        end = matter.end("body")
        return f"{text[:end]}aliases: [{', '.join(map(_quote, new))}]{line_end}{text[end:]}"
    between = "" if not text or text.endswith("\n") else line_end
    return f"{text}{between}aliases: {join_aliases(new)}{line_end}"


def join_aliases(aliases: Sequence[str]) -> str:
    """The aliases as they stand behind `aliases:` on one line, outside of front matter."""
    return ", ".join(_quote(alias) if "," in alias or alias[:1] in ("'", '"', "[") else alias for alias in aliases)


def _find_open(text: str, body: int) -> tuple[int, int] | None:
    """The first place of aliases that lies in no code block: what stands in one is an example, and nobody's to add to.

    `body` is where the text begins behind its front matter.
    """
    fences, done = 0, body
    for start, end in locate_aliases(text):
        if start > done:
            fences += len(_FENCE.findall(text, done, start))
            done = start
        if fences % 2 == 0:
            return start, end
    return None


def strip_aliases(text: str) -> str:
    """The text without its aliases and their line ends: what a run without aliases searches."""
    kept, done = [], 0
    for start, end in locate_aliases(text):
        kept.append(text[done:start])
        done = end + len(_LINE_END.match(text, end)[0])  # type: ignore[index]  # it matches everywhere
    return "".join([*kept, text[done:]])


def _extend(text: str, place: tuple[int, int], new: Sequence[str], line_end: str) -> str:
    start, end = place
    line = _LINE.match(text, start)
    value = line["value"].strip() if line else ""
    if line and value.startswith("["):
        bracket = _close_flow(text, line.start("value"))
        if bracket is None:
            bracket = start + text[start:end].rindex("]") if "]" in text[start:end] else end
        inner = text[start:bracket].rstrip()
        added = (", " if not inner.endswith("[") else "") + ", ".join(map(_quote, new))
        return text[:start] + inner + added + text[bracket:]
    if line and value:
        return text[: line.start("value")] + _extend_line(text, start, value, new) + text[end:]
    item = _ITEM.match(text, line.end()) if line else None
    indent = _INDENT.match(item.group())["indent"] if item else "  "  # type: ignore[index]  # an item has one
    return text[:end] + "".join(f"{line_end}{indent}- {_quote(alias)}" for alias in new) + text[end:]


def _extend_line(text: str, start: int, value: str, new: Sequence[str]) -> str:
    """A line of aliases and some more: as it is where that is read back, else all in the form that is."""
    known = [alias for alias in _read_items(value) if alias]
    matter = _FRONT_MATTER.match(text)
    extended = f"{value}, {', '.join(new)}"
    if matter and matter.start("body") <= start < matter.end("body"):
        if not _NO_SCALAR.match(extended) and _read_items(extended) == [*_read_items(value), *new]:
            return extended
        return f"[{', '.join(map(_quote, [*known, *new]))}]"
    extended = f"{value}, {join_aliases(new)}"
    return extended if _read_items(extended) == [*_read_items(value), *new] else join_aliases([*known, *new])


def _quote(alias: str) -> str:
    """The alias as an item of a YAML list; quoted where it would be read as something else, its letters as they are."""
    if _PLAIN.fullmatch(alias):
        return alias
    if "'" not in alias and ('"' in alias or "\\" in alias):
        return f"'{alias}'"
    return '"' + alias.replace("\\", "\\\\").replace('"', '\\"') + '"'
