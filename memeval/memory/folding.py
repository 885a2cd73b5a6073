"""A text folded for comparison, with a way back: NFKC and case folding, and where each folded character came from."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache

import regex

_IGNORABLE = regex.compile(r"\p{Default_Ignorable_Code_Point}+")
"""Soft hyphens, joiners, variation selectors, byte order marks: they change how a word looks, not which it is."""

_JOINING = regex.compile(r"[\p{M}\u1160-\u11ff]")
"""Marks, Hangul vowels and finals: NFKC may compose them with what stands before."""

_ASCII = bytes(range(128))
_MAX_REPLACED = 32


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text made comparable, and its way back to the stored text."""

    text: str
    stored: str
    places: Sequence[int] = ()
    """Where in the folded text the distance to the stored one changes, ascending; empty where it never does."""
    origins: Sequence[int] = ()
    """For each of them its place in the stored text."""

    def find_origin(self, place: int) -> int:
        """The place in the stored text of the character that a folded one came from; the end of one for the other."""
        if not self.places:
            return place
        step = bisect_right(self.places, place) - 1
        return place if step < 0 else self.origins[step] + place - self.places[step]

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """(start, end) in the stored text of `text[start:end]`; whole characters, so that `㍿` is found by `株`."""
        first, last = self.find_origin(start), self.find_origin(end)
        if start < end:
            before = self.find_origin(end - 1)
            while last <= before:  # the cut lies inside what came from one stored character
                end += 1
                last = self.find_origin(end)
        return first, last


def fold_width(text: str, characters: Mapping[str, str] | None = None) -> FoldedText:
    """The text with full and half width, composed and decomposed, upper and lower case made one.

    Args:
        text: as stored.
        characters: {folded character: the one that stands for it}, one for one, such as Traditional to Simplified;
            none of them ASCII.

    Source: Unicode Standard Annex 15 (NFKC) without the ignorable characters, then full case folding.
    """
    if text.isascii():
        return FoldedText(text.lower(), text)
    exchanged: dict[str, str] = {}
    joining: set[str] = set()
    alone: set[str] = set()
    for character in _collect_others(text):
        one = (
            _fold_character(character) if characters is None else _exchange_all(_fold_character(character), characters)
        )
        if _joins(character):
            joining.add(character)
        elif len(one) != 1:
            alone.add(character)
        elif one != character.casefold():
            exchanged[character] = one
    regular = _replace(text, exchanged) if exchanged else text
    if not joining and not alone:
        return FoldedText(regular.casefold(), text)
    return _fold_clusters(text, regular, joining, alone, characters)


def drop_ignorable(text: str) -> str:
    """The text in NFKC without what Unicode calls ignorable by default."""
    return unicodedata.normalize("NFKC", _IGNORABLE.sub("", text))


def _collect_others(text: str) -> set[str]:
    """The distinct characters that are not ASCII: through bytes, since few of a text's characters are."""
    others = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return set(others.decode("utf-8", "surrogatepass"))


def _fold_clusters(
    text: str, regular: str, joining: Set[str], alone: Set[str], characters: Mapping[str, str] | None
) -> FoldedText:
    """The folded text where some characters are more or less than one, each with the marks that follow it."""
    run = re.compile(f"[{_list(joining | alone)}]+")
    cluster = re.compile(f"[^{_list(joining)}][{_list(joining)}]*|[{_list(joining)}]+" if joining else "(?s:.)")
    parts: list[str] = []
    places: list[int] = []
    origins: list[int] = []
    done = length = 0
    for found in run.finditer(text):
        start, end = found.span()
        if start and text[start] in joining and text[start - 1] != "\n":
            start -= 1
        plain = regular[done:start].casefold()
        parts.append(plain)
        length += len(plain)
        for stored in cluster.findall(text[start:end]):
            folded = drop_ignorable(stored).casefold()
            if characters is not None:
                folded = _exchange_all(folded, characters)
            parts.append(folded)
            if len(folded) > 1:
                places.extend(range(length + 1, length + len(folded)))
                origins.extend([start] * (len(folded) - 1))
            length += len(folded)
            start += len(stored)
            if len(folded) != 1 or len(stored) != 1:
                places.append(length)
                origins.append(start)
        done = end
    parts.append(regular[done:].casefold())
    return FoldedText("".join(parts), text, places, origins)


@cache
def _fold_character(character: str) -> str:
    return drop_ignorable(character).casefold()


@cache
def _joins(character: str) -> bool:
    """Whether a character may change what stands before it, or is to go with it."""
    return _IGNORABLE.match(character) is not None or _JOINING.match(drop_ignorable(character)) is not None


def _exchange_all(folded: str, characters: Mapping[str, str]) -> str:
    return "".join(characters.get(character, character) for character in folded)


def _replace(text: str, exchanged: Mapping[str, str]) -> str:
    """Each character replaced by another one; a few of them one by one, which is much faster."""
    if len(exchanged) > _MAX_REPLACED or not exchanged.keys().isdisjoint(exchanged.values()):
        return text.translate({ord(character): one for character, one in exchanged.items()})
    for character, one in exchanged.items():
        text = text.replace(character, one)
    return text


def _list(characters: Iterable[str]) -> str:
    return "".join(map(re.escape, sorted(characters)))
