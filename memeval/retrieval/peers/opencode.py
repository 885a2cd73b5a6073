"""opencode-agent-memory: blocks that are all in context with every turn, and a journal searched by its vectors."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from memeval.memory.document import Document, Tier
from memeval.retrieval.base import Answer, Block, Hit, Retriever, Settings, Variant
from memeval.retrieval.dense import DenseLeg, take_embedder
from memeval.retrieval.peers.titles import find_title
from memeval.retrieval.reading import SEPARATOR
from memeval.text import split_lines

BLOCK_LIMIT = 5000
"""UTF-16 code units; kept when a block is written by a tool. A file that is longer is injected whole."""
FIRST_LABELS = ("persona", "human", "project")
JOURNAL_LIMIT = 20

_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,60}")
_KEY = re.compile(r"(?P<key>label|description|limit|read_only|title):[ \t]*(?P<value>.*?)[ \t]*")


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """A file as a block."""

    document: Document
    scope: str
    """`global` or `project`."""
    label: str
    description: str
    limit: int
    read_only: bool
    value: str

    @property
    def order(self) -> tuple[int, bool, str, str]:
        """Persona, human and project first, then global ones, then those of a project, by label."""
        first = FIRST_LABELS.index(self.label) if self.label in FIRST_LABELS else len(FIRST_LABELS)
        return first, self.scope == "project", self.label, self.document.doc_id

    def render(self) -> Block:
        """As it stands in the context: what is known of it, then its value by numbered lines."""
        heading = (
            f"<{self.label}>\n<description>\n{escape(self.description, quote=False)}\n</description>\n<metadata>\n"
            f"- chars_current={len(self.value.encode('utf-16-le', 'surrogatepass')) // 2}\n"
            f"- chars_limit={self.limit}\n- read_only={str(self.read_only).lower()}\n- scope={self.scope}\n"
            "</metadata>\n<value>\n"
        )
        lines = "\n".join(f"{number}→ {line}" for number, line in enumerate(split_lines(self.value), start=1))
        return Block(self.document.doc_id, heading + lines, heading=heading)


def read_block(document: Document) -> MemoryBlock | None:
    """A file as a block; None where its label is none: 2 to 61 of A-Z, a-z, 0-9, `_` and `-`, the first not a mark.

    Front matter begins at the first character and its lines end in line feeds alone; anything else is text.
    """
    fields, value = _read_front_matter(document.text)
    label = fields.get("label") or document.name.rsplit(".", 1)[0]
    if not _LABEL.fullmatch(label):
        return None
    limit = fields.get("limit", "")
    return MemoryBlock(
        document=document,
        scope="global" if document.tier is Tier.LONG_TERM else "project",
        label=label,
        description=fields.get("description", ""),
        limit=int(limit) if limit.isdecimal() and limit.isascii() else BLOCK_LIMIT,
        read_only=fields.get("read_only") == "true",
        value=value,
    )


def _read_front_matter(text: str) -> tuple[Mapping[str, str], str]:
    """({key: value}, text below); the keys that blocks and entries have, one line each."""
    head, mark, body = text.removeprefix("---\n").partition("\n---\n")
    if not text.startswith("---\n") or not mark:
        return {}, text
    found = (_KEY.fullmatch(line) for line in head.split("\n"))
    return {match["key"]: match["value"].strip("\"'") for match in found if match}, body


class OpencodeBlocks:
    """Every block with every turn, whatever is asked: nothing is searched, everything is paid for."""

    def __init__(self, documents: Sequence[Document]) -> None:
        read = sorted(filter(None, map(read_block, documents)), key=lambda block: block.order)
        blocks = tuple(block.render() for block in read)
        parts = [f"{block.text}\n</value>\n</{of.label}>" for block, of in zip(blocks, read, strict=True)]
        hits = tuple(Hit(block.doc_id, float(len(blocks) - place)) for place, block in enumerate(blocks))
        text = "\n".join(["<memory_blocks>", *parts, "</memory_blocks>"]) if parts else ""
        self._answer = Answer(hits, blocks, text)

    def search(self, query: str) -> Answer:
        """The same for every query: a score is a place from the end."""
        return self._answer


class OpencodeJournal:
    """`journal_search`: entries by cosine, the newest of equal ones first; their ids and titles are all it shows.

    An entry is a whole file and one vector, of its title and its text, as far as the model reads. Every cosine above 0
    counts. Without a model an entry is found by the whole query as a substring, the newest first. A body is another
    call. A blank query finds nothing here; to the system it is a list of the newest.
    """

    def __init__(self, documents: Sequence[Document], settings: Settings | None) -> None:
        entries = sorted(documents, key=lambda document: document.doc_id)
        entries.sort(key=lambda document: document.date or "", reverse=True)
        self._entries = entries
        self._texts = [f"{_find_entry_title(entry)}\n{_read_front_matter(entry.text)[1]}" for entry in entries]
        self._dense = None if settings is None else DenseLeg(self._texts, take_embedder(settings))

    def search(self, query: str) -> Answer:
        """All entries found: a score is a place from the end; twenty are shown."""
        if not query.strip():
            return Answer((), (), "")
        if self._dense is None:
            found = [place for place, text in enumerate(self._texts) if query.lower() in text.lower()]
        else:
            found = [place for place, cosine in self._dense.rank(query) if cosine > 0]
        hits = tuple(Hit(self._entries[place].doc_id, float(len(found) - rank)) for rank, place in enumerate(found))
        blocks = tuple(self._show(self._entries[place]) for place in found[:JOURNAL_LIMIT])
        total = f"{len(blocks)} of {len(found)} entries"
        return Answer(hits, blocks, SEPARATOR.join([total, *(block.text for block in blocks)]))

    def _show(self, entry: Document) -> Block:
        title = _find_entry_title(entry)
        if title in entry.text:
            return Block(entry.doc_id, f"{entry.path}\n{title}", heading=entry.path)
        text = f"{entry.path}\n{title}"  # the title is made of the file name
        return Block(entry.doc_id, text, heading=text)


def _find_entry_title(entry: Document) -> str:
    return _read_front_matter(entry.text)[0].get("title") or find_title(entry)


def build_blocks(documents: Sequence[Document], settings: Settings) -> Retriever:
    """All blocks, over any budget."""
    return OpencodeBlocks(documents)


def build_journal(documents: Sequence[Document], settings: Settings) -> Retriever:
    """The journal over the embedder of the run."""
    return OpencodeJournal(documents, settings)


def build_journal_by_substring(documents: Sequence[Document], settings: Settings) -> Retriever:
    """The journal where the embedder is unavailable."""
    return OpencodeJournal(documents, None)


_SOURCE = "opencode-agent-memory 0.2.0, joshuadavidthomas/opencode-agent-memory at 28483bdd"

OPENCODE: tuple[Variant, ...] = (
    Variant(
        name="opencode-blocks",
        description="every file is a memory block, all of them in context with every turn",
        source=f"{_SOURCE}; memory blocks",
        build=build_blocks,
        configuration={
            "unit": "file",
            "block_limit": BLOCK_LIMIT,
            "over_the_limit": "injected whole, as a file edited by hand is",
            "labels": "2 to 61 of A-Z, a-z, 0-9, _ and -; a file named otherwise is no block",
            "not_counted": "its instructions, warnings and times",
        },
        always_answers=True,
        has_own_cap=True,
    ),
    Variant(
        name="opencode-journal",
        description="files as journal entries by one vector each, no floor; twenty titles",
        source=f"{_SOURCE}; journal_search",
        build=build_journal,
        configuration={"unit": "file", "min_cosine": "above 0", "limit": JOURNAL_LIMIT, "shown": "id and title"},
        needs_embedder=True,
        always_answers=True,
        has_own_cap=True,
    ),
    Variant(
        name="opencode-journal-substring",
        description="the journal without a model: the whole query inside an entry, newest first; twenty titles",
        source=f"{_SOURCE}; journal_search where the embedder is unavailable",
        build=build_journal_by_substring,
        configuration={"unit": "file", "order": "newest first", "limit": JOURNAL_LIMIT, "shown": "id and title"},
        has_own_cap=True,
    ),
)
