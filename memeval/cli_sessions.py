"""The command line of recorded sessions: `memeval sessions import|report|distill`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memeval.cli_parameters import PROJECT_OPTION, TEXT, Place, SuiteName, check_target
from memeval.cli_process import Verbs, echo, echo_json, quote_argument, warn_of_unreadable
from memeval.memory.disk import replace_file
from memeval.text import count

if TYPE_CHECKING:
    from memeval.bench.recorded import RecordedSummary
    from memeval.sessions import RecordedNeed, Recording

Verb = Callable[..., None]

_MOST_TOLD = 10

SOURCE_OPTIONS: tuple[Callable[[Verb], Verb], ...] = (
    click.option("--strict", is_flag=True, help="Refuse recordings of which a line cannot be read, and exit with 2."),
    click.option(
        "--reader", "reader_name", type=TEXT, metavar="NAME", help="Format of all of them. Default: by content."
    ),
    click.option(
        "--store",
        "stores",
        multiple=True,
        type=Place(exists=True, file_okay=False, path_type=Path),
        help="A folder all of whose files are memory, whatever it is called; its history tells since when. Repeatable.",
    ),
    click.argument("paths", nargs=-1, required=True, type=Place(exists=True, path_type=Path)),
)
"""What is read; the same for every verb."""
MINUTES_OPTION = click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    default=10,
    show_default=True,
    help="A recorded need is closed when nothing follows for so long.",
)
RECORDED_AT_OPTION = click.option(
    "--recorded-at", multiple=True, type=TEXT, metavar="FOLDER", help="Where the store lay when it was searched."
)


def source_options(verb: Verb) -> Verb:
    """The verb with SOURCE_OPTIONS."""
    for option in SOURCE_OPTIONS:
        verb = option(verb)
    return verb


class Moment(click.ParamType):  # type: ignore[type-arg]
    """A day, or a time with its offset from UTC; UTC where it states none."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:  # noqa: ANN401
        """The time; fails for a text that is none."""
        from memeval.sessions.times import parse_time

        text = str(value)
        moment = parse_time(text) or parse_time(f"{text}T00:00:00Z")
        return moment or self.fail(f"{text!r} is no time; write 2026-07-01 or 2026-07-01T09:30+02:00.", param, ctx)


@click.group("sessions", cls=Verbs)
def sessions_group() -> None:
    """What agents really asked of their memory, from recorded sessions.

    Read are Claude Code, Codex, opencode, zerostack and oh-my-pi transcripts, the engine's own search log, and a
    neutral form. Nothing but queries and file names is kept of them: no prompt, no answer.

    \b
    memeval sessions report ~/.claude/projects
    memeval sessions distill ~/mem/searchlog.jsonl --corpus ~/mem --out recorded.recall.yaml
    """


@sessions_group.command("import")
@source_options
@click.option(
    "-o", "--out", required=True, type=Place(dir_okay=False, path_type=Path), help="The file of events to write."
)
def import_sessions(
    paths: tuple[Path, ...], stores: tuple[Path, ...], reader_name: str | None, strict: bool, out: Path
) -> None:
    """Write the events of recorded sessions as JSON lines, one form for all agents.

    PATHS are files, or folders of them. Searches, reads and writes of memory are kept, with their queries (keys and
    passwords of known forms redacted), file names and times; of prompts only whether they order rewording. The file can
    be given to the other verbs instead of the recordings.

    \b
    memeval sessions import ~/.claude/projects ~/.codex/sessions --out events.jsonl
    """
    from memeval.sessions import write_line

    check_target(out)
    recording = read_sources(paths, stores, reader_name, strict=strict)
    replace_file(out, b"".join(map(write_line, recording.events)).decode("utf-8"), str(out))
    tell_sources(recording)
    echo(f"{out}: {describe_events(recording)}")


