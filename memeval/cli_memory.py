"""The command line of the memory engine: `memeval memory write|edit|read|search|list|context`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import click

from memeval.cli_parameters import DOWNLOAD_OPTION, EMBEDDER_OPTION, RERANKER_OPTION, TEXT, Place, is_given, list_places
from memeval.cli_process import EXIT_HARNESS_ERROR, Verbs, echo, echo_json, read_input
from memeval.memory import Memory, SearchLog, project_slug
from memeval.memory.layout import list_projects
from memeval.memory.profile import DEFAULT_PROFILE, PROFILES
from memeval.memory.search import FUSIONS, GATED, HYBRID, LEXICAL, RETRIEVALS
from memeval.memory.searchlog import LOG_FILE
from memeval.memory.store import EMPTY

if TYPE_CHECKING:
    from memeval.embedding.base import Embedder, Reranker

Verb = Callable[..., None]

TARGETS = ("long_term", "scratchpad", "daily", "note")
MAX_NAMED = 8
FOLDERS = {"note": "notes", "daily": "daily"}
"""{source of a read that takes a name: the folder of its files}"""

STORE_OPTIONS: tuple[Callable[[Verb], Verb], ...] = (
    click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text."),
    click.option(
        "--profile",
        type=click.Choice(sorted(PROFILES)),
        default=DEFAULT_PROFILE,
        show_default=True,
        help="Generation of the engine.",
    ),
    click.option("--today", type=TEXT, metavar="YYYY-MM-DD", help="The day to act on. Default: the local date."),
    click.option(
        "--cwd",
        type=Place(),
        metavar="DIR",
        help="Take the project of this working directory instead of naming a slug.",
    ),
    click.option(
        "--project",
        type=TEXT,
        metavar="SLUG",
        help="Project slug, e.g. shop-1a2b3c4d. Without it, only the files directly under the root are in reach, "
        "as MEMORY.md.",
    ),
    click.option("--root", required=True, type=Place(file_okay=False), help="Folder of the memory store."),
)
"""Which store is meant, and how to answer; the same for every verb."""


def store_options(verb: Verb) -> Verb:
    """The verb with STORE_OPTIONS."""
    for option in STORE_OPTIONS:
        verb = option(verb)
    return verb


LOG_VARIABLE = "MEMEVAL_SEARCH_LOG"
LOG_OPTION = click.option(
    "--log/--no-log",
    default=None,
    help=f"Note this call in {LOG_FILE} under the root; with MEMEVAL_SEARCH_LOG_SALT set, hashes instead of the query. "
    f"Default: {LOG_VARIABLE}, 1 or 0, else --no-log.",
)
"""Whether a search or a read is noted in the store's search log."""


def open_store(
    root: str,
    project: str | None,
    cwd: str | None,
    today: str | None,
    profile: str,
    *,
    to_read: bool = False,
    spans_projects: bool = False,
    log: bool | None = False,
    retrieval: str = LEXICAL,
    embedder: str | None = None,
    reranker: str | None = None,
    fusion: str | None = None,
    download: bool = False,
) -> Memory:
    """The store the options name; where it is opened to be read and is not there, stderr says so.

    `spans_projects` is for verbs whose answer another project changes: without one, stderr names those there are.
    """
    if project and cwd:
        raise click.UsageError("give --project or --cwd, not both")
    # A slug is made of the path as it is given, so `.` has to become the folder it stands for.
    folder = None if cwd is None else os.path.abspath(cwd)  # noqa: PTH100 - links are not followed: an agent's cwd is as typed
    if to_read:
        warn_of_nothing(root, project_slug(folder) if folder is not None else project, spans_projects=spans_projects)
    refuse_idle_models(retrieval, embedder=embedder, reranker=reranker, fusion=fusion, download=download)
    model, second = open_models(retrieval, embedder, reranker, download=download)
    return Memory(
        root,
        project=project,
        cwd=folder,
        today=today,
        profile=profile,
        search_log=open_log(root) if (is_log_wanted() if log is None else log) else None,
        retrieval=retrieval,
        embedder=model,
        reranker=second,
        fusion=fusion or GATED,
    )


