"""The verbs that say whether plain text is still enough: `memeval retries`, `memeval signals`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memeval.cli_external import add_others, external_options
from memeval.cli_models import ModelOptions, Models, model_options, warn_of_languages
from memeval.cli_parameters import (
    PROJECT_OPTION,
    SPLIT_OPTION,
    TEXT,
    Place,
)
from memeval.cli_process import EXIT_HARNESS_ERROR, echo, echo_json
from memeval.cli_project import load_signal_rules
from memeval.cli_run import EVALUATION_FILE, load_suites, prepare_targets, show_progress, write_evaluation
from memeval.cli_sessions import MINUTES_OPTION, RECORDED_AT_OPTION, find_recorded, list_spellings, read_sources
from memeval.memory.profile import DEFAULT_PROFILE
from memeval.text import count

if TYPE_CHECKING:
    from memeval.bench.replay import Replay
    from memeval.bench.signalrecord import SignalVerdict
    from memeval.retrieval.base import Variant
    from memeval.testbed.needs import Suite

GROUPS_ENDING = ".jsonl"
GROUPS_LICENCE = "that of the file of groups"


@click.command()
@click.argument("suites", nargs=-1, type=Place(), metavar="[SUITE | BEIR_DIR | FOLDER | GROUPS.jsonl]...")
@click.option("--bundled", is_flag=True, help="The suites that come with memeval, wherever you are.")
@click.option(
    "-v", "--variant", "variants", type=TEXT, multiple=True, metavar="NAME", help="A variant, or 'all'. Repeatable."
)
@click.option(
    "--read",
    type=click.IntRange(min=1),
    metavar="N",
    help="The agent reads the first N files shown. Default: it sees at once when an expected file is shown.",
)
@click.option(
    "--searches",
    "budget",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="Searches before a need is given up.",
)
@model_options
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the intervals that are drawn.")
@click.option(
    "--corpus",
    type=Place(exists=True, file_okay=False, path_type=Path),
    help="Folder of the documents that GROUPS.jsonl asks for.",
)
@SPLIT_OPTION
@PROJECT_OPTION
@click.option(
    "--json",
    "json_path",
    type=Place(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Write the figures here as well; '-' is standard output (and no table).",
)
@external_options
def retries(
    suites: tuple[str, ...],
    bundled: bool,
    variants: tuple[str, ...],
    read: int | None,
    budget: int,
    wanted_models: ModelOptions,
    seed: int,
    corpus: Path | None,
    split: str | None,
    project: str | None,
    json_path: str | None,
    others: tuple[Variant, ...],
) -> None:
    """How many searches it takes until a need is found, its wordings asked in order.

    GROUPS.jsonl holds paraphrase groups, `{"queries": [...], "expected": [...]}` on each line, over the documents in
    --corpus. Exits with 2 when something could not be graded.

    \b
    memeval retries queries/ops-zh.recall.yaml --variant article --variant memeval
    memeval retries pairs.jsonl --corpus ../benchmarks/tldr-en --variant bm25
    """
    from memeval.bench.jsonvalues import to_json_value
    from memeval.bench.record import render_json
    from memeval.bench.retries import Policy, measure_retries
    from memeval.bench.run import evaluate
    from memeval.report.retries import render_retries

    models, chosen = wanted_models.choose(variants)
    chosen = add_others(chosen, others)
    groups = [path for path in suites if path.endswith(GROUPS_ENDING)]
    if corpus is not None and not groups:
        raise click.UsageError(f"--corpus belongs to a file ending in {GROUPS_ENDING}, and none is given; leave it out")
    target = None if json_path in (None, "-") else Path(json_path)
    prepare_targets([target] if target else [])
    plain = tuple(path for path in suites if not path.endswith(GROUPS_ENDING))
    grouped = [load_groups(path, corpus) for path in groups]
    loaded = [] if groups and not plain else load_suites(plain, bundled=bundled, split=split, project=project)
    loaded += grouped
    warn_of_languages(loaded, models, chosen)
    policy = Policy(read=read)
    with show_progress() as progress:
        evaluation = evaluate(
            loaded,
            chosen,
            ks=(),
            depth=1,
            embedder=models.embedder,
            models=models.own,
            reranker=models.reranker,
            progress=progress,
        )
    measured = [
        [measure_retries(suite, variant, policy=policy, budget=budget, seed=seed) for variant in result.variants]
        for suite, result in zip(loaded, evaluation.suites, strict=True)
    ]
    values = {
        "schema": 1,
        "manifest": {**evaluation.manifest, "policy": str(policy), "searches": budget, "seed": seed},
        "versions": dict(evaluation.versions),
        "retries": [to_json_value(one) for each in measured for one in each],
    }
    text = render_json(values) + "\n"
    if target is not None:
        write_evaluation(text, target)
    if json_path == "-":
        echo_json(text, end="")
    else:
        blocks = [
            render_retries(suite.name, len(suite.corpus.documents), str(policy), each)
            for suite, each in zip(loaded, measured, strict=True)
        ]
        echo("\n\n".join(blocks))
    if any(one.ungradable for each in measured for one in each):
        echo("memeval: some needs are ungradable; exit 2", err=True)
        raise click.exceptions.Exit(EXIT_HARNESS_ERROR)


def load_groups(path: str, corpus: Path | None) -> Suite:
    """The paraphrase groups of a file as a suite over the documents in `corpus`.

    Raises:
        click.UsageError: there is no such file, or no corpus is given.
        BenchmarkFormatError: the file or the corpus is broken.
    """
    from memeval.testbed.importers import ImportOptions, find_importer

    if not Path(path).is_file():
        what = "is no file" if Path(path).exists() else "does not exist"
        raise click.UsageError(f"{path}: {what}; give a file of paraphrase groups")
    if corpus is None:
        raise click.UsageError(f"{path} asks for documents that are not in it; name their folder with --corpus")
    options = ImportOptions(corpus=corpus)
    return find_importer("paraphrases").load(path, licence=GROUPS_LICENCE, options=options).suites[0]


@click.command()
@click.argument("suites", nargs=-1, type=Place(), metavar="[SUITE | BEIR_DIR | FOLDER]...")
@click.option("--bundled", is_flag=True, help="The suites that come with memeval, wherever you are.")
@click.option(
    "-v",
    "--variant",
    "variants",
    type=TEXT,
    multiple=True,
    metavar="NAME",
    help="A variant under test. Repeatable. Default: those of the project's settings, else the engine's own.",
)
@click.option(
    "--sessions",
    multiple=True,
    type=Place(exists=True, path_type=Path),
    metavar="PATH",
    help="Recorded sessions or their events: what was really asked of the stores. Repeatable.",
)
@RECORDED_AT_OPTION
@MINUTES_OPTION
@model_options
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the bounds that are drawn.")
@SPLIT_OPTION
@PROJECT_OPTION
@click.option(
    "-o",
    "--out",
    type=Place(file_okay=False, path_type=Path),
    help="Folder for evaluation.json and a report with a page on the signals. Default: none is written.",
)
@click.option(
    "--json",
    "json_path",
    type=Place(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Write the verdicts here as well; '-' is standard output (and no text).",
)
@external_options
def signals(
    suites: tuple[str, ...],
    bundled: bool,
    variants: tuple[str, ...],
    sessions: tuple[Path, ...],
    recorded_at: tuple[str, ...],
    minutes: float,
    wanted_models: ModelOptions,
    seed: int,
    split: str | None,
    project: str | None,
    out: Path | None,
    json_path: str | None,
    others: tuple[Variant, ...],
) -> None:
    """Is plain text still enough? If not: which is the cheapest stage that cures it?

    A verdict for each suite, language and variant. Where too many first wordings match no file that answers, the same
    needs are run up a ladder: another profile, aliases, and with --embedder a local embedding. Limits and ladder are
    set in [tool.memeval.signals] of pyproject.toml.

    Exits with 0 for stay or quiet, 1 for a stage or neither, 2 for too little data or something ungradable.

    \b
    memeval signals queries/ops-zh.recall.yaml --variant article
    memeval signals notes.recall.yaml --sessions ~/.claude/projects --out reports/signals
    """
    from memeval.bench.counterfactuals import HYBRID
    from memeval.bench.jsonvalues import to_json_value
    from memeval.bench.record import render_json
    from memeval.bench.signals import find_status, measure_signals
    from memeval.report.markdown import REPORT_FILE, write_report
    from memeval.report.page import PAGE_FILE, write_page
    from memeval.report.signaltext import render_signals

    rules = load_signal_rules(Path())
    if recorded_at and not sessions:
        raise click.UsageError("--recorded-at changes nothing without --sessions; add that, or leave it out")
    step = [HYBRID] if wanted_models.embedder is not None else []
    models, chosen = wanted_models.choose(variants or rules.variants or (DEFAULT_PROFILE,), *step)
    chosen = add_others(chosen, others)
    target = None if json_path in (None, "-") else Path(json_path)
    files = [] if out is None else [out / EVALUATION_FILE, out / REPORT_FILE, out / PAGE_FILE]
    prepare_targets([*files, *([target] if target else [])])
    loaded = load_suites(suites, bundled=bundled, split=split, project=project)
    replays = build_replays(loaded, sessions, recorded_at, minutes) if sessions else {}
    with show_progress() as progress:
        evaluation = measure_signals(
            loaded,
            chosen,
            rules,
            replays=replays,
            embedder=models.embedder,
            models=models.own,
            reranker=models.reranker,
            seed=seed,
            progress=progress,
        )
    if models.embedder is not None and not is_asked(models, chosen, evaluation.signals):
        said = "a model is asked where a trigger fires, and none does"
        echo(f"memeval: note: --embedder {wanted_models.embedder} was not asked: {said}", err=True)
    status = find_status(evaluation.signals)
    values = {
        "schema": 1,
        "exit_code": status,
        "rules": to_json_value(rules),
        "signals": to_json_value(evaluation.signals),
        "manifest": dict(evaluation.manifest),
        "versions": dict(evaluation.versions),
        "timings": dict(evaluation.timings),
    }
    text = render_json(values) + "\n"
    if target is not None:
        write_evaluation(text, target)
    written = []
    if out is not None:
        written = [write_evaluation(evaluation.to_json(), out / EVALUATION_FILE), *write_report(evaluation, out)]
        written += write_page(evaluation, out)
    if json_path == "-":
        echo_json(text, end="")
    else:
        echo(render_signals(evaluation))
        if written:
            echo(f"\n{out}/: {', '.join(path.name for path in written)}")
    if status:
        raise click.exceptions.Exit(status)


def is_asked(models: Models, variants: Sequence[Variant], verdicts: Sequence[SignalVerdict]) -> bool:
    """Whether the model of --embedder had a say: in a variant under test, or up a ladder."""
    own = [models.own.get(variant.model) for variant in variants if variant.model is not None]
    return models.embedder in own or any(one.needs_embedder for one in variants) or any(one.stages for one in verdicts)


def build_replays(
    suites: Sequence[Suite], paths: Sequence[Path], recorded_at: Sequence[str], minutes: float
) -> dict[str, Replay]:
    """{name of a suite: the recorded needs over its store}; what could not be asked again is told on stderr.

    Raises:
        TranscriptError: nothing that a reader takes.
    """
    from memeval.bench.replay import build_replay
    from memeval.sessions import judge_existence

    roots = [Path(suite.corpus.root) for suite in suites if suite.corpus.root is not None]
    recording = read_sources(paths, roots, None, strict=False)
    needs = find_recorded(recording, minutes)
    existence = judge_existence(needs, recording.events)
    replays = {}
    for suite in suites:
        root = suite.corpus.root
        folders = [*recorded_at, *(list_spellings([Path(root)]) if root is not None else [])]
        replay = build_replay(needs, suite, folders=folders, existence=existence)
        told = ", ".join(f"{number} × {reason}" for reason, number in replay.left_out.items())
        asked = f"{suite.name}: {count(len(replay.suite.needs), 'recorded need')} asked again"
        echo(f"memeval: {asked}{f'; left out: {told}' if told else ''}", err=True)
        replays[suite.name] = replay
    return replays
