"""The variants beside memeval's own: other systems that can be installed, and what installed packages bring."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from memeval.errors import ExternalSystemError, NotInstalledError
from memeval.retrieval.base import Variant
from memeval.retrieval.external.installed import load_installed
from memeval.retrieval.external.lancedb import LANCEDB
from memeval.retrieval.external.memsearch import MEMSEARCH_REAL
from memeval.retrieval.external.ripgrep import RIPGREP
from memeval.retrieval.external.systems import System
from memeval.retrieval.external.tantivy import TANTIVY

SYSTEMS: tuple[System, ...] = (RIPGREP, TANTIVY, LANCEDB, MEMSEARCH_REAL)
"""The systems known by name, in the order tables show them."""


@dataclass(frozen=True, slots=True)
class External:
    """What there is on this machine."""

    variants: tuple[Variant, ...]
    """Those that can be built here."""
    lacking: tuple[tuple[Variant, str], ...]
    """Systems known by name that are not installed, and how to get them."""
    broken: tuple[str, ...]
    """What installed packages bring and cannot be used, a sentence each, with the package."""


def survey_external(own: Collection[str]) -> External:
    """What there is beside memeval's own variants, whose names these are. Installed packages are imported."""
    lacks = [(system.variant, system.describe_lack()) for system in SYSTEMS]
    installed = load_installed({*own, *(variant.name for variant, _ in lacks)})
    return External(
        variants=(*(variant for variant, lack in lacks if lack is None), *installed.variants),
        lacking=tuple((variant, lack) for variant, lack in lacks if lack is not None),
        broken=tuple(entry.reason for entry in installed.broken),
    )


def find_external(name: str, own: Collection[str]) -> Variant | None:
    """The variant of that name beside memeval's own, whose names these are; None where there is none.

    Raises:
        NotInstalledError: it is a known system that is not here; the message says how to get it.
        ExternalSystemError: a package brings it and is broken; the message names the package.
    """
    for system in SYSTEMS:
        if system.variant.name == name:
            lack = system.describe_lack()
            if lack is not None:
                raise NotInstalledError(f"the variant {name} is another system: {lack}")
            return system.variant
    installed = load_installed({*own, *(system.variant.name for system in SYSTEMS)})
    for variant in installed.variants:
        if variant.name == name:
            return variant
    for entry in installed.broken:
        if entry.name == name:
            raise ExternalSystemError(f"the variant {entry.reason}")
    return None
