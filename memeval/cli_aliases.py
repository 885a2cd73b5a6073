"""The verbs of aliases: what a log teaches, what a person decided, what each of them does."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memeval.cli_models import refuse_model
from memeval.cli_parameters import PROJECT_OPTION, TEXT, Place, check_target
from memeval.cli_process import EXIT_REGRESSION, Verbs, echo, echo_json, quote_argument
from memeval.cli_run import load_suites, prepare_targets, show_progress, write_evaluation
from memeval.cli_sessions import MINUTES_OPTION, RECORDED_AT_OPTION, find_recorded, list_spellings, read_sources
from memeval.memory.disk import replace_file
from memeval.memory.profile import DEFAULT_PROFILE
from memeval.text import count

if TYPE_CHECKING:
    from memeval.bench.aliaslearning import LearningRules, Lesson
    from memeval.bench.aliaswriting import Applied
    from memeval.testbed.corpus import Corpus
    from memeval.testbed.needs import Suite

_WORDS_ALONE = "aliases are words, and what they do is told by a search of words alone, such as memeval"
_SUITE_ENDING = ".recall.yaml"
_GROUPS_ENDING = ".jsonl"

_ELSEWHERE = click.option(
    "--max-elsewhere",
    type=click.IntRange(min=0),
    help="Other files that may hold a term, or be asked for with it.  [default: 6]",
)
_JSON = click.option(
    "--json",
    "json_path",
    type=Place(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Write the figures here as well; '-' is standard output (and no text).",
)
_VARIANT = click.option(
    "-v", "--variant", "variant_name", type=TEXT, default=DEFAULT_PROFILE, show_default=True, help="Who is asked."
)


@click.group("aliases", cls=Verbs)
def aliases_group() -> None:
    """Other words for notes: learned from what was asked in vain, decided on by a person, measured one by one.

    \b
    memeval aliases suggest ~/mem/searchlog.jsonl --corpus ~/mem --out aliases.patch.yaml
    memeval aliases apply aliases.patch.yaml --root ~/mem
    memeval aliases ledger queries/ops-en.recall.yaml
    memeval aliases learn queries/ops-en.recall.yaml
    """


@aliases_group.command("suggest")
@click.argument("sources", nargs=-1, required=True, type=Place(exists=True, path_type=Path), metavar="SOURCE...")
@click.option(
    "--corpus",
    "--root",
    "corpus_path",
    type=Place(exists=True, file_okay=False, path_type=Path),
    help="The store that was searched, as it is now. A suite names its own.",
)
@PROJECT_OPTION
@RECORDED_AT_OPTION
@MINUTES_OPTION
@_VARIANT
@_ELSEWHERE
@click.option(
    "--min-needs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Needs in which a term was asked for the file in vain.",
)
@click.option(
    "-o",
    "--out",
    type=Place(dir_okay=False, path_type=Path),
    help="The patch to write. Default: it is printed.",
)
@click.option("--force", is_flag=True, help="Overwrite the patch if it exists: what was decided in it is lost.")
def suggest(
    sources: tuple[Path, ...],
    corpus_path: Path | None,
    project: str | None,
    recorded_at: tuple[str, ...],
    minutes: float,
    variant_name: str,
    max_elsewhere: int | None,
    min_needs: int,
    out: Path | None,
    force: bool,
) -> None:
    """Propose aliases: words that were asked in vain for a file that was read in the end, and that it does not hold.

    SOURCE is recorded sessions, a search log, their events; or offline one suite (*.recall.yaml), where the expected
    note stands for the file read. What comes out is a patch to be decided on: no entry of it is accepted yet, and
    nothing is written to the store.

    \b
    memeval aliases suggest ~/.claude/projects --corpus ~/mem --out aliases.patch.yaml
    memeval aliases suggest notes.recall.yaml --out aliases.patch.yaml
    """
    from memeval.bench.aliaslearning import propose_aliases
    from memeval.testbed.aliases import find_overlay
    from memeval.testbed.aliaspatch import render_patch

    if out is not None:
        if out.exists() and not force:
            raise click.UsageError(f"{out} exists; choose another --out, or --force to overwrite it")
        check_target(out)
    suites = [source for source in sources if source.name.endswith(_SUITE_ENDING)]
    if suites and len(sources) > 1:
        raise click.UsageError(
            "a suite is learned from by itself: each has a store of its own; give one of the sources"
        )
    if suites:
        if corpus_path is not None or recorded_at:
            raise click.UsageError(f"{suites[0]} names its own store; leave --corpus and --recorded-at out")
        suite, lessons, left_out = _learn_offline(suites[0], variant_name, project)
        corpus, suite_name = suite.corpus, suite.name
    else:
        if corpus_path is None:
            raise click.UsageError("--corpus is missing: the store that was searched, as it is now")
        suite_name = None
        corpus, lessons, left_out = _learn_recorded(sources, corpus_path, project, recorded_at, minutes)
    rules = _choose_rules(max_elsewhere, min_needs)
    learned = propose_aliases(lessons, corpus.documents, rules, find_overlay(corpus))
    text = render_patch(learned.proposals, store=corpus.name, project=corpus.project, suite=suite_name)
    if out is None:
        echo(text.removesuffix("\n"))
    else:
        replace_file(out, text, str(out))
    files = len({proposal.doc_id for proposal in learned.proposals})
    told = f"{count(len(learned.proposals), 'alias', 'aliases')} proposed for {count(files, 'file')}"
    echo(f"memeval: {told}, learned from {count(learned.lessons, 'need')} asked in vain", err=True)
    for reason, number in left_out.items():
        echo(f"  left out: {number} × {reason}", err=True)
    for reason, number in learned.left_out.items():
        echo(f"  left out: {number} × term: {reason}", err=True)
    if suite_name is not None and learned.proposals:
        echo(f"memeval: {_warn_of_fit(suite_name, quote_argument(suites[0]))}", err=True)
    if out is not None and learned.proposals:
        root = "" if corpus.root is None else f" --root {quote_argument(_shorten_path(corpus.root))}"
        echo(f"{out}: nothing is accepted yet; decide on each alias, then")
        echo(f"  memeval aliases apply {quote_argument(out)}{root}")


def _warn_of_fit(suite: str, path: str) -> str:
    """What a rise on a suite is worth whose own wordings were made aliases."""
    return (
        f"these aliases are fitted to the wordings of the suite {suite}; a rise on it after they are applied says "
        f"nothing. The honest test is `memeval aliases learn {path}`: learned from one writer, asked by another"
    )


def _shorten_path(path: str) -> str:
    """The path without its detours, where it then still leads to the same place: a link may turn elsewhere."""
    short = os.path.normpath(path)
    return short if Path(short).exists() and Path(short).samefile(path) else path


def _learn_offline(
    path: Path, variant_name: str, project: str | None
) -> tuple[Suite, tuple[Lesson, ...], dict[str, int]]:
    """The suite, and what its failed wordings teach."""
    from memeval.bench.aliaslearning import learn_from_suite
    from memeval.bench.run import evaluate
    from memeval.bench.summary import UNGRADABLE
    from memeval.errors import RunSettingError
    from memeval.retrieval.recipes import find_variant

    refuse_model("--variant", find_variant(variant_name), _WORDS_ALONE)
    (suite,) = load_suites([str(path)], bundled=False, split=None, project=project)
    with show_progress() as progress:
        evaluation = evaluate([suite], [variant_name], ks=(), depth=1, progress=progress)
    (result,) = evaluation.suites[0].variants
    broken = next((query for query in result.queries if query.verdict == UNGRADABLE), None)
    if broken is not None:
        raise RunSettingError(f"{variant_name} cannot say what is asked in vain; {broken.id}: {broken.reason}")
    lessons, left_out = learn_from_suite(suite, result)
    return suite, lessons, left_out


def _learn_recorded(
    sources: Sequence[Path], store: Path, project: str | None, recorded_at: Sequence[str], minutes: float
) -> tuple[Corpus, tuple[Lesson, ...], dict[str, int]]:
    """The store, and what the recordings teach."""
    from memeval.bench.aliaslearning import learn_from_needs
    from memeval.sessions import judge_existence, read_history
    from memeval.sessions.memoryfiles import normalise_path
    from memeval.testbed.corpus import load_corpus

    corpus = load_corpus(store, project=project)
    recording = read_sources(sources, [store], None, strict=False)
    needs = find_recorded(recording, minutes)
    existence = judge_existence(needs, recording.events, read_history([store]))
    roots = [*map(normalise_path, recorded_at), *list_spellings([store])]
    lessons, left_out = learn_from_needs(needs, corpus, roots=roots, existence=existence)
    return corpus, lessons, left_out


@aliases_group.command("apply")
@click.argument("patch", type=Place(exists=True, dir_okay=False, path_type=Path), metavar="PATCH")
@click.option(
    "--root", required=True, type=Place(exists=True, file_okay=False, path_type=Path), help="The store to write to."
)
@PROJECT_OPTION
@click.option("--dry-run", is_flag=True, help="Check everything, say what would be done, and write nothing.")
def apply(patch: Path, root: Path, project: str | None, dry_run: bool) -> None:
    """Write the accepted aliases of a patch into their notes, each in the form that its note has.

    Only entries with `accept: true` are written. Every check comes before the first write; each file changed lies
    beside itself as it was, with the ending .bak. Applied again, it changes nothing.

    \b
    memeval aliases apply aliases.patch.yaml --root ~/mem --dry-run
    """
    from memeval.bench.aliaswriting import apply_patch
    from memeval.testbed.aliaspatch import load_patch
    from memeval.testbed.corpus import load_corpus

    decided = load_patch(patch)
    if not any(entry.accept for entry in decided.entries):
        undecided = sum(entry.accept is None for entry in decided.entries)
        told = f"{undecided} undecided" if undecided else "none is left"
        echo(f"{patch}: nothing is accepted ({told}); write `accept: true` at each alias that is to be written")
        return
    corpus = load_corpus(root, project=project or decided.project)
    applied = apply_patch(decided, corpus, root, is_trial=dry_run)
    for line in _describe(applied):
        echo(line)
    verb = "would be added" if dry_run else "added"
    parts = [f"{count(applied.added, 'alias', 'aliases')} {verb}"]
    parts += [f"{applied.declined} declined"] if applied.declined else []
    parts += [f"{len(applied.undecided)} undecided, left as they are"] if applied.undecided else []
    echo("; ".join(parts))
    if decided.suite is not None:
        echo(f"memeval: {_warn_of_fit(decided.suite, 'SUITE')}", err=True)


def _describe(applied: Applied) -> list[str]:
    lines = []
    for change in applied.changes:
        told = [f"+ {alias}" for alias in change.added] + [f"{alias} is there already" for alias in change.known]
        backup = f"   (before: {change.backup})" if change.backup else ""
        lines.append(f"{change.doc_id}: {', '.join(told)}{backup}")
    return lines


@aliases_group.command("ledger")
@click.argument("suites", nargs=-1, required=True, type=Place(), metavar="SUITE...")
@_VARIANT
@PROJECT_OPTION
@click.option("--all", "ask_all", is_flag=True, help="Ask every wording again for each alias; slow.")
@click.option(
    "--most",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="Aliases listed of each standing; 0 lists none.",
)
@_JSON
def ledger(
    suites: tuple[str, ...],
    variant_name: str,
    project: str | None,
    ask_all: bool,
    most: int,
    json_path: str | None,
) -> None:
    """What each alias does, by leaving it out: wordings found and lost by it, ranks moved, aliases that do nothing.

    Counted are the aliases in the notes and those of an aliases.yaml beside them. Exits 0 whatever they are worth.

    \b
    memeval aliases ledger queries/ops-en.recall.yaml --most 5
    """
    from memeval.bench.aliasledger import keep_ledger
    from memeval.bench.jsonvalues import to_json_value
    from memeval.report.aliases import render_ledger
    from memeval.retrieval.recipes import find_variant

    if "aliases" in variant_name:
        raise click.UsageError(f"--variant {variant_name}: aliases are put in and left out here; name it without")
    variant = find_variant(variant_name)
    refuse_model("--variant", variant, _WORDS_ALONE)
    target = _prepare(json_path)
    loaded = load_suites(suites, bundled=False, split=None, project=project)
    with show_progress() as progress:
        ledgers = [keep_ledger(suite, variant, ask_all=ask_all, progress=progress) for suite in loaded]
    values = [
        {
            **to_json_value(one),
            "entries": [{"standing": entry.standing.value, **to_json_value(entry)} for entry in one.entries],
        }
        for one in ledgers
    ]
    _tell(json_path, target, {"schema": 1, "ledgers": values}, [render_ledger(one, limit=most) for one in ledgers])


@aliases_group.command("learn")
@click.argument("suites", nargs=-1, required=True, type=Place(), metavar="[SUITE | GROUPS.jsonl]...")
@click.option(
    "--corpus",
    type=Place(exists=True, file_okay=False, path_type=Path),
    help="Folder of the documents that GROUPS.jsonl asks for.",
)
@_VARIANT
@PROJECT_OPTION
@_ELSEWHERE
@_JSON
def learn(
    suites: tuple[str, ...],
    corpus: Path | None,
    variant_name: str,
    project: str | None,
    max_elsewhere: int | None,
    json_path: str | None,
) -> None:
    """Do learned aliases help whoever asks next? Learned on one writer's wordings, tried on another's.

    The suite needs unseen-words wordings of two blind writers (`writer: b`). GROUPS.jsonl holds paraphrase groups,
    `{"queries": [...], "expected": [...]}` on each line, over the documents in --corpus: each place in a group stands
    for a writer. Nothing is written. Exits with 1 where less of the ceiling is reached, or more lost elsewhere, than
    is demanded.

    \b
    memeval aliases learn queries/ops-en.recall.yaml queries/ops-zh.recall.yaml
    """
    from memeval.bench.aliastrial import run_trial
    from memeval.bench.jsonvalues import to_json_value
    from memeval.report.aliases import render_trial
    from memeval.retrieval.recipes import find_variant

    variant = find_variant(variant_name)
    refuse_model("--variant", variant, _WORDS_ALONE)
    target = _prepare(json_path)
    groups = [path for path in suites if path.endswith(_GROUPS_ENDING)]
    others = tuple(path for path in suites if path not in groups)
    if (corpus is None) != (not groups):
        raise click.UsageError(f"--corpus and a file ending in {_GROUPS_ENDING} belong together; give both, or neither")
    loaded = load_suites(others, bundled=False, split=None, project=project) if others else []
    asked = [(suite, False) for suite in loaded] + [(_load_groups(path, corpus), True) for path in groups]
    rules = _choose_rules(max_elsewhere, 1)
    with show_progress() as progress:
        trials = [
            run_trial(suite, variant, rules, is_paraphrases=is_paraphrases, progress=progress)
            for suite, is_paraphrases in asked
        ]
    values = [{**to_json_value(one), "failures": list(one.failures)} for one in trials]
    _tell(json_path, target, {"schema": 1, "trials": values}, map(render_trial, trials))
    if any(one.failures for one in trials):
        raise click.exceptions.Exit(EXIT_REGRESSION)


def _load_groups(path: str, corpus: Path | None) -> Suite:
    from memeval.testbed.importers import ImportOptions, find_importer

    options = ImportOptions(corpus=corpus)
    return find_importer("paraphrases").load(path, licence="that of the file of groups", options=options).suites[0]


def _choose_rules(max_elsewhere: int | None, min_needs: int) -> LearningRules:
    from memeval.bench.aliaslearning import DEFAULT_MAX_ELSEWHERE, LearningRules

    most = DEFAULT_MAX_ELSEWHERE if max_elsewhere is None else max_elsewhere
    return LearningRules(max_elsewhere=most, min_needs=min_needs)


def _prepare(json_path: str | None) -> Path | None:
    target = None if json_path in (None, "-") else Path(str(json_path))
    prepare_targets([target] if target else [])
    return target


def _tell(json_path: str | None, target: Path | None, values: dict[str, object], blocks: Iterable[str]) -> None:
    """The values as JSON where they are asked for, and the text unless that goes to standard output."""
    from memeval.bench.record import render_json

    text = render_json(values) + "\n"
    if target is not None:
        write_evaluation(text, target)
    if json_path == "-":
        echo_json(text, end="")
    else:
        echo("\n\n".join(blocks))
