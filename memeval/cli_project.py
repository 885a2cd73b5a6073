"""What a project sets for memeval: the tables `[tool.memeval.…]` of the nearest pyproject.toml."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memeval.errors import RunSettingError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from memeval.bench.signalrules import SignalRules

PROJECT_FILE = "pyproject.toml"
SIGNALS = "signals"


def load_signal_rules(folder: Path) -> SignalRules:
    """The rules in `[tool.memeval.signals]` of the nearest pyproject.toml, from `folder` upwards; else the defaults.

    Raises:
        RunSettingError: that file cannot be read or is no TOML, or the table holds what there is not.
    """
    from memeval.bench.signalrules import SignalRules, read_rules

    path = find_project(folder)
    if path is None:
        return SignalRules()
    table = read_tool_table(path).get(SIGNALS, {})
    place = f"{path}: [tool.memeval.{SIGNALS}]"
    if not isinstance(table, Mapping):
        raise RunSettingError(f"{place} is {table!r}; a table of settings is needed")
    return read_rules(table, place)


def find_project(folder: Path) -> Path | None:
    """The pyproject.toml of the folder or of the nearest one above it; None where there is none."""
    start = folder.absolute()
    return next((path for place in (start, *start.parents) if (path := place / PROJECT_FILE).is_file()), None)


def read_tool_table(path: Path) -> Mapping[str, Any]:
    """The table `[tool.memeval]` of a pyproject.toml; {} where it has none.

    Raises:
        RunSettingError: the file cannot be read, or is no TOML; the message names the line.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RunSettingError(f"{path}: cannot be read ({error.strerror})") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RunSettingError(f"{path}: is no TOML: {error}") from error
    tool = content.get("tool", {})
    table = tool.get("memeval", {}) if isinstance(tool, Mapping) else {}
    return table if isinstance(table, Mapping) else {}
