"""A text folded for comparison, with a way back: NFKC and case folding, and where each folded character came from."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import regex

_MARKS = r"[\p{M}\u1160-\u11ff\uff9e\uff9f]"
"""Marks, Hangul vowels and finals, half-width sound marks: NFKC may compose them with what stands before."""

_JOINING = regex.compile(_MARKS)


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text under NFKC and case folding, and its way back to the stored text."""

    text: str
    starts: Sequence[int]
    """For each folded character the place in the stored text of what it came from, then the stored length."""

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """(start, end) in the stored text of `text[start:end]`; whole characters, so that `㍿` is found by `株`."""
        first = self.starts[start]
        last = self.starts[end]
        while end < len(self.starts) - 1 and last <= self.starts[end - 1]:  # the cut lies inside one stored character
            end += 1
            last = self.starts[end]
        return first, last


def fold_width(text: str, characters: Mapping[str, str] | None = None) -> FoldedText:
    """The text with full and half width, composed and decomposed, upper and lower case made one.

    Args:
        text: as stored.
        characters: {folded character: the one that stands for it}, one for one, such as Traditional to Simplified.

    Source: Unicode Standard Annex 15 (NFKC), then full case folding.
    """
    if text.isascii():
        return FoldedText(text.lower(), range(len(text) + 1))
    if characters is None and unicodedata.is_normalized("NFKC", text):
        folded = text.casefold()
        if len(folded) == len(text):  # folding never shortens, so each character stands for itself
            return FoldedText(folded, range(len(text) + 1))
    table: dict[int, str] = {}
    longer: list[str] = []
    joins = False
    for character in set(text):
        one = _fold(character, characters)
        if len(one) != 1:
            longer.append(character)
        elif one != character:
            table[ord(character)] = one
        joins = joins or _JOINING.match(character) is not None
    if not longer and not joins:
        return FoldedText(text.translate(table), range(len(text) + 1))
    return _fold_clusters(text, table, longer, characters)


def _fold_clusters(
    text: str, table: dict[int, str], longer: list[str], characters: Mapping[str, str] | None
) -> FoldedText:
    alone = f"|[{''.join(map(regex.escape, sorted(longer)))}]" if longer else ""
    parts: list[str] = []
    starts: list[int] = []
    done = 0
    for cluster in regex.finditer(rf"[^\n]{_MARKS}+{alone}", text):
        parts.append(text[done : cluster.start()].translate(table))
        starts.extend(range(done, cluster.start()))
        folded = _fold(cluster.group(), characters)
        parts.append(folded)
        starts.extend([cluster.start()] * len(folded))
        done = cluster.end()
    parts.append(text[done:].translate(table))
    starts.extend(range(done, len(text) + 1))
    return FoldedText("".join(parts), starts)


def _fold(text: str, characters: Mapping[str, str] | None) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(characters.get(character, character) for character in folded) if characters else folded
