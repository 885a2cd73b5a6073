"""Variants that installed packages bring, through the entry points `memeval.retrievers`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points

from memeval.errors import ExternalSystemError
from memeval.retrieval.base import Variant

ENTRY_POINT_GROUP = "memeval.retrievers"
"""A package offers here a Variant, several of them, or something callable with documents and settings that gives a
Retriever; this one is called by the name of its entry point."""


@dataclass(frozen=True, slots=True)
class Installed:
    """What packages bring."""

    variants: tuple[Variant, ...]
    """By package, then in its order. None is a default: what is installed does not change what runs unasked."""
    broken: tuple[BrokenEntry, ...]


@dataclass(frozen=True, slots=True)
class BrokenEntry:
    """An entry point that brings nothing that can be used."""

    name: str
    reason: str
    """With the package and its version."""


def load_installed(taken: Collection[str]) -> Installed:
    """What the installed packages bring. Their code is imported; what is broken is told and stops nothing.

    Args:
        taken: names that are not to be had: those of memeval's own variants.
    """
    variants: dict[str, Variant] = {}
    broken: list[BrokenEntry] = []
    for entry in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda entry: (_name_package(entry), entry.name)):
        brought = _try_to_load(entry, {*taken, *variants})
        if isinstance(brought, BrokenEntry):
            broken.append(brought)
        else:
            variants |= {variant.name: variant for variant in brought}
    return Installed(tuple(variants.values()), tuple(broken))


def _try_to_load(entry: EntryPoint, taken: Collection[str]) -> tuple[Variant, ...] | BrokenEntry:
    """What an entry point brings; what is wrong with it where its code fails in any way, or a name of it is taken."""
    try:
        brought = _load(entry)
        names = [variant.name for variant in brought]
        clash = next((name for name in names if name in taken or names.count(name) > 1), None)
        if clash is None:
            return brought
        reason = f"there is a variant {clash!r} already"
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
    told = f"{entry.name} of the package {_name_package(entry)} is broken: {reason}"
    return BrokenEntry(entry.name, " ".join(told.split()))


def _load(entry: EntryPoint) -> tuple[Variant, ...]:
    offer = entry.load()
    if isinstance(offer, Variant):
        offer = (offer,)
    elif callable(offer):
        offer = (_make_variant(entry, offer),)
    brought = tuple(offer) if isinstance(offer, Iterable) else ()
    if not brought or not all(isinstance(variant, Variant) for variant in brought):
        raise ExternalSystemError(
            f"{entry.value} is neither a Variant, nor several, nor callable with documents and settings"
        )
    return tuple(replace(variant, default=False) for variant in brought)


def _make_variant(entry: EntryPoint, build: Callable[..., object]) -> Variant:
    try:
        inspect.signature(build).bind((), None)
    except TypeError as error:
        raise ExternalSystemError(f"{entry.value} is to be called with documents and settings: {error}") from None
    except ValueError:
        pass  # built in C: its signature is not known
    lines = (inspect.getdoc(build) or "").strip().splitlines()
    return Variant(
        name=entry.name,
        description=lines[0].rstrip(".") if lines else f"the retriever {entry.value}",
        source=_name_package(entry),
        build=build,  # type: ignore[arg-type]
        always_answers=True,
    )


def _name_package(entry: EntryPoint) -> str:
    return "unknown" if entry.dist is None else f"{entry.dist.name} {entry.dist.version}"
