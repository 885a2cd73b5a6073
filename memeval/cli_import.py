"""The verb `import`: other people's benchmarks and question sets as BEIR folders that `memeval run` takes."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(name="import")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--licence", required=True, help="One line, shown in every report: the licence and whose work it is.")
@click.option(
    "--format",
    "form",
    metavar="NAME",
    help="locomo, longmemeval, squad, beir, trec or paraphrases. Default: by content.",
)
@click.option("--name", help="Name of the suite; of several, how their names begin.")
@click.option("--lang", help="Language of the wordings, e.g. en or zh-Hant.")
@click.option("--corpus", type=click.Path(exists=True, path_type=Path), help="Documents, for a format without any.")
@click.option("--topics", type=click.Path(exists=True, path_type=Path), help="Query texts, for trec.")
@click.option("--split", help="Which qrels file, for beir.")
@click.option(
    "-o", "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder to write to."
)
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
    from memeval.report.notation import count
    from memeval.testbed.importers import ImportOptions, detect_importer, find_importer, write_imported

    importer = find_importer(form) if form else detect_importer(path)
    options = ImportOptions(name=name, lang=lang, corpus=corpus, topics=topics, split=split)
    imported = importer.load(path, licence=licence, options=options)
    written = write_imported(imported, out)
    click.echo(f"{path}: {importer.name}, {count(len(imported.suites), 'suite')}, licence: {imported.licence}")
    for suite in imported.suites:
        click.echo(f"  {suite.name}: {len(suite.corpus.documents):,} documents, {len(suite.queries()):,} queries")
    for dropped in imported.dropped:
        click.echo(f"  left out of {dropped}")
    click.echo(f"{out}/: {count(len(written), 'folder')}; memeval run {out / imported.suites[0].name}")
