"""The command line of corpora: `memeval corpus lint|describe`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memeval.cli_parameters import PROJECT_OPTION, SPLIT_OPTION, Place, refuse_idle_reading
from memeval.cli_process import EXIT_REGRESSION, Verbs, echo, echo_json, warn_of_unreadable
from memeval.text import count

if TYPE_CHECKING:
    from memeval.testbed.lint import Finding
    from memeval.testbed.needs import Suite


@click.group("corpus", cls=Verbs)
def corpus_group() -> None:
    """Describe a memory store, check suites and their corpora, generate a made-up one.

    \b
    memeval corpus describe ~/notes
    memeval corpus lint queries/ops-en.recall.yaml
    """


@corpus_group.command()
@click.argument("suites", nargs=-1, type=Place(), metavar="[SUITE | BEIR_DIR | FOLDER]...")
@click.option("--bundled", is_flag=True, help="Check the suites that come with memeval, wherever you are.")
@click.option(
    "-k", "--k", "ks", multiple=True, type=click.IntRange(min=1), help="Cutoff to judge. Default: 1, 3, 5, 10."
)
@click.option("--aliases", "with_aliases", is_flag=True, help="Let a file's words include its aliases in aliases.yaml.")
@SPLIT_OPTION
@PROJECT_OPTION
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
def lint(
    suites: tuple[str, ...],
    bundled: bool,
    ks: tuple[int, ...],
    with_aliases: bool,
    split: str | None,
    project: str | None,
    as_json: bool,
) -> None:
    """Check suites for whatever would make their figures say something they should not.

    Without an argument: every suite below queries/. A folder's coverage.yaml is held against the suites below it, too.
    Exits 0 when there is no error (warnings do not count), 1 when there is one, 2 when something cannot be read.

    \b
    memeval corpus lint
    memeval corpus lint notes.recall.yaml -k 5
    """
    from memeval.bench.suite import bundled_folder, bundled_suites, expand_paths, load_suite
    from memeval.testbed.aliases import read_overlay
    from memeval.testbed.lint import DEFAULT_KS, ERROR, compute_kinds, lint_suite

    paths = list(suites)
    if not suites and not bundled:
        if not Path("queries").is_dir():
            raise click.UsageError(
                "there is no queries/ folder here. Name a suite or a BEIR folder, "
                "write a first suite with `memeval init STORE`, or take those that come with memeval: --bundled."
            )
        paths = ["queries"]
    places = (*(expand_paths(tuple(paths)) if paths else ()), *(bundled_suites() if bundled else ()))
    places = tuple(dict.fromkeys(places))
    refuse_idle_reading(places, split=split, project=project)
    reports: list[tuple[Suite, tuple[Finding, ...], Mapping[str, str]]] = []
    given = False
    for place in places:
        suite = load_suite(place, split=split, project=project)
        warn_of_unreadable(suite.corpus.root, suite.corpus.unreadable)
        aliases = read_overlay(suite.corpus) if with_aliases else {}
        given = given or bool(aliases)
        reports.append((suite, lint_suite(suite, aliases, ks or DEFAULT_KS), compute_kinds(suite, aliases)))
    if with_aliases and not given:
        raise click.UsageError("--aliases changes nothing: no corpus has aliases in an aliases.yaml; leave it out")
    folders = [Path(path) for path in paths] + ([bundled_folder()] if bundled else [])
    drift = [message for folder in folders for message in check_ledger(folder)]
    errors = len(drift) + sum(finding.severity == ERROR for _, findings, _ in reports for finding in findings)
    if as_json:
        echo_json(json.dumps(describe_reports(reports, drift), ensure_ascii=False, allow_nan=False))
    else:
        for suite, findings, kinds in reports:
            for finding in findings:
                echo(str(finding))
            echo(summarise_suite(suite, findings, kinds))
        for message in drift:
            echo(f"{message} [coverage]")
    if errors:
        raise click.exceptions.Exit(EXIT_REGRESSION)


@corpus_group.command()
@click.argument("path", type=Place(path_type=Path))
@PROJECT_OPTION
def describe(path: Path, project: str | None) -> None:
    """Say what the memory store at PATH is: its kind, files by tier, bytes, scripts, dates, near-duplicates, aliases.

    The store is read where it lies; nothing is copied or written. A file that cannot be read is named, and left out.

    \b
    memeval corpus describe ~/.zerostack/memory --project shop-1a2b3c4d
    """
    from memeval.testbed.aliases import read_overlay
    from memeval.testbed.corpus import load_corpus
    from memeval.testbed.description import describe_corpus, render_description

    corpus = load_corpus(path, project=project)
    warn_of_unreadable(str(path), corpus.unreadable)
    echo(render_description(describe_corpus(corpus, read_overlay(corpus))))


def check_ledger(folder: Path) -> tuple[str, ...]:
    """What the coverage ledger of a folder and the suites below it say differently; () without a ledger."""
    from memeval.bench.suite import find_suites, load_suite
    from memeval.testbed.coverage import LEDGER_FILE, check_coverage, load_coverage

    path = folder / LEDGER_FILE
    if not path.is_file():
        return ()
    suites = {suite.relative_to(folder).as_posix(): load_suite(suite) for suite in find_suites(folder)}
    return check_coverage(load_coverage(path), suites)


def summarise_suite(suite: Suite, findings: Iterable[Finding], kinds: Mapping[str, str]) -> str:
    """One line about a suite: what there is, how free wordings meet their files, how many findings."""
    from memeval.testbed.lint import ERROR, UNSEEN_WORDS

    queries = suite.queries()
    free = [kinds[query.id] for query in queries if query.wording.elicited == "free" and query.id in kinds]
    unseen = f", {free.count(UNSEEN_WORDS)} of {len(free)} free ones share no word with the answer" if free else ""
    severities = [finding.severity for finding in findings]
    errors = severities.count(ERROR)
    found = f"{count(errors, 'error')}, {count(len(severities) - errors, 'warning')}"
    asked = f"{count(len(suite.needs), 'need')}, {count(len(queries), 'wording')}"
    return f"{suite.path}: {asked} over {count(len(suite.corpus.documents), 'file')}{unseen}: {found}"


def describe_reports(
    reports: Iterable[tuple[Suite, tuple[Finding, ...], Mapping[str, str]]], drift: list[str]
) -> dict[str, Any]:
    """Findings, kinds of wordings as computed, and where the ledger is wrong, for JSON."""
    return {
        "suites": [
            {
                "suite": suite.name,
                "path": suite.path,
                "needs": len(suite.needs),
                "wordings": len(suite.queries()),
                "findings": [asdict(finding) for finding in findings],
                "computed_kinds": dict(kinds),
            }
            for suite, findings, kinds in reports
        ],
        "coverage": drift,
    }
