"""A query asked otherwise: without fillers, with spaces, in stems, in another width or script. Texts in, texts out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

from memeval.memory.terms import is_edgeless, stem_word
from memeval.retrieval.tokens import tokenise
from memeval.ruler import locate_stopped, locate_terms, ruler_terms
from memeval.ruler.terms import normalise
from memeval.text import split_terms, split_words

MIN_PIECE_CHARACTERS = 2
"""Of an unbroken run, for a piece of it to be a word: one Han character stands in half of all files."""
BEST_WORDS = 5
"""Of a file: what a query by someone who knows it would hold."""

_WORD = re.compile(r"[^\W_]+")
_MARKS = ",.;:!?()「」『』（）、。，．；：！？…"
"""Before or behind a word they are no part of it, and would be looked for once there is a space between."""


def drop_fillers(query: str) -> str:
    """The query without what the ruler does not count: stop words, function characters, frequent pairs.

    What stands between two counted pieces of an unbroken run becomes a space, and a function word of two characters is
    never cut in two: `怎么要回垫付的钱` is `要回垫付 钱`. Empty where nothing is counted.
    """
    return " ".join(" ".join(kept) for word in split_words(query) if (kept := keep_terms(word, ruler_terms(word))))


def space_runs(query: str, stands: Callable[[str], bool]) -> str:
    """The query with spaces in its unbroken runs of Han, kana, Hangul or Thai, as a person would write them.

    From left to right the longest piece that stands somewhere; what stands nowhere is left out, and a run without
    any such piece stays as it is.

    Args:
        query: as it was asked.
        stands: whether a folded text stands in any file.
    """
    return _replace_runs(query, lambda run: _cut_longest(run, stands) or [run])


def pair_runs(query: str) -> str:
    """The query with each unbroken run of two characters or more as its pairs of neighbours: `監視設定` as
    `監視 視設 設定`."""
    return _replace_runs(query, lambda run: [run[at : at + 2] for at in range(max(len(run) - 1, 1))])


def stem_words(query: str) -> str:
    """The query with each English word without its plural, -ed or -ing: `restarting` as `restart`, its beginning.

    A word that loses no more than a final e, y or i stays: what is left of it stands in words of other meaning.
    """
    return _WORD.sub(lambda found: _stem_word(found.group()), query)


def unify_width(text: str) -> str:
    """The text in NFKC: full and half width, composed and decomposed, ligatures and their letters are one."""
    return unicodedata.normalize("NFKC", text)


def exchange_characters(text: str, characters: Mapping[str, str]) -> str:
    """The text with each character that has another one in its place, one for one."""
    return "".join(characters.get(character, character) for character in text)


def adopt_script(query: str, texts: Iterable[str], simplified: Mapping[str, str]) -> str:
    """The query in the characters that the texts use: each that stands in none of them, by one that means the same.

    Args:
        query: as it was asked.
        texts: of the files that are wanted.
        simplified: {Traditional character: Simplified character}.
    """
    held = frozenset[str]().union(*texts)
    meant = {simplified.get(character, character): character for character in sorted(held, reverse=True)}
    others = {
        character: meant[simple]
        for character in query
        if character not in held and (simple := simplified.get(character, character)) in meant
    }
    return exchange_characters(query, others)


def choose_best_words(text: str, counts: Mapping[str, int], limit: int = BEST_WORDS) -> tuple[str, ...]:
    """The tokens of a text that stand in the fewest files, at most `limit`, as far as they are two characters or more.

    Args:
        text: of a file.
        counts: {token: files that hold it}.
        limit: from 1.
    """
    tokens = [token for token in dict.fromkeys(tokenise(text)) if len(token) > 1]
    return tuple(sorted(tokens, key=lambda token: counts.get(token, 0))[:limit])


def name_words(query: str) -> tuple[str, ...]:
    """The distinct words of a query that hold a letter or number."""
    return tuple(word for word in split_terms(query) if _WORD.search(word))


def has_runs(query: str) -> bool:
    """Whether a query holds an unbroken run of two characters or more of a script that writes no spaces."""
    return any(len(run) > 1 and is_edgeless(run[0]) for run in _split_runs(query))


def keep_terms(word: str, terms: Sequence[str]) -> list[str]:
    """The stretches of a word that these terms of it cover, without the function words that they run into.

    A word of a script with spaces, or of several, is kept whole, or not at all where there is no term.
    """
    if not terms or not any(map(is_edgeless, word)):
        return [word] if terms else []
    composed, places = locate_terms(word)
    spelled = word if len(word) == len(composed) else composed
    counted = {at for place in places if place.term in terms for at in range(place.start, place.end)}
    counted -= locate_stopped(normalise(word))
    kept = "".join(character if at in counted else " " for at, character in enumerate(spelled))
    return split_words(kept)


def _stem_word(word: str) -> str:
    folded = word.casefold()
    cut = len(word) - len(stem_word(folded))
    return word[: len(word) - cut] if cut > 1 or (cut and folded.endswith("s")) else word


def _replace_runs(query: str, cut: Callable[[str], Sequence[str]]) -> str:
    """The query with each unbroken run replaced by its pieces, and a space wherever one begins or ends."""
    pieces: list[str] = []
    for run in _split_runs(query):
        pieces += cut(run) if len(run) > 1 and is_edgeless(run[0]) else [run]
    words = [word.strip(_MARKS) for piece in pieces for word in split_words(piece)]
    return " ".join(word for word in words if word)


def _split_runs(query: str) -> list[str]:
    """The query in stretches that are all of a script without spaces, or hold none of it."""
    runs: list[str] = []
    for character in query:
        if runs and is_edgeless(character) == is_edgeless(runs[-1][0]):
            runs[-1] += character
        else:
            runs.append(character)
    return runs


def _cut_longest(run: str, stands: Callable[[str], bool]) -> list[str]:
    pieces: list[str] = []
    start = 0
    while start < len(run):
        for end in range(len(run), start + MIN_PIECE_CHARACTERS - 1, -1):
            if stands(run[start:end].casefold()):
                pieces.append(run[start:end])
                start = end
                break
        else:
            start += 1
    return pieces
