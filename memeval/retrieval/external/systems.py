"""Other systems that can be installed: each a variant that is known by name, and what it lacks on this machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from memeval.retrieval.base import Variant


@dataclass(frozen=True, slots=True)
class System:
    """A variant that needs something which memeval does not bring."""

    variant: Variant
    describe_lack: Callable[[], str | None]
    """What is not installed and how to get it; None where all of it is there."""


def lack_packages(packages: Sequence[str], install: str) -> str | None:
    """What is missing of the packages, by the names they are imported by, and how to get it; None where nothing is."""
    missing = [package for package in packages if find_spec(package) is None]
    return f"{' and '.join(missing)} not installed: {install}" if missing else None
