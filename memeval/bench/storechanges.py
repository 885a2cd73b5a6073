"""The documents of a store changed in one thing: without twins, in one width, with aliases. The given ones stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from memeval.memory.aliases import add_aliases
from memeval.memory.document import Document
from memeval.memory.terms import is_edgeless, stem_word
from memeval.text import fold

Documents = tuple[Document, ...]

_WORD = re.compile(r"[^\W_]+")


def change_texts(documents: Documents, change: Callable[[str], str]) -> Documents:
    """The documents with their texts and file names changed; those that stay equal are the same objects."""
    return tuple(_change_text(document, change(document.text), change(document.name)) for document in documents)


def _change_text(document: Document, text: str, name: str) -> Document:
    return document if (text, name) == (document.text, document.name) else replace(document, text=text, name=name)


def leave_out(documents: Documents, doc_ids: Collection[str]) -> Documents:
    """The documents but for those with these ids."""
    return tuple(document for document in documents if document.doc_id not in doc_ids)


def write_aliases(documents: Documents, aliases: Mapping[str, Sequence[str]]) -> Documents:
    """The documents with {doc_id: aliases} written into their texts, beside those they have."""
    return tuple(
        replace(document, text=add_aliases(document.text, aliases[document.doc_id]))
        if aliases.get(document.doc_id)
        else document
        for document in documents
    )


def list_words(documents: Documents) -> frozenset[str]:
    """The distinct runs of letters and numbers in the texts and names, as they are written."""
    return frozenset[str]().union(
        *(_WORD.findall(text) for document in documents for text in (document.name, document.text))
    )


def blank_inside_words(documents: Documents, words: Sequence[str], vocabulary: Collection[str]) -> Documents:
    """The documents without the longer words that hold one of these words inside: for `port`, without `report`.

    Inflections of a word stay (`ports`), and so do runs of a script without spaces, where nothing is inside.

    Args:
        documents: of a store.
        words: of a query.
        vocabulary: the `list_words` of the documents.
    """
    wanted = sorted({fold(part) for word in words for part in _WORD.findall(word) if not is_edgeless(part[0])})
    if not wanted:
        return documents
    stems = {stem_word(word) for word in wanted}
    inside = re.compile("|".join(map(re.escape, wanted)))

    def is_longer(word: str) -> bool:
        return inside.search(word) is not None and word not in wanted and stem_word(word) not in stems

    blanked = {word for word in vocabulary if not is_edgeless(word[0]) and is_longer(fold(word))}
    if not blanked:
        return documents

    def blank(found: re.Match[str]) -> str:
        word = found.group()
        return "" if word in blanked else word

    return change_texts(documents, lambda text: _WORD.sub(blank, text))
