"""What moved between two runs: the subject that is judged, the ruler it is judged by, or the ground they stand on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memeval.bench.evaluation import Evaluation

MULTI_VAR = "MULTI-VAR"
"""Marks a variant of which two things moved at once: no difference can be put down to one of them."""

CODE = "memeval"
"""The version of this package stands for its code, which may move anything, and counts for no variable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One thing that is not as it was."""

    name: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.name} {self.old} → {self.new}"


CHANGED_FILES_CURE = (
    "Where the notes were meant to change, make the baseline anew in the same commit: `memeval run …`, then "
    '`memeval baseline bless --why "…"`. What aliases in the notes do is told by `memeval aliases ledger SUITE`, '
    "or by the variants memeval and memeval-aliases of one run."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteMoves:
    """What moved under all variants of a suite."""

    ruler: bool
    """Needs, wordings, grades or flags."""
    aliases: Move | None
    """A subject: the same files with other aliases."""
    invalid: str | None
    """Why nothing can be compared; None where it can."""
    cure: str | None = None
    """What to do about that, in sentences."""
    is_unchecked: bool = False
    """Only one run had the aliases put into the files, so that nobody can say whether the files are the same."""


def describe_suite(evaluation: Evaluation, suite: str) -> Mapping[str, Any] | None:
    """The suite's entry in the manifest; None without one."""
    return _find_entry(evaluation, "suites", suite)


def compare_suite(base: Evaluation, head: Evaluation, suite: str) -> SuiteMoves | None:
    """What moved under a suite that both have; None where a manifest does not say what the suite was."""
    old, new = describe_suite(base, suite), describe_suite(head, suite)
    if old is None or new is None:
        return None
    if any(key not in entry for entry in (old, new) for key in ("suite_digest", "corpus_digest")):
        return None
    had, has = bool(old.get("aliases")), bool(new.get("aliases"))
    aliases = None
    if had != has:
        aliases = Move(name="aliases", old=_tell_aliases(had), new=_tell_aliases(has))
    elif old.get("overlay_digest") != new.get("overlay_digest") and "overlay_digest" in old and "overlay_digest" in new:
        aliases = Move(name="aliases", old=_shorten(old["overlay_digest"]), new=_shorten(new["overlay_digest"]))
    invalid = cure = None
    if had == has and old["corpus_digest"] != new["corpus_digest"]:
        invalid = (
            f"the corpus is another one ({_shorten(old['corpus_digest'])} → {_shorten(new['corpus_digest'])}): "
            "a difference may come from the files"
        )
        cure = CHANGED_FILES_CURE
    elif old.get("project") != new.get("project"):
        invalid = f"another project is searched ({old.get('project')} → {new.get('project')})"
    return SuiteMoves(
        ruler=old["suite_digest"] != new["suite_digest"],
        aliases=aliases,
        invalid=invalid,
        cure=cure,
        is_unchecked=had != has,
    )


def compare_variant(base: Evaluation, head: Evaluation, variant: str) -> tuple[Move, ...]:
    """What moved of a variant: numbers and choices of its configuration, models, versions of packages.

    A package that one of the runs did without counts for none: both measured the variant, so it does not need it.
    """
    old, new = _configuration(base, variant), _configuration(head, variant)
    moves = _compare_mappings(old, new)
    if "model" in old and old["model"] == new.get("model"):
        name = f"weights of {old['model']}"
        weights = [{name: one.manifest.get("models", {}).get(old["model"])} for one in (base, head)]
        moves += _compare_mappings(*weights)
    for model in ("embedder", "reranker"):
        if model in base.manifest or model in head.manifest:
            moves += _compare_mappings({model: base.manifest.get(model)}, {model: head.manifest.get(model)})
    versions = (
        {name: version for name, version in one.versions.items() if name != CODE} if one.versions else None
        for one in (base, head)
    )
    known, today = versions
    if known is not None and today is not None:
        moves += [move for move in _compare_mappings(known, today) if move.name in known and move.name in today]
    return tuple(moves)


def find_moved_cap(base: Evaluation, head: Evaluation, variant: str) -> str | None:
    """Why what a variant shows cannot be compared: another cap in bytes; None where it is the same."""
    old, new = _configuration(base, variant), _configuration(head, variant)
    caps = [
        configuration.get("max_bytes", evaluation.manifest.get("budget_bytes"))
        for configuration, evaluation in ((old, base), (new, head))
    ]
    if caps[0] == caps[1]:
        return None
    return f"the cap is another one ({caps[0]} → {caps[1]} bytes): what is shown cannot be compared"


def _configuration(evaluation: Evaluation, variant: str) -> Mapping[str, Any]:
    entry = _find_entry(evaluation, "variants", variant) or {}
    configuration = entry.get("configuration", {})
    return configuration if isinstance(configuration, Mapping) else {}


def _find_entry(evaluation: Evaluation, part: str, name: str) -> Mapping[str, Any] | None:
    entries = evaluation.manifest.get(part, ())
    return next((entry for entry in entries if isinstance(entry, Mapping) and entry.get("name") == name), None)


def _compare_mappings(old: Mapping[str, object], new: Mapping[str, object]) -> list[Move]:
    return [
        Move(name=name, old=_tell(old.get(name)), new=_tell(new.get(name)))
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    ]


def _tell(value: object) -> str:
    return "none" if value is None else str(value)


def _tell_aliases(has: bool) -> str:
    return "in the files" if has else "none"


def _shorten(digest: object) -> str:
    """The first characters of a digest, enough to tell two apart."""
    return "none" if digest is None else str(digest).removeprefix("sha256:")[:10]
