"""`memeval baseline`: evaluations that are kept to be compared with."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memeval.cli_checkout import (
    BASELINES,
    COMMITTED,
    EVALUATION_FILE,
    LATEST,
    describe_checkout,
    open_evaluation,
)
from memeval.cli_parameters import TEXT
from memeval.cli_process import EXIT_HARNESS_ERROR, EXIT_REGRESSION, Verbs, echo, echo_json
from memeval.memory.disk import replace_file
from memeval.memory.profile import DEFAULT_PROFILE
from memeval.text import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memeval.bench.baseline import Baseline, Stamp
    from memeval.bench.evaluation import Evaluation

BLESSINGS_FILE = "blessed.md"
MAX_NAMED = 5
"""Suites and variants named that a new baseline lacks; the record has all."""
_TITLE = "# Why this baseline is as it is\n\nNewest first.\n"


@click.group("baseline", cls=Verbs)
def baseline_group() -> None:
    """Keep evaluations to compare with: saved here, or blessed and committed.

    \b
    memeval baseline save --name before-tokenizer
    memeval baseline list
    memeval baseline bless --why "two needs lost to a shorter cap, as agreed"
    """


@baseline_group.command()
@click.argument("evaluation", type=TEXT, default="latest")
@click.option("--name", type=TEXT, help="A name to find it by, one that none has yet. Named ones are not pruned.")
@click.option("--replace", "is_replaced", is_flag=True, help="With --name: remove the one that has the name.")
def save(evaluation: str, name: str | None, is_replaced: bool) -> None:
    """Keep an EVALUATION (the last run) under the next number, with its branch and commit.

    \b
    memeval baseline save
    memeval baseline save reports/before/evaluation.json --name before-tokenizer
    """
    from memeval.bench.baseline import check_name, find_namesakes, list_baselines, save_baseline
    from memeval.bench.gate import has_ungradable

    if is_replaced and name is None:
        raise click.UsageError("--replace changes nothing without --name; add that, or leave it out")
    namesakes = () if name is None else find_namesakes(check_name(name), list_baselines(BASELINES))
    if namesakes and not is_replaced:
        raise click.UsageError(
            f"--name {name} is taken by {', '.join(f'{one.path} ({one.label})' for one in namesakes)}; choose another "
            f"name, or remove that one: --replace with this, or `memeval baseline prune {name}`"
        )
    opened = open_evaluation(evaluation)
    saved = save_baseline(opened.evaluation, make_stamp(name=name), BASELINES)
    echo(f"{saved.path}: {saved.label}, from {opened.side.label}")
    for one in namesakes:
        one.path.unlink()
        echo(f"removed {one.path}: {one.label}")
    if saved.stamp.is_dirty:
        echo("memeval: the checkout has changes that no commit holds; the baseline says so", err=True)
    if has_ungradable(opened.evaluation):
        echo("memeval: some of its wordings are ungradable; whatever is compared with it exits 2", err=True)


@baseline_group.command("list")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def list_saved(as_json: bool) -> None:
    """List the saved baselines, the newest last, and the committed one.

    \b
    memeval baseline list
    """
    from memeval.bench.baseline import list_baselines, read_head

    saved = [*list_baselines(BASELINES)]
    committed = COMMITTED / EVALUATION_FILE
    if committed.is_file():
        saved.append(read_head(committed))
    if as_json:
        echo_json(json.dumps([describe(one) for one in saved], ensure_ascii=False, indent=1))
        return
    if not saved:
        echo(
            f"no baseline is saved in {BASELINES}/ (`memeval baseline save`), "
            f"and none is committed in {COMMITTED}/ (`memeval baseline bless`)"
        )
        return
    echo(f"{BASELINES}/: {count(len(saved) - committed.is_file(), 'baseline')}")
    for one in saved:
        echo(tell(one))


@baseline_group.command()
@click.argument("baseline", type=TEXT)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def show(baseline: str, as_json: bool) -> None:
    """Show what a BASELINE is: where it comes from, what was measured on what, and why it was accepted.

    \b
    memeval baseline show 3
    memeval baseline show baseline
    """
    from memeval.bench.baseline import find_baseline, list_baselines, read_head, unknown_baseline

    saved = list_baselines(BASELINES)
    place = {"baseline": COMMITTED, "latest": LATEST}.get(baseline)
    found = find_baseline(baseline, saved) if place is None else read_head(place / EVALUATION_FILE)
    if found is None:
        raise unknown_baseline(baseline, saved)
    evaluation = open_evaluation(baseline).evaluation
    if as_json:
        told = {**describe(found), "manifest": dict(evaluation.manifest), "versions": dict(evaluation.versions)}
        echo_json(json.dumps(told, ensure_ascii=False, indent=1))
        return
    echo(tell(found))
    echo(tell_content(evaluation))
    for line in (found.stamp.why, *found.stamp.changes):
        if line is not None:
            echo(f"  {line}")


@baseline_group.command()
@click.argument("evaluation", type=TEXT, default="latest")
@click.option("--why", type=TEXT, required=True, help="Why what changed is accepted. It is kept with the baseline.")
@click.option(
    "-v",
    "--variant",
    "variants",
    type=TEXT,
    multiple=True,
    metavar="NAME",
    help=f"A variant whose must-find needs have to hold. Repeatable. Default: {DEFAULT_PROFILE}.",
)
@click.option("--depth", type=click.IntRange(min=1), help="Ranks kept per query. Default: as many as were stored.")
def bless(evaluation: str, why: str, variants: tuple[str, ...], depth: int | None) -> None:
    """Accept an EVALUATION (the last run) as the committed baseline, with what changed and why.

    Refused while something is ungradable, or a must-find need is not found under every order of equal scores.

    \b
    memeval baseline bless --why "BM25 k1 1.2: five needs won, one lost that nobody asks"
    """
    from memeval.bench.baseline import render_baseline, trim_depth
    from memeval.bench.evaluation import Evaluation
    from memeval.bench.gate import has_ungradable
    from memeval.report import write_report

    if not why.strip():
        raise click.UsageError("--why is empty; say in a line why what changed is accepted")
    opened = open_evaluation(evaluation)
    accepted = opened.evaluation if depth is None else trim_depth(opened.evaluation, depth)
    if has_ungradable(accepted):
        echo("memeval: some wordings are ungradable; nothing was blessed", err=True)
        raise click.exceptions.Exit(EXIT_HARNESS_ERROR)
    if report_unsafe(accepted, variants or (DEFAULT_PROFILE,)):
        raise click.exceptions.Exit(EXIT_REGRESSION)
    file = COMMITTED / EVALUATION_FILE
    previous = Evaluation.load(file) if file.is_file() else None
    stamp = make_stamp(why=" ".join(why.split()), changes=list_changes(previous, accepted))
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_file(file, render_baseline(accepted, stamp), str(file))
    add_blessing(stamp, COMMITTED / BLESSINGS_FILE)
    write_report(accepted, COMMITTED)
    changes = f"{count(len(stamp.changes), 'change')} against the one before" if previous else "the first one"
    echo(f"{file}: blessed, from {opened.side.label}; {changes}")
    echo(f"Commit {COMMITTED}/; {BLESSINGS_FILE} says why.")
    gone = [] if previous is None else list_gone(previous, accepted)
    if gone:
        named = ", ".join(gone[:MAX_NAMED]) + f" and {len(gone) - MAX_NAMED} more" * (len(gone) > MAX_NAMED)
        echo(f"memeval: no longer in the baseline: {named}; was the run meant to be of all that was in it?", err=True)


@baseline_group.command()
@click.argument("baselines", type=TEXT, nargs=-1)
@click.option("--keep", type=click.IntRange(min=0), help="Keep the newest of each branch, this many, and named ones.")
def prune(baselines: tuple[str, ...], keep: int | None) -> None:
    """Remove saved BASELINES, or all but the newest. The committed one stays.

    \b
    memeval baseline prune 3 before-tokenizer
    memeval baseline prune --keep 5
    """
    from memeval.bench.baseline import choose_prunable, find_baseline, list_baselines, unknown_baseline

    if bool(baselines) == (keep is not None):
        raise click.UsageError("name baselines, or say --keep NUMBER")
    saved = list_baselines(BASELINES)
    chosen = [*choose_prunable(saved, keep)] if keep is not None else []
    for address in baselines:
        found = find_baseline(address, saved)
        if found is None:
            raise unknown_baseline(address, saved)
        chosen.append(found)
    for one in dict.fromkeys(chosen):
        one.path.unlink()
        echo(f"removed {one.path}: {one.label}")
    echo(f"{count(len(saved) - len(dict.fromkeys(chosen)), 'baseline')} left in {BASELINES}/")


def make_stamp(*, name: str | None = None, why: str | None = None, changes: Sequence[str] = ()) -> Stamp:
    """What is known today, here, of an evaluation that is kept."""
    from memeval.bench.baseline import Stamp

    checkout = describe_checkout()
    return Stamp(
        name=name,
        branch=checkout.branch,
        commit=checkout.commit,
        is_dirty=checkout.is_dirty,
        saved_on=datetime.datetime.now().astimezone().date().isoformat(),
        why=why,
        changes=tuple(changes),
    )


def list_gone(previous: Evaluation, accepted: Evaluation) -> list[str]:
    """The suites that a baseline had and has no more, then the variants that no suite has any more, a name each."""
    left = {f"suite {suite.name}" for suite in accepted.suites}
    left |= {f"variant {variant.name}" for suite in accepted.suites for variant in suite.variants}
    had = [f"suite {suite.name}" for suite in previous.suites]
    had += [f"variant {variant.name}" for suite in previous.suites for variant in suite.variants]
    return [name for name in dict.fromkeys(had) if name not in left]


def list_changes(previous: Evaluation | None, accepted: Evaluation) -> tuple[str, ...]:
    """What is not as it was, a line each; () for the first baseline."""
    from memeval.bench.comparison import compare
    from memeval.report import comparison

    return () if previous is None else comparison.list_changes(compare(previous, accepted))


def report_unsafe(evaluation: Evaluation, variants: Sequence[str]) -> int:
    """The number of must-find needs that do not hold for these variants under every order of ties, each on stderr.

    Raises:
        click.UsageError: a variant that was not run.
    """
    from memeval.bench.promises import find_unsafe_promises

    unsafe = 0
    for name in variants:
        measured = [(suite.name, v) for suite in evaluation.suites for v in suite.variants if v.name == name]
        if not measured:
            raise click.UsageError(
                f"--variant {name} was not run; name one that was, whose must-find needs have to hold"
            )
        for promise in (one for suite, variant in measured for one in find_unsafe_promises(suite, variant)):
            unsafe += 1
            echo(
                f"must find: {promise.suite} · {promise.variant}: {promise.name} ({', '.join(promise.texts)})", err=True
            )
    if unsafe:
        needs = count(unsafe, "must-find need")
        echo(f"memeval: {needs} not found under every order of equal scores; nothing was blessed", err=True)
    return unsafe


def add_blessing(stamp: Stamp, path: Path) -> None:
    """Put a new entry on top of the record of blessings."""
    from memeval.report.notation import escape_prose

    before = path.read_text(encoding="utf-8") if path.is_file() else _TITLE
    entries = before.removeprefix(_TITLE)
    known = [stamp.saved_on, stamp.commit and stamp.commit[:7], stamp.branch and escape_prose(stamp.branch)]
    lines = [f"## {' · '.join(part for part in known if part)}", "", escape_prose(stamp.why or "", 2_000), ""]
    lines += [f"- {escape_prose(change)}" for change in stamp.changes] + ([""] if stamp.changes else [])
    replace_file(path, _TITLE + "\n" + "\n".join(lines) + entries, str(path))


def describe(baseline: Baseline) -> dict[str, object]:
    """A baseline as JSON values, without its results."""
    from dataclasses import asdict

    stamp = asdict(baseline.stamp)
    return {"path": baseline.path.as_posix(), "number": baseline.number, **stamp, "problem": baseline.problem}


def tell(baseline: Baseline) -> str:
    """A baseline in one line."""
    stamp = baseline.stamp
    if baseline.problem is not None:
        return f"{baseline.path}: cannot be read ({baseline.problem})"
    number = f"{baseline.number:>4}" if baseline.number is not None else str(COMMITTED)
    known = [stamp.saved_on, stamp.branch, stamp.commit and stamp.commit[:7], stamp.name, stamp.why]
    parts = [part for part in known if part] or ["says nothing of where it comes from"]
    return f"{number}  {'  '.join(parts)}{'  (with uncommitted changes)' if stamp.is_dirty else ''}"


def tell_content(evaluation: Evaluation) -> str:
    """What was measured on what, in one line."""
    suites = evaluation.suites
    variants = dict.fromkeys(variant.name for suite in suites for variant in suite.variants)
    needs, wordings = sum(suite.needs for suite in suites), sum(suite.wordings for suite in suites)
    measured = [count(len(suites), "suite"), ", ".join(variants)]
    measured += [f"{count(needs, 'need')}, {count(wordings, 'wording')}"]
    return " · ".join([*measured, f"depth {evaluation.manifest.get('depth', 'unknown')}"])
