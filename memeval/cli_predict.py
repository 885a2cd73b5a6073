"""The verb `sessions predict`: did a suite, or an earlier half, foretell how often agents ask again?"""

from __future__ import annotations

import json
from pathlib import Path

import click

from memeval.cli_models import ModelOptions, Models, model_options
from memeval.cli_parameters import TEXT, Place, is_given
from memeval.cli_process import EXIT_HARNESS_ERROR, echo, echo_json
from memeval.cli_sessions import (
    MINUTES_OPTION,
    RECORDED_AT_OPTION,
    find_recorded,
    list_spellings,
    read_sources,
    source_options,
    tell_dropped,
)
from memeval.memory.profile import DEFAULT_PROFILE

SUITE_OPTIONS = (
    ("--variant", "variant"),
    ("--embedder", "embedder"),
    ("--reranker", "reranker"),
    ("--download", "download"),
    ("--vectors", "vectors"),
)
"""(option, parameter) that act on a suite alone."""


@click.command("predict")
@source_options
@MINUTES_OPTION
@click.option(
    "--suite",
    "suites",
    multiple=True,
    type=Place(exists=True, path_type=Path),
    metavar="SUITE",
    help="A suite over the same store, worded by somebody who has not seen the recording. Repeatable.",
)
@click.option(
    "-v",
    "--variant",
    default=DEFAULT_PROFILE,
    show_default=True,
    type=TEXT,
    metavar="NAME",
    help="The variant that agents searched with.",
)
@RECORDED_AT_OPTION
@model_options
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the bounds that are drawn.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
def predict_sessions(
    paths: tuple[Path, ...],
    stores: tuple[Path, ...],
    reader_name: str | None,
    strict: bool,
    minutes: float,
    suites: tuple[Path, ...],
    variant: str,
    recorded_at: tuple[str, ...],
    wanted_models: ModelOptions,
    seed: int,
    as_json: bool,
) -> None:
    """Did a suite, or the earlier half of the recording, foretell how often agents ask again?

    Without a suite the needs up to half of the recording are held against those after it. A suite distilled from a
    recording is refused: it would foretell itself. "Insufficient data" is a proper answer; the exit code is 0, and 2
    where a wording of a suite could not be graded.

    \b
    memeval sessions predict ~/mem/searchlog.jsonl
    memeval sessions predict events.jsonl --suite queries/shop.recall.yaml --variant article
    """
    from memeval.bench.gate import has_ungradable
    from memeval.bench.prediction import count_retries, predict_from_half, predict_from_suite
    from memeval.bench.run import evaluate
    from memeval.bench.suite import load_suite
    from memeval.report.prediction import describe_predictions, write_predictions
    from memeval.retrieval.recipes import find_variant

    for option, name in SUITE_OPTIONS:
        if is_given(name) and not suites:
            raise click.UsageError(f"{option} changes nothing without --suite, which is asked of it; add one")
    chosen = find_variant(variant)
    models = wanted_models.choose((chosen.name,))[0] if suites else Models()
    loaded = [load_suite(path) for path in suites]
    roots = [Path(suite.corpus.root) for suite in loaded if suite.corpus.root is not None]
    recording = read_sources(paths, (*stores, *roots), reader_name, strict=strict)
    needs = find_recorded(recording, minutes)
    folders = (*recorded_at, *list_spellings([*stores, *roots]))
    predictions = [predict_from_half(needs)]
    broken = []
    for suite in loaded:
        evaluation = evaluate(
            suite,
            [chosen],
            ks=(),
            depth=1,
            seed=seed,
            embedder=models.embedder,
            models=models.own,
            reranker=models.reranker,
        )
        broken += [suite.name] if has_ungradable(evaluation) else []
        queries = evaluation.suites[0].variants[0].queries
        predictions += predict_from_suite(suite, chosen.name, queries, needs, folders=folders, seed=seed)
    came = count_retries(needs)
    if as_json:
        echo_json(json.dumps(describe_predictions(came, predictions), ensure_ascii=False, allow_nan=False))
    else:
        echo("\n".join(write_predictions(came, predictions)))
        tell_dropped(recording)
    if broken:
        told = f"some wordings of {', '.join(broken)} are ungradable (`memeval run -v {chosen.name}` says why)"
        echo(f"memeval: {told}; exit 2", err=True)
        raise click.exceptions.Exit(EXIT_HARNESS_ERROR)
