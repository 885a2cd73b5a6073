"""Aliases as an overlay: other words for a note, kept beside the corpus, put into the texts for a run that asks for it.

`aliases.yaml` in the corpus folder maps a file's path to the words a careful writer would have added when saving it:

    notes/redis-deploy.md:
      - cache container
      - port clash

The corpus on disk stays as it is, so that a run with aliases and one without differ in nothing else.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import regex
import yaml
from yaml.nodes import MappingNode, Node

from memeval.errors import CorpusError
from memeval.memory.aliases import join_aliases
from memeval.memory.document import Document
from memeval.testbed.corpus import Corpus, digest_documents, locate_error
from memeval.testbed.docids import DocIds
from memeval.testbed.needs import Suite
from memeval.testbed.yamlfile import YamlFile, quote_scalar, read_yaml
from memeval.text import fold

ALIASES_FILE = "aliases.yaml"
_KEY = "aliases"
_FRONT_MATTER = regex.compile(r"\A---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*\r?$", regex.DOTALL | regex.MULTILINE)
_LINE_BREAKING = frozenset({"Cc", "Zl", "Zp"})


def load_aliases(path: Path | str, doc_ids: Iterable[str] | None = None) -> dict[str, tuple[str, ...]]:
    """{doc_id: its aliases} of an `aliases.yaml`, in file order.

    Args:
        path: the file.
        doc_ids: those of the corpus, and a path must mean one of them; None = it must be a file below the folder.

    Raises:
        CorpusError: as `path:line: …`, a path that does not exist or stands twice, no list or an empty one, an alias
            that is no text on one line, or one that stands twice for its file, upper or lower case.
    """
    file = read_yaml(Path(path), error=locate_error)
    known = None if doc_ids is None else DocIds(doc_ids)
    lines: dict[str, int] = {}
    aliases: dict[str, tuple[str, ...]] = {}
    for written, key_node, value_node in file.as_entries(file.root, "the aliases"):
        doc_id = _find_file(file, key_node, written, known)
        if doc_id in lines:
            file.fail(key_node, f"{written!r} stands twice; the first is in line {lines[doc_id]}; keep one")
        lines[doc_id] = file.line(key_node)
        aliases[doc_id] = _read_list(file, value_node, written)
    return aliases


def apply_aliases(corpus: Corpus, aliases: Mapping[str, Iterable[str]]) -> Corpus:
    """The corpus with one line more in each document that has aliases, and so another digest; the rest is equal.

    Where a text begins with front matter (a YAML mapping between lines `---`), the line is its last:
    `aliases: [port clash, cache container]`. Elsewhere it is the last line of the text:
    `aliases: port clash, cache container`. It ends as the other lines do.

    Raises:
        CorpusError: the corpus has its aliases already, a path is none of its documents, or front matter has a key
            `aliases` of its own.
    """
    if corpus.has_aliases:
        raise CorpusError(f"corpus {corpus.name!r} has its aliases already; apply them once")
    given = {doc_id: tuple(words) for doc_id, words in aliases.items()}
    doc_ids = DocIds(corpus.file_ids)
    for doc_id in given:
        if doc_ids.find(doc_id) != doc_id:
            raise CorpusError(
                f"aliases are given for {doc_id!r}, which is not among the {len(doc_ids)} files of corpus "
                f"{corpus.name!r}.{doc_ids.suggest(doc_id)}"
            )
    documents = tuple(
        replace(document, text=_add_line(document, given[document.doc_id])) if given.get(document.doc_id) else document
        for document in corpus.documents
    )
    return replace(corpus, documents=documents, digest=digest_documents(documents), has_aliases=True)


def read_overlay(corpus: Corpus) -> dict[str, tuple[str, ...]]:
    """{doc_id: its aliases} of the `aliases.yaml` in the corpus folder; {} where there is none.

    Raises:
        CorpusError: the file is broken, or names a file that is not searched.
    """
    path = None if corpus.root is None else Path(corpus.root) / ALIASES_FILE
    if path is None or not path.is_file():
        return {}
    return load_aliases(path, corpus.file_ids)


def find_overlay(corpus: Corpus) -> dict[str, tuple[str, ...]]:
    """The aliases of the overlay in the corpus folder; {} where there is none, or where the texts hold them already.

    Raises:
        CorpusError: the overlay is broken, or names a file that is not searched.
    """
    path = None if corpus.root is None or corpus.has_aliases else Path(corpus.root) / ALIASES_FILE
    if path is None or not path.is_file():
        return {}
    return load_aliases(path, corpus.file_ids)


def digest_overlay(corpus: Corpus) -> str | None:
    """`sha256:<hex>` over the overlay of the corpus; None where there is none to add."""
    aliases = find_overlay(corpus)
    if not aliases:
        return None
    canonical = json.dumps(aliases, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(canonical.encode('utf-8')).hexdigest()}"


def overlay_aliases(suite: Suite) -> Suite:
    """The suite over its corpus with the aliases of the `aliases.yaml` in the corpus folder; name and needs are equal.

    Raises:
        CorpusError: there is no such file, it is broken, or it names a file that is not searched.
    """
    corpus = suite.corpus
    path = None if corpus.root is None else Path(corpus.root) / ALIASES_FILE
    if path is None or not path.is_file():
        where = f"corpus {corpus.name!r} has no folder to hold one" if path is None else f"there is no {path}"
        raise CorpusError(
            f"suite {suite.name!r} cannot be run with aliases: {where}; "
            f"write {ALIASES_FILE} there ({{path: [alias, …]}}), or run it without"
        )
    aliases = load_aliases(path, corpus.file_ids)
    return replace(suite, corpus=apply_aliases(corpus, aliases))


def _find_file(file: YamlFile, node: Node, written: str, known: DocIds | None) -> str:
    if known is None:
        if not (Path(file.path).parent / written).is_file():
            file.fail(
                node, f"there is no file {written!r} beside {ALIASES_FILE}; write its path relative to the folder"
            )
        return written
    doc_id = known.find(written)
    if doc_id is None:
        file.fail(
            node,
            f"{written!r} is not among the {len(known)} files searched; write its path relative to the corpus "
            f"folder.{known.suggest(written)}",
        )
    return doc_id


def _read_list(file: YamlFile, node: Node, written: str) -> tuple[str, ...]:
    items = file.as_items(node, f"what {written!r} has")
    if not items:
        file.fail(node, f"{written!r} has an empty list; write an alias, or leave the file out")
    lines: dict[str, int] = {}
    aliases = []
    for item in items:
        alias = file.as_text(item, "an alias").strip()
        odd = [character for character in alias if unicodedata.category(character) in _LINE_BREAKING]
        if odd:
            file.fail(
                item, f"alias {alias!r} holds {odd[0]!r}; an alias stands on one line, without control characters"
            )
        same = fold(" ".join(alias.split()))
        if same in lines:
            file.fail(item, f"alias {alias!r} stands twice for {written!r}; the first is in line {lines[same]}")
        lines[same] = file.line(item)
        aliases.append(alias)
    return tuple(aliases)


def _add_line(document: Document, aliases: tuple[str, ...]) -> str:
    text = document.text
    found = _FRONT_MATTER.match(text)
    mapping = _compose(found[1]) if found else None
    if found is None or mapping is None:
        return _add_last_line(text, f"{_KEY}: {join_aliases(aliases)}")
    if _KEY in [key.value for key, _ in mapping.value]:
        raise CorpusError(
            f"{document.doc_id}: its front matter has {_KEY!r} of its own; add the overlay's to them, "
            "or leave the file out of the overlay"
        )
    start, end = found.span(1)
    line_end = "\r\n" if text[:start].endswith("\r\n") else "\n"
    indent = " " * (mapping.value[0][0].start_mark.column if mapping.value else 0)
    return f"{text[:end]}{indent}{_KEY}: [{', '.join(map(_quote, aliases))}]{line_end}{text[end:]}"


def _add_last_line(text: str, line: str) -> str:
    line_end = "\r\n" if "\r\n" in text else "\n"
    if text.endswith("\n"):
        return f"{text}{line}{line_end}"
    return f"{text}{line_end}{line}" if text else line


def _compose(content: str) -> MappingNode | None:
    """The block mapping that front matter holds, an empty one where it is empty; None when it is something else."""
    try:
        node = yaml.compose(content, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError):
        return None
    if node is None:
        return MappingNode("tag:yaml.org,2002:map", [])
    return node if isinstance(node, MappingNode) and not node.flow_style else None


def _quote(alias: str) -> str:
    quoted = quote_scalar(alias)
    # single quotes double an apostrophe, and a search for the alias would no longer find it
    return json.dumps(alias, ensure_ascii=False) if quoted.startswith("'") and "'" in alias else quoted
