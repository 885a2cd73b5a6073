"""Ghost In Shell: a literal recall over episodes, and the index of trigger lines that points to notes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from memeval.memory.document import Document, Tier
from memeval.memory.fillers import FILLER_PAIRS, FILLER_WORDS
from memeval.memory.layout import MEMORY_FILE
from memeval.retrieval.base import Answer, Block, Hit, Retriever, Settings, Variant, rank_hits
from memeval.retrieval.chunking import read_heading
from memeval.retrieval.peers.titles import find_description, find_title
from memeval.retrieval.reading import SEPARATOR, read_files
from memeval.retrieval.tokens import tokenise
from memeval.text import split_lines

RECALL_LIMIT = 5
MAX_TITLE_CHARS = 200
NOTHING_RECALLED = "No matching episodes found."
MAX_INDEX_CHARS = 20_000
TRUNCATE_EDGE_CHARS = 24_400

_SOURCE = "Ghost In Shell 5.2.0, gshell_memory at dee1214 and 06852ec"
_TRIGGER = re.compile(r"- (?P<trigger>.*?)\s*(?:→|->)\s*\[(?P<title>[^\]]*)\]\((?P<path>[^)\s]+\.md)\)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_QUOTES = "\"'“”「」"


@dataclass(frozen=True, slots=True)
class Episode:
    """One thing that happened, as recall sees it."""

    doc_id: str
    title: str
    """As shown; empty for one that has no heading and is known by its path."""
    text: str
    """What is searched: title and content."""


def read_episodes(documents: Sequence[Document]) -> tuple[Episode, ...]:
    """The episodes of a store, oldest first: those of dated logs by day, then the other files by doc_id.

    In a dated log each heading begins an episode; every other file is one.
    """
    ordered = sorted(documents, key=lambda document: (document.date is None, document.date or "", document.doc_id))
    return tuple(episode for document in ordered for episode in _split_episodes(document))


def _split_episodes(document: Document) -> Iterator[Episode]:
    lines = split_lines(document.text)
    headings = [place for place, line in enumerate(lines) if read_heading(line)[0]]
    if document.date is None:
        title = read_heading(lines[headings[0]])[1] if headings else ""
        yield Episode(document.doc_id, title[:MAX_TITLE_CHARS], "\n".join((document.name, *lines)))
        return
    starts = headings if headings and not any(line.strip() for line in lines[: headings[0]]) else [0, *headings]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        title = read_heading(lines[start])[1] if lines else ""
        yield Episode(document.doc_id, title[:MAX_TITLE_CHARS], "\n".join(lines[start:end]))


class GhostRecall:
    """`gish recall`: episodes that hold the whole query as a substring, the oldest first, and no ranking.

    It prints the titles of the first five and stops; what comes after them is matched and never seen.
    """

    def __init__(self, documents: Sequence[Document], limit: int = RECALL_LIMIT) -> None:
        self._paths = {document.doc_id: document.path for document in documents}
        self._episodes = [(episode, episode.text.casefold()) for episode in read_episodes(documents)]
        self._limit = limit

    def search(self, query: str) -> Answer:
        """The episodes in file order. A blank query finds nothing."""
        needle = query.casefold()
        found = [episode for episode, text in self._episodes if needle in text] if needle.strip() else []
        doc_ids = list(dict.fromkeys(episode.doc_id for episode in found))
        hits = tuple(Hit(doc_id, float(len(doc_ids) - place)) for place, doc_id in enumerate(doc_ids))
        titles: dict[str, list[str]] = {}
        for episode in found[: self._limit]:
            titles.setdefault(episode.doc_id, []).append(episode.title)
        blocks = tuple(
            Block(doc_id, "\n".join((self._paths[doc_id], *filter(None, shown))), heading=self._paths[doc_id])
            for doc_id, shown in titles.items()
        )
        text = SEPARATOR.join(block.text for block in blocks) if blocks else NOTHING_RECALLED
        return Answer(hits, blocks, text)


@dataclass(frozen=True, slots=True)
class TriggerLine:
    """One line of an index: what the agent thinks at that moment, and the note to read then."""

    trigger: str
    title: str
    target: str
    """doc_id of the note."""
    source: str | None
    """doc_id of the index; None for a line that a note without one would have on a shelf."""
    line: str

    def terms(self) -> frozenset[str]:
        """The words it is recognised by."""
        return frozenset(tokenise(f"{self.trigger} {self.title}"))


def read_trigger_lines(documents: Sequence[Document]) -> tuple[TriggerLine, ...]:
    """All trigger lines of a store that lead to a file of it, by file and in their order; commented ones do not count.

    A path is relative to the file it stands in, else to the root. Each note that no line leads to gets one from its
    description, or its title: a store without orphans is what `gish knowledge lint` asks for.
    """
    known = {document.doc_id: document for document in documents}
    lines = [line for doc_id in sorted(known) for line in _read_lines(known[doc_id], known)]
    indexed = {line.target for line in lines} | {line.source for line in lines}
    for doc_id, document in sorted(known.items()):
        if document.tier is Tier.NOTE and doc_id not in indexed:
            title = find_title(document)
            trigger = find_description(document) or title
            lines.append(TriggerLine(trigger, title, doc_id, None, f'- "{trigger}" → [{title}]({doc_id})'))
    return tuple(lines)


def _read_lines(document: Document, doc_ids: Container[str]) -> Iterator[TriggerLine]:
    folder = posixpath.dirname(document.doc_id)
    written = frozenset(split_lines(document.text))
    for line in split_lines(_COMMENT.sub("", document.text)):
        found = _TRIGGER.match(line)
        if found is None or line not in written:  # a comment inside a line leaves what nobody wrote
            continue
        places = (posixpath.normpath(posixpath.join(folder, found["path"])), posixpath.normpath(found["path"]))
        target = next((place for place in places if place in doc_ids), None)
        if target is not None and target != document.doc_id:
            yield TriggerLine(found["trigger"].strip(_QUOTES), found["title"], target, document.doc_id, line)


@dataclass(frozen=True, slots=True)
class IndexBudget:
    """How full a boot index is, as `gish index budget` says it."""

    chars: int
    """Unicode code points of the whole file, comments and headings too."""
    status: str
    """`ok`, `over_budget` (from 20,000 on: a warning, nothing lost yet), `truncating` (from 24,400 on), `missing`."""
    exit_code: int
    """0, 1, 2, 3, in that order."""


def measure_budget(text: str | None) -> IndexBudget:
    """The budget of a boot index; None = there is no such file."""
    if text is None:
        return IndexBudget(0, "missing", 3)
    chars = len(text)
    over = (chars >= MAX_INDEX_CHARS) + (chars >= TRUNCATE_EDGE_CHARS)
    return IndexBudget(chars, ("ok", "over_budget", "truncating")[over], over)


class GhostIndex:
    """The index as signposts: the boot index is in context, a line whose words are thought of is followed to its note.

    What a model would recognise is reduced to words: a line fires when its trigger or title shares a word with the
    query, fillers aside. Notes come by the most words shared; they are opened whole, while the budget of the run lasts.
    Of a shelf index only the lines that fire are seen, as a search through it shows them.
    """

    def __init__(self, documents: Sequence[Document], budget_bytes: int) -> None:
        self._documents = {document.doc_id: document for document in documents}
        self._lines = [(line, line.terms()) for line in read_trigger_lines(documents)]
        self._boot = self._documents.get(MEMORY_FILE)
        self._budget_bytes = budget_bytes

    def search(self, query: str) -> Answer:
        """The notes that fire, then the indexes they were found in; the boot index is shown whatever is asked."""
        terms = frozenset(tokenise(query)) - FILLER_WORDS - FILLER_PAIRS
        scores: dict[str, float] = {}
        shelves: dict[str, list[str]] = {}
        for line, words in self._lines:
            shared = float(len(terms & words))
            if shared:
                scores[line.target] = max(shared, scores.get(line.target, 0.0))
                if line.source != MEMORY_FILE:
                    shelves.setdefault(line.source or "", []).append(line.line)
        blocks = self._show_indexes(shelves)
        notes = [self._documents[hit.doc_id] for hit in rank_hits(scores)]
        for block in blocks:  # an index answers with what it leads to, and itself only if nothing else does
            scores.setdefault(block.doc_id, 0.0)
        shown = {block.doc_id for block in blocks}
        opened = read_files((note for note in notes if note.doc_id not in shown), self._budget_bytes)
        orphans = ["\n".join(shelves[""])] if "" in shelves else []
        parts = [*(block.text for block in blocks), *orphans, *(block.text for block in opened)]
        return Answer(rank_hits(scores), (*blocks, *opened), SEPARATOR.join(parts))

    def _show_indexes(self, shelves: dict[str, list[str]]) -> list[Block]:
        blocks = []
        if self._boot is not None:
            path, text = self._boot.path, "\n".join(split_lines(self._boot.text))[:TRUNCATE_EDGE_CHARS]
            blocks.append(Block(MEMORY_FILE, f"{path}\n{text}", heading=path))
        for doc_id, lines in shelves.items():
            if doc_id:
                path = self._documents[doc_id].path
                blocks.append(Block(doc_id, "\n".join((path, *lines)), heading=path))
        return blocks


def build_recall(documents: Sequence[Document], settings: Settings) -> Retriever:
    """Recall over episodes."""
    return GhostRecall(documents)


def build_index(documents: Sequence[Document], settings: Settings) -> Retriever:
    """Trigger lines."""
    return GhostIndex(documents, settings.budget_bytes)


GHOST: tuple[Variant, ...] = (
    Variant(
        name="ghost-recall",
        description="the whole query as a substring of an episode, oldest first, five titles",
        source=f"{_SOURCE}: gish recall",
        build=build_recall,
        configuration={
            "unit": "an entry of a dated log, or another file",
            "order": "oldest first",
            "limit": RECALL_LIMIT,
            "max_title_chars": MAX_TITLE_CHARS,
        },
        has_own_cap=True,
    ),
    Variant(
        name="ghost-index",
        description="trigger lines: the boot index in context, notes opened by the words of a line",
        source=f"{_SOURCE}: boot and shelf index",
        build=build_index,
        configuration={
            "boot": MEMORY_FILE,
            "truncate_edge_chars": TRUNCATE_EDGE_CHARS,
            "lines": "words of trigger and title, fillers aside",
            "orphans": "a shelf line from description or title",
            "opened": "whole notes within the budget of the run",
        },
        always_answers=True,
        has_own_cap=True,
    ),
)
