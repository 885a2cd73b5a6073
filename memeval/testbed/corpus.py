"""A corpus: files to search, and what is known about them. No needs and no ranking here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from yaml.nodes import MappingNode, Node, ScalarNode

from memeval.errors import BenchmarkFormatError, CorpusError, MemoryStoreError
from memeval.memory.document import Document, UnreadableFile
from memeval.testbed.storekinds import STORE_KINDS, StoreKind, detect_kind, find_kind
from memeval.testbed.yamlfile import YamlFile, read_yaml

CORPUS_FILE = "corpus.yaml"
CARD_FILE = "README.md"
CARD_MARK = "<!-- corpus card: written by `memeval corpus card`"
"""What a card begins with, so that it is told from a README that belongs to the store."""

_KEYS = (
    "name",
    "kind",
    "languages",
    "licence",
    "description",
    "project",
    "extra_paths",
    "provenance",
    "made",
    "blind",
    "flaws",
)

PROVENANCE: Mapping[str, str] = {
    "origin": "where the memory comes from, and what of it is real",
    "shared": "what it has in common with other corpora",
    "files": "who wrote the files, and how",
    "wordings": "who wrote the wordings of the needs, and what they had seen: the blind rule",
    "aliases": "who wrote aliases.yaml, and what they had seen",
    "judgements": "who judged which files answer which need, what of, and what they had seen",
}
"""{key of `provenance:` in corpus.yaml: what it tells}, in the order of a card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """The documents every variant searches, with their provenance."""

    name: str
    documents: tuple[Document, ...]
    """Sorted by doc_id."""
    digest: str
    """SHA-256 over doc_ids and texts: `sha256:<hex>`."""
    kind: str = "store"
    """Name of one of the `STORE_KINDS`."""
    languages: tuple[str, ...] = ()
    project: str | None = None
    """Slug of the project whose memory is searched, for a store with projects."""
    description: str = ""
    licence: str = ""
    provenance: Mapping[str, str] = field(default_factory=dict)
    """How it was made: {key of PROVENANCE: text}, in that order."""
    made: str = ""
    """How it was made in any other words, as its `corpus.yaml` says."""
    flaws: tuple[str, ...] = ()
    """What is known to be wrong with it, a sentence or two each."""
    blind: bool | None = None
    """Whether whoever wrote the wordings of its needs had not read the files; None where `corpus.yaml` is mute."""
    has_aliases: bool = False
    """Whether the aliases of an overlay were put into the texts."""
    unreadable: tuple[UnreadableFile, ...] = ()
    """Files that a search would see if they could be read, by doc_id, with the reason; sorted, and no documents."""
    root: str | None = field(default=None, compare=False)
    """The folder, as it was given; None for a corpus that has none."""

    @property
    def file_ids(self) -> tuple[str, ...]:
        """The doc_ids of the documents, then those of the files that cannot be read: what one can write down."""
        return (*(document.doc_id for document in self.documents), *(file.path for file in self.unreadable))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Facts:
    """What `corpus.yaml` says; the defaults are those of a folder without one."""

    name: str
    kind: StoreKind | None = None
    languages: tuple[str, ...] = ()
    project: str | None = None
    extra_paths: tuple[str, ...] = ()
    description: str = ""
    licence: str = ""
    provenance: Mapping[str, str] = field(default_factory=dict)
    made: str = ""
    flaws: tuple[str, ...] = ()
    blind: bool | None = None


def load_corpus(path: Path | str, *, project: str | None = None) -> Corpus:
    """The corpus in a folder: a memory store of any of the `STORE_KINDS`, with or without a `corpus.yaml`.

    Where no `corpus.yaml` says which kind it is, the first that recognises the folder reads it; what each kind searches
    stands in its reader's docstring. Files are read where they lie; nothing is copied or written. The card of a corpus,
    a `README.md` that `memeval corpus card` wrote beside its `corpus.yaml`, is about the store and no part of it. One
    file that cannot be read (not UTF-8, a link to nothing, no permission) stops nothing: it is among `unreadable`.
    Each document's `path` is its doc_id, so that results do not depend on where the folder lies.

    Args:
        path: the folder.
        project: slug of the project to search; else `project:` of `corpus.yaml`, else the only one there is.

    Raises:
        CorpusError: no such folder, a broken `corpus.yaml`, several projects and none named, an unknown project,
            a broken row of a BEIR folder, or nothing to search.
    """
    root = Path(path)
    if path == "" or not root.is_dir():  # Path("") would be the current folder
        what = "is no path" if path == "" else "is a file, not a folder" if root.exists() else "does not exist"
        raise CorpusError(f"corpus {str(path)!r} {what}; give the folder of a memory store or of Markdown files")
    facts = _read_facts(root)
    kind = facts.kind or detect_kind(root)
    if facts.extra_paths and not kind.takes_extra_paths:
        able = ", ".join(each.name for each in STORE_KINDS if each.takes_extra_paths)
        raise CorpusError(f"{root}: extra_paths are named, which only kind {able} has, and this is {kind.description}")
    slug = _choose_project(root, kind, project or facts.project)
    try:
        read = kind.read(root, slug, facts.extra_paths)
    except MemoryStoreError as exc:
        raise CorpusError(f"{root}: {exc}") from exc
    except BenchmarkFormatError as exc:
        raise CorpusError(str(exc)) from exc
    documents = [each for each in read if isinstance(each, Document) and not _is_card(each)]
    unreadable = sorted((each for each in read if isinstance(each, UnreadableFile)), key=lambda file: file.path)
    if not documents:
        where = "" if slug is None else f" (project {slug})"
        refused = f"; cannot be read: {'; '.join(map(str, unreadable))}" if unreadable else ""
        raise CorpusError(
            f"{root}: nothing to search. This is {kind.description}{where}; searched are {kind.searched}{refused}"
        )
    ordered = tuple(sorted(documents, key=lambda document: document.doc_id))
    return Corpus(
        name=facts.name,
        documents=ordered,
        digest=digest_documents(ordered),
        kind=kind.name,
        languages=facts.languages,
        project=slug,
        description=facts.description,
        licence=facts.licence,
        provenance=facts.provenance,
        made=facts.made,
        flaws=facts.flaws,
        blind=facts.blind,
        unreadable=tuple(unreadable),
        root=str(path),
    )


