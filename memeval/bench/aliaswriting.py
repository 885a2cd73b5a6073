"""A decided patch into a store: every check before the first write, each file with a backup, all of them or none."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from memeval.errors import MemoryStoreError
from memeval.memory.aliases import add_aliases, find_aliases, is_alias, strip_aliases
from memeval.memory.disk import encode_path, lock_store, read_text, replace_file
from memeval.memory.document import Document, Tier
from memeval.testbed.aliaspatch import AliasPatch, PatchEntry
from memeval.testbed.corpus import Corpus, locate_error
from memeval.testbed.docids import DocIds
from memeval.testbed.frontmatter import keeps_front_matter
from memeval.text import count, fold

BACKUP_ENDING = ".bak"
"""In place of `.md`, beside the file, as the engine names its backups."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """What a patch does to one file."""

    doc_id: str
    added: tuple[str, ...]
    """Aliases that it gets."""
    known: tuple[str, ...]
    """Accepted ones that it has already."""
    backup: str | None
    """Path of what it was before, relative to the root; None where nothing is added."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What a patch did, or would do."""

    changes: tuple[FileChange, ...]
    """Of files with an accepted alias, in the order of the patch."""
    declined: int
    """Entries with `accept: false`."""
    undecided: tuple[PatchEntry, ...]

    @property
    def added(self) -> int:
        """Aliases added."""
        return sum(len(change.added) for change in self.changes)


def apply_patch(patch: AliasPatch, corpus: Corpus, root: Path, *, is_trial: bool = False) -> Applied:
    """What was done: the accepted aliases are in their notes, in the form that these have; nothing else is changed.

    Applied again, it changes nothing. Where a write fails, the files written before it are put back.

    Args:
        patch: as it was decided.
        corpus: the store as read from `root`.
        root: its folder.
        is_trial: check everything and write nothing.

    Raises:
        CorpusError: as `patch:line: …`, an accepted alias of a file that is not there or is no note, or one that the
            file's form cannot hold.
        MemoryStoreError: a file that cannot be read or written; the store is as it was.
    """
    accepted: dict[str, list[PatchEntry]] = {}
    documents = {document.doc_id: document for document in corpus.documents}
    doc_ids = DocIds(documents)
    for entry in patch.entries:
        if entry.accept:
            doc_id = _find_note(patch, entry, documents, doc_ids, root)
            accepted.setdefault(doc_id, []).append(entry)
    plans = []
    try:
        with lock_store(root):
            _refuse_links(patch, accepted, root)
            for doc_id, entries in accepted.items():
                plans.append(_plan(patch, doc_id, entries, root))
            if not is_trial:
                _write(plans)
    except OSError as error:
        raise MemoryStoreError(f"{root}: {error.strerror or type(error).__name__}; nothing was written") from error
    return Applied(
        changes=tuple(plan.change for plan in plans),
        declined=sum(entry.accept is False for entry in patch.entries),
        undecided=tuple(entry for entry in patch.entries if entry.accept is None),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """One file, before and after."""

    path: Path
    backup: Path
    before: str
    after: str
    change: FileChange


def _find_note(
    patch: AliasPatch, entry: PatchEntry, documents: dict[str, Document], doc_ids: DocIds, root: Path
) -> str:
    doc_id = doc_ids.find(entry.doc_id)
    if doc_id is None:
        _fail(
            patch,
            entry,
            f"{entry.doc_id!r} is not among the {count(len(documents), 'file')} that a search of {root} sees; was it "
            f"deleted or renamed? Correct the path, or decline its aliases.{doc_ids.suggest(entry.doc_id)}",
        )
    if documents[doc_id].tier is not Tier.NOTE:
        _fail(patch, entry, f"{doc_id!r} takes no aliases: it is no note but {documents[doc_id].tier.value}")
    return doc_id


def _refuse_links(patch: AliasPatch, accepted: dict[str, list[PatchEntry]], root: Path) -> None:
    """Each file is changed once: two names of one file would overwrite each other."""
    names: dict[Path, str] = {}
    for doc_id, entries in accepted.items():
        other = names.setdefault(encode_path(str(root), doc_id).resolve(), doc_id)
        if other != doc_id:
            _fail(patch, entries[0], f"{doc_id!r} and {other!r} are one file; put all its aliases under one of them")


def _plan(patch: AliasPatch, doc_id: str, entries: Sequence[PatchEntry], root: Path) -> _Plan:
    path = encode_path(str(root), doc_id)
    before = read_text(path, str(path))
    if before is None:
        _fail(patch, entries[0], f"there is no file {path}; it may have been deleted just now")
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        raise MemoryStoreError(f"{path} is read-only; nothing was written. Make it writable first.")
    had = {fold(alias) for alias in find_aliases(before)}
    added = [entry.alias for entry in entries if fold(entry.alias) not in had]
    for entry in entries:
        if fold(entry.alias) not in had and not _holds(before, entry.alias):
            _fail(
                patch,
                entry,
                f"alias {entry.alias!r} would not be read back from {doc_id} as it is; an alias is a word or a few on "
                "one line, without control characters",
            )
    after = add_aliases(before, added)
    if not keeps_front_matter(before, after, added):
        _fail(patch, entries[0], f"the front matter of {doc_id} would not be read as YAML any more; add them by hand")
    if _body(after) != _body(before) or not {*had, *map(fold, added)} <= {fold(one) for one in find_aliases(after)}:
        _fail(patch, entries[0], f"the aliases in {doc_id} have a form that cannot be added to; add them by hand")
    kept_at = doc_id.removesuffix(".md") + BACKUP_ENDING
    change = FileChange(
        doc_id=doc_id,
        added=tuple(added),
        known=tuple(entry.alias for entry in entries if entry.alias not in added),
        backup=kept_at if added else None,
    )
    return _Plan(path=path, backup=encode_path(str(root), kept_at), before=before, after=after, change=change)


def _holds(text: str, alias: str) -> bool:
    """Whether an alias put into a text is found there as it is, and leaves the rest alone."""
    given = add_aliases(text, [alias])
    return is_alias(alias) and alias in find_aliases(given) and _body(given) == _body(text)


def _body(text: str) -> str:
    """The text without its aliases; a last line end may be added to it."""
    return strip_aliases(text).rstrip("\r\n")


def _write(plans: Sequence[_Plan]) -> None:
    done: list[tuple[_Plan, str | None]] = []
    for plan in plans:
        if plan.after == plan.before:
            continue
        try:
            older = read_text(plan.backup, str(plan.backup))
            replace_file(plan.path, plan.after, str(plan.path), (plan.backup, plan.before))
        except (OSError, MemoryStoreError):
            for written, backup in done:
                replace_file(written.path, written.before, str(written.path))
                if backup is None:
                    written.backup.unlink(missing_ok=True)
                else:
                    replace_file(written.backup, backup, str(written.backup))
            raise
        done.append((plan, older))


def _fail(patch: AliasPatch, entry: PatchEntry, message: str) -> NoReturn:
    raise locate_error(message, path=patch.path, line=entry.line)
