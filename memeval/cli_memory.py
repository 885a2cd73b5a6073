"""The command line of the memory engine: `memeval memory write|edit|read|search|list|context`."""

from __future__ import annotations

import json
from typing import Any

import click

from memeval.cli_parameters import DOWNLOAD_OPTION, EMBEDDER_OPTION, RERANKER_OPTION, TEXT, is_given
from memeval.cli_process import EXIT_HARNESS_ERROR, Verbs, echo, echo_json, read_input
from memeval.cli_store import LOG_OPTION, describe_missing, open_store, store_options
from memeval.memory.search import FUSIONS, GATED, LEXICAL, RETRIEVALS
from memeval.memory.store import EMPTY

TARGETS = ("long_term", "scratchpad", "daily", "note")


def emit(shown: str, as_json: bool, values: dict[str, object]) -> None:
    """Print what a person reads, or the values as one JSON object."""
    if as_json:
        echo_json(json.dumps(values, ensure_ascii=False, allow_nan=False))
    else:
        echo(shown)


TEXT_FIRST = {"ignore_unknown_options": True, "help_option_names": ["--help"]}
"""Of verbs whose text may begin with a dash: no short option, or `- the rule` would be read as a cluster with `-h`."""


@click.group("memory", cls=Verbs)
def memory_group() -> None:
    """Write, edit, read and search a memory store, as an agent does.

    \b
    memeval memory search "redis port" --root ~/mem --project shop-1a2b3c4d
    """


# "- [ ] rotate keys" is content, though it begins like an option.
@memory_group.command(context_settings=TEXT_FIRST)
@click.argument("target", type=click.Choice(TARGETS))
@click.argument("content", required=False, type=TEXT)
@click.option("--name", type=TEXT, help="Name of the note, for target note.")
@click.option("--mode", type=click.Choice(["append", "overwrite"]), default="append", show_default=True)
@click.option("--alias", "aliases", type=TEXT, multiple=True, help="Another word for the note; repeat for more.")
@store_options
def write(
    target: str,
    content: str | None,
    name: str | None,
    mode: str,
    aliases: tuple[str, ...],
    as_json: bool,
    **where: Any,  # noqa: ANN401
) -> None:
    """Write CONTENT (standard input without it, line ends as they come) to a tier.

    It is added at the end of what is there; --mode overwrite replaces that.

    CONTENT may begin with a dash. Where it is the name of an option, put the options first and -- before it. Empty
    content is refused, but for '' with --mode overwrite, which empties the file.

    \b
    memeval memory write note "Redis listens on 6380." --name redis --root ~/mem --project shop-1a2b3c4d
    memeval memory write daily --root ~/mem --project shop-1a2b3c4d -- --json
    """
    is_given_as_text = content is not None
    content = read_input() if content is None else content
    if not content.strip() and not (is_given_as_text and mode == "overwrite"):
        what = "CONTENT" if is_given_as_text else "standard input"
        raise click.UsageError(f"{what} is empty; nothing was written")
    message = open_store(**where).write(target, content, mode=mode, name=name, aliases=aliases)
    emit(message, as_json, {"message": message})


@memory_group.command()
@click.argument("target", type=click.Choice(TARGETS))
@click.option(
    "--old", type=TEXT, help="Text to replace; it must stand exactly once. Without it a whole note is deleted."
)
@click.option("--new", type=TEXT, default="", help="What to put in its place.")
@click.option("--name", type=TEXT, help="Name of the note, or the date of an earlier daily log.")
@store_options
def edit(target: str, old: str | None, new: str, name: str | None, as_json: bool, **where: Any) -> None:  # noqa: ANN401
    """Replace text that stands exactly once, or delete a note.

    \b
    memeval memory edit note --name redis --old 6380 --new 6390 --root ~/mem --project shop-1a2b3c4d
    """
    if old is None and is_given("new"):
        raise click.UsageError("--new needs --old, the text it replaces; without both the whole note is deleted")
    message = open_store(**where).edit(target, old, new, name=name)
    emit(message, as_json, {"message": message})


