"""The command line of the bench: run, report, init, export, variants.

Only here and in its siblings on this floor does anything print, exit, or look at the environment.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import memeval
from memeval.cli_memory import memory_group
from memeval.errors import MemevalError

if TYPE_CHECKING:
    from memeval.bench.evaluation import Evaluation
    from memeval.bench.run import Progress
    from memeval.testbed.needs import Suite

EXIT_REGRESSION = 1
EXIT_HARNESS_ERROR = 2


class MainGroup(click.Group):
    """A group that turns the package's own errors into one line on stderr and exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        """What the verb returns; exits with 2 on an error of the package."""
        try:
            return super().invoke(ctx)
        except MemevalError as error:
            click.echo(f"memeval: {error}", err=True)
            ctx.exit(EXIT_HARNESS_ERROR)


@click.group(cls=MainGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(memeval.__version__, prog_name="memeval")
def main() -> None:
    """Can an agent find what its Markdown memory knows? Measure it.

    \b
    memeval init ~/notes                write a first suite for a store you have
    memeval run notes.recall.yaml       ask every wording of every variant, write a report
    memeval run --bundled               the corpora that come with memeval
    memeval memory search "port clash" --root ~/notes --project shop-1a2b3c4d

    Exit codes: 0 clean, 1 a must-find need is lost (with --fail-on-must-find), 2 bad input or ungradable.
    """


main.add_command(memory_group)


@main.command()
@click.argument("suites", nargs=-1, metavar="[SUITE | BEIR_DIR | FOLDER]...")
@click.option("--bundled", is_flag=True, help="Run the suites that come with memeval, wherever you are.")
@click.option(
    "-v",
    "--variant",
    "variants",
    multiple=True,
    metavar="NAME",
    help="A variant, or 'all'. Repeatable. Default: article, current, grep, bm25.",
)
@click.option(
    "-k",
    "--k",
    "ks",
    multiple=True,
    type=click.IntRange(min=1),
    help="Cutoff of the @k metrics. Repeatable. Default: 1, 3, 5, 10.",
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
    "--split", help="Which qrels file of a BEIR folder, without its ending. Default: test, else the only one."
)
@click.option("--project", help="Project slug, for a store with several.")
@click.option(
    "-o",
    "--out",
    "out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("reports/latest"),
    show_default=True,
    help="Folder for evaluation.json, report.md and plots.",
)
@click.option(
    "--json",
    "json_path",
    metavar="FILE",
    help="Write the evaluation here as well; '-' is standard output (and no table).",
)
@click.option("--fail-on-must-find", is_flag=True, help="Exit 1 when a must-find need is lost by a variant under test.")
@click.option(
    "--gate-variant",
    "gate_variants",
    multiple=True,
    metavar="NAME",
    help="A variant under test. Default: those named with --variant, else current.",
)
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
    out: Path,
    json_path: str | None,
    fail_on_must_find: bool,
    gate_variants: tuple[str, ...],
) -> None:
    """Ask every need of every variant; write a report and a table.

    Without an argument: every suite below queries/.

    \b
    memeval run queries/ops-en.recall.yaml --variant current --variant bm25
    memeval run ../benchmarks/jsquad --variant all --out reports/jsquad
    """
    from memeval.bench.gate import find_losses, has_ungradable
    from memeval.bench.run import DEFAULT_KS, evaluate
    from memeval.report import render_terminal, write_report
    from memeval.retrieval.recipes import select_variants

    chosen = select_variants(variants)
    names = [variant.name for variant in chosen]
    gate = gate_variants or tuple(name for name in variants if name != "all") or ("current",)
    if fail_on_must_find:
        for name in gate:
            if name not in names:
                raise click.UsageError(f"--gate-variant {name} is not run; add --variant {name}")
    loaded = load_suites(suites, bundled=bundled, split=split, project=project)
    with show_progress() as progress:
        evaluation = evaluate(
            loaded,
            chosen,
            ks=tuple(sorted(set(ks))) or DEFAULT_KS,
            budget_bytes=budget_bytes,
            depth=depth,
            seed=seed,
            progress=progress,
        )
    quiet = json_path == "-"
    written = write_evaluation(evaluation, out)
    written += write_report(evaluation, out)
    if json_path is not None:
        text = evaluation.to_json()
        if quiet:
            click.echo(text, nl=False)
        else:
            target = Path(json_path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    if not quiet:
        click.echo(render_terminal(evaluation))
        click.echo(f"\n{out}/: {', '.join(path.name for path in written)}")
    if has_ungradable(evaluation):
        click.echo("memeval: some queries are ungradable (see the report); exit 2", err=True)
        sys.exit(EXIT_HARNESS_ERROR)
    if fail_on_must_find:
        losses = find_losses(evaluation, gate)
        for loss in losses:
            click.echo(f"must-find lost: {loss}", err=True)
        click.echo(f"must-find gate on {', '.join(gate)}: {len(losses)} lost", err=True)
        if losses:
            sys.exit(EXIT_REGRESSION)


def load_suites(paths: Sequence[str], *, bundled: bool, split: str | None, project: str | None) -> list[Suite]:
    """The suites the arguments name; all below queries/ when there are none.

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
                "write a first suite with `memeval init STORE`, or try `memeval run --bundled`."
            )
        places = expand_paths(("queries",))
    return [load_suite(place, split=split, project=project) for place in places]


def write_evaluation(evaluation: Evaluation, folder: Path) -> list[Path]:
    """The path of the evaluation.json written into `folder`, as a list of one."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "evaluation.json"
    path.write_text(evaluation.to_json(), encoding="utf-8")
    return [path]


@contextmanager
def show_progress() -> Iterator[Progress]:
    """A callback for `evaluate`: a bar on a terminal, a plain line per suite and variant elsewhere; all on stderr."""
    if not sys.stderr.isatty():

        def report_line(suite: str, variant: str, done: int, total: int) -> None:
            if done == total:
                click.echo(f"{suite} · {variant}: {total} queries", err=True)

        yield report_line
        return

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
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


@main.command()
@click.argument("evaluation", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="EVALUATION.json")
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write to. Default: beside the evaluation.",
)
def report(evaluation: Path, out: Path | None) -> None:
    """Render report.md and its plots again from a stored evaluation.

    \b
    memeval report reports/latest/evaluation.json
    """
    from memeval.bench.evaluation import Evaluation
    from memeval.report import write_report

    folder = out or evaluation.parent
    written = write_report(Evaluation.load(evaluation), folder)
    click.echo(f"{folder}/: {', '.join(path.name for path in written)}")


