"""Front matter as YAML: whether it is still read, and as it was, once aliases were added."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import yaml

from memeval.text import fold

_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n(?P<body>.*?)^(?:---|\.\.\.)[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_KEY = "aliases"


def keeps_front_matter(before: str, after: str, aliases: Iterable[str]) -> bool:
    """Whether front matter that YAML reads as a mapping is read so after a change: the same, but for these aliases.

    True where there is none before, or none that YAML reads: nothing can be spoilt.
    """
    old, new = _read(before), _read(after)
    if old is None:
        return True
    if new is None:
        return False
    if _find(before) == _find(after):
        return True  # they went elsewhere
    others = [{key: value for key, value in one.items() if str(key).lower() != _KEY} for one in (old, new)]
    held = {fold(alias) for key, value in new.items() if str(key).lower() == _KEY for alias in _list(value)}
    return others[0] == others[1] and held >= {fold(alias) for alias in aliases}


def _find(text: str) -> str | None:
    matter = _MATTER.match(text)
    return None if matter is None else matter["body"]


def _read(text: str) -> dict[Any, Any] | None:
    body = _find(text)
    if body is None:
        return None
    try:
        found = yaml.safe_load(body)
    except (yaml.YAMLError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _list(value: object) -> list[str]:
    items = value if isinstance(value, list) else str(value).split(",")
    return [str(item).strip() for item in items]
