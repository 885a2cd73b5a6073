"""Text rules that hold everywhere: white space, terms, case folding, and cuts at a byte budget."""

from __future__ import annotations

import re

WHITE_SPACE = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""The 25 code points with the Unicode property White_Space. `str.split()` also splits at U+001C to U+001F."""

_WHITE_SPACE_RUN = re.compile(f"[{WHITE_SPACE}]+")

_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}

# CaseFolding.txt gives these three a simple folding (status S) that is not their lower case.
_SIMPLE_FOLD_ONLY = {"\u1fd3": "\u0390", "\u1fe3": "\u03b0", "\ufb05": "\ufb06"}


def count(number: int, noun: str, plural: str | None = None) -> str:
    """`1 file`, `48 files`, `7,425 documents`, `2 queries` (with `plural`)."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def utf8_length(text: str) -> int:
    """Number of UTF-8 bytes of a text; a lone surrogate counts three, as Python would pass it through."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def cut_utf8(text: str, max_bytes: int) -> str:
    """The longest prefix of at most `max_bytes` UTF-8 bytes that ends on a character boundary.

    The whole text when it fits, nothing when `max_bytes` is 0 or less.
    """
    if max_bytes <= 0:
        return ""
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= max_bytes:
        return text
    end = max_bytes
    while data[end] & 0xC0 == 0x80:  # a continuation byte: the character began further left
        end -= 1
    return data[:end].decode("utf-8", "surrogatepass")


CLIPPED = "…"
"""Stands where a line was cut."""


def clip_line(line: str, start: int, end: int, max_bytes: int) -> str:
    """The part of a line around `line[start:end]`, with `…` at each side that was cut, in at most `max_bytes`.

    The whole line when it fits. A part that is itself too long shows its beginning. `max_bytes` is at least the two
    marks and one character (10 bytes).
    """
    data = line.encode("utf-8", "surrogatepass")
    if len(data) <= max_bytes:
        return line
    room = max_bytes - 2 * utf8_length(CLIPPED)
    left, wanted = utf8_length(line[:start]), utf8_length(line[start:end])
    margin = max(room - wanted, 0) // 2
    first = max(min(left - margin, len(data) - room), 0)
    while first < left and data[first] & 0xC0 == 0x80:  # inside a character: begin with the next one
        first += 1
    before = data[:first].decode("utf-8", "surrogatepass")
    shown = cut_utf8(line[len(before) :], room)
    after = len(before) + len(shown) < len(line)
    return f"{CLIPPED if before else ''}{shown}{CLIPPED if after else ''}"


def split_words(text: str) -> list[str]:
    """The runs of text between Unicode white space, in order, repeats kept."""
    return [word for word in _WHITE_SPACE_RUN.split(text) if word]


def split_terms(query: str) -> tuple[str, ...]:
    """The distinct terms of a query in order; of spellings that differ in ASCII case only, the first stays."""
    terms: dict[str, str] = {}
    for word in split_words(query):
        terms.setdefault(word.translate(_ASCII_LOWER), word)
    return tuple(terms.values())


def split_lines(text: str) -> list[str]:
    r"""The lines of a text without their ends, split at `\n` and `\r\n` only; a final line end opens no line.

    `str.splitlines` also splits at form feeds, U+0085, U+2028 and others, which stand inside a line here.
    """
    lines = text.split("\n")
    last = lines.pop()
    lines = [line.removesuffix("\r") for line in lines]
    if last:
        lines.append(last)
    return lines


def fold(text: str) -> str:
    """A text under Unicode simple case folding: as many characters as before, so that offsets stay valid.

    Two characters match without regard to case exactly when their folds are equal: `K` (Kelvin) meets `k`,
    `ſ` meets `s`, while `İ` and `ı` meet only themselves. Source: CaseFolding.txt, status C and S.
    """
    folded = text.casefold()
    if len(folded) == len(text):  # full folding never shortens, so every character folded to one
        return folded
    return text.translate({ord(character): _fold_character(character) for character in set(text)})


def _fold_character(character: str) -> str:
    full = character.casefold()
    if len(full) == 1:
        return full
    simple = _SIMPLE_FOLD_ONLY.get(character) or character.lower()
    return simple if len(simple) == 1 else character
