"""`memeval report`: a stored evaluation written down again, as Markdown and as a page."""

from __future__ import annotations

from pathlib import Path

import click

from memeval.cli_checkout import EVALUATION_FILE
from memeval.cli_page import OPEN_OPTION, PAGE_FILE, PAGE_OPTION, refuse_opening, show_page
from memeval.cli_parameters import Place, RecordFile
from memeval.cli_process import echo
from memeval.cli_run import prepare_targets


@click.command()
@click.argument("evaluation", type=RecordFile(EVALUATION_FILE), metavar="EVALUATION.json")
@click.option(
    "-o",
    "--out",
    type=Place(file_okay=False, path_type=Path),
    help="Folder to write to. Default: beside the evaluation.",
)
@click.option(
    "--base",
    type=RecordFile(EVALUATION_FILE),
    metavar="EVALUATION.json",
    help="An earlier run: the page shows what became of each need since.",
)
@click.option(
    "--diagnosis",
    type=Place(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE.json",
    help="What `memeval diagnose --json` wrote: the page shows the class and the cheapest cure of each miss.",
)
@click.option(
    "--recorded",
    type=Place(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE.json",
    help="What `memeval sessions report --json` wrote: the page shows its rates and the watch.",
)
@PAGE_OPTION
@OPEN_OPTION
def report(
    evaluation: Path,
    out: Path | None,
    base: Path | None,
    diagnosis: Path | None,
    recorded: Path | None,
    page: bool,
    is_opened: bool,
) -> None:
    """Render report.md, its plots, and report.html with its tables again from a stored evaluation.

    A folder stands for the evaluation.json in it.

    \b
    memeval report reports/latest/evaluation.json --open
    memeval report reports/latest/evaluation.json --base reports/baseline/evaluation.json
    """
    from memeval.bench.diagnosisfile import load_diagnoses
    from memeval.bench.evaluation import Evaluation
    from memeval.bench.recordedfile import load_recording
    from memeval.report import write_page, write_report
    from memeval.report.markdown import REPORT_FILE

    refuse_opening(page=page, is_opened=is_opened)
    for option, value in (("--base", base), ("--diagnosis", diagnosis), ("--recorded", recorded)):
        if value is not None and not page:
            raise click.UsageError(f"{option} changes nothing with --no-page; only the page shows it")
    loaded = Evaluation.load(evaluation)
    earlier = None if base is None else Evaluation.load(base)
    diagnoses = None if diagnosis is None else load_diagnoses(diagnosis)
    recording = None if recorded is None else load_recording(recorded)
    folder = out or evaluation.parent
    prepare_targets([folder / REPORT_FILE, *([folder / PAGE_FILE] if page else [])])
    written = write_report(loaded, folder)
    if page:
        written += write_page(loaded, folder, base=earlier, diagnoses=diagnoses, recording=recording)
    echo(f"{folder}/: {', '.join(path.name for path in written)}")
    if is_opened:
        show_page(folder / PAGE_FILE)
