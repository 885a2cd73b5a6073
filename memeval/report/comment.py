"""A comparison as a comment under a proposed change: Markdown that a build server puts there, and replaces."""

from __future__ import annotations

import re

from memeval.bench.comparison import Comparison
from memeval.report.comparison import list_changes, list_cures, render_comparison, write_verdict
from memeval.report.notation import count, escape_prose

MARK = "<!-- memeval -->"
"""First line of every comment: the one to replace is found by it."""
MAX_CHANGES = 20
MAX_CHARACTERS = 60_000
"""Of the whole text; servers refuse comments of 65,536 and more."""


def render_comment(comparison: Comparison) -> str:
    """Markdown, ending in a newline: the verdict, what changed, and the whole comparison folded away.

    Nothing of a store or a query can end the block it stands in.
    """
    changes = list_changes(comparison)
    lines = [MARK, "### memeval: search quality", "", escape_prose(write_verdict(comparison), 1_000)]
    if changes:
        lines += ["", *(f"- {escape_prose(line, 300)}" for line in changes[:MAX_CHANGES])]
    if len(changes) > MAX_CHANGES:
        lines.append(f"- … {count(len(changes) - MAX_CHANGES, 'more change')}")
    lines += [line for cure in list_cures(comparison) for line in ("", cure)]
    head = "\n".join([*lines, "", "<details><summary>The whole comparison</summary>", ""])
    whole = render_comparison(comparison)
    room = MAX_CHARACTERS - len(head)
    if len(whole) > room:
        whole = whole[:room] + "\n… cut here"
    # a fence longer than any in the text, so that none of it closes the block
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", whole)), default=0))
    return f"{head}\n{fence}text\n{whole}\n{fence}\n\n</details>\n"
