"""A context tree: topic folders with a summary line each, descended by the words of the query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memeval.memory.document import Document
from memeval.memory.fillers import FILLER_PAIRS, FILLER_WORDS
from memeval.retrieval.base import Answer, Retriever, Settings, Variant, rank_hits
from memeval.retrieval.cut import MAX_EXCERPT_BYTES
from memeval.retrieval.peers.titles import find_description, find_first_line, find_title
from memeval.retrieval.reading import SEPARATOR, read_files
from memeval.retrieval.tokens import tokenise
from memeval.text import cut_utf8

SUMMARY_FILES = ("readme.md", "index.md", "context.md")
"""A file of one of these names, in any case, tells what its folder is about."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a listing: a folder to look into, or a file to open."""

    path: str
    """From the root; ends in `/` for a folder."""
    name: str
    """From the folder that lists it."""
    summary: str
    entries: tuple[Entry, ...] = ()
    """What a folder lists; nothing for a file."""
    document: Document | None = None

    @property
    def line(self) -> str:
        """As a listing shows it."""
        return f"{self.name}: {self.summary}"


def grow_tree(documents: Sequence[Document]) -> Entry:
    """The folders of a store as a tree, each file and folder with one line of at most 240 bytes that says what it is.

    A file is summed up by its description, else by its title and first line; a folder by the first line of its summary
    file, else by the titles of the files below it. A folder that holds one folder alone is listed as that one.
    """
    return _grow("", "", sorted(documents, key=lambda document: document.doc_id))


def _grow(above: str, path: str, documents: Sequence[Document]) -> Entry:
    folders: dict[str, list[Document]] = {}
    files: list[Document] = []
    for document in documents:
        name, slash, _ = document.doc_id.removeprefix(path).partition("/")
        if slash:
            folders.setdefault(f"{path}{name}/", []).append(document)
        else:
            files.append(document)
    if path and not files and len(folders) == 1:
        return _grow(above, *next(iter(folders.items())))
    entries = [*(_grow(path, folder, below) for folder, below in sorted(folders.items())), *map(_describe_file, files)]
    told = next((document for document in files if document.name.lower() in SUMMARY_FILES), None)
    summary = find_first_line(told) if told else "; ".join(find_title(document) for document in documents)
    return Entry(path, path.removeprefix(above), _clip(summary), tuple(entries))


def _describe_file(document: Document) -> Entry:
    summary = find_description(document) or f"{find_title(document)}. {find_first_line(document)}"
    return Entry(document.doc_id, document.name, _clip(summary), document=document)


def _clip(summary: str) -> str:
    return cut_utf8(summary, MAX_EXCERPT_BYTES).strip()


class ContextTree:
    """An agent that reads a listing, follows the lines nearest to its question, and opens the files it arrives at.

    In each listing the lines with the most distinct words of the query are followed, fillers aside; names count. In a
    listing without any such line every folder is looked into, and no file is opened. Files are opened whole, by their
    words and then by doc_id, while the budget lasts; the listings that were read come on top of it.
    """

    def __init__(self, documents: Sequence[Document], budget_bytes: int) -> None:
        self._root = grow_tree(documents)
        self._words = {entry.path: frozenset(tokenise(entry.line)) for entry in _walk(self._root)}
        self._documents = {document.doc_id: document for document in documents}
        self._budget_bytes = budget_bytes

    def search(self, query: str) -> Answer:
        """The files arrived at; nothing, without a look at the tree, for a query without a word."""
        terms = frozenset(tokenise(query)) - FILLER_WORDS - FILLER_PAIRS
        if not terms:
            return Answer((), (), "")
        scores: dict[str, float] = {}
        listings: list[str] = []
        waiting = [self._root]
        while waiting:
            folder = waiting.pop(0)
            listings.append("\n".join(entry.line for entry in folder.entries))
            shared = {entry.path: len(terms & self._words[entry.path]) for entry in folder.entries}
            most = max(shared.values(), default=0)
            for entry in folder.entries:
                if shared[entry.path] < most:
                    continue
                if entry.document is None:
                    waiting.append(entry)
                elif most:
                    scores[entry.path] = float(most)
        return self._show(listings, scores)

    def _show(self, listings: Sequence[str], scores: dict[str, float]) -> Answer:
        hits = rank_hits(scores)
        blocks = read_files((self._documents[hit.doc_id] for hit in hits), self._budget_bytes)
        return Answer(hits, blocks, SEPARATOR.join([*listings, *(block.text for block in blocks)]))


def _walk(entry: Entry) -> Iterator[Entry]:
    yield entry
    for below in entry.entries:
        yield from _walk(below)


def build_context_tree(documents: Sequence[Document], settings: Settings) -> Retriever:
    """The tree of the folders there are."""
    return ContextTree(documents, settings.budget_bytes)


CONTEXT_TREE: tuple[Variant, ...] = (
    Variant(
        name="context-tree",
        description="topic folders with a summary line each, descended by words to whole files",
        source="journal-and-knowledge: a hierarchical tree in place of a flat series of days",
        build=build_context_tree,
        configuration={
            "unit": "file, whole",
            "summary": "README, index or context file; description; title",
            "max_summary_bytes": MAX_EXCERPT_BYTES,
            "descent": "lines with the most words",
            "opened": "whole files within the budget of the run",
        },
        has_own_cap=True,
    ),
)
