"""Other words for a note, kept in the note itself: read in whatever form they have, written in the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memeval.text import fold

_LINE = re.compile(r"(?:^|(?<=\ufeff))(?:aliases|Aliases|ALIASES):[ \t]*(?P<value>[^\r\n]*)", re.MULTILINE)
_ITEM = re.compile(r"\r?\n[ \t]*-[ \t]+(?P<item>[^\r\n]*)")
_INDENT = re.compile(r"\r?\n(?P<indent>[ \t]*)")
_LINE_END = re.compile(r"(?:\r?\n)?")
_FENCE = re.compile(r"(?m)^ {0,3}(?:```|~~~)")
_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n(?P<body>(?:(?!---|\.\.\.).*\n)*)(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)")
_PLAIN = re.compile(
    r"(?!(?:true|false|yes|no|on|off|null|y|n)\Z)[^\W\d_](?:[^\n,:#\[\]{}\"'\\]*[^\s,:#\[\]{}\"'\\])?", re.IGNORECASE
)
_QUOTED = re.compile(r"""\s*(?:"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>(?:[^']|'')*)')\s*(?=,|\Z)""", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_FLOW_REST = re.compile(r"(?:\r?\n[ \t][^\]\r\n]*)*(?:\r?\n)?\]")
"""Of a list in brackets that is closed on a later line; every line up to there is indented, but for the bracket."""


def find_aliases(text: str) -> tuple[str, ...]:
    """The distinct aliases of a text, in order; () where it has none.

    Read are `aliases: one, two`, `aliases: [one, "two"]`, also over several indented lines, and `aliases:` with the
    aliases below it, one to a line that begins with a dash; in upper or lower case, in front matter or outside of it.
    """
    found: list[str] = []
    for start, end in locate_aliases(text):
        line = _LINE.match(text, start)
        value = text[line.start("value") : end].strip() if line else ""
        if line and not line["value"].strip():
            found += [_read_item(item["item"]) for item in _ITEM.finditer(text, line.end(), end)]
        elif value.startswith("["):
            found += _read_flow(value)
        else:
            found += map(_read_item, value.split(","))
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
        elif value.startswith("[") and "]" not in value and (rest := _FLOW_REST.match(text, end)):
            end = rest.end()
        places.append((line.start(), end))
    return places


def _read_flow(value: str) -> list[str]:
    inner = value.removeprefix("[").rstrip().removesuffix("]")
    found, place = [], 0
    while place <= len(inner):
        item = _QUOTED.match(inner, place)
        comma = inner.find(",", place)
        end = item.end() if item else comma if comma >= 0 else len(inner)
        found.append(_read_item(inner[place:end]))
        place = end + 1
    return found


def _read_item(item: str) -> str:
    """An alias as it is meant: without quotes and, between double ones, backslashes."""
    quoted = _QUOTED.fullmatch(item)
    if quoted and quoted["double"] is not None:
        return _ESCAPED.sub(r"\1", quoted["double"]).strip()
    if quoted:
        return quoted["single"].replace("''", "'").strip()
    return item.strip().strip("\"'").strip()


def add_aliases(text: str, aliases: Sequence[str]) -> str:
    """The text with these aliases joined to those it has, each once whatever its case; the rest is equal.

    They take the form that stands there: after a comma, inside the brackets, or as items below. Where the text has
    none yet, they are the last line of its front matter (a list), or else its last line (`aliases: one, two`).
    """
    known = {fold(alias) for alias in find_aliases(text)}
    new = list({fold(alias): alias for alias in aliases if fold(alias) not in known}.values())
    if not new:
        return text
    line_end = "\r\n" if "\r\n" in text else "\n"
    places = [place for place in locate_aliases(text) if not _is_fenced(text, place[0])]
    if places:
        return _extend(text, places[0], new, line_end)
    matter = _FRONT_MATTER.match(text)
    if matter:
        end = matter.end("body")
        return f"{text[:end]}aliases: [{', '.join(map(_quote, new))}]{line_end}{text[end:]}"
    between = "" if not text or text.endswith("\n") else line_end
    return f"{text}{between}aliases: {', '.join(new)}{line_end}"


def _is_fenced(text: str, place: int) -> bool:
    """Whether a place lies in a code block: what stands there is an example, and nobody's to add to."""
    matter = _FRONT_MATTER.match(text)
    return len(_FENCE.findall(text, matter.end() if matter else 0, place)) % 2 == 1


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
    if value.startswith("["):
        end = start + text[start:end].rindex("]") if "]" in text[start:end] else end
        inner = text[start:end].rstrip()
        added = (", " if not inner.endswith("[") else "") + ", ".join(map(_quote, new))
        return text[:start] + inner + added + text[end:]
    if value:
        return f"{text[:end].rstrip()}, {', '.join(new)}{text[end:]}"
    item = _ITEM.match(text, line.end()) if line else None
    indent = _INDENT.match(item.group())["indent"] if item else "  "  # type: ignore[index]  # an item has one
    return text[:end] + "".join(f"{line_end}{indent}- {_quote(alias)}" for alias in new) + text[end:]


def _quote(alias: str) -> str:
    """The alias as an item of a YAML list; quoted where it would be read as something else."""
    return alias if _PLAIN.fullmatch(alias) else '"' + alias.replace("\\", "\\\\").replace('"', '\\"') + '"'
