"""Alias proposals as a file that a person decides on: each with its evidence, none of them accepted yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from yaml.nodes import Node, ScalarNode

from memeval.errors import CorpusError
from memeval.testbed.corpus import locate_error
from memeval.testbed.yamlfile import YamlFile, quote_scalar, read_yaml
from memeval.text import fold

KIND = "aliases"
MAX_EVIDENCE = 5
"""Failed wordings that are named for one alias; the others are counted."""

_KEYS = ("patch", "store", "project", "suite", "files")
_ENTRY_KEYS = ("alias", "accept", "terms", "needs", "evidence")
_UNDECIDED = ("", "~", "null")

_LOG_HEAD = """\
# Aliases that a log speaks for: words that were asked in vain for a file that was read in the end, and are not in it.
"""
_SUITE_HEAD = """\
# Aliases that a suite speaks for: words of its wordings that did not show the file expected, and are not in it.
# They are fitted to these very wordings. Once they are applied the suite rises, whatever they are worth to anybody who
# asks in other words: that rise says nothing. `memeval aliases learn` is the honest test: learned from one writer's
# wordings, asked in those of another.
"""
_HEAD = """\
# Nothing is written until each is decided on:
#   accept: true     it is written by `memeval aliases apply`
#   accept: false    it is not; so is what you delete
#   accept: null     nobody has decided yet
# Would somebody look for this file by these words, and for no other? Is anything in them nobody else's business? An
# alias may be reworded; entries and files may be added: alias and accept are all it takes.
"""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One failed wording that speaks for an alias."""

    need: str
    wording: str
    day: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """An alias that a file may get."""

    doc_id: str
    alias: str
    terms: tuple[str, ...]
    """The ruler's terms that it is proposed for, in order."""
    evidence: tuple[Evidence, ...]
    """In the order of the needs; at least one."""

    @property
    def needs(self) -> int:
        """In how many needs it was asked for."""
        return len({one.need for one in self.evidence})


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchEntry:
    """One alias of a patch."""

    doc_id: str
    alias: str
    accept: bool | None
    """None where nobody has decided."""
    line: int
    """Where it stands in the patch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasPatch:
    """A patch as read."""

    path: str
    project: str | None
    entries: tuple[PatchEntry, ...]
    """In file order."""
    suite: str | None = None
    """Whose wordings it was learned from; None where it was a log, or nobody said."""


def render_patch(
    proposals: Iterable[Proposal], *, store: str, project: str | None = None, suite: str | None = None
) -> str:
    """The proposals as YAML, ending in a newline; every one is undecided.

    Args:
        proposals: by file.
        store: name of the store, for whoever reads it.
        project: slug of the project that was searched, of a store with projects.
        suite: name of the suite that they were learned from; None where it was a log.
    """
    files: dict[str, list[Proposal]] = {}
    for proposal in proposals:
        files.setdefault(proposal.doc_id, []).append(proposal)
    head = _LOG_HEAD if suite is None else _SUITE_HEAD
    lines = [f"{head}{_HEAD}patch: {KIND}", f"store: {quote_scalar(store)}"]
    lines += [f"project: {quote_scalar(project)}"] if project is not None else []
    lines += [f"suite: {quote_scalar(suite)}"] if suite is not None else []
    lines += ["files:"] if files else ["files: {}"]
    for doc_id, some in files.items():
        lines.append(f"  {quote_scalar(doc_id)}:")
        for proposal in some:
            lines += _write_entry(proposal)
    return "\n".join(lines) + "\n"


def _write_entry(proposal: Proposal) -> Iterator[str]:
    yield f"    - alias: {quote_scalar(proposal.alias)}"
    yield "      accept: null"
    yield f"      terms: [{', '.join(map(quote_scalar, proposal.terms))}]"
    yield f"      needs: {proposal.needs}"
    yield "      evidence:"
    yield from (f"        - {{{_write_evidence(one)}}}" for one in proposal.evidence[:MAX_EVIDENCE])
    more = len(proposal.evidence) - MAX_EVIDENCE
    if more > 0:
        yield f"        # and {more} more"


def _write_evidence(evidence: Evidence) -> str:
    day = f", day: {quote_scalar(evidence.day)}" if evidence.day else ""
    asked = quote_scalar(" ".join(evidence.wording.split()))
    return f"need: {quote_scalar(evidence.need)}, asked: {asked}{day}"


def load_patch(path: Path | str) -> AliasPatch:
    """The patch in a file. What stands under `terms`, `needs` and `evidence` is for people, and not read.

    Raises:
        CorpusError: as `path:line: …`, no patch of aliases, an unknown key, an alias that is no text or stands twice
            for its file, or an `accept` that is neither true, false nor null.
    """
    file = read_yaml(Path(path), error=locate_error)
    fields = file.as_fields(file.root, "the patch", _KEYS, ("patch", "files"))
    kind = file.as_text(fields["patch"], "'patch'")
    if kind != KIND:
        file.fail(fields["patch"], f"patch is {kind!r}; only a patch of kind {KIND!r} can be applied")
    project, suite = (file.as_text(fields[key], f"'{key}'") if key in fields else None for key in ("project", "suite"))
    entries: list[PatchEntry] = []
    if not _is_nothing(fields["files"]):
        for doc_id, _, node in file.as_entries(fields["files"], "'files'"):
            entries += _read_file(file, doc_id, node)
    return AliasPatch(path=file.path, project=project, entries=tuple(entries), suite=suite)


def _read_file(file: YamlFile, doc_id: str, node: Node) -> Iterator[PatchEntry]:
    if _is_nothing(node):  # all of its entries were deleted
        return
    lines: dict[str, int] = {}
    for item in file.as_items(node, f"what {doc_id!r} has"):
        fields = file.as_fields(item, "an entry", _ENTRY_KEYS, ("alias",))
        alias = file.as_text(fields["alias"], "'alias'").strip()
        same = fold(" ".join(alias.split()))
        if same in lines:
            file.fail(item, f"alias {alias!r} stands twice for {doc_id!r}; the first is in line {lines[same]}")
        lines[same] = file.line(item)
        accept = _read_accept(file, fields["accept"]) if "accept" in fields else None
        yield PatchEntry(doc_id=doc_id, alias=alias, accept=accept, line=file.line(fields["alias"]))


def _read_accept(file: YamlFile, node: Node) -> bool | None:
    if _is_nothing(node):
        return None
    try:
        return file.as_truth(node, "'accept'")
    except CorpusError:
        file.fail(node, f"accept is {file.source(node)}; write true (apply it), false (do not) or null (undecided)")


def _is_nothing(node: Node) -> bool:
    return isinstance(node, ScalarNode) and node.style is None and node.value in _UNDECIDED