@main.command()
@click.argument("store", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The suite file to write. Default: NAME.recall.yaml here.",
)
@click.option("--name", help="Name of the suite. Default: the store's folder name.")
@click.option("--project", help="Project slug, for a store with several.")
@click.option("--force", is_flag=True, help="Overwrite the suite file if it exists.")
def init(store: Path, out: Path | None, name: str | None, project: str | None, force: bool) -> None:
    """Write a first suite for a memory STORE you already have, with checked paths.

    \b
    memeval init ~/notes
    memeval init ~/.zerostack/memory --project shop-1a2b3c4d --out queries/shop.recall.yaml
    """
    from memeval.bench.suite import SUITE_ENDING, load_suite
    from memeval.testbed.starter import build_starter, starter_name

    title = name or starter_name(store)
    target = out or Path(f"{title}{SUITE_ENDING}")
    if not target.name.endswith(SUITE_ENDING):
        raise click.UsageError(f"--out {target}: a suite file ends in {SUITE_ENDING}")
    if target.exists() and not force:
        raise click.UsageError(f"{target} exists; choose another --out, or --force to overwrite it")
    text = build_starter(store, name=title, project=project, suite_path=target)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    suite = load_suite(target)
    click.echo(f"{target}: {len(suite.corpus.documents)} files searched, {len(suite.needs)} needs to start from")
    click.echo("Replace the wordings with what you would really ask, then:")
    click.echo(f"  memeval run {target}")


@main.command()
@click.argument("suite")
@click.option(
    "-o", "--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder to write to."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["beir", "trec"]),
    default="beir",
    show_default=True,
    help="beir: corpus, queries, qrels. trec: qrels.txt and one run file a variant.",
)
@click.option(
    "-v",
    "--variant",
    "variants",
    multiple=True,
    metavar="NAME",
    help="With --format trec: whose runs. Default: article, current, grep, bm25.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Ranks per query in a run file.",
)
@click.option("--split", help="Which qrels file of a BEIR folder.")
@click.option("--project", help="Project slug, for a store with several.")
def export(
    suite: str,
    out: Path,
    form: str,
    variants: tuple[str, ...],
    depth: int,
    split: str | None,
    project: str | None,
) -> None:
    """Write a suite in a form other tools read: a BEIR folder, or TREC qrels and runs.

    \b
    memeval export queries/ops-en.recall.yaml --out /tmp/ops-en
    memeval export queries/ops-en.recall.yaml --format trec --variant bm25 --out /tmp/ops-en-trec
    """
    from memeval.bench.suite import load_suite

    loaded = load_suite(suite, split=split, project=project)
    if form == "beir":
        from memeval.testbed.beir import export_beir

        export_beir(loaded, out)
        click.echo(f"{out}/: corpus.jsonl, queries.jsonl, qrels/test.tsv")
        return
    from memeval.bench.run import evaluate
    from memeval.bench.trecfiles import export_runs
    from memeval.retrieval.recipes import select_variants

    with show_progress() as progress:
        evaluation = evaluate([loaded], select_variants(variants), depth=depth, progress=progress)
    written = export_runs(loaded, evaluation, out)
    click.echo(f"{out}/: {', '.join(path.name for path in written)}")


@main.command()
def variants() -> None:
    """List what `--variant` takes: name, what it does, where its rule comes from.

    \b
    memeval variants
    """
    from memeval.retrieval.recipes import VARIANTS

    width = max(len(variant.name) for variant in VARIANTS)
    for variant in VARIANTS:
        mark = "control" if variant.control else "default" if variant.default else ""
        click.echo(f"{variant.name:<{width}}  {mark:<7}  {variant.description} ({variant.source})")


if __name__ == "__main__":
    main()
