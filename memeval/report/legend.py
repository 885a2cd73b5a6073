"""A legend: the words of a text that a newcomer cannot know, each explained once, below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memeval.bench.figures import EXACT_TIE, MARGIN_FRAGILE
from memeval.bench.subjects import MULTI_VAR

HEAD = "how to read it:"
INTERVAL = "95 % interval, what it may be on other needs of that sort"


class Word(NamedTuple):
    """One entry."""

    sign: str
    """What stands in a text that uses the word."""
    word: str
    meaning: str


COMPARISON = (
    Word("  found  ", "found", "an expected file is among those shown"),
    Word("success@", "success@k", "an expected file is among the first k of the ranking, shown or not"),
    Word(
        "   p ",
        "±n of N needs",
        f"needs won less needs lost, the wordings of one sharing it; behind it the {INTERVAL}; "
        "p: how often chance alone moves as much (exact paired test)",
    ),
    Word(" (Holm ", "Holm", "p of one of several gates, corrected for their number"),
    Word("can see a loss", "can see a loss of n pt", "so few needs let a smaller one (percentage points) mostly pass"),
    Word(f"({MARGIN_FRAGILE}", MARGIN_FRAGILE, "near the cutoff in both runs: a small change of scores may undo it"),
    Word(f"({EXACT_TIE}", EXACT_TIE, "another order of equal scores"),
    Word("must find", "must find", "a need that the suite promises to find: losing it fails, whatever the gates say"),
    Word(f" · {MULTI_VAR}", MULTI_VAR, "more than one setting moved, so that no difference is that of one of them"),
    Word(
        ": ruler ",
        "ruler, subject, interaction",
        "how much of the difference is the changed needs', how much the engine's, and how much only both together",
    ),
)
"""The words of a comparison."""


def write_legend(text: str, words: Sequence[Word]) -> list[str]:
    """The head and a line for each of the words that the text uses, in their order; empty where it uses none."""
    used = [f"  {each.word}: {each.meaning}" for each in words if each.sign in text]
    return [HEAD, *used] if used else []