def digest_documents(documents: Iterable[Document]) -> str:
    """`sha256:<hex>` over the doc_ids and texts, each UTF-8 behind its length in eight bytes, in doc_id order."""
    digest = hashlib.sha256()
    for document in sorted(documents, key=lambda document: document.doc_id):
        for text in (document.doc_id, document.text):
            content = text.encode("utf-8")
            digest.update(len(content).to_bytes(8, "big"))
            digest.update(content)
    return f"sha256:{digest.hexdigest()}"


def is_card(text: str) -> bool:
    """Whether a text is a corpus card."""
    return text.startswith(CARD_MARK)


def _is_card(document: Document) -> bool:
    return document.doc_id == CARD_FILE and is_card(document.text)


def _read_facts(root: Path) -> _Facts:
    default_name = root.resolve().name or "root"
    path = root / CORPUS_FILE
    if not path.exists():
        return _Facts(name=default_name)
    file = read_yaml(path, error=locate_error)
    fields = file.as_fields(file.root, "the corpus", _KEYS)
    texts = {
        key: file.as_text(fields[key], f"{key!r}").strip()
        for key in ("name", "kind", "licence", "description", "project")
        if key in fields
    }
    kind = find_kind(texts["kind"]) if "kind" in texts else None
    if kind is None and "kind" in texts:
        known = ", ".join(each.name for each in STORE_KINDS)
        file.fail(fields["kind"], f"kind {texts['kind']!r} does not exist; known: {known}")
    return _Facts(
        name=texts.get("name", default_name),
        kind=kind,
        languages=file.as_texts(fields["languages"], "'languages'") if "languages" in fields else (),
        project=texts.get("project"),
        extra_paths=file.as_texts(fields["extra_paths"], "'extra_paths'") if "extra_paths" in fields else (),
        description=texts.get("description", ""),
        licence=texts.get("licence", ""),
        provenance=_read_provenance(file, fields["provenance"]) if "provenance" in fields else {},
        made=_as_written(file, fields["made"]).strip() if "made" in fields else "",
        flaws=file.as_texts(fields["flaws"], "'flaws'") if "flaws" in fields else (),
        blind=file.as_truth(fields["blind"], "'blind'") if "blind" in fields else None,
    )


def _read_provenance(file: YamlFile, node: Node) -> dict[str, str]:
    fields = file.as_fields(node, "'provenance'", tuple(PROVENANCE))
    return {key: file.as_text(fields[key], f"{key!r}").strip() for key in PROVENANCE if key in fields}


def _as_written(file: YamlFile, node: Node, indent: str = "") -> str:
    """Free text or any nesting of lists and mappings, as lines; nothing is read as a number or a date."""
    if isinstance(node, ScalarNode):
        return str(node.value)
    if isinstance(node, MappingNode):
        parts = [(f"{indent}{key}:", value) for key, _, value in file.as_entries(node, "'made'")]
    else:
        parts = [(f"{indent}-", value) for value in file.as_items(node, "'made'")]
    lines = [
        f"{lead} {_as_written(file, value)}"
        if isinstance(value, ScalarNode)
        else f"{lead}\n{_as_written(file, value, indent + '  ')}"
        for lead, value in parts
    ]
    return "\n".join(lines)


def locate_error(message: str, *, path: str, line: int | None = None) -> CorpusError:
    """The error about a file of a corpus, with its place in front: `path:line: …`."""
    return CorpusError(f"{path if line is None else f'{path}:{line}'}: {message}")


def _choose_project(root: Path, kind: StoreKind, project: str | None) -> str | None:
    if kind.list_projects is None:
        if project is not None:
            raise CorpusError(
                f"{root}: project {project!r} is named, but {kind.description} has no projects; leave it out"
            )
        return None
    slugs = kind.list_projects(root)
    if project is not None:
        if project not in slugs:
            raise CorpusError(f"{root}: no project {project!r} in it{_describe_choice(project, slugs)}")
        return project
    if len(slugs) > 1:
        raise CorpusError(
            f"{root}: the store has {len(slugs)} projects ({', '.join(slugs)}) and a search sees one of them; name it: "
            "`project: SLUG` in the suite file or corpus.yaml, or --project SLUG"
        )
    return slugs[0] if slugs else None


def _describe_choice(name: str, choices: Sequence[str]) -> str:
    if not choices:
        return ", which has no projects"
    near = get_close_matches(name, choices, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"; known: {', '.join(choices)}.{hint}"