@sessions_group.command("report")
@source_options
@MINUTES_OPTION
@click.option(
    "--corpus",
    type=Place(exists=True, file_okay=False, path_type=Path),
    help="The store as it is: how many first queries share no word with the file finally read. It is a --store, too.",
)
@click.option("--project", type=TEXT, help="Project slug, for a --corpus with several.")
@click.option(
    "--tolerated",
    type=click.FloatRange(0, 0.5, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="The share of zero-overlap retries that may be; the watch rings soon after twice as many.",
)
@click.option(
    "--restart",
    "restarts",
    multiple=True,
    type=Moment(),
    metavar="TIME",
    help="When the engine, its aliases or the ruler changed: the watch begins anew. Repeatable.",
)
@click.option(
    "--plot",
    type=Place(dir_okay=False, path_type=Path),
    metavar="FILE.png",
    help="Draw the watch here: its score, the alarm, and the share of retries.",
)
@click.option("--needs", "with_needs", is_flag=True, help="List every need with its searches and where they stand.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text, the needs included.")
def report_sessions(
    paths: tuple[Path, ...],
    stores: tuple[Path, ...],
    reader_name: str | None,
    strict: bool,
    minutes: float,
    corpus: Path | None,
    project: str | None,
    tolerated: float,
    restarts: tuple[datetime, ...],
    plot: Path | None,
    with_needs: bool,
    as_json: bool,
) -> None:
    """Say how often agents had to ask their memory again, and in which way, with intervals.

    Exits 0 whatever the rates are: live rates inform and gate nothing.

    \b
    memeval sessions report ~/.claude/projects
    memeval sessions report events.jsonl --corpus ~/mem --project shop-1a2b3c4d --needs
    """
    from memeval.bench.recorded import summarise_recording
    from memeval.report.recorded import describe_summary, write_needs, write_summary
    from memeval.sessions import judge_existence, read_history
    from memeval.statistics.cusum import design_cusum
    from memeval.testbed.corpus import load_corpus

    if project is not None and corpus is None:
        raise click.UsageError(f"--project {project} picks a project of --corpus, and none is given; leave it out")
    if plot is not None:
        check_target(plot)
    loaded = None if corpus is None else load_corpus(corpus, project=project)
    if loaded is not None:
        warn_of_unreadable(loaded.root, loaded.unreadable)
    places = stores if corpus is None else (*stores, corpus)
    recording = read_sources(paths, places, reader_name, strict=strict)
    needs = find_recorded(recording, minutes)
    history = read_history(places)
    for problem in history.problems:
        echo(f"memeval: warning: {problem}", err=True)
    existence = judge_existence(needs, recording.events, history)
    summary = summarise_recording(
        recording,
        needs,
        existence,
        history=history,
        corpus=loaded,
        roots=list_spellings(places),
        design=design_cusum(tolerated),
        restarts=restarts,
    )
    if plot is not None:
        write_watch_plot(summary, plot)
    if as_json:
        problems = [str(problem) for problem in recording.problems]
        values = {**describe_summary(summary, needs, existence), "dropped": recording.dropped, "problems": problems}
        echo_json(json.dumps(values, ensure_ascii=False, allow_nan=False))
        return
    lines = write_summary(summary)
    if with_needs:
        lines += ["", *write_needs(needs, existence)]
    echo("\n".join(lines))
    tell_dropped(recording)


def write_watch_plot(summary: RecordedSummary, path: Path) -> None:
    """Write the picture of the watch; told on stderr, since the output may be JSON."""
    from memeval.report.plots import write_png
    from memeval.report.watchplot import draw_watches

    figure = draw_watches(summary.watches)
    if figure is None:
        echo("memeval: note: no need is recorded, so there is nothing to draw", err=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_png(figure, path)
    echo(f"{path}: the watch of {count(sum(one.n for one in summary.watches), 'need')}", err=True)


@sessions_group.command("distill")
@source_options
@MINUTES_OPTION
@click.option(
    "--corpus",
    required=True,
    type=Place(exists=True, file_okay=False, path_type=Path),
    help="The store that was searched, as it is now.",
)
@PROJECT_OPTION
@RECORDED_AT_OPTION
@click.option("--name", type=SuiteName(), default="recorded", show_default=True, help="Name of the suite.")
@click.option("-o", "--out", required=True, type=Place(dir_okay=False, path_type=Path), help="The suite file to write.")
@click.option("--force", is_flag=True, help="Overwrite the suite file if it exists.")
def distill_sessions(
    paths: tuple[Path, ...],
    stores: tuple[Path, ...],
    reader_name: str | None,
    strict: bool,
    minutes: float,
    corpus: Path,
    project: str | None,
    recorded_at: tuple[str, ...],
    name: str,
    out: Path,
    force: bool,
) -> None:
    """Write a suite of the recorded needs: the first query, the later wordings, the file finally read.

    Every need is tagged `recorded`. Look at each before it gates anything: the file that was read last need not be the
    answer.

    \b
    memeval sessions distill ~/mem/searchlog.jsonl --corpus ~/mem --out recorded.recall.yaml
    """
    from memeval.bench.suite import SUITE_ENDING, load_suite
    from memeval.sessions.distill import build_recorded_suite
    from memeval.testbed.corpus import load_corpus

    if not out.name.endswith(SUITE_ENDING):
        raise click.UsageError(f"--out {out}: a suite file ends in {SUITE_ENDING}")
    if out.exists() and not force:
        raise click.UsageError(f"{out} exists; choose another --out, or --force to overwrite it")
    check_target(out)
    loaded = load_corpus(corpus, project=project)
    warn_of_unreadable(loaded.root, loaded.unreadable)
    recording = read_sources(paths, (*stores, corpus), reader_name, strict=strict)
    suite = build_recorded_suite(
        find_recorded(recording, minutes),
        loaded,
        folder=corpus,
        name=name,
        suite_path=out,
        recorded_folders=(*recorded_at, *list_spellings([corpus])),
    )
    replace_file(out, suite.text, str(out))
    written = load_suite(out)
    wordings = count(len(written.queries()), "wording")
    echo(f"{out}: {count(suite.needs, 'need')}, {wordings}, to be confirmed by a person")
    for reason, number in suite.left_out.items():
        echo(f"  left out: {number} × {reason}")
    tell_dropped(recording)
    echo(f"  memeval run {quote_argument(out)}")


def read_sources(paths: Sequence[Path], stores: Sequence[Path], reader_name: str | None, *, strict: bool) -> Recording:
    """What the recordings hold; damage is told on stderr, that in the middle of a file before that at its end.

    Raises:
        TranscriptError: nothing to read, or with `strict` the first damage.
    """
    from memeval.errors import TranscriptError
    from memeval.sessions import MemoryFiles, find_reader, read_recordings

    reader = None if reader_name is None else find_reader(reader_name)
    recording = read_recordings(paths, MemoryFiles(tuple(list_spellings(stores))), reader)
    if strict and recording.problems:
        first = recording.problems[0]
        raise TranscriptError(
            f"{first.reason}; {count(len(recording.problems), 'line')} cannot be read, and --strict is given",
            path=first.path,
            line=first.line,
        )
    for word, is_tail in (("warning", False), ("note", True)):
        problems = [problem for problem in recording.problems if problem.is_tail == is_tail]
        for problem in problems[:_MOST_TOLD]:
            echo(f"memeval: {word}: {problem}; skipped", err=True)
        if len(problems) > _MOST_TOLD:
            echo(f"memeval: {word}: {len(problems) - _MOST_TOLD} more of that kind; skipped", err=True)
    if recording.unknown:
        unread = count(len(recording.unknown), "file")
        echo(f"memeval: note: no reader takes {unread}, such as {recording.unknown[0]}", err=True)
    return recording


def find_recorded(recording: Recording, minutes: float) -> tuple[RecordedNeed, ...]:
    """The needs behind the events."""
    from memeval.sessions import EpisodeRules, find_needs

    pause = timedelta(minutes=minutes)
    return find_needs(recording.events, EpisodeRules(max_pause=pause, max_leap=min(pause, EpisodeRules().max_leap)))


def list_spellings(folders: Sequence[Path]) -> list[str]:
    """How a recording may write the folders: absolute, without links, and from the home folder."""
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() fails where there is none
    spellings = []
    for folder in folders:
        for path in (folder.absolute().as_posix(), folder.resolve().as_posix()):
            spellings.append(path)
            if path.startswith(f"{home}/"):
                spellings.append(f"~{path[len(home) :]}")
    return list(dict.fromkeys(spellings))


def describe_events(recording: Recording) -> str:
    """`3 searches, 2 reads, 1 write, 4 prompts`."""
    from memeval.sessions.readers import count_kinds

    kinds = count_kinds(recording.events)
    nouns = (("search", "searches"), ("read", "reads"), ("write", "writes"), ("turn", "prompts"))
    singular = {"turn": "prompt"}
    return ", ".join(count(kinds[kind], singular.get(kind, kind), plural) for kind, plural in nouns)


def tell_sources(recording: Recording) -> None:
    """Say which recordings were read, and what was left out of them."""
    named = ", ".join(f"{name} {number}" for name, number in recording.sources.items())
    echo(f"{count(sum(recording.sources.values()), 'recording')}: {named}")
    tell_dropped(recording)


def tell_dropped(recording: Recording) -> None:
    """Say what was left out, and why, one line a reason."""
    for reason, number in recording.dropped.items():
        echo(f"  left out: {number} × {reason}")
