"""A corpus: files to search, and what is known about them. No needs and no ranking here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from yaml.nodes import MappingNode, Node, ScalarNode

from memeval.errors import CorpusError, MemoryStoreError
from memeval.memory.document import Document
from memeval.memory.layout import list_projects, read_store
from memeval.testbed.plainfolder import find_markdown, read_plain_folder
from memeval.testbed.yamlfile import YamlFile, read_yaml

CORPUS_FILE = "corpus.yaml"
KINDS = ("store", "plain")
_PROJECT_PARTS = ("notes", "daily", "SCRATCHPAD.md")
_KEYS = ("name", "kind", "languages", "licence", "description", "project", "made")


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """The documents every variant searches, with their provenance."""

    name: str
    documents: tuple[Document, ...]
    """Sorted by doc_id."""
    digest: str
    """SHA-256 over doc_ids and texts: `sha256:<hex>`."""
    kind: str = "store"
    """`store` (a memory store on disk), `plain` (a folder of Markdown) or `beir`."""
    languages: tuple[str, ...] = ()
    project: str | None = None
    """Slug of the project whose notes and logs are searched, for a store."""
    description: str = ""
    licence: str = ""
    made: str = ""
    """How it was made, as its `corpus.yaml` says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Facts:
    """What `corpus.yaml` says; the defaults are those of a folder without one."""

    name: str
    kind: str | None = None
    languages: tuple[str, ...] = ()
    project: str | None = None
    description: str = ""
    licence: str = ""
    made: str = ""


def load_corpus(path: Path | str, *, project: str | None = None) -> Corpus:
    """The corpus in a folder: a memory store or a plain folder of Markdown, with or without a `corpus.yaml`.

    Of a store, what the engine searches for one project: every `*.md` directly under the root, and the project's
    `notes/` and `daily/`. Of a plain folder, every `*.md` and `*.markdown` below it. Where no `corpus.yaml` says which
    it is, a folder is a store when a folder in `projects/` has `notes/`, `daily/` or `SCRATCHPAD.md`, or when there
    is a `MEMORY.md` and no Markdown in subfolders.
    Each document's `path` is its doc_id, so that results do not depend on where the folder lies.

    Args:
        path: the folder.
        project: slug of the project to search; else `project:` of `corpus.yaml`, else the only one there is.

    Raises:
        CorpusError: no such folder, a broken `corpus.yaml`, several projects and none named, an unknown project,
            a file that cannot be read as UTF-8, or nothing to search.
    """
    root = Path(path)
    if not root.is_dir():
        what = "is a file, not a folder" if root.exists() else "does not exist"
        raise CorpusError(f"corpus {str(path)!r} {what}; give the folder of a memory store or of Markdown files")
    facts = _read_facts(root)
    kind = facts.kind or _detect_kind(root)
    project = project or facts.project
    if kind == "store":
        slug = _choose_project(root, project)
        documents = _read_store(root, slug)
    else:
        if project is not None:
            raise CorpusError(
                f"{root}: project {project!r} is named, but a plain folder has no projects/; leave it out"
            )
        slug = None
        documents = read_plain_folder(root)
    if not documents:
        raise CorpusError(f"{root}: {_explain_empty(root, kind, slug)}")
    ordered = tuple(sorted(documents, key=lambda document: document.doc_id))
    return Corpus(
        name=facts.name,
        documents=ordered,
        digest=digest_documents(ordered),
        kind=kind,
        languages=facts.languages,
        project=slug,
        description=facts.description,
        licence=facts.licence,
        made=facts.made,
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


def _read_store(root: Path, slug: str | None) -> Sequence[Document]:
    try:
        return read_store(root, slug)
    except MemoryStoreError as exc:
        raise CorpusError(f"{root}: {exc}") from exc


def _read_facts(root: Path) -> _Facts:
    default_name = root.resolve().name or "root"
    path = root / CORPUS_FILE
    if not path.exists():
        return _Facts(name=default_name)
    file = read_yaml(path, error=_locate)
    fields = file.as_fields(file.root, "the corpus", _KEYS)
    texts = {
        key: file.as_text(fields[key], f"{key!r}").strip()
        for key in ("name", "kind", "licence", "description", "project")
        if key in fields
    }
    kind = texts.get("kind")
    if kind is not None and kind not in KINDS:
        file.fail(fields["kind"], f"kind {kind!r} does not exist; known: {', '.join(KINDS)}")
    return _Facts(
        name=texts.get("name", default_name),
        kind=kind,
        languages=file.as_texts(fields["languages"], "'languages'") if "languages" in fields else (),
        project=texts.get("project"),
        description=texts.get("description", ""),
        licence=texts.get("licence", ""),
        made=_as_written(file, fields["made"]).strip() if "made" in fields else "",
    )


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


def _locate(message: str, *, path: str, line: int | None = None) -> CorpusError:
    return CorpusError(f"{path if line is None else f'{path}:{line}'}: {message}")


def _detect_kind(root: Path) -> str:
    # a folder named projects/ alone is found in many a tree of notes
    if any((root / "projects" / slug / part).exists() for slug in list_projects(root) for part in _PROJECT_PARTS):
        return "store"
    flat = all(path.parent == root for path in find_markdown(root))
    return "store" if flat and (root / "MEMORY.md").is_file() else "plain"


def _choose_project(root: Path, project: str | None) -> str | None:
    slugs = list_projects(root)
    if project is not None:
        if project not in slugs:
            raise CorpusError(f"{root}: no project {project!r} in projects/{_describe_choice(project, slugs)}")
        return project
    if len(slugs) > 1:
        raise CorpusError(
            f"{root}: the store has {len(slugs)} projects ({', '.join(slugs)}) and a search sees one of them; name it: "
            "`project: SLUG` in the suite file or corpus.yaml, or --project SLUG"
        )
    return slugs[0] if slugs else None


def _describe_choice(name: str, choices: Sequence[str]) -> str:
    if not choices:
        return ", which has none"
    near = get_close_matches(name, choices, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"; known: {', '.join(choices)}.{hint}"


def _explain_empty(root: Path, kind: str, slug: str | None) -> str:
    if (root / "corpus.jsonl").is_file():
        return "this is a BEIR folder; run it directly, it needs no suite file"
    if kind == "plain":
        return "nothing to search: no *.md or *.markdown file below it (names that begin with a dot are skipped)"
    project = f"projects/{slug}/notes and projects/{slug}/daily" if slug else "no project's notes and logs"
    return f"nothing to search: no *.md file directly under it, and {'none in ' if slug else ''}{project}"
