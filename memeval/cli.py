"""The command line of the bench: run, report, init, export, variants.

Only here and in its siblings on this floor does anything print, exit, or look at the environment.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import memeval
from memeval.cli_aliases import aliases_group
from memeval.cli_baseline import baseline_group
from memeval.cli_calibrate import calibrate
from memeval.cli_card import card
from memeval.cli_compare import compare
from memeval.cli_corpus import corpus_group
from memeval.cli_diagnose import diagnose
from memeval.cli_external import add_others, external_options
from memeval.cli_generate import generate
from memeval.cli_import import import_benchmark
from memeval.cli_list import list_group, list_variants
from memeval.cli_memory import memory_group
from memeval.cli_models import ModelOptions, model_options
from memeval.cli_overview import overview
from memeval.cli_parameters import PROJECT_OPTION, TEXT, Place, SuiteName, check_target, is_given, refuse_idle_reading
from memeval.cli_predict import predict_sessions
from memeval.cli_process import EXIT_HARNESS_ERROR, Program, echo, quote_argument, warn_of_unreadable
from memeval.cli_report import report
from memeval.cli_run import run, show_progress
from memeval.cli_sessions import sessions_group
from memeval.cli_signals import retries, signals
from memeval.memory.disk import encode_path, replace_file
from memeval.text import count

if TYPE_CHECKING:
    from memeval.retrieval.base import Variant


EXPORT_OPTIONS_OF_RUNS = (
    ("--variant", "variants"),
    ("--depth", "depth"),
    ("--embedder", "embedder"),
    ("--reranker", "reranker"),
    ("--download", "download"),
    ("--vectors", "vectors"),
    ("--external", "commands"),
    ("--mcp", "servers"),
)
"""(option, parameter) of `memeval export` that a BEIR folder has no use for."""


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(memeval.__version__, prog_name="memeval")
def main() -> None:
    """Can an agent find what its Markdown memory knows? Measure it.

    \b
    memeval init ~/notes                write a first suite for a store you have
    memeval run notes.recall.yaml       ask every wording of every variant, write a report
    memeval run --bundled               the corpora that come with memeval
    memeval signals notes.recall.yaml   is plain text still enough, or what would cure it?
    memeval compare main                what the last run lost and won against a saved one
    memeval memory search "port clash" --root ~/notes --project shop-1a2b3c4d

    \b
    Exit codes:
      0    clean
      1    a must-find need is lost (run --fail-on-must-find), a comparison lost more than its gates allow
           (compare), a signal fires (signals), or an error was found (corpus lint)
      2    bad input, something ungradable, output that could not be written, or a fault of memeval
      3    two runs that cannot be compared (compare)
      130  stopped by the keyboard (Ctrl-C)
      141  the reader of the output has gone, as in `memeval variants | head -1`
    """


@click.command()
@click.argument("store", type=Place(exists=True, file_okay=False, path_type=Path))
@click.option(
    "-o",
    "--out",
    type=Place(dir_okay=False, path_type=Path),
    help="The suite file to write. Default: NAME.recall.yaml here.",
)
@click.option("--name", type=SuiteName(), help="Name of the suite. Default: the store's folder name.")
@PROJECT_OPTION
@click.option("--force", is_flag=True, help="Overwrite the suite file if it exists.")
def init(store: Path, out: Path | None, name: str | None, project: str | None, force: bool) -> None:
    """Write a first suite for a memory STORE you already have, with checked paths.

    STORE is read where it lies: a store of the engine, a Claude Code memory folder, an OpenClaw workspace, a
    .memory-bank folder, or any folder of Markdown.

    \b
    memeval init ~/notes
    memeval init ~/.zerostack/memory --project shop-1a2b3c4d --out queries/shop.recall.yaml
    """
    from memeval.bench.suite import SUITE_ENDING, load_suite
    from memeval.testbed.starter import MOST_NEEDS, build_starter, starter_name

    title = name or starter_name(store)
    target = out or encode_path(f"{title}{SUITE_ENDING}")
    if not target.name.endswith(SUITE_ENDING):
        raise click.UsageError(f"--out {target}: a suite file ends in {SUITE_ENDING}")
    if target.exists() and not force:
        raise click.UsageError(f"{target} exists; choose another --out, or --force to overwrite it")
    check_target(target)
    text = build_starter(store, name=title, project=project, suite_path=target)
    replace_file(target, text, str(target))
    suite = load_suite(target)
    warn_of_unreadable(str(store), suite.corpus.unreadable)
    searched, needs = count(len(suite.corpus.documents), "file"), count(len(suite.needs), "need")
    echo(f"{target}: {searched} searched, {needs} to start from")
    left = len(suite.corpus.documents) - len({path for need in suite.needs for path in need.expected})
    if left:
        echo(
            f"{count(left, 'file has', 'files have')} no need yet: a first suite has {MOST_NEEDS} at the most, "
            "a file each, those with a heading first, spread over the store."
        )
    echo("Replace the wordings with what you would really ask, then:")
    echo(f"  memeval run {quote_argument(target)}")


@click.command()
@click.argument("suite", type=Place())
@click.option("-o", "--out", type=Place(file_okay=False, path_type=Path), required=True, help="Folder to write to.")
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
    type=TEXT,
    multiple=True,
    metavar="NAME",
    help="With --format trec: whose runs. Default: those marked so by `memeval variants`.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="With --format trec: ranks per query in a run file.",
)
@model_options
@click.option("--split", type=TEXT, help="Which qrels file of a BEIR folder.")
@PROJECT_OPTION
@external_options
def export(
    suite: str,
    out: Path,
    form: str,
    variants: tuple[str, ...],
    depth: int,
    wanted_models: ModelOptions,
    split: str | None,
    project: str | None,
    others: tuple[Variant, ...],
) -> None:
    """Write a suite in a form other tools read: a BEIR folder, or TREC qrels and runs.

    Exits with 2 when a query of a run could not be graded; its run files are there, without that query.

    \b
    memeval export queries/ops-en.recall.yaml --out /tmp/ops-en
    memeval export queries/ops-en.recall.yaml --format trec --variant bm25 --out /tmp/ops-en-trec
    """
    from memeval.bench.suite import load_suite

    if form == "beir":
        for option, name in EXPORT_OPTIONS_OF_RUNS:
            if is_given(name):
                raise click.UsageError(
                    f"{option} changes nothing without --format trec; a BEIR folder holds no rankings"
                )
    refuse_idle_reading([Path(suite)], split=split, project=project)
    if form == "trec":
        models, chosen = wanted_models.choose(variants)
        chosen = add_others(chosen, others)
    loaded = load_suite(suite, split=split, project=project)
    warn_of_unreadable(loaded.corpus.root, loaded.corpus.unreadable)
    if form == "beir":
        from memeval.testbed.beir import export_beir

        export_beir(loaded, out)
        echo(f"{out}/: corpus.jsonl, queries.jsonl, qrels/test.tsv")
        return
    from memeval.bench.gate import has_ungradable
    from memeval.bench.run import evaluate
    from memeval.bench.trecfiles import export_runs

    with show_progress() as progress:
        evaluation = evaluate(
            [loaded],
            chosen,
            ks=(),
            depth=depth,
            embedder=models.embedder,
            models=models.own,
            reranker=models.reranker,
            progress=progress,
        )
    written = export_runs(loaded, evaluation, out)
    echo(f"{out}/: {', '.join(path.name for path in written)}")
    if has_ungradable(evaluation):
        broken = next(
            (variant.name, query.id, query.reason)
            for result in evaluation.suites
            for variant in result.variants
            for query in variant.queries
            if query.verdict == "ungradable"
        )
        echo(f"memeval: some queries are ungradable, the first: {' · '.join(map(str, broken))}; exit 2", err=True)
        raise click.exceptions.Exit(EXIT_HARNESS_ERROR)


corpus_group.add_command(generate)
corpus_group.add_command(card)
sessions_group.add_command(predict_sessions)
for command in (  # as --help lists them: a run, what it says, what changed, the engine, what is beside them
    init,
    run,
    report,
    overview,
    diagnose,
    retries,
    compare,
    baseline_group,
    signals,
    calibrate,
    memory_group,
    aliases_group,
    sessions_group,
    corpus_group,
    import_benchmark,
    export,
    list_group,
):
    main.add_command(command)
main.add_command(list_variants, "variants")  # the short form


if __name__ == "__main__":
    main()
