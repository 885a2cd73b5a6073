"""The verb `import`: other people's benchmarks and question sets as BEIR folders that `memeval run` takes."""

from __future__ import annotations

from pathlib import Path

import click

from memeval.cli_parameters import TEXT, Place
from memeval.cli_process import echo, quote_argument, warn_of_unreadable
from memeval.text import count


@click.command(name="import")
@click.argument("path", type=Place(exists=True, path_type=Path))
@click.option(
    "--licence", type=TEXT, required=True, help="One line, shown in every report: the licence and whose work it is."
)
@click.option(
    "--format",
    "form",
    type=TEXT,
    metavar="NAME",
    help="locomo, longmemeval, squad, beir, trec or paraphrases. Default: by content.",
)
@click.option("--name", type=TEXT, help="Name of the suite; of several, how their names begin.")
@click.option("--lang", type=TEXT, help="Language of the wordings, e.g. en or zh-Hant.")
@click.option("--corpus", type=Place(exists=True, path_type=Path), help="Documents, for a format without any.")
@click.option("--topics", type=Place(exists=True, path_type=Path), help="Query texts, for trec.")
@click.option("--split", type=TEXT, help="Which qrels file, for beir.")
@click.option("-o", "--out", required=True, type=Place(file_okay=False, path_type=Path), help="Folder to write to.")
def import_benchmark(
    path: Path,
    licence: str,
    form: str | None,
    name: str | None,
    lang: str | None,
    corpus: Path | None,
    topics: Path | None,
    split: str | None,
    out: Path,
) -> None:
    """Write the suites of PATH as BEIR folders, and say what was left out and why.

    \b
    memeval import locomo10.json --licence "CC BY-NC 4.0, snap-research/LoCoMo" --out benchmarks
    memeval import pairs.jsonl --corpus benchmarks/tldr-en --licence "MIT, nl2bash" --out benchmarks
    """
    from memeval.testbed.importers import ImportOptions, detect_importer, find_importer, write_imported

    importer = find_importer(form) if form else detect_importer(path)
    options = ImportOptions(name=name, lang=lang, corpus=corpus, topics=topics, split=split)
    imported = importer.load(path, licence=licence, options=options)
    for asked in {suite.corpus.root: suite.corpus for suite in imported.suites}.values():
        warn_of_unreadable(asked.root, asked.unreadable)
    written = write_imported(imported, out)
    echo(f"{path}: {importer.name}, {count(len(imported.suites), 'suite')}, licence: {imported.licence}")
    for suite in imported.suites:
        documents = count(len(suite.corpus.documents), "document")
        echo(f"  {suite.name}: {documents}, {count(len(suite.queries()), 'query', 'queries')}")
    for dropped in imported.dropped:
        echo(f"  left out of {dropped}")
    echo(f"{out}/: {count(len(written), 'folder')}; memeval run {quote_argument(out / imported.suites[0].name)}")
