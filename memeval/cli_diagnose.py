"""The verb that says why something was missed: `memeval diagnose`."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memeval.cli_external import add_others, external_options
from memeval.cli_models import ModelOptions, model_options
from memeval.cli_parameters import PROJECT_OPTION, SPLIT_OPTION, TEXT, Place
from memeval.cli_process import EXIT_HARNESS_ERROR, echo, echo_json
from memeval.cli_run import load_suites, prepare_targets, show_progress, write_evaluation
from memeval.memory.profile import DEFAULT_PROFILE
from memeval.text import count

if TYPE_CHECKING:
    from memeval.bench.missdiagnosis import Diagnosis
    from memeval.retrieval.base import Variant
    from memeval.testbed.needs import Suite


@click.command()
@click.argument("suite", type=Place(), metavar="SUITE")
@click.argument("needs", nargs=-1, type=TEXT, metavar="[NEED]...")
@click.option(
    "-v",
    "--variant",
    "variants",
    type=TEXT,
    multiple=True,
    metavar="NAME",
    help="Whose misses, 'all' for every variant's. Repeatable. Default: memeval.",
)
@click.option(
    "-k",
    "--k",
    "k",
    type=click.IntRange(min=1),
    metavar="N",
    help="A file that is not among the first N is missed, too. Default: every file shown counts.",
)
@model_options
@SPLIT_OPTION
@PROJECT_OPTION
@click.option(
    "--json",
    "json_path",
    type=Place(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Write it here as well; '-' is standard output (and no text).",
)
@external_options
def diagnose(
    suite: str,
    needs: tuple[str, ...],
    variants: tuple[str, ...],
    k: int | None,
    wanted_models: ModelOptions,
    split: str | None,
    project: str | None,
    json_path: str | None,
    others: tuple[Variant, ...],
) -> None:
    """Why was it missed, and what is the cheapest cure?

    Every wording of SUITE that misses its file is asked again with one thing changed: other words, a larger cap,
    another profile, a store without near-duplicates or with aliases, and so on. What finds the file is its cure; which
    of them do says what kind of miss it is. A local embedding is tried with --embedder alone.

    Exits with 0 however much is missed, with 2 when something could not be graded.

    \b
    memeval diagnose queries/ops-en.recall.yaml
    memeval diagnose queries/ops-zh.recall.yaml m-costs --variant article
    memeval diagnose queries/ops-en.recall.yaml --k 5 --embedder universal-sentence-encoder --json why.json
    """
    from memeval.bench.counterfactuals import HYBRID
    from memeval.bench.jsonvalues import to_json_value
    from memeval.bench.missdiagnosis import Diagnoser
    from memeval.bench.record import render_json
    from memeval.bench.run import build_settings, check_names
    from memeval.report.diagnosis import render_diagnosis

    tried = [HYBRID] if wanted_models.embedder is not None else []
    models, chosen = wanted_models.choose(variants or (DEFAULT_PROFILE,), *tried)
    chosen = add_others(chosen, others)
    target = None if json_path in (None, "-") else Path(json_path)
    prepare_targets([target] if target else [])
    loaded = load_suites((suite,), bundled=False, split=split, project=project)
    check_names(loaded)
    check_needs(loaded, needs)
    diagnoses: list[Diagnosis] = []
    with show_progress() as progress:
        for each in loaded:
            settings = build_settings(each, embedder=models.embedder, models=models.own, reranker=models.reranker)
            diagnoses += [Diagnoser(each, variant, settings, k).diagnose(needs, progress) for variant in chosen]
    values = [
        {
            "suite": one.suite,
            "variant": one.variant,
            "k": one.k,
            "wordings": one.wordings,
            "classes": one.classes,
            "cures": {name: {"cures": all_of, "cheapest": first} for name, (all_of, first) in one.cures.items()},
            "misses": to_json_value(one.misses),
            "ungraded": to_json_value(one.ungraded),
        }
        for one in diagnoses
    ]
    text = render_json({"schema": 1, "diagnoses": values}) + "\n"
    if target is not None:
        write_evaluation(text, target)
    if json_path == "-":
        echo_json(text, end="")
    else:
        echo("\n\n".join(map(render_diagnosis, diagnoses)))
    if any(one.ungraded for one in diagnoses):
        echo("memeval: some wordings are ungradable; exit 2", err=True)
        raise click.exceptions.Exit(EXIT_HARNESS_ERROR)


def check_needs(suites: Sequence[Suite], need_ids: Sequence[str]) -> None:
    """Raise click.UsageError for an id that is no need of any of the suites."""
    known = [need.id for suite in suites for need in suite.needs]
    for need_id in need_ids:
        if need_id not in known:
            near = get_close_matches(need_id, known, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            names = ", ".join(suite.name for suite in suites)
            raise click.UsageError(
                f"no need {need_id!r} among the {count(len(known), 'need')} of {names}; give the id of one, without "
                f"the number of a wording.{hint}"
            )
