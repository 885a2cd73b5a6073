"""The store that the options of `memeval memory` name: opened with its models and its log; what is odd is told."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from unicodedata import normalize

import click

from memeval.cli_parameters import TEXT, Place, list_places
from memeval.cli_process import echo
from memeval.memory import Memory, SearchLog, project_slug
from memeval.memory.layout import list_projects
from memeval.memory.profile import DEFAULT_PROFILE, PROFILES
from memeval.memory.search import GATED, HYBRID, LEXICAL
from memeval.memory.searchlog import LOG_FILE

if TYPE_CHECKING:
    from memeval.embedding.base import Embedder, Reranker

Verb = Callable[..., None]

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
