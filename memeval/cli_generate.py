"""The verb `generate`: a made-up store with needs and sessions, whose truth is known."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from memeval.cli_parameters import TEXT, Place, SuiteName
from memeval.cli_process import echo, quote_argument
from memeval.text import count

Verb = Callable[..., None]

NUMBERS: tuple[tuple[str, int | float, str], ...] = (
    ("vocabulary-gap", 0.2, "Share of wordings that hold no form which their file holds."),
    ("noise", 0.1, "Share of the files that are captured chatter."),
    ("duplicates", 0.05, "Share of the files that nearly repeat another."),
    ("stale", 0.05, "Share of the files with an older value of another's fact."),
    ("aliases", 0.5, "Share of the missing forms that stand among a file's aliases."),
    ("unreachable", 0.0, "Share of the missing forms that not even an embedding bridges."),
    ("unspaced", 0.0, "Share of first wordings in zh, ja and ko written as one run."),
    ("unanswerable", 0.1, "Share of the needs with nothing stored."),
    ("shared-files", 0.2, "Share of the needs whose file another need asks for too."),
    ("max-wordings", 5, "Most wordings of a need; each has 1 to this many."),
    ("overlap", 0.3, "Share of rewordings that keep a word of a first one that failed."),
    ("correlation", 0.3, "Correlation of failing, within a file and within a session."),
    ("sessions", 100, "Simulated sessions."),
    ("abandonment", 0.2, "Share of failed searches after which the agent gives up."),
    ("days", 120, "Span of the files' dates; at most one log a day."),
)

"""Option, default and help of what need not be given; the defaults are those of `Parameters`."""


def number_options(verb: Verb) -> Verb:
    """The verb with an option for each of NUMBERS."""
    for name, default, text in reversed(NUMBERS):
        verb = click.option(f"--{name}", type=type(default), default=default, show_default=True, help=text)(verb)
    return verb


@click.command()
@click.option("--documents", type=int, required=True, help="Files a search sees, 10 to 100,000.")
@click.option("--needs", type=int, required=True, help="Needs, 1 to 20,000.")
@click.option(
    "--languages", type=TEXT, default="en", show_default=True, metavar="LIST", help="Of en,zh,ja,ko, with commas."
)
@number_options
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed is another world.")
@click.option(
    "--name", type=SuiteName(), default="generated", show_default=True, help="Name of the suite and its corpus."
)
@click.option(
    "-o", "--out", required=True, type=Place(path_type=Path), help="Folder to write to: a new or an empty one."
)
def generate(languages: str, seed: int, out: Path, **numbers: Any) -> None:  # noqa: ANN401
    """Generate a store of made-up files with needs, sessions and the truth about them.

    For benchmarks of scale and for calibration; such results are no headline recall.

    \b
    memeval corpus generate --documents 1000 --needs 200 --languages en,zh --out /tmp/world
    memeval run /tmp/world/generated.recall.yaml
    """
    from memeval.testbed.generator import Parameters, generate_world, write_world

    chosen = tuple(language.strip() for language in languages.split(","))
    world = generate_world(Parameters(languages=chosen, **numbers), seed)
    suite_path = write_world(world, out)
    rates = world.truth.rates["all"]
    searches = sum(len(attempt.searches) for session in world.sessions for attempt in session.attempts)
    files, needs = count(len(world.suite.corpus.documents), "file"), count(len(world.suite.needs), "need")
    sessions = count(len(world.sessions), "session")
    echo(
        f"{out}/: {files}, {needs} ({rates.unanswerable:,} with nothing stored), "
        f"{sessions} with {count(searches, 'search', 'searches')}"
    )
    echo(
        f"Of {count(rates.needs, 'need')} with an answer, literal words miss {rates.missed_first:,} at first; "
        f"a rewording finds {rates.found_later:,} of them, {rates.zero_overlap:,} without a word of the first."
    )
    echo("truth.json says which, and what it would take. To run it:")
    echo(f"  memeval run {quote_argument(suite_path)}")
