"""The verb `calibrate`: how often the verdict of `memeval signals` is right, on worlds whose truth is known."""

from __future__ import annotations

from pathlib import Path

import click

from memeval.cli_parameters import Place, check_target
from memeval.cli_process import EXIT_REGRESSION, echo
from memeval.memory.disk import replace_file


@click.command()
@click.option(
    "--worlds",
    type=click.IntRange(min=1),
    default=3_000,
    show_default=True,
    help="Made-up worlds of each size at the threshold itself; a tenth as many elsewhere.",
)
@click.option(
    "--recordings",
    type=click.IntRange(min=1),
    default=300,
    show_default=True,
    help="Recordings of each rate and correlation.",
)
@click.option("--jobs", type=click.IntRange(min=1), default=2, show_default=True, help="Processes that share the work.")
@click.option(
    "--write",
    "page",
    type=Place(exists=True, dir_okay=False, path_type=Path),
    help="Put the tables between the two marks of this page, as in docs/signals.md. Default: print them.",
)
def calibrate(worlds: int, recordings: int, jobs: int, page: Path | None) -> None:
    """How often the verdict of `memeval signals` is right, on made-up worlds whose truth is known.

    The same numbers give the same tables on any machine. Exits with 1 where a table leaves what is demanded of it. All
    of it takes a few minutes on two cores.

    \b
    memeval calibrate --worlds 300 --recordings 50
    memeval calibrate --write docs/signals.md
    """
    from memeval.bench.calibration import calibrate as run_worlds
    from memeval.report.calibration import END, START, render_calibration, replace_calibration

    text = None
    if page is not None:
        check_target(page)
        text = page.read_bytes().decode("utf-8", "surrogateescape")
        if text.find(START) < 0 or text.find(END) < text.find(START):
            raise click.UsageError(f"{page} has no place for the tables; put {START} and {END} where they belong")
    if jobs == 1:
        found = run_worlds(worlds, recordings)
    else:
        from concurrent.futures import ProcessPoolExecutor  # every verb would wait for it

        with ProcessPoolExecutor(jobs) as pool:
            found = run_worlds(worlds, recordings, pool.map)
    if page is None or text is None:
        echo(render_calibration(found))
    else:
        replace_file(page, replace_calibration(text, found) or text, str(page))
        echo(f"{page}: {len(found.cells)} cells of worlds, {len(found.recorded)} of recordings")
    for failure in found.failures:
        echo(f"memeval: not as demanded: {failure}", err=True)
    if found.failures:
        raise click.exceptions.Exit(EXIT_REGRESSION)
