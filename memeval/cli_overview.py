"""The verb `overview`: every variant of a run in one table."""

from __future__ import annotations

from pathlib import Path

import click

from memeval.cli_checkout import EVALUATION_FILE
from memeval.cli_parameters import TEXT, Place, RecordFile, check_target
from memeval.cli_process import echo
from memeval.errors import UnknownNameError
from memeval.memory.disk import replace_file

MIN_NEEDS = 40
"""Suites with fewer needs are made to show one thing, and would weigh as much as the others in a mean."""


@click.command()
@click.argument(
    "evaluations",
    nargs=-1,
    required=True,
    type=RecordFile(EVALUATION_FILE),
    metavar="EVALUATION.json...",
)
@click.option(
    "--suite",
    "suites",
    type=TEXT,
    multiple=True,
    metavar="NAME",
    help=f"Take this suite. Repeatable. Default: those with {MIN_NEEDS} needs or more, or all where none has.",
)
@click.option(
    "-o",
    "--out",
    type=Place(dir_okay=False, path_type=Path),
    metavar="FILE.md",
    help="Write the page here. Default: print it.",
)
def overview(evaluations: tuple[Path, ...], suites: tuple[str, ...], out: Path | None) -> None:
    """Every variant of a run, or of several, side by side: what it finds, what that shows, its time, its silence.

    One table over all suites, each counting the same, then one for each. A folder stands for the
    evaluation.json in it.

    \b
    memeval run queries --variant all --out reports/all
    memeval overview reports/all/evaluation.json --out reports/all/overview.md
    """
    from memeval.bench.evaluation import Evaluation
    from memeval.bench.overview import compare_variants, join_evaluations
    from memeval.report.overview import render_overview_page

    if out is not None:
        check_target(out)
    loaded = join_evaluations([Evaluation.load(path) for path in evaluations], list(map(str, evaluations)))
    known = [suite.name for suite in loaded.suites]
    for name in suites:
        if name not in known:
            raise UnknownNameError("suite", name, set(known))
    large = [suite.name for suite in loaded.suites if suite.needs >= MIN_NEEDS]
    chosen = list(suites) or large or known
    groups = [(name, compare_variants(loaded, [name])) for name in chosen]
    if len(chosen) > 1:
        groups.insert(0, ("All of them", compare_variants(loaded, chosen)))
    page = render_overview_page(loaded, chosen, groups)
    if out is None:
        echo(page.rstrip("\n"))
        return
    replace_file(out, page, str(out))
    echo(f"{out}: {len(groups)} tables")
