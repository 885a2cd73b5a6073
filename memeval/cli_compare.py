"""`memeval compare`: did a change hurt?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memeval.cli_checkout import describe_checkout, open_evaluation
from memeval.cli_parameters import TEXT, Place, check_target, is_given
from memeval.cli_process import echo, echo_json
from memeval.cli_server import append_step_summary, write_comment
from memeval.errors import UnknownNameError
from memeval.memory.disk import replace_file
from memeval.text import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memeval.bench.comparison import Comparison
    from memeval.bench.evaluation import Evaluation


@click.command()
@click.argument("base", type=TEXT)
@click.argument("head", type=TEXT, default="latest")
@click.option(
    "-g",
    "--gate",
    "gates",
    type=TEXT,
    multiple=True,
    metavar="METRIC:NEEDS",
    help="Fail when more needs are lost, net, as in success@5:2needs. Exactly at the limit passes. Up to four.",
)
@click.option(
    "--allow",
    "allowed",
    type=TEXT,
    multiple=True,
    metavar="KIND:NAME",
    help="What may vanish: suite:, variant:, need:, wording:, metric: or promise: and its name. Repeatable.",
)
@click.option(
    "--require-significance",
    is_flag=True,
    help="A gate fails only where the exact paired test calls it a loss (p 0.05, Holm), too.",
)
@click.option("--suite", "suites", type=TEXT, multiple=True, metavar="NAME", help="Compare this suite. Repeatable.")
@click.option(
    "-v", "--variant", "variants", type=TEXT, multiple=True, metavar="NAME", help="Compare this variant. Repeatable."
)
@click.option(
    "--unjudged",
    type=click.Choice(["open", "wrong"]),
    default="open",
    show_default=True,
    help="A file that nobody judged may be an answer, which leaves a gate undecided, or is none.",
)
@click.option(
    "--patch",
    type=Place(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the files that nobody judged here, as YAML to fill in.",
)
@click.option("--front", is_flag=True, help="Show found against bytes against time, for every variant of HEAD.")
@click.option("--json", "as_json", is_flag=True, help="The whole comparison as JSON.")
def compare(
    base: str,
    head: str,
    gates: tuple[str, ...],
    allowed: tuple[str, ...],
    require_significance: bool,
    suites: tuple[str, ...],
    variants: tuple[str, ...],
    unjudged: str,
    patch: Path | None,
    front: bool,
    as_json: bool,
) -> None:
    """Say what HEAD (the last run) lost and won against BASE.

    BASE and HEAD are a saved baseline (its number, name, branch or commit), `baseline` for the committed one, `latest`
    for the last run, a branch or commit of git whose committed baseline is meant, or an evaluation file.

    \b
    memeval compare baseline
    memeval compare main --gate success@5:2needs --gate found:0needs
    memeval compare 3 4 --allow need:redis-port-clash --json

    Where GITHUB_STEP_SUMMARY names a file, the comparison is appended to it as Markdown; where MEMEVAL_COMMENT does,
    the text of a comment is written to it.

    \b
    Exit codes: 0 clean, 1 a must-find need, a gate or a part is lost, 2 unusable or nothing to compare,
    3 invalid: another corpus, cutoff or cap.
    """
    from memeval.bench import comparison as bench
    from memeval.bench.measures import parse_gates
    from memeval.report.comparison import render_comparison

    rules = bench.Rules(
        gates=parse_gates(gates),
        allowed=frozenset(allowed),
        require_significance=require_significance,
        suites=suites,
        variants=variants,
        is_complete=unjudged == "wrong",
    )
    for text in allowed:
        kind, _, name = text.partition(":")
        if kind not in bench.ALLOWED_KINDS or not name:
            raise click.UsageError(f"--allow {text}: write one of {', '.join(bench.ALLOWED_KINDS)}, a colon and a name")
    if not gates:
        for option, name in (("--require-significance", "require_significance"), ("--unjudged", "unjudged")):
            if is_given(name):
                raise click.UsageError(f"{option} changes nothing without --gate; add one, or leave it out")
    if patch is not None:
        check_target(patch)
    old, new = open_evaluation(base), open_evaluation(head)
    check_choice("suite", suites, [suite.name for run in (old, new) for suite in run.evaluation.suites])
    check_choice("variant", variants, list_variants(old.evaluation, new.evaluation))
    head_side = new.side
    if head == "latest" and head_side.commit is None:
        head_side = bench.Side(label=head_side.label, commit=describe_checkout().commit)
    compared = bench.compare(old.evaluation, new.evaluation, rules, base_side=old.side, head_side=head_side)
    if as_json:
        from memeval.bench.encoding import encode_comparison
        from memeval.bench.record import render_json

        echo_json(render_json(encode_comparison(compared)))
    else:
        echo(render_comparison(compared, front=front))
    if patch is not None:
        write_patch(compared, patch)
    publish(compared)
    raise click.exceptions.Exit(compared.exit_code)


def publish(compared: Comparison) -> None:
    """Give a build server what it shows, where its variables ask for it."""
    from memeval.report.comment import render_comment

    comment = render_comment(compared)
    problem = append_step_summary(comment)
    if problem is not None:
        echo(problem, err=True)
    write_comment(comment)


def check_choice(kind: str, chosen: Sequence[str], known: Sequence[str]) -> None:
    """Raise UnknownNameError for a name that neither run has."""
    for name in chosen:
        if name not in known:
            raise UnknownNameError(kind, name, set(known))


def list_variants(*evaluations: Evaluation) -> list[str]:
    """The names of all variants, controls left out."""
    return [
        variant.name
        for evaluation in evaluations
        for suite in evaluation.suites
        for variant in suite.variants
        if not variant.control
    ]


def write_patch(compared: Comparison, path: Path) -> None:
    """Write down what nobody judged; told on stderr, since the output may be JSON."""
    from memeval.bench.debt import render_patch

    replace_file(path, render_patch(compared.debt), str(path))
    echo(f"{path}: {count(len(compared.debt), 'document')} to judge", err=True)
