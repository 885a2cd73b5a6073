"""The words of a report, one line each."""

from __future__ import annotations

GLOSSARY: tuple[tuple[str, str], ...] = (
    ("need", "one thing the agent wants back from memory, with the files that answer it"),
    ("wording", "one way of asking for a need; the first is what came to mind first, the others are retries"),
    ("n", "the number of cases a figure stands on: wordings with something stored, unless the column says otherwise"),
    ("found", "share of wordings for which a relevant file is among those shown under the cap"),
    ("first wording", "found, counting the first wording of each need alone (n: needs)"),
    ("success@k", "share of wordings with at least one relevant file in the top k of the ranking, shown or not"),
    ("recall@k", "mean share of the relevant files that stand in the top k; equals success@k where one file answers"),
    ("full-recall@k", "share of wordings with all relevant files in the top k"),
    ("judged@k", "share of the top k that someone has graded; an unjudged file is not the same as a wrong one"),
    ("silent miss", "nothing matched at all although a file answers: the agent is told that nothing is known"),
    ("false hit", "something is shown although nothing is stored (n: wordings with nothing stored)"),
    ("KiB shown", "mean size of the text an answer shows, in KiB of 1,024 bytes: what the agent has to read"),
    ("control", "a floor or ceiling to compare with, not a search anyone would choose"),
    ("ungradable", "the harness or a file is broken, so that the answer says nothing; never counted as a miss"),
    ("–", "not defined or not measured, never zero"),
)
"""(word, meaning), in the order a reader meets them."""
