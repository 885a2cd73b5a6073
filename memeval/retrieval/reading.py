"""Files opened one after another: what an agent has in its context when it reads what it found."""

from __future__ import annotations

from collections.abc import Iterable

from memeval.memory.document import Document
from memeval.retrieval.base import Block
from memeval.text import split_lines, utf8_length

SEPARATOR = "\n\n"
"""Between two things that were read."""


def show_whole(document: Document) -> Block:
    """A file as it is read: its path, then all of its lines."""
    return Block(document.doc_id, "\n".join((document.path, *split_lines(document.text))), heading=document.path)


def read_files(documents: Iterable[Document], room_bytes: int) -> tuple[Block, ...]:
    """The files that fit whole, in the order given, up to the first that does not.

    Args:
        documents: the files in the order they are opened.
        room_bytes: UTF-8 bytes they and the separators before them may take.
    """
    blocks: list[Block] = []
    used = 0
    for document in documents:
        block = show_whole(document)
        used += utf8_length(SEPARATOR) + utf8_length(block.text)
        if used > room_bytes:
            break
        blocks.append(block)
    return tuple(blocks)
