"""From a path to a suite: suite files, BEIR folders, folders of suite files, and the bundled ones."""

from __future__ import annotations

from pathlib import Path

from memeval.errors import SuiteFileError
from memeval.testbed.beir import CORPUS, is_beir, load_beir
from memeval.testbed.needs import Suite
from memeval.testbed.suitefile import load_suite as load_suite_file

SUITE_ENDING = ".recall.yaml"
_YAML_ENDINGS = (".yaml", ".yml")


def load_suite(path: Path | str, *, split: str | None = None, project: str | None = None) -> Suite:
    """The suite at `path`: a `*.recall.yaml` file or a BEIR folder.

    Args:
        path: file or folder.
        split: which qrels file of a BEIR folder, without its ending; default `test`, else the only one.
        project: slug of the project whose notes and logs are searched, where the store has several.

    Raises:
        SuiteFileError: there is no suite at `path`, or its file is broken.
        CorpusError: its corpus cannot be read.
        BenchmarkFormatError: a broken BEIR row.
    """
    if path == "":  # Path("") would be the current folder
        raise SuiteFileError(f"is no path; give a file ending in {SUITE_ENDING} or a BEIR folder", path="''")
    place = Path(path)
    if place.is_dir():
        if is_beir(place):
            return load_beir(place, split=split)
        below = find_suites(place) or find_beir(place)
        hint = f"; name one of those below it, such as {below[0]}" if below else ""
        raise SuiteFileError(
            f"is a folder without corpus.jsonl{hint}; give a file ending in {SUITE_ENDING} or a BEIR folder "
            "(`memeval init STORE` writes a first suite for a memory store)",
            path=str(path),
        )
    try:
        return load_suite_file(place, project=project)
    except SuiteFileError as exc:
        if not place.is_file() or place.suffix in _YAML_ENDINGS or exc.path != str(place):
            raise
        raise SuiteFileError(
            f"{exc.message}; is it a suite? Its name would end in {SUITE_ENDING}, and `memeval init STORE` writes "
            "a first one for a folder of notes",
            path=exc.path,
            line=exc.line,
        ) from exc


def find_suites(folder: Path | str) -> tuple[Path, ...]:
    """Every suite file below `folder`, sorted by path; empty when there is none."""
    return tuple(sorted(Path(folder).rglob(f"*{SUITE_ENDING}")))


def find_beir(folder: Path | str) -> tuple[Path, ...]:
    """Every BEIR folder below `folder`, sorted by path; empty when there is none."""
    return tuple(sorted(path.parent for path in Path(folder).rglob(CORPUS) if path.is_file()))


def expand_paths(paths: tuple[str, ...]) -> tuple[Path, ...]:
    """The suites that `paths` name: a folder that is not BEIR stands for the suite files below it.

    Where there are none, it stands for the BEIR folders below it.

    Raises:
        SuiteFileError: a path that does not exist, or a folder without any suite.
    """
    found: list[Path] = []
    for path in paths:
        place = Path(path)
        if path == "" or not place.exists():
            raise SuiteFileError(
                f"does not exist; give a file ending in {SUITE_ENDING}, a folder of them, or a BEIR folder",
                path=path or "''",
            )
        if place.is_dir() and not is_beir(place):
            below = find_suites(place) or find_beir(place)
            if not below:
                raise SuiteFileError(
                    f"holds no file ending in {SUITE_ENDING} and no BEIR folder (one with a {CORPUS}); "
                    "`memeval init STORE` writes a first suite",
                    path=path,
                )
            found.extend(below)
        else:
            found.append(place)
    return tuple(dict.fromkeys(found))


def bundled_folder() -> Path:
    """The folder of the suites that come with the package: in a wheel beside the code, in a checkout at its top."""
    package = Path(__file__).parents[1]
    wheel = package / "bundled" / "queries"
    return wheel if wheel.is_dir() else package.parent / "queries"


def bundled_suites() -> tuple[Path, ...]:
    """The suites that come with the package."""
    return find_suites(bundled_folder())
