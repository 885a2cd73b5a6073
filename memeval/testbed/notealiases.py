"""The aliases that stand in a note itself: `aliases:` in its front matter, or a line of its own anywhere else."""

from __future__ import annotations

import re

import yaml

_LINE = re.compile(r"^aliases:[ \t]*(?P<value>.*)$", re.MULTILINE | re.IGNORECASE)
_ITEM = re.compile(r"\r?\n[ \t]*-[ \t]+(?P<item>[^\r\n]*)")


def find_aliases(text: str) -> tuple[str, ...]:
    """The distinct aliases of a text, in order; () where it has none.

    Read are `aliases: one, two`, `aliases: [one, "two"]`, and `aliases:` with the aliases below it, one to a line that
    begins with a dash.
    """
    found: list[str] = []
    for line in _LINE.finditer(text):
        value = line["value"].strip()
        if not value:
            found += _read_items(text, line.end())
        elif value.startswith("["):
            found += _read_flow(value)
        else:
            found += value.split(",")
    return tuple(dict.fromkeys(alias for alias in (_strip(alias) for alias in found) if alias))


def _read_items(text: str, start: int) -> list[str]:
    items = []
    while item := _ITEM.match(text, start):
        items.append(item["item"])
        start = item.end()
    return items


def _read_flow(value: str) -> list[str]:
    try:
        loaded = yaml.safe_load(value)
    except yaml.YAMLError:
        loaded = None
    return [str(alias) for alias in loaded] if isinstance(loaded, list) else value.strip("[]").split(",")


def _strip(alias: str) -> str:
    return alias.strip().strip("\"'").strip()
