"""The command line of the bench's main job: `memeval run`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memeval.cli_external import add_others, external_options
from memeval.cli_models import ModelOptions, model_options, warn_of_languages
from memeval.cli_page import OPEN_OPTION, PAGE_FILE, PAGE_OPTION, refuse_opening, show_page
from memeval.cli_parameters import (
    PROJECT_OPTION,
    TEXT,
    Place,
    check_target,
    refuse_idle_reading,
    refuse_idle_settings,
)
from memeval.cli_process import EXIT_HARNESS_ERROR, EXIT_REGRESSION, echo, echo_json, warn_of_unreadable
from memeval.errors import SuiteFileError
from memeval.memory.disk import replace_file
from memeval.memory.profile import DEFAULT_PROFILE
from memeval.text import count

if TYPE_CHECKING:
    from memeval.bench.evaluation import Evaluation, Table
    from memeval.bench.run import Progress
    from memeval.retrieval.base import Variant
    from memeval.testbed.needs import Suite


EVALUATION_FILE = "evaluation.json"


@click.command()
@click.argument("suites", nargs=-1, type=Place(), metavar="[SUITE | BEIR_DIR | FOLDER]...")
@click.option("--bundled", is_flag=True, help="Run the suites that come with memeval, wherever you are.")
@click.option(
    "-v",
    "--variant",
    "--variants",
    "variants",
    type=TEXT,
    multiple=True,
    metavar="NAME",
    help="A variant, or 'all'. Repeatable. Default: those marked so by `memeval variants`.",
)
@click.option(
    "-k",
    "--k",
    "ks",
    multiple=True,
    type=click.IntRange(min=1),
    help="Cutoff of the @k metrics, not above --depth. Repeatable. Default: 1, 3, 5, 10.",
)
@click.option(
    "--budget",
    "budget_bytes",
    type=click.IntRange(min=1),
    default=16_384,
    show_default=True,
    help="Bytes shown per search by variants without a cap of their own.",
)
@click.option("--depth", type=click.IntRange(min=1), default=100, show_default=True, help="Ranks stored per query.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random control.")
@click.option(
    "--split",
    type=TEXT,
    help="Which qrels file of a BEIR folder, without its ending. Default: test, else the only one.",
)
@PROJECT_OPTION
@click.option("--aliases", is_flag=True, help="Put the aliases of each corpus's aliases.yaml into its files.")
@click.option(
    "--diagnose",
    "is_diagnosed",
    is_flag=True,
    help="Say of each miss which class it is of and what cures it most cheaply; takes several times as long.",
)
@model_options
@click.option(
    "-o",
    "--out",
    "out",
    type=Place(file_okay=False, path_type=Path),
    default=Path("reports/latest"),
    show_default=True,
    help="Folder for evaluation.json, report.md and plots, report.html and its tables as CSV.",
)
@PAGE_OPTION
@OPEN_OPTION
@click.option(
    "--json",
    "json_path",
    type=Place(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Write the evaluation here as well; '-' is standard output (and no table).",
)
@click.option("--fail-on-must-find", is_flag=True, help="Exit 1 when a must-find need is lost by a variant under test.")
@click.option(
    "--gate-variant",
    "gate_variants",
    type=TEXT,
    multiple=True,
    metavar="NAME",
    help="With --fail-on-must-find: a variant under test. Default: those named with --variant, else memeval.",
)
@external_options
def run(
    suites: tuple[str, ...],
    bundled: bool,
    variants: tuple[str, ...],
    ks: tuple[int, ...],
    budget_bytes: int,
    depth: int,
    seed: int,
    split: str | None,
    project: str | None,
    aliases: bool,
    is_diagnosed: bool,
    wanted_models: ModelOptions,
    out: Path,
    page: bool,
    is_opened: bool,
    json_path: str | None,
    fail_on_must_find: bool,
    gate_variants: tuple[str, ...],
    others: tuple[Variant, ...],
) -> None:
    """Ask every need of every variant; write a report and a table.

    Without an argument: every suite below queries/. A FOLDER stands for the suite files below it; where there are none,
    for the BEIR folders below it. Variants with an embedding model share the one of --embedder,
    without it multilingual-e5-small; 'all' leaves out those whose model is not on this machine. memeval+rerank needs
    --reranker as well, and other systems that read their first again take it. Systems of --external and --mcp are run
    beside the variants.

    \b
    memeval run queries/ops-en.recall.yaml --variant memeval --variant bm25
    memeval run ../benchmarks/jsquad --variant all --out reports/jsquad
    memeval run queries --external 'mine=./search.sh {query} {root}'
    """
    from memeval.bench.gate import has_ungradable
    from memeval.bench.run import DEFAULT_KS, evaluate
    from memeval.bench.summary import check_cutoffs
    from memeval.report import render_terminal, write_page, write_report
    from memeval.report.markdown import REPORT_FILE

    models, chosen = wanted_models.choose(variants)
    chosen = add_others(chosen, others)
    gate = gate_variants or tuple(name for name in variants if name != "all") or (DEFAULT_PROFILE,)
    cutoffs = tuple(sorted(set(ks))) or DEFAULT_KS
    check_cutoffs(cutoffs, depth)
    refuse_idle_settings(chosen)
    refuse_opening(page=page, is_opened=is_opened)
    if gate_variants and not fail_on_must_find:
        raise click.UsageError("--gate-variant changes nothing without --fail-on-must-find; add that, or leave it out")
    if fail_on_must_find:
        check_gate(gate, [variant.name for variant in chosen])
    json_file = None if json_path in (None, "-") else Path(json_path)
    pages = [out / PAGE_FILE] if page else []
    prepare_targets([out / EVALUATION_FILE, out / REPORT_FILE, *pages, *([json_file] if json_file else [])])
    loaded = load_suites(suites, bundled=bundled, split=split, project=project)
    warn_of_languages(loaded, models, chosen)
    with show_progress() as progress:
        evaluation = evaluate(
            loaded,
            chosen,
            ks=cutoffs,
            budget_bytes=budget_bytes,
            depth=depth,
            seed=seed,
            aliases=aliases,
            embedder=models.embedder,
            models=models.own,
            reranker=models.reranker,
            diagnose=is_diagnosed,
            progress=progress,
        )
    evaluation = replace(evaluation, coverage=read_ledgers(suites, loaded, bundled=bundled))
    text = evaluation.to_json()
    written = [write_evaluation(text, out / EVALUATION_FILE), *write_report(evaluation, out)]
    written += write_page(evaluation, out) if page else []
    if json_file is not None:
        write_evaluation(text, json_file)
    if json_path == "-":
        echo_json(text, end="")
    else:
        echo(render_terminal(evaluation))
        echo(f"\n{out}/: {', '.join(path.name for path in written)}")
    if is_opened:
        show_page(out / PAGE_FILE)
    if has_ungradable(evaluation):
        echo("memeval: some queries are ungradable (see the report); exit 2", err=True)
        raise click.exceptions.Exit(EXIT_HARNESS_ERROR)
    if fail_on_must_find and report_losses(evaluation, gate):
        raise click.exceptions.Exit(EXIT_REGRESSION)


def check_gate(gate: Sequence[str], names: Sequence[str]) -> None:
    """Raise click.UsageError for a variant under test that is not run, UnknownNameError for one there is not."""
    from memeval.retrieval.recipes import find_variant

    for name in gate:
        if name not in names and find_variant(name):
            raise click.UsageError(f"--gate-variant {name} is not run; add --variant {name}")


def report_losses(evaluation: Evaluation, gate: Sequence[str]) -> int:
    """The number of must-find needs and wordings the variants under test have lost, each told on stderr."""
    from memeval.bench.gate import count_must_finds, find_losses

    losses = find_losses(evaluation, gate)
    for loss in losses:
        echo(f"must-find lost: {loss}", err=True)
    held = count_must_finds(evaluation, gate)
    told = f"{len(losses)} of {held} lost" if held else "no need is marked must_find, so nothing was held to account"
    echo(f"must-find gate on {', '.join(gate)}: {told}", err=True)
    return len(losses)


def load_suites(paths: Sequence[str], *, bundled: bool, split: str | None, project: str | None) -> list[Suite]:
    """The suites the arguments name; all below queries/ when there are none.

    What of their stores cannot be read is told on stderr, each store once.

    Raises:
        click.UsageError: there is nothing to run.
        MemevalError: a suite, corpus or BEIR folder is broken.
    """
    from memeval.bench.suite import bundled_suites, expand_paths, load_suite

    places = expand_paths(tuple(paths)) if paths else ()
    if bundled:
        places += bundled_suites()
    elif not paths:
        if not Path("queries").is_dir():
            raise click.UsageError(
                "there is no queries/ folder here. Name a suite or a BEIR folder, "
                "write a first suite with `memeval init STORE`, or take those that come with memeval: --bundled."
            )
        places = expand_paths(("queries",))
    refuse_idle_reading(places, split=split, project=project)
    suites = [load_suite(place, split=split, project=project) for place in places]
    for corpus in {suite.corpus.root: suite.corpus for suite in suites}.values():
        warn_of_unreadable(corpus.root, corpus.unreadable)
    return suites


def prepare_targets(paths: Sequence[Path]) -> None:
    """Make the folder of the first of the files to be written; that of another one has to be there.

    Refused here, not after minutes of measuring, is what cannot be written.

    Raises:
        click.UsageError: a file that cannot be put there.
        OSError: a folder that cannot be made.
    """
    for path in paths:
        check_target(path)
    for path in paths:
        if path.parent != paths[0].parent and not path.parent.exists():
            raise click.UsageError(f"'{path}': there is no folder {path.parent} to write it into; make it first")
    for path in paths[:1]:
        path.parent.mkdir(parents=True, exist_ok=True)


def write_evaluation(text: str, path: Path) -> Path:
    """The path, once the whole text stands there: an interrupted run leaves the file of the one before."""
    replace_file(path, text, str(path))
    return path


def read_ledgers(paths: Sequence[str], suites: Sequence[Suite], *, bundled: bool) -> tuple[Table, ...]:
    """What the needs cover, for each folder that was run and has a ledger."""
    from memeval.bench.suite import bundled_folder

    folders = [*paths] if paths or bundled else ["queries"]
    folders += [str(bundled_folder())] if bundled else []
    tables = [read_ledger(folder, suites) for folder in dict.fromkeys(folders)]
    return tuple(table for table in tables if table is not None)


def read_ledger(folder: str, suites: Sequence[Suite]) -> Table | None:
    """What the needs of a folder cover; None without a ledger, and for a broken one, which is told on stderr."""
    from memeval.bench.ledger import tabulate_ledger

    try:
        return tabulate_ledger(folder, suites)
    except SuiteFileError as error:
        echo(f"memeval: the report comes without its coverage ledger: {error}", err=True)
        return None


@contextmanager
def show_progress() -> Iterator[Progress]:
    """A callback for `evaluate`: a bar on a terminal, a plain line per suite and variant elsewhere; all on stderr."""
    if not sys.stderr.isatty():

        def report_line(suite: str, variant: str, done: int, total: int) -> None:
            if done == total:
                echo(f"{suite} · {variant}: {count(total, 'query', 'queries')}", err=True)

        yield report_line
        return

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[tuple[str, str], Any] = {}

        def advance(suite: str, variant: str, done: int, total: int) -> None:
            key = (suite, variant)
            if key not in tasks:
                for task in tasks.values():
                    bars.update(task, visible=False)
                tasks[key] = bars.add_task(f"{suite} · {variant}", total=total)
            bars.update(tasks[key], completed=done)

        yield advance
