"""The command line of corpus cards: `memeval corpus card`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memeval.cli_parameters import Place
from memeval.cli_process import echo

if TYPE_CHECKING:
    from memeval.testbed.needs import Suite


@click.command()
@click.argument("paths", nargs=-1, required=True, type=Place(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--suite",
    "suite_paths",
    type=Place(),
    multiple=True,
    metavar="SUITE",
    help="A suite on one of the corpora. Repeatable. Default: those below queries/ that are named as a corpus folder.",
)
@click.option("--write", is_flag=True, help="Save each card as README.md in its folder instead of printing it.")
def card(paths: tuple[Path, ...], suite_paths: tuple[str, ...], write: bool) -> None:
    """Print the card of each corpus: how it was made, by which rule, what is in it and what is wrong with it.

    It is generated from the folder's corpus.yaml (description, licence, blind, flaws, and provenance with origin,
    shared, files, wordings, aliases and judgements), from the files, and from the suites. A folder without a
    corpus.yaml gets one card for the corpora directly in it. A written card is no part of the store: no suite
    searches it.

    \b
    memeval corpus card corpora/ops-en
    memeval corpus card corpora/* --write
    """
    from memeval.testbed.card import find_corpora, read_card, write_card

    roots = [root for path in paths for root in find_corpora(path)]
    suites = load_named(suite_paths, roots) if suite_paths else find_own(roots)
    texts = {path: read_card(path, suites) for path in paths}
    if not write:
        echo("\n".join(texts.values()), end="")
        return
    for path, text in texts.items():
        echo(str(write_card(path, text)))


def load_named(suite_paths: Sequence[str], roots: Sequence[Path]) -> list[Suite]:
    """The suites, each of which asks one of the corpora.

    Raises:
        click.UsageError: one asks another corpus.
        MemevalError: one cannot be read.
    """
    from memeval.bench.suite import expand_paths, load_suite
    from memeval.testbed.card import lies_on

    suites = [load_suite(place) for place in expand_paths(tuple(suite_paths))]
    for suite in suites:
        if not any(lies_on(suite, root) for root in roots):
            raise click.UsageError(f"--suite {suite.path} asks {suite.corpus.root}, which is no corpus of this card")
    return suites


def find_own(roots: Sequence[Path]) -> list[Suite]:
    """The suites below queries/ that are named as the folder of a corpus and ask it; a corpus without one is told."""
    from memeval.bench.suite import SUITE_ENDING, find_suites, load_suite
    from memeval.testbed.card import lies_on

    names = {f"{root.resolve().name}{SUITE_ENDING}" for root in roots}
    suites = [load_suite(path) for path in find_suites("queries") if path.name in names]
    for root in roots:
        if not any(lies_on(suite, root) for suite in suites):
            echo(f"{root}: no suite below queries/ has its name and asks it; name one with --suite", err=True)
    return suites