@memory_group.command()
@click.argument("source", type=TEXT)
@click.option("--name", type=TEXT, help="Name of the note, or the date of a daily log.")
@LOG_OPTION
@store_options
def read(source: str, name: str | None, as_json: bool, **where: Any) -> None:  # noqa: ANN401
    """Print one file: SOURCE is long_term, scratchpad, daily, note, or list.

    What is not there reads as `(empty)`. Where a --name names nothing, stderr says so, with the names there are, and
    the exit code is 2.

    \b
    memeval memory read note --name redis --root ~/mem --project shop-1a2b3c4d
    """
    store = open_store(**where, to_read=True)
    text = store.read(source, name=name)
    emit(text, as_json, {"text": text})
    missing = describe_missing(store, source, name) if text == EMPTY and name is not None else None
    if missing is not None:
        echo(f"memeval: {missing}", err=True)
        raise click.exceptions.Exit(EXIT_HARNESS_ERROR)


# "--lf" is a word that files hold, though it begins like an option.
@memory_group.command(context_settings=TEXT_FIRST)
@click.argument("query", type=TEXT)
@click.option("--max-bytes", type=click.IntRange(min=1), help="Cap on the text. Default: the profile's.")
@click.option(
    "--retrieval",
    type=click.Choice(RETRIEVALS),
    default=LEXICAL,
    show_default=True,
    help="By words, or by words and meaning with a model on this machine.",
)
@click.option(
    "--fusion",
    type=click.Choice(FUSIONS),
    help="How words and meaning make one order: each by how much it has to say, or by reciprocal ranks alone, which "
    f"always answer. Default: {GATED}.",
)
@EMBEDDER_OPTION
@RERANKER_OPTION
@DOWNLOAD_OPTION
@LOG_OPTION
@store_options
def search(query: str, max_bytes: int | None, as_json: bool, **where: Any) -> None:  # noqa: ANN401
    """Find the files that hold any word of QUERY.

    Searched are the *.md directly under the root and, with a project, its notes and daily logs. The scratchpad never
    is: `memeval memory read scratchpad` shows it. "Across 2 files" counts those with a match; `memeval memory list`
    names all that are in reach.

    QUERY may begin with a dash. Where it is the name of an option, put the options first and -- before it.

    \b
    memeval memory search "redis port conflict" --root ~/mem --project shop-1a2b3c4d
    memeval memory search --root ~/mem --project shop-1a2b3c4d -- --json
    memeval memory search "in-memory store" --retrieval hybrid --root ~/mem --project shop-1a2b3c4d
    """
    store = open_store(**where, to_read=True, spans_projects=True)
    result = store.search(query, max_bytes=max_bytes)
    for problem in store.problems:
        echo(f"memeval: warning: {problem}", err=True)
    if not as_json:
        echo(result.text(max_bytes))
        return
    hits = [
        {
            "doc_id": hit.doc_id,
            "matched_terms": list(hit.matched_terms),
            "total_hits": hit.total_hits,
            "filename_only": hit.filename_only,
            "date": hit.date,
            "body": hit.body,
        }
        for hit in result.hits
    ]
    terms = [{"term": term, "count": count} for term, count in result.terms]
    emit("", True, {"terms": terms, "hits": hits, "text": result.text(max_bytes)})


@memory_group.command(name="list")
@store_options
def list_files(as_json: bool, **where: Any) -> None:  # noqa: ANN401
    """List the files of the store that are in reach, relative to its root.

    \b
    memeval memory list --root ~/mem --project shop-1a2b3c4d
    """
    files = open_store(**where, to_read=True, spans_projects=True).list()
    emit("\n".join(files), as_json, {"files": list(files)})


@memory_group.command()
@store_options
def context(as_json: bool, **where: Any) -> None:  # noqa: ANN401
    """Print the block that is put at the top of a session; nothing when there is none.

    \b
    memeval memory context --root ~/mem --project shop-1a2b3c4d
    """
    block = open_store(**where, to_read=True, spans_projects=True).context_block()
    if as_json:
        emit("", True, {"block": block})
    elif block is not None:
        echo(block.removesuffix("\n"))
