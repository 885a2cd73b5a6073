"""Other words for a note, kept in the note itself: read in whatever form they have, written in the same."""

from __future__ import annotations

import re

_LINE = re.compile(r"^\ufeff?(?:aliases|Aliases|ALIASES):[ \t]*(?P<value>[^\r\n]*)", re.MULTILINE)
_ITEM = re.compile(r"\r?\n[ \t]*-[ \t]+(?P<item>[^\r\n]*)")
_FLOW_ITEM = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^,]*?))\s*(?:,|$)""")


def find_aliases(text: str) -> tuple[str, ...]:
    """The distinct aliases of a text, in order; () where it has none.

    Read are `aliases: one, two`, `aliases: [one, "two"]`, and `aliases:` with the aliases below it, one to a line that
    begins with a dash; in upper or lower case, in front matter or outside of it.
    """
    found: list[str] = []
    for start, end in locate_aliases(text):
        line = _LINE.match(text, start)
        value = line["value"].strip() if line else ""
        if not value and line:
            found += [item["item"] for item in _ITEM.finditer(text, line.end(), end)]
        elif value.startswith("["):
            found += _read_flow(value)
        else:
            found += value.split(",")
    return tuple(dict.fromkeys(alias for alias in (_strip(alias) for alias in found) if alias))


def locate_aliases(text: str) -> list[tuple[int, int]]:
    """(start, end) of each place where aliases stand, its items included, the final line end not."""
    places: list[tuple[int, int]] = []
    if "liases" not in text and "LIASES" not in text:  # most texts: much faster than the pattern
        return places
    for line in _LINE.finditer(text):
        end = line.end()
        if not line["value"].strip():
            while item := _ITEM.match(text, end):
                end = item.end()
        places.append((line.start(), end))
    return places


def _read_flow(value: str) -> list[str]:
    inner = value.removeprefix("[").rstrip().removesuffix("]")
    items = _FLOW_ITEM.findall(inner)
    return [double.replace('\\"', '"') or single.replace("''", "'") or plain for double, single, plain in items]


def _strip(alias: str) -> str:
    return alias.strip().strip("\"'").strip()
