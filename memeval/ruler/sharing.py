"""Whether two texts share a word: a wording and a file (is it unseen?), two wordings (is it a zero-overlap retry?)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol

from memeval.ruler.terms import is_katakana, normalise, ruler_terms

PASSAGE_LINES = 5
"""Lines before and behind the evidence that still belong to its passage."""


class NamedText(Protocol):
    """A file as the ruler sees it; a Document is one."""

    @property
    def name(self) -> str:
        """The file name, with its ending."""
        ...

    @property
    def text(self) -> str:
        """What stands in it."""
        ...


def is_unseen(query: str, document: NamedText, evidence: str | None = None, aliases: Iterable[str] = ()) -> bool:
    """Whether a wording shares no term with a file, as `shares_with_file` compares them.

    A need with several expected files has an unseen-words wording only if it is unseen against every one of them. A
    wording without any term is unseen by this rule; ask `ruler_terms` first where that matters.
    """
    return not shares_with_file(query, document, evidence, aliases)


def is_zero_overlap(first: str, later: str) -> bool:
    """Whether a later wording shares no term with the first one of its need."""
    return not shared_terms(first, later)


def shares_with_file(
    query: str, document: NamedText, evidence: str | None = None, aliases: Iterable[str] = ()
) -> tuple[str, ...]:
    """The terms of a wording that stand near the evidence, in the file name or in an alias; in order, () for none.

    Near the evidence: see `cut_passage`. Of the file name the ending does not count.
    """
    return shared_terms(query, file_terms(document, evidence, tuple(aliases)))


def file_terms(document: NamedText, evidence: str | None = None, aliases: Iterable[str] = ()) -> str:
    """What a wording is held against: file name without its ending, aliases and passage, one below the other."""
    stem, dot, _ = document.name.rpartition(".")
    return "\n".join((stem if dot and stem else document.name, *aliases, cut_passage(document.text, evidence)))


def shared_terms(query: str, text: str) -> tuple[str, ...]:
    """The terms of `query` that `text` has too, in order; () for none.

    Two Katakana words are one term, too, when one begins or ends with the other, as compounds do (プリンタ,
    ラベルプリンタ); a word of two characters, one of them ー, is too short for that. A query that is a single CJK
    character has no pairs, so that character is looked for everywhere.
    """
    terms = ruler_terms(query)
    if len(terms) == 1 and len(terms[0]) == 1 and len(normalise(query).strip()) == 1:
        return terms if terms[0] in _normalised(text) else ()
    held, katakana = _terms_of(text)
    return tuple(
        term
        for term in terms
        if term in held or (is_katakana(term) and any(_is_compound(term, other) for other in katakana))
    )


def cut_passage(text: str, evidence: str | None) -> str:
    """The lines that hold the evidence, with PASSAGE_LINES lines on either side; the whole text without evidence.

    Every place where it stands counts, since each of them may be what a reader is shown. White space is alike, so that
    evidence may run over line ends. Evidence that is not in the text gives the whole text: of a need with several
    expected files only one must hold it.
    """
    words = evidence.split() if evidence else []
    places = list(re.finditer(r"\s+".join(map(re.escape, words)), text)) if words else []
    if not places:
        return text
    lines = text.split("\n")
    chosen: set[int] = set()
    for place in places:
        first = text.count("\n", 0, place.start())
        last = text.count("\n", 0, place.end())
        chosen.update(range(max(first - PASSAGE_LINES, 0), min(last + PASSAGE_LINES + 1, len(lines))))
    return "\n".join(lines[number] for number in sorted(chosen))


def _is_compound(first: str, second: str) -> bool:
    """Whether the longer of two Katakana words begins or ends with the shorter."""
    short, long = sorted((first, second), key=len)
    return len(short.replace("ー", "")) > 1 and (long.startswith(short) or long.endswith(short))


@lru_cache(maxsize=512)
def _terms_of(text: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """(the terms of a text, those that are Katakana words)."""
    terms = ruler_terms(text)
    return frozenset(terms), tuple(term for term in terms if is_katakana(term))


@lru_cache(maxsize=64)
def _normalised(text: str) -> str:
    return normalise(text)
