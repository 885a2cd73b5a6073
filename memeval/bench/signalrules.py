"""What a verdict goes by: the threshold, the ladder, the limits; read from a project's settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from memeval.errors import RunSettingError
from memeval.statistics.trigger import DEFAULT_THRESHOLD, MAX_THRESHOLD

VARIANT = "{variant}"
"""In the name of a step: the variant under test."""

DEFAULT_STAGES = (
    ("current", "memeval", "memeval+opencc"),
    (f"{VARIANT}+aliases", "memeval+aliases"),
    ("memeval+hybrid",),
)
"""The ladder: the variants of each stage, the cheapest first. Those of stage 0 up to the variant under test are left
out, and no variant is tried against itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalRules:
    """The settings of `[tool.memeval.signals]`; each field is a key there."""

    threshold: float = DEFAULT_THRESHOLD
    """The tolerated share of needs whose first wording matches no file that answers."""
    variants: tuple[str, ...] = ()
    """Variants under test where none is named; none = the engine's default profile."""
    stage_0: tuple[str, ...] = DEFAULT_STAGES[0]
    stage_1: tuple[str, ...] = DEFAULT_STAGES[1]
    stage_2: tuple[str, ...] = DEFAULT_STAGES[2]
    script_gap: float = 0.1
    """A larger difference between languages is told as a signal of its own."""
    max_files: int = 1_000
    min_consistency: float = 0.5
    max_cut: float = 0.25

    @property
    def stages(self) -> tuple[tuple[str, ...], ...]:
        """The names of each stage."""
        return self.stage_0, self.stage_1, self.stage_2


_LISTS = ("variants", "stage_0", "stage_1", "stage_2")
_SHARES = ("script_gap", "min_consistency", "max_cut")
_KEYS = ("threshold", *_LISTS, *_SHARES, "max_files")


def read_rules(table: Mapping[str, object], place: str) -> SignalRules:
    """The rules that a table of settings states, the defaults for the rest.

    Args:
        table: {key: value}, as TOML has them.
        place: where it stands, for messages: `pyproject.toml: [tool.memeval.signals]`.

    Raises:
        RunSettingError: a key that there is not, or a value that it cannot have.
    """
    values: dict[str, object] = {}
    for key, value in table.items():
        if key not in _KEYS:
            near = get_close_matches(key, _KEYS, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise RunSettingError(f"{place}: {key!r} is no setting; known: {', '.join(_KEYS)}.{hint}")
        values[key] = _read_value(key, value, place)
    return SignalRules(**values)  # type: ignore[arg-type]


def _read_value(key: str, value: object, place: str) -> object:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if key in _LISTS:
        if isinstance(value, list) and all(isinstance(name, str) and name for name in value):
            return tuple(value)
        raise RunSettingError(f"{place}: {key} is {value!r}; a list of names of variants is needed")
    if key == "threshold":
        if isinstance(value, int | float) and is_number and 0 < value < MAX_THRESHOLD:
            return float(value)
        raise RunSettingError(
            f"{place}: threshold is {value!r}; a number above 0 and below {MAX_THRESHOLD} is needed, such as 0.1"
        )
    if key == "max_files":
        if isinstance(value, int) and is_number and value >= 0:
            return value
        raise RunSettingError(f"{place}: max_files is {value!r}; a whole number from 0 is needed")
    if isinstance(value, int | float) and is_number and 0 <= value <= 1:
        return float(value)
    raise RunSettingError(f"{place}: {key} is {value!r}; a number from 0 to 1 is needed")
