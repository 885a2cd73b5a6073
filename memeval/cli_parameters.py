"""What the verbs take: kinds of values with their checks, and options that would do nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from memeval.embedding.sources import ModelPlaces
    from memeval.retrieval.base import Variant

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


class Text(click.ParamType):  # type: ignore[type-arg]
    """A text: UTF-8 whatever the locale says, since it goes into files that are."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        """The text; fails for bytes that are not UTF-8, which Python hands over as half characters."""
        text = str(value)
        try:
            return os.fsencode(text).decode("utf-8") if _HALF_CHARACTER.search(text) else text
        except UnicodeError:
            self.fail(f"{text!r} is not UTF-8 text.", param, ctx)


class Place(click.Path):
    """A path that is not empty: an unset variable would otherwise stand for the current folder.

    One that may be `-` instead is a file to be written where the user says, so its folder has to be there. A verb that
    makes a folder of its own accord (`--out` has a default) looks itself, since the file may go into that.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """The path as click gives it."""
        if os.fspath(value) in ("", b""):
            self.fail("the path is empty; is a variable unset? Write . for the current folder.", param, ctx)
        place = super().convert(value, param, ctx)
        folder = Path(os.fsdecode(place)).parent
        verb = () if ctx is None else ctx.command.params
        makes_folder = any(each.name == "out" and isinstance(each.default, Path) for each in verb)
        if self.allow_dash and not folder.exists() and not makes_folder:
            self.fail(
                f"{os.fsdecode(place)!r}: there is no folder {folder} to write it into; make it first.", param, ctx
            )
        return place


class RecordFile(Place):
    """A file that a run writes under one name: its folder stands for it, as in `memeval report reports/latest`."""

    def __init__(self, name: str) -> None:
        super().__init__(exists=True, dir_okay=False, path_type=Path)
        self.record_name = name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """The path of the file; fails for a folder without one."""
        if value and Path(value).is_dir():
            inside = Path(value) / self.record_name
            if not inside.is_file():
                self.fail(f"the folder {os.fsdecode(value)!r} holds no {self.record_name}; name the file.", param, ctx)
            value = inside
        return super().convert(value, param, ctx)


class SuiteName(Text):
    """A name for a suite that is also the beginning of a file name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        """The name; fails for what no suite may be called."""
        from memeval.testbed.suitefile import is_valid_id

        text = super().convert(value, param, ctx)
        if not is_valid_id(text):
            allowed = "letters, digits, '_', '-' and '.' are allowed, a letter or digit first"
            self.fail(f"{text!r} cannot name a suite: {allowed}.", param, ctx)
        return text


TEXT = Text()


EMBEDDER_OPTION = click.option(
    "--embedder",
    type=TEXT,
    metavar="NAME|FOLDER",
    help="Embedding model: by name, the folder that holds it, or NAME=FOLDER.",
)
RERANKER_OPTION = click.option(
    "--reranker",
    type=TEXT,
    metavar="NAME|FOLDER",
    help="Model that reads the first of what is found again: by name, the folder that holds it, or NAME=FOLDER.",
)
DOWNLOAD_OPTION = click.option(
    "--download", is_flag=True, help="Let the model hub be asked for a model that is nowhere on this machine."
)
VECTORS_OPTION = click.option(
    "--vectors",
    type=Place(file_okay=False, writable=True, path_type=Path),
    metavar="FOLDER",
    help="Keep vectors there, so that another run embeds nothing twice. Timings are then those without the model.",
)

SPLIT_OPTION = click.option("--split", type=TEXT, help="Which qrels file of a BEIR folder, without its ending.")
PROJECT_OPTION = click.option("--project", type=TEXT, help="Project slug, for a store with several.")


def list_places(*, download: bool) -> ModelPlaces:
    """Where this command looks for models: the environment's folder of models among others."""
    from memeval.embedding.sources import MODELS_VARIABLE, ModelPlaces

    folder = os.environ.get(MODELS_VARIABLE)
    return ModelPlaces(models_folder=Path(folder) if folder else None, download=download)


def is_given(name: str) -> bool:
    """Whether the option of the running verb was typed, rather than left at its default."""
    source = click.get_current_context().get_parameter_source(name)
    return source is click.core.ParameterSource.COMMANDLINE


def refuse_idle_reading(places: Sequence[Path], *, split: str | None, project: str | None) -> None:
    """Raise click.UsageError where --split or --project has nothing to act on among the suites at `places`."""
    from memeval.testbed.beir import is_beir

    folders = [is_beir(place) for place in places]
    if split is not None and not any(folders):
        raise click.UsageError(f"--split {split} picks a qrels file of a BEIR folder, and none is given; leave it out")
    if project is not None and all(folders):
        raise click.UsageError(f"--project {project} picks a project of a store, and only BEIR folders are given")


def refuse_idle_settings(variants: Sequence[Variant]) -> None:
    """Raise click.UsageError where --budget or --seed is typed and none of the variants heeds it."""
    if is_given("budget_bytes") and all("max_bytes" in variant.configuration for variant in variants):
        names = ", ".join(variant.name for variant in variants)
        raise click.UsageError(f"--budget changes nothing: {names} has a cap of its own; leave it out")
    if is_given("seed") and all(variant.name != "random" for variant in variants):
        raise click.UsageError("--seed changes nothing without the random control; add --variant random")


def check_target(path: Path) -> None:
    """Raise click.UsageError where no file can be put at `path`, so that it is known before the work is done."""
    if path.is_dir():
        raise click.UsageError(f"{path} is a folder; a file is to be written there. Move it, or choose another place")
    if path.exists() and not os.access(path, os.W_OK):
        raise click.UsageError(f"{path} is read-only; make it writable, or choose another place")
    nearest = next(folder for folder in path.absolute().parents if folder.exists())
    if not nearest.is_dir():
        raise click.UsageError(f"{nearest} is a file, so that nothing can be put below it; choose another place")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise click.UsageError(f"{nearest} may not be written to; choose another place")