def refuse_idle_models(retrieval: str, **options: object) -> None:
    """Raise click.UsageError for an option of a hybrid search that is given to a search by words."""
    idle = next((name for name, given in options.items() if given not in (None, False)), None)
    if idle is not None and retrieval != HYBRID:
        raise click.UsageError(f"--{idle} changes nothing in a search by words; add --retrieval {HYBRID}")


def open_models(
    retrieval: str, embedder: str | None, reranker: str | None, *, download: bool
) -> tuple[Embedder | None, Reranker | None]:
    """(the embedding model of a hybrid search, the model that reads its first again); None for what is not wanted.

    Raises:
        EmbeddingError: a model is not to be had; the message says how to get it.
    """
    if retrieval != HYBRID:
        return None, None
    from memeval.embedding.models import DEFAULT_MODEL
    from memeval.embedding.sources import open_choice, open_reranker_choice

    places = list_places(download=download)
    second = None if reranker is None else open_reranker_choice(reranker, places)
    return open_choice(DEFAULT_MODEL if embedder is None else embedder, places), second


def is_log_wanted() -> bool:
    """What the environment says about the search log; what says neither is told on stderr and stands for no."""
    setting = os.environ.get(LOG_VARIABLE, "")
    try:
        return bool(setting) and click.BOOL.convert(setting, None, None)
    except click.BadParameter:
        echo(
            f"memeval: warning: {LOG_VARIABLE} is {setting!r}; write 1 or 0. This call is not in the search log",
            err=True,
        )
        return False


def open_log(root: str) -> SearchLog:
    """The search log of a store; what cannot be logged is a warning on stderr."""
    salt = os.environ.get("MEMEVAL_SEARCH_LOG_SALT") or None
    return SearchLog(
        Path(root, LOG_FILE),
        salt=salt,
        on_problem=lambda problem: echo(f"memeval: warning: {problem}", err=True),
    )


def warn_of_nothing(root: str, project: str | None, *, spans_projects: bool) -> None:
    """Say on stderr that there is no such store or project yet, which is more often a typing error than a first use.

    Nor does anybody see from an answer that the projects were left out of it.
    """
    try:
        projects = list_projects(root)
    except OSError:  # which projects there are is not known; the answer names what cannot be read
        return
    if not Path(root).is_dir():
        echo(f"memeval: note: there is no store at {root} yet", err=True)
    elif project is None and projects and spans_projects:
        echo(
            "memeval: note: only the files directly under the root are in reach; "
            f"for a project as well add --project: {name_some(projects)}",
            err=True,
        )
    elif project is not None and project not in projects:
        known = name_some(projects)
        echo(f"memeval: note: the store has no project {project!r} yet; known: {known}", err=True)


def name_some(names: Sequence[str]) -> str:
    """The first of the names and how many more there are; `none` without any."""
    more = len(names) - MAX_NAMED
    named = ", ".join(names[:MAX_NAMED]) or "none"
    return f"{named} and {more} more" if more > 0 else named


def describe_missing(store: Memory, source: str, name: str) -> str | None:
    """That no note, or no daily log, has this name, with those there are, the nearest first; None where one has it."""
    asked = name.strip().removesuffix(".md").strip()
    files = [PurePosixPath(doc_id) for doc_id in store.list()]
    known = [file.stem for file in files if file.parent.name == FOLDERS[source]]
    if normalize("NFC", asked) in (normalize("NFC", stem) for stem in known):
        return None
    near = get_close_matches(asked, known, n=MAX_NAMED)
    known.sort(key=lambda stem: near.index(stem) if stem in near else len(near))
    what = "note" if source == "note" else "daily log"
    return f"there is no {what} {asked!r}; known: {name_some(known)}"


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
