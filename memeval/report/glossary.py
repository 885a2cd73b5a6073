"""The words of a report, one line each."""

from __future__ import annotations

GLOSSARY: tuple[tuple[str, str], ...] = (
    ("need", "one thing the agent wants back from memory, with the files that answer it"),
    ("wording", "one way of asking for a need; the first is what came to mind first, the others are retries"),
    ("n", "the number of cases a figure stands on: wordings with something stored, unless the column says otherwise"),
    (
        "[low, high] after a rate",
        "its 95 % interval: what the rate may be on other needs of that sort. Wilson's where each need counts once, "
        "else Korn-Graubard's, which knows that wordings of one need are alike",
    ),
    (
        "[low, high] after a difference",
        "its 95 % interval. The second rate is taken from the first: above 0 the first finds more",
    ),
    ("hit", "found, or rightly silent where nothing is stored; everything else that can be graded is a miss"),
    ("found", "share of wordings for which a relevant file is among those shown under the cap"),
    ("first wording, found-first-wording", "found, counting the first wording of each need alone (n: needs)"),
    ("success@k", "share of wordings with at least one relevant file in the top k of the ranking, shown or not"),
    ("recall@k", "mean share of the relevant files that stand in the top k; equals success@k where one file answers"),
    ("full-recall@k", "share of wordings with all relevant files in the top k"),
    ("judged@k", "share of the top k that someone has graded; an unjudged file is not the same as a wrong one"),
    ("precision@k", "share of the k places that hold a relevant file"),
    ("mrr", "mean of 1 / rank of the first relevant file among all candidates; 0 where none is one"),
    ("ndcg@k", "the grades in the top k, each divided by log2(rank + 1), as a share of the best possible ranking's"),
    ("found_all", "share of wordings for which all relevant files are shown"),
    ("found-any-wording", "share of needs that at least one of their wordings finds (n: needs)"),
    (
        "evidence-in-snippet",
        "share of wordings whose need's evidence stands in what is shown of a relevant file (n: those with evidence)",
    ),
    (
        "silent miss, silent-miss-rate",
        "nothing matched at all although a file answers: the agent is told that nothing is known",
    ),
    ("false hit, false-hit-rate", "something is shown although nothing is stored (n: wordings with nothing stored)"),
    ("files shown, documents-shown", "mean number of files an answer shows: the more of them, the less found says"),
    (
        "KiB shown, bytes-shown",
        "mean size of the text an answer shows, in KiB of 1,024 bytes: what the agent has to read",
    ),
    ("control", "a floor or ceiling to compare with, not a search anyone would choose"),
    ("ungradable", "the harness or a file is broken, so that the answer says nothing; never counted as a miss"),
    ("–", "not defined or not measured, never zero"),
)
"""(word, meaning), in the order a reader meets them."""
